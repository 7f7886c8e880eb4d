/* plain.c - what is wrong with a member of which no more is asked than its check sees: its fault is noted without a location.
 *
 * A call may have many faults, and who made it may only want to know that. So the object's location is kept once for all of
 * its members; that of a member is made when the issue is read (place.c).
 */
#include "document/check.h"
#include "document/verdict/verdict.h"

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

static struct wrong wrong_of(const struct tn_node *node, const struct tn_check *check, yyjson_val *value,
                             unsigned type)
{
    const struct tn_schema *schema = node->schema;

    if (!(schema->types & type))
        return schema->constant || schema->values ? wrong_words(schema)
                                                  : (struct wrong){ ISSUE_TYPE, "type" };
    switch (check->code) {
    case CHECK_WORDS: return tn_check_is_short_text(value) ? wrong_words(schema) : (struct wrong){ 0 };
    case CHECK_TEXT: return unsafe_yyjson_is_str(value) ? wrong_length(node, value) : (struct wrong){ 0 };
    case CHECK_NUMBER: return wrong_number(node, check, value);
    default: return (struct wrong){ 0 };
    }
}

/* A value that stands for nothing, or a text that was meant as JSON or a date, has words of its own. */
static bool is_plain(const struct tn_verdict *verdict, const struct tn_node *node, unsigned type)
{
    const struct tn_schema *schema = node->schema;

    if ((schema->inside & type) || schema->never || schema->alias || node->text.format)
        return false;
    return !verdict->presence || !(type & (TYPE_NULL | TYPE_STRING | TYPE_ARRAY | TYPE_OBJECT));
}

bool tn_verdict_note(struct tn_verdict *verdict, const struct tn_property *property, yyjson_val *key,
                     const struct tn_location *up)
{
    const struct tn_node *node  = property->node;
    yyjson_val           *value = key + 1;
    unsigned              type  = tn_verdict_type(value);
    struct wrong          wrong = { 0 };
    struct tn_issue      *issue;

    if (is_plain(verdict, node, type))
        wrong = wrong_of(node, &property->check, value, type);
    if (!wrong.code)
        return false;
    issue = verdict->gave_up ? NULL : tn_issues_add_unfilled(&verdict->judge->issues, verdict->judge->arena);
    if (!issue)
        return true;
    issue->code      = wrong.code;
    issue->node      = node;
    issue->addressed = node;
    issue->received  = value;
    issue->keyword   = wrong.keyword;
    issue->place     = (struct tn_issue_place){
            .at       = up->kept ? up->kept : tn_location_keep(verdict->judge->arena, up),
            .keyword  = wrong.keyword,
            .key      = key,
            .property = property,
            .secret   = verdict->secret + node->secret > 0 || (verdict->guarded && unsafe_yyjson_is_ctn(value)),
    };
    return true;
}
