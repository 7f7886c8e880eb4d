/* toolbox.c - tools, compiled when they are added and only read afterwards. */
#include "answer/toolbox.h"

#include <sodium.h>
#include <stdio.h>
#include <string.h>

#include "answer/phrases.h"
#include "answer/schema_tool.h"
#include "answer/tool_read.h"
#include "base/memory.h"
#include "base/sized.h"
#include "document/document.h"
#include "rows/row_shape.h"

#define ERROR_LEN_MAX 8000
#define ERROR_SIZE_MIN offsetof(tenon_error, retryable)
#define OWNER_LEN_MAX (TOOL_NAME_MAX + 32)
#define ROOM_FIRST    ((size_t)8)

static const char out_of_memory[] = "out of memory";

/* ---- The box ------------------------------------------------------------------------------------------- */

/* Keeps the first mistake. */
static tenon_status toolbox_complain(tenon_toolbox *box, const char *format, ...) TENON_PRINTF(2, 3);
static tenon_status toolbox_complain(tenon_toolbox *box, const char *format, ...)
{
    struct tn_buf text;
    va_list       args;

    if (box->error)
        return TENON_E_DECLARATION;
    tn_buf_init(&text, &box->arena, 0, ERROR_LEN_MAX);
    va_start(args, format);
    tn_buf_addv(&text, format, args);
    va_end(args);
    box->error = tn_buf_end(&text);
    if (!box->error)
        box->error = out_of_memory;
    return box->error == out_of_memory ? TENON_E_NOMEM : TENON_E_DECLARATION;
}

static tenon_toolbox_options read_options(const tenon_toolbox_options *from, bool *known)
{
    tenon_toolbox_options options = { 0 };

    *known = !from || tn_sized_read(&options, sizeof options, from, from->size);
    *known &= tn_sized_zero(options.reserved_, sizeof options.reserved_);
    if (options.budget == 0)
        options.budget = TENON_BUDGET;
    if (options.max_bytes == 0)
        options.max_bytes = TENON_MAX_BYTES;
    if (options.max_depth == 0)
        options.max_depth = TENON_MAX_DEPTH;
    if (options.max_nodes == 0)
        options.max_nodes = TENON_MAX_NODES;
    return options;
}

static void check_errors(tenon_toolbox *box)
{
    const tenon_toolbox_options *options = &box->options;
    const void                  *unknown = NULL;
    struct tn_buf                text;

    if (options->error_size < ERROR_SIZE_MIN) {
        toolbox_complain(box, PHRASE_BOX_ERRORS);
        return;
    }
    box->errors.own = tn_sized_table(&box->arena, options->errors, options->error_count, options->error_size,
                                     sizeof(tenon_error), &unknown);
    if (!box->errors.own) {
        if (unknown)
            toolbox_complain(box, PHRASE_ERROR_UNKNOWN, ((const tenon_error *)unknown)->code);
        else
            toolbox_complain(box, "%s", out_of_memory);
        return;
    }
    box->errors.own_count = options->error_count;
    tn_buf_init(&text, &box->arena, 0, ERROR_LEN_MAX);
    if (tn_errors_mistake(&box->errors, &text))
        toolbox_complain(box, "%s", tn_buf_end(&text) ? text.at : out_of_memory);
}

static void check_options(tenon_toolbox *box, bool known)
{
    const tenon_toolbox_options *options = &box->options;

    if (!known)
        toolbox_complain(box, PHRASE_BOX_UNKNOWN);
    if (options->budget < BUDGET_MIN)
        toolbox_complain(box, PHRASE_BOX_BUDGET, options->budget, BUDGET_MIN);
    if (options->error_count > 0)
        check_errors(box);
}

static void take_keys(tenon_toolbox *box)
{
    if (box->options.key)
        memcpy(box->keys[0], box->options.key, TENON_KEY_LEN);
    else
        randombytes_buf(box->keys[0], TENON_KEY_LEN);
    box->key_count = 1;
    if (box->options.old_key)
        memcpy(box->keys[box->key_count++], box->options.old_key, TENON_KEY_LEN);
    box->options.key = box->options.old_key = NULL; /* the caller's, and perhaps gone soon */
}

tenon_toolbox *tenon_toolbox_new_(const tenon_toolbox_options *options)
{
    bool                  known;
    tenon_toolbox_options ours   = read_options(options, &known);
    tenon_allocator       memory = tn_memory_of(ours.memory);
    tenon_toolbox        *box;

    if (sodium_init() < 0)
        return NULL;
    box = tn_memory_new(&memory, sizeof *box);
    if (!box)
        return NULL;
    *box = (tenon_toolbox){ .memory = memory, .options = ours, .log = { ours.log, ours.log_user } };
    box->options.memory = &box->memory;
    tn_arena_init(&box->arena, &box->memory, 0);
    take_keys(box);
    check_options(box, known);
    return box;
}

static void free_tool(struct tn_tool *tool)
{
    tenon_shape_free(tool->input);
    tenon_shape_free(tool->result);
    tenon_shape_free(tool->items);
    tenon_schema_free(tool->schema);
    tenon_schema_free(tool->result_schema);
}

void tenon_toolbox_free(tenon_toolbox *box)
{
    tenon_allocator memory;

    if (!box)
        return;
    for (size_t i = 0; i < box->count; i++)
        free_tool(box->tools[i]);
    tn_arena_free(&box->arena);
    sodium_memzero(box->keys, sizeof box->keys);
    memory = box->memory;
    tn_memory_free(&memory, box, sizeof *box);
}

const char *tenon_toolbox_error(const tenon_toolbox *box)
{
    return box ? box->error : out_of_memory;
}

/* ---- Names --------------------------------------------------------------------------------------------- */

static bool is_tool_name(const char *name, size_t len)
{
    if (len == 0 || len > TOOL_NAME_MAX)
        return false;
    for (size_t i = 0; i < len; i++) {
        char c = name[i];

        if (!(c >= 'A' && c <= 'Z') && !(c >= 'a' && c <= 'z') && !(c >= '0' && c <= '9') && c != '_' &&
            c != '.' && c != '-')
            return false;
    }
    return true;
}

struct tn_tool *tn_toolbox_lookup(const tenon_toolbox *box, const char *name)
{
    size_t len = name ? strlen(name) : 0;

    return len > 0 && len <= TOOL_NAME_MAX ? tn_table_find(&box->names, NULL, (struct tn_slice){ name, len })
                                           : NULL;
}

/* Twice the room for tools. */
static bool toolbox_grow(tenon_toolbox *box)
{
    size_t           room  = box->room ? box->room * 2 : ROOM_FIRST;
    struct tn_tool **tools = tn_arena_array(&box->arena, room, struct tn_tool *);

    if (!tools)
        return false;
    if (box->count > 0)
        memcpy(tools, box->tools, box->count * sizeof(struct tn_tool *));
    box->tools = tools;
    box->room  = room;
    return true;
}

/* ---- Adding -------------------------------------------------------------------------------------------- */

static const char *toolbox_name_of(const tenon_tool *declared)
{
    const char *name = declared->info.name ? declared->info.name : declared->handler;

    return name ? name : "";
}

/* What can be seen without compiling the rows. */
static tenon_status check_tool(tenon_toolbox *box, const tenon_tool *declared)
{
    const tenon_info *info = &declared->info;
    const char       *name;

    name = toolbox_name_of(declared);
    if (!is_tool_name(name, strlen(name)))
        return toolbox_complain(box, PHRASE_TOOL_NAME, name);
    if (tn_toolbox_lookup(box, name))
        return toolbox_complain(box, PHRASE_TOOL_TWICE, name);
    if (tn_slice_blank(tn_slice_of(info->doc)))
        return toolbox_complain(box, PHRASE_TOOL_DOC, name);
    if (!declared->run)
        return toolbox_complain(box, PHRASE_TOOL_HANDLER, name);
    if (info->result_schema && (info->result || info->items))
        return toolbox_complain(box, PHRASE_TOOL_RESULT, name);
    if (info->result && info->items)
        return toolbox_complain(box, PHRASE_TOOL_BOTH, name);
    if (info->budget != 0 && info->budget < BUDGET_MIN)
        return toolbox_complain(box, PHRASE_TOOL_BUDGET, name, info->budget, BUDGET_MIN);
    return TENON_OK;
}

static tenon_status toolbox_compile(tenon_toolbox *box, const char *owner, const tenon_rows *rows,
                                    tenon_shape **shape)
{
    *shape = tn_shape_compile(rows, owner, &box->memory);
    if (!*shape) {
        box->arena.failed = true;
        return toolbox_complain(box, "%s", out_of_memory);
    }
    return tenon_shape_error(*shape) ? toolbox_complain(box, "%s", tenon_shape_error(*shape)) : TENON_OK;
}

/* A schema in JSON text. NULL `text`: there is none. */
static tenon_status compile_schema(tenon_toolbox *box, const struct tn_tool *tool, const char *text,
                                   const char *part, tenon_schema **schema)
{
    const char *mistake;

    if (!text)
        return TENON_OK;
    *schema = tenon_schema_new(text, strlen(text), .schemas = box->options.schemas, .format_assertion = true,
                               .memory = &box->memory);
    if (!*schema) {
        box->arena.failed = true;
        return toolbox_complain(box, "%s", out_of_memory);
    }
    mistake = tn_schema_tool_mistake(*schema);
    return mistake ? toolbox_complain(box, PHRASE_SCHEMA, tool->view.name, part, mistake) : TENON_OK;
}

static tenon_status compile_schemas(tenon_toolbox *box, struct tn_tool *tool)
{
    tenon_status status = compile_schema(box, tool, tool->declared->schema, PHRASE_PART_INPUT, &tool->schema);

    if (status != TENON_OK)
        return status;
    return compile_schema(box, tool, tool->declared->info.result_schema, PHRASE_PART_RESULT,
                          &tool->result_schema);
}

static tenon_status compile_all(tenon_toolbox *box, struct tn_tool *tool)
{
    const tenon_info *info = &tool->declared->info;
    const tenon_rows *rows = info->result ? info->result() : info->items ? info->items() : NULL;
    char              owner[OWNER_LEN_MAX];
    tenon_status      status;

    snprintf(owner, sizeof owner, PHRASE_OWNER, tool->view.name);
    status = compile_schemas(box, tool);
    if (status == TENON_OK && !tool->schema)
        status = toolbox_compile(box, owner, &tool->declared->rows, &tool->input);
    if (status != TENON_OK || !rows)
        return status;
    snprintf(owner, sizeof owner, info->result ? PHRASE_OWNER_RESULT : PHRASE_OWNER_ITEMS, tool->view.name);
    return toolbox_compile(box, owner, rows, info->result ? &tool->result : &tool->items);
}

/* Arguments that clients repeat in headers, by rows or by the document. */
static tenon_status find_headers(tenon_toolbox *box, struct tn_tool *tool)
{
    struct tn_headers headers = { .arena = &box->arena };
    char              owner[OWNER_LEN_MAX];
    bool              fine;

    snprintf(owner, sizeof owner, tool->schema ? PHRASE_OWNER_INPUT : PHRASE_OWNER, tool->view.name);
    headers.mistake.owner = owner;
    fine = tool->schema ? tn_headers_of_document(&headers, tool->schema->node->schema->source)
                        : tn_headers_of_rows(&headers, tool->input->object);
    if (!fine)
        return toolbox_complain(box, "%s", headers.mistake.text ? headers.mistake.text : out_of_memory);
    if (box->options.portable && !tool->schema)
        return TENON_OK; /* that form does not say them, so no client repeats them */
    tool->headers      = headers.at;
    tool->header_count = headers.count;
    return TENON_OK;
}

static bool has_secret(const struct tn_object *object);

static bool node_has_secret(const struct tn_node *node)
{
    return node->secret || node->kind == TENON_KIND_MAP || (node->object && has_secret(node->object)) ||
           (node->list.item && node->list.item->secret);
}

static bool has_secret(const struct tn_object *object)
{
    for (size_t i = 0; i < object->count; i++)
        if (node_has_secret(object->params[i].node))
            return true;
    return false;
}

static void find_cursor(struct tn_tool *tool)
{
    const struct tn_object *object = tool->input->object;

    for (size_t i = 0; i < object->count; i++) {
        const struct tn_param *param = &object->params[i];

        if (!param->group || strcmp(param->group, "tenon_cursor_rows") != 0)
            continue;
        if (strcmp(param->row->field, "cursor") == 0)
            tool->cursor = param;
        if (strcmp(param->row->field, "limit") == 0)
            tool->limit = param;
    }
}

/* A word for all tools does not let a destructive one pass over a filter or a dry run that was misspelt. */
static tenon_unknown unknown_policy(const tenon_toolbox *box, const tenon_info *info)
{
    tenon_unknown all = box->options.unknown;

    if (all != TENON_UNKNOWN_DEFAULT && (all == TENON_UNKNOWN_REJECT || !(info->hints & TENON_DESTRUCTIVE)))
        return all;
    return info->unknown != TENON_UNKNOWN_DEFAULT ? info->unknown : TENON_UNKNOWN_REJECT;
}

static void resolve(const tenon_toolbox *box, struct tn_tool *tool)
{
    const tenon_info *info = &tool->declared->info;

    tool->unknown     = unknown_policy(box, info);
    tool->strict      = box->options.strict || info->strict;
    tool->destructive = (info->hints & TENON_DESTRUCTIVE) != 0;
    tool->budget      = info->budget ? info->budget : box->options.budget;
    if (!tool->input)
        return;
    tool->guarded = has_secret(tool->input->object);
    tool->looks   = tool->input->object->looks || tool->input->object->looks_in;
    find_cursor(tool);
}

static tenon_status toolbox_complete(tenon_toolbox *box, struct tn_tool *tool)
{
    tenon_status status = compile_all(box, tool);

    if (status == TENON_OK)
        status = find_headers(box, tool);
    if (status != TENON_OK)
        return status;
    resolve(box, tool);
    if (tn_publish_tool(box, tool) && (box->count < box->room || toolbox_grow(box)))
        return TENON_OK;
    return box->arena.failed ? toolbox_complain(box, "%s", out_of_memory)
                             : toolbox_complain(box, PHRASE_TOOL_LONG, tool->view.name, SCHEMA_LEN_MAX);
}

tenon_status tenon_toolbox_add(tenon_toolbox *box, const tenon_tool *given)
{
    const tenon_tool *declared;
    const char       *mistake;
    struct tn_tool   *tool;
    tenon_status      status;

    if (!box)
        return TENON_E_NOMEM;
    if (!given)
        return toolbox_complain(box, PHRASE_NO_TOOL);
    declared = tn_tool_read(&box->arena, given, &mistake);
    if (!declared)
        return mistake ? toolbox_complain(box, mistake, given->handler ? given->handler : "")
                       : toolbox_complain(box, "%s", out_of_memory);
    status = check_tool(box, declared);
    if (status != TENON_OK)
        return status;
    tool = tn_arena_new(&box->arena, struct tn_tool);
    if (!tool)
        return toolbox_complain(box, "%s", out_of_memory);
    tool->declared   = declared;
    tool->view.name  = toolbox_name_of(declared);
    tool->view.title = declared->info.title;
    tool->view.doc   = declared->info.doc;
    tool->view.hints = declared->info.hints;
    tool->name_len   = strlen(tool->view.name);
    status           = toolbox_complete(box, tool);
    if (status != TENON_OK) {
        free_tool(tool);
        return status;
    }
    if (!tn_table_add(&box->names, &box->arena, NULL, (struct tn_slice){ tool->view.name, tool->name_len },
                      tool)) {
        free_tool(tool);
        return toolbox_complain(box, "%s", out_of_memory);
    }
    box->tools[box->count++] = tool;
    return TENON_OK;
}

/* ---- Looking ------------------------------------------------------------------------------------------- */

size_t tenon_toolbox_count(const tenon_toolbox *box)
{
    return box->count;
}

const tenon_tool_view *tenon_toolbox_tool(const tenon_toolbox *box, size_t index)
{
    return index < box->count ? &box->tools[index]->view : NULL;
}

const tenon_tool_view *tenon_toolbox_find(const tenon_toolbox *box, const char *name)
{
    const struct tn_tool *tool = tn_toolbox_lookup(box, name);

    return tool ? &tool->view : NULL;
}
