/* catalog.c - a list of tools, taken apart once. */
#define _GNU_SOURCE
#include "guard/catalog.h"

#include <string.h>

#include "answer/call.h"
#include "answer/schema_tool.h"
#include "base/memory.h"
#include "document/suggest.h"
#include "guard/member.h"
#include "guard/phrases.h"
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

/* A schema that cannot be used is no reason to take the tool away: its calls are not judged, and the log says so. */
static void compile_input(struct tn_guard *guard, struct tn_catalog *catalog, struct tn_offered *tool,
                          struct tn_slice text)
{
    tenon_schema *schema  = compile(catalog, text);
    const char   *mistake = schema ? tn_schema_tool_mistake(schema) : "it has no inputSchema";

    if (schema && !mistake) {
        tn_suggest_prepare(schema);
        tool->tool.schema = schema;
        return;
    }
    tn_log_line(&guard->server->log, LOG_WARN, GUARD_LOG_SCHEMA, guard->upstream.name, tool->tool.view.name,
                mistake);
    tenon_schema_free(schema);
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

/* The definition on one line, without what it says of tasks that are not spoken. */
static void write_definition(struct tn_buf *out, yyjson_val *definition, struct tn_slice text)
{
    struct tn_members all   = tn_members_of(text);
    yyjson_obj_iter   names = yyjson_obj_iter_with(definition);
    struct tn_member  one;
    size_t            from;

    tn_buf_char(out, '{');
    from = out->len;
    while (tn_members_next(&all, &one)) {
        if (yyjson_equals_str(yyjson_obj_iter_next(&names), "execution"))
            continue;
        tn_member_add(out, from, &one);
    }
    tn_buf_char(out, '}');
}

static bool needs_tasks(yyjson_val *definition)
{
    return yyjson_equals_str(yyjson_obj_get(yyjson_obj_get(definition, "execution"), "taskSupport"),
                             "required");
}

/* Which arguments HTTP repeats in headers. A tool that names them wrongly cannot be called over HTTP. */
static void read_headers(struct tn_guard *guard, struct tn_catalog *catalog, struct tn_offered *tool)
{
    const struct tn_json_limits limits  = { CATALOG_BYTES_MAX, CLIENT_DEPTH_MAX,
                                            CLIENT_NODES(CATALOG_BYTES_MAX) };
    struct tn_headers           headers = { .arena = &catalog->arena };

    if (!memmem(tool->text.at, tool->text.len, HEADER_KEYWORD, sizeof HEADER_KEYWORD - 1))
        return;
    tool->definition = tn_json_read(&catalog->arena, tool->text.at, tool->text.len, &limits).root;
    if (tn_headers_of_document(&headers, yyjson_obj_get(tool->definition, "inputSchema"))) {
        tool->tool.headers      = headers.at;
        tool->tool.header_count = headers.count;
        return;
    }
    tool->hidden = guard->upstream.url != NULL;
    tn_log_line(&guard->server->log, LOG_WARN, GUARD_LOG_HEADERS, guard->upstream.name, tool->name.at);
}

static void read_tool(struct tn_guard *guard, struct tn_catalog *catalog, struct tn_offered *tool,
                      yyjson_val *definition, struct tn_slice text)
{
    struct tn_slice name = tn_rpc_text(yyjson_obj_get(definition, "name"));
    struct tn_buf   out;

    tool->name   = (struct tn_slice){ tn_arena_copy(&catalog->arena, name.at ? name.at : "", name.len),
                                      name.len };
    tool->tool   = (struct tn_tool){ .view        = { .name = tool->name.at },
                                     .name_len    = name.len,
                                     .declared    = &admitted,
                                     .unknown     = TENON_UNKNOWN_MESSAGE,
                                     .unfilled    = true,
                                     .destructive = true, /* no operator has approved what it claims */
                                     .ready       = true,
                                     .budget      = guard->box->options.budget };
    tool->hidden = name.len == 0 || needs_tasks(definition);
    if (needs_tasks(definition))
        tn_log_line(&guard->server->log, LOG_WARN, GUARD_LOG_TASKS, guard->upstream.name, tool->name.at);
    tn_buf_init(&out, &catalog->arena, text.len + 1, CATALOG_BYTES_MAX);
    if (yyjson_obj_get(definition, "execution"))
        write_definition(&out, definition, text);
    else
        tn_json_line(&out, text.at, text.len);
    tool->text = tn_buf_slice(&out);
    if (tool->hidden || out.failed)
        return;
    compile_input(guard, catalog, tool, tn_member_of(text, "inputSchema"));
    compile_output(catalog, tool, tn_member_of(text, "outputSchema"));
    read_headers(guard, catalog, tool);
}

static void write_list(struct tn_catalog *catalog)
{
    struct tn_buf out;

    tn_buf_init(&out, &catalog->arena, 0, CATALOG_BYTES_MAX);
    for (size_t i = 0; i < catalog->count; i++) {
        if (catalog->at[i].hidden)
            continue;
        if (out.len > 0)
            tn_buf_char(&out, ',');
        tn_buf_add(&out, catalog->at[i].text.at, catalog->at[i].text.len);
    }
    catalog->text = tn_buf_slice(&out);
    catalog->arena.failed |= out.failed;
}

/* Of two tools with one name the first counts; the second is hidden. */
static bool catalog_enter(struct tn_catalog *catalog, struct tn_offered *tool)
{
    if (tool->hidden)
        return true;
    if (tn_table_find(&catalog->names, NULL, tool->name)) {
        tool->hidden = true;
        return true;
    }
    return tn_table_add(&catalog->names, &catalog->arena, NULL, tool->name, tool);
}

static void read_tools(struct tn_guard *guard, struct tn_catalog *catalog, yyjson_val *tools,
                       struct tn_slice text)
{
    struct tn_members all   = tn_members_of(text);
    yyjson_arr_iter   items = yyjson_arr_iter_with(tools);
    size_t most = yyjson_arr_size(tools) < CATALOG_TOOLS_MAX ? yyjson_arr_size(tools) : CATALOG_TOOLS_MAX;
    yyjson_val     *definition;
    struct tn_slice item;

    catalog->at = tn_arena_array(&catalog->arena, most ? most : 1, struct tn_offered);
    while (catalog->at && catalog->count < most && tn_items_next(&all, &item) &&
           (definition = yyjson_arr_iter_next(&items))) {
        struct tn_offered *tool = &catalog->at[catalog->count++];

        read_tool(guard, catalog, tool, definition, item);
        if (!catalog_enter(catalog, tool))
            return;
    }
    write_list(catalog);
}

struct tn_catalog *tn_catalog_new(struct tn_guard *guard, yyjson_val *result, struct tn_slice text)
{
    struct tn_catalog *catalog = tn_memory_new(&guard->memory, sizeof *catalog);

    if (!catalog)
        return NULL;
    memset(catalog, 0, sizeof *catalog);
    catalog->memory = guard->memory;
    catalog->refs   = 1;
    tn_arena_init(&catalog->arena, &catalog->memory, 0);
    read_tools(guard, catalog, yyjson_obj_get(result, "tools"), tn_member_of(text, "tools"));
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
        tenon_schema_free(catalog->at[i].output);
    }
    tn_arena_free(&catalog->arena);
    tn_memory_free(&memory, catalog, sizeof *catalog);
}

const struct tn_offered *tn_catalog_find(const struct tn_catalog *catalog, struct tn_slice name)
{
    return tn_table_find(&catalog->names, NULL, name);
}
