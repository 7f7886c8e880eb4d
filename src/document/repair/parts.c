/* parts.c - containers taken apart and put together; texts read without losing a digit.
 *
 * The values of a document follow each other in memory, each container before what is in it, and refer to no
 * address but those of their texts. So a container is put together by copying what is in it into one block.
 */
#include <string.h>

#include "document/repair/repair.h"
#include "json/origin.h"
#include "model/taken.h"
#include "model/unique.h"
#include "text/decimal.h"

static struct tn_arena *arena_of(const struct tn_repairer *repairer)
{
    return repairer->verdict->judge->arena;
}

static size_t size_of(yyjson_val *value)
{
    return (size_t)(unsafe_yyjson_get_next(value) - value);
}

/* ---- Containers ------------------------------------------------------------------------------------------------ */

bool tn_parts_open(struct tn_repairer *repairer, struct tn_parts *parts, yyjson_val *whole, size_t more)
{
    bool        object = yyjson_is_obj(whole);
    size_t      len    = unsafe_yyjson_get_len(whole);
    yyjson_val *one    = unsafe_yyjson_get_first(whole);

    *parts    = (struct tn_parts){ .whole = whole, .count = object ? len * 2 : len };
    parts->at = tn_arena_array(arena_of(repairer), (len + more) * (object ? 2 : 1) + 1, yyjson_val *);
    if (!parts->at)
        return false;
    for (size_t i = 0; i < parts->count; i++) {
        parts->at[i] = one;
        one          = unsafe_yyjson_get_next(one);
    }
    return true;
}

void tn_parts_set(struct tn_parts *parts, size_t index, yyjson_val *value)
{
    parts->changed |= parts->at[index] != value;
    parts->at[index] = value;
}

void tn_parts_drop(struct tn_parts *parts, size_t index)
{
    parts->at[index] = NULL;
    parts->changed   = true;
}

void tn_parts_shrink(struct tn_parts *parts)
{
    size_t count = 0;

    for (size_t i = 0; i < parts->count; i += 2) {
        if (!parts->at[i])
            continue;
        parts->at[count++] = parts->at[i];
        parts->at[count++] = parts->at[i + 1];
    }
    parts->count = count;
}

uint64_t *tn_parts_present(struct tn_repairer *repairer, const struct tn_object_rules *rules,
                           yyjson_val *object, size_t *others)
{
    uint64_t   *bits = tn_arena_array(arena_of(repairer), rules->count / 64 + 1, uint64_t);
    size_t      left = unsafe_yyjson_get_len(object), unknown = 0;
    yyjson_val *key  = unsafe_yyjson_get_first(object);
    uint32_t    next = 0;

    if (!bits || !tn_verdict_spend(repairer->verdict, left + rules->count / 64))
        return NULL;
    for (; left > 0; left--, key = unsafe_yyjson_get_next(key + 1)) {
        uint32_t at = tn_property_find(rules, unsafe_yyjson_get_str(key), unsafe_yyjson_get_len(key), next);

        if (at == NO_PROPERTY) {
            unknown++;
            continue;
        }
        bits[at / 64] |= UINT64_C(1) << at % 64;
        next = at + 1;
    }
    if (others)
        *others = unknown;
    return bits;
}

bool tn_parts_add(struct tn_repairer *repairer, struct tn_parts *parts, struct tn_slice name,
                  yyjson_val *value)
{
    yyjson_val *key = tn_arena_new(arena_of(repairer), yyjson_val);

    if (!key)
        return false;
    key->tag                  = (uint64_t)name.len << YYJSON_TAG_BIT | YYJSON_TYPE_STR;
    key->uni.str              = name.at;
    parts->at[parts->count++] = key;
    parts->at[parts->count++] = value;
    parts->changed            = true;
    return true;
}

static yyjson_val *put_together(struct tn_repairer *repairer, uint8_t type, size_t len, yyjson_val *const *at,
                                size_t count)
{
    size_t      total = 1;
    yyjson_val *whole, *next;

    for (size_t i = 0; i < count; i++)
        total += size_of(at[i]);
    if (total > repairer->room) {
        repairer->verdict->gave_up = true;
        return NULL;
    }
    repairer->room -= total;
    whole = tn_arena_take(arena_of(repairer), total * sizeof *whole, alignof(yyjson_val));
    if (!whole)
        return NULL;
    whole->tag     = (uint64_t)len << YYJSON_TAG_BIT | type;
    whole->uni.ofs = total * sizeof *whole;
    next           = whole + 1;
    for (size_t i = 0; i < count; i++) {
        memcpy(next, at[i], size_of(at[i]) * sizeof *next);
        next += size_of(at[i]);
    }
    return whole;
}

yyjson_val *tn_parts_close(struct tn_repairer *repairer, const struct tn_parts *parts)
{
    bool        object = yyjson_is_obj(parts->whole);
    yyjson_val *whole;

    if (!parts->changed)
        return parts->whole;
    whole = put_together(repairer, object ? YYJSON_TYPE_OBJ : YYJSON_TYPE_ARR,
                         object ? parts->count / 2 : parts->count, parts->at, parts->count);
    if (whole && tn_origin_is_text(parts->whole))
        tn_origin_mark(whole);
    return whole ? whole : parts->whole;
}

yyjson_val *tn_parts_list(struct tn_repairer *repairer, yyjson_val *const *items, size_t count)
{
    return put_together(repairer, YYJSON_TYPE_ARR, count, items, count);
}

/* ---- Texts ----------------------------------------------------------------------------------------------------- */

static bool has_real(const yyjson_val *root, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (unsafe_yyjson_get_tag((void *)(uintptr_t)&root[i]) == (YYJSON_TYPE_NUM | YYJSON_SUBTYPE_REAL))
            return true;
    return false;
}

/* What was found in a text is refused by name where it is: text that is not UTF-8, a key that stands twice. */
static void look_closely(struct tn_repairer *repairer, const struct tn_json_text *read)
{
    struct tn_judge *judge = repairer->verdict->judge;

    judge->check_utf8 |= read->bad_utf8;
    if (read->bad_utf8 || (yyjson_is_ctn(read->root) && tn_unique_key_within(judge->arena, read->root)))
        repairer->verdict->careful = true;
}

/* A number that no double holds stays as its text, so that nothing is rounded. */
static void keep_digits(struct tn_judge *judge, struct tn_slice text, struct tn_json_text *read)
{
    struct tn_json_text literal;

    if (!has_real(read->root, read->nodes))
        return;
    literal = tn_json_read_literal(judge->arena, text.at, text.len, &judge->limits);
    for (size_t i = 0; literal.root && i < read->nodes; i++)
        if (yyjson_is_real(&read->root[i]) && tn_decimal_compare(&read->root[i], &literal.root[i]) != 0)
            read->root[i] = literal.root[i];
    if (!literal.root)
        read->root = NULL;
}

yyjson_val *tn_parts_read(struct tn_repairer *repairer, struct tn_slice text)
{
    struct tn_judge      *judge  = repairer->verdict->judge;
    struct tn_json_limits limits = tn_taken_limits(judge);
    struct tn_json_text   read;

    if (text.at == repairer->text.at && text.len == repairer->text.len)
        return repairer->read;                              /* another alternative reads it again */
    if (!tn_verdict_spend(repairer->verdict, text.len / 8)) /* a value takes some bytes */
        return NULL;
    read = tn_json_read(judge->arena, text.at, text.len, &limits);
    if (!read.root || (read.bad_utf8 && repairer->alone))
        return NULL;
    keep_digits(judge, text, &read);
    if (!read.root)
        return NULL;
    if (!repairer->alone)
        look_closely(repairer, &read);
    if (yyjson_is_ctn(read.root)) {
        tn_taken_nodes(judge, &read);
        repairer->text = text;
        repairer->read = read.root;
    }
    return read.root;
}

/* With JSON's own grammar: "007" is none. */
yyjson_val *tn_parts_read_number(struct tn_repairer *repairer, struct tn_slice text)
{
    if (text.len == 0 || text.at[text.len - 1] < '0' || text.at[text.len - 1] > '9')
        return NULL;
    if (text.at[0] != '-' && (text.at[0] < '0' || text.at[0] > '9'))
        return NULL;
    return tn_parts_read(repairer, text);
}

/* ---- Members --------------------------------------------------------------------------------------------------- */

yyjson_val *tn_parts_each(struct tn_repairer *repairer, const struct tn_object_rules *rules,
                          const struct tn_parts *parts, size_t index, const struct tn_location *up,
                          parts_visit visit, parts_visit other)
{
    struct tn_slice    name  = tn_json_slice(parts->at[index]);
    yyjson_val        *value = parts->at[index + 1];
    uint32_t           known = tn_property_find(rules, name.at, name.len, (uint32_t)(index / 2));
    bool               named = known != NO_PROPERTY && rules->properties[known].node, matched = named;
    struct tn_location at = { .up = up, .key_index = SIZE_MAX, .name = tn_repair_sent(parts->at[index]) };

    at.required = known != NO_PROPERTY && rules->properties[known].required;
    if (named)
        value = visit(repairer, rules->properties[known].node, value, &at);
    if (!tn_verdict_spend(repairer->verdict, rules->pattern_count * MATCH_STEPS))
        return value;
    for (size_t i = 0; value && i < rules->pattern_count; i++) {
        if (tn_verdict_match(repairer->verdict, rules->patterns[i].pattern, name) != PATTERN_YES)
            continue;
        matched = true;
        value   = (named ? visit : other)(repairer, rules->patterns[i].node, value, &at);
    }
    if (value && !matched && rules->additional)
        value = other(repairer, rules->additional, value, &at);
    return value;
}

/* ---- Items, and schemas in place -------------------------------------------------------------------------------- */

yyjson_val *tn_parts_items(struct tn_repairer *repairer, const struct tn_array_rules *rules,
                           yyjson_val *value, const struct tn_location *up, parts_visit visit)
{
    struct tn_parts parts;

    if ((rules->prefix.count == 0 && !rules->items) || !tn_parts_open(repairer, &parts, value, 0))
        return value;
    for (size_t i = 0; i < parts.count; i++) {
        const struct tn_node *node = i < rules->prefix.count ? rules->prefix.at[i] : rules->items;
        struct tn_location    at   = { .up = up, .key_index = SIZE_MAX, .index = i };

        if (node)
            tn_parts_set(&parts, i, visit(repairer, node, parts.at[i], &at));
    }
    return tn_parts_close(repairer, &parts);
}

yyjson_val *tn_parts_in_place(struct tn_repairer *repairer, const struct tn_in_place *place,
                              yyjson_val *value, const struct tn_location *up, parts_visit visit,
                              parts_branches branches)
{
    struct tn_location at = { .same = true, .up = up, .key_index = SIZE_MAX };

    if (place->ref)
        value = visit(repairer, place->ref, value, &at);
    if (place->dynamic)
        value = visit(repairer, tn_verdict_dynamic(repairer->verdict, place), value, &at);
    for (size_t i = 0; i < place->all_of.count; i++)
        value = visit(repairer, place->all_of.at[i], value, &at);
    value = branches(repairer, &place->any_of, value, up, false);
    value = branches(repairer, &place->one_of, value, up, true);
    if (place->if_) {
        const struct tn_node *next = tn_repair_fits(repairer, place->if_, value) ? place->then_
                                                                                 : place->else_;

        value = next ? visit(repairer, next, value, &at) : value;
    }
    return value;
}
