/* name.c - names that are unknown, or given twice. */
#include "model/words/say.h"
#include "model/words/words.h"

/* Names of a schema come from outside, those of rows do not. */
static void add_names(struct tn_buf *out, const struct tn_issue *issue, size_t count)
{
    struct tn_say_names names = { .out = out };

    for (size_t i = 0; i < count; i++) {
        if (!tn_say_next(&names))
            continue;
        if (issue->schema)
            tn_echo_text(out, issue->schema->object->properties[i].name,
                         issue->schema->object->properties[i].len);
        else
            tn_buf_add(out, issue->object->params[i].name, issue->object->params[i].len);
    }
    tn_say_more(&names);
}

void tn_say_unknown(struct tn_buf *out, const struct tn_issue *issue)
{
    bool   meant = issue->suggestion.len > 0 && !issue->inside;
    size_t count;

    tn_buf_lit(out, "unknown ");
    tn_buf_text(out, issue->why ? issue->why : "parameter");
    tn_buf_lit(out, " '");
    tn_say_label(out, issue, "'");
    if (meant) {
        tn_buf_lit(out, "; did you mean '");
        tn_buf_add(out, issue->suggestion.at + 1, issue->suggestion.len - 2); /* without quotes */
        tn_buf_lit(out, "'?");
    }
    if (issue->schema ? issue->brief : !issue->object)
        return; /* the valid names stand in an issue before this one */
    if (!meant)
        tn_buf_char(out, '.');
    count = issue->schema ? issue->schema->object->count : issue->object->count;
    tn_buf_text(out, count > 0 ? " Valid " : " There are no ");
    tn_buf_text(out, issue->why ? "properties" : "parameters");
    if (count == 0)
        return;
    tn_buf_lit(out, ": ");
    add_names(out, issue, count);
}

void tn_words_alias(struct tn_buf *out, const char *name)
{
    tn_buf_lit(out, " is an alias of ");
    tn_buf_text(out, name);
    tn_buf_lit(out, ", which is given too");
}

void tn_words_ignored(struct tn_buf *out, struct tn_slice name)
{
    tn_buf_lit(out, "Ignored the unknown parameter '");
    tn_say_slice(out, name);
    tn_buf_char(out, '\'');
}

void tn_words_undeclared(struct tn_buf *out, struct tn_slice name)
{
    tn_buf_lit(out, "The tool does not declare '");
    tn_say_slice(out, name);
    tn_buf_lit(out, "' and may ignore it");
}
