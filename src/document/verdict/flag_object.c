/* flag_object.c - only whether the members of an object are valid: those with little in them first, and what costs little. */
#include <assert.h>

#include "document/verdict/flag.h"
#include "document/verdict/later.h"
#include "document/verdict/present.h"

/* ---- Objects ----------------------------------------------------------------------------------------------- */

static bool has_name(struct tn_verdict *verdict, const struct tn_pattern_property *pattern, yyjson_val *key)
{
    struct tn_slice name = { unsafe_yyjson_get_str(key), unsafe_yyjson_get_len(key) };

    return pattern->only.text.at && !verdict->careful
               ? tn_pattern_text_fits(&pattern->only, name)
               : tn_verdict_match(verdict, pattern->pattern, name) == PATTERN_YES;
}

static bool judge_patterns(struct tn_verdict *verdict, const struct tn_object_rules *rules, yyjson_val *key,
                           bool *matched)
{
    if (!tn_verdict_spend(verdict, rules->pattern_count * MATCH_STEPS))
        return false;
    for (size_t i = 0; i < rules->pattern_count; i++) {
        if (!has_name(verdict, &rules->patterns[i], key))
            continue;
        *matched = true;
        if (!tn_flag_short(verdict, &rules->patterns[i].check, rules->patterns[i].node, key + 1))
            return false;
    }
    return true;
}

/* A member that `known` names, or NULL. */
static inline bool judge_member(struct tn_verdict *verdict, const struct tn_object_rules *rules,
                                const struct tn_property *known, yyjson_val *key)
{
    bool matched = known && known->node;

    if (rules->names && !tn_flag_judge(verdict, rules->names, key))
        return false;
    if (matched && !tn_flag_short(verdict, &known->check, known->node, key + 1))
        return false;
    if (rules->pattern_count > 0 && !judge_patterns(verdict, rules, key, &matched))
        return false;
    return matched || !rules->additional ||
           tn_flag_short(verdict, &rules->additional_check, rules->additional, key + 1);
}

static bool judge_dependents(struct tn_verdict *verdict, const struct tn_object_rules *rules,
                             yyjson_val *value, struct tn_seen *seen)
{
    for (size_t i = 0; i < rules->dependent_count; i++) {
        const struct tn_dependent *dependent = &rules->dependents[i];

        if (!tn_verdict_has_member(verdict, value, dependent->name))
            continue;
        if (dependent->node && !tn_flag_beside(verdict, dependent->node, value, seen))
            return false;
        for (size_t k = 0; k < dependent->count; k++)
            if (!tn_verdict_has_member(verdict, value, dependent->names[k]))
                return false;
    }
    return true;
}

/* Heavy members that are put off: the first one, and how many there are. */
struct put_off {
    yyjson_val               *first;
    const struct tn_property *known;
    size_t                    count;
};

/* Of one that is: may it be there, and is its type right? */
static bool may_be_there(const struct tn_object_rules *rules, const struct tn_property *known,
                         yyjson_val *value)
{
    const struct tn_node *node = known ? known->node : rules->pattern_count == 0 ? rules->additional : NULL;

    return !node || (node->schema->types & tn_verdict_type(value));
}

/* The same as judge_member(), sooner where a name decides which schema it has. */
static inline bool judge_any_member(struct tn_verdict *verdict, const struct tn_object_rules *rules,
                                    const struct tn_property *known, yyjson_val *key)
{
    if (!rules->by_name)
        return judge_member(verdict, rules, known, key);
    if (known && known->node)
        return tn_flag_short(verdict, &known->check, known->node, key + 1);
    return !rules->additional || tn_flag_short(verdict, &rules->additional_check, rules->additional, key + 1);
}

/* Puts off what is heavy, and counts what it saw; neither is asked of most objects. The first member that is refused. */
static yyjson_val *judge_light(struct tn_verdict *verdict, const struct tn_object_rules *rules,
                               yyjson_val *value, struct tn_present *present, struct tn_seen *seen,
                               struct put_off *put_off)
{
    size_t      left = unsafe_yyjson_get_len(value);
    yyjson_val *key  = unsafe_yyjson_get_first(value), *after;

    for (; left > 0; left--, key = after) {
        const struct tn_property *known = tn_present_find(rules, present, key);
        bool                      fine;

        after = unsafe_yyjson_get_next(key + 1);
        if (tn_member_is_heavy(key, after)) {
            fine = may_be_there(rules, known, key + 1);
            if (put_off->count++ == 0)
                *put_off = (struct put_off){ key, known, 1 };
        } else {
            fine = judge_any_member(verdict, rules, known, key);
        }
        if (!fine)
            return key;
        if (seen && tn_verdict_evaluates(verdict, rules, known, key))
            tn_seen_add(seen, seen->count - left);
    }
    return NULL;
}

/* All but the first are looked for a second time, which is little beside what is in them. */
static yyjson_val *judge_heavy(struct tn_verdict *verdict, const struct tn_object_rules *rules,
                               struct put_off *put_off)
{
    const struct tn_property *known = put_off->known;
    yyjson_val               *key   = put_off->first;

    while (judge_any_member(verdict, rules, known, key)) {
        if (--put_off->count == 0)
            return NULL;
        do
            key = unsafe_yyjson_get_next(key + 1);
        while (!tn_member_is_heavy(key, unsafe_yyjson_get_next(key + 1)));
        known = tn_property_at(rules, tn_verdict_property(rules, unsafe_yyjson_get_str(key),
                                                          unsafe_yyjson_get_len(key)));
    }
    return key;
}

static yyjson_val *judge_each(struct tn_verdict *verdict, const struct tn_object_rules *rules,
                              yyjson_val *value, struct tn_present *present)
{
    size_t      left = unsafe_yyjson_get_len(value);
    yyjson_val *key  = unsafe_yyjson_get_first(value);

    for (; left > 0; left--, key = unsafe_yyjson_get_next(key + 1))
        if (!judge_member(verdict, rules, tn_present_find(rules, present, key), key))
            return key;
    return NULL;
}

/* ---- Objects whose members are decided by name -------------------------------------------------------------- */

/* One that the quick look does not take: judges it; or puts it off, and sees only whether its type is right. Not inlined, for
 * the sake of those that are taken. */
__attribute__((noinline)) static bool judge_or_put_off(struct tn_verdict *verdict, struct later *later,
                                                       yyjson_val *key, const struct tn_check *check,
                                                       const struct tn_node *node)
{
    const yyjson_val *after = unsafe_yyjson_get_next(key + 1);

    if (after - key <= LIGHT_VALUES || (later->count == LATER_MAX && !tn_member_is_heavy(key, after)))
        return tn_flag_unheld(verdict, check, node, key + 1);
    tn_later_add(later, (struct asked_member){ key, check, node }, after);
    return node->schema->types & tn_verdict_type(key + 1);
}

/* All but the first are looked for a second time, which is little beside what is in them. The first that is refused. */
static yyjson_val *judge_named_heavy(struct tn_verdict *verdict, const struct tn_object_rules *rules,
                                     const struct later *later)
{
    struct asked_member one  = later->heavy;
    size_t              left = later->heavy_count;

    while (tn_flag_unheld(verdict, one.check, one.node, one.key + 1)) {
        if (--left == 0)
            return NULL;
        do {
            const struct tn_property *known;

            one.key   = unsafe_yyjson_get_next(one.key + 1);
            known     = tn_property_named(rules, one.key);
            one.node  = known && known->node ? known->node : rules->additional;
            one.check = known && known->node ? &known->check : &rules->additional_check;
        } while (!tn_member_is_heavy(one.key, unsafe_yyjson_get_next(one.key + 1)) || !one.node ||
                 tn_check_holds(one.check, one.key + 1));
    }
    return one.key;
}

static bool judge_later(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value,
                        const struct later *later)
{
    const yyjson_val *refused;

    for (size_t i = 0; i < later->count; i++) {
        const struct asked_member *one = &later->some[i];

        if (!tn_flag_unheld(verdict, one->check, one->node, one->key + 1))
            return tn_verdict_refuse(verdict, node, value, one->key, value);
    }
    refused = later->heavy_count > 0 ? judge_named_heavy(verdict, node->schema->object, later) : NULL;
    return !refused || tn_verdict_refuse(verdict, node, value, unsafe_yyjson_get_next(value), refused);
}

/* Where a name decides which schema a member has, and there are few properties. */
bool tn_flag_named(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value)
{
    const struct tn_object_rules *rules = node->schema->object;
    const struct tn_property     *next  = rules->properties, *known;
    yyjson_val                   *key   = unsafe_yyjson_get_first(value), *member;
    size_t                        left  = unsafe_yyjson_get_len(value);
    uint64_t                      found = 0;
    struct later                  later;
    bool                          fine;

    verdict->depth++;
    later.count = later.heavy_count = 0;
    for (; left > 0; left--, key = unsafe_yyjson_get_next(member)) {
        const struct tn_check *check = &rules->additional_check;
        const struct tn_node  *asked = rules->additional;

        member = key + 1;
        known  = next;
        if (rules->count == 0) {
            known = NULL;
        } else if (!tn_property_follows(next, key)) {
            assert(next); /* there are properties, and one more that has no name */
            if (next->required && tn_present_too_few(rules, found, left)) {
                key--; /* of the member itself nothing is known */
                break;
            }
            known = tn_property_named(rules, key);
        }
        if (known) {
            next = known + 1;
            found |= UINT64_C(1) << (known - rules->properties);
        }
        if (known && known->node) {
            check = &known->check;
            asked = known->node;
        }
        if (asked && !tn_check_holds(check, member) && !judge_or_put_off(verdict, &later, key, check, asked))
            break;
    }
    fine = left == 0 && (found & rules->required_bits) == rules->required_bits;
    if (!fine)
        tn_verdict_refuse(verdict, node, value, tn_later_light(&later, key), value);
    else if (later.count + later.heavy_count > 0)
        fine = judge_later(verdict, node, value, &later);
    verdict->depth--;
    return fine;
}

/* ---- Objects with few members ------------------------------------------------------------------------------- */

#define FEW_MEMBERS 16

/* Does it apply other schemas to the value itself? */
static bool leads_on(const struct tn_node *node)
{
    const struct tn_node *end = node->schema->alias ? node->schema->alias : node;

    return end->schema->in_place != NULL;
}

/* What is likely to cost more than what stands beside it: a pattern, or schemas that lead on. */
static bool is_costly(const struct tn_node *node, yyjson_val *value)
{
    return unsafe_yyjson_is_str(value) ? node->text.pattern != NULL
                                       : unsafe_yyjson_is_ctn(value) && leads_on(node);
}

static bool ask(struct tn_verdict *verdict, struct later *later, const struct asked_member *one)
{
    bool heavy;

    if (tn_check_holds(one->check, one->key + 1))
        return true;
    heavy = tn_member_is_heavy(one->key, unsafe_yyjson_get_next(one->key + 1));
    if (heavy && later->heavy_count > 0) /* only one is kept */
        return tn_flag_unheld(verdict, one->check, one->node, one->key + 1);
    if (heavy || later->count == LATER_MAX || !is_costly(one->node, one->key + 1))
        return judge_or_put_off(verdict, later, one->key, one->check, one->node);
    later->some[later->count++] = *one;
    return one->node->schema->types & tn_verdict_type(one->key + 1);
}

static bool ask_member(struct tn_verdict *verdict, const struct tn_object_rules *rules, struct later *later,
                       const struct tn_property *known, yyjson_val *key)
{
    bool matched = known && known->node;

    if (rules->names && !tn_flag_judge(verdict, rules->names, key))
        return false;
    if (matched && !ask(verdict, later, &(struct asked_member){ key, &known->check, known->node }))
        return false;
    if (!tn_verdict_spend(verdict, rules->pattern_count * MATCH_STEPS))
        return false;
    for (size_t i = 0; i < rules->pattern_count; i++) {
        const struct tn_pattern_property *pattern = &rules->patterns[i];

        if (!has_name(verdict, pattern, key))
            continue;
        matched = true;
        if (!ask(verdict, later, &(struct asked_member){ key, &pattern->check, pattern->node }))
            return false;
    }
    return matched || !rules->additional ||
           ask(verdict, later, &(struct asked_member){ key, &rules->additional_check, rules->additional });
}

/* First of those that lead on to nothing, then of the others. */
static bool judge_asked(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value,
                        const struct later *later)
{
    for (unsigned leading = 0; leading < 2; leading++)
        for (size_t i = 0; i < later->count; i++) {
            const struct asked_member *one = &later->some[i];

            if (leads_on(one->node) == leading &&
                !tn_flag_unheld(verdict, one->check, one->node, one->key + 1))
                return tn_verdict_refuse(verdict, node, value,
                                         leading ? one->key : tn_later_light(later, one->key), value);
        }
    return true;
}

/* Names are matched once; what costs more than they do is put off until all of them were. */
static bool judge_few(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value,
                      struct tn_present *present)
{
    const struct tn_object_rules *rules = node->schema->object;
    const yyjson_val             *end   = unsafe_yyjson_get_next(value);
    yyjson_val                   *key   = unsafe_yyjson_get_first(value);
    struct later                  later;

    later.count = later.heavy_count = 0;
    while (key != end && ask_member(verdict, rules, &later, tn_present_find(rules, present, key), key))
        key = unsafe_yyjson_get_next(key + 1);
    if (key != end || !tn_present_all(rules, present->bits))
        return tn_verdict_refuse(verdict, node, value, tn_later_light(&later, key), value);
    if (!judge_asked(verdict, node, value, &later))
        return false;
    return later.heavy_count == 0 ||
           tn_flag_unheld(verdict, later.heavy.check, later.heavy.node, later.heavy.key + 1) ||
           tn_verdict_refuse(verdict, node, value, end, later.heavy.key);
}

/* ---- Objects of any kind ------------------------------------------------------------------------------------ */

static bool judge_members(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value,
                          struct tn_seen *seen)
{
    const struct tn_object_rules *rules   = node->schema->object;
    const yyjson_val             *end     = unsafe_yyjson_get_next(value), *refused;
    struct put_off                put_off = { 0 };
    struct tn_present             present = { 0 };

    present.bits = &present.few;
    if (rules->count > PRESENT_FEW)
        present.bits = tn_arena_array(verdict->judge->arena, rules->count / 64 + 1, uint64_t);
    if (!present.bits || !tn_verdict_spend(verdict, unsafe_yyjson_get_len(value) + rules->count / 64))
        return false;
    if (!rules->by_name && !seen && unsafe_yyjson_get_len(value) <= FEW_MEMBERS)
        return judge_few(verdict, node, value, &present);
    refused = seen || tn_member_is_heavy(value, end)
                  ? judge_light(verdict, rules, value, &present, seen, &put_off)
                  : judge_each(verdict, rules, value, &present);
    if (refused || !tn_present_all(rules, present.bits))
        return tn_verdict_refuse(verdict, node, value, refused ? refused : end, value);
    refused = put_off.count > 0 ? judge_heavy(verdict, rules, &put_off) : NULL;
    return !refused || tn_verdict_refuse(verdict, node, value, end, refused);
}

/* Only whether members are there: few names are found faster than each member is looked up. */
bool tn_flag_presence(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value)
{
    const struct tn_object_rules *rules = node->schema->object;

    for (size_t i = 0; i < rules->count; i++)
        if (!tn_verdict_has_name(value, rules->properties[i].name, rules->properties[i].len))
            return tn_verdict_refuse(verdict, node, value, unsafe_yyjson_get_next(value), value);
    return true;
}

static inline bool judge_by_member(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value,
                                   struct tn_seen *seen)
{
    const struct tn_object_rules *rules = node->schema->object;
    bool                          fine;

    if (rules->only_required && rules->count <= FLAG_NAMES_FEW && !seen)
        return tn_verdict_spend(verdict, unsafe_yyjson_get_len(value)) &&
               tn_flag_presence(verdict, node, value);
    if (!rules->by_name || rules->count > PRESENT_FEW || seen)
        return judge_members(verdict, node, value, seen);
    if (!tn_verdict_spend(verdict, unsafe_yyjson_get_len(value)))
        return false;
    verdict->depth--; /* which tn_flag_named() counts, too */
    fine = tn_flag_named(verdict, node, value);
    verdict->depth++;
    return fine;
}

bool tn_flag_object(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value,
                    struct tn_seen *seen)
{
    const struct tn_object_rules *rules = node->schema->object;
    const yyjson_val             *end   = unsafe_yyjson_get_next(value);
    size_t                        count = unsafe_yyjson_get_len(value);

    if (count < rules->min || count > rules->max)
        return tn_verdict_refuse(verdict, node, value, value, value);
    if (rules->by_member && !judge_by_member(verdict, node, value, seen))
        return false;
    return rules->dependent_count == 0 || judge_dependents(verdict, rules, value, seen) ||
           tn_verdict_refuse(verdict, node, value, end, end);
}

bool tn_flag_members_left(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value,
                          struct tn_seen *seen)
{
    const struct tn_node *left  = node->schema->object->unevaluated;
    const yyjson_val     *end   = unsafe_yyjson_get_next(value);
    size_t                count = unsafe_yyjson_get_len(value);
    yyjson_val           *key   = unsafe_yyjson_get_first(value);

    for (size_t i = 0; i < count; i++, key = unsafe_yyjson_get_next(key + 1)) {
        if (tn_seen_has(seen, i))
            continue;
        tn_seen_add(seen, i);
        if (!tn_flag_judge(verdict, left, key + 1))
            return tn_verdict_refuse(verdict, node, value, end, end);
    }
    return true;
}
