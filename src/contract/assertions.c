/* assertions.c - a schema without what it only says. */
#include "contract/assertions.h"

#include <string.h>

enum tn_part tn_assertions_part(struct tn_slice keyword)
{
    /* clang-format off */
    static const struct { const char *keyword; enum tn_part part; } table[] = {
        { "title", PART_NOTE }, { "description", PART_NOTE }, { "default", PART_NOTE }, { "examples", PART_NOTE },
        { "$comment", PART_NOTE }, { "deprecated", PART_NOTE }, { "readOnly", PART_NOTE }, { "writeOnly", PART_NOTE },
        { "format", PART_NOTE }, { "contentEncoding", PART_NOTE }, { "contentMediaType", PART_NOTE },
        { "contentSchema", PART_NOTE },
        { "items", PART_SCHEMA }, { "additionalItems", PART_SCHEMA }, { "contains", PART_SCHEMA },
        { "additionalProperties", PART_SCHEMA }, { "propertyNames", PART_SCHEMA }, { "not", PART_SCHEMA },
        { "if", PART_SCHEMA }, { "then", PART_SCHEMA }, { "else", PART_SCHEMA },
        { "unevaluatedItems", PART_SCHEMA }, { "unevaluatedProperties", PART_SCHEMA },
        { "allOf", PART_SCHEMAS }, { "anyOf", PART_SCHEMAS }, { "oneOf", PART_SCHEMAS }, { "prefixItems", PART_SCHEMAS },
        { "properties", PART_NAMED }, { "patternProperties", PART_NAMED }, { "$defs", PART_NAMED },
        { "definitions", PART_NAMED }, { "dependentSchemas", PART_NAMED },
        { "type", PART_VALUE }, { "enum", PART_VALUE }, { "const", PART_VALUE }, { "multipleOf", PART_VALUE },
        { "minimum", PART_VALUE }, { "maximum", PART_VALUE }, { "exclusiveMinimum", PART_VALUE }, { "exclusiveMaximum", PART_VALUE },
        { "minLength", PART_VALUE }, { "maxLength", PART_VALUE }, { "pattern", PART_VALUE },
        { "minItems", PART_VALUE }, { "maxItems", PART_VALUE }, { "uniqueItems", PART_VALUE },
        { "minContains", PART_VALUE }, { "maxContains", PART_VALUE },
        { "minProperties", PART_VALUE }, { "maxProperties", PART_VALUE }, { "required", PART_VALUE },
        { "dependentRequired", PART_VALUE }, { "dependencies", PART_VALUE },
        { "$ref", PART_VALUE }, { "$dynamicRef", PART_VALUE }, { "$recursiveRef", PART_VALUE }, { "$schema", PART_VALUE },
        { "$id", PART_VALUE }, { "id", PART_VALUE }, { "$anchor", PART_VALUE }, { "$dynamicAnchor", PART_VALUE },
        { "$recursiveAnchor", PART_VALUE }, { "$vocabulary", PART_VALUE },
    };
    /* clang-format on */
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (tn_slice_is(keyword, table[i].keyword))
            return table[i].part;
    return PART_UNKNOWN;
}

static void write_named(struct tn_buf *out, struct tn_arena *arena, yyjson_val *object)
{
    struct tn_canonical_member *all = tn_canonical_members(arena, object);

    tn_buf_char(out, '{');
    for (size_t i = 0; all && i < yyjson_obj_size(object); i++) {
        if (i > 0)
            tn_buf_char(out, ',');
        tn_canonical_string(out, all[i].name);
        tn_buf_char(out, ':');
        tn_assertions_write(out, arena, all[i].value);
    }
    tn_buf_char(out, '}');
}

static void write_list(struct tn_buf *out, struct tn_arena *arena, yyjson_val *list)
{
    yyjson_arr_iter all   = yyjson_arr_iter_with(list);
    bool            first = true;
    yyjson_val     *one;

    tn_buf_char(out, '[');
    for (; (one = yyjson_arr_iter_next(&all)); first = false) {
        if (!first)
            tn_buf_char(out, ',');
        tn_assertions_write(out, arena, one);
    }
    tn_buf_char(out, ']');
}

static void write_part(struct tn_buf *out, struct tn_arena *arena, enum tn_part part, yyjson_val *value)
{
    if (part == PART_NAMED && yyjson_is_obj(value))
        write_named(out, arena, value);
    else if ((part == PART_SCHEMAS || part == PART_SCHEMA) && yyjson_is_arr(value))
        write_list(out, arena, value);
    else if (part == PART_SCHEMA)
        tn_assertions_write(out, arena, value);
    else
        tn_canonical_write(out, arena, value);
}

void tn_assertions_write(struct tn_buf *out, struct tn_arena *arena, yyjson_val *schema)
{
    struct tn_canonical_member *all  = yyjson_is_obj(schema) ? tn_canonical_members(arena, schema) : NULL;
    bool                        more = false;

    if (!all) {
        tn_canonical_write(out, arena, schema);
        return;
    }
    tn_buf_char(out, '{');
    for (size_t i = 0; i < yyjson_obj_size(schema); i++) {
        enum tn_part part = tn_assertions_part(all[i].name);

        if (part == PART_NOTE)
            continue;
        if (more)
            tn_buf_char(out, ',');
        more = true;
        tn_canonical_string(out, all[i].name);
        tn_buf_char(out, ':');
        write_part(out, arena, part, all[i].value);
    }
    tn_buf_char(out, '}');
}
