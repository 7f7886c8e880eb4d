/* verdict_object.c - objects: one pass over the members, one look-up for each. */
#include <string.h>

#include "document/verdict.h"

#define PROPERTIES_FEW 256 /* that fit the bits on the stack */

uint32_t tn_verdict_property(const struct tn_object_rules *rules, const char *name, size_t len)
{
    return tn_property_find(rules, name, len, NO_PROPERTY);
}

/* ---- Unknown members --------------------------------------------------------------------------------------- */

/* `false` for a member that the schema does not name is told as an unknown name. */
static bool refuse_member(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *object,
                          const struct tn_schema_location *at, const char *keyword)
{
    struct tn_issue *issue;

    tn_verdict_fault(verdict, node, at, NULL, ISSUE_UNKNOWN, NULL, &issue);
    if (!issue)
        return false;
    issue->keyword      = keyword;
    issue->addressed    = NULL;
    issue->schema       = node->schema;
    issue->why          = verdict->member;
    issue->place.object = object;
    return false;
}

/* ---- Members ----------------------------------------------------------------------------------------------- */

struct member {
    struct tn_slice     name;
    yyjson_val         *value;
    size_t              index;
    enum tn_schema_part part;
};

static bool judge_named(struct tn_verdict *verdict, const struct tn_property *property,
                        const struct member *member, const struct tn_schema_location *up)
{
    struct tn_schema_location at = { .up       = up,
                                     .keyword  = "properties",
                                     .key      = member->name,
                                     .moves    = AT_MEMBER,
                                     .name     = member->name,
                                     .part     = member->part,
                                     .required = property->required };

    return tn_verdict_step(verdict, property->node, member->value, &at, NULL);
}

static bool judge_patterns(struct tn_verdict *verdict, const struct tn_object_rules *rules,
                           const struct member *member, const struct tn_schema_location *up, bool *matched)
{
    bool fine = tn_verdict_spend(verdict, rules->pattern_count * MATCH_STEPS);

    for (size_t i = 0; !verdict->gave_up && i < rules->pattern_count; i++) {
        const struct tn_pattern_property *pattern = &rules->patterns[i];
        struct tn_schema_location         at      = { .up      = up,
                                                      .keyword = "patternProperties",
                                                      .key     = tn_slice_of(pattern->text),
                                                      .moves   = AT_MEMBER,
                                                      .name    = member->name,
                                                      .part    = member->part };

        if (tn_verdict_match(verdict, pattern->pattern, member->name) != PATTERN_YES)
            continue;
        *matched = true;
        fine &= tn_verdict_step(verdict, pattern->node, member->value, &at, NULL);
    }
    return fine;
}

static bool judge_additional(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *object,
                             const struct member *member, const struct tn_schema_location *up)
{
    const struct tn_node     *additional = node->schema->object->additional;
    struct tn_schema_location at         = { .up        = up,
                                             .keyword   = "additionalProperties",
                                             .key_index = SIZE_MAX,
                                             .moves     = AT_MEMBER,
                                             .name      = member->name,
                                             .part      = member->part };

    if (additional->schema->never)
        return refuse_member(verdict, node, object, &at, "additionalProperties");
    return tn_verdict_step(verdict, additional, member->value, &at, NULL);
}

static bool judge_name(struct tn_verdict *verdict, const struct tn_node *names, const struct member *member,
                       yyjson_val *key, const struct tn_schema_location *up)
{
    struct tn_schema_location at = {
        .up = up, .keyword = "propertyNames", .key_index = SIZE_MAX, .moves = AT_MEMBER, .name = member->name
    };

    return tn_verdict_quiet(verdict, names, key, NULL) ||
           tn_verdict_fault(verdict, names, &at, NULL, ISSUE_NAME, key, NULL);
}

/* One member by everything that may speak of it. */
static bool judge_member(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *object,
                         yyjson_val *key, const struct member *member, uint32_t known,
                         const struct tn_schema_location *at, struct tn_seen *seen)
{
    const struct tn_object_rules *rules = node->schema->object;
    bool                          fine = true, matched = false;

    if (rules->names)
        fine = judge_name(verdict, rules->names, member, key, at);
    if (known != NO_PROPERTY && rules->properties[known].node) {
        matched = true;
        fine &= judge_named(verdict, &rules->properties[known], member, at);
    }
    if (rules->pattern_count > 0)
        fine &= judge_patterns(verdict, rules, member, at, &matched);
    if (!matched && rules->additional) {
        matched = true;
        fine &= judge_additional(verdict, node, object, member, at);
    }
    if (matched)
        tn_seen_add(seen, member->index);
    return fine;
}

bool tn_verdict_evaluates(struct tn_verdict *verdict, const struct tn_object_rules *rules,
                          const struct tn_property *known, yyjson_val *key)
{
    struct tn_slice name = { unsafe_yyjson_get_str(key), unsafe_yyjson_get_len(key) };

    if (rules->additional || (known && known->node))
        return true;
    for (size_t i = 0; i < rules->pattern_count; i++)
        if (tn_verdict_match(verdict, rules->patterns[i].pattern, name) == PATTERN_YES)
            return true;
    return false;
}

/* ---- Presence ---------------------------------------------------------------------------------------------- */

static bool miss(struct tn_verdict *verdict, const struct tn_node *node, struct tn_slice name,
                 const struct tn_schema_location *up, const char *keyword, struct tn_slice because)
{
    const struct tn_object_rules *rules = node->schema->object;
    uint32_t                      known = tn_verdict_property(rules, name.at, name.len);
    struct tn_schema_location     at    = {
               .up = up, .moves = AT_MEMBER, .name = name, .key_index = SIZE_MAX, .required = true
    };
    struct tn_issue *issue;

    tn_verdict_fault(verdict, known == NO_PROPERTY ? NULL : rules->properties[known].node, &at, NULL,
                     because.at ? ISSUE_REQUIRES : ISSUE_REQUIRED, NULL, &issue);
    if (!issue)
        return false;
    issue->keyword = keyword;
    issue->other   = because;
    issue->schema  = node->schema;
    if (issue->place.at)
        issue->place.way = issue->place.at->up; /* it is the object that lacks it */
    issue->place.keyword = keyword;
    return false;
}

static bool judge_required(struct tn_verdict *verdict, const struct tn_node *node, const uint64_t *found,
                           const struct tn_schema_location *at)
{
    const struct tn_object_rules *rules = node->schema->object;
    bool                          fine  = true;

    for (size_t i = 0; i < rules->count; i++) {
        const struct tn_property *property = &rules->properties[i];

        if (property->required && !(found[i / 64] >> i % 64 & 1))
            fine = miss(verdict, node, (struct tn_slice){ property->name, property->len }, at, "required",
                        (struct tn_slice){ NULL, 0 });
    }
    return fine;
}

static bool judge_dependents(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value,
                             const struct tn_schema_location *up, struct tn_seen *seen)
{
    const struct tn_object_rules *rules = node->schema->object;
    bool                          fine  = true;

    for (size_t i = 0; !verdict->gave_up && i < rules->dependent_count; i++) {
        const struct tn_dependent *dependent = &rules->dependents[i];
        struct tn_schema_location  at = { .up = up, .keyword = dependent->keyword, .key = dependent->name };

        if (!tn_verdict_member(verdict, value, dependent->name.at, dependent->name.len))
            continue;
        if (dependent->node)
            fine &= tn_verdict_step(verdict, dependent->node, value, &at, seen);
        for (size_t k = 0; k < dependent->count; k++)
            if (!tn_verdict_member(verdict, value, dependent->names[k].at, dependent->names[k].len))
                fine = miss(verdict, node, dependent->names[k], up, dependent->keyword, dependent->name);
    }
    return fine;
}

static bool judge_unevaluated(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value,
                              const struct tn_schema_location *up, struct tn_seen *seen)
{
    const struct tn_node *inner = node->schema->object->unevaluated;
    bool                  fine  = true;
    size_t                i     = 0;
    yyjson_obj_iter       iter;
    yyjson_val           *key;

    yyjson_obj_iter_init(value, &iter);
    for (; (key = yyjson_obj_iter_next(&iter)); i++) {
        struct tn_slice           name = { yyjson_get_str(key), yyjson_get_len(key) };
        struct tn_schema_location at   = { .up        = up,
                                           .keyword   = "unevaluatedProperties",
                                           .key_index = SIZE_MAX,
                                           .moves     = AT_MEMBER,
                                           .name      = name };

        if (tn_seen_has(seen, i))
            continue;
        tn_seen_add(seen, i);
        if (inner->schema->never)
            fine = refuse_member(verdict, node, value, &at, "unevaluatedProperties");
        else
            fine &= tn_verdict_step(verdict, inner, yyjson_obj_iter_get_val(key), &at, NULL);
    }
    return fine;
}

/* ---- The object -------------------------------------------------------------------------------------------- */

static bool judge_count(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value,
                        const struct tn_schema_location *at)
{
    const struct tn_object_rules *rules = node->schema->object;
    size_t                        count = unsafe_yyjson_get_len(value);
    struct tn_issue              *issue;

    if (count >= rules->min && count <= rules->max)
        return true;
    tn_verdict_fault(verdict, node, at, count < rules->min ? "minProperties" : "maxProperties", ISSUE_MEMBERS,
                     value, &issue);
    if (issue)
        issue->count = count;
    return false;
}

static bool judge_members(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value,
                          const struct tn_schema_location *at, const struct tn_fact *fact,
                          struct tn_seen *seen)
{
    const struct tn_object_rules *rules                    = node->schema->object;
    uint64_t                      few[PROPERTIES_FEW / 64] = { 0 };
    uint64_t                     *found                    = rules->count <= PROPERTIES_FEW
                                                                 ? few
                                                                 : tn_arena_array(verdict->judge->arena, rules->count / 64 + 1, uint64_t);
    uint32_t                      next                     = 0;
    bool                          fine                     = true;
    size_t                        i                        = 0;
    yyjson_obj_iter               iter;
    yyjson_val                   *key;

    if (!found || !tn_verdict_spend(verdict, unsafe_yyjson_get_len(value) + rules->count))
        return false;
    yyjson_obj_iter_init(value, &iter);
    for (; (key = yyjson_obj_iter_next(&iter)); i++) {
        struct member member = {
            { unsafe_yyjson_get_str(key), unsafe_yyjson_get_len(key) }, key + 1, i, tn_fact_member(fact, key)
        };
        uint32_t known = tn_property_find(rules, member.name.at, member.name.len, next);

        if (known != NO_PROPERTY) {
            next = known + 1;
            found[known / 64] |= UINT64_C(1) << known % 64;
        }
        if (member.part != PART_VALID)
            fine &= judge_member(verdict, node, value, key, &member, known, at, seen);
        else if (seen && tn_verdict_evaluates(verdict, rules,
                                              known == NO_PROPERTY ? NULL : &rules->properties[known], key))
            tn_seen_add(seen, i);
    }
    return (rules->required == 0 || judge_required(verdict, node, found, at)) && fine;
}

bool tn_verdict_object(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value,
                       const struct tn_schema_location *at, const struct tn_fact *fact, struct tn_seen *seen)
{
    const struct tn_object_rules *rules = node->schema->object;
    bool                          fine;

    if (!rules)
        return true;
    fine = judge_count(verdict, node, value, at);
    if (rules->by_member)
        fine &= judge_members(verdict, node, value, at, fact, seen);
    if (rules->dependent_count > 0)
        fine &= judge_dependents(verdict, node, value, at, seen);
    if (rules->unevaluated)
        fine &= judge_unevaluated(verdict, node, value, at, seen);
    return fine;
}
