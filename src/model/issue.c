/* issue.c - keeping problems and messages. */
#include "model/issue.h"

#include <string.h>

#include "json/write.h"
#include "model/like.h"
#include "text/date_fault.h"

struct tn_issue *tn_issues_begin(struct tn_issues *issues, struct tn_arena *arena)
{
    issues->at = tn_arena_take(arena, ISSUES_MAX * sizeof *issues->at, alignof(struct tn_issue));
    if (issues->at)
        return tn_issues_add_unfilled(issues, arena);
    issues->total++;
    return NULL;
}

struct tn_issue *tn_issues_add(struct tn_issues *issues, struct tn_arena *arena)
{
    struct tn_issue *issue = tn_issues_add_unfilled(issues, arena);

    if (issue)
        memset(issue, 0, sizeof *issue);
    return issue;
}

/* Is it a matter of form, so that any value of that form helps? */
static bool is_of_form(enum tn_issue_code code)
{
    switch (code) {
    case ISSUE_TYPE:
    case ISSUE_FORMAT:
    case ISSUE_DATE:
    case ISSUE_SECONDS:
    case ISSUE_PATH:
    case ISSUE_JSON:
    case ISSUE_LIMIT:
    case ISSUE_KEY_TWICE: return true;
    default: return false;
    }
}

/* May a made-up value be shown? The library knows no names, numbers or texts that a caller could mean; it knows forms.
 * What is expected says all there is to know of a number or a plain text, and not of the first kinds here. */
bool tn_issue_shows_made_up(const struct tn_node *node, enum tn_issue_code code)
{
    switch (tn_like_kind(node)) {
    case TENON_KIND_OBJECT:
    case TENON_KIND_OBJECTS:
    case TENON_KIND_JSON:
    case TENON_KIND_PATH:
    case TENON_KIND_PATHS:
    case TENON_KIND_ABSPATH: return true;
    case TENON_KIND_ID:
    case TENON_KIND_INT:
    case TENON_KIND_NUM:
    case TENON_KIND_BOOL:
    case TENON_KIND_ENUM: return false;
    case TENON_KIND_STR: return node->text.pattern || (node->text.format && is_of_form(code));
    default: return is_of_form(code);
    }
}

struct tn_slice tn_issue_example(const struct tn_issue *issue)
{
    static const struct tn_slice none = { "", 0 };
    const struct tn_node        *node = issue->addressed;

    if (issue->code == ISSUE_EXCLUSIVE && !issue->inside)
        return none; /* what may not stand beside another is to be left out: no value would do */
    if (!node || issue->example.len > 0)
        return issue->example;
    if (issue->code == ISSUE_CHOICE || issue->code == ISSUE_VALUES || issue->unshown)
        return none; /* another value would mean something else; the valid ones are said */
    return node->made_up && !tn_issue_shows_made_up(node, issue->code) ? none : node->example;
}

void tn_issue_suggest(struct tn_issue *issue, struct tn_arena *arena, struct tn_slice text)
{
    struct tn_buf json;

    tn_buf_init(&json, arena, text.len + 8, ISSUE_TEXT_MAX);
    tn_json_string(&json, text.at, text.len);
    if (!json.failed)
        issue->suggestion = tn_buf_slice(&json);
}

void tn_issue_date(struct tn_issue *issue, struct tn_arena *arena, struct tn_slice text)
{
    const struct tn_node *node = issue ? issue->node : NULL;
    struct tn_date_guess  guess;

    if (!issue)
        return;
    guess        = tn_date_guess(text, tn_like_kind(node) == TENON_KIND_TIMESTAMP        ? DATE_FORM_TIMESTAMP
                                       : node->calendar || node->kind != TENON_KIND_DATE ? DATE_FORM_DAY
                                                                                         : DATE_FORM_EITHER);
    issue->count = guess.fault;
    if (guess.meant[0] != '\0' && !issue->inside && !node->secret)
        tn_issue_suggest(issue, arena, tn_slice_of(guess.meant));
}

void tn_messages_add(struct tn_messages *messages, struct tn_arena *arena, const char *at, size_t len)
{
    char *copy;

    if (len == 0 || messages->count == MESSAGES_MAX)
        return;
    for (size_t i = 0; i < messages->count; i++)
        if (messages->at[i].len == len && memcmp(messages->at[i].at, at, len) == 0)
            return;
    if (!messages->at)
        messages->at = tn_arena_array(arena, MESSAGES_MAX, struct tn_slice);
    copy = tn_arena_copy(arena, at, len);
    if (messages->at && copy)
        messages->at[messages->count++] = (struct tn_slice){ copy, len };
}

_Static_assert(MESSAGES_MAX <= 64, "a bit for each message");

void tn_messages_add_default(struct tn_messages *messages, struct tn_arena *arena, const char *at, size_t len)
{
    size_t before = messages->count;

    tn_messages_add(messages, arena, at, len);
    if (messages->count > before)
        messages->of_defaults |= UINT64_C(1) << before;
}

void tn_messages_drop_defaults(struct tn_messages *messages)
{
    size_t kept = 0;

    for (size_t i = 0; i < messages->count; i++)
        if (!(messages->of_defaults >> i & 1))
            messages->at[kept++] = messages->at[i];
    messages->count       = kept;
    messages->of_defaults = 0;
}
