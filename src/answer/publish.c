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

static const char *publish_input(tenon_toolbox *box, const struct tool *tool, tenon_schema_form form)
{
    const struct emit_how how = {
        .form        = form,
        .closed      = tool->unknown == TENON_UNKNOWN_REJECT,
        .destructive = tool->destructive,
    };
    struct buf out;

    buf_init(&out, &box->arena, 0, SCHEMA_LEN_MAX);
    emit_object(&out, tool->input->object, &how);
    return buf_keep(&out);
}

/* The rows' schema, with null allowed beside the object. */
static void write_nullable(struct buf *out, struct arena *arena, const struct object *object)
{
    static const char plain[] = "{\"type\":\"object\"";
    struct buf        schema;

    buf_init(&schema, arena, 0, SCHEMA_LEN_MAX);
    emit_result(&schema, object);
    if (schema.failed || schema.len < sizeof plain || memcmp(schema.at, plain, sizeof plain - 1) != 0) {
        out->failed = true;
        return;
    }
    buf_lit(out, NULLABLE);
    buf_add(out, schema.at + sizeof plain - 1, schema.len - (sizeof plain - 1));
}

static void write_listing(struct buf *out, const struct tool *tool)
{
    buf_lit(out, NULLABLE ",\"properties\":{\"items\":{\"type\":\"array\",\"items\":");
    emit_result(out, tool->items->object);
    if (tool->cursor)
        buf_lit(out, "},\"limit\":{\"type\":\"integer\"},\"totalItems\":{\"type\":[\"integer\",\"null\"]},"
                     "\"hasMore\":{\"type\":\"boolean\"},\"nextCursor\":{\"type\":[\"string\",\"null\"]}},"
                     "\"required\":[\"items\",\"limit\",\"totalItems\",\"hasMore\",\"nextCursor\"]}");
    else
        buf_lit(out,
                "},\"page\":{\"type\":\"integer\"},\"pageSize\":{\"type\":\"integer\"},"
                "\"totalItems\":{\"type\":[\"integer\",\"null\"]},\"hasMorePages\":{\"type\":\"boolean\"}},"
                "\"required\":[\"items\",\"page\",\"pageSize\",\"totalItems\",\"hasMorePages\"]}");
}

static const char *publish_output(tenon_toolbox *box, const struct tool *tool)
{
    struct buf out;

    buf_init(&out, &box->arena, 0, SCHEMA_LEN_MAX);
    buf_char(&out, '{');
    if (tool->result_schema)
        schema_tool_dialect(&out, tool->result_schema);
    buf_lit(&out, "\"type\":\"object\",\"properties\":{"
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
        schema_tool_data(&out, tool);
    else
        buf_lit(&out, NULLABLE "}");
    buf_lit(&out, "},\"required\":[\"status\",\"error\",\"messages\",\"data\"]}");
    return buf_keep(&out);
}

bool publish_tool(tenon_toolbox *box, struct tool *tool)
{
    bool fine = true;

    if (tool->schema) {
        tool->view.input          = tool->declared->schema;
        tool->view.portable_input = schema_tool_is_portable(tool->schema) ? tool->declared->schema : NULL;
    } else {
        tool->view.input          = publish_input(box, tool, TENON_SCHEMA_FULL);
        tool->view.portable_input = publish_input(box, tool, TENON_SCHEMA_PORTABLE);
        fine                      = tool->view.input && tool->view.portable_input;
    }
    if (!box->options.no_output)
        tool->view.output = publish_output(box, tool);
    return fine && (box->options.no_output || tool->view.output);
}
