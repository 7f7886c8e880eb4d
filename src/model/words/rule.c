/* rule.c - rules over several parameters. */
#include "model/words/say.h"

static struct tn_slice rule_name(const struct tn_issue *issue, size_t i)
{
    const struct tn_param *param = &issue->object->params[issue->rule->param[i]];

    return (struct tn_slice){ param->name, param->len };
}

void tn_say_order(struct tn_buf *out, const struct tn_issue *issue)
{
    unsigned        kind   = issue->object->params[issue->rule->param[0]].node->kind;
    bool            number = kind == TENON_KIND_INT || kind == TENON_KIND_NUM;
    struct tn_slice low = rule_name(issue, 0), high = rule_name(issue, 1);

    tn_buf_text(out, number ? "Invalid range: " : "Invalid date range: ");
    tn_say_slice(out, low);
    tn_buf_text(out, number ? " must not be greater than " : " must be before ");
    tn_say_slice(out, high);
    if (number)
        return;
    tn_buf_lit(out, ". Example: ");
    tn_say_slice(out, low);
    tn_buf_lit(out, "='2025-01-01', ");
    tn_say_slice(out, high);
    tn_buf_lit(out, "='2025-12-31'");
}

/* `issue->count` is the index of the parameter that made the rule apply. */
void tn_say_rule(struct tn_buf *out, const struct tn_issue *issue)
{
    if (issue->code == ISSUE_ANY_OF) {
        tn_buf_lit(out, "at least one of these is required: ");
        for (size_t i = 0; i < issue->rule->count; i++) {
            tn_buf_text(out, i > 0 ? ", " : "");
            tn_say_slice(out, rule_name(issue, i));
        }
        return;
    }
    tn_say_label(out, issue,
                 issue->code == ISSUE_EXCLUSIVE  ? " cannot be used together with "
                 : issue->code == ISSUE_TOGETHER ? " is required together with "
                                                 : " is required when there is ");
    if (issue->other.at) /* of a schema: dependentRequired */
        tn_echo_text(out, issue->other.at, issue->other.len);
    else
        tn_say_slice(out, rule_name(issue, issue->count));
}
