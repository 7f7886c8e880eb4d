/* say.c - what the sentences share. */
#include "model/words/say.h"

#include "json/read.h"
#include "model/words/words.h"

void tn_say_text(struct tn_buf *out, yyjson_val *string)
{
    tn_echo_text(out, yyjson_get_str(string), yyjson_get_len(string));
}

void tn_say_received(struct tn_buf *out, const struct tn_issue *issue)
{
    if (!issue->node || issue->node->secret ||
        issue->hidden) /* all arguments together may hold secrets too */
        tn_buf_text(out, issue->received ? tn_echo_type(issue->received) : "a string");
    else if (issue->received)
        tn_echo_value(out, issue->received);
}

void tn_say_got(struct tn_buf *out, const struct tn_issue *issue)
{
    tn_buf_lit(out, ", got ");
    tn_say_received(out, issue);
}

void tn_say_quoted(struct tn_buf *out, const struct tn_issue *issue)
{
    if (issue->node->secret || issue->hidden || !yyjson_is_str(issue->received)) {
        tn_say_received(out, issue);
        return;
    }
    tn_buf_char(out, '\'');
    tn_say_text(out, issue->received);
    tn_buf_char(out, '\'');
}

bool tn_say_is_blank(const struct tn_issue *issue)
{
    return yyjson_is_str(issue->received) && tn_slice_blank(tn_json_slice(issue->received));
}

void tn_say_alternatives(struct tn_buf *out, const char *list, const char *end)
{
    struct tn_slice rest  = tn_slice_of(list), part;
    size_t          count = 0;

    while (tn_slice_split(&rest, ',', &part)) {
        if (count++ > 0)
            tn_buf_text(out, rest.len > 0 ? ", " : " or ");
        tn_say_slice(out, tn_slice_trim(part));
        tn_buf_text(out, end);
    }
}

bool tn_say_next(struct tn_say_names *names)
{
    if (names->count++ >= WORDS_NAMES_MAX)
        return false;
    if (names->count > 1)
        tn_buf_lit(names->out, ", ");
    return true;
}

void tn_say_more(const struct tn_say_names *names)
{
    if (names->count <= WORDS_NAMES_MAX)
        return;
    tn_buf_lit(names->out, " and ");
    tn_buf_uint(names->out, names->count - WORDS_NAMES_MAX);
    tn_buf_lit(names->out, " more");
}
