/* name.c - members under other names than the declared ones: in another spelling, or all inside one wrapper.
 *
 * Only what would be refused is read otherwise: a name that no schema allows, or one beside which a required member is
 * missing. The caller knows the name that it sent, so issues are addressed by that one: it is kept.
 */
#include <stddef.h>
#include <string.h>

#include "document/repair/repair.h"
#include "json/origin.h"
#include "model/like.h"
#include "model/taken.h"

/* A name that was taken for a declared one: its key points to the copy of the declared name behind what was sent. */
struct renamed {
    struct tn_slice sent;
    char            to[];
};

struct tn_slice tn_repair_sent(const yyjson_val *key)
{
    const char *name = key->uni.str;

    if (!tn_origin_is_renamed(key))
        return (struct tn_slice){ name, unsafe_yyjson_get_len((void *)(uintptr_t)key) };
    return ((const struct renamed *)(const void *)(name - offsetof(struct renamed, to)))->sent;
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

static void rename_member(struct tn_repairer *repairer, struct tn_parts *parts, size_t index,
                          const struct tn_property *property, const struct tn_location *up)
{
    struct tn_judge   *judge   = repairer->verdict->judge;
    struct tn_slice    name    = { property->name, property->len };
    struct tn_location at      = { .up = up, .key_index = SIZE_MAX, .name = name };
    struct renamed    *renamed = tn_arena_take(judge->arena, sizeof *renamed + name.len + 1,
                                               alignof(struct renamed));
    yyjson_val        *key     = tn_arena_new(judge->arena, yyjson_val);

    if (!renamed || !key)
        return;
    renamed->sent = tn_json_slice(parts->at[index]);
    memcpy(renamed->to, name.at, name.len);
    renamed->to[name.len] = '\0';
    yyjson_set_strn(key, renamed->to, name.len);
    tn_origin_mark_renamed(key);
    tn_taken_name(judge, tn_verdict_label(repairer->verdict, &at), renamed->sent);
    tn_parts_set(parts, index, key);
}

/* Which absent property each member means by another spelling, or NO_PROPERTY; NULL when none does. A property that two
 * members could mean is meant by neither. */
static const uint32_t *find_meant(struct tn_repairer *repairer, const struct tn_object_rules *rules,
                                  const struct tn_parts *parts, uint64_t *present)
{
    struct tn_arena *arena = repairer->verdict->judge->arena;
    uint32_t        *meant = NULL;
    uint64_t        *twice = NULL;

    for (size_t i = 0; i < parts->count; i += 2) {
        struct tn_slice name  = tn_json_slice(parts->at[i]);
        uint32_t        known = is_declared(repairer, rules, name) ? NO_PROPERTY
                                                                   : meant_property(repairer, rules, name);

        if (known == NO_PROPERTY || (!is_closed(rules) && !rules->properties[known].required))
            continue;
        if (!meant) {
            meant = tn_arena_take(arena, parts->count * sizeof *meant, alignof(uint32_t));
            twice = tn_arena_array(arena, rules->count / 64 + 1, uint64_t);
            if (!meant || !twice)
                return NULL;
            memset(meant, 0xFF, parts->count * sizeof *meant);
        }
        meant[i] = known;
        twice[known / 64] |= present[known / 64] & UINT64_C(1) << known % 64;
        present[known / 64] |= UINT64_C(1) << known % 64;
    }
    for (size_t i = 0; meant && i < parts->count; i += 2)
        if (meant[i] != NO_PROPERTY && twice[meant[i] / 64] >> meant[i] % 64 & 1)
            meant[i] = NO_PROPERTY;
    return meant;
}

yyjson_val *tn_repair_names(struct tn_repairer *repairer, const struct tn_object_rules *rules,
                            yyjson_val *value, const struct tn_location *at)
{
    const uint32_t *meant;
    uint64_t       *present;
    struct tn_parts parts;
    size_t          others;

    if (repairer->how->strict || rules->count == 0 || unsafe_yyjson_get_len(value) == 0 ||
        (!is_closed(rules) && rules->required == 0))
        return value;
    present = tn_parts_present(repairer, rules, value, &others);
    if (!present || others == 0 || !tn_parts_open(repairer, &parts, value, 0))
        return value;
    meant = find_meant(repairer, rules, &parts, present);
    for (size_t i = 0; meant && i < parts.count; i += 2)
        if (meant[i] != NO_PROPERTY)
            rename_member(repairer, &parts, i, &rules->properties[meant[i]], at);
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
    *base = (struct tn_location){ .name = name, /* so that issues inside have an address and an example */
                                  .node = tn_node_secret(judge->arena, node), /* it has everything in it */
                                  .required  = true,
                                  .key_index = SIZE_MAX };
    repairer->verdict->base = base;
    tn_taken_wrapper(judge, name);
    return key + 1;
}
