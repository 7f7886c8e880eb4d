/* flat_tool.c - a whole definition for a form: its schema, its name, and what else must go. */
#include "contract/canonical.h"
#include "contract/lint/flat.h"
#include "contract/lint/lint.h"
#include "contract/lint/site.h"

static void find_header(void *user, const struct tn_site *site)
{
    *(bool *)user |= yyjson_obj_get(site->schema, "x-mcp-header") != NULL;
}

static bool is_destructive(yyjson_val *definition)
{
    yyjson_val *hints = yyjson_obj_get(definition, "annotations");

    return !yyjson_is_true(yyjson_obj_get(hints, "readOnlyHint")) &&
           !yyjson_is_false(yyjson_obj_get(hints, "destructiveHint"));
}

static void add_member(struct tn_buf *out, size_t from, struct tn_slice name)
{
    if (out->len > from)
        tn_buf_char(out, ',');
    tn_canonical_string(out, name);
    tn_buf_char(out, ':');
}

static void write_schema(struct tn_buf *out, struct tn_arena *arena, const struct tn_flat_form *form,
                         yyjson_val *definition, struct tn_flat **plan)
{
    yyjson_val *schema = yyjson_obj_get(definition, "inputSchema");

    *plan = tn_flat_write(out, arena, form, schema, is_destructive(definition));
}

/* Member by member; only what must differ does. */
static void write_definition(struct tn_buf *out, struct tn_arena *arena, const struct tn_flat_form *form,
                             yyjson_val *definition, struct tn_slice name, struct tn_flat **plan)
{
    yyjson_obj_iter members = yyjson_obj_iter_with(definition);
    yyjson_val     *key;

    tn_buf_char(out, '{');
    while ((key = yyjson_obj_iter_next(&members))) {
        yyjson_val *value = yyjson_obj_iter_get_val(key);

        if (yyjson_equals_str(key, "outputSchema") && !form->output)
            continue;
        add_member(out, 1, tn_json_slice(key));
        if (yyjson_equals_str(key, "inputSchema"))
            write_schema(out, arena, form, definition, plan);
        else if (yyjson_equals_str(key, "name") && name.len > 0)
            tn_canonical_string(out, name);
        else
            tn_canonical_line(out, value);
    }
    tn_buf_char(out, '}');
}

static struct tn_slice as_it_is(struct tn_arena *arena, yyjson_val *definition)
{
    struct tn_buf out;

    tn_buf_init(&out, arena, 0, CANONICAL_BYTES_MAX);
    tn_canonical_line(&out, definition);
    return tn_buf_slice(&out);
}

bool tn_flat_tool(struct tn_flat_tool *tool, struct tn_arena *arena, const struct tn_flat_form *form,
                  yyjson_val *definition, struct tn_slice name)
{
    struct tn_buf out;
    bool          header = false;

    *tool = (struct tn_flat_tool){ .text = { "", 0 } };
    if (tn_lint_keeps(arena, form->profiles, form->count, definition, name.len > 0 || name.at)) {
        tool->text = as_it_is(arena, definition);
        return tool->text.len > 0;
    }
    tn_sites_visit(yyjson_obj_get(definition, "inputSchema"), find_header, &header);
    if (header) {
        tool->moves_header = true;
        tool->text         = as_it_is(arena, definition);
        return tool->text.len > 0;
    }
    tn_buf_init(&out, arena, 0, CANONICAL_BYTES_MAX);
    write_definition(&out, arena, form, definition, name, &tool->plan);
    tool->text = tn_buf_slice(&out);
    return tool->text.len > 0 && !arena->failed;
}
