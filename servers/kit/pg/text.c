/* text.c - the text of a statement as PostgreSQL takes it: "?1" is "$1" there, and of SQL_EITHER() it takes the second. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kit/pg/pg.h"

/* Where the quoted text at `at` ends; '' inside it is another one right behind. */
static const char *skip_quoted(const char *at)
{
    const char *end = strchr(at + 1, *at);

    return end ? end + 1 : at + strlen(at);
}

/* Past what is SQLite's alone, past the marks around what is not; the same place where there is neither. */
static const char *skip_mark(const char *at)
{
    static const char begin[] = "/*sqlite*/", middle[] = "/*else ";
    const char       *other;

    if (strncmp(at, "*/", 2) == 0)
        return at + 2;
    if (strncmp(at, begin, sizeof begin - 1) != 0)
        return at;
    other = strstr(at, middle);
    return other ? other + sizeof middle - 1 : at + strlen(at);
}

/* The number of the value at `at`, which is moved past it. A bare ? is the one after the largest so far. */
static int read_value(const char **at, int most)
{
    char *end;
    int   index;

    if (!isdigit((unsigned char)(*at)[1])) {
        ++*at;
        return most + 1;
    }
    index = (int)strtol(*at + 1, &end, 10);
    *at   = end;
    return index;
}

char *pg_text_translate(const char *text, int *values, uint64_t *used)
{
    char *made = malloc(strlen(text) * 3 + 1); /* "?" is "$32" at most */
    char *out  = made;

    *values = 0;
    *used   = 0;
    while (made && *text) {
        const char *from = text;

        text = skip_mark(text);
        if (text != from)
            continue;
        if (*text == '?') {
            int index = read_value(&text, *values);

            *values = index > *values ? index : *values;
            *used |= index >= 1 && index <= 64 ? UINT64_C(1) << (index - 1) : 0;
            out += sprintf(out, "$%d", index);
            continue;
        }
        text = *text == '\'' || *text == '"' ? skip_quoted(text) : text + 1;
        memcpy(out, from, (size_t)(text - from));
        out += text - from;
    }
    if (made)
        *out = '\0';
    return made;
}
