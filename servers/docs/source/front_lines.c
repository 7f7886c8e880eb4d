/* front_lines.c - front matter as text. */
#include "docs/source/front_lines.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

static bool is_left_out(const char *key, size_t len)
{
    static const char *const keys[] = { "title",           "doc_type",   "date",
                                        "promotion_level", "supersedes", "related_docs" };

    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (strlen(keys[i]) == len && memcmp(keys[i], key, len) == 0)
            return true;
    return false;
}

/* The length of the key that a line of the top level begins with; 0: none. */
static size_t key_len(const char *at, const char *end)
{
    size_t len = 0;

    while (at + len < end && (isalnum((unsigned char)at[len]) || at[len] == '_' || at[len] == '-'))
        len++;
    if (len == 0 || at[0] == '-' || at + len == end || at[len] != ':')
        return 0;
    return at + len + 1 == end || isspace((unsigned char)at[len + 1]) ? len : 0;
}

static void trim(const char **at, const char **end)
{
    while (*at < *end && isspace((unsigned char)**at))
        ++*at;
    while (*end > *at && isspace((unsigned char)(*end)[-1]))
        --*end;
}

/* Has it a letter, and is it not a mark of a block ("|", ">-"), true or false? */
static bool is_text(const char *at, const char *end)
{
    size_t len = (size_t)(end - at);

    if ((len == 4 && memcmp(at, "true", 4) == 0) || (len == 5 && memcmp(at, "false", 5) == 0))
        return false;
    for (; at < end; at++)
        if (isalpha((unsigned char)*at) || (unsigned char)*at >= 0x80)
            return true;
    return false;
}

/* Without the quotes or brackets around it. */
static void put_value(struct text *out, const char *at, const char *end)
{
    trim(&at, &end);
    if (end - at >= 2 && ((*at == '"' && end[-1] == '"') || (*at == '\'' && end[-1] == '\'') ||
                          (*at == '[' && end[-1] == ']'))) {
        at++;
        end--;
    }
    text_add(out, at, (size_t)(end - at));
}

static void put_pair(struct text *out, const char *at, size_t key, const char *end)
{
    text_put(out, "- ");
    for (size_t i = 0; i < key; i++)
        text_char(out, at[i] == '_' ? ' ' : at[i]);
    text_put(out, ": ");
    put_value(out, at + key + 1, end);
}

/* A line below a key: an item, or a part of a longer text. */
static void put_below(struct text *out, const char *at, const char *end)
{
    trim(&at, &end);
    if (!is_text(at, end))
        return;
    if (*at == '-' && at + 1 < end && at[1] == ' ') {
        text_put(out, "- ");
        at += 2;
    } else {
        text_put(out, "  ");
    }
    put_value(out, at, end);
}

void front_lines(const char *yaml, size_t len, struct text *out)
{
    const char *at = yaml, *end = yaml + len;
    bool        skipping = false;

    while (at < end) {
        const char *stop = at, *value, *last;
        size_t      key;

        while (stop < end && *stop != '\n' && *stop != '\r')
            stop++;
        key = key_len(at, stop);
        if (key) {
            skipping = is_left_out(at, key);
            value    = at + key + 1;
            last     = stop;
            trim(&value, &last);
            if (!skipping && (value == last || is_text(value, last) || strchr("|>", *value)))
                put_pair(out, at, key, strchr("|>", value < last ? *value : 'x') ? value : stop);
        } else if (!skipping && at < stop && *at != '#') {
            put_below(out, at, stop);
        }
        at = stop + (stop + 1 < end && stop[0] == '\r' && stop[1] == '\n' ? 2 : stop < end);
        text_char(out, '\n');
    }
}
