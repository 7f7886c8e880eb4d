/* rule.c - rules over several parameters. */
#include "schema/rule.h"

#include <string.h>

#include "schema/date.h"
#include "json/write.h"

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

/* The low one, if it took the high one's value, would be in order. */
static void suggest_measure(struct judge *judge, struct issue *issue, const struct node *node,
                            struct measure value)
{
    char       text[TIMESTAMP_TEXT_LEN + 1];
    struct buf json;

    buf_init(&json, judge->arena, 40, 64);
    if (!value.is_int) {
        json_number(&json, value.number);
    } else if (node->kind == TENON_KIND_INT) {
        buf_int(&json, value.integer);
    } else if (node->kind == TENON_KIND_DATE) {
        date_format(value.integer, text);
        json_string(&json, text, strlen(text));
    } else {
        timestamp_format(value.integer, text);
        json_string(&json, text, strlen(text));
    }
    place_suggest(issue, &json);
}

/* Would the low one be in its own range too? */
static bool in_range(const struct node *node, struct measure value)
{
    if (node->kind == TENON_KIND_INT)
        return value.integer >= node->integer.min && value.integer <= node->integer.max;
    return value.is_int || (value.number >= node->number.min && value.number <= node->number.max);
}

static void judge_ordered(const struct scope *scope)
{
    struct measure low, high;
    struct issue  *issue;

    if (scope->presence[scope->rule->param[0]] != PRESENT_GIVEN ||
        scope->presence[scope->rule->param[1]] != PRESENT_GIVEN)
        return;
    low  = measure(scope, 0);
    high = measure(scope, 1);
    if (low.is_int ? low.integer <= high.integer : low.number <= high.number)
        return;
    issue = report(scope, ISSUE_ORDER, 0, 1);
    if (issue && issue->addressed == issue->node && !issue->node->secret && in_range(issue->node, high) &&
        !scope->object->params[scope->rule->param[1]].node->secret)
        suggest_measure(scope->judge, issue, issue->node, high);
}

/* ---- Presence ---------------------------------------------------------------------------------------------- */

static void judge_together(const struct scope *scope)
{
    size_t because = first_given(scope);

    for (size_t i = 0; because < scope->rule->count && i < scope->rule->count; i++)
        if (!is_given(scope, i))
            report(scope, ISSUE_TOGETHER, i, because);
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
            report(scope, ISSUE_REQUIRES, i, 0);
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
