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

#define NULLABLE "{\"type\":[\"object\",\"null\"]"

static const char *publish_input(tenon_toolbox *box, const struct tn_tool *tool, tenon_schema_form form)
{
    const struct tn_emit_how how = {
        .form        = form,
        .closed      = tool->unknown == TENON_UNKNOWN_REJECT,
        .destructive = tool->destructive,
    };
    struct tn_buf out;

    tn_buf_init(&out, &box->arena, 0, SCHEMA_LEN_MAX);
    tn_emit_object(&out, tool->input->object, &how);
    return tn_buf_keep(&out);
}

/* The rows' schema, with null allowed beside the object. */
static void write_nullable(struct tn_buf *out, struct tn_arena *arena, const struct tn_object *object)
{
    static const char plain[] = "{\"type\":\"object\"";
    struct tn_buf     schema;

    tn_buf_init(&schema, arena, 0, SCHEMA_LEN_MAX);
    tn_emit_result(&schema, object);
    if (schema.failed || schema.len < sizeof plain || memcmp(schema.at, plain, sizeof plain - 1) != 0) {
        out->failed = true;
        return;
    }
    tn_buf_lit(out, NULLABLE);
    tn_buf_add(out, schema.at + sizeof plain - 1, schema.len - (sizeof plain - 1));
}

static void write_listing(struct tn_buf *out, const struct tn_tool *tool)
{
    tn_buf_lit(out, NULLABLE ",\"properties\":{\"items\":{\"type\":\"array\",\"items\":");
    tn_emit_result(out, tool->items->object);
    if (tool->cursor)
        tn_buf_lit(out, "},\"limit\":{\"type\":\"integer\"},\"totalItems\":{\"type\":[\"integer\",\"null\"]},"
                        "\"hasMore\":{\"type\":\"boolean\"},\"nextCursor\":{\"type\":[\"string\",\"null\"]}},"
                        "\"required\":[\"items\",\"limit\",\"totalItems\",\"hasMore\",\"nextCursor\"]}");
    else
        tn_buf_lit(
            out, "},\"page\":{\"type\":\"integer\"},\"pageSize\":{\"type\":\"integer\"},"
                 "\"totalItems\":{\"type\":[\"integer\",\"null\"]},\"hasMorePages\":{\"type\":\"boolean\"}},"
                 "\"required\":[\"items\",\"page\",\"pageSize\",\"totalItems\",\"hasMorePages\"]}");
}

static const char *publish_output(tenon_toolbox *box, const struct tn_tool *tool)
{
    struct tn_buf out;

    tn_buf_init(&out, &box->arena, 0, SCHEMA_LEN_MAX);
    tn_buf_char(&out, '{');
    if (tool->result_schema)
        tn_schema_tool_dialect(&out, tool->result_schema);
    tn_buf_lit(&out, "\"type\":\"object\",\"properties\":{"
                     "\"status\":{\"type\":\"string\",\"enum\":[\"SUCCESS\",\"ERROR\"]},"
                     "\"error\":" NULLABLE ",\"properties\":{\"code\":{\"type\":\"string\"},"
                     "\"message\":{\"type\":\"string\"},\"details\":{\"type\":\"object\"}},"
                     "\"required\":[\"code\",\"message\",\"details\"]},"
                     "\"messages\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}},"
                     "\"data\":");
    if (tool->result)
        write_nullable(&out, &box->arena, tool->result->object);
    else if (tool->items)
        write_listing(&out, tool);
    else if (tool->result_schema)
        tn_schema_tool_data(&out, tool);
    else
        tn_buf_lit(&out, NULLABLE "}");
    tn_buf_lit(&out, "},\"required\":[\"status\",\"error\",\"messages\",\"data\"]}");
    return tn_buf_keep(&out);
}

bool tn_publish_tool(tenon_toolbox *box, struct tn_tool *tool)
{
    bool ok = true;

    if (tool->schema) {
        tool->view.input          = tool->declared->schema;
        tool->view.portable_input = tn_schema_tool_is_portable(tool->schema) ? tool->declared->schema : NULL;
    } else {
        tool->view.input          = publish_input(box, tool, TENON_SCHEMA_FULL);
        tool->view.portable_input = publish_input(box, tool, TENON_SCHEMA_PORTABLE);
        ok                        = tool->view.input && tool->view.portable_input;
    }
    if (!box->options.no_output)
        tool->view.output = publish_output(box, tool);
    return ok && (box->options.no_output || tool->view.output);
}
