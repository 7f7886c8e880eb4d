/* catalog.c - a list of tools, taken apart once. */
#define _GNU_SOURCE
#include "guard/catalog.h"

#include <string.h>

#include "answer/call.h"
#include "answer/schema_tool.h"
#include "base/memory.h"
#include "document/document.h"
#include "document/suggest.h"
#include "guard/lists/listing.h"
#include "guard/phrases.h"
#include "guard/pins/pins.h"
#include "guard/policy/clients.h"
#include "guard/policy/policy.h"
#include "guard/shown.h"
#include "json/member.h"
#include "json/read.h"
#include "json/write.h"
#include "net/client/client.h"
#include "rows/headers.h"

#define CATALOG_TOOLS_MAX ((size_t)10000)
#define CATALOG_BYTES_MAX ((size_t)16 << 20)

/* ---- Schemas ------------------------------------------------------------------------------------------------- */

/* A call that is admitted ends here; it goes on as a relay. */
static tenon_outcome forward(tenon_call *call, const void *args)
{
    (void)args;
    return tn_call_ask(call);
}

static const tenon_tool admitted = { .run = forward };

static tenon_schema *compile(struct tn_catalog *catalog, struct tn_slice text)
{
    const tenon_schema_options options = { .size = sizeof options, .memory = &catalog->memory };

    return text.len > 0 ? tenon_schema_new_(text.at, text.len, &options) : NULL;
}

/* A schema that cannot be used is no reason to take the tool away, unless the operator says so: its calls are not judged, and
 * the log has a line. With an overlay they are, as far as that goes. */
static void compile_input(struct tn_catalog *catalog, struct tn_offered *tool, struct tn_slice text)
{
    bool          passes  = catalog->guard->policy.pass_bad_schemas;
    tenon_schema *schema  = compile(catalog, text);
    const char   *mistake = schema ? tn_schema_tool_mistake(schema) : "it has no inputSchema";

    if (mistake) {
        tn_log_line(&catalog->guard->server->log, LOG_WARN,
                    passes ? GUARD_LOG_SCHEMA : GUARD_LOG_SCHEMA_HIDES, catalog->upstream->name,
                    tool->tool.view.name, mistake);
        tenon_schema_free(schema);
        schema = tool->overlay ? compile(catalog, SLICE_LIT("{\"type\":\"object\"}")) : NULL;
        catalog->arena.failed |= tool->overlay && !schema;
        tool->hidden |= !passes;
        tool->why_hidden = GUARD_WHY_SCHEMA;
    }
    if (schema) {
        tn_suggest_prepare(schema);
        if (!tn_open_any(schema->node))
            tool->open = OPEN_IGNORE;
    }
    tool->tool.schema = schema;
}

/* Without what it must keep, it must not be called. */
static void compile_overlay(struct tn_catalog *catalog, struct tn_offered *tool)
{
    const char *text = tool->rule ? tool->rule->arguments : NULL;

    if (!text)
        return;
    tool->overlay = compile(catalog, tn_slice_of(text));
    if (tool->overlay && !tenon_schema_error(tool->overlay))
        return;
    tool->hidden     = true;
    tool->why_hidden = GUARD_WHY_OVERLAY;
    tn_log_line(&catalog->guard->server->log, LOG_WARN, GUARD_LOG_OVERLAY, catalog->upstream->name,
                tool->tool.view.name, tool->overlay ? tenon_schema_error(tool->overlay) : SAY_MEMORY);
}

static void compile_output(struct tn_catalog *catalog, struct tn_offered *tool, struct tn_slice text)
{
    tenon_schema *schema = compile(catalog, text);

    tool->promises = text.len > 0;
    if (schema && tenon_schema_error(schema)) {
        tenon_schema_free(schema);
        schema = NULL;
    }
    tool->output = schema;
}

/* ---- Definitions --------------------------------------------------------------------------------------------- */

static bool needs_tasks(yyjson_val *definition)
{
    return yyjson_equals_str(yyjson_obj_get(yyjson_obj_get(definition, "execution"), "taskSupport"),
                             "required");
}

/* What a changed tool demands now. Where that is not a schema, the tool is held back. */
static bool compile_live(struct tn_catalog *catalog, struct tn_offered *tool)
{
    if (tool->live_schema.len == 0)
        return true;
    tool->live = compile(catalog, tool->live_schema);
    if (tool->live && !tenon_schema_error(tool->live))
        return true;
    tool->held = tool->hidden = true;
    return false;
}

/* Which arguments HTTP repeats in headers. A tool that names them wrongly cannot be called over HTTP, on either side. */
static void read_headers(struct tn_catalog *catalog, struct tn_offered *tool)
{
    const struct tn_json_limits limits  = { CATALOG_BYTES_MAX, CLIENT_DEPTH_MAX,
                                            CLIENT_NODES(CATALOG_BYTES_MAX) };
    struct tn_headers           headers = { .arena = &catalog->arena, .mistake.owner = tool->name.at };

    if (!memmem(tool->text.at, tool->text.len, HEADER_KEYWORD, sizeof HEADER_KEYWORD - 1))
        return;
    tool->definition = tn_json_read(&catalog->arena, tool->text.at, tool->text.len, &limits).root;
    if (tn_headers_of_document(&headers, yyjson_obj_get(tool->definition, "inputSchema"))) {
        tool->tool.headers      = headers.at;
        tool->tool.header_count = headers.count;
        return;
    }
    tool->hidden |= catalog->upstream->url != NULL || catalog->guard->policy.over_http;
    tool->why_hidden = GUARD_WHY_HEADERS;
    tn_log_line(&catalog->guard->server->log, LOG_WARN, GUARD_LOG_HEADERS, catalog->upstream->name,
                headers.mistake.text ? headers.mistake.text : tool->name.at);
}

/* What of the operator's rule models are to see. */
static struct tn_slice shown_overlay(const struct tn_catalog *catalog, const struct tn_offered *tool)
{
    if (!tool->overlay || !tool->rule->publish)
        return (struct tn_slice){ NULL, 0 };
    if (tn_shown_moves(tool->overlay->node->schema->source))
        return tn_slice_of(tool->rule->arguments);
    tn_log_line(&catalog->guard->server->log, LOG_WARN, GUARD_LOG_OVERLAY_STAYS, catalog->upstream->name,
                tool->tool.view.name);
    return (struct tn_slice){ NULL, 0 };
}

static void write_definition(struct tn_catalog *catalog, struct tn_offered *tool, yyjson_val *value,
                             struct tn_slice text)
{
    bool            own        = tn_slice_same(tool->name, tool->published);
    struct tn_shown definition = { .value   = value,
                                   .text    = text,
                                   .name    = own ? (struct tn_slice){ NULL, 0 } : tool->published,
                                   .overlay = shown_overlay(catalog, tool) };
    struct tn_buf   out;

    tool->wraps = tn_shown_wraps(value);
    tn_buf_init(&out, &catalog->arena, text.len + definition.overlay.len + 16, CATALOG_BYTES_MAX);
    if (definition.overlay.len > 0 || !own || yyjson_obj_get(value, "execution"))
        tn_shown_write(&out, &definition);
    else
        tn_json_line(&out, text.at, text.len);
    tool->text = tool->older = tn_buf_slice(&out);
    catalog->arena.failed |= out.failed;
    if (!tool->wraps)
        return;
    definition.wrapped = true;
    tn_buf_init(&out, &catalog->arena, text.len + definition.overlay.len + 128, CATALOG_BYTES_MAX);
    tn_shown_write(&out, &definition);
    tool->older = tn_buf_slice(&out);
    catalog->arena.failed |= out.failed;
}

/* For clients that need another form. Legacy ones get the same schema of arguments: one plan leads back from both. */
static void write_for_clients(struct tn_catalog *catalog, struct tn_offered *tool)
{
    const struct tn_clients *clients = catalog->guard->clients;
    bool                     same    = tn_slice_same(tool->text, tool->older);

    if (!clients)
        return;
    catalog->arena.failed |= !tn_clients_publish(clients, &catalog->arena, &tool->text, &tool->plan) ||
                             (!same &&
                              !tn_clients_publish(clients, &catalog->arena, &tool->older, &tool->plan));
    if (same)
        tool->older = tool->text;
}

/* What the operator says of it, and what that means for how its calls are judged. */
static void apply_policy(struct tn_catalog *catalog, struct tn_offered *tool)
{
    static const enum tn_open open[] = { [UNKNOWN_NEAR]    = OPEN_NEAR,
                                         [UNKNOWN_REJECT]  = OPEN_REJECT,
                                         [UNKNOWN_MESSAGE] = OPEN_MESSAGE,
                                         [UNKNOWN_IGNORE]  = OPEN_IGNORE };
    const struct tn_policy   *policy = &catalog->guard->policy;

    tool->rule             = tn_policy_rule(catalog->upstream, tool->name);
    tool->open             = open[policy->unknown];
    tool->read_only        = (tool->rule && tool->rule->read_only) || tool->says_harmless;
    tool->tool.strict      = policy->repairs == REPAIRS_FORM;
    tool->tool.unrepaired  = policy->repairs == REPAIRS_OFF;
    tool->tool.destructive = !tool->read_only || policy->repairs != REPAIRS_ON;
    tool->unlisted         = policy->read_only && !tool->read_only;
    if (!tool->hidden)
        tool->why_hidden = tn_catalog_shows(catalog, tool, NULL) ? GUARD_WHY_READ_ONLY : GUARD_WHY_POLICY;
    tool->hidden |= !tn_catalog_shows(catalog, tool, NULL);
}

static void read_tool(struct tn_catalog *catalog, struct tn_offered *tool, yyjson_val *definition,
                      struct tn_slice text)
{
    tn_pins_decide(catalog, tool, &definition, &text);
    tool->tool   = (struct tn_tool){ .view          = { .name = tool->published.at },
                                     .name_len      = tool->published.len,
                                     .declared      = &admitted,
                                     .unknown       = TENON_UNKNOWN_MESSAGE,
                                     .unfilled      = true,
                                     .tells_nothing = true,
                                     .ready         = true,
                                     .budget        = catalog->guard->box->options.budget };
    tool->hidden = tool->held || tool->published.len == 0 || needs_tasks(definition);
    if (tool->held)
        tool->why_hidden = tool->denied;
    else if (!tool->why_hidden)
        tool->why_hidden = tool->published.len == 0 ? GUARD_WHY_NAMELESS : GUARD_WHY_TASKS;
    if (needs_tasks(definition))
        tn_log_line(&catalog->guard->server->log, LOG_WARN, GUARD_LOG_TASKS, catalog->upstream->name,
                    tool->name.at);
    apply_policy(catalog, tool);
    if (!tool->hidden)
        compile_overlay(catalog, tool);
    if (tool->hidden || !compile_live(catalog, tool))
        return;
    write_definition(catalog, tool, definition, text);
    write_for_clients(catalog, tool);
    compile_input(catalog, tool, tn_member_of(text, "inputSchema"));
    compile_output(catalog, tool, tn_member_of(text, "outputSchema"));
    read_headers(catalog, tool);
}

static struct tn_slice write_list(struct tn_catalog *catalog, bool older)
{
    struct tn_buf out;

    tn_buf_init(&out, &catalog->arena, 0, CATALOG_BYTES_MAX);
    for (size_t i = 0; i < catalog->count; i++) {
        const struct tn_offered *tool = &catalog->at[i];
        struct tn_slice          text = older ? tool->older : tool->text;

        if (tool->hidden || tool->unlisted)
            continue;
        if (out.len > 0)
            tn_buf_char(&out, ',');
        tn_buf_add(&out, text.at, text.len);
    }
    catalog->arena.failed |= out.failed;
    return tn_buf_slice(&out);
}

static bool any_wraps(const struct tn_catalog *catalog)
{
    for (size_t i = 0; i < catalog->count; i++)
        if (catalog->at[i].wraps && !catalog->at[i].hidden)
            return true;
    return false;
}

/* Of two tools with one name the first counts; the second is hidden. */
static bool catalog_enter(struct tn_catalog *catalog, struct tn_offered *tool)
{
    if (tool->hidden)
        return true;
    if (tn_table_find(&catalog->names, NULL, tool->published)) {
        tool->hidden     = true;
        tool->why_hidden = GUARD_WHY_TWICE;
        return true;
    }
    return tn_table_add(&catalog->names, &catalog->arena, NULL, tool->published, tool);
}

/* The names of all tools, their own and those that are published. */
static bool name_tools(struct tn_catalog *catalog, yyjson_val *tools, size_t count)
{
    yyjson_arr_iter   items = yyjson_arr_iter_with(tools);
    struct tn_arena   scratch;
    struct tn_naming *names;
    bool              named;

    tn_arena_init(&scratch, &catalog->memory, 0);
    names = tn_arena_array(&scratch, count ? count : 1, struct tn_naming);
    for (size_t i = 0; names && i < count; i++) {
        struct tn_slice name = tn_rpc_text(yyjson_obj_get(yyjson_arr_iter_next(&items), "name"));

        catalog->at[i].name = names[i].own = (struct tn_slice){
            tn_arena_copy(&catalog->arena, name.at ? name.at : "", name.len), name.len
        };
    }
    named = names && !catalog->arena.failed &&
            tn_names_publish(&catalog->guard->tools, catalog->upstream, names, count, &scratch);
    for (size_t i = 0; named && i < count; i++) {
        catalog->at[i].published  = names[i].published;
        catalog->at[i].why_hidden = tn_naming_why(&names[i]);
        tn_naming_log(catalog->guard, catalog->upstream, "tool", &names[i]);
    }
    tn_arena_free(&scratch);
    return named;
}

static void read_tools(struct tn_catalog *catalog, yyjson_val *tools, struct tn_slice text)
{
    struct tn_members all   = tn_members_of(text);
    yyjson_arr_iter   items = yyjson_arr_iter_with(tools);
    size_t most = yyjson_arr_size(tools) < CATALOG_TOOLS_MAX ? yyjson_arr_size(tools) : CATALOG_TOOLS_MAX;
    yyjson_val     *definition;
    struct tn_slice item;

    catalog->at = tn_arena_array(&catalog->arena, most ? most : 1, struct tn_offered);
    if (!catalog->at || !name_tools(catalog, tools, most)) {
        catalog->arena.failed = true;
        return;
    }
    while (catalog->count < most && tn_items_next(&all, &item) &&
           (definition = yyjson_arr_iter_next(&items))) {
        struct tn_offered *tool = &catalog->at[catalog->count++];

        read_tool(catalog, tool, definition, item);
        if (!catalog_enter(catalog, tool))
            return;
    }
    catalog->text  = write_list(catalog, false);
    catalog->older = any_wraps(catalog) ? write_list(catalog, true) : catalog->text;
}

struct tn_catalog *tn_catalog_new(struct tn_guard *guard, const struct tn_upstream *upstream,
                                  yyjson_val *result, struct tn_slice text)
{
    struct tn_catalog *catalog = tn_memory_new(&guard->memory, sizeof *catalog);

    if (!catalog)
        return NULL;
    memset(catalog, 0, sizeof *catalog);
    catalog->guard    = guard;
    catalog->upstream = upstream;
    catalog->memory   = guard->memory;
    catalog->refs     = 1;
    tn_arena_init(&catalog->arena, &catalog->memory, 0);
    read_tools(catalog, yyjson_obj_get(result, "tools"), tn_member_of(text, "tools"));
    if (!catalog->arena.failed)
        return catalog;
    tn_catalog_release(catalog);
    return NULL;
}

void tn_catalog_hold(struct tn_catalog *catalog)
{
    catalog->refs++;
}

void tn_catalog_release(struct tn_catalog *catalog)
{
    tenon_allocator memory;

    if (!catalog || --catalog->refs > 0)
        return;
    memory = catalog->memory;
    for (size_t i = 0; i < catalog->count; i++) {
        tenon_schema_free(catalog->at[i].tool.schema);
        tenon_schema_free(catalog->at[i].live);
        tenon_schema_free(catalog->at[i].output);
        tenon_schema_free(catalog->at[i].overlay);
    }
    tn_arena_free(&catalog->arena);
    tn_memory_free(&memory, catalog, sizeof *catalog);
}

const struct tn_offered *tn_catalog_find(const struct tn_catalog *catalog, struct tn_slice name)
{
    return tn_table_find(&catalog->names, NULL, name);
}

bool tn_catalog_shows(const struct tn_catalog *catalog, const struct tn_offered *tool,
                      const struct tn_caller *caller)
{
    const struct tn_policy_item item = {
        .upstream = catalog->upstream, .kind = POLICY_TOOL, .name = tool->name, .published = tool->published
    };

    return tn_policy_shows(&catalog->guard->policy, caller, &item);
}
