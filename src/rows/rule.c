/* rule.c - rules over several parameters. */
#include "rows/rule.h"

#include <string.h>

#include "json/write.h"
#include "model/came.h"
#include "text/date.h"

struct scope {
    struct tn_judge          *judge;
    const struct tn_object   *object;
    const struct tn_rule     *rule;
    const struct tn_location *up;
    const char               *base;
    const uint8_t            *presence;
};

static bool is_given(const struct scope *scope, size_t i)
{
    unsigned presence = scope->presence[scope->rule->param[i]];

    return presence == PRESENT_GIVEN || presence == PRESENT_BAD;
}

/* The first parameter of the rule that was given, or rule->count. */
static size_t first_given(const struct scope *scope)
{
    size_t i = 0;

    while (i < scope->rule->count && !is_given(scope, i))
        i++;
    return i;
}

/* `because` is the index in the rule of the parameter that made it apply. */
static struct tn_issue *rule_report(const struct scope *scope, enum tn_issue_code code, size_t i,
                                    size_t because)
{
    const struct tn_param *param = &scope->object->params[scope->rule->param[i]];
    struct tn_location     at    = {
               .up = scope->up, .node = param->node, .name = { param->name, param->len }, .required = param->required
    };
    struct tn_issue *issue = tn_location_report(scope->judge, &at, code, NULL);

    if (issue && scope->judge->came) {
        at.name = tn_came_name(scope->judge, scope->object, scope->presence, param);
        tn_location_move(scope->judge, &at, issue);
    }
    if (issue) {
        issue->object = scope->object;
        issue->rule   = scope->rule;
        issue->count  = because;
    }
    return issue;
}

/* ---- Order ------------------------------------------------------------------------------------------------- */

struct measure {
    bool    is_int;
    int64_t integer;
    double  number;
};

static int64_t read_int(const char *field, const struct tn_node *node)
{
    int64_t wide = 0;
    int32_t word;
    int16_t half;

    if (node->size == sizeof half) {
        memcpy(&half, field, sizeof half);
        return node->flavour ? (uint16_t)half : half;
    }
    if (node->size == sizeof word) {
        memcpy(&word, field, sizeof word);
        return node->flavour ? (int64_t)(uint32_t)word : word;
    }
    memcpy(&wide, field, sizeof wide);
    return wide;
}

static struct measure rule_measure(const struct scope *scope, size_t i)
{
    const struct tn_param *param = &scope->object->params[scope->rule->param[i]];
    const char            *field = scope->base + param->offset;
    struct measure         out   = { true, 0, 0 };
    tenon_time             moment;
    float                  single;

    if (param->node->kind == TENON_KIND_NUM) {
        out.is_int = false;
        if (param->node->size == sizeof single) {
            memcpy(&single, field, sizeof single);
            out.number = single;
        } else {
            memcpy(&out.number, field, sizeof out.number);
        }
        return out;
    }
    if (param->node->kind == TENON_KIND_INT) {
        out.integer = read_int(field, param->node);
        return out;
    }
    memcpy(&moment, field, sizeof moment);
    out.integer = moment.ms;
    return out;
}

/* The same out of JSON: of a suggestion or an example. */
static bool measure_json(const struct scope *scope, const struct tn_node *node, struct tn_slice json,
                         struct measure *out)
{
    bool            whole_day = false;
    struct tn_slice text;
    yyjson_val     *number;

    *out = (struct measure){ true, 0, 0 };
    if (node->kind == TENON_KIND_INT || node->kind == TENON_KIND_NUM) {
        number = tn_json_read_number(scope->judge->arena, json.at, json.len);
        if (!yyjson_is_int(number) && (node->kind == TENON_KIND_INT || !yyjson_is_num(number)))
            return false;
        out->is_int  = node->kind == TENON_KIND_INT;
        out->integer = yyjson_get_sint(number);
        out->number  = yyjson_get_num(number);
        return true;
    }
    if (json.len < 2)
        return false;
    if (*json.at != '"') { /* milliseconds since 1970 */
        number       = tn_json_read_number(scope->judge->arena, json.at, json.len);
        out->integer = yyjson_get_sint(number);
        return yyjson_is_int(number);
    }
    text      = (struct tn_slice){ json.at + 1, json.len - 2 }; /* without quotes */
    whole_day = tn_date_parse(text, &out->integer);
    if (whole_day && node->end_of_day)
        out->integer += DATE_DAY_MS - 1;
    return whole_day || tn_timestamp_parse(text, &out->integer);
}

static bool in_order(struct measure low, struct measure high)
{
    return low.is_int ? low.integer <= high.integer : low.number <= high.number;
}

/* Will a date do for `ms`? A low end may be earlier, a high end later. */
static bool is_a_day(const struct tn_node *node, int64_t ms, bool low)
{
    if (node->kind != TENON_KIND_DATE)
        return false;
    return low != node->end_of_day || (node->end_of_day ? ms + 1 : ms) % DATE_DAY_MS == 0;
}

/* An end takes the value of the other end: then they are in order. */
static struct tn_buf measure_text(struct tn_judge *judge, const struct tn_issue *issue, struct measure value,
                                  bool low)
{
    const struct tn_node *node = issue->node;
    char                  text[TIMESTAMP_TEXT_LEN + 1];
    struct tn_buf         json;

    tn_buf_init(&json, judge->arena, 40, 64);
    if (!value.is_int) {
        tn_json_number(&json, value.number);
    } else if (node->kind == TENON_KIND_INT) {
        tn_buf_int(&json, value.integer);
    } else {
        tn_moment_format(value.integer, is_a_day(node, value.integer, low), text);
        tn_json_string(&json, text, strlen(text));
    }
    return json;
}

static void suggest_measure(struct tn_judge *judge, struct tn_issue *issue, struct measure value, bool low)
{
    struct tn_buf json = measure_text(judge, issue, value, low);

    tn_location_suggest(issue, &json);
}

/* Would an end be in its own range too? */
static bool in_range(const struct tn_node *node, struct measure value)
{
    if (node->kind == TENON_KIND_INT)
        return value.integer >= node->integer.min && value.integer <= node->integer.max;
    return value.is_int || (value.number >= node->number.min && value.number <= node->number.max);
}

static const struct tn_param *param_of(const struct scope *scope, size_t i)
{
    return &scope->object->params[scope->rule->param[i]];
}

/* One end is bad or missing, and the other is good: what is offered for the one must be in order with the other. */
static void mend_issue(const struct scope *scope, size_t one, struct tn_issue *issue)
{
    const struct tn_node *node  = issue->node;
    struct tn_slice       offer = issue->suggestion.len > 0 ? issue->suggestion : tn_issue_example(issue);
    struct measure        value = rule_measure(scope, !one), mine;
    struct tn_buf         json;

    if (measure_json(scope, node, offer, &mine) && (one == 0 ? in_order(mine, value) : in_order(value, mine)))
        return;
    if (!in_range(node, value) || node->secret || param_of(scope, !one)->node->secret || issue->inside)
        return;
    if (offer.len > 0) {
        suggest_measure(scope->judge, issue, value, one == 0);
        return;
    }
    json = measure_text(scope->judge, issue, value, one == 0);
    if (!json.failed) /* nothing tells what was meant, but the other end is one that fits */
        issue->example = tn_buf_slice(&json);
}

/* The next issue of an end, after `from`; NULL when there is none. */
static struct tn_issue *end_issue(const struct scope *scope, size_t one, struct tn_issue *from)
{
    const struct tn_param *param = param_of(scope, one);
    struct tn_location     at    = { .up = scope->up, .name = { param->name, param->len } };
    struct tn_issues      *all   = &scope->judge->issues;
    struct tn_slice        label;

    if (all->count == 0)
        return NULL;
    label = tn_location_path(scope->judge->arena, &at);
    for (struct tn_issue *issue = from ? from + 1 : all->at; issue < all->at + all->count; issue++)
        if (issue->node == param->node && !issue->inside && tn_slice_same(issue->label, label))
            return issue;
    return NULL;
}

static void mend(const struct scope *scope, size_t one)
{
    for (struct tn_issue *issue = NULL; (issue = end_issue(scope, one, issue));)
        mend_issue(scope, one, issue);
}

static struct tn_slice offer_of(const struct tn_issue *issue)
{
    return issue->suggestion.len > 0 ? issue->suggestion : tn_issue_example(issue);
}

/* Offers the value of the other end for one that has none, or one that is not in order. */
static bool offer(const struct scope *scope, struct tn_issue *issue, struct measure value, bool low)
{
    struct tn_buf json;

    if (!in_range(issue->node, value) || issue->node->secret)
        return false;
    json = measure_text(scope->judge, issue, value, low);
    if (json.failed)
        return false;
    issue->suggestion = (struct tn_slice){ "", 0 };
    issue->example    = tn_buf_slice(&json);
    return true;
}

/* Both ends are bad or missing: what is offered for them must be in order, too. */
static void mend_both(const struct scope *scope)
{
    struct tn_issue *low = end_issue(scope, 0, NULL), *high = end_issue(scope, 1, NULL);
    struct measure   lower, higher;
    bool             has_low, has_high;

    if (!low || !high)
        return;
    has_low  = measure_json(scope, low->node, offer_of(low), &lower);
    has_high = measure_json(scope, high->node, offer_of(high), &higher);
    if ((!has_low && !has_high) || (has_low && has_high && in_order(lower, higher)))
        return;
    if (!has_low || !offer(scope, high, lower, false))
        (void)(has_high && offer(scope, low, higher, true));
}

static void judge_ordered(const struct scope *scope)
{
    bool             has_low  = scope->presence[scope->rule->param[0]] == PRESENT_GIVEN;
    bool             has_high = scope->presence[scope->rule->param[1]] == PRESENT_GIVEN;
    size_t           wrong;
    struct measure   low, high;
    struct tn_issue *issue;

    if (!has_low || !has_high) {
        if (has_low || has_high)
            mend(scope, has_low);
        else
            mend_both(scope);
        return;
    }
    low  = rule_measure(scope, 0);
    high = rule_measure(scope, 1);
    if (in_order(low, high)) {
        mend(scope, 0); /* it may have been given twice, and is asked for once more */
        mend(scope, 1);
        return;
    }
    wrong = in_range(param_of(scope, 0)->node, high) ? 0 : 1;
    issue = rule_report(scope, ISSUE_ORDER, wrong, !wrong);
    if (issue && !param_of(scope, 0)->node->secret && !param_of(scope, 1)->node->secret)
        suggest_measure(scope->judge, issue, wrong == 0 ? high : low, wrong == 0);
}

/* ---- Presence ---------------------------------------------------------------------------------------------- */

static const struct tn_rule *excluding(const struct scope *scope, uint32_t param, size_t *given)
{
    for (size_t i = 0; i < scope->object->rule_count; i++) {
        const struct tn_rule *rule     = &scope->object->rules[i];
        struct scope          other    = *scope;
        bool                  concerns = false;

        other.rule = rule;
        for (size_t j = 0; j < rule->count; j++)
            concerns |= rule->param[j] == param;
        *given = rule->kind == TENON_KIND_EXCLUSIVE && concerns ? first_given(&other) : rule->count;
        if (*given < rule->count)
            return rule;
    }
    return NULL;
}

/* Parameter `i` is missing beside parameter `because`; unless it is excluded by another one that is given, for then it
 * is parameter `because` that cannot stay. */
static void report_missing(const struct scope *scope, enum tn_issue_code code, size_t i, size_t because)
{
    size_t                given;
    const struct tn_rule *rule = excluding(scope, scope->rule->param[i], &given);
    struct tn_issue      *issue;

    if (!rule) {
        rule_report(scope, code, i, because);
        return;
    }
    issue = rule_report(scope, ISSUE_EXCLUSIVE, because, given);
    if (issue)
        issue->rule = rule;
}

static void judge_together(const struct scope *scope)
{
    size_t because = first_given(scope);

    for (size_t i = 0; because < scope->rule->count && i < scope->rule->count; i++)
        if (!is_given(scope, i))
            report_missing(scope, ISSUE_TOGETHER, i, because);
}

static void judge_exclusive(const struct scope *scope)
{
    size_t because = first_given(scope);

    for (size_t i = because + 1; i < scope->rule->count; i++)
        if (is_given(scope, i))
            rule_report(scope, ISSUE_EXCLUSIVE, i, because);
}

static void judge_any_of(const struct scope *scope)
{
    if (first_given(scope) == scope->rule->count)
        rule_report(scope, ISSUE_ANY_OF, 0, 0);
}

static void judge_requires(const struct scope *scope)
{
    for (size_t i = 1; is_given(scope, 0) && i < scope->rule->count; i++)
        if (!is_given(scope, i))
            report_missing(scope, ISSUE_REQUIRES, i, 0);
}

void tn_rule_judge(struct tn_judge *judge, const struct tn_object *object, const struct tn_rule *rule,
                   const struct tn_location *up, const char *base, const uint8_t *presence)
{
    struct scope scope = { judge, object, rule, up, base, presence };

    switch (rule->kind) {
    case TENON_KIND_ORDERED: judge_ordered(&scope); break;
    case TENON_KIND_TOGETHER: judge_together(&scope); break;
    case TENON_KIND_EXCLUSIVE: judge_exclusive(&scope); break;
    case TENON_KIND_ANY_OF: judge_any_of(&scope); break;
    default: judge_requires(&scope); break;
    }
}
