/* extract_short.c - which part of a long unit is shown, and what is not shown at all. */
#include <string.h>

#include "docs/search/extract_units.h"

#define LINKS_LEAST 4

bool is_made_of_links(const char *at, size_t len)
{
    size_t links = 0, inside = 0, begin = 0;
    bool   is_open = false;

    for (size_t i = 0; i < len; i++) {
        if (at[i] == '[' && !is_open) {
            is_open = true;
            begin   = i;
        } else if (at[i] == ')' && is_open && memchr(at + begin, ']', i - begin)) {
            is_open = false;
            links++;
            inside += i + 1 - begin;
        }
    }
    return (links >= LINKS_LEAST && inside * 2 > len) || (links > 0 && inside * 4 > len * 3);
}

static size_t line_len(const char *at)
{
    size_t len = strcspn(at, "\n");

    return at[len] ? len + 1 : len;
}

/* Lines that are wanted, below the top. */
static size_t count_wanted(const char *at, size_t                                       *rows,
                           bool (*wanted)(void *user, const char *at, size_t len), void *user)
{
    size_t count = 0;

    *rows = 0;
    for (size_t line = 0, len; *at; at += len, line++) {
        len = line_len(at);
        if (line < TABLE_TOP)
            continue;
        ++*rows;
        count += wanted(user, at, len);
    }
    return count;
}

void table_shorten(char *text, bool (*wanted)(void *user, const char *at, size_t len), void *user)
{
    size_t rows, len;
    char  *to = text;

    if (count_wanted(text, &rows, wanted, user) == 0 || rows <= TABLE_ROWS_MOST)
        return;
    for (size_t line = 0; *text; text += len, line++) {
        len = line_len(text);
        if (line >= TABLE_TOP && !wanted(user, text, len))
            continue;
        memmove(to, text, len);
        to += len;
    }
    if (to[-1] == '\n')
        to--;
    *to = '\0';
}
