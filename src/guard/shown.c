/* shown.c - definitions are copied member by member; two of their schemas may be taken apart. */
#include "guard/shown.h"

#include <string.h>

#include "json/member.h"

#define LOOK_DEPTH_MAX 64

bool tn_shown_wraps(yyjson_val *definition)
{
    yyjson_val *schema = yyjson_obj_get(definition, "outputSchema");

    return schema && !yyjson_equals_str(yyjson_obj_get(schema, "type"), "object");
}

/* ---- Moving ---------------------------------------------------------------------------------------------------------- */

static bool is_definitions(const char *reference, size_t len)
{
    static const char *const roots[] = { "#/$defs/", "#/definitions/" };

    for (size_t i = 0; i < sizeof roots / sizeof *roots; i++)
        if (len > strlen(roots[i]) && memcmp(reference, roots[i], strlen(roots[i])) == 0)
            return true;
    return false;
}

static bool refers_away(yyjson_val *name, yyjson_val *value)
{
    if (!yyjson_is_str(value))
        return false;
    if (yyjson_equals_str(name, "$dynamicRef") || yyjson_equals_str(name, "$recursiveRef"))
        return true;
    return yyjson_equals_str(name, "$ref") && yyjson_get_len(value) > 0 && yyjson_get_str(value)[0] == '#' &&
           !is_definitions(yyjson_get_str(value), yyjson_get_len(value));
}

static bool stays(yyjson_val *value, unsigned depth)
{
    size_t          i, count;
    yyjson_val     *one;
    yyjson_obj_iter members;

    if (depth == LOOK_DEPTH_MAX)
        return true;
    if (yyjson_is_arr(value)) {
        yyjson_arr_foreach(value, i, count, one)
        {
            if (stays(one, depth + 1))
                return true;
        }
        return false;
    }
    members = yyjson_obj_iter_with(value);
    while ((one = yyjson_obj_iter_next(&members)))
        if (refers_away(one, yyjson_obj_iter_get_val(one)) || stays(yyjson_obj_iter_get_val(one), depth + 1))
            return true;
    return false;
}

bool tn_shown_moves(yyjson_val *schema)
{
    return !stays(schema, 0);
}

/* ---- Schemas --------------------------------------------------------------------------------------------------------- */

static void add_name(struct tn_buf *out, size_t from, const char *name)
{
    if (out->len > from)
        tn_buf_char(out, ',');
    tn_json_string(out, name, strlen(name));
    tn_buf_char(out, ':');
}

/* The schema with one more that must hold. */
static void write_with_overlay(struct tn_buf *out, yyjson_val *schema, struct tn_slice text,
                               struct tn_slice overlay)
{
    struct tn_members all    = tn_members_of(text);
    yyjson_obj_iter   names  = yyjson_obj_iter_with(schema);
    struct tn_slice   others = { NULL, 0 };
    struct tn_member  one;
    size_t            from;

    tn_buf_char(out, '{');
    from = out->len;
    while (tn_members_next(&all, &one)) {
        if (yyjson_equals_str(yyjson_obj_iter_next(&names), "allOf"))
            others = tn_slice_trim((struct tn_slice){ one.value.at + 1, one.value.len - 2 });
        else
            tn_member_add(out, from, &one);
    }
    add_name(out, from, "allOf");
    tn_buf_char(out, '[');
    tn_json_line(out, others.at ? others.at : "", others.len);
    if (others.len > 0)
        tn_buf_char(out, ',');
    tn_json_line(out, overlay.at, overlay.len);
    tn_buf_lit(out, "]}");
}

static bool belongs_to_root(yyjson_val *name)
{
    return yyjson_equals_str(name, "$schema") || yyjson_equals_str(name, "$defs") ||
           yyjson_equals_str(name, "definitions");
}

/* The schema inside an object's. Its definitions stay where references expect them. */
static void write_wrapped(struct tn_buf *out, yyjson_val *schema, struct tn_slice text)
{
    struct tn_members all   = tn_members_of(text);
    yyjson_obj_iter   names = yyjson_obj_iter_with(schema);
    struct tn_member  one;
    size_t            from;

    tn_buf_lit(out, "{\"type\":\"object\"");
    from = 0;
    while (yyjson_is_obj(schema) && tn_members_next(&all, &one))
        if (belongs_to_root(yyjson_obj_iter_next(&names)))
            tn_member_add(out, from, &one);
    tn_buf_lit(out, ",\"properties\":{\"" SHOWN_RESULT "\":");
    if (!yyjson_is_obj(schema))
        tn_json_line(out, text.at, text.len);
    else {
        all   = tn_members_of(text);
        names = yyjson_obj_iter_with(schema);
        tn_buf_char(out, '{');
        from = out->len;
        while (tn_members_next(&all, &one))
            if (!belongs_to_root(yyjson_obj_iter_next(&names)))
                tn_member_add(out, from, &one);
        tn_buf_char(out, '}');
    }
    tn_buf_lit(out, "},\"required\":[\"" SHOWN_RESULT "\"]}");
}

void tn_shown_write(struct tn_buf *out, const struct tn_shown *definition)
{
    struct tn_members all   = tn_members_of(definition->text);
    yyjson_obj_iter   names = yyjson_obj_iter_with(definition->value);
    struct tn_member  one;
    yyjson_val       *name;
    size_t            from;

    tn_buf_char(out, '{');
    from = out->len;
    while (tn_members_next(&all, &one) && (name = yyjson_obj_iter_next(&names))) {
        yyjson_val *value = yyjson_obj_iter_get_val(name);

        if (yyjson_equals_str(name, "execution"))
            continue;
        if (definition->name.len > 0 && yyjson_equals_str(name, "name")) {
            add_name(out, from, "name");
            tn_json_string(out, definition->name.at, definition->name.len);
        } else if (definition->overlay.len > 0 && yyjson_equals_str(name, "inputSchema") &&
                   yyjson_is_obj(value)) {
            add_name(out, from, "inputSchema");
            write_with_overlay(out, value, one.value, definition->overlay);
        } else if (definition->wrapped && yyjson_equals_str(name, "outputSchema")) {
            if (!tn_shown_moves(value))
                continue;
            add_name(out, from, "outputSchema");
            write_wrapped(out, value, one.value);
        } else
            tn_member_add(out, from, &one);
    }
    tn_buf_char(out, '}');
}
