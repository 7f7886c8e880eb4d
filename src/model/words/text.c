/* text.c - lengths, patterns and formats of texts. */
#include "model/words/say.h"
#include "text/format.h"

void tn_say_length(struct tn_buf *out, const struct tn_issue *issue)
{
    const struct tn_text_rules *rules     = &issue->node->text;
    bool                        too_short = issue->code == ISSUE_SHORT;

    if (too_short && rules->min == 1) { /* "at least 1 characters" would be odd */
        tn_say_label(out, issue, " cannot be empty");
        return;
    }
    tn_say_label(out, issue, too_short ? " must be at least " : " must not exceed ");
    tn_buf_uint(out, too_short ? rules->min : rules->max);
    tn_buf_lit(out, " characters");
}

void tn_say_pattern(struct tn_buf *out, const struct tn_issue *issue)
{
    const struct tn_text_rules *rules = &issue->node->text;

    tn_say_label(out, issue, rules->pattern_words ? " must be " : " must match the pattern ");
    tn_buf_text(out, rules->pattern_words ? rules->pattern_words : rules->pattern_text);
    tn_say_got(out, issue);
    if (issue->why)
        tn_buf_text(out, issue->why);
}

void tn_say_format(struct tn_buf *out, const struct tn_issue *issue)
{
    const struct tn_node *node = issue->node;

    tn_say_label(out, issue, " must be ");
    tn_buf_text(out, node->kind == TENON_KIND_ID ? "an identifier (letters, digits, '_', '.' and '-')"
                                                 : node->text.format->article);
    if (node->text.schemes) {
        tn_buf_lit(out, " that begins with ");
        tn_say_alternatives(out, node->text.schemes, ":");
    }
    tn_say_got(out, issue);
}
