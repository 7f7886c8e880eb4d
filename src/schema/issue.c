/* issue.c - keeping problems and messages. */
#include "schema/issue.h"

#include <string.h>

struct issue *issues_add(struct issues *issues, struct arena *arena)
{
    struct issue *issue;

    issues->total++;
    if (!issues->at)
        issues->at = arena_take(arena, ISSUES_MAX * sizeof *issues->at, alignof(struct issue));
    if (!issues->at || issues->full || issues->count == ISSUES_MAX)
        return NULL;
    issue  = &issues->at[issues->count++];
    *issue = (struct issue){ 0 };
    return issue;
}

void messages_add(struct messages *messages, struct arena *arena, const char *at, size_t len)
{
    char *copy;

    if (len == 0 || messages->count == MESSAGES_MAX)
        return;
    for (size_t i = 0; i < messages->count; i++)
        if (messages->at[i].len == len && memcmp(messages->at[i].at, at, len) == 0)
            return;
    if (!messages->at)
        messages->at = arena_array(arena, MESSAGES_MAX, struct slice);
    copy = arena_copy(arena, at, len);
    if (messages->at && copy)
        messages->at[messages->count++] = (struct slice){ copy, len };
}

_Static_assert(MESSAGES_MAX <= 64, "a bit for each message");

void messages_add_default(struct messages *messages, struct arena *arena, const char *at, size_t len)
{
    size_t before = messages->count;

    messages_add(messages, arena, at, len);
    if (messages->count > before)
        messages->of_defaults |= UINT64_C(1) << before;
}

void messages_drop_defaults(struct messages *messages)
{
    size_t kept = 0;

    for (size_t i = 0; i < messages->count; i++)
        if (!(messages->of_defaults >> i & 1))
            messages->at[kept++] = messages->at[i];
    messages->count       = kept;
    messages->of_defaults = 0;
}
