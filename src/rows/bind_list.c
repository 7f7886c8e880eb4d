/* bind_list.c - lists and maps: native, as JSON text, as a comma list, or as one lone value. */
#include "rows/bind_list.h"

#include <string.h>

#include "base/utf8.h"
#include "json/write.h"
#include "model/spell.h"
#include "model/taken.h"
#include "model/unique.h"
#include "model/words/words.h"
#include "rows/bind_form.h"
#include "rows/coerce.h"
#include "rows/plan/plan.h"
#include "text/secret.h"

/* ---- Text that holds JSON ---------------------------------------------------------------------------------- */

/* Values of a map are text: the digits of its numbers are kept. */
static struct tn_json_text read_json(struct tn_judge *judge, const struct tn_location *at,
                                     struct tn_slice text, const struct tn_json_limits *limits)
{
    if (at->node->kind == TENON_KIND_MAP)
        return tn_json_read_literal(judge->arena, text.at, text.len, limits);
    return tn_json_read(judge->arena, text.at, text.len, limits);
}

yyjson_val *tn_bind_read_text(struct tn_judge *judge, struct tn_location *at, yyjson_val *text)
{
    struct tn_json_limits limits = tn_taken_limits(judge);
    struct tn_json_text   read   = read_json(judge, at, tn_json_slice(text), &limits);

    if (read.fault == JSON_SYNTAX || (yyjson_is_str(read.root) && at->node->kind != TENON_KIND_JSON)) {
        yyjson_val *inner = tn_bind_form_text(judge, at, text);

        if (inner || judge->arena->failed)
            return inner;
    }
    if (read.fault == JSON_FINE) {
        tn_taken_nodes(judge, &read);
        judge->reformed++;
        at->whole = true;
        return read.root;
    }
    tn_taken_unread(judge, at, text, tn_json_slice(text), &read);
    return NULL;
}

/* ---- Values that may not repeat ---------------------------------------------------------------------------- */

/* Every item of a bound list as bytes that are equal exactly when the items are. */
static bool has_repeated(struct tn_judge *judge, const struct tn_node *node, const void *items, size_t count)
{
    struct tn_slice *keys = tn_arena_take(judge->arena, count * sizeof *keys, alignof(struct tn_slice));

    for (size_t i = 0; keys && i < count; i++) {
        const char *item = (const char *)items + i * node->size;

        keys[i] = (struct tn_slice){ item, node->size };
        if (tn_kind_is_text(node->kind)) {
            memcpy(&keys[i].at, item, sizeof keys[i].at);
            keys[i].len = strlen(keys[i].at);
        }
    }
    return keys && tn_unique_find(judge->arena, keys, count) < count;
}

/* ---- Items ------------------------------------------------------------------------------------------------- */

/* One item to `out`, which has room for node->size bytes. */
static bool bind_item(struct tn_judge *judge, const struct tn_location *list, size_t index, yyjson_val *value,
                      void *out)
{
    struct tn_location at = { .up = list, .node = list->node->list.item, .index = index };

    return tn_bind_value(judge, &at, value, out);
}

/* An object in a list may come as JSON text too. */
static yyjson_val *object_of(struct tn_judge *judge, struct tn_location *at, yyjson_val *value)
{
    yyjson_val *object = yyjson_is_str(value) ? tn_bind_read_text(judge, at, value) : value;

    if (!object || yyjson_is_obj(object))
        return object;
    tn_location_report_in_text(judge, at, object, object != value);
    return NULL;
}

/* At most ISSUES_PER_LIST items are reported; the rest are only counted. */
struct item_issues {
    size_t before, told;
    bool   was_full;
};

static struct item_issues item_issues_begin(const struct tn_judge *judge)
{
    return (struct item_issues){ .before = judge->issues.total, .was_full = judge->issues.full };
}

/* After each item that may have some. */
static void item_issues_limit(struct tn_judge *judge, struct item_issues *state)
{
    if (judge->issues.total > state->before && ++state->told == ISSUES_PER_LIST)
        judge->issues.full = true;
    state->before = judge->issues.total;
}

static void item_issues_end(struct tn_judge *judge, const struct item_issues *state)
{
    judge->issues.full = state->was_full;
}

/* What a list is made of, whichever form it came in: an array, the parts of a comma list, or one lone value. */
struct items {
    size_t          count;
    yyjson_arr_iter array;
    yyjson_val     *parts;
    yyjson_val     *lone;
};

static yyjson_val *items_next(struct items *items, size_t index)
{
    if (items->lone)
        return index == 0 ? items->lone : NULL;
    if (items->parts)
        return index < items->count ? &items->parts[index] : NULL;
    return yyjson_arr_iter_next(&items->array);
}

static void bind_objects(struct tn_judge *judge, const struct tn_location *at, struct items *items, void *out)
{
    const struct tn_object *object = at->node->object;
    char             *structs = tn_arena_zero(judge->arena, items->count, object->size, alignof(max_align_t));
    struct tn_region *region  = structs ? tn_bind_region(judge, object, at, structs, items->count) : NULL;
    struct item_issues limit  = item_issues_begin(judge);
    yyjson_val        *value;

    TENON_LIST_OF(char) bound = { items->count, structs };

    if (!region)
        return;
    region->is_list = true;
    for (size_t i = 0; (value = items_next(items, i)); i++) {
        struct tn_location item = { .up = at, .node = at->node->list.item, .index = i };

        value = object_of(judge, &item, value);
        if (value)
            tn_bind_members(judge, object, value, &item, structs + i * object->size,
                            region->presence + i * object->count);
        item_issues_limit(judge, &limit);
    }
    item_issues_end(judge, &limit);
    memcpy(out, &bound, sizeof bound);
}

/* The set of enum values below 64 that a list of them makes. */
static void store_set(struct tn_judge *judge, const struct tn_location *at, yyjson_val *value,
                      const int *items, size_t count, void *out)
{
    tenon_set set = { 0 };

    for (size_t i = 0; i < count; i++) {
        if (at->node->list.unique && tenon_set_has(set, items[i])) {
            tn_location_report(judge, at, ISSUE_REPEATED, value);
            return;
        }
        set.bits |= UINT64_C(1) << items[i];
    }
    memcpy(out, &set, sizeof set);
}

static void bind_scalars(struct tn_judge *judge, const struct tn_location *at, yyjson_val *value,
                         struct items *items, void *out)
{
    const struct tn_node *item_node = at->node->list.item;
    struct tn_op          plain     = tn_plan_op(item_node);
    const bool            ends      = tn_node_ends_with_null(at->node);
    char *values = tn_arena_take(judge->arena, (items->count + ends) * item_node->size, alignof(max_align_t));
    struct item_issues limit  = item_issues_begin(judge);
    size_t             before = judge->issues.total, good = 0;
    yyjson_val        *one;

    TENON_LIST_OF(char) bound = { items->count, values };

    if (!values)
        return;
    for (size_t i = 0; (one = items_next(items, i)); i++) {
        char *to = values + good * item_node->size;

        if ((!judge->check_utf8 && tn_plan_scalar(&plain, one, to)) || bind_item(judge, at, i, one, to))
            good++; /* a bad one leaves its place to the next: those that are good may repeat each other */
        else
            item_issues_limit(judge, &limit);
    }
    item_issues_end(judge, &limit);
    if (judge->arena->failed)
        return;
    if (at->node->kind == TENON_KIND_ENUMS && at->node->flavour == 0) {
        store_set(judge, at, value, (const int *)(const void *)values, good, out);
        return;
    }
    if (at->node->list.unique && has_repeated(judge, item_node, values, good))
        tn_location_report(judge, at, ISSUE_REPEATED, value);
    if (judge->issues.total > before)
        return;
    if (ends) {
        memset(values + good * item_node->size, 0, item_node->size);
        memcpy(out, &values, sizeof values);
    } else
        memcpy(out, &bound, sizeof bound);
}

/* ---- Wire forms -------------------------------------------------------------------------------------------- */

/* What was read out of JSON text is said to be from there. */
static bool wrong_type(struct tn_judge *judge, const struct tn_location *at, yyjson_val *value)
{
    tn_location_report_in_text(judge, at, value, at->whole);
    return false;
}

static bool items_of_comma(struct tn_judge *judge, struct tn_location *at, yyjson_val *value,
                           struct items *items)
{
    static const struct tn_json_text too_many = { .fault = JSON_TOO_MANY };

    items->parts = tn_spell_comma(judge->arena, tn_json_slice(value), tn_taken_limits(judge).nodes,
                                  &items->count);
    judge->nodes += items->count;
    if (judge->nodes > judge->limits.nodes) {
        tn_taken_unread(judge, at, value, tn_json_slice(value), &too_many);
        return false;
    }
    judge->reformed++;
    at->whole = at->from_comma = true;
    return items->parts != NULL;
}

/* Would `value` do as the only item? */
static bool fits_alone(const struct tn_node *node, yyjson_val *value)
{
    switch (node->kind) {
    case TENON_KIND_INTS:
    case TENON_KIND_NUMS: return yyjson_is_num(value);
    case TENON_KIND_OBJECTS: return yyjson_is_obj(value);
    default: return yyjson_is_str(value);
    }
}

static bool items_of_lone(struct tn_judge *judge, struct tn_location *at, yyjson_val *value,
                          struct items *items)
{
    struct tn_buf list;

    if (at->node->strict || judge->strict || !fits_alone(at->node, value))
        return wrong_type(judge, at, value);
    tn_buf_init(&list, judge->arena, 64, MESSAGE_LEN_MAX);
    tn_buf_char(&list, '[');
    tn_json_value(&list, value);
    tn_buf_char(&list, ']');
    tn_coerce_report(judge, at, value, list.failed ? SLICE_LIT("[...]") : tn_buf_slice(&list));
    at->whole    = true; /* item 0 of what is no list cannot be addressed */
    items->lone  = value;
    items->count = 1;
    return true;
}

static char first_char(yyjson_val *value)
{
    struct tn_slice text = tn_slice_trim(tn_json_slice(value));

    return text.len > 0 ? text.at[0] : '\0';
}

/* False when there is nothing to go on with; what is wrong is reported. */
static bool items_of(struct tn_judge *judge, struct tn_location *at, yyjson_val *value, struct items *items)
{
    yyjson_val *inner;

    if (yyjson_is_str(value) && (first_char(value) == '[' || at->node->kind == TENON_KIND_OBJECTS)) {
        value = tn_bind_read_text(judge, at, value);
        if (!value)
            return false;
    }
    if (first_char(value) == '"' || first_char(value) == '`') {
        inner = tn_bind_form_text(judge, at, value);
        value = inner ? inner : value;
    }
    if (yyjson_is_arr(value)) {
        items->count = yyjson_arr_size(value);
        yyjson_arr_iter_init(value, &items->array);
        return true;
    }
    if (yyjson_is_str(value) && at->node->list.comma && !at->node->strict && !judge->strict)
        return items_of_comma(judge, at, value, items);
    if (yyjson_is_str(value) && tn_bind_form_words(judge, at, value)) {
        if (!items_of_comma(judge, at, value, items))
            return false;
        tn_bind_form_words_done(judge, at, value, items->parts, items->count);
        return true;
    }
    return items_of_lone(judge, at, value, items);
}

static const char is_empty[] = " is empty: leave it out, or give a value";

static bool count_fits(struct tn_judge *judge, const struct tn_location *at, yyjson_val *value, size_t count)
{
    struct tn_issue *issue;

    if (count == 0 && judge->destructive &&
        !at->required) /* a filter that holds nothing could widen the call */
        return tn_location_refuse(judge, at, ISSUE_NULL, value, is_empty);
    if (count >= at->node->list.min && count <= at->node->list.max)
        return true;
    issue = tn_location_report(judge, at, count < at->node->list.min ? ISSUE_FEW : ISSUE_MANY, value);
    if (issue)
        issue->count = count;
    return false;
}

bool tn_bind_list(struct tn_judge *judge, struct tn_location *at, yyjson_val *value, void *out)
{
    struct items items  = { 0 };
    size_t       before = judge->issues.total;

    if (!items_of(judge, at, value, &items))
        return false;
    at->together = at->node->list.unique ||
                   at->node->check; /* an item's own example could be there already */
    count_fits(judge, at, value, items.count);
    if (at->node->kind == TENON_KIND_OBJECTS)
        bind_objects(judge, at, &items, out);
    else
        bind_scalars(judge, at, value, &items, out);
    return judge->issues.total == before && !judge->arena->failed;
}

/* ---- Maps -------------------------------------------------------------------------------------------------- */

static bool bind_pair(struct tn_judge *judge, const struct tn_location *at, yyjson_val *key, tenon_pair *pair)
{
    struct tn_slice    name = { yyjson_get_str(key), yyjson_get_len(key) }, text;
    yyjson_val        *sent = yyjson_obj_iter_get_val(key), *value;
    struct tn_location item = { .up = at, .node = at->node->list.item, .name = name };

    if (memchr(name.at, '\0', name.len) || (judge->check_utf8 && !tn_utf8_valid(name.at, name.len)))
        return tn_location_refuse(judge, at, ISSUE_TEXT, NULL, " has a name that is not plain text");
    if (!item.node->secret && tn_secret_is_key(name)) {
        item.node = tn_node_secret(judge->arena, item.node); /* an issue may keep it */
        if (!item.node)
            return false;
    }
    value = tn_bind_form_pair(judge, &item, sent);
    if (tn_coerce_text(judge, &item, value, &text)) {
        if (value != sent)
            tn_bind_form_pair_done(judge, &item, sent, value);
        *pair = (tenon_pair){ name.at, text.at };
        return true;
    }
    return false;
}

bool tn_bind_map(struct tn_judge *judge, struct tn_location *at, yyjson_val *value, void *out)
{
    size_t             before = judge->issues.total, count, i = 0;
    struct item_issues limit;
    tenon_pair        *pairs;
    yyjson_obj_iter    iter;
    yyjson_val        *object = yyjson_is_str(value) ? tn_bind_read_text(judge, at, value) : value, *key;

    if (!object)
        return false;
    if (!yyjson_is_obj(object))
        return wrong_type(judge, at, object);
    count = yyjson_obj_size(object);
    count_fits(judge, at, value, count);
    key = tn_unique_key(judge->arena, object);
    if (key) {
        struct tn_location twice = { .up   = at,
                                     .node = at->node->list.item,
                                     .name = { yyjson_get_str(key), yyjson_get_len(key) } };

        tn_location_report(judge, &twice, ISSUE_KEY_TWICE, NULL);
    }
    limit = item_issues_begin(judge);
    pairs = tn_arena_array(judge->arena, count, tenon_pair);
    yyjson_obj_iter_init(object, &iter);
    while (pairs && (key = yyjson_obj_iter_next(&iter))) {
        if (!bind_pair(judge, at, key, &pairs[i++]))
            item_issues_limit(judge, &limit);
    }
    item_issues_end(judge, &limit);
    if (judge->issues.total > before || judge->arena->failed)
        return false;
    memcpy(out, &(tenon_map){ count, pairs }, sizeof(tenon_map));
    return true;
}
