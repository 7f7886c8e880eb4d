/* inclusion.c - a proof that one schema accepts all that another accepts.
 *
 * What is known of a value is a set of facts: schemas that hold for it, flattened as far as they hold together ($ref, allOf).
 * A goal is a schema that must hold too. Each keyword of the goal is proved from the facts; what the rules here do not cover
 * is not proved. When a goal cannot be proved at once, the facts are split: by an alternative of theirs (anyOf, oneOf,
 * if), then by type.
 */
#define _GNU_SOURCE
#include "contract/inclusion.h"

#include <string.h>

#include "contract/known.h"
#include "model/json_equal.h"
#include "text/decimal.h"

#define PROOF_DEPTH_MAX 48
#define PROOF_STEPS     ((size_t)50000)

/* A goal that is being proved. When it comes again for a part of the value, it may be taken as proved: values are finite. */
struct goal {
    const struct goal     *up;
    const struct tn_known *facts;
    const struct tn_node  *node;
    unsigned               level; /* of the part in the value */
};

static const struct tn_known anything = { .types = TYPE_ANY };

struct proof {
    struct tn_side     from, to;
    size_t             steps; /* that are left */
    unsigned           depth, level;
    bool               strict; /* also members that were not declared before count */
    const struct goal *goals;
};

static bool holds(struct proof *proof, const struct tn_known *facts, const struct tn_node *goal);

/* ---- Values that can be counted --------------------------------------------------------------------------------- */

static bool may_be(struct proof *proof, const struct tn_known *facts, yyjson_val *value)
{
    for (size_t i = 0; i < facts->count; i++)
        if (tn_side_refuses(&proof->from, facts->at[i], value))
            return false;
    return (tn_verdict_type(value) & facts->types) != 0;
}

/* If there are only so many values, each is tried: 1 when the goal accepts all, 0 when not, -1 when they cannot be counted. */
static int holds_for_each(struct proof *proof, const struct tn_known *facts, const struct tn_node *goal)
{
    static yyjson_val plain[] = { { .tag = YYJSON_TYPE_NULL },
                                  { .tag = YYJSON_TYPE_BOOL | YYJSON_SUBTYPE_FALSE },
                                  { .tag = YYJSON_TYPE_BOOL | YYJSON_SUBTYPE_TRUE } };

    if ((facts->types & ~(unsigned)(TYPE_NULL | TYPE_BOOLEAN)) == 0) {
        for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
            if (may_be(proof, facts, &plain[i]) && !tn_side_accepts(&proof->to, goal, &plain[i]))
                return 0;
        return 1;
    }
    for (size_t i = 0; i < facts->count; i++) {
        const struct tn_schema *schema = facts->at[i]->schema;

        if (schema->constant)
            return !may_be(proof, facts, schema->constant) ||
                   tn_side_accepts(&proof->to, goal, schema->constant);
        for (size_t j = 0; schema->values && j < schema->values->count; j++)
            if (may_be(proof, facts, schema->values->at[j]) &&
                !tn_side_accepts(&proof->to, goal, schema->values->at[j]))
                return 0;
        if (schema->values)
            return 1;
    }
    return -1;
}

/* ---- No value has both ---------------------------------------------------------------------------------------- */

/* A member that must be there tells them apart: every value that it may have is refused by the other. */
static bool told_apart(struct proof *proof, const struct tn_known *facts, const struct tn_object_rules *rules)
{
    for (size_t i = 0; i < rules->count; i++) {
        const struct tn_property *property = &rules->properties[i];
        struct tn_slice           name     = { property->name, property->len };
        struct tn_known           about;
        bool                      counted = false, apart = true;

        if (!property->node || !tn_known_require(facts, name))
            continue;
        about = tn_known_member(&proof->from, facts, name);
        for (size_t j = 0; apart && j < about.count; j++) {
            const struct tn_values *values = about.at[j]->schema->values;
            yyjson_val             *only   = about.at[j]->schema->constant;

            counted |= values || only;
            apart = !only || tn_side_refuses(&proof->to, property->node, only);
            for (size_t k = 0; apart && values && k < values->count; k++)
                apart = tn_side_refuses(&proof->to, property->node, values->at[k]);
        }
        if (counted && apart)
            return true;
    }
    return false;
}

static bool excludes(struct proof *proof, const struct tn_known *facts, const struct tn_node *node)
{
    const struct tn_schema *schema;
    struct tn_known         other = anything;

    node   = tn_known_end(node);
    schema = node->schema;
    tn_known_learn(&other, node);
    if (facts->none || other.none || (facts->types & other.types) == 0)
        return true;
    if (schema->in_place && schema->in_place->not_ && holds(proof, facts, schema->in_place->not_))
        return true;
    if (facts->types != TYPE_OBJECT)
        return false;
    for (size_t i = 0; schema->object && i < schema->object->count; i++) {
        const struct tn_property *property = &schema->object->properties[i];

        if (property->required &&
            tn_known_member(&proof->from, facts, (struct tn_slice){ property->name, property->len }).none)
            return true;
    }
    return schema->object && told_apart(proof, facts, schema->object);
}

/* ---- The same words ------------------------------------------------------------------------------------------------ */

static bool refers(yyjson_val *value)
{
    yyjson_val *end = unsafe_yyjson_get_next(value);

    for (; value < end; value++)
        if (yyjson_is_str(value) && yyjson_get_len(value) > 3 && yyjson_get_str(value)[0] == '$' &&
            strstr(yyjson_get_str(value), "ef"))
            return true;
    return false;
}

/* Do both say the same in the same words, and lead nowhere else? */
static bool is_written_alike(struct proof *proof, const struct tn_node *fact, const struct tn_node *goal)
{
    const struct tn_schema *a = tn_known_end(fact)->schema, *b = tn_known_end(goal)->schema;

    return a->source && b->source && a->format_asserted == b->format_asserted && a->resource && b->resource &&
           a->resource->dialect == b->resource->dialect &&
           tn_json_equal(&proof->from.arena, a->source, b->source) && !refers(b->source);
}

static bool is_known(struct proof *proof, const struct tn_known *facts, const struct tn_node *goal)
{
    for (size_t i = 0; i < facts->count; i++)
        if (is_written_alike(proof, facts->at[i], goal)) {
            proof->steps -= proof->steps > 0;
            return true;
        }
    return false;
}

/* ---- Goals of one type ------------------------------------------------------------------------------------------ */

/* Of integers: what is above 0 is at least 1. */
static bool is_next(const struct tn_known *facts, const struct tn_bound *fact, yyjson_val *goal,
                    bool exclusive, int sign)
{
    yyjson_val next = { .tag = YYJSON_TYPE_NUM | YYJSON_SUBTYPE_SINT };

    if ((facts->types & TYPE_FRACTION) || exclusive || !fact->value || !fact->is_int ||
        fact->integer == INT64_MAX || fact->integer == INT64_MIN)
        return false;
    next.uni.i64 = fact->integer + sign;
    if (next.uni.i64 >= 0)
        next.tag = YYJSON_TYPE_NUM | YYJSON_SUBTYPE_UINT;
    return tn_decimal_compare(&next, goal) * sign >= 0;
}

/* Does some fact say at least as much as this bound? `sign` is 1 for lower ones, -1 for upper ones. */
static bool is_bounded(const struct tn_known *facts, yyjson_val *goal, bool exclusive, int sign)
{
    for (size_t i = 0; i < facts->count; i++) {
        const struct tn_number_rules *rules = facts->at[i]->schema->number;
        yyjson_val                   *with, *without;

        if (!rules)
            continue;
        if (is_next(facts, sign > 0 ? &rules->above : &rules->below, goal, exclusive, sign))
            return true;
        with    = sign > 0 ? rules->min.value : rules->max.value;
        without = sign > 0 ? rules->above.value : rules->below.value;
        if (without && tn_decimal_compare(without, goal) * sign >= 0)
            return true;
        if (with && tn_decimal_compare(with, goal) * sign >= (exclusive ? 1 : 0))
            return true;
    }
    return false;
}

static bool is_multiple(const struct tn_known *facts, yyjson_val *goal)
{
    yyjson_val one = { .tag = YYJSON_TYPE_NUM | YYJSON_SUBTYPE_UINT, .uni.u64 = 1 };

    for (size_t i = 0; i < facts->count; i++) {
        const struct tn_number_rules *rules = facts->at[i]->schema->number;

        if (rules && rules->multiple && tn_decimal_multiple(rules->multiple, goal))
            return true;
    }
    return !(facts->types & TYPE_FRACTION) && tn_decimal_multiple(&one, goal);
}

static bool number_holds(const struct tn_known *facts, const struct tn_number_rules *goal)
{
    return (!goal->min.value || is_bounded(facts, goal->min.value, false, 1)) &&
           (!goal->above.value || is_bounded(facts, goal->above.value, true, 1)) &&
           (!goal->max.value || is_bounded(facts, goal->max.value, false, -1)) &&
           (!goal->below.value || is_bounded(facts, goal->below.value, true, -1)) &&
           (!goal->multiple || is_multiple(facts, goal->multiple));
}

static bool text_holds(const struct tn_known *facts, const struct tn_node *goal)
{
    const struct tn_text_rules *rules = &goal->text;
    bool min = rules->min == 0, max = rules->max == SIZE_MAX, pattern = !rules->pattern_text;
    bool format = !rules->format || !goal->schema->format_asserted;

    for (size_t i = 0; i < facts->count; i++) {
        const struct tn_text_rules *known = &facts->at[i]->text;

        min |= known->min >= rules->min;
        max |= known->max <= rules->max;
        pattern |= !pattern && known->pattern_text && strcmp(known->pattern_text, rules->pattern_text) == 0;
        format |= !format && facts->at[i]->schema->format_asserted && known->format == rules->format;
    }
    return min && max && pattern && format;
}

static bool holds_inside(struct proof *proof, const struct tn_known *facts, const struct tn_node *goal)
{
    bool held;

    proof->level++;
    held = holds(proof, facts, goal);
    proof->level--;
    return held;
}

/* As many items as some fact says match what it says, which is what the goal looks for. */
static bool contains_holds(struct proof *proof, const struct tn_known *facts,
                           const struct tn_array_rules *goal)
{
    bool least = !goal->contains || goal->min_contains == 0;
    bool most  = !goal->contains || goal->max_contains == SIZE_MAX;

    for (size_t i = 0; i < facts->count && (!least || !most); i++) {
        const struct tn_array_rules *rules = facts->at[i]->schema->array;
        struct tn_known              about = anything;

        if (!rules || !rules->contains)
            continue;
        tn_known_learn(&about, rules->contains);
        least |= rules->min_contains >= goal->min_contains && holds_inside(proof, &about, goal->contains);
        most |= rules->max_contains <= goal->max_contains &&
                is_written_alike(proof, rules->contains, goal->contains);
    }
    return least && most;
}

static bool items_hold(struct proof *proof, const struct tn_known *facts, const struct tn_array_rules *goal)
{
    size_t          ahead = goal->prefix.count;
    struct tn_known about;

    if (goal->unevaluated || !contains_holds(proof, facts, goal))
        return false;
    for (size_t i = 0; i < facts->count; i++)
        if (facts->at[i]->schema->array && facts->at[i]->schema->array->prefix.count > ahead)
            ahead = facts->at[i]->schema->array->prefix.count;
    for (size_t i = 0; i < ahead; i++) {
        const struct tn_node *node = i < goal->prefix.count ? goal->prefix.at[i] : goal->items;

        about = tn_known_item(facts, i);
        if (node && !holds_inside(proof, &about, node))
            return false;
    }
    about = tn_known_item(facts, SIZE_MAX);
    return !goal->items || holds_inside(proof, &about, goal->items);
}

static bool array_holds(struct proof *proof, const struct tn_known *facts, const struct tn_node *goal)
{
    const struct tn_list_rules *rules = &goal->list;
    bool                        min = rules->min == 0, max = rules->max == SIZE_MAX, unique = !rules->unique;

    for (size_t i = 0; i < facts->count; i++) {
        min |= facts->at[i]->list.min >= rules->min;
        max |= facts->at[i]->list.max <= rules->max;
        unique |= facts->at[i]->list.unique || facts->at[i]->list.max <= 1;
    }
    return min && max && unique && (!goal->schema->array || items_hold(proof, facts, goal->schema->array));
}

/* ---- Objects ------------------------------------------------------------------------------------------------------ */

static bool counts_hold(const struct tn_known *facts, const struct tn_object_rules *goal)
{
    bool min = goal->min == 0, max = goal->max == SIZE_MAX;

    for (size_t i = 0; i < facts->count; i++) {
        const struct tn_object_rules *rules = facts->at[i]->schema->object;
        const struct tn_node         *others;

        if (!rules)
            continue;
        min |= rules->min >= goal->min || rules->required >= goal->min;
        others = tn_known_additional(facts->at[i]);
        max |= rules->max <= goal->max || (others && tn_known_end(others)->schema->never &&
                                           rules->pattern_count == 0 && rules->count <= goal->max);
    }
    return min && max;
}

/* Is the nth name of a dependency there whenever its own is? */
static bool follows(const struct tn_known *facts, const struct tn_dependent *goal, size_t nth)
{
    for (size_t i = 0; i < facts->count; i++) {
        const struct tn_object_rules *rules = facts->at[i]->schema->object;

        for (size_t j = 0; rules && j < rules->dependent_count; j++)
            for (size_t k = 0; !rules->dependents[j].node && k < rules->dependents[j].count; k++)
                if (tn_slice_same(rules->dependents[j].name, goal->name) &&
                    tn_slice_same(rules->dependents[j].names[k], goal->names[nth]))
                    return true;
    }
    return tn_known_require(facts, goal->names[nth]);
}

static bool dependents_hold(struct proof *proof, const struct tn_known *facts,
                            const struct tn_object_rules *goal)
{
    for (size_t i = 0; i < goal->dependent_count; i++) {
        const struct tn_dependent *one  = &goal->dependents[i];
        bool                       held = tn_known_member(&proof->from, facts, one->name).none;

        if (!held && one->node)
            held = holds(proof, facts, one->node);
        for (size_t j = 0; !held && !one->node && j < one->count && follows(facts, one, j); j++)
            held = j + 1 == one->count;
        if (!held)
            return false;
    }
    return true;
}

/* Does a pattern of the goal speak of it? patterns_hold() has seen it then. */
static bool is_patterned(struct proof *proof, const struct tn_object_rules *goal, struct tn_slice name)
{
    for (size_t i = 0; i < goal->pattern_count; i++)
        if (tn_side_matches(&proof->to, goal->patterns[i].pattern, name, false))
            return true;
    return false;
}

static bool others_hold(struct proof *proof, const struct tn_known *facts, const struct tn_object_rules *goal,
                        const struct tn_node *additional)
{
    const struct tn_object_rules *by = tn_known_patterned(facts);

    for (size_t i = 0; i < facts->count; i++) {
        const struct tn_object_rules *rules = facts->at[i]->schema->object;

        for (size_t j = 0; rules && j < rules->count; j++) {
            struct tn_slice       name = { rules->properties[j].name, rules->properties[j].len };
            const struct tn_node *node = tn_known_declared(goal, name) || is_patterned(proof, goal, name)
                                             ? NULL
                                             : additional;
            struct tn_known       about;

            if (!node)
                continue;
            about = tn_known_member(&proof->from, facts, name);
            if (!holds_inside(proof, &about, node))
                return false;
        }
    }
    for (size_t nth = 0; nth <= (by ? by->pattern_count : 0); nth++) {
        struct tn_known about = tn_known_other(facts, by, nth);
        bool            same  = false;

        for (size_t i = 0; by && nth < by->pattern_count && i < goal->pattern_count; i++)
            same |= strcmp(goal->patterns[i].text, by->patterns[nth].text) == 0;
        if (!same && !holds_inside(proof, &about, additional))
            return false;
    }
    return true;
}

/* Members whose names match a pattern of the goal: those that facts name, and any other. */
static bool patterns_hold(struct proof *proof, const struct tn_known *facts,
                          const struct tn_object_rules *goal)
{
    const struct tn_object_rules *by = tn_known_patterned(facts);

    for (size_t p = 0; p < goal->pattern_count; p++) {
        const struct tn_node *node = goal->patterns[p].node;
        struct tn_known       about;

        for (size_t i = 0; i < facts->count; i++) {
            const struct tn_object_rules *rules = facts->at[i]->schema->object;

            for (size_t j = 0; rules && j < rules->count; j++) {
                struct tn_slice name = { rules->properties[j].name, rules->properties[j].len };

                if (!tn_side_matches(&proof->to, goal->patterns[p].pattern, name, true))
                    continue;
                about = tn_known_member(&proof->from, facts, name);
                if (!holds_inside(proof, &about, node))
                    return false;
            }
        }
        for (size_t nth = 0; nth <= (by ? by->pattern_count : 0); nth++) {
            if (by && nth == by->pattern_count && strcmp(by->patterns[0].text, goal->patterns[p].text) == 0 &&
                by->pattern_count == 1)
                continue; /* what does not match there does not match here */
            about = tn_known_other(facts, by, nth);
            if (!holds_inside(proof, &about, node))
                return false;
        }
    }
    return true;
}

static bool mentions(struct proof *proof, const struct tn_node *node, struct tn_slice name, unsigned depth);

static bool any_mentions(struct proof *proof, const struct tn_nodes *nodes, struct tn_slice name,
                         unsigned depth)
{
    for (size_t i = 0; i < nodes->count; i++)
        if (mentions(proof, nodes->at[i], name, depth))
            return true;
    return false;
}

/* Does a schema, or one that judges the same value with it, speak of a member with this name in any way? */
static bool mentions(struct proof *proof, const struct tn_node *node, struct tn_slice name, unsigned depth)
{
    const struct tn_object_rules *rules;
    const struct tn_in_place     *place;

    if (depth >= PROOF_DEPTH_MAX || proof->steps == 0)
        return true;
    proof->steps--;
    node  = tn_known_end(node);
    rules = node->schema->object;
    place = node->schema->in_place;
    if (rules && (tn_verdict_property(rules, name.at, name.len) != NO_PROPERTY || rules->pattern_count > 0 ||
                  rules->additional || rules->unevaluated || rules->names || rules->dependent_count > 0))
        return true;
    if (node->schema->values || node->schema->constant)
        return true;
    if (!place)
        return false;
    if ((place->ref && mentions(proof, place->ref, name, depth + 1)) ||
        (place->dynamic && mentions(proof, place->dynamic, name, depth + 1)) ||
        (place->not_ && mentions(proof, place->not_, name, depth + 1)) ||
        (place->if_ && mentions(proof, place->if_, name, depth + 1)) ||
        (place->then_ && mentions(proof, place->then_, name, depth + 1)) ||
        (place->else_ && mentions(proof, place->else_, name, depth + 1)))
        return true;
    return any_mentions(proof, &place->all_of, name, depth + 1) ||
           any_mentions(proof, &place->any_of, name, depth + 1) ||
           any_mentions(proof, &place->one_of, name, depth + 1);
}

/* Only the goal knows of this member: see inclusion.h. */
static bool is_new(struct proof *proof, const struct tn_known *facts, struct tn_slice name)
{
    bool declares = proof->level == 0; /* without parameters there are no calls that use any; a map has any */

    if (proof->strict || facts->count == KNOWN_MAX)
        return false;
    for (size_t i = 0; i < facts->count; i++) {
        if (mentions(proof, facts->at[i], name, 0))
            return false;
        declares |= facts->at[i]->schema->object && facts->at[i]->schema->object->count > 0;
    }
    return facts->count > 0 && declares;
}

static bool object_holds(struct proof *proof, const struct tn_known *facts, const struct tn_node *node)
{
    const struct tn_object_rules *goal       = node->schema->object;
    const struct tn_node         *additional = tn_known_additional(node);
    struct tn_known               about;

    if ((goal->unevaluated && additional != goal->unevaluated) || !counts_hold(facts, goal))
        return false;
    for (size_t i = 0; i < goal->count; i++) {
        struct tn_slice name = { goal->properties[i].name, goal->properties[i].len };

        if (goal->properties[i].required && !tn_known_require(facts, name))
            return false;
        if (!goal->properties[i].node)
            continue;
        about = tn_known_member(&proof->from, facts, name);
        if (about.count == 0 && is_new(proof, facts, name))
            continue;
        if (!holds_inside(proof, &about, goal->properties[i].node))
            return false;
    }
    if (goal->names) {
        about       = anything;
        about.types = TYPE_STRING;
        for (size_t i = 0; i < facts->count; i++)
            if (facts->at[i]->schema->object && facts->at[i]->schema->object->names)
                tn_known_learn(&about, facts->at[i]->schema->object->names);
        if (!holds_inside(proof, &about, goal->names))
            return false;
    }
    return patterns_hold(proof, facts, goal) &&
           (!additional || others_hold(proof, facts, goal, additional)) &&
           dependents_hold(proof, facts, goal);
}

/* ---- Goals that are made of goals --------------------------------------------------------------------------------- */

static bool any_holds(struct proof *proof, const struct tn_known *facts, const struct tn_nodes *goals)
{
    for (size_t i = 0; i < goals->count; i++)
        if (holds(proof, facts, goals->at[i]))
            return true;
    return goals->count == 0;
}

static bool one_holds(struct proof *proof, const struct tn_known *facts, const struct tn_nodes *goals)
{
    size_t kept = goals->count;

    for (size_t i = 0; i < goals->count; i++)
        if (!excludes(proof, facts, goals->at[i])) {
            if (kept < goals->count || !holds(proof, facts, goals->at[i]))
                return false;
            kept = i;
        }
    return goals->count == 0 || kept < goals->count;
}

static bool in_place_holds(struct proof *proof, const struct tn_known *facts, const struct tn_in_place *goal)
{
    if (goal->dynamic && goal->dynamic_name)
        return false;
    if ((goal->ref && !holds(proof, facts, goal->ref)) ||
        (goal->dynamic && !holds(proof, facts, goal->dynamic)))
        return false;
    for (size_t i = 0; i < goal->all_of.count; i++)
        if (!holds(proof, facts, goal->all_of.at[i]))
            return false;
    if (goal->not_ && !excludes(proof, facts, goal->not_))
        return false;
    if (goal->if_ && goal->then_ && !excludes(proof, facts, goal->if_) && !holds(proof, facts, goal->then_))
        return false;
    if (goal->if_ && goal->else_ && !holds(proof, facts, goal->if_) && !holds(proof, facts, goal->else_))
        return false;
    return any_holds(proof, facts, &goal->any_of) && one_holds(proof, facts, &goal->one_of);
}

/* ---- The proof ------------------------------------------------------------------------------------------------------ */

static bool goal_holds(struct proof *proof, const struct tn_known *facts, const struct tn_node *goal)
{
    const struct tn_schema *schema = goal->schema;

    if (is_known(proof, facts, goal))
        return true;
    if (schema->never || (facts->types & ~(unsigned)schema->types) || schema->constant || schema->values)
        return false;
    if ((facts->types & TYPE_NUMBER) && schema->number && !number_holds(facts, schema->number))
        return false;
    if ((facts->types & TYPE_STRING) && !text_holds(facts, goal))
        return false;
    if ((facts->types & TYPE_ARRAY) && !array_holds(proof, facts, goal))
        return false;
    if ((facts->types & TYPE_OBJECT) && schema->object && !object_holds(proof, facts, goal))
        return false;
    return !schema->in_place || in_place_holds(proof, facts, schema->in_place);
}

static bool same_facts(const struct tn_known *a, const struct tn_known *b)
{
    return a->count == b->count && a->types == b->types && a->split == b->split &&
           memcmp((const void *)a->at, (const void *)b->at, a->count * sizeof *a->at) == 0;
}

/* Each of the ways in which a fact can hold, alone. */
static bool holds_for_ways(struct proof *proof, const struct tn_known *facts, size_t at,
                           const struct tn_node *goal)
{
    const struct tn_in_place *place = facts->at[at]->schema->in_place;
    const struct tn_nodes    *ways  = place->any_of.count > 0 ? &place->any_of : &place->one_of;
    struct tn_known           more;

    for (size_t i = 0; i < ways->count; i++) {
        more = *facts;
        more.split |= 1u << at;
        tn_known_learn(&more, ways->at[i]);
        if (!holds(proof, &more, goal))
            return false;
    }
    for (size_t i = 0; ways->count == 0 && i < 2; i++) {
        const struct tn_node *branch = i == 0 ? place->then_ : place->else_;

        more = *facts;
        more.split |= 1u << at;
        if (i == 0)
            tn_known_learn(&more, place->if_);
        if (branch)
            tn_known_learn(&more, branch);
        if (!holds(proof, &more, goal))
            return false;
    }
    return true;
}

static bool has_ways(const struct tn_in_place *place)
{
    return place && (place->any_of.count > 0 || place->one_of.count > 0 || place->if_);
}

static bool holds_split(struct proof *proof, const struct tn_known *facts, const struct tn_node *goal)
{
    for (size_t i = 0; i < facts->count; i++)
        if (!(facts->split & (1u << i)) && has_ways(facts->at[i]->schema->in_place))
            return holds_for_ways(proof, facts, i, goal);
    if ((facts->types & (facts->types - 1)) == 0)
        return false;
    for (unsigned type = 1; type <= TYPE_OBJECT; type <<= 1) {
        struct tn_known one = *facts;

        one.types &= type;
        if (one.types && !holds(proof, &one, goal))
            return false;
    }
    return true;
}

static bool holds(struct proof *proof, const struct tn_known *facts, const struct tn_node *goal)
{
    struct goal here = { proof->goals, facts, tn_known_end(goal), proof->level };
    int         counted;
    bool        held;

    if (facts->none)
        return true;
    if (proof->steps == 0 || proof->depth >= PROOF_DEPTH_MAX)
        return false;
    proof->steps--;
    for (const struct goal *up = proof->goals; up; up = up->up)
        if (up->node == here.node && same_facts(up->facts, facts))
            return up->level < here.level;
    counted = holds_for_each(proof, facts, here.node);
    if (counted >= 0)
        return counted;
    proof->goals = &here;
    proof->depth++;
    held = goal_holds(proof, facts, here.node) || holds_split(proof, facts, here.node);
    proof->depth--;
    proof->goals = here.up;
    return held;
}

static bool prove(const tenon_schema *from, const tenon_schema *to, bool strict)
{
    struct proof    proof = { .steps = PROOF_STEPS, .strict = strict };
    struct tn_known facts = anything;
    bool            held;

    tn_side_init(&proof.from, from);
    tn_side_init(&proof.to, to);
    tn_known_learn(&facts, from->node);
    held = holds(&proof, &facts, to->node) && !proof.from.arena.failed && !proof.to.arena.failed;
    tn_side_free(&proof.from);
    tn_side_free(&proof.to);
    return held;
}

bool tn_inclusion_proved(const tenon_schema *from, const tenon_schema *to)
{
    return prove(from, to, false);
}

bool tn_inclusion_strict(const tenon_schema *from, const tenon_schema *to)
{
    return prove(from, to, true);
}
