/* issue_view.c - issues as programs see them. */
#include "model/issue_view.h"

#include "model/words.h"

#define SENTENCE_ROOM ((size_t)64 << 10) /* for a sentence before it is cut */

static const char *copied(struct arena *arena, struct slice slice)
{
    const char *copy = arena_copy(arena, slice.at, slice.len);

    return copy ? copy : "";
}

const char *issue_sentence(struct arena *arena, const struct issue *issue)
{
    struct buf text;

    buf_init(&text, arena, 128, SENTENCE_ROOM);
    words_issue(&text, issue); /* what does not fit is left out, and would be cut anyway */
    return arena->failed ? "" : copied(arena, (struct slice){ text.at, words_cut(text.at, text.len) });
}

const tenon_issue *issue_views(struct arena *arena, const struct issues *issues)
{
    tenon_issue *views = arena_array(arena, issues->count, tenon_issue);

    for (size_t i = 0; views && i < issues->count; i++)
        views[i] = (tenon_issue){ copied(arena, issues->at[i].parameter), words_code(&issues->at[i]),
                                  issue_sentence(arena, &issues->at[i]) };
    return arena->failed ? NULL : views;
}
