/* glob.c - patterns of paths.
 *
 * A star may stand for more or less; when what follows it does not fit, only the last star takes one more: an earlier one
 * could not help. The same holds for "**" among the parts of a path. So nothing is tried twice and no pattern is slow.
 */
#include "docs/index/glob.h"

#include <stddef.h>
#include <string.h>

static const char *part_end(const char *at)
{
    return at + strcspn(at, "/");
}

/* One character of a set such as [a-z_]; *at is behind its '[' and moves behind its ']'. False when there is no ']'. */
static bool read_set(const char **at, const char *end, unsigned char c, bool *has)
{
    const char *p     = *at;
    bool        turn  = p < end && (*p == '!' || *p == '^');
    bool        found = false;
    const char *first;

    p += turn;
    first = p;
    for (; p < end && (*p != ']' || p == first); p++) {
        unsigned char low = (unsigned char)*p, high = low;

        if (end - p > 2 && p[1] == '-' && p[2] != ']') {
            high = (unsigned char)p[2];
            p += 2;
        }
        found |= low <= c && c <= high;
    }
    if (p >= end)
        return false;
    *at  = p + 1;
    *has = found != turn;
    return true;
}

/* One element of the pattern, no star, against one byte. */
static bool match_one(const char **pattern, const char *end, char c)
{
    const char *p = *pattern;
    bool        has;

    if (p == end)
        return false;
    if (*p == '[') {
        const char *set = p + 1;

        if (read_set(&set, end, (unsigned char)c, &has)) {
            *pattern = set;
            return has;
        }
    }
    *pattern = p + 1;
    return *p == '?' || *p == c;
}

static bool match_part(const char *p, const char *p_end, const char *s, const char *s_end)
{
    const char *star = NULL, *star_at = NULL;

    while (s < s_end) {
        const char *next = p;

        if (p < p_end && *p == '*') {
            star    = ++p;
            star_at = s;
        } else if (match_one(&next, p_end, *s)) {
            p = next;
            s++;
        } else if (star) {
            p = star;
            s = ++star_at;
        } else {
            return false;
        }
    }
    while (p < p_end && *p == '*')
        p++;
    return p == p_end;
}

static bool is_globstar(const char *p)
{
    return p[0] == '*' && p[1] == '*' && (p[2] == '/' || p[2] == '\0');
}

/* Behind a part and its slash; a slash at the very end leads to NULL, as the end itself does. */
static const char *next_part(const char *end)
{
    return *end == '/' ? end + 1 : NULL;
}

bool glob_match(const char *pattern, const char *path)
{
    const char *p = pattern, *s = path;
    const char *star = NULL, *star_at = NULL;

    while (s) {
        const char *p_end = p ? part_end(p) : NULL, *s_end = part_end(s);

        if (p && *p == '\0' && p > pattern)
            return true; /* behind "folder/" */
        if (p && is_globstar(p)) {
            star    = next_part(p_end);
            star_at = s;
            if (!star)
                return true;
            p = star;
        } else if (p && match_part(p, p_end, s, s_end)) {
            p = next_part(p_end);
            s = next_part(s_end);
        } else if (star) {
            p       = star;
            star_at = next_part(part_end(star_at));
            s       = star_at;
        } else {
            return false;
        }
    }
    while (p && is_globstar(p))
        p = next_part(part_end(p));
    return p == NULL;
}
