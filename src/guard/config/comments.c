/* comments.c - comments and trailing commas in JSON, as editors let people write them into their files. They become spaces, so that
 * every place stays where it is. */
#include <string.h>

#include "guard/config/tree.h"

/* The end of the string that begins at `at`. */
static size_t string_end(const char *text, size_t len, size_t at)
{
    for (at++; at < len && text[at] != '"'; at++)
        if (text[at] == '\\')
            at++;
    return at < len ? at + 1 : len;
}

/* The end of the comment that begins at `at`; `at` when none does. One without an end is none. */
static size_t comment_end(const char *text, size_t len, size_t at)
{
    size_t end = at + 2;

    if (len - at < 2 || text[at] != '/')
        return at;
    if (text[at + 1] == '/') {
        while (end < len && text[end] != '\n')
            end++;
        return end;
    }
    if (text[at + 1] != '*')
        return at;
    while (end + 1 < len && (text[end] != '*' || text[end + 1] != '/'))
        end++;
    return end + 1 < len ? end + 2 : at;
}

static void blank(char *text, size_t from, size_t to)
{
    for (; from < to; from++)
        if (text[from] != '\n')
            text[from] = ' ';
}

struct tn_slice tn_comments_blanked(struct tn_arena *arena, struct tn_slice given)
{
    char  *text  = tn_arena_copy(arena, given.at, given.len);
    size_t comma = given.len; /* after a value, and only spaces follow it so far */
    char   last  = '[';       /* that is neither space nor comment */

    for (size_t i = 0; text && i < given.len;) {
        size_t end = comment_end(text, given.len, i);

        if (text[i] == '"')
            end = string_end(text, given.len, i);
        else if (end > i)
            blank(text, i, end);
        else if (text[i] == ']' || text[i] == '}')
            blank(text, comma, comma < given.len ? comma + 1 : comma);
        if (!tn_str_blank(text[i])) {
            comma = text[i] == ',' && !strchr("[{,", last) ? i : given.len;
            last  = text[i];
        }
        i = end > i ? end : i + 1;
    }
    return (struct tn_slice){ text ? text : "", text ? given.len : 0 };
}
