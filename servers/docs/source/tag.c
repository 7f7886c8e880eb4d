/* tag.c - tags and comments of HTML and JSX. */
#include "docs/source/tag.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

/* Behind a quoted value or a part in braces, which may nest; NULL when it does not end. */
static const char *skip_value(const char *at, const char *end)
{
    int depth = 0;

    if (*at == '"' || *at == '\'') {
        const char *close = memchr(at + 1, *at, (size_t)(end - at) - 1);

        return close ? close + 1 : NULL;
    }
    for (; at < end; at++) {
        depth += *at == '{';
        depth -= *at == '}';
        if (depth == 0)
            return at + 1;
    }
    return NULL;
}

bool tag_read(struct tag *tag, const char *at, const char *end)
{
    size_t len = 0;

    if ((size_t)(end - at) > TAG_LEN_MAX)
        end = at + TAG_LEN_MAX;
    *tag = (struct tag){ .is_closing = at + 1 < end && at[1] == '/' };
    at += 1 + tag->is_closing;
    if (at < end && *at == '>') { /* a fragment of JSX */
        tag->end = at + 1;
        return true;
    }
    if (at >= end || !isalpha((unsigned char)*at))
        return false;
    for (; at < end && (isalnum((unsigned char)*at) || *at == '-' || *at == '.'); at++)
        if (len < sizeof tag->name - 1)
            tag->name[len++] = (char)tolower((unsigned char)*at);
    if (at >= end || !strchr(" \t\r\n/>", *at) || !*at)
        return false; /* "<user@host>", "<https://...>" */
    while (at < end && *at != '>') {
        const char *next = *at == '"' || *at == '\'' || *at == '{' ? skip_value(at, end) : at + 1;

        if (!next || *at == '<')
            return false;
        tag->is_single = *at == '/';
        at             = next;
    }
    if (at >= end)
        return false;
    tag->end = at + 1;
    return true;
}

const char *tag_skip_comment(const char *at, const char *end)
{
    const char *close;

    if (end - at < 4 || at[0] != '<' || (at[1] != '!' && at[1] != '?'))
        return NULL;
    if (at[1] == '!' && at[2] == '-' && at[3] == '-') {
        close = memmem(at + 4, (size_t)(end - at) - 4, "-->", 3);
        return close ? close + 3 : NULL;
    }
    if (at[1] == '!' && !isalpha((unsigned char)at[2]))
        return NULL;
    close = memchr(at, '>', (size_t)(end - at) < TAG_LEN_MAX ? (size_t)(end - at) : TAG_LEN_MAX);
    return close ? close + 1 : NULL;
}

const char *tag_find_closing(const char *name, const char *at, const char *end)
{
    size_t len = strlen(name);

    for (; (at = memchr(at, '<', (size_t)(end - at))); at++)
        if ((size_t)(end - at) > len + 2 && at[1] == '/' && strncasecmp(at + 2, name, len) == 0 &&
            !isalnum((unsigned char)at[len + 2]))
            return at;
    return NULL;
}
