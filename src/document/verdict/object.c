/* object.c - objects: one pass over the members, one look-up for each. */
#include <string.h>

#include "base/utf8.h"
#include "document/check.h"
#include "document/verdict/members.h"
#include "document/verdict/present.h"
#include "document/verdict/verdict.h"
#include "json/origin.h"
#include "model/like.h"

#define PROPERTIES_FEW 8 /* that are found without memory of their own */

uint32_t tn_verdict_property(const struct tn_object_rules *rules, const char *name, size_t len)
{
    return tn_property_find(rules, name, len, NO_PROPERTY);
}

/* ---- Unknown members --------------------------------------------------------------------------------------- */

/* `false` for a member that the schema does not name is reported as an unknown name; the valid ones stand in the first
 * such issue of an object. */
static bool refuse_member(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *object,
                          const struct tn_location *at, const char *keyword, bool first)
{
    struct tn_issue *issue;

    tn_verdict_fault(verdict, node, at, NULL, ISSUE_UNKNOWN, NULL, &issue);
    if (!issue)
        return false;
    issue->keyword      = keyword;
    issue->addressed    = NULL;
    issue->schema       = node->schema;
    issue->brief        = !first;
    issue->why          = verdict->member;
    issue->place.object = object;
    return false;
}

/* ---- Members ----------------------------------------------------------------------------------------------- */

static struct tn_slice name_of(const struct tn_member *member)
{
    return (struct tn_slice){ unsafe_yyjson_get_str(member->key), unsafe_yyjson_get_len(member->key) };
}

static yyjson_val *value_of(const struct tn_member *member)
{
    return member->key + 1;
}

/* What every member's location has. What was read out of a text, or has items that must differ, is replaced whole. */
static struct tn_location member_at(const struct tn_member *member, const struct tn_node *node,
                                    const struct tn_location *up)
{
    return (struct tn_location){ .up        = up,
                                 .node      = node,
                                 .key_index = SIZE_MAX,
                                 .name      = tn_repair_sent(member->key),
                                 .part      = (uint8_t)member->part,
                                 .whole     = tn_origin_is_text(value_of(member)),
                                 .together  = node && unsafe_yyjson_is_ctn(value_of(member)) &&
                                             tn_like_end(node)->list.unique };
}

/* A member that was sent and stands for nothing: true when that is its issue. */
static bool judge_nothing(struct tn_verdict *verdict, const struct tn_property *property, yyjson_val *value,
                          const struct tn_location *at)
{
    struct tn_judge *judge = verdict->judge;
    enum tn_nothing  nothing;

    if (!verdict->presence || !(property->required || judge->destructive))
        return false;
    nothing = tn_like_nothing(property->node, value, judge->strict);
    if (nothing == NOTHING_NOT || tn_verdict_quiet(verdict, property->node, value, NULL))
        return false;
    tn_verdict_fault(verdict, property->node, at, "type",
                     !property->required        ? ISSUE_NULL /* dropping it could widen the call */
                     : nothing == NOTHING_BLANK ? ISSUE_EMPTY
                                                : ISSUE_REQUIRED,
                     value, NULL);
    return true;
}

static struct tn_location named_at(const struct tn_member *member, const struct tn_location *up)
{
    struct tn_location at = member_at(member, member->property->node, up);

    at.keyword  = "properties";
    at.key      = name_of(member);
    at.required = member->property->required;
    return at;
}

static struct tn_location other_at(const struct tn_member *member, const struct tn_node *node,
                                   const struct tn_location *up)
{
    struct tn_location at = member_at(member, node->schema->object->additional, up);

    at.keyword = "additionalProperties";
    return at;
}

struct tn_location tn_verdict_member_at(const struct tn_node *node, const struct tn_property *property,
                                        yyjson_val *key, const struct tn_location *up)
{
    const struct tn_member member = { .key = key, .property = property };
    struct tn_location     at     = property ? named_at(&member, up) : other_at(&member, node, up);

    at.schema = at.node->schema;
    return at;
}

bool tn_verdict_named(struct tn_verdict *verdict, const struct tn_member *member,
                      const struct tn_location *up)
{
    const struct tn_property *property = member->property;
    struct tn_location        at       = named_at(member, up);

    return !judge_nothing(verdict, property, value_of(member), &at) &&
           tn_verdict_step(verdict, property->node, value_of(member), &at, NULL);
}

static bool judge_patterns(struct tn_verdict *verdict, const struct tn_object_rules *rules,
                           const struct tn_member *member, const struct tn_location *up, bool *matched)
{
    bool fine = tn_verdict_spend(verdict, rules->pattern_count * MATCH_STEPS);

    for (size_t i = 0; !verdict->gave_up && i < rules->pattern_count; i++) {
        const struct tn_pattern_property *pattern = &rules->patterns[i];
        struct tn_location                at      = member_at(member, pattern->node, up);

        at.keyword = "patternProperties";
        at.key     = tn_slice_of(pattern->text);
        if (tn_verdict_match(verdict, pattern->pattern, name_of(member)) != PATTERN_YES)
            continue;
        *matched = true;
        fine &= tn_verdict_step(verdict, pattern->node, value_of(member), &at, NULL);
    }
    return fine;
}

bool tn_verdict_additional(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *object,
                           const struct tn_member *member, const struct tn_location *up)
{
    const struct tn_node *additional = node->schema->object->additional;
    struct tn_location    at         = other_at(member, node, up);

    if (additional->schema->never)
        return refuse_member(verdict, node, object, &at, "additionalProperties", !member->unknown_before);
    return tn_verdict_step(verdict, additional, value_of(member), &at, NULL);
}

static bool judge_name(struct tn_verdict *verdict, const struct tn_node *names,
                       const struct tn_member *member, const struct tn_location *up)
{
    struct tn_location at = {
        .up = up, .keyword = "propertyNames", .key_index = SIZE_MAX, .name = name_of(member)
    };

    return tn_verdict_quiet(verdict, names, member->key, NULL) ||
           tn_verdict_fault(verdict, names, &at, NULL, ISSUE_NAME, member->key, NULL);
}

static bool judge_bad_name(struct tn_verdict *verdict, const struct tn_node *node,
                           const struct tn_location *at)
{
    struct tn_issue *issue;

    tn_verdict_fault(verdict, node, at, NULL, ISSUE_TEXT, NULL, &issue);
    if (issue)
        issue->why = " has a name that is not plain text";
    return false;
}

/* One member by everything that may speak of it. */
static bool judge_member(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *object,
                         const struct tn_member *member, const struct tn_location *at, struct tn_seen *seen)
{
    const struct tn_object_rules *rules = node->schema->object;
    bool                          fine = true, matched = false;

    if (verdict->careful && !member->property && !tn_utf8_valid(name_of(member).at, name_of(member).len) &&
        !(rules->additional && rules->additional->schema->never))
        return judge_bad_name(verdict, node, at);
    if (rules->names)
        fine = judge_name(verdict, rules->names, member, at);
    if (member->property && member->property->node) {
        matched = true;
        fine &= tn_verdict_named(verdict, member, at);
    }
    if (rules->pattern_count > 0)
        fine &= judge_patterns(verdict, rules, member, at, &matched);
    if (!matched && rules->additional) {
        matched = true;
        fine &= tn_verdict_additional(verdict, node, object, member, at);
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

bool tn_verdict_miss(struct tn_verdict *verdict, const struct tn_node *node, struct tn_slice name,
                     const struct tn_location *up, const char *keyword, struct tn_slice because)
{
    const struct tn_object_rules *rules = node->schema->object;
    uint32_t                      known = tn_verdict_property(rules, name.at, name.len);
    struct tn_location            at    = { .up = up, .name = name, .key_index = SIZE_MAX, .required = true };
    struct tn_issue              *issue;

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

static bool judge_dependents(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value,
                             const struct tn_location *up, struct tn_seen *seen)
{
    const struct tn_object_rules *rules = node->schema->object;
    bool                          fine  = true;

    for (size_t i = 0; !verdict->gave_up && i < rules->dependent_count; i++) {
        const struct tn_dependent *dependent = &rules->dependents[i];
        struct tn_location         at        = {
                           .same = true, .up = up, .keyword = dependent->keyword, .key = dependent->name
        };

        if (!tn_verdict_member(verdict, value, dependent->name.at, dependent->name.len))
            continue;
        if (dependent->node)
            fine &= tn_verdict_step(verdict, dependent->node, value, &at, seen);
        for (size_t k = 0; k < dependent->count; k++)
            if (!tn_verdict_member(verdict, value, dependent->names[k].at, dependent->names[k].len))
                fine = tn_verdict_miss(verdict, node, dependent->names[k], up, dependent->keyword,
                                       dependent->name);
    }
    return fine;
}

static bool judge_unevaluated(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value,
                              const struct tn_location *up, struct tn_seen *seen)
{
    const struct tn_node *inner = node->schema->object->unevaluated;
    bool                  fine = true, first = true;
    size_t                i = 0;
    yyjson_obj_iter       iter;
    yyjson_val           *key;

    yyjson_obj_iter_init(value, &iter);
    for (; (key = yyjson_obj_iter_next(&iter)); i++) {
        struct tn_member   member = { .key = key, .index = i };
        struct tn_location at     = member_at(&member, inner, up);

        at.keyword = "unevaluatedProperties";
        if (tn_seen_has(seen, i))
            continue;
        tn_seen_add(seen, i);
        if (inner->schema->never) {
            fine  = refuse_member(verdict, node, value, &at, "unevaluatedProperties", first);
            first = false;
        } else
            fine &= tn_verdict_step(verdict, inner, key + 1, &at, NULL);
    }
    return fine;
}

/* ---- The object -------------------------------------------------------------------------------------------- */

bool tn_verdict_count(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value,
                      const struct tn_location *at)
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

/* Where each property stands in the object: its name, or NULL. */
struct roll {
    struct present {
        yyjson_val *key;
        size_t      index;
    } * at, few[PROPERTIES_FEW];

    struct present        other; /* the first member that is not on the roll, or NULL */
    struct tn_roll_space *space; /* `at`, when it is not `few` */
};

/* Room for the roll of a larger object: given back when that is done, for the next one. */
struct tn_roll_space {
    struct tn_roll_space *next;
    size_t                room;
    struct present        at[];
};

static struct tn_roll_space *take_space(struct tn_verdict *verdict, size_t count)
{
    struct tn_roll_space **link = &verdict->rolls, *space;

    while (*link && (*link)->room < count)
        link = &(*link)->next;
    space = *link;
    if (space) {
        *link = space->next;
        memset(space->at, 0, count * sizeof *space->at);
        return space;
    }
    space = tn_arena_zero(verdict->judge->arena, 1, sizeof *space + count * sizeof *space->at,
                          alignof(struct tn_roll_space));
    if (space)
        space->room = count;
    return space;
}

static void give_space(struct tn_verdict *verdict, struct roll *roll)
{
    if (!roll->space)
        return;
    roll->space->next = verdict->rolls;
    verdict->rolls    = roll->space;
}

/* The same name again. Which of the two is meant only the caller knows. */
static void judge_twice(struct tn_verdict *verdict, const struct tn_property *property, yyjson_val *key,
                        const struct tn_location *up)
{
    struct tn_member   member = { .key = key };
    struct tn_location at     = member_at(&member, property->node, up);

    at.required = property->required;
    tn_verdict_fault(verdict, property->node, &at, NULL, ISSUE_KEY_TWICE, NULL, NULL);
}

/* Finds each property; with arguments a name that stands twice is refused, and only the first one counts. */
static bool call_roll(struct tn_verdict *verdict, const struct tn_object_rules *rules, yyjson_val *value,
                      const struct tn_location *at, struct roll *roll, bool *fine)
{
    uint32_t        next = 0;
    size_t          i    = 0;
    yyjson_obj_iter iter;
    yyjson_val     *key;

    roll->other = (struct present){ NULL, 0 };
    roll->space = rules->count > PROPERTIES_FEW ? take_space(verdict, rules->count) : NULL;
    roll->at    = roll->space ? roll->space->at : roll->few;
    if (rules->count > PROPERTIES_FEW && !roll->space)
        return false;
    if (!roll->space)
        memset(roll->few, 0, rules->count * sizeof *roll->few);
    yyjson_obj_iter_init(value, &iter);
    for (; (key = yyjson_obj_iter_next(&iter)); i++) {
        uint32_t known = tn_property_find(rules, unsafe_yyjson_get_str(key), unsafe_yyjson_get_len(key),
                                          next);

        if (known != NO_PROPERTY && !roll->at[known].key) {
            roll->at[known] = (struct present){ key, i };
            next            = known + 1;
            continue;
        }
        if (!roll->other.key)
            roll->other = (struct present){ key, i };
        if (known != NO_PROPERTY && verdict->presence) {
            judge_twice(verdict, &rules->properties[known], key, at);
            *fine = false;
        }
    }
    return true;
}

/* Is a member known to be valid, or seen to be where its name alone decides what it has to be? No location is made for it. */
static bool is_fine(const struct tn_verdict *verdict, const struct tn_object_rules *rules,
                    const struct tn_member *member)
{
    const struct tn_property *property = member->property;

    return member->part == PART_VALID || (rules->by_name && !verdict->careful && property && property->node &&
                                          tn_check_holds(&property->check, value_of(member)));
}

static bool judge_one_member(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value,
                             const struct tn_member *member, const struct tn_location *at,
                             struct tn_seen *seen)
{
    const struct tn_object_rules *rules = node->schema->object;

    if (!is_fine(verdict, rules, member))
        return judge_member(verdict, node, value, member, at, seen);
    if (seen && tn_verdict_evaluates(verdict, rules, member->property, member->key))
        tn_seen_add(seen, member->index);
    return true;
}

/* Members that are not on the roll, as they came: of other names, and of a name that stands twice. */
static bool judge_others(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value,
                         const struct tn_location *at, const struct tn_fact *fact, const struct roll *roll,
                         struct tn_seen *seen)
{
    const struct tn_object_rules *rules = node->schema->object;
    bool                          fine = true, unknown = false;
    size_t                        count = unsafe_yyjson_get_len(value);
    yyjson_val                   *key   = roll->other.key;

    for (size_t i = roll->other.index; i < count; i++, key = unsafe_yyjson_get_next(key + 1)) {
        struct tn_member member = {
            .key = key, .index = i, .part = tn_fact_member(fact, key), .unknown_before = unknown
        };
        uint32_t known = tn_verdict_property(rules, unsafe_yyjson_get_str(key), unsafe_yyjson_get_len(key));

        if (known != NO_PROPERTY && (roll->at[known].key == key || verdict->presence))
            continue;
        if (known != NO_PROPERTY)
            member.property = &rules->properties[known];
        unknown |= !member.property;
        fine &= judge_one_member(verdict, node, value, &member, at, seen);
    }
    return fine;
}

/* Properties in their declared order, and what is missing among them; then every other member. */
static bool judge_by_roll(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value,
                          const struct tn_location *at, const struct tn_fact *fact, struct tn_seen *seen)
{
    const struct tn_object_rules *rules = node->schema->object;
    bool                          fine  = true;
    struct roll                   roll;

    if (!call_roll(verdict, rules, value, at, &roll, &fine))
        return false;
    for (uint32_t known = 0; known < rules->count; known++) {
        const struct tn_property *property = &rules->properties[known];
        yyjson_val               *key      = roll.at[known].key;

        if (key) {
            struct tn_member member = { key, roll.at[known].index, property, tn_fact_member(fact, key),
                                        false };

            fine &= judge_one_member(verdict, node, value, &member, at, seen);
        } else if (property->required) {
            fine = tn_verdict_miss(verdict, node, (struct tn_slice){ property->name, property->len }, at,
                                   "required", (struct tn_slice){ NULL, 0 });
        }
    }
    if (roll.other.key)
        fine &= judge_others(verdict, node, value, at, fact, &roll, seen);
    give_space(verdict, &roll);
    return fine;
}

static bool judge_members(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value,
                          const struct tn_location *at, const struct tn_fact *fact, struct tn_seen *seen)
{
    const struct tn_object_rules *rules = node->schema->object;
    struct tn_members             members;

    if (!tn_verdict_spend(verdict, unsafe_yyjson_get_len(value) + rules->count))
        return false;
    if (tn_members_suit(verdict, rules) && !seen && tn_members_find(verdict, rules, value, fact, &members))
        return tn_members_report(verdict, node, value, at, fact, &members);
    return judge_by_roll(verdict, node, value, at, fact, seen);
}

bool tn_verdict_object(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value,
                       const struct tn_location *at, const struct tn_fact *fact, struct tn_seen *seen)
{
    const struct tn_object_rules *rules = node->schema->object;
    bool                          fine;

    if (!rules)
        return true;
    fine = tn_verdict_count(verdict, node, value, at);
    if (rules->by_member)
        fine &= judge_members(verdict, node, value, at, fact, seen);
    if (rules->dependent_count > 0)
        fine &= judge_dependents(verdict, node, value, at, seen);
    if (rules->unevaluated)
        fine &= judge_unevaluated(verdict, node, value, at, seen);
    return fine;
}
