/* toolbox.c - tools: checked when they are added, compiled when they are first called. */
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

#define ERROR_SIZE_MIN offsetof(tenon_error, retryable)
#define OWNER_LEN_MAX (TOOL_NAME_MAX + 32)
#define ROOM_FIRST    ((size_t)8)

static const char out_of_memory[] = "out of memory";

/* ---- The box ------------------------------------------------------------------------------------------- */

static tenon_status toolbox_complain(tenon_toolbox *box, const char *format, ...) TENON_PRINTF(2, 3);
static tenon_status toolbox_complain(tenon_toolbox *box, const char *format, ...)
{
    struct tn_buf text;
    va_list       args;

    tn_buf_init(&text, &box->arena, 0, COMPLAINTS_LEN_MAX);
    va_start(args, format);
    tn_buf_addv(&text, format, args);
    va_end(args);
    if (tn_buf_end(&text) && tn_complaints_add(&box->complaints, &box->arena, text.at))
        return TENON_E_DECLARATION;
    if (!box->complaints.text)
        box->complaints.text = out_of_memory;
    return TENON_E_NOMEM;
}

static tenon_status no_memory(tenon_toolbox *box)
{
    box->arena.failed = true;
    if (!box->complaints.text)
        box->complaints.text = out_of_memory;
    return TENON_E_NOMEM;
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
            no_memory(box);
        return;
    }
    box->errors.own_count = options->error_count;
    tn_buf_init(&text, &box->arena, 0, COMPLAINTS_LEN_MAX);
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
    pthread_mutex_init(&box->lock, NULL);
    take_keys(box);
    check_options(box, known);
    return box;
}

void tenon_toolbox_free(tenon_toolbox *box)
{
    tenon_allocator memory;

    if (!box)
        return;
    for (size_t i = 0; i < box->count; i++)
        tn_tool_texts_free(box, box->tools[i]->output);
    tn_tool_documents_free(box);
    tn_tool_tables_free(box);
    pthread_mutex_destroy(&box->lock);
    tn_arena_free(&box->arena);
    sodium_memzero(box->keys, sizeof box->keys);
    memory = box->memory;
    tn_memory_free(&memory, box, sizeof *box);
}

const char *tenon_toolbox_error(const tenon_toolbox *box)
{
    return box ? box->complaints.text : out_of_memory;
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

static bool toolbox_grow(tenon_toolbox *box, size_t room)
{
    struct tn_tool **tools = tn_arena_array(&box->arena, room, struct tn_tool *);

    if (!tools)
        return false;
    if (box->count > 0)
        memcpy(tools, box->tools, box->count * sizeof(struct tn_tool *));
    box->tools = tools;
    box->room  = room;
    return true;
}

bool tn_toolbox_room(tenon_toolbox *box, size_t count)
{
    return tn_table_room(&box->names, &box->arena, count) &&
           (box->room - box->count >= count || toolbox_grow(box, box->count + count));
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

/* A table that a tool declares, and what was compiled to check it, if that was done now. */
struct checked {
    struct tn_tool_table *table;
    tenon_shape          *shape;
};

/* `format` is that of the words for whose table it is. */
static tenon_status check_table(tenon_toolbox *box, const struct tn_tool *tool, const char *format,
                                const tenon_rows *rows, struct checked *checked)
{
    char owner[OWNER_LEN_MAX];

    checked->table = tn_tool_table_find(box, rows);
    if (checked->table)
        return TENON_OK;
    snprintf(owner, sizeof owner, format, tool->view.name);
    checked->shape = tn_shape_try(rows, owner, &box->memory);
    if (!checked->shape)
        return no_memory(box);
    if (checked->shape->error)
        return toolbox_complain(box, "%s", checked->shape->error);
    checked->table = tn_tool_table_add(box, rows, checked->shape);
    return checked->table ? TENON_OK : no_memory(box);
}

/* A schema in JSON text. NULL `text`: there is none. `*tried` is what was compiled to check it, if that was done now. */
static tenon_status check_document(tenon_toolbox *box, const struct tn_tool *tool, const char *text,
                                   const char *part, struct tn_tool_document **document, tenon_schema **tried)
{
    const char  *mistake = NULL;
    tenon_status status  = TENON_OK;

    if (!text)
        return TENON_OK;
    *document = tn_tool_document_find(box, text);
    if (!*document)
        status = tn_tool_document_try(box, text, document, tried, &mistake);
    if (status == TENON_E_DECLARATION)
        return toolbox_complain(box, PHRASE_SCHEMA, tool->view.name, part, mistake);
    return status == TENON_OK ? TENON_OK : no_memory(box);
}

static tenon_status check_data(tenon_toolbox *box, struct tn_tool *tool)
{
    const tenon_info *info    = &tool->declared->info;
    const tenon_rows *rows    = info->result ? info->result() : info->items ? info->items() : NULL;
    struct checked    checked = { 0 };
    tenon_status      status;

    if (!rows)
        return TENON_OK;
    status = check_table(box, tool, info->result ? PHRASE_OWNER_RESULT : PHRASE_OWNER_ITEMS, rows, &checked);
    tool->data = checked.table;
    tenon_shape_free(checked.shape);
    return status;
}

/* Arguments that clients repeat in headers, by rows (`object`) or by the document, in memory of `headers->arena`. */
static tenon_status find_headers(tenon_toolbox *box, const struct tn_tool *tool,
                                 const struct tn_object *object, yyjson_val *source,
                                 struct tn_headers *headers)
{
    char owner[OWNER_LEN_MAX];
    bool fine;

    snprintf(owner, sizeof owner, source ? PHRASE_OWNER_INPUT : PHRASE_OWNER, tool->view.name);
    headers->mistake.owner = owner;
    fine = source ? tn_headers_of_document(headers, source) : tn_headers_of_rows(headers, object);
    if (fine)
        return TENON_OK;
    return headers->mistake.text ? toolbox_complain(box, "%s", headers->mistake.text) : no_memory(box);
}

/* Keeps what was found, in memory of the box. */
static tenon_status keep_headers(tenon_toolbox *box, const struct tn_headers *found, struct tn_tool *tool)
{
    struct tn_tool_header *kept = tn_arena_array(&box->arena, found->count, struct tn_tool_header);

    for (size_t i = 0; kept && i < found->count; i++) {
        kept[i]            = found->at[i];
        kept[i].header.at  = tn_arena_copy(&box->arena, kept[i].header.at, kept[i].header.len);
        kept[i].pointer.at = tn_arena_copy(&box->arena, kept[i].pointer.at, kept[i].pointer.len);
    }
    tool->headers      = kept;
    tool->header_count = found->count;
    return box->arena.failed ? no_memory(box) : TENON_OK;
}

static tenon_status take_headers(tenon_toolbox *box, struct tn_tool *tool, const struct tn_object *object,
                                 yyjson_val *source)
{
    struct tn_arena   scratch;
    struct tn_headers headers = { .arena = &scratch };
    tenon_status      status;

    if (source ? !tn_headers_any_of_document(source) : !tn_headers_any(object))
        return TENON_OK;
    tn_arena_init(&scratch, &box->memory, 0);
    status = find_headers(box, tool, object, source, &headers);
    if (status == TENON_OK && headers.count > 0)
        status = keep_headers(box, &headers, tool);
    tn_arena_free(&scratch);
    return status;
}

/* Those of a table are the same for all of its tools. */
static tenon_status take_table_headers(tenon_toolbox *box, struct tn_tool *tool, tenon_shape *tried)
{
    struct tn_tool_table *table  = tool->rows;
    tenon_shape          *shape  = tried;
    tenon_status          status = TENON_OK;

    if (!table->walked) {
        if (!shape)
            status = tn_tool_table_borrow(box, table, &shape);
        status = status == TENON_OK ? take_headers(box, tool, shape->object, NULL) : no_memory(box);
        if (!tried)
            tn_tool_table_return(table, shape);
        if (status != TENON_OK)
            return status;
        table->headers      = tool->headers;
        table->header_count = (uint32_t)tool->header_count;
        table->walked       = true;
    }
    /* the portable form does not say them, so no client repeats them */
    tool->headers      = box->options.portable ? NULL : table->headers;
    tool->header_count = box->options.portable ? 0 : table->header_count;
    return TENON_OK;
}

static tenon_status take_document_headers(tenon_toolbox *box, struct tn_tool *tool, tenon_schema *tried)
{
    struct tn_tool_document *document = tool->document;
    tenon_schema            *schema   = tried;
    tenon_status             status   = TENON_OK;

    if (!document->walked) {
        if (!schema)
            status = tn_tool_document_borrow(box, document, &schema);
        status = status == TENON_OK ? take_headers(box, tool, NULL, schema->node->schema->source)
                                    : no_memory(box);
        if (!tried)
            tn_tool_document_return(document, schema);
        if (status != TENON_OK)
            return status;
        document->headers      = tool->headers;
        document->header_count = (uint32_t)tool->header_count;
        document->walked       = true;
    }
    tool->headers      = document->headers;
    tool->header_count = document->header_count;
    return TENON_OK;
}

static tenon_status check_result_schema(tenon_toolbox *box, struct tn_tool *tool)
{
    tenon_schema *tried  = NULL;
    tenon_status  status = check_document(box, tool, tool->declared->info.result_schema, PHRASE_PART_RESULT,
                                          &tool->data_document, &tried);

    tn_tool_document_return(tool->data_document, tried);
    return status;
}

/* The arguments' rows, then all that is declared of the data; their headers last. */
static tenon_status check_rows(tenon_toolbox *box, struct tn_tool *tool)
{
    struct checked checked = { 0 };
    tenon_status   status  = check_result_schema(box, tool);

    if (status == TENON_OK)
        status = check_table(box, tool, PHRASE_OWNER, &tool->declared->rows, &checked);
    tool->rows = checked.table;
    if (status == TENON_OK)
        status = check_data(box, tool);
    if (status == TENON_OK)
        status = take_table_headers(box, tool, checked.shape);
    tenon_shape_free(checked.shape);
    return status;
}

/* The same of a tool that a document declares. */
static tenon_status check_schema(tenon_toolbox *box, struct tn_tool *tool)
{
    tenon_schema *tried  = NULL;
    tenon_status  status = check_document(box, tool, tool->declared->schema, PHRASE_PART_INPUT,
                                          &tool->document, &tried);

    if (status == TENON_OK)
        status = check_result_schema(box, tool);
    if (status == TENON_OK)
        status = check_data(box, tool);
    if (status == TENON_OK)
        status = take_document_headers(box, tool, tried);
    tn_tool_document_return(tool->document, tried);
    return status;
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
}

/* Texts that may be too long are written now, so that one that is is refused. */
static tenon_status check_texts(tenon_toolbox *box, struct tn_tool *tool)
{
    tenon_status    status = TENON_OK;
    struct tn_slice text;

    if (!tn_publish_is_long(tool))
        return TENON_OK;
    for (int form = TENON_SCHEMA_FULL; form <= TENON_SCHEMA_PORTABLE && status == TENON_OK; form++)
        status = tn_publish_input(box, tool, (tenon_schema_form)form, &text);
    if (status == TENON_OK)
        status = tn_publish_output(box, tool, &text);
    if (status == TENON_E_DECLARATION)
        return toolbox_complain(box, PHRASE_TOOL_LONG, tool->view.name, SCHEMA_LEN_MAX);
    return status == TENON_OK ? TENON_OK : no_memory(box);
}

static tenon_status toolbox_complete(tenon_toolbox *box, struct tn_tool *tool)
{
    tenon_status status = tool->declared->schema ? check_schema(box, tool) : check_rows(box, tool);

    if (status != TENON_OK)
        return status;
    resolve(box, tool);
    status = check_texts(box, tool);
    if (status != TENON_OK)
        return status;
    if (box->count < box->room || toolbox_grow(box, box->room ? box->room * 2 : ROOM_FIRST))
        return TENON_OK;
    return no_memory(box);
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
                       : no_memory(box);
    status = check_tool(box, declared);
    if (status != TENON_OK)
        return status;
    tool = tn_arena_new(&box->arena, struct tn_tool);
    if (!tool)
        return no_memory(box);
    tool->declared   = declared;
    tool->view.name  = toolbox_name_of(declared);
    tool->view.title = declared->info.title;
    tool->view.doc   = declared->info.doc;
    tool->view.hints = declared->info.hints;
    tool->name_len   = strlen(tool->view.name);
    status           = toolbox_complete(box, tool);
    if (status == TENON_OK && !tn_table_add(&box->names, &box->arena, NULL,
                                            (struct tn_slice){ tool->view.name, tool->name_len }, tool))
        status = no_memory(box);
    if (status != TENON_OK) {
        tn_tool_texts_free(box, tool->output);
        return status;
    }
    box->tools[box->count++] = tool;
    return TENON_OK;
}

/* ---- The first use ------------------------------------------------------------------------------------- */

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

        if (!param->group || strcmp(param->group, CURSOR_GROUP) != 0)
            continue;
        if (strcmp(param->row->field, "cursor") == 0)
            tool->cursor = param;
        if (strcmp(param->row->field, "limit") == 0)
            tool->limit = param;
    }
}

static tenon_status compile_parts(tenon_toolbox *box, struct tn_tool *tool)
{
    tenon_status status = TENON_OK;

    if (tool->rows)
        status = tn_tool_table_compile(box, tool->rows);
    if (status == TENON_OK && tool->data)
        status = tn_tool_table_compile(box, tool->data);
    if (status == TENON_OK && tool->document)
        status = tn_tool_document_compile(box, tool->document);
    if (status == TENON_OK && tool->data_document)
        status = tn_tool_document_compile(box, tool->data_document);
    return status;
}

static void take_parts(struct tn_tool *tool)
{
    tool->schema        = tool->document ? tool->document->schema : NULL;
    tool->result_schema = tool->data_document ? tool->data_document->schema : NULL;
    if (tool->data && tool->declared->info.result)
        tool->result = tool->data->shape;
    else if (tool->data)
        tool->items = tool->data->shape;
    if (!tool->rows)
        return;
    tool->input   = tool->rows->shape;
    tool->guarded = has_secret(tool->input->object);
    tool->looks   = tool->input->object->looks || tool->input->object->looks_in;
    find_cursor(tool);
}

tenon_status tn_tool_prepare(tenon_toolbox *box, struct tn_tool *tool)
{
    tenon_status status = TENON_OK;

    pthread_mutex_lock(&box->lock);
    if (!atomic_load_explicit(&tool->ready, memory_order_relaxed)) {
        status = compile_parts(box, tool);
        if (status == TENON_OK) {
            take_parts(tool);
            atomic_store_explicit(&tool->ready, true, memory_order_release);
        }
    }
    pthread_mutex_unlock(&box->lock);
    return status;
}

/* ---- Looking ------------------------------------------------------------------------------------------- */

size_t tenon_toolbox_count(const tenon_toolbox *box)
{
    return box->count;
}

/* The view with its texts, which are written when it is first asked for; NULL when memory is refused. */
static const tenon_tool_view *view_of(tenon_toolbox *box, struct tn_tool *tool)
{
    struct tn_slice input, portable, output;

    if (atomic_load_explicit(&tool->viewed, memory_order_acquire))
        return &tool->view;
    if (tn_publish_input(box, tool, TENON_SCHEMA_FULL, &input) != TENON_OK ||
        tn_publish_input(box, tool, TENON_SCHEMA_PORTABLE, &portable) != TENON_OK ||
        tn_publish_output(box, tool, &output) != TENON_OK)
        return NULL;
    pthread_mutex_lock(&box->lock);
    if (!atomic_load_explicit(&tool->viewed, memory_order_relaxed)) {
        tool->view.input          = input.at;
        tool->view.portable_input = portable.at;
        tool->view.output         = output.at;
        atomic_store_explicit(&tool->viewed, true, memory_order_release);
    }
    pthread_mutex_unlock(&box->lock);
    return &tool->view;
}

/* What is first asked for changes nothing of what the box says: to its users it is constant. */
static tenon_toolbox *inside(const tenon_toolbox *box)
{
    return (tenon_toolbox *)(uintptr_t)box;
}

const tenon_tool_view *tenon_toolbox_tool(const tenon_toolbox *box, size_t index)
{
    return index < box->count ? view_of(inside(box), box->tools[index]) : NULL;
}

const tenon_tool_view *tenon_toolbox_find(const tenon_toolbox *box, const char *name)
{
    struct tn_tool *tool = tn_toolbox_lookup(box, name);

    return tool ? view_of(inside(box), tool) : NULL;
}
