/* plain.c - what is wrong with a member of which no more is asked than its check sees, or that nothing may have the name of:
 * only a note is taken of it.
 *
 * A call may have many faults, and who made it may only want to know that. So the object's location is kept once for all of
 * its members; that of a member, and all that its issue says, is made when the issue is read (place.c).
 */
#include "document/check.h"
#include "document/verdict/members.h"

/* What is wrong, and by which keyword; `code` is 0 where that is not seen at once. */
struct wrong {
    enum tn_issue_code code;
    const char        *keyword;
};

static struct wrong wrong_words(const struct tn_schema *schema)
{
    return schema->constant ? (struct wrong){ ISSUE_CONST, "const" } : (struct wrong){ ISSUE_VALUES, "enum" };
}

static struct wrong wrong_length(const struct tn_node *node, yyjson_val *value)
{
    unsigned code = tn_judge_length(&node->text, unsafe_yyjson_get_str(value), unsafe_yyjson_get_len(value));

    return (struct wrong){ code, code == ISSUE_SHORT ? "minLength" : "maxLength" };
}

/* Numbers are compared once more only where there are two bounds on one side. */
static struct wrong wrong_number(const struct tn_node *node, const struct tn_check *check, yyjson_val *value)
{
    const struct tn_number_rules *rules = node->schema->number;
    double                        number;

    if (unsafe_yyjson_get_type(value) != YYJSON_TYPE_NUM || !tn_check_as_double(value, &number))
        return (struct wrong){ 0 };
    if (number < check->number.min)
        return (struct wrong){ ISSUE_BOUND, rules->above.value ? tn_verdict_bound(rules, value) : "minimum" };
    if (number > check->number.max)
        return (struct wrong){ ISSUE_BOUND, rules->below.value ? tn_verdict_bound(rules, value) : "maximum" };
    return (struct wrong){ 0 };
}

static struct wrong wrong_of(const struct tn_property *property, yyjson_val *value)
{
    const struct tn_node   *node   = property->node;
    const struct tn_check  *check  = &property->check;
    const struct tn_schema *schema = node->schema;

    if (!(schema->types & tn_verdict_type(value)))
        return schema->constant || schema->values ? wrong_words(schema)
                                                  : (struct wrong){ ISSUE_TYPE, "type" };
    switch (check->code) {
    case CHECK_WORDS: return tn_check_is_short_text(value) ? wrong_words(schema) : (struct wrong){ 0 };
    case CHECK_TEXT: return unsafe_yyjson_is_str(value) ? wrong_length(node, value) : (struct wrong){ 0 };
    case CHECK_NUMBER: return wrong_number(node, check, value);
    default: return (struct wrong){ 0 };
    }
}

bool tn_plain_is_length(const struct tn_node *node, yyjson_val *value)
{
    return wrong_length(node, value).code != 0;
}

/* ---- When it is read ---------------------------------------------------------------------------------------- */

enum tn_issue_code tn_plain_code(const struct tn_issue *issue)
{
    const struct tn_issue_place *place = &issue->place;

    return place->property ? wrong_of(place->property, place->key + 1).code : ISSUE_UNKNOWN;
}

static void settle_member(struct tn_issue *issue)
{
    const struct tn_property *property = issue->place.property;
    yyjson_val               *value    = issue->place.key + 1;
    struct wrong              wrong    = wrong_of(property, value);

    issue->code          = wrong.code;
    issue->node          = property->node;
    issue->addressed     = property->node;
    issue->received      = value;
    issue->keyword       = wrong.keyword;
    issue->why           = NULL;
    issue->place.keyword = wrong.keyword;
    issue->place.object  = NULL;
}

static void settle_name(struct tn_issue *issue)
{
    issue->code      = ISSUE_UNKNOWN;
    issue->addressed = NULL;
    issue->received  = NULL;
    issue->keyword   = "additionalProperties";
    issue->schema    = issue->node->schema;

    issue->place.keyword = NULL;
}

void tn_plain_settle(struct tn_judge *judge, struct tn_issue *issue)
{
    struct tn_issue_place *place = &issue->place;
    struct tn_location     at;

    if (place->property)
        settle_member(issue);
    else
        settle_name(issue);
    at        = tn_verdict_member_at(issue->node, place->property, place->key, place->at);
    place->at = place->way = tn_location_keep(judge->arena, &at);
    place->key             = NULL;
}
