/* flag.c - only whether a value is valid: most values are, and then nothing else has to be known.
 *
 * It stops at the first fault, keeps no place and reports nothing. What a schema asks of a type beyond the type itself
 * is known from the reader as a bit, so that most members cost a comparison of their name and one of their type. Cheap
 * checks come before expensive ones. What was valid before a fault is noted for the code that reports it.
 */
#include <assert.h>
#include <string.h>

#include "document/check.h"
#include "document/verdict/present.h"
#include "document/verdict/verdict.h"
#include "model/json_equal.h"

static bool judge_more(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value,
                       unsigned type, struct tn_seen *seen);
static bool judge_deep(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value,
                       unsigned type, struct tn_seen *seen);
static bool judge_straight(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value);
static bool judge_fork(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value);

/* ---- Any value --------------------------------------------------------------------------------------------- */

/* One value by one schema that stands beside others. */
static inline bool judge_beside(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value,
                                struct tn_seen *seen)
{
    const struct tn_schema *schema = node->schema;
    unsigned                type   = tn_verdict_type(value);

    if (!(schema->types & type)) {
        tn_verdict_spend_number(verdict, value);
        return false;
    }
    return !((schema->alone | schema->inside) & type) || judge_more(verdict, node, value, type, seen);
}

static inline bool verdict_flag_judge(struct tn_verdict *verdict, const struct tn_node *node,
                                      yyjson_val *value)
{
    return judge_beside(verdict, node, value, NULL);
}

/* The functions from here to judge_short() come one after the other for most values. What they call, they call last, and it is
 * not inlined: so they need no frame. */
__attribute__((noinline)) static bool judge_at_length(struct tn_verdict *verdict, const struct tn_node *node,
                                                      yyjson_val *value)
{
    return verdict_flag_judge(verdict, node, value);
}

__attribute__((noinline)) static bool judge_list(struct tn_verdict *verdict, const struct tn_check *check,
                                                 const struct tn_node *node, yyjson_val *value)
{
    return (unsafe_yyjson_is_arr(value) && tn_verdict_spend(verdict, unsafe_yyjson_get_len(value)) &&
            tn_check_items(check, value)) ||
           verdict_flag_judge(verdict, node, value);
}

/* What the quick look does not see. */
static bool judge_longer(struct tn_verdict *verdict, const struct tn_check *check, const struct tn_node *node,
                         yyjson_val *value)
{
    if (check->code == CHECK_FORK)
        return judge_fork(verdict, check->node, value);
    if (check->code == CHECK_LIST)
        return judge_list(verdict, check, node, value);
    return (verdict->careful || !tn_check_refuses(check, value)) && judge_at_length(verdict, node, value);
}

/* Of a value that the quick look does not take. */
__attribute__((always_inline)) static inline bool judge_unheld(struct tn_verdict     *verdict,
                                                               const struct tn_check *check,
                                                               const struct tn_node *node, yyjson_val *value)
{
    return check->code == CHECK_INTO && unsafe_yyjson_is_ctn(value)
               ? judge_straight(verdict, check->node, value)
               : judge_longer(verdict, check, node, value);
}

/* The same, with what is known of the schema in short: most values need no more. */
static inline bool judge_short(struct tn_verdict *verdict, const struct tn_check *check,
                               const struct tn_node *node, yyjson_val *value)
{
    return tn_check_holds(check, value) || judge_unheld(verdict, check, node, value);
}

static bool judge_apart(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value,
                        struct tn_seen *seen)
{
    struct tn_seen own;

    if (!tn_seen_init(verdict, &own, seen->count) || !judge_beside(verdict, node, value, &own))
        return false;
    tn_seen_merge(seen, &own);
    return true;
}

/* One of several alternatives: what it saw counts only if it holds. */
static inline bool judge_branch(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value,
                                struct tn_seen *seen)
{
    return seen ? judge_apart(verdict, node, value, seen) : verdict_flag_judge(verdict, node, value);
}

static inline bool judge_branch_of(struct tn_verdict *verdict, const struct tn_nodes *nodes, size_t index,
                                   yyjson_val *value, struct tn_seen *seen)
{
    return seen ? judge_apart(verdict, nodes->at[index], value, seen)
                : judge_short(verdict, &nodes->checks[index], nodes->at[index], value);
}

/* ---- Arrays ------------------------------------------------------------------------------------------------ */

static bool judge_contains(struct tn_verdict *verdict, const struct tn_array_rules *rules, yyjson_val *value,
                           struct tn_seen *seen)
{
    size_t      count = unsafe_yyjson_get_len(value), found = 0;
    yyjson_val *item = unsafe_yyjson_get_first(value);

    for (size_t i = 0; i < count; i++, item = unsafe_yyjson_get_next(item)) {
        if (!verdict_flag_judge(verdict, rules->contains, item))
            continue;
        tn_seen_add(seen, i);
        if (++found > rules->max_contains)
            return false;
        if (found >= rules->min_contains && rules->max_contains == SIZE_MAX && !seen)
            return true;
    }
    return found >= rules->min_contains;
}

static bool judge_array(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value,
                        struct tn_seen *seen)
{
    const struct tn_array_rules *rules = node->schema->array;
    size_t                       count = unsafe_yyjson_get_len(value), i = 0;
    yyjson_val                  *item = unsafe_yyjson_get_first(value);

    if (count < node->list.min || count > node->list.max ||
        !tn_verdict_spend(verdict, tn_verdict_array_steps(node, value)))
        return tn_verdict_refuse(verdict, node, value, value, value);
    if (node->list.unique && tn_json_equal_repeated(verdict->judge->arena, value) < count)
        return tn_verdict_refuse(verdict, node, value, value, value);
    if (!rules)
        return true;
    for (; i < count && i < rules->prefix.count; i++, item = unsafe_yyjson_get_next(item))
        if (!verdict_flag_judge(verdict, rules->prefix.at[i], item))
            return tn_verdict_refuse(verdict, node, value, item, item);
    for (; rules->items && i < count; i++, item = unsafe_yyjson_get_next(item))
        if (!judge_short(verdict, &rules->items_check, rules->items, item))
            return tn_verdict_refuse(verdict, node, value, item, item);
    while (seen && i-- > 0)
        tn_seen_add(seen, i);
    return !rules->contains || judge_contains(verdict, rules, value, rules->contains_marks ? seen : NULL) ||
           tn_verdict_refuse(verdict, node, value, item, item);
}

static bool judge_items_left(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value,
                             struct tn_seen *seen)
{
    const struct tn_node *left  = node->schema->array->unevaluated;
    const yyjson_val     *end   = unsafe_yyjson_get_next(value);
    size_t                count = unsafe_yyjson_get_len(value);
    yyjson_val           *item  = unsafe_yyjson_get_first(value);

    for (size_t i = 0; i < count; i++, item = unsafe_yyjson_get_next(item)) {
        if (tn_seen_has(seen, i))
            continue;
        tn_seen_add(seen, i);
        if (!verdict_flag_judge(verdict, left, item))
            return tn_verdict_refuse(verdict, node, value, end, end);
    }
    return true;
}

/* ---- Objects ----------------------------------------------------------------------------------------------- */

static bool matches(struct tn_verdict *verdict, const struct pattern *pattern, struct tn_slice text)
{
    return tn_verdict_match(verdict, pattern, text) == PATTERN_YES;
}

static bool judge_patterns(struct tn_verdict *verdict, const struct tn_object_rules *rules,
                           struct tn_slice name, yyjson_val *value, bool *matched)
{
    if (!tn_verdict_spend(verdict, rules->pattern_count * MATCH_STEPS))
        return false;
    for (size_t i = 0; i < rules->pattern_count; i++) {
        if (!matches(verdict, rules->patterns[i].pattern, name))
            continue;
        *matched = true;
        if (!verdict_flag_judge(verdict, rules->patterns[i].node, value))
            return false;
    }
    return true;
}

/* A member that `known` names, or NULL. */
static inline bool judge_member(struct tn_verdict *verdict, const struct tn_object_rules *rules,
                                const struct tn_property *known, yyjson_val *key)
{
    bool matched = known && known->node;

    if (rules->names && !verdict_flag_judge(verdict, rules->names, key))
        return false;
    if (matched && !verdict_flag_judge(verdict, known->node, key + 1))
        return false;
    if (rules->pattern_count > 0 &&
        !judge_patterns(verdict, rules,
                        (struct tn_slice){ unsafe_yyjson_get_str(key), unsafe_yyjson_get_len(key) }, key + 1,
                        &matched))
        return false;
    return matched || !rules->additional || verdict_flag_judge(verdict, rules->additional, key + 1);
}

static bool judge_dependents(struct tn_verdict *verdict, const struct tn_object_rules *rules,
                             yyjson_val *value, struct tn_seen *seen)
{
    for (size_t i = 0; i < rules->dependent_count; i++) {
        const struct tn_dependent *dependent = &rules->dependents[i];

        if (!tn_verdict_has_member(verdict, value, dependent->name))
            continue;
        if (dependent->node && !judge_beside(verdict, dependent->node, value, seen))
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
        return judge_short(verdict, &known->check, known->node, key + 1);
    return !rules->additional || judge_short(verdict, &rules->additional_check, rules->additional, key + 1);
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

#define LATER_MAX    4
#define LIGHT_VALUES 8 /* in a member that is judged as soon as it is put off */

struct named_member {
    yyjson_val            *key;
    const struct tn_check *check;
    const struct tn_node  *node;
};

/* Members that are put off, as a fault may be found sooner without them: some that have a little in them; and those that
 * are heavy, of which only the first one is kept. */
struct later {
    struct named_member some[LATER_MAX], heavy;
    size_t              count, heavy_count;
};

static void put_off(struct later *later, struct named_member one, const yyjson_val *after)
{
    if (!tn_member_is_heavy(one.key, after))
        later->some[later->count++] = one;
    else if (later->heavy_count++ == 0)
        later->heavy = one;
}

/* One that the quick look does not take: judges it; or puts it off, and sees only whether its type is right. Not inlined, for
 * the sake of those that are taken. */
__attribute__((noinline)) static bool judge_or_put_off(struct tn_verdict *verdict, struct later *later,
                                                       yyjson_val *key, const struct tn_check *check,
                                                       const struct tn_node *node)
{
    const yyjson_val *after = unsafe_yyjson_get_next(key + 1);

    if (after - key <= LIGHT_VALUES || (later->count == LATER_MAX && !tn_member_is_heavy(key, after)))
        return judge_unheld(verdict, check, node, key + 1);
    put_off(later, (struct named_member){ key, check, node }, after);
    return node->schema->types & tn_verdict_type(key + 1);
}

/* All but the first are looked for a second time, which is little beside what is in them. The first that is refused. */
static yyjson_val *judge_named_heavy(struct tn_verdict *verdict, const struct tn_object_rules *rules,
                                     const struct later *later)
{
    struct named_member one  = later->heavy;
    size_t              left = later->heavy_count;

    while (judge_unheld(verdict, one.check, one.node, one.key + 1)) {
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
        const struct named_member *one = &later->some[i];

        if (!judge_unheld(verdict, one->check, one->node, one->key + 1))
            return tn_verdict_refuse(verdict, node, value, one->key, value);
    }
    refused = later->heavy_count > 0 ? judge_named_heavy(verdict, node->schema->object, later) : NULL;
    return !refused || tn_verdict_refuse(verdict, node, value, unsafe_yyjson_get_next(value), refused);
}

/* Where a name decides which schema a member has, and there are few properties. */
__attribute__((noinline)) static bool judge_named(struct tn_verdict *verdict, const struct tn_node *node,
                                                  yyjson_val *value)
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
        tn_verdict_refuse(verdict, node, value, later.count > 0 ? later.some[0].key - 1 : key, value);
    else if (later.count + later.heavy_count > 0)
        fine = judge_later(verdict, node, value, &later);
    verdict->depth--;
    return fine;
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
    refused = seen || tn_member_is_heavy(value, end)
                  ? judge_light(verdict, rules, value, &present, seen, &put_off)
                  : judge_each(verdict, rules, value, &present);
    if (refused || !tn_present_all(rules, present.bits))
        return tn_verdict_refuse(verdict, node, value, refused ? refused : end, value);
    refused = put_off.count > 0 ? judge_heavy(verdict, rules, &put_off) : NULL;
    return !refused || tn_verdict_refuse(verdict, node, value, end, refused);
}

#define NAMES_FEW 4 /* that are looked for one by one */

/* Only whether members are there: few names are found faster than each member is looked up. */
__attribute__((noinline)) static bool judge_presence(struct tn_verdict *verdict, const struct tn_node *node,
                                                     yyjson_val *value)
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

    if (rules->only_required && rules->count <= NAMES_FEW && !seen)
        return tn_verdict_spend(verdict, unsafe_yyjson_get_len(value)) &&
               judge_presence(verdict, node, value);
    if (!rules->by_name || rules->count > PRESENT_FEW || seen)
        return judge_members(verdict, node, value, seen);
    if (!tn_verdict_spend(verdict, unsafe_yyjson_get_len(value)))
        return false;
    verdict->depth--; /* which judge_named() counts, too */
    fine = judge_named(verdict, node, value);
    verdict->depth++;
    return fine;
}

static bool judge_object(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value,
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

static bool judge_members_left(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value,
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
        if (!verdict_flag_judge(verdict, left, key + 1))
            return tn_verdict_refuse(verdict, node, value, end, end);
    }
    return true;
}

/* ---- In place ---------------------------------------------------------------------------------------------- */

static bool judge_any(struct tn_verdict *verdict, const struct tn_nodes *nodes, yyjson_val *value,
                      struct tn_seen *seen)
{
    bool found = false;

    for (size_t i = 0; i < nodes->count && (!found || seen); i++)
        found |= judge_branch_of(verdict, nodes, i, value, seen);
    return found;
}

static bool judge_one(struct tn_verdict *verdict, const struct tn_nodes *nodes, yyjson_val *value,
                      struct tn_seen *seen)
{
    size_t found = 0;

    for (size_t i = 0; i < nodes->count && found < 2; i++)
        found += judge_branch_of(verdict, nodes, i, value, seen);
    return found == 1;
}

static bool judge_dynamic(struct tn_verdict *verdict, const struct tn_in_place *place, yyjson_val *value,
                          struct tn_seen *seen)
{
    verdict->scoped |= place->dynamic_name != NULL;
    return judge_beside(verdict, tn_verdict_dynamic(verdict, place), value, seen);
}

static bool judge_in_place(struct tn_verdict *verdict, const struct tn_in_place *place, yyjson_val *value,
                           struct tn_seen *seen)
{
    const struct tn_node *next;

    if (place->ref && !judge_beside(verdict, place->ref, value, seen))
        return false;
    if (place->dynamic && !judge_dynamic(verdict, place, value, seen))
        return false;
    for (size_t i = 0; i < place->all_of.count; i++)
        if (!judge_beside(verdict, place->all_of.at[i], value, seen))
            return false;
    if (place->any_of.count > 0 && !judge_any(verdict, &place->any_of, value, seen))
        return false;
    if (place->one_of.count > 0 && !judge_one(verdict, &place->one_of, value, seen))
        return false;
    if (place->not_ && verdict_flag_judge(verdict, place->not_, value))
        return false;
    if (!place->if_)
        return true;
    next = judge_branch(verdict, place->if_, value, seen) ? place->then_ : place->else_;
    return !next || judge_beside(verdict, next, value, seen);
}

/* ---- The step ---------------------------------------------------------------------------------------------- */

/* What applies other schemas, to the value or to what is in it. */
static bool judge_inside(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value,
                         unsigned type, struct tn_seen *seen)
{
    const struct tn_schema *schema = node->schema;
    const struct tn_scope  *before = verdict->scope;
    struct tn_scope         scope  = { before, schema->resource };
    bool                    fine;

    if (verdict->depth == VERDICT_DEPTH_MAX) {
        verdict->gave_up = true;
        return false;
    }
    verdict->depth++;
    if (!before || before->resource != schema->resource)
        verdict->scope = &scope;
    fine = !schema->in_place || judge_in_place(verdict, schema->in_place, value, seen);
    if (fine && type == TYPE_OBJECT)
        fine = !schema->object || judge_object(verdict, node, value, seen);
    else if (fine && type == TYPE_ARRAY)
        fine = judge_array(verdict, node, value, seen);
    verdict->scope = before;
    verdict->depth--;
    return fine;
}

/* A schema with unevaluated* counts for itself what it saw, and tells what is around it only when it holds. */
static bool judge_counted(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value,
                          unsigned type, struct tn_seen *around)
{
    const struct tn_scope *before = verdict->scope;
    struct tn_scope        scope  = { before, node->schema->resource };
    struct tn_seen         own;
    bool                   fine;

    if (!tn_seen_init(verdict, &own, unsafe_yyjson_get_len(value)))
        return false;
    own.by         = node;
    verdict->scope = &scope;
    fine           = judge_deep(verdict, node, value, type, &own) &&
           (type == TYPE_OBJECT ? judge_members_left : judge_items_left)(verdict, node, value, &own);
    verdict->scope = before;
    if (fine)
        tn_seen_merge(around, &own);
    return fine;
}

/* What is more than a check of the value alone. */
static bool judge_deep(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value,
                       unsigned type, struct tn_seen *seen)
{
    const struct tn_schema *schema = node->schema;

    for (unsigned hops = 0; schema->alias; schema = node->schema, hops++) {
        verdict->gave_up |= hops == VERDICT_DEPTH_MAX;
        node = schema->alias;
        if (!(node->schema->types & type) || verdict->gave_up)
            return false;
    }
    if (verdict->gave_up || !tn_verdict_spend(verdict, 1))
        return false;
    if ((schema->alone & type) && !tn_verdict_flag_alone(verdict, node, value, type))
        return false;
    if ((schema->counts & type) && !(seen && seen->by == node))
        return judge_counted(verdict, node, value, type, seen);
    return !(schema->inside & type) || judge_inside(verdict, node, value, type, seen);
}

__attribute__((noinline)) static bool judge_each_item(struct tn_verdict *verdict, const struct tn_node *node,
                                                      yyjson_val *value)
{
    const struct tn_array_rules *rules = node->schema->array;
    size_t                       count = unsafe_yyjson_get_len(value);
    yyjson_val                  *item  = unsafe_yyjson_get_first(value);

    if (count < node->list.min || count > node->list.max)
        return tn_verdict_refuse(verdict, node, value, value, value);
    verdict->depth++;
    while (count > 0 && judge_short(verdict, &rules->items_check, rules->items, item)) {
        count--;
        item = unsafe_yyjson_get_next(item);
    }
    verdict->depth--;
    return count == 0 || tn_verdict_refuse(verdict, node, value, item, item);
}

/* Need no scope be opened for it? */
static inline bool is_in_scope(const struct tn_verdict *verdict, const struct tn_schema *schema)
{
    return verdict->scope && verdict->scope->resource == schema->resource;
}

/* A container whose schema asks for nothing but what it asks of its parts: the same as judge_more(), in fewer steps.
 * It needs no frame, either. */
static bool judge_straight(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value)
{
    const struct tn_schema *schema = node->schema;
    size_t                  count  = unsafe_yyjson_get_len(value);
    bool                    object = unsafe_yyjson_is_obj(value);

    if (!(schema->types & schema->inside & (object ? TYPE_OBJECT : TYPE_ARRAY)) ||
        verdict->depth == VERDICT_DEPTH_MAX || !is_in_scope(verdict, schema))
        return judge_at_length(verdict, node, value);
    if (verdict->gave_up || !tn_verdict_spend(verdict, count + 1))
        return false;
    if (object && (count < schema->object->min || count > schema->object->max))
        return tn_verdict_refuse(verdict, node, value, value, value);
    if (object && schema->object->only_required && schema->object->count <= NAMES_FEW)
        return judge_presence(verdict, node, value);
    return object ? judge_named(verdict, node, value) : judge_each_item(verdict, node, value);
}

/* A schema that is nothing but its alternatives. */
__attribute__((noinline)) static bool judge_fork(struct tn_verdict *verdict, const struct tn_node *node,
                                                 yyjson_val *value)
{
    const struct tn_in_place *place = node->schema->in_place;
    bool                      fine;

    if (verdict->depth == VERDICT_DEPTH_MAX || !is_in_scope(verdict, node->schema))
        return verdict_flag_judge(verdict, node, value);
    if (verdict->gave_up || !tn_verdict_spend(verdict, 1))
        return false;
    verdict->depth++;
    fine = (place->any_of.count == 0 || judge_any(verdict, &place->any_of, value, NULL)) &&
           (place->one_of.count == 0 || judge_one(verdict, &place->one_of, value, NULL));
    verdict->depth--;
    return fine;
}

/* What there is beyond the type. Not inlined: it is called wherever a schema is applied. */
__attribute__((noinline)) static bool judge_more(struct tn_verdict *verdict, const struct tn_node *node,
                                                 yyjson_val *value, unsigned type, struct tn_seen *seen)
{
    if (node->schema->inside & type)
        return judge_deep(verdict, node, value, type, seen);
    return !verdict->gave_up && tn_verdict_spend(verdict, 1) &&
           tn_verdict_flag_alone(verdict, node, value, type);
}

/* The whole of a document: no schema is around it. */
static bool judge_root(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value)
{
    struct tn_scope scope = { NULL, node->schema->resource };
    bool            fine;

    verdict->scope = &scope;
    fine           = judge_straight(verdict, node, value);
    verdict->scope = NULL;
    return fine;
}

bool tn_verdict_flag(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value,
                     struct tn_seen *seen)
{
    if (node->schema->straight && !verdict->scope && !seen && unsafe_yyjson_is_ctn(value))
        return judge_root(verdict, node, value);
    return judge_branch(verdict, node, value, seen);
}

bool tn_verdict_sees(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value,
                     struct tn_seen *seen)
{
    if (!tn_seen_init(verdict, seen, unsafe_yyjson_get_len(value)))
        return false;
    seen->by = node;
    return judge_deep(verdict, node, value, tn_verdict_type(value), seen);
}
