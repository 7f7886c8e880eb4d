/* choice.c - values that are one of a few: names of a row, values of a schema's enum, or the one of its const. */
#include "model/words/say.h"

static void add_choices(struct tn_buf *out, const struct tn_node *node)
{
    const struct tn_values *values = node->schema ? node->schema->values : NULL;
    struct tn_say_names     names  = { .out = out };
    size_t                  count  = values ? values->count : node->choice->count;

    for (size_t i = 0; i < count; i++) {
        if ((!values && !node->choice->names[i].at) || !tn_say_next(&names))
            continue;
        if (!values)
            tn_say_slice(out, node->choice->names[i]);
        else if (values->all_strings)
            tn_say_text(out, values->at[i]); /* without quotes, as nothing else can be meant */
        else
            tn_echo_value(out, values->at[i]);
    }
    tn_say_more(&names);
}

/* The first two names, as a comma list that would be accepted. */
static void add_choice_example(struct tn_buf *out, const struct tn_choice *choice)
{
    for (size_t i = 0, shown = 0; i < choice->count && shown < 2; i++) {
        if (!choice->names[i].at)
            continue;
        if (shown++ > 0)
            tn_buf_char(out, ',');
        tn_say_slice(out, choice->names[i]);
    }
}

/* The row says what its names are. */
static void say_noun(struct tn_buf *out, const struct tn_issue *issue)
{
    tn_buf_lit(out, "Invalid ");
    tn_buf_text(out, issue->node->choice->noun);
    tn_buf_char(out, ' ');
    tn_say_quoted(out, issue);
    tn_buf_lit(out, ". Valid: ");
    add_choices(out, issue->node);
    tn_buf_lit(out, ". Example: '");
    add_choice_example(out, issue->node->choice);
    tn_buf_char(out, '\'');
}

void tn_say_choice(struct tn_buf *out, const struct tn_issue *issue)
{
    const struct tn_node *node  = issue->node;
    bool                  blank = tn_say_is_blank(issue), words = yyjson_is_str(issue->received);

    if (node->choice && node->choice->noun && !blank &&
        (words || issue->got.at)) { /* what is no word is no severity either */
        say_noun(out, issue);
        return;
    }
    tn_say_label(out, issue, blank ? " cannot be empty. Valid: " : " must be one of: ");
    add_choices(out, node);
    if (blank)
        return;
    tn_buf_lit(out, ". Got: ");
    if (words && !node->secret && !issue->hidden && (!node->schema || node->schema->values->all_strings))
        tn_say_text(out, issue->received);
    else
        tn_say_received(out, issue);
}

void tn_say_const(struct tn_buf *out, const struct tn_issue *issue)
{
    tn_say_label(out, issue, " must be ");
    tn_echo_value(out, issue->node->schema->constant);
    tn_say_got(out, issue);
}
