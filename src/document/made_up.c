/* made_up.c - values made from the rules of a schema: the same as for rows (rows/example.c), as far as types go. */
#include "document/made_up.h"

#include "base/buf.h"
#include "json/write.h"
#include "model/like.h"
#include "text/decimal.h"
#include "text/format.h"
#include "text/simple_pattern.h"

#define MADE_UP_DEPTH_MAX 8
#define MADE_UP_ITEMS_MAX 64
#define MADE_UP_TEXT_MAX  ((size_t)4096)
#define MADE_UP_PATTERN_MAX ((size_t)256)
#define MADE_UP_LEN_MAX   ((size_t)1 << 14)

static bool write_value(struct tn_buf *out, const struct tn_node *node, size_t nth, unsigned depth);

/* Of a pattern that is simple enough to see what matches; the nth is longer than those before it. */
static bool write_pattern(struct tn_buf *out, const struct tn_node *node, size_t nth)
{
    struct tn_simple_pattern *simple = tn_arena_new(out->arena, struct tn_simple_pattern);
    char                      text[MADE_UP_PATTERN_MAX];
    size_t                    least = (node->text.min > 0 ? node->text.min : 1) + nth, len;

    if (!simple || !tn_simple_pattern_read(simple, tn_slice_of(node->text.pattern_text)))
        return false;
    len = tn_simple_pattern_write(simple, least, text, sizeof text);
    if (len == 0)
        return false;
    tn_json_string(out, text, len);
    return true;
}

/* The nth of several texts, which all differ. */
static bool write_text(struct tn_buf *out, const struct tn_node *node, size_t nth)
{
    const struct tn_format *format = node->schema->format_asserted ? node->text.format : NULL;
    struct tn_buf           words;
    struct tn_slice         text;

    if (node->text.pattern_text)
        return write_pattern(out, node, nth);
    tn_buf_init(&words, out->arena, 64, MADE_UP_TEXT_MAX);
    tn_buf_text(&words, format ? format->example : "text");
    if (nth > 0)
        tn_buf_uint(&words, nth + 1);
    while (!words.failed && words.len < node->text.min)
        tn_buf_char(&words, 'x');
    if (words.failed)
        return false;
    text = (struct tn_slice){ words.at, words.len };
    if (text.len > node->text.max) { /* the end tells one from the next */
        text.at += text.len - node->text.max;
        text.len = node->text.max;
    }
    tn_json_string(out, text.at, text.len);
    return true;
}

/* 1 where that is allowed, else the bound that it misses. */
static bool write_number(struct tn_buf *out, const struct tn_schema *schema, size_t nth)
{
    const struct tn_number_rules *rules  = schema->number;
    yyjson_val                    one    = { .tag = YYJSON_TYPE_NUM | YYJSON_SUBTYPE_UINT, .uni.u64 = 1 };
    yyjson_val                   *number = &one;

    one.uni.u64 += nth;
    if (rules && rules->multiple)
        number = rules->multiple;
    if (rules && rules->min.value && tn_decimal_compare(number, rules->min.value) < 0)
        number = rules->min.value;
    if (rules && rules->max.value && tn_decimal_compare(number, rules->max.value) > 0)
        number = rules->max.value;
    tn_json_value(out, number);
    return true;
}

static bool write_list(struct tn_buf *out, const struct tn_node *node, unsigned depth)
{
    const struct tn_array_rules *rules  = node->schema->array;
    size_t                       prefix = rules ? rules->prefix.count : 0;
    size_t                       count  = node->list.min > 0 ? node->list.min : prefix > 0 ? prefix : 1;
    bool                         fine   = true;

    if (count > node->list.max)
        count = node->list.max;
    if (!rules || (prefix == 0 && !rules->items))
        count = node->list.min;
    if (count > MADE_UP_ITEMS_MAX)
        return false;
    tn_buf_char(out, '[');
    for (size_t i = 0; fine && i < count; i++) {
        const struct tn_node *item = i < prefix ? rules->prefix.at[i] : rules ? rules->items : NULL;

        if (i > 0)
            tn_buf_char(out, ',');
        if (item)
            fine = write_value(out, item, i, depth + 1);
        else
            tn_buf_uint(out, i + 1);
    }
    tn_buf_char(out, ']');
    return fine;
}

/* What must be there, and as many others of a map as it asks for. */
static bool write_object(struct tn_buf *out, const struct tn_node *node, unsigned depth)
{
    const struct tn_object_rules *rules = node->schema->object;
    bool                          map = tn_like_kind(node) == TENON_KIND_MAP, fine = true;
    size_t                        shown = 0, most = rules && map ? (rules->min > 0 ? rules->min : 1) : 0;

    tn_buf_char(out, '{');
    for (size_t i = 0; fine && rules && i < rules->count; i++) {
        const struct tn_property *property = &rules->properties[i];

        if (!property->required)
            continue;
        if (shown++ > 0)
            tn_buf_char(out, ',');
        tn_json_string(out, property->name, property->len);
        tn_buf_char(out, ':');
        if (property->node)
            fine = write_value(out, property->node, 0, depth + 1);
        else
            tn_buf_lit(out, "null");
    }
    for (; fine && shown < most && shown < MADE_UP_ITEMS_MAX; shown++) {
        tn_buf_text(out, shown > 0 ? ",\"name" : "\"name");
        if (shown > 0)
            tn_buf_uint(out, shown + 1);
        tn_buf_lit(out, "\":");
        fine = write_value(out, rules->additional, shown, depth + 1);
    }
    tn_buf_char(out, '}');
    return fine;
}

/* What the schema names stands before what is made up: inside of a whole any value shows the form. */
static yyjson_val *named(const struct tn_schema *schema, size_t nth)
{
    yyjson_val *example = yyjson_arr_get_first(yyjson_obj_get(schema->source, "examples"));

    if (schema->constant)
        return schema->constant;
    if (nth == 0 && (example || schema->def))
        return example ? example : schema->def;
    return schema->values && schema->values->count > 0 ? schema->values->at[nth % schema->values->count]
                                                       : NULL;
}

static bool write_typed(struct tn_buf *out, const struct tn_node *node, size_t nth, unsigned depth)
{
    unsigned types = node->schema->types;

    if (types & TYPE_OBJECT)
        return write_object(out, node, depth);
    if (types & TYPE_ARRAY)
        return write_list(out, node, depth);
    if (types & TYPE_STRING)
        return write_text(out, node, nth);
    if (types & TYPE_NUMBER)
        return write_number(out, node->schema, nth);
    tn_buf_text(out, types & TYPE_BOOLEAN ? "true" : "null");
    return types != 0;
}

static bool write_value(struct tn_buf *out, const struct tn_node *node, size_t nth, unsigned depth)
{
    const struct tn_schema   *schema;
    const struct tn_in_place *place;
    yyjson_val               *value;

    node   = tn_like_end(node);
    schema = node->schema;
    place  = schema->in_place;
    value  = depth > 0 ? named(schema, nth) : NULL;
    if (out->failed || depth > MADE_UP_DEPTH_MAX || schema->never)
        return false;
    if (value) {
        tn_json_value(out, value);
        return true;
    }
    if (!schema->typed && place && (place->any_of.count > 0 || place->one_of.count > 0))
        return write_value(out, place->any_of.count > 0 ? place->any_of.at[0] : place->one_of.at[0], nth,
                           depth + 1);
    return write_typed(out, node, nth, depth);
}

struct tn_slice tn_made_up(struct tn_arena *arena, const struct tn_node *node)
{
    struct tn_buf out;

    tn_buf_init(&out, arena, 64, MADE_UP_LEN_MAX);
    return write_value(&out, node, 0, 0) && !out.failed ? tn_buf_slice(&out) : (struct tn_slice){ "", 0 };
}
