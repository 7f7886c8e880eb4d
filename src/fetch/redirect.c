/* redirect.c - lines of a head, and where they lead. */
#include <string.h>
#include <strings.h>

#include "fetch/inside.h"
#include "fetch/url.h"

#define LINES_FIRST 16

const char *tn_fetch_copy(struct tn_fetch *fetch, const char *text)
{
    return text ? tn_arena_copy(&fetch->arena, text, strlen(text)) : NULL;
}

static bool grow_lines(struct tn_fetch *fetch, struct tn_fetch_lines *lines)
{
    size_t                  room = lines->room ? lines->room * 2 : LINES_FIRST;
    struct tn_fetch_header *more = tn_arena_resize(&fetch->arena, lines->at, lines->room * sizeof *more,
                                                   room * sizeof *more);

    if (!more)
        return false;
    lines->at   = more;
    lines->room = room;
    return true;
}

bool tn_fetch_add_line(struct tn_fetch *fetch, struct tn_fetch_lines *lines, struct tn_slice line)
{
    const char     *colon = line.len ? memchr(line.at, ':', line.len) : NULL;
    struct tn_slice name, value;
    char           *name_copy, *value_copy;

    if (!colon || colon == line.at)
        return true;
    name       = (struct tn_slice){ line.at, (size_t)(colon - line.at) };
    value      = tn_slice_trim((struct tn_slice){ colon + 1, line.len - name.len - 1 });
    name_copy  = tn_arena_copy(&fetch->arena, name.at, name.len);
    value_copy = tn_arena_copy(&fetch->arena, value.at, value.len);
    if (!name_copy || !value_copy || (lines->count == lines->room && !grow_lines(fetch, lines)))
        return false;
    lines->at[lines->count++] = (struct tn_fetch_header){ name_copy, value_copy };
    return true;
}

const char *tn_fetch_header_of(const struct tn_fetch_answer *answer, const char *name)
{
    for (size_t i = 0; i < answer->header_count; i++)
        if (strcasecmp(answer->headers[i].name, name) == 0)
            return answer->headers[i].value;
    return NULL;
}

/* A user in it is left out, and what does not parse leads nowhere. */
const char *tn_fetch_next(struct tn_fetch *fetch)
{
    int            status = fetch->answer.status;
    bool           leads  = status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
    const char    *location = fetch->request.follow && leads ? tn_fetch_header_of(&fetch->answer, "Location")
                                                             : NULL;
    struct tn_url *url      = location ? tn_url_new(fetch->exchange.url) : NULL;
    const char    *next     = NULL;

    if (url && tn_url_set(url, URL_WHOLE, location)) {
        tn_url_set(url, URL_USER, NULL);
        tn_url_set(url, URL_PASSWORD, NULL);
        tn_url_set(url, URL_FRAGMENT, NULL);
        next = tn_fetch_copy(fetch, tn_url_get(url, URL_WHOLE));
    }
    tn_url_free(url);
    return next;
}
