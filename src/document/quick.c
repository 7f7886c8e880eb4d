/* quick.c - one pass over the arguments of a tool. */
#include "document/quick.h"

#include <string.h>

#include "document/check.h"

#define NAMES_FEW ((size_t)16) /* members of an inner object, whose names are compared with each other */

/* ---- Inner values ------------------------------------------------------------------------------------------ */

static bool same_key(yyjson_val *a, yyjson_val *b)
{
    return unsafe_yyjson_get_len(a) == unsafe_yyjson_get_len(b) &&
           tn_str_same(unsafe_yyjson_get_str(a), unsafe_yyjson_get_str(b), unsafe_yyjson_get_len(a));
}

/* Is every name of the object there once, for sure? */
static bool has_each_once(yyjson_val *object)
{
    size_t      count = unsafe_yyjson_get_len(object), before = 0;
    yyjson_val *first = unsafe_yyjson_get_first(object), *key = first;

    if (count > NAMES_FEW)
        return false;
    for (; before < count; before++, key = unsafe_yyjson_get_next(key + 1)) {
        yyjson_val *other = first;

        for (size_t i = 0; i < before; i++, other = unsafe_yyjson_get_next(other + 1))
            if (same_key(key, other))
                return false;
    }
    return true;
}

/* The values inside stand one after the other, so that one pass sees every object. */
static bool holds_each_once(yyjson_val *container)
{
    const yyjson_val *end = unsafe_yyjson_get_next(container);

    for (yyjson_val *one = container; one < end; one++)
        if (unsafe_yyjson_is_obj(one) && unsafe_yyjson_get_len(one) > 1 && !has_each_once(one))
            return false;
    return true;
}

/* What the quick look does not see is for the schema itself. */
static bool is_valid(struct tn_verdict *verdict, const struct tn_node *root, const struct tn_node *node,
                     yyjson_val *value)
{
    struct tn_scope scope = { NULL, root->schema->resource };
    bool            valid;

    tn_verdict_begin(verdict, verdict->allowed);
    verdict->scope = &scope;
    valid          = tn_verdict_flag(verdict, node, value, NULL) && !verdict->gave_up;
    verdict->scope = NULL;
    tn_verdict_end(verdict, verdict->allowed);
    return valid && !verdict->judge->arena->failed;
}

/* Is a member valid, with each name in it once, and nothing inside to be filled in? */
static bool is_good(struct tn_verdict *verdict, const struct tn_node *root,
                    const struct tn_property *property, yyjson_val *value)
{
    bool holds = tn_check_holds(&property->check, value);

    if (holds && !unsafe_yyjson_is_ctn(value))
        return true;
    if (tn_check_is_list(&property->check, value))
        holds = tn_check_items(&property->check, value);
    if (!holds &&
        ((root->schema->object->inner_defaults && !verdict->unfilled && unsafe_yyjson_is_ctn(value)) ||
         !is_valid(verdict, root, property->node, value)))
        return false;
    return !unsafe_yyjson_is_ctn(value) || holds_each_once(value);
}

/* ---- Defaults ---------------------------------------------------------------------------------------------- */

/* The object with the defaults of the properties that `absent` names, in the order of the schema. */
static yyjson_val *with_defaults(struct tn_arena *arena, const struct tn_object_rules *rules,
                                 yyjson_val *value, uint64_t absent)
{
    size_t      own = (size_t)(unsafe_yyjson_get_next(value) - value), count = own, added = 0;
    yyjson_val *filled, *at;

    for (uint64_t left = absent; left; left &= left - 1, added++) {
        yyjson_val *def = rules->properties[__builtin_ctzll(left)].node->schema->def;

        count += 1 + (size_t)(unsafe_yyjson_get_next(def) - def);
    }
    filled = tn_arena_take(arena, count * sizeof *filled, alignof(yyjson_val));
    if (!filled)
        return NULL;
    memcpy(filled, value, own * sizeof *filled);
    unsafe_yyjson_set_len(filled, unsafe_yyjson_get_len(value) + added);
    filled->uni.ofs = count * sizeof *filled;
    at              = filled + own;
    for (uint64_t left = absent; left; left &= left - 1) {
        const struct tn_property *property = &rules->properties[__builtin_ctzll(left)];
        yyjson_val               *def      = property->node->schema->def;
        size_t                    len      = (size_t)(unsafe_yyjson_get_next(def) - def);

        *at = (yyjson_val){ .tag = (uint64_t)property->len << YYJSON_TAG_BIT | YYJSON_TYPE_STR,
                            .uni = { .str = property->name } };
        memcpy(at + 1, def, len * sizeof *at);
        at += 1 + len;
    }
    return filled;
}

/* ---- The whole --------------------------------------------------------------------------------------------- */

yyjson_val *tn_quick_value(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value)
{
    const struct tn_object_rules *rules = node->schema->object;
    yyjson_val                   *end   = unsafe_yyjson_get_next(value), *key;
    uint64_t                      seen  = 0, bit, absent;
    uint32_t                      next  = 0, index;

    if (!rules || !rules->quick || !unsafe_yyjson_is_obj(value))
        return NULL;
    for (key = unsafe_yyjson_get_first(value); key != end; key = unsafe_yyjson_get_next(key + 1)) {
        index = tn_property_find(rules, unsafe_yyjson_get_str(key), unsafe_yyjson_get_len(key), next);
        if (index == NO_PROPERTY)
            return NULL; /* whether it may come, and once, is no question for now */
        next = index + 1;
        bit  = UINT64_C(1) << index;
        if ((seen & bit) || !rules->properties[index].node ||
            !is_good(verdict, node, &rules->properties[index], key + 1))
            return NULL;
        seen |= bit;
    }
    if (rules->required_bits & ~seen)
        return NULL;
    absent = verdict->unfilled ? 0 : rules->default_bits & ~seen;
    if (absent & ~rules->filled_bits)
        return NULL;
    return absent ? with_defaults(verdict->judge->arena, rules, value, absent) : value;
}
