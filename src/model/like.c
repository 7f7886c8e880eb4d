/* like.c - nodes of documents as kinds of rows. */
#include "model/like.h"

#include <string.h>

#include "json/read.h"
#include "model/spell.h"
#include "text/format.h"

#define REFS_MAX 16 /* that only lead on */

const struct tn_node *tn_like_end(const struct tn_node *node)
{
    for (unsigned hops = 0; node->schema && hops < REFS_MAX; hops++) {
        const struct tn_schema *schema = node->schema;

        if (schema->typed || schema->object || schema->array || !schema->in_place || !schema->in_place->ref)
            break;
        node = schema->in_place->ref;
    }
    return node;
}

unsigned tn_like_types(const struct tn_node *node)
{
    static const uint8_t of_rows[] = {
        [TENON_KIND_INT] = TYPE_INTEGER,   [TENON_KIND_NUM] = TYPE_NUMBER,  [TENON_KIND_BOOL] = TYPE_BOOLEAN,
        [TENON_KIND_STRS] = TYPE_ARRAY,    [TENON_KIND_PATHS] = TYPE_ARRAY, [TENON_KIND_INTS] = TYPE_ARRAY,
        [TENON_KIND_NUMS] = TYPE_ARRAY,    [TENON_KIND_ENUMS] = TYPE_ARRAY, [TENON_KIND_OBJECT] = TYPE_OBJECT,
        [TENON_KIND_OBJECTS] = TYPE_ARRAY, [TENON_KIND_MAP] = TYPE_OBJECT,  [TENON_KIND_JSON] = TYPE_ANY,
    };

    if (node->schema)
        return tn_like_end(node)->schema->types;
    if (tn_kind_is_text(node->kind) || node->kind == TENON_KIND_ENUM)
        return TYPE_STRING;
    if (tn_like_is_time(node->kind))
        return TYPE_STRING | TYPE_NUMBER;
    return of_rows[node->kind];
}

const struct tn_node *tn_like_item(const struct tn_node *node)
{
    const struct tn_schema *schema;

    if (!node->schema)
        return node->list.item;
    schema = tn_like_end(node)->schema;
    if (schema->types & TYPE_ARRAY)
        return schema->array && schema->array->prefix.count == 0 ? schema->array->items : NULL;
    return schema->object && schema->object->count == 0 && schema->object->pattern_count == 0
               ? schema->object->additional
               : NULL;
}

/* A text whose format is a day or a moment is like one, in both front ends. */
static unsigned like_format(const struct tn_format *format)
{
    if (format && strcmp(format->name, "date") == 0)
        return TENON_KIND_DATE;
    return format && strcmp(format->name, "date-time") == 0 ? TENON_KIND_TIMESTAMP : TENON_KIND_STR;
}

static unsigned like_text(const struct tn_node *node)
{
    if (node->schema->values && node->schema->values->all_strings)
        return TENON_KIND_ENUM;
    return like_format(node->schema->format_asserted ? node->text.format : NULL);
}

static unsigned like_list(const struct tn_node *node)
{
    const struct tn_node *item = tn_like_item(node);

    if (!item)
        return NODE_SCHEMA;
    switch (tn_like_types(item)) {
    case TYPE_STRING:
        return like_text(tn_like_end(item)) == TENON_KIND_ENUM ? TENON_KIND_ENUMS : TENON_KIND_STRS;
    case TYPE_INTEGER: return TENON_KIND_INTS;
    case TYPE_NUMBER: return TENON_KIND_NUMS;
    case TYPE_OBJECT: return TENON_KIND_OBJECTS;
    default: return NODE_SCHEMA;
    }
}

static unsigned like_object(const struct tn_node *node)
{
    const struct tn_node *item = tn_like_item(node);

    return item && tn_like_types(item) == TYPE_STRING ? TENON_KIND_MAP : TENON_KIND_OBJECT;
}

unsigned tn_like_kind(const struct tn_node *node)
{
    if (!node->schema)
        return node->kind == TENON_KIND_STR ? like_format(node->text.format) : node->kind;
    node = tn_like_end(node);
    switch (node->schema->types) {
    case TYPE_STRING: return like_text(node);
    case TYPE_INTEGER: return TENON_KIND_INT;
    case TYPE_NUMBER: return TENON_KIND_NUM;
    case TYPE_BOOLEAN: return TENON_KIND_BOOL;
    case TYPE_ARRAY: return like_list(node);
    case TYPE_OBJECT: return like_object(node);
    default: return node->schema->values && node->schema->values->all_strings ? TENON_KIND_ENUM : NODE_SCHEMA;
    }
}

bool tn_like_could_be(const struct tn_node *node, yyjson_val *value)
{
    unsigned kind = tn_like_kind(node), types = tn_like_types(node);

    switch (yyjson_get_type(value)) {
    case YYJSON_TYPE_NUM:
    case YYJSON_TYPE_RAW:
        return (types & (TYPE_INTEGER | TYPE_NUMBER)) || tn_like_is_time(kind) || kind == TENON_KIND_INTS ||
               kind == TENON_KIND_NUMS;
    case YYJSON_TYPE_BOOL: return (types & TYPE_BOOLEAN) != 0;
    case YYJSON_TYPE_ARR: return (types & TYPE_ARRAY) != 0;
    case YYJSON_TYPE_OBJ: return (types & TYPE_OBJECT) || kind == TENON_KIND_OBJECTS;
    default: return true;
    }
}

/* ---- Nothing ------------------------------------------------------------------------------------------------- */

static bool takes_text(const struct tn_node *node)
{
    unsigned kind;

    if (!node->schema)
        return tn_kind_is_text(node->kind);
    kind = tn_like_kind(node);
    return tn_like_types(node) & TYPE_STRING && kind != TENON_KIND_ENUM && !tn_like_is_time(kind);
}

/* Is the text a choice of the node, or of its items? */
static bool is_choice(const struct tn_node *node, struct tn_slice text)
{
    const struct tn_node   *item = tn_like_item(node);
    const struct tn_values *values;

    if (!node->schema)
        return (node->choice && tn_choice_has(node->choice, text)) ||
               (item && item->choice && tn_choice_has(item->choice, text));
    values = tn_like_end(tn_like_kind(node) == TENON_KIND_ENUMS ? item : node)->schema->values;
    for (size_t i = 0; values && i < values->count; i++)
        if (tn_slice_fold_equal(tn_json_slice(values->at[i]), text))
            return true;
    return false;
}

enum tn_nothing tn_like_nothing(const struct tn_node *node, yyjson_val *value, bool strict)
{
    struct tn_slice text;
    bool            taken;

    if (!yyjson_is_str(value))
        return yyjson_is_null(value) ? NOTHING_NULL : NOTHING_NOT;
    text  = tn_json_slice(value);
    taken = takes_text(node);
    if (!taken && (strict || node->strict))
        return NOTHING_NOT;
    if (text.len == 0 || (text.at[0] <= ' ' && tn_slice_blank(text)))
        return node->text.blank_ok ? NOTHING_NOT : NOTHING_BLANK;
    return taken || !tn_spell_is_nothing(text) || is_choice(node, tn_slice_trim(text)) ? NOTHING_NOT
                                                                                       : NOTHING_WORD;
}
