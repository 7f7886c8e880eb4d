/* known.c - collects the schemas that hold for a value, and for its parts. */
#include "contract/known.h"

#include <string.h>

#include "base/memory.h"

#define HOPS_MAX    48
#define JUDGE_STEPS ((size_t)20000)

/* ---- Judging ---------------------------------------------------------------------------------------------------- */

void tn_side_init(struct tn_side *side, const tenon_schema *schema)
{
    *side = (struct tn_side){ 0 };
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
    side->verdict.gave_up = false;
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
        if (rules && !known && rules->additional)
            tn_known_learn(&about, rules->additional);
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
        else if (rules->additional && (rules == by || rules->pattern_count == 0))
            tn_known_learn(&about, rules->additional);
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
