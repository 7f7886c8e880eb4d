/* issue_view.c - issues as programs see them. */
#include "model/issue_view.h"

#include "model/words/words.h"

#define SENTENCE_ROOM ((size_t)64 << 10) /* for a sentence before it is cut */

static const char *copied(struct tn_arena *arena, struct tn_slice slice)
{
    const char *copy = tn_arena_copy(arena, slice.at, slice.len);

    return copy ? copy : "";
}

const char *tn_issue_sentence(struct tn_arena *arena, const struct tn_issue *issue)
{
    struct tn_buf text;

    tn_buf_init(&text, arena, 128, SENTENCE_ROOM);
    tn_words_issue(&text, issue); /* what does not fit is left out, and would be cut anyway */
    return arena->failed ? "" : copied(arena, (struct tn_slice){ text.at, tn_words_cut(text.at, text.len) });
}

const tenon_issue *tn_issue_views(struct tn_arena *arena, const struct tn_issues *issues)
{
    tenon_issue *views = tn_arena_array(arena, issues->count, tenon_issue);

    for (size_t i = 0; views && i < issues->count; i++)
        views[i] = (tenon_issue){ copied(arena, issues->at[i].parameter), tn_words_code(&issues->at[i]),
                                  tn_issue_sentence(arena, &issues->at[i]) };
    return arena->failed ? NULL : views;
}
