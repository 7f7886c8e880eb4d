/* words.c - a code's word and its sentence. */
#include "model/words/words.h"

#include "model/words/say.h"

/* A check that serves several rows cannot know their names: "must be even" gets the name of the row. */
static void say_ready(struct tn_buf *out, const struct tn_issue *issue)
{
    static const char *const verbs[] = { "must ", "cannot ", "is ", "has ", "contains " };

    for (size_t i = 0; issue->code == ISSUE_CHECK && issue->node && i < sizeof verbs / sizeof *verbs; i++)
        if (issue->text.len > strlen(verbs[i]) && memcmp(issue->text.at, verbs[i], strlen(verbs[i])) == 0)
            tn_say_label(out, issue, " ");
    tn_say_slice(out, issue->text);
}

static void say_branches(struct tn_buf *out, const struct tn_issue *issue)
{
    tn_say_label(out, issue, " must match exactly one of the alternatives, and matches numbers ");
    tn_buf_uint(out, issue->count + 1);
    tn_buf_lit(out, " and ");
    tn_buf_uint(out, issue->second + 1);
}

/* By code: its word; whether the sentence repeats the value; what makes the sentence, or what stands after the name unless
 * the issue says why. */
/* clang-format off */
static const struct {
    const char *code;
    bool        repeats;
    tn_say_fn  *say;
    const char *text;
} sentences[] = {
    [ISSUE_REQUIRED]  = { "required",    false, NULL,            " is required" },
    [ISSUE_EMPTY]     = { "empty",       false, NULL,            " cannot be empty" },
    [ISSUE_NULL]      = { "null",        false, NULL,            " is null or blank: leave it out, or give a value" },
    [ISSUE_TYPE]      = { "type",        true,  tn_say_type,     NULL },
    [ISSUE_RANGE]     = { "range",       true,  tn_say_range,    NULL },
    [ISSUE_SHORT]     = { "length",      false, tn_say_length,   NULL },
    [ISSUE_LONG]      = { "length",      false, tn_say_length,   NULL },
    [ISSUE_FEW]       = { "count",       false, tn_say_count,    NULL },
    [ISSUE_MANY]      = { "count",       false, tn_say_count,    NULL },
    [ISSUE_REPEATED]  = { "duplicates",  false, NULL,            " contains duplicate values" },
    [ISSUE_CHOICE]    = { "enum",        true,  tn_say_choice,   NULL },
    [ISSUE_PATTERN]   = { "pattern",     true,  tn_say_pattern,  NULL },
    [ISSUE_FORMAT]    = { "format",      true,  tn_say_format,   NULL },
    [ISSUE_DATE]      = { "date",        true,  tn_say_date,     NULL },
    [ISSUE_SECONDS]   = { "date",        true,  tn_say_seconds,  NULL },
    [ISSUE_PATH]      = { "path",        false, tn_say_path,     NULL },
    [ISSUE_JSON]      = { "json",        false, tn_say_json,     NULL },
    [ISSUE_TEXT]      = { "text",        false, NULL,            NULL },
    [ISSUE_KEY_TWICE] = { "repeated",    false, NULL,            " is given more than once" },
    [ISSUE_UNKNOWN]   = { "unknown",     false, tn_say_unknown,  NULL },
    [ISSUE_LIMIT]     = { "limit",       false, NULL,            NULL },
    [ISSUE_ORDER]     = { "order",       false, tn_say_order,    NULL },
    [ISSUE_TOGETHER]  = { "together",    false, tn_say_rule,     NULL },
    [ISSUE_EXCLUSIVE] = { "exclusive",   false, tn_say_rule,     NULL },
    [ISSUE_ANY_OF]    = { "any_of",      false, tn_say_rule,     NULL },
    [ISSUE_REQUIRES]  = { "requires",    false, tn_say_rule,     NULL },
    [ISSUE_NEVER]     = { "not_allowed", false, NULL,            " is not allowed" },
    [ISSUE_CONST]     = { "const",       true,  tn_say_const,    NULL },
    [ISSUE_VALUES]    = { "enum",        true,  tn_say_choice,   NULL },
    [ISSUE_BOUND]     = { "range",       true,  tn_say_range,    NULL },
    [ISSUE_MULTIPLE]  = { "multiple",    true,  tn_say_multiple, NULL },
    [ISSUE_MEMBERS]   = { "count",       false, tn_say_count,    NULL },
    [ISSUE_CONTAINS]  = { "contains",    false, tn_say_count,    NULL },
    [ISSUE_NAME]      = { "name",        false, NULL,            " has a name that is not allowed" },
    [ISSUE_NO_BRANCH] = { "any_of",      true,  NULL,            " does not match any of the alternatives" },
    [ISSUE_BRANCHES]  = { "one_of",      false, say_branches,    NULL },
    [ISSUE_NOT]       = { "not",         true,  NULL,            " has a form that is not allowed" },
    [ISSUE_CHECK]     = { "check",       false, say_ready,       NULL },
    [ISSUE_OWN]       = { NULL,          false, say_ready,       NULL }, /* its code is its own */
};
/* clang-format on */

const char *tn_words_code(const struct tn_issue *issue)
{
    if (issue->code == ISSUE_UNKNOWN && issue->inside)
        return "unknown_inside"; /* `parameter` is what it stands in */
    return issue->code == ISSUE_OWN ? issue->own_code : sentences[issue->code].code;
}

void tn_words_issue(struct tn_buf *out, const struct tn_issue *issue)
{
    if (sentences[issue->code].say) {
        sentences[issue->code].say(out, issue);
        return;
    }
    tn_say_label(out, issue, issue->why ? issue->why : sentences[issue->code].text);
    if (sentences[issue->code].repeats)
        tn_say_got(out, issue);
}

size_t tn_words_cut(const char *at, size_t len)
{
    size_t keep = ISSUE_TEXT_MAX;

    if (len <= keep)
        return len;
    while (keep > 0 && ((unsigned char)at[keep] & 0xC0) == 0x80)
        keep--;
    return keep;
}

bool tn_words_says_received(const struct tn_issue *issue)
{
    if (issue->code == ISSUE_EMPTY)
        return yyjson_get_len(issue->received) == 0;
    return sentences[issue->code].repeats;
}
