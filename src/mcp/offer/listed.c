/* listed.c - a tool in tools/list: its own members, written once, around schemas that the toolbox has once for all tools that
 * publish the same. A request only copies.
 */
#include "mcp/offer/listed.h"

#include <string.h>

#include "answer/toolbox.h"
#include "base/memory.h"
#include "json/write.h"
#include "mcp/exchange.h"
#include "mcp/offer/publish.h"

#define LISTED_MAX ((size_t)4 << 20)

/* {"name":...,"title":...,"description":...,"inputSchema": INPUT ,"outputSchema": OUTPUT ,"annotations":...} */
struct tn_listed {
    struct tn_slice input, output;    /* borrowed; no `output` when there is none */
    size_t          title, title_end; /* where it stands, if there is one */
    size_t          head, line, tail; /* lengths: before the input, of a copy of it in one line, after it */
    char            at[];             /* head, line, tail */
};

static size_t size_of(const struct tn_listed *listed)
{
    return sizeof *listed + listed->head + listed->line + listed->tail;
}

/* Each hint is true, false, or not said. */
static void write_hints(struct tn_buf *out, unsigned hints)
{
    static const struct {
        unsigned    bit;
        const char *name;
    } names[] = { { TENON_READ_ONLY, "readOnlyHint" },
                  { TENON_DESTRUCTIVE, "destructiveHint" },
                  { TENON_IDEMPOTENT, "idempotentHint" },
                  { TENON_OPEN_WORLD, "openWorldHint" } };

    if (hints == 0)
        return;
    tn_buf_lit(out, ",\"annotations\":{");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (!(hints & (names[i].bit | TENON_HINT_NOT(names[i].bit))))
            continue;
        tn_result_key(out, names[i].name);
        tn_buf_text(out, hints & names[i].bit ? "true" : "false");
    }
    tn_buf_char(out, '}');
}

static void write_head(struct tn_buf *out, const tenon_tool_view *view, struct tn_listed *listed)
{
    tn_buf_char(out, '{');
    tn_publish_member(out, "name", view->name);
    listed->title = out->len;
    tn_publish_member(out, "title", view->title);
    listed->title_end = out->len;
    tn_publish_member(out, "description", view->doc);
    tn_buf_lit(out, ",\"inputSchema\":");
    listed->head = out->len;
}

/* An author's schema that has several lines is copied: a message is one. */
static void write_line(struct tn_buf *out, struct tn_listed *listed)
{
    if (!memchr(listed->input.at, '\n', listed->input.len) &&
        !memchr(listed->input.at, '\r', listed->input.len))
        return;
    tn_json_line(out, listed->input.at, listed->input.len);
    listed->line = out->len - listed->head;
}

static void write_tail(struct tn_buf *out, const tenon_info *info, struct tn_listed *listed)
{
    size_t from = out->len;

    write_hints(out, info->hints);
    tn_publish_icons(out, info->icons, info->icon_count);
    tn_publish_meta(out, info->meta);
    tn_buf_char(out, '}');
    listed->tail = out->len - from;
}

/* The schemas of the tool; false when memory is refused. */
static bool find_schemas(tenon_server *server, struct tn_tool *tool, struct tn_listed *listed)
{
    tenon_toolbox *box = server->boxes[BOX_TOOLS];

    if (server->portable && tn_publish_input(box, tool, TENON_SCHEMA_PORTABLE, &listed->input) != TENON_OK)
        return false;
    if (!listed->input.at && tn_publish_input(box, tool, TENON_SCHEMA_FULL, &listed->input) != TENON_OK)
        return false;
    return tn_publish_output(box, tool, &listed->output) == TENON_OK;
}

static struct tn_listed *make(tenon_server *server, const struct tn_entry *entry)
{
    struct tn_listed  parts  = { .head = 0 };
    struct tn_listed *listed = NULL;
    struct tn_arena   arena;
    struct tn_buf     out;

    if (!find_schemas(server, entry->compiled, &parts))
        return NULL;
    tn_arena_init(&arena, &server->memory, 0);
    tn_buf_init(&out, &arena, 0, LISTED_MAX);
    write_head(&out, &entry->compiled->view, &parts);
    write_line(&out, &parts);
    write_tail(&out, &entry->tool->info, &parts);
    if (!out.failed)
        listed = tn_memory_new(&server->memory, size_of(&parts));
    if (listed) {
        *listed = parts;
        memcpy(listed->at, out.at, out.len);
    }
    tn_arena_free(&arena);
    return listed;
}

static void free_listed(tenon_server *server, struct tn_listed *listed)
{
    if (listed)
        tn_memory_free(&server->memory, listed, size_of(listed));
}

/* Whatever thread was first: the other's is the same, and is freed. */
static const struct tn_listed *listed_of(tenon_server *server, struct tn_entry *entry)
{
    struct tn_listed *listed = atomic_load_explicit(&entry->listed, memory_order_acquire), *made;

    if (listed)
        return listed;
    made = make(server, entry);
    if (!made)
        return NULL;
    if (atomic_compare_exchange_strong_explicit(&entry->listed, &listed, made, memory_order_acq_rel,
                                                memory_order_acquire))
        return made;
    free_listed(server, made);
    return listed;
}

void tn_listed_write(tenon_server *server, struct tn_buf *out, struct tn_entry *entry, bool old)
{
    const struct tn_listed *listed = listed_of(server, entry);

    if (!listed) {
        tn_buf_fail_(out);
        return;
    }
    tn_buf_add(out, listed->at, old ? listed->title : listed->head);
    if (old)
        tn_buf_add(out, listed->at + listed->title_end, listed->head - listed->title_end);
    if (listed->line > 0)
        tn_buf_add(out, listed->at + listed->head, listed->line);
    else
        tn_buf_add(out, listed->input.at, listed->input.len);
    if (!old && listed->output.at) {
        tn_buf_lit(out, ",\"outputSchema\":");
        tn_buf_add(out, listed->output.at, listed->output.len);
    }
    tn_buf_add(out, listed->at + listed->head + listed->line, listed->tail);
}

void tn_listed_free(tenon_server *server)
{
    struct tn_entries *tools = &server->lists[LIST_TOOLS];

    for (size_t i = 0; i < tools->count; i++)
        free_listed(server, atomic_load_explicit(&tools->at[i].listed, memory_order_relaxed));
}
