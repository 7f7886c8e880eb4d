/* schema_publish.c - a schema document as part of what a tool publishes. */
#include <string.h>

#include "answer/schema_tool.h"
#include "document/document.h"
#include "json/read.h"
#include "json/write.h"
#include "rows/headers.h"
#include "rows/portable.h"

static bool is_one_of(yyjson_val *key, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (tn_slice_is(tn_json_slice(key), names[i]))
            return true;
    return false;
}

#define IS_ONE_OF(key, names) is_one_of((key), (names), sizeof(names) / sizeof *(names))

/* ---- Portable? ------------------------------------------------------------------------------------------------- */

static bool is_portable(yyjson_val *schema, unsigned level);

/* Every property is required, and no other is allowed. */
static bool is_portable_object(yyjson_val *schema, unsigned level)
{
    yyjson_val *properties = yyjson_obj_get(schema, "properties"),
               *required   = yyjson_obj_get(schema, "required");
    yyjson_obj_iter iter;
    yyjson_val     *key;

    if (level > PORTABLE_LEVELS || !yyjson_is_false(yyjson_obj_get(schema, "additionalProperties")) ||
        !yyjson_is_obj(properties) || yyjson_arr_size(required) != yyjson_obj_size(properties))
        return false;
    yyjson_obj_iter_init(properties, &iter);
    while ((key = yyjson_obj_iter_next(&iter))) {
        yyjson_arr_iter names = yyjson_arr_iter_with(required);
        yyjson_val     *name  = yyjson_arr_iter_next(&names);

        while (name && !yyjson_equals(name, key))
            name = yyjson_arr_iter_next(&names);
        if (!name || !is_portable(yyjson_obj_iter_get_val(key), level))
            return false;
    }
    return true;
}

/* Strings that differ by more than case. */
static bool is_portable_enum(yyjson_val *values)
{
    yyjson_arr_iter iter;
    yyjson_val     *value;

    yyjson_arr_iter_init(values, &iter);
    while ((value = yyjson_arr_iter_next(&iter))) {
        yyjson_arr_iter rest = iter;
        yyjson_val     *other;

        if (!yyjson_is_str(value))
            return false;
        while ((other = yyjson_arr_iter_next(&rest)))
            if (tn_slice_fold_equal(tn_json_slice(value), tn_json_slice(other)))
                return false;
    }
    return true;
}

static bool is_portable(yyjson_val *schema, unsigned level)
{
    static const char *const known[] = { "type",     "properties",           "items",       "enum",
                                         "required", "additionalProperties", "description", "format" };
    yyjson_val     *type = yyjson_obj_get(schema, "type"), *format = yyjson_obj_get(schema, "format");
    yyjson_obj_iter iter;
    yyjson_val     *key;

    yyjson_obj_iter_init(schema, &iter);
    while ((key = yyjson_obj_iter_next(&iter)))
        if (!IS_ONE_OF(key, known))
            return false;
    if (!yyjson_is_str(type) || (format && !yyjson_equals_str(format, "date-time")))
        return false;
    if (yyjson_obj_get(schema, "enum") && !is_portable_enum(yyjson_obj_get(schema, "enum")))
        return false;
    if (yyjson_equals_str(type, "object"))
        return is_portable_object(schema, level + 1);
    return !yyjson_equals_str(type, "array") || is_portable(yyjson_obj_get(schema, "items"), level);
}

bool tn_schema_tool_is_portable(const tenon_schema *schema)
{
    return is_portable(schema->node->schema->source, 0);
}

/* ---- Data ------------------------------------------------------------------------------------------------------ */

void tn_schema_tool_dialect(struct tn_buf *out, const tenon_schema *schema)
{
    yyjson_val *dialect = yyjson_obj_get(schema->node->schema->source, "$schema");

    if (!yyjson_is_str(dialect))
        return;
    tn_buf_lit(out, "\"$schema\":");
    tn_json_value(out, dialect);
    tn_buf_char(out, ',');
}

static bool refers(yyjson_val *value)
{
    yyjson_val *end = unsafe_yyjson_get_next(value);

    for (yyjson_val *at = value; at < end; at++)
        if (yyjson_is_obj(at) && (yyjson_obj_get(at, "$ref") || yyjson_obj_get(at, "$dynamicRef")))
            return true;
    return false;
}

/* Does null break nothing of the schema but its type? */
static bool speaks_of_objects_only(yyjson_val *source)
{
    static const char *const known[] = { "type",
                                         "properties",
                                         "required",
                                         "additionalProperties",
                                         "minProperties",
                                         "patternProperties",
                                         "propertyNames",
                                         "unevaluatedProperties",
                                         "maxProperties",
                                         "dependentRequired",
                                         "dependentSchemas",
                                         "dependencies",
                                         "title",
                                         "description",
                                         "default",
                                         "examples",
                                         "$schema",
                                         "$id",
                                         "$defs",
                                         "definitions",
                                         "$comment" };
    yyjson_obj_iter          iter;
    yyjson_val              *key;

    yyjson_obj_iter_init(source, &iter);
    while ((key = yyjson_obj_iter_next(&iter)))
        if (!IS_ONE_OF(key, known))
            return false;
    return true;
}

/* The schema's members. What it refers to inside itself is found by an $id of its own; $schema stands at the root. */
static void write_members(struct tn_buf *out, const char *tool, yyjson_val *source, bool nullable)
{
    bool            first = true;
    yyjson_obj_iter iter;
    yyjson_val     *key;

    if (refers(source) && !yyjson_obj_get(source, "$id")) {
        tn_buf_lit(out, "\"$id\":\"urn:tenon:result:");
        tn_buf_text(out, tool);
        tn_buf_char(out, '"');
        first = false;
    }
    yyjson_obj_iter_init(source, &iter);
    while ((key = yyjson_obj_iter_next(&iter))) {
        if (yyjson_equals_str(key, "$schema"))
            continue;
        if (!first)
            tn_buf_char(out, ',');
        first = false;
        tn_json_value(out, key);
        tn_buf_char(out, ':');
        if (nullable && yyjson_equals_str(key, "type"))
            tn_buf_lit(out, "[\"object\",\"null\"]");
        else
            tn_json_value(out, yyjson_obj_iter_get_val(key));
    }
}

void tn_schema_tool_data(struct tn_buf *out, const tenon_schema *schema, const char *tool)
{
    yyjson_val *source   = schema->node->schema->source;
    bool        nullable = speaks_of_objects_only(source);

    tn_buf_text(out, nullable ? "{" : "{\"anyOf\":[{\"type\":\"null\"},{");
    write_members(out, tool, source, nullable);
    tn_buf_text(out, nullable ? "}" : "}]}");
}
