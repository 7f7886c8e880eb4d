/* members.c - objects in which a name alone decides what a member has to be: one pass finds those that are not taken at once. */
#include "document/verdict/members.h"

#include "document/verdict/flag.h"
#include "document/verdict/plain.h"
#include "document/verdict/present.h"

/* ---- Finding ------------------------------------------------------------------------------------------------ */

/* Of a member that its check does not take. */
static bool is_open(const struct tn_fact *fact, yyjson_val *key)
{
    return !(unsafe_yyjson_is_ctn(key + 1) && tn_fact_member(fact, key) == PART_VALID);
}

static inline bool find(const struct tn_verdict *verdict, const struct tn_object_rules *rules,
                        yyjson_val *value, const struct tn_fact *fact, struct tn_members *members)
{
    const struct tn_property *const first = rules->properties;
    const struct tn_property       *next  = first, *property;
    const bool                      any   = rules->count > 0;
    yyjson_val                     *key = unsafe_yyjson_get_first(value), *other = NULL;
    size_t                          left = unsafe_yyjson_get_len(value), others = 0;
    unsigned                        types = tn_plain_types(verdict), known;
    uint64_t                        there = 0, open = 0, plain = 0, bit;
    enum tn_check_result            result;

    for (; left > 0; left--, key = unsafe_yyjson_get_next(key + 1)) {
        property = any && tn_property_follows(next, key) ? next : tn_property_named(rules, key);
        if (!property) {
            others = other ? others : left;
            other  = other ? other : key;
            continue;
        }
        known = (unsigned)(property - first);
        bit   = UINT64_C(1) << known;
        if (there & bit)
            return false;
        there |= bit;
        next   = property + 1;
        result = property->node ? tn_check_result(&property->check, key + 1) : CHECK_HOLDS;
        if (result == CHECK_HOLDS)
            continue;
        members->keys[known] = key;
        if (tn_plain_is(property, key + 1, types, result))
            plain |= bit;
        else if (is_open(fact, key))
            open |= bit;
    }
    members->there  = there;
    members->plain  = plain;
    members->open   = open | plain;
    members->other  = rules->additional ? other : NULL;
    members->others = others;
    members->looked = false;
    return true;
}

bool tn_members_find(const struct tn_verdict *verdict, const struct tn_object_rules *rules, yyjson_val *value,
                     const struct tn_fact *fact, struct tn_members *members)
{
    return find(verdict, rules, value, fact, members);
}

/* ---- The first look ----------------------------------------------------------------------------------------- */

static void look_at_open(struct tn_verdict *verdict, const struct tn_object_rules *rules,
                         struct tn_members *members)
{
    for (uint64_t left = members->open & ~members->plain; left; left &= left - 1) {
        unsigned                  known    = (unsigned)__builtin_ctzll(left);
        const struct tn_property *property = &rules->properties[known];

        if (tn_flag_unheld(verdict, &property->check, property->node, members->keys[known] + 1))
            members->open &= ~(UINT64_C(1) << known);
    }
}

/* Up to the first that is refused: where none may be there, that is the first of all. */
static void look_at_others(struct tn_verdict *verdict, const struct tn_object_rules *rules,
                           struct tn_members *members)
{
    yyjson_val *key = members->other;

    for (; members->others > 0; members->others--, key = unsafe_yyjson_get_next(key + 1)) {
        if (tn_check_holds(&rules->additional_check, key + 1) || tn_property_named(rules, key) ||
            tn_flag_unheld(verdict, &rules->additional_check, rules->additional, key + 1))
            continue;
        members->other = key;
        return;
    }
    members->other = NULL;
}

/* What one pass does not see. */
static void look_closer(struct tn_verdict *verdict, const struct tn_schema *schema,
                        struct tn_members *members)
{
    const struct tn_object_rules *rules = schema->object;
    struct tn_scope               scope = { NULL, schema->resource };

    verdict->scope = &scope;
    verdict->depth++;
    look_at_open(verdict, rules, members);
    if (members->other && !rules->additional->schema->never)
        look_at_others(verdict, rules, members);
    verdict->depth--;
    verdict->scope = NULL;
}

bool tn_members_look(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value,
                     struct tn_members *members, bool *fine)
{
    const struct tn_object_rules *rules = node->schema->object;
    size_t                        count = unsafe_yyjson_get_len(value);

    if (!tn_verdict_spend(verdict, count + 1) || !find(verdict, rules, value, NULL, members))
        return false;
    if (members->open != members->plain || members->other)
        look_closer(verdict, node->schema, members);
    members->looked = true;
    *fine           = !members->open && !members->other && count >= rules->min && count <= rules->max &&
            (members->there & rules->required_bits) == rules->required_bits;
    return true;
}

/* ---- The report --------------------------------------------------------------------------------------------- */

/* Of a member of another name: after the first one that is refused none was looked at. */
static enum tn_schema_part part_of(const struct tn_members *members, const struct tn_fact *fact,
                                   yyjson_val *key)
{
    if (!members->looked)
        return tn_fact_member(fact, key);
    return key == members->other ? PART_REFUSED : PART_OPEN;
}

static void note_name(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *object,
                      const struct tn_member *member, const struct tn_location *up)
{
    struct tn_issue *issue = tn_plain_note(verdict, member->key, up);

    if (!issue)
        return;
    issue->node           = node;
    issue->why            = verdict->member;
    issue->brief          = member->unknown_before;
    issue->place.property = NULL;
    issue->place.object   = object;
    issue->place.secret   = verdict->secret > 0;
}

static bool report_others(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value,
                          const struct tn_location *at, const struct tn_fact *fact,
                          const struct tn_members *members)
{
    const struct tn_object_rules *rules = node->schema->object;
    bool                          never = rules->additional->schema->never, fine = true;
    struct tn_member              member = { 0 };
    yyjson_val                   *key    = members->other;

    for (size_t left = members->others; left > 0; left--, key = unsafe_yyjson_get_next(key + 1)) {
        if (key != members->other && tn_property_named(rules, key))
            continue;
        member.key  = key;
        member.part = part_of(members, fact, key);
        if (never)
            note_name(verdict, node, value, &member, at);
        fine &= !never &&
                (member.part == PART_VALID || tn_verdict_additional(verdict, node, value, &member, at));
        member.unknown_before = true;
    }
    return fine;
}

static inline void note(struct tn_verdict *verdict, const struct tn_property *property, yyjson_val *key,
                        const struct tn_location *up)
{
    struct tn_issue *issue = tn_plain_note(verdict, key, up);

    if (!issue)
        return;
    issue->place.property = property;
    issue->place.secret   = verdict->secret > 0 || (verdict->guarded && unsafe_yyjson_is_ctn(key + 1));
}

bool tn_members_report(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value,
                       const struct tn_location *at, const struct tn_fact *fact,
                       const struct tn_members *members)
{
    const struct tn_object_rules *rules = node->schema->object;
    uint64_t                      left  = members->open | (rules->required_bits & ~members->there);
    bool                          fine  = true;

    for (; left; left &= left - 1) {
        unsigned                  known    = (unsigned)__builtin_ctzll(left);
        const struct tn_property *property = &rules->properties[known];
        yyjson_val               *key      = members->keys[known];

        if (members->plain >> known & 1) {
            note(verdict, property, key, at);
            fine = false;
        } else if (members->there >> known & 1) {
            const struct tn_member member = { .key      = key,
                                              .property = property,
                                              .part     = members->looked ? PART_REFUSED
                                                                          : tn_fact_member(fact, key) };

            fine &= tn_verdict_named(verdict, &member, at);
        } else {
            fine = tn_verdict_miss(verdict, node, (struct tn_slice){ property->name, property->len }, at,
                                   "required", (struct tn_slice){ NULL, 0 });
        }
    }
    return members->other ? report_others(verdict, node, value, at, fact, members) & fine : fine;
}
