/* rule.c - rules over several parameters. */
#include "rows/rule.h"

#include <string.h>

#include "json/write.h"
#include "model/came.h"
#include "text/date.h"

struct scope {
    struct judge        *judge;
    const struct object *object;
    const struct rule   *rule;
    const struct place  *up;
    const char          *base;
    const uint8_t       *presence;
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
static struct issue *report(const struct scope *scope, enum issue_code code, size_t i, size_t because)
{
    const struct param *param = &scope->object->params[scope->rule->param[i]];
    struct place        at    = {
                  .up = scope->up, .node = param->node, .name = { param->name, param->len }, .required = param->required
    };
    struct issue *issue = place_report(scope->judge, &at, code, NULL);

    if (issue && scope->judge->came) {
        at.name = came_name(scope->judge, scope->object, scope->presence, param);
        place_move(scope->judge, &at, issue);
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

static int64_t read_int(const char *field, const struct node *node)
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

static struct measure measure(const struct scope *scope, size_t i)
{
    const struct param *param = &scope->object->params[scope->rule->param[i]];
    const char         *field = scope->base + param->offset;
    struct measure      out   = { true, 0, 0 };
    tenon_time          moment;
    float               single;

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
static bool measure_json(const struct scope *scope, const struct node *node, struct slice json,
                         struct measure *out)
{
    bool         whole_day = false;
    struct slice text;
    yyjson_val  *number;

    *out = (struct measure){ true, 0, 0 };
    if (node->kind == TENON_KIND_INT || node->kind == TENON_KIND_NUM) {
        number = json_read_number(scope->judge->arena, json.at, json.len);
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
        number       = json_read_number(scope->judge->arena, json.at, json.len);
        out->integer = yyjson_get_sint(number);
        return yyjson_is_int(number);
    }
    text      = (struct slice){ json.at + 1, json.len - 2 }; /* without quotes */
    whole_day = date_parse(text, &out->integer);
    if (whole_day && node->end_of_day)
        out->integer += DATE_DAY_MS - 1;
    return whole_day || timestamp_parse(text, &out->integer);
}

static bool in_order(struct measure low, struct measure high)
{
    return low.is_int ? low.integer <= high.integer : low.number <= high.number;
}

/* Will a date do for `ms`? A low end may be earlier, a high end later. */
static bool is_a_day(const struct node *node, int64_t ms, bool low)
{
    if (node->kind != TENON_KIND_DATE)
        return false;
    return low != node->end_of_day || (node->end_of_day ? ms + 1 : ms) % DATE_DAY_MS == 0;
}

/* An end takes the value of the other end: then they are in order. */
static struct buf measure_text(struct judge *judge, const struct issue *issue, struct measure value, bool low)
{
    const struct node *node = issue->node;
    char               text[TIMESTAMP_TEXT_LEN + 1];
    struct buf         json;

    buf_init(&json, judge->arena, 40, 64);
    if (!value.is_int) {
        json_number(&json, value.number);
    } else if (node->kind == TENON_KIND_INT) {
        buf_int(&json, value.integer);
    } else if (is_a_day(node, value.integer, low)) {
        date_format(value.integer, text);
        json_string(&json, text, strlen(text));
    } else {
        timestamp_format(value.integer, text);
        json_string(&json, text, strlen(text));
    }
    return json;
}

static void suggest_measure(struct judge *judge, struct issue *issue, struct measure value, bool low)
{
    struct buf json = measure_text(judge, issue, value, low);

    place_suggest(issue, &json);
}

/* Would an end be in its own range too? */
static bool in_range(const struct node *node, struct measure value)
{
    if (node->kind == TENON_KIND_INT)
        return value.integer >= node->integer.min && value.integer <= node->integer.max;
    return value.is_int || (value.number >= node->number.min && value.number <= node->number.max);
}

static const struct param *param_of(const struct scope *scope, size_t i)
{
    return &scope->object->params[scope->rule->param[i]];
}

/* One end is bad or missing, and the other is good: what is offered for the one must be in order with the other. */
static void mend_issue(const struct scope *scope, size_t one, struct issue *issue)
{
    const struct node *node  = issue->node;
    struct slice       offer = issue->suggestion.len > 0 ? issue->suggestion : issue_example(issue);
    struct measure     value = measure(scope, !one), mine;
    struct buf         json;

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
        issue->example = buf_slice(&json);
}

static void mend(const struct scope *scope, size_t one)
{
    const struct param *param = param_of(scope, one);
    struct place        at    = { .up = scope->up, .name = { param->name, param->len } };
    struct slice        label;

    if (scope->judge->issues.count == 0)
        return;
    label = place_path(scope->judge->arena, &at);
    for (size_t i = 0; i < scope->judge->issues.count; i++) {
        struct issue *issue = &scope->judge->issues.at[i];

        if (issue->node == param->node && !issue->inside && issue->label.len == label.len &&
            memcmp(issue->label.at, label.at, label.len) == 0)
            mend_issue(scope, one, issue);
    }
}

static void judge_ordered(const struct scope *scope)
{
    bool           has_low  = scope->presence[scope->rule->param[0]] == PRESENT_GIVEN;
    bool           has_high = scope->presence[scope->rule->param[1]] == PRESENT_GIVEN;
    size_t         wrong;
    struct measure low, high;
    struct issue  *issue;

    if (!has_low || !has_high) {
        if (has_low || has_high)
            mend(scope, has_low);
        return;
    }
    low  = measure(scope, 0);
    high = measure(scope, 1);
    if (in_order(low, high)) {
        mend(scope, 0); /* it may have been given twice, and is asked for once more */
        mend(scope, 1);
        return;
    }
    wrong = in_range(param_of(scope, 0)->node, high) ? 0 : 1;
    issue = report(scope, ISSUE_ORDER, wrong, !wrong);
    if (issue && !param_of(scope, 0)->node->secret && !param_of(scope, 1)->node->secret)
        suggest_measure(scope->judge, issue, wrong == 0 ? high : low, wrong == 0);
}

/* ---- Presence ---------------------------------------------------------------------------------------------- */

static const struct rule *excluding(const struct scope *scope, uint32_t param, size_t *given)
{
    for (size_t i = 0; i < scope->object->rule_count; i++) {
        const struct rule *rule     = &scope->object->rules[i];
        struct scope       other    = *scope;
        bool               concerns = false;

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
static void report_missing(const struct scope *scope, enum issue_code code, size_t i, size_t because)
{
    size_t             given;
    const struct rule *rule = excluding(scope, scope->rule->param[i], &given);
    struct issue      *issue;

    if (!rule) {
        report(scope, code, i, because);
        return;
    }
    issue = report(scope, ISSUE_EXCLUSIVE, because, given);
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
            report(scope, ISSUE_EXCLUSIVE, i, because);
}

static void judge_any_of(const struct scope *scope)
{
    if (first_given(scope) == scope->rule->count)
        report(scope, ISSUE_ANY_OF, 0, 0);
}

static void judge_requires(const struct scope *scope)
{
    for (size_t i = 1; is_given(scope, 0) && i < scope->rule->count; i++)
        if (!is_given(scope, i))
            report_missing(scope, ISSUE_REQUIRES, i, 0);
}

void rule_judge(struct judge *judge, const struct object *object, const struct rule *rule,
                const struct place *up, const char *base, const uint8_t *presence)
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
