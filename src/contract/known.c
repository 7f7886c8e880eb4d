/* known.c - collects the schemas that hold for a value, and for its parts. */
#include "contract/known.h"

#include <string.h>

#include "base/memory.h"
#include "text/decimal.h"

#define HOPS_MAX    48
#define JUDGE_STEPS ((size_t)20000)

/* ---- Judging ---------------------------------------------------------------------------------------------------- */

/* Does a reference of the document depend on where it is reached from? */
static bool is_dynamic(yyjson_val *value)
{
    yyjson_val *end = unsafe_yyjson_get_next(value);

    for (; value < end; value++)
        if (yyjson_equals_str(value, "$dynamicRef") || yyjson_equals_str(value, "$recursiveRef"))
            return true;
    return false;
}

void tn_side_init(struct tn_side *side, const tenon_schema *schema)
{
    *side = (struct tn_side){ .root    = schema->node,
                              .dynamic = schema->node->schema->source &&
                                         is_dynamic(schema->node->schema->source) };
    tn_arena_init(&side->arena, &schema->shape.memory, 0);
    side->judge   = (struct tn_judge){ .arena   = &side->arena,
                                       .matcher = &side->matcher,
                                       .memory  = &schema->shape.memory };
    side->verdict = tn_document_verdict(schema, &side->judge, JUDGE_STEPS);
}

void tn_side_free(struct tn_side *side)
{
    tn_matcher_free(side->matcher);
    tn_arena_free(&side->arena);
}

bool tn_side_matches(struct tn_side *side, const struct pattern *pattern, struct tn_slice name, bool unsure)
{
    enum tn_pattern_result result;

    side->verdict.steps = JUDGE_STEPS;
    result              = tn_verdict_match(&side->verdict, pattern, name);
    return result == PATTERN_YES || (unsure && result != PATTERN_NO);
}

bool tn_side_accepts(struct tn_side *side, const struct tn_node *node, yyjson_val *value)
{
    side->verdict.gave_up = side->dynamic && node != side->root;
    if (side->verdict.gave_up)
        return false;
    tn_verdict_begin(&side->verdict, JUDGE_STEPS);
    return tn_verdict_flag(&side->verdict, node, value, NULL) && !side->verdict.gave_up;
}

bool tn_side_refuses(struct tn_side *side, const struct tn_node *node, yyjson_val *value)
{
    return !tn_side_accepts(side, node, value) && !side->verdict.gave_up;
}

/* ---- Facts ----------------------------------------------------------------------------------------------------- */

const struct tn_node *tn_known_end(const struct tn_node *node)
{
    for (unsigned hops = 0; node->schema->alias && hops < HOPS_MAX; hops++)
        node = node->schema->alias;
    return node;
}

const struct tn_node *tn_known_additional(const struct tn_node *node)
{
    const struct tn_object_rules *rules = node->schema->object;

    if (!rules || rules->additional || !rules->unevaluated)
        return rules ? rules->additional : NULL;
    for (size_t i = 0; i < rules->dependent_count; i++)
        if (rules->dependents[i].node)
            return NULL;
    return node->schema->in_place ? NULL : rules->unevaluated;
}

/* Numbers that are multiples of an integer are integers. */
static bool is_whole(const struct tn_number_rules *rules)
{
    yyjson_val one = { .tag = YYJSON_TYPE_NUM | YYJSON_SUBTYPE_UINT, .uni.u64 = 1 };

    return rules && rules->multiple && tn_decimal_multiple(rules->multiple, &one);
}

/* What a schema says that only negates a negation. */
static const struct tn_node *twice_negated(const struct tn_in_place *place)
{
    const struct tn_node *inner = place->not_ ? tn_known_end(place->not_) : NULL;

    return inner && yyjson_obj_size(inner->schema->source) == 1 && inner->schema->in_place
               ? inner->schema->in_place->not_
               : NULL;
}

void tn_known_learn(struct tn_known *facts, const struct tn_node *node)
{
    const struct tn_schema   *schema;
    const struct tn_in_place *place;

    node   = tn_known_end(node);
    schema = node->schema;
    place  = schema->in_place;
    for (size_t i = 0; i < facts->count; i++)
        if (facts->at[i] == node)
            return;
    facts->none |= schema->never;
    facts->types &= schema->types;
    if (is_whole(schema->number))
        facts->types &= ~(unsigned)TYPE_FRACTION;
    facts->none |= facts->types == 0;
    if (facts->count == KNOWN_MAX)
        return;
    facts->at[facts->count++] = node;
    if (!place)
        return;
    if (place->ref)
        tn_known_learn(facts, place->ref);
    if (place->dynamic && !place->dynamic_name)
        tn_known_learn(facts, place->dynamic);
    for (size_t i = 0; i < place->all_of.count; i++)
        tn_known_learn(facts, place->all_of.at[i]);
    if (twice_negated(place))
        tn_known_learn(facts, twice_negated(place));
}

const struct tn_node *tn_known_declared(const struct tn_object_rules *rules, struct tn_slice name)
{
    uint32_t at = tn_verdict_property(rules, name.at, name.len);

    return at == NO_PROPERTY ? NULL : rules->properties[at].node;
}

struct tn_known tn_known_member(struct tn_side *side, const struct tn_known *facts, struct tn_slice name)
{
    struct tn_known about = { .types = TYPE_ANY };

    for (size_t i = 0; i < facts->count; i++) {
        const struct tn_object_rules *rules = facts->at[i]->schema->object;
        const struct tn_node         *node  = rules ? tn_known_declared(rules, name) : NULL;
        bool                          known = node != NULL;

        if (node)
            tn_known_learn(&about, node);
        for (size_t j = 0; rules && j < rules->pattern_count; j++)
            if (tn_side_matches(side, rules->patterns[j].pattern, name, true)) {
                known = true;
                if (tn_side_matches(side, rules->patterns[j].pattern, name, false))
                    tn_known_learn(&about, rules->patterns[j].node);
            }
        if (rules && !known && tn_known_additional(facts->at[i]))
            tn_known_learn(&about, tn_known_additional(facts->at[i]));
    }
    return about;
}

const struct tn_object_rules *tn_known_patterned(const struct tn_known *facts)
{
    for (size_t i = 0; i < facts->count; i++)
        if (facts->at[i]->schema->object && facts->at[i]->schema->object->pattern_count > 0)
            return facts->at[i]->schema->object;
    return NULL;
}

struct tn_known tn_known_other(const struct tn_known *facts, const struct tn_object_rules *by, size_t nth)
{
    struct tn_known about = { .types = TYPE_ANY };

    for (size_t i = 0; i < facts->count; i++) {
        const struct tn_object_rules *rules = facts->at[i]->schema->object;

        if (!rules)
            continue;
        if (rules == by && nth < rules->pattern_count)
            tn_known_learn(&about, rules->patterns[nth].node);
        else if (tn_known_additional(facts->at[i]) && (rules == by || rules->pattern_count == 0))
            tn_known_learn(&about, tn_known_additional(facts->at[i]));
    }
    return about;
}

struct tn_known tn_known_item(const struct tn_known *facts, size_t index)
{
    struct tn_known about = { .types = TYPE_ANY };

    for (size_t i = 0; i < facts->count; i++) {
        const struct tn_array_rules *rules = facts->at[i]->schema->array;
        const struct tn_node        *node  = !rules                        ? NULL
                                             : index < rules->prefix.count ? rules->prefix.at[index]
                                                                           : rules->items;

        if (node)
            tn_known_learn(&about, node);
    }
    return about;
}

bool tn_known_require(const struct tn_known *facts, struct tn_slice name)
{
    for (size_t i = 0; i < facts->count; i++) {
        const struct tn_object_rules *rules = facts->at[i]->schema->object;
        uint32_t at = rules ? tn_verdict_property(rules, name.at, name.len) : NO_PROPERTY;

        if (at != NO_PROPERTY && rules->properties[at].required)
            return true;
    }
    return false;
}
