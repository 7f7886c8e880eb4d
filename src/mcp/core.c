/* core.c - making a server, adding to it, and compiling what was added. */
#include "mcp/core.h"

#include <sodium.h>
#include <stdarg.h>
#include <string.h>

#include "answer/tool_read.h"
#include "answer/toolbox.h"
#include "base/memory.h"
#include "base/sized.h"
#include "mcp/ask/forms.h"
#include "mcp/exchange.h"
#include "mcp/offer/listed.h"
#include "mcp/offer/publish.h"
#include "mcp/offer/subscribe.h"
#include "mcp/offer/tasks.h"
#include "mcp/phrases.h"
#include "mcp/session.h"
#include "mcp/share/share.h"

#define SERVER_MEMORY_MAX ((size_t)256 << 20)
#define ENTRIES_FIRST     8

/* The most of each that all callers together may hold, unless the operator says otherwise. */
static const struct {
    enum tn_held held;
    size_t       most;
} limits[] = {
    { HELD_WAITING, (size_t)64 << 20 },
    { HELD_SESSIONS, SESSIONS_MAX },
    { HELD_SUBSCRIPTIONS, (size_t)16 << 20 },
    { HELD_LISTENERS, LISTENERS_MAX },
    { HELD_TASKS, TASKS_MAX },
    { HELD_RESULTS, (size_t)64 << 20 },
};

/* ---- Lifetime ------------------------------------------------------------------------------------------------ */

static void take_options(tenon_server *server, const tenon_server_options *given)
{
    tenon_server_options *options = &server->options;
    bool                  known = tn_sized_read(options, sizeof *options, given, given->size), sound = true;

    if (options->page == 0)
        options->page = TENON_PAGE_ENTRIES;
    if (options->icon_count > 0)
        options->icons = tn_icons_read(&server->arena, options->icons, options->icon_count,
                                       options->icon_size, &sound);
    if (!known || !sound)
        tn_core_mistake(server, SAY_UNKNOWN_OPTION, "the server");
    else if (options->icon_count > 0 && !options->icons)
        tn_core_mistake(server, SAY_NO_MEMORY_NEW);
}

tenon_server *tenon_server_new_(const char *name, const char *version, const tenon_server_options *given)
{
    tenon_allocator memory = tn_memory_of(given->memory);
    tenon_server   *server = tn_memory_new(&memory, sizeof *server);

    if (!server || sodium_init() < 0) {
        tn_memory_free(&memory, server, sizeof *server);
        return NULL;
    }
    memset(server, 0, sizeof *server);
    server->memory      = memory;
    server->name        = name;
    server->version     = version;
    server->clock       = tn_clock_system();
    server->log         = (struct tn_log){ given->log, given->log_user };
    server->deadline_ms = DEADLINE_MS;
    server->ledger      = tn_ledger_new(&memory);
    if (!server->ledger) {
        tn_memory_free(&memory, server, sizeof *server);
        return NULL;
    }
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        tn_ledger_limit(server->ledger, limits[i].held, limits[i].most);
    tn_arena_init(&server->arena, &server->memory, SERVER_MEMORY_MAX);
    pthread_mutex_init(&server->lock, NULL);
    take_options(server, given);
    if (!name || !name[0] || !version || !version[0])
        tn_core_mistake(server, SAY_NO_SERVER_NAME);
    tn_seal_keys_draw(&server->keys);
    tn_boot_name(server->boot);
    return server;
}

void tenon_server_free(tenon_server *server)
{
    tenon_allocator memory;

    if (!server)
        return;
    if (server->host.free)
        server->host.free(server);
    memory = server->memory;
    tn_sessions_free(server);
    tn_tasks_free(server);
    tn_subscribe_free(server);
    tn_forms_free(server);
    tn_exchange_free_idle(server);
    tn_listed_free(server);
    for (size_t i = 0; i < BOXES; i++)
        tenon_toolbox_free(server->boxes[i]);
    tn_ledger_free(server->ledger);
    tn_arena_free(&server->arena);
    pthread_mutex_destroy(&server->lock);
    sodium_memzero(&server->keys, sizeof server->keys);
    tn_memory_free(&memory, server, sizeof *server);
}

const char *tenon_server_error(const tenon_server *server)
{
    return server ? server->complaints.text : SAY_NO_MEMORY_NEW;
}

void tenon_server_database(tenon_server *server, tenon_database_fn tell, void *user)
{
    if (!server)
        return;
    server->database      = tell;
    server->database_user = user;
}

tenon_status tn_core_mistake(tenon_server *server, const char *format, ...)
{
    struct tn_buf text;
    va_list       args;

    tn_buf_init(&text, &server->arena, 0, COMPLAINTS_LEN_MAX);
    va_start(args, format);
    tn_buf_addv(&text, format, args);
    va_end(args);
    if (tn_buf_end(&text))
        tn_complaints_add(&server->complaints, &server->arena, text.at);
    if (!server->complaints.text)
        server->complaints.text = SAY_NO_MEMORY_NEW;
    return TENON_E_DECLARATION;
}

tenon_server *tenon_server_of(const tenon_call *call)
{
    return call->host ? tn_exchange_of(call)->server : NULL;
}

/* ---- Entries ------------------------------------------------------------------------------------------------- */

struct tn_entry *tn_core_add_entry(tenon_server *server, enum tn_list list, const char *name)
{
    struct tn_entries *entries = &server->lists[list];
    struct tn_entry   *entry;

    if (server->prepared) {
        tn_core_mistake(server, SAY_RUNNING, name);
        return NULL;
    }
    if (entries->count == entries->room) {
        size_t           room  = entries->room ? entries->room * 2 : ENTRIES_FIRST;
        struct tn_entry *grown = tn_arena_resize(&server->arena, entries->at, entries->room * sizeof *grown,
                                                 room * sizeof *grown);

        if (!grown) {
            tn_core_mistake(server, SAY_NO_MEMORY_NEW);
            return NULL;
        }
        entries->at   = grown;
        entries->room = room;
    }
    entry  = &entries->at[entries->count++];
    *entry = (struct tn_entry){ .name = tn_slice_of(name) };
    return entry;
}

/* Builds the table by which names are found. That two have one name is a mistake, too. */
static tenon_status index_entries(tenon_server *server, enum tn_list list)
{
    static const char *const nouns[LISTS] = { "tool", "prompt", "resource", "resource template", "skill" };
    struct tn_entries       *entries      = &server->lists[list];

    entries->names = (struct tn_table){ 0 };
    if (entries->count > 0 && !tn_table_room(&entries->names, &server->arena, entries->count))
        return tn_core_mistake(server, SAY_NO_MEMORY_NEW);
    for (size_t i = 0; i < entries->count; i++) {
        struct tn_entry *entry = &entries->at[i];
        struct tn_entry *named = tn_table_add(&entries->names, &server->arena, NULL, entry->name, entry);

        if (!named)
            return tn_core_mistake(server, SAY_NO_MEMORY_NEW);
        if (named != entry)
            tn_core_mistake(server, SAY_TWICE, nouns[list], entry->name.at);
    }
    return TENON_OK;
}

static struct tn_entry *look_up(const struct tn_entries *entries, struct tn_slice name)
{
    return name.at ? tn_table_find(&entries->names, NULL, name) : NULL;
}

struct tn_entry *tn_core_find(tenon_server *server, enum tn_list list, struct tn_slice name)
{
    struct tn_entry *entry = look_up(&server->lists[list], name);

    return entry && !atomic_load_explicit(&entry->hidden, memory_order_relaxed) ? entry : NULL;
}

/* Before a server is prepared its names have no table, and no client. */
static struct tn_entry *look_through(const struct tn_entries *entries, struct tn_slice name)
{
    for (size_t i = 0; i < entries->count; i++)
        if (tn_slice_same(entries->at[i].name, name))
            return &entries->at[i];
    return NULL;
}

static bool core_show(tenon_server *server, enum tn_list list, const char *name, bool shown)
{
    struct tn_entry *entry;

    if (!server || !name)
        return false;
    entry = (server->prepared ? look_up : look_through)(&server->lists[list], tn_slice_of(name));
    if (!entry)
        return false;
    if (atomic_exchange(&entry->hidden, !shown) == shown && server->prepared) {
        tn_subscribe_list_changed(server, list);
        tn_share_changed(server->share, list);
    }
    return true;
}

bool tenon_server_show_tool(tenon_server *server, const char *name, bool shown)
{
    return core_show(server, LIST_TOOLS, name, shown);
}

bool tenon_server_show_prompt(tenon_server *server, const char *name, bool shown)
{
    return core_show(server, LIST_PROMPTS, name, shown);
}

bool tenon_server_show_resource(tenon_server *server, const char *uri, bool shown)
{
    return core_show(server, LIST_RESOURCES, uri, shown) || core_show(server, LIST_TEMPLATES, uri, shown);
}

/* ---- Adding -------------------------------------------------------------------------------------------------- */

const tenon_tool *tn_core_read_tool(tenon_server *server, const tenon_tool *given)
{
    const char       *mistake;
    const tenon_tool *tool = tn_tool_read(&server->arena, given, &mistake);

    if (!tool)
        tn_core_mistake(server, mistake ? mistake : SAY_NO_MEMORY_NEW, given->handler ? given->handler : "");
    return tool;
}

tenon_status tenon_server_add(tenon_server *server, const tenon_tool *tool)
{
    struct tn_entry *entry;

    if (!server || !tool)
        return TENON_E_NOMEM;
    tool = tn_core_read_tool(server, tool);
    if (!tool)
        return server->arena.failed ? TENON_E_NOMEM : TENON_E_DECLARATION;
    entry = tn_core_add_entry(server, LIST_TOOLS, tool->info.name ? tool->info.name : tool->handler);
    if (!entry)
        return server->complaints.text ? TENON_E_DECLARATION : TENON_E_NOMEM;
    entry->tool = tool;
    return TENON_OK;
}

/* ---- Compiling ----------------------------------------------------------------------------------------------- */

static tenon_toolbox *make_box(tenon_server *server, enum tn_box box)
{
    const tenon_server_options *from = &server->options;

    return tenon_toolbox_new_(&(tenon_toolbox_options){
        .size        = sizeof(tenon_toolbox_options),
        .error_size  = from->error_size,
        .user        = from->user,
        .memory      = &server->memory,
        .errors      = from->errors,
        .error_count = from->error_count,
        .unknown     = from->unknown,
        .strict      = box == BOX_TOOLS && from->strict,
        .no_output   = from->no_output,
        .budget      = from->budget,
        .max_bytes   = from->max_bytes,
        .max_depth   = from->max_depth,
        .max_nodes   = from->max_nodes,
        .key         = server->keys.at[0],
        .old_key     = server->keys.count > 1 ? server->keys.at[1] : NULL,
        .log         = server->log.line,
        .log_user    = server->log.user,
        .schemas     = from->schemas,
        .portable    = box == BOX_TOOLS && server->portable,
    });
}

static tenon_status compile_list(tenon_server *server, enum tn_list list, enum tn_box box)
{
    struct tn_entries *entries = &server->lists[list];
    const char        *mistake;

    if (entries->count > 0 && !tn_toolbox_room(server->boxes[box], entries->count))
        return tn_core_mistake(server, SAY_NO_MEMORY_NEW);
    for (size_t i = 0; i < entries->count; i++) {
        struct tn_entry *entry = &entries->at[i];

        entry->compiled = tn_toolbox_lookup(server->boxes[box], entry->name.at);
        if (entry->compiled) /* a second of that name, which is reported already */
            continue;
        tenon_toolbox_add(server->boxes[box], entry->tool); /* keeps what is wrong */
        entry->compiled = tn_toolbox_lookup(server->boxes[box], entry->name.at);
    }
    mistake = tenon_toolbox_error(server->boxes[box]);
    return mistake ? tn_core_mistake(server, "%s", mistake) : TENON_OK;
}

/* Goes on after a mistake, so that an author sees all of them at once. */
static tenon_status core_compile(tenon_server *server)
{
    for (size_t i = 0; i < BOXES; i++) {
        server->boxes[i] = make_box(server, (enum tn_box)i);
        if (!server->boxes[i])
            return tn_core_mistake(server, SAY_NO_MEMORY_NEW);
    }
    for (size_t i = 0; i < LISTS; i++)
        index_entries(server, (enum tn_list)i);
    compile_list(server, LIST_TOOLS, BOX_TOOLS);
    compile_list(server, LIST_PROMPTS, BOX_PROMPTS);
    if (tenon_toolbox_add(server->boxes[BOX_READS], tn_resources_reader()) != TENON_OK)
        return tn_core_mistake(server, SAY_NO_MEMORY_NEW);
    if (server->arena.failed)
        return TENON_E_NOMEM;
    return tn_publish_server(server);
}

tenon_status tn_mcp_prepare(tenon_server *server)
{
    if (!server)
        return TENON_E_NOMEM;
    if (!server->prepared) {
        core_compile(server);
        if (server->arena.failed)
            tn_core_mistake(server, SAY_NO_MEMORY_NEW);
        server->prepared = true;
    }
    return server->complaints.text ? TENON_E_DECLARATION : TENON_OK;
}
