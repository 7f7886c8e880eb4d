/* repair_name.c - members under other names than the declared ones: in another spelling, or all inside one wrapper.
 *
 * Only what would be refused is read otherwise: a name that no schema allows, or one beside which a required member is
 * missing. The caller knows the name that it sent, so issues are addressed by that one: it is kept.
 */
#include "document/repair.h"
#include "model/like.h"
#include "model/taken.h"

/* A name that was taken for a declared one. `to` is a copy of its own, so that its address tells which one it is. */
struct tn_renamed {
    const char              *to;
    struct tn_slice          sent;
    const struct tn_renamed *next;
};

struct tn_slice tn_repair_sent(const struct tn_renamed *renamed, struct tn_slice name)
{
    for (; renamed; renamed = renamed->next)
        if (renamed->to == name.at)
            return renamed->sent;
    return name;
}

/* ---- Spellings -------------------------------------------------------------------------------------------------- */

/* The one property with that name in another spelling, or NO_PROPERTY. */
static uint32_t meant_property(struct tn_repairer *repairer, const struct tn_object_rules *rules,
                               struct tn_slice name)
{
    uint32_t found = NO_PROPERTY;

    if (!tn_taken_may_compare(repairer->verdict->judge, rules->count) ||
        !tn_verdict_spend(repairer->verdict, rules->count / 4))
        return NO_PROPERTY;
    for (size_t i = 0; i < rules->count; i++) {
        if (!tn_form_same_name((struct tn_slice){ rules->properties[i].name, rules->properties[i].len },
                               name))
            continue;
        if (found != NO_PROPERTY)
            return NO_PROPERTY;
        found = (uint32_t)i;
    }
    return found;
}

/* Does a header repeat the value? Then a proxy must see what is used. */
static bool is_mirrored(const struct tn_repairer *repairer, const struct tn_property *property)
{
    return repairer->verdict->judge->mirrored && property->node &&
           yyjson_obj_get(property->node->schema->source, "x-mcp-header");
}

/* Is a member of that name declared in some way? */
static bool is_declared(struct tn_repairer *repairer, const struct tn_object_rules *rules,
                        struct tn_slice name)
{
    if (tn_verdict_property(rules, name.at, name.len) != NO_PROPERTY)
        return true;
    for (size_t i = 0; i < rules->pattern_count; i++)
        if (tn_verdict_match(repairer->verdict, rules->patterns[i].pattern, name) == PATTERN_YES)
            return true;
    return false;
}

static bool is_closed(const struct tn_object_rules *rules)
{
    return rules->additional && rules->additional->schema->never;
}

static bool rename_member(struct tn_repairer *repairer, struct tn_parts *parts, size_t index,
                          const struct tn_property *property, const struct tn_location *up)
{
    struct tn_arena   *arena   = repairer->verdict->judge->arena;
    struct tn_slice    name    = { property->name, property->len };
    struct tn_location at      = { .up = up, .key_index = SIZE_MAX, .name = name };
    struct tn_renamed *renamed = tn_arena_new(arena, struct tn_renamed);
    yyjson_val        *key     = tn_arena_new(arena, yyjson_val);
    const char        *copy    = tn_arena_copy(arena, name.at, name.len);

    if (!renamed || !key || !copy)
        return false;
    *renamed = (struct tn_renamed){ copy, tn_json_slice(parts->at[index]), repairer->verdict->renamed };
    yyjson_set_strn(key, copy, name.len);
    tn_taken_name(repairer->verdict->judge, tn_verdict_label(repairer->verdict, &at), renamed->sent);
    repairer->verdict->renamed = renamed;
    tn_parts_set(parts, index, key);
    return true;
}

yyjson_val *tn_repair_names(struct tn_repairer *repairer, const struct tn_object_rules *rules,
                            yyjson_val *value, const struct tn_location *at)
{
    const uint64_t *present;
    uint64_t       *given;
    struct tn_parts parts;

    if (repairer->how->strict || rules->count == 0 || unsafe_yyjson_get_len(value) == 0)
        return value;
    present = tn_parts_present(repairer, rules, value);
    if (!present || !tn_parts_open(repairer, &parts, value, 0))
        return value;
    given = (uint64_t *)(uintptr_t)present; /* what is renamed is there from then on */
    for (size_t i = 0; i < parts.count; i += 2) {
        struct tn_slice name = tn_json_slice(parts.at[i]);
        uint32_t        known;

        if (is_declared(repairer, rules, name))
            continue;
        known = meant_property(repairer, rules, name);
        if (known == NO_PROPERTY || given[known / 64] >> known % 64 & 1 ||
            (!is_closed(rules) && !rules->properties[known].required) ||
            is_mirrored(repairer, &rules->properties[known]))
            continue;
        if (rename_member(repairer, &parts, i, &rules->properties[known], at))
            given[known / 64] |= UINT64_C(1) << known % 64;
    }
    return tn_parts_close(repairer, &parts);
}

/* ---- The wrapper ------------------------------------------------------------------------------------------------ */

static bool holds_arguments(struct tn_repairer *repairer, const struct tn_object_rules *rules,
                            yyjson_val *inner)
{
    yyjson_obj_iter members;
    yyjson_val     *key;

    yyjson_obj_iter_init(inner, &members);
    while ((key = yyjson_obj_iter_next(&members))) {
        struct tn_slice name = tn_json_slice(key);

        if (tn_verdict_property(rules, name.at, name.len) == NO_PROPERTY &&
            meant_property(repairer, rules, name) == NO_PROPERTY)
            return false;
    }
    return yyjson_obj_size(inner) > 0;
}

/* The wrapper as a member, so that issues inside have an address and an example. */
static const struct tn_node *wrapper_node(struct tn_repairer *repairer, const struct tn_node *node)
{
    struct tn_node *wrapper = tn_arena_new(repairer->verdict->judge->arena, struct tn_node);

    if (wrapper) {
        *wrapper        = *node;
        wrapper->secret = true; /* it has everything in it */
    }
    return wrapper;
}

yyjson_val *tn_repair_unwrapped(struct tn_repairer *repairer, const struct tn_node *node, yyjson_val *value)
{
    struct tn_judge              *judge = repairer->verdict->judge;
    const struct tn_object_rules *rules = tn_like_end(node)->schema->object;
    yyjson_val                   *key   = yyjson_obj_size(value) == 1 ? unsafe_yyjson_get_first(value) : NULL;
    struct tn_slice               name  = tn_json_slice(key);
    struct tn_location           *base;

    if (!rules || !key || !yyjson_is_obj(key + 1) || !tn_form_is_wrapper(name) || repairer->how->strict ||
        judge->mirrored)
        return value;
    if (is_declared(repairer, rules, name) || (!is_closed(rules) && rules->required == 0) ||
        !holds_arguments(repairer, rules, key + 1))
        return value;
    base = tn_arena_new(judge->arena, struct tn_location);
    if (!base)
        return value;
    *base = (struct tn_location){
        .name = name, .node = wrapper_node(repairer, node), .required = true, .key_index = SIZE_MAX
    };
    repairer->verdict->base = base;
    tn_taken_wrapper(judge, name);
    return key + 1;
}
