/* publish.c - the schemas of a tool: of its arguments in both forms, and of its whole answer.
 *
 * The answer's schema covers success and error alike, because a client checks both by it. Its root is a plain object;
 * the one union in it is "object or null", of `error` and `data`.
 */
#include "answer/toolbox.h"

#include <string.h>

#include "answer/schema_tool.h"
#include "base/buf.h"
#include "json/write.h"
#include "rows/emit.h"

#define DOCUMENT_GROWTH 24 /* what a byte of a document becomes, at most */

#define NULLABLE "{\"type\":[\"object\",\"null\"]"

/* Which text of a table it is: of arguments by these three, and of data. */
enum { KEY_PORTABLE = 1, KEY_CLOSED = 2, KEY_DESTRUCTIVE = 4, KEY_RESULT = 8, KEY_ITEMS, KEY_CURSOR };

static void write_input(struct tn_buf *out, const struct tn_object *object, unsigned key)
{
    const struct tn_emit_how how = {
        .form        = key & KEY_PORTABLE ? TENON_SCHEMA_PORTABLE : TENON_SCHEMA_FULL,
        .closed      = (key & KEY_CLOSED) != 0,
        .destructive = (key & KEY_DESTRUCTIVE) != 0,
    };

    tn_emit_object(out, object, &how);
}

/* The rows' schema, with null allowed beside the object. */
static void write_nullable(struct tn_buf *out, const struct tn_object *object)
{
    static const char plain[] = "{\"type\":\"object\"";
    struct tn_buf     schema;

    tn_buf_init(&schema, out->arena, 0, SCHEMA_LEN_MAX);
    tn_emit_result(&schema, object);
    if (schema.failed || schema.len < sizeof plain || memcmp(schema.at, plain, sizeof plain - 1) != 0) {
        out->failed = true;
        return;
    }
    tn_buf_lit(out, NULLABLE);
    tn_buf_add(out, schema.at + sizeof plain - 1, schema.len - (sizeof plain - 1));
}

static void write_listing(struct tn_buf *out, const struct tn_object *object, bool cursor)
{
    tn_buf_lit(out, NULLABLE ",\"properties\":{\"items\":{\"type\":\"array\",\"items\":");
    tn_emit_result(out, object);
    if (cursor)
        tn_buf_lit(out, "},\"limit\":{\"type\":\"integer\"},\"totalItems\":{\"type\":[\"integer\",\"null\"]},"
                        "\"hasMore\":{\"type\":\"boolean\"},\"nextCursor\":{\"type\":[\"string\",\"null\"]}},"
                        "\"required\":[\"items\",\"limit\",\"totalItems\",\"hasMore\",\"nextCursor\"]}");
    else
        tn_buf_lit(
            out, "},\"page\":{\"type\":\"integer\"},\"pageSize\":{\"type\":\"integer\"},"
                 "\"totalItems\":{\"type\":[\"integer\",\"null\"]},\"hasMorePages\":{\"type\":\"boolean\"}},"
                 "\"required\":[\"items\",\"page\",\"pageSize\",\"totalItems\",\"hasMorePages\"]}");
}

#define OUTPUT_BEGIN                                                                                         \
    "\"type\":\"object\",\"properties\":{"                                                                   \
    "\"status\":{\"type\":\"string\",\"enum\":[\"SUCCESS\",\"ERROR\"]},"                                       \
    "\"error\":" NULLABLE ",\"properties\":{\"code\":{\"type\":\"string\"},"                                 \
    "\"message\":{\"type\":\"string\"},\"details\":{\"type\":\"object\"}},"                                  \
    "\"required\":[\"code\",\"message\",\"details\"]},"                                                    \
    "\"messages\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}},"                                     \
    "\"data\":"
#define OUTPUT_END "},\"required\":[\"status\",\"error\",\"messages\",\"data\"]}"

/* Of data that no one declared. */
static const char output_plain[] = "{" OUTPUT_BEGIN NULLABLE "}" OUTPUT_END;

static void write_output(struct tn_buf *out, const struct tn_object *object, unsigned key)
{
    tn_buf_lit(out, "{" OUTPUT_BEGIN);
    if (key == KEY_RESULT)
        write_nullable(out, object);
    else
        write_listing(out, object, key == KEY_CURSOR);
    tn_buf_lit(out, OUTPUT_END);
}

static void write_output_by_schema(struct tn_buf *out, const tenon_schema *schema, const char *tool)
{
    tn_buf_char(out, '{');
    tn_schema_tool_dialect(out, schema);
    tn_buf_lit(out, OUTPUT_BEGIN);
    tn_schema_tool_data(out, schema, tool);
    tn_buf_lit(out, OUTPUT_END);
}

/* ---- Writing once ------------------------------------------------------------------------------------------------ */

/* Keeps what was written. An arena of its own, so that a refusal leaves nothing of it. */
static tenon_status keep(const tenon_toolbox *box, struct tn_buf *out, struct tn_tool_text **list,
                         unsigned key)
{
    if (out->failed)
        return out->arena->failed ? TENON_E_NOMEM : TENON_E_DECLARATION;
    return tn_tool_text_keep(box, list, key, tn_buf_slice(out)) ? TENON_OK : TENON_E_NOMEM;
}

static tenon_status publish_table(tenon_toolbox *box, struct tn_tool_table *table, unsigned key)
{
    tenon_shape    *shape;
    tenon_status    status = tn_tool_table_borrow(box, table, &shape);
    struct tn_arena arena;
    struct tn_buf   out;

    if (status != TENON_OK)
        return status;
    tn_arena_init(&arena, &box->memory, 0);
    tn_buf_init(&out, &arena, 0, SCHEMA_LEN_MAX);
    if (key < KEY_RESULT)
        write_input(&out, shape->object, key);
    else
        write_output(&out, shape->object, key);
    status = keep(box, &out, &table->texts, key);
    tn_arena_free(&arena);
    tn_tool_table_return(table, shape);
    return status;
}

static const struct tn_tool_text *find_text(const struct tn_tool_text *text, unsigned key)
{
    while (text && text->key != key)
        text = text->next;
    return text;
}

static tenon_status text_of_table(tenon_toolbox *box, struct tn_tool_table *table, unsigned key,
                                  struct tn_slice *text)
{
    const struct tn_tool_text *found;
    tenon_status               status = TENON_OK;

    pthread_mutex_lock(&box->lock);
    found = find_text(table->texts, key);
    if (!found) {
        status = publish_table(box, table, key);
        found  = status == TENON_OK ? table->texts : NULL;
    }
    pthread_mutex_unlock(&box->lock);
    if (found)
        *text = (struct tn_slice){ found->at, found->len };
    return status;
}

static tenon_status publish_document(tenon_toolbox *box, struct tn_tool *tool)
{
    tenon_schema   *schema;
    tenon_status    status = tn_tool_document_borrow(box, tool->data_document, &schema);
    struct tn_arena arena;
    struct tn_buf   out;

    if (status != TENON_OK)
        return status;
    tn_arena_init(&arena, &box->memory, 0);
    tn_buf_init(&out, &arena, 0, SCHEMA_LEN_MAX);
    write_output_by_schema(&out, schema, tool->view.name);
    status = keep(box, &out, &tool->output, 0);
    tn_arena_free(&arena);
    tn_tool_document_return(tool->data_document, schema);
    return status;
}

static tenon_status text_of_document(tenon_toolbox *box, struct tn_tool *tool, struct tn_slice *text)
{
    tenon_status status = TENON_OK;

    pthread_mutex_lock(&box->lock);
    if (!tool->output)
        status = publish_document(box, tool);
    if (tool->output)
        *text = (struct tn_slice){ tool->output->at, tool->output->len };
    pthread_mutex_unlock(&box->lock);
    return status;
}

/* ---- What a tool publishes --------------------------------------------------------------------------------------- */

tenon_status tn_publish_input(tenon_toolbox *box, struct tn_tool *tool, tenon_schema_form form,
                              struct tn_slice *text)
{
    unsigned key = (form == TENON_SCHEMA_PORTABLE ? KEY_PORTABLE : 0) |
                   (tool->unknown == TENON_UNKNOWN_REJECT ? KEY_CLOSED : 0) |
                   (tool->destructive ? KEY_DESTRUCTIVE : 0);

    *text = (struct tn_slice){ NULL, 0 };
    if (!tool->document)
        return text_of_table(box, tool->rows, key, text);
    if (form == TENON_SCHEMA_FULL || tool->document->portable)
        *text = tn_slice_of(tool->declared->schema);
    return TENON_OK;
}

tenon_status tn_publish_output(tenon_toolbox *box, struct tn_tool *tool, struct tn_slice *text)
{
    unsigned key = tool->declared->info.result        ? KEY_RESULT
                   : tool->rows && tool->rows->cursor ? KEY_CURSOR
                                                      : KEY_ITEMS;

    *text = (struct tn_slice){ NULL, 0 };
    if (box->options.no_output)
        return TENON_OK;
    if (tool->data_document)
        return text_of_document(box, tool, text);
    if (tool->data)
        return text_of_table(box, tool->data, key, text);
    *text = (struct tn_slice){ output_plain, sizeof output_plain - 1 };
    return TENON_OK;
}

/* A document is written with its values' texts escaped once more, at most. */
bool tn_publish_is_long(const struct tn_tool *tool)
{
    const size_t most = SCHEMA_LEN_MAX - 2 * sizeof output_plain;
    size_t       len  = tool->data_document ? strlen(tool->declared->info.result_schema) : 0;

    return (tool->rows && tool->rows->bound > most) || (tool->data && tool->data->bound > most) ||
           len > most / DOCUMENT_GROWTH;
}
