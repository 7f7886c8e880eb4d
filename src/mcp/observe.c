/* observe.c - what was wrong with arguments, for those that count it. */
#include "mcp/observe.h"

#include "base/arena.h"
#include "model/words/words.h"

#define SENTENCE_MAX ((size_t)400)
#define NAME_MAX_    ((size_t)128)

static struct tn_slice kept(struct tn_arena *arena, struct tn_slice text, size_t most)
{
    size_t      len  = text.len < most ? text.len : most;
    const char *copy = tn_arena_copy(arena, text.at, len);

    return copy ? (struct tn_slice){ copy, len } : (struct tn_slice){ "", 0 };
}

/* A name as JSON, without its quotes. One that needs escapes is left out: it is no name of a parameter. */
static struct tn_slice name_of(struct tn_slice json)
{
    if (json.len < 2 || json.at[0] != '"' || memchr(json.at, '\\', json.len))
        return (struct tn_slice){ "", 0 };
    return (struct tn_slice){ json.at + 1, json.len - 2 };
}

/* The sentence without the value that was sent, which may be anything. */
static struct tn_slice sentence_of(struct tn_arena *arena, const struct tn_issue *issue, bool values)
{
    struct tn_issue copy = *issue;
    struct tn_buf   text;

    if (!values) {
        copy.hidden = true;
        if (copy.code != ISSUE_UNKNOWN) /* of that it is a name; of others it is made of the value */
            copy.suggestion = (struct tn_slice){ "", 0 };
    }
    tn_buf_init(&text, arena, 0, ISSUE_TEXT_MAX);
    if (!values && copy.text.len > 0 && copy.code != ISSUE_UNKNOWN)
        return (struct tn_slice){ "", 0 }; /* ready words of a handler: whatever stands in them */
    tn_words_issue(&text, &copy);
    return kept(arena, tn_buf_slice(&text), SENTENCE_MAX);
}

const struct tn_call_issue *tn_observe_issues(const struct tn_observer *observer, struct tn_arena *arena,
                                              const struct tn_issues *issues, size_t *count)
{
    struct tn_call_issue *found;

    *count = 0;
    if (!observer->found || issues->count == 0)
        return NULL;
    found = tn_arena_array(arena, CALL_ISSUES_MAX, struct tn_call_issue);
    for (size_t i = 0; found && i < issues->count && i < CALL_ISSUES_MAX; i++) {
        const struct tn_issue *issue   = &issues->at[i];
        bool                   unknown = issue->code == ISSUE_UNKNOWN;

        found[(*count)++] = (struct tn_call_issue){
            .parameter = kept(arena, issue->parameter, NAME_MAX_),
            .code      = tn_words_code(issue),
            .text      = sentence_of(arena, issue, observer->arguments && !issue->hidden),
            .nearest   = unknown ? kept(arena, name_of(issue->suggestion), NAME_MAX_)
                                 : (struct tn_slice){ "", 0 },
            .unknown   = unknown,
        };
    }
    return found;
}
