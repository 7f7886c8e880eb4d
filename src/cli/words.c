/* words.c - splitting a command line. */
#include "cli/words.h"

#include <string.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n';
}

/* Copies one word, without its quotes; returns where it ends in `line`, or NULL when a quote is not closed. */
static const char *copy_word(const char *line, char *to)
{
    char quote = '\0';

    for (; *line && (quote || !is_blank(*line)); line++) {
        if (*line == '\\' && quote != '\'' && line[1])
            *to++ = *++line;
        else if (quote ? *line == quote : *line == '\'' || *line == '"')
            quote = quote ? '\0' : *line;
        else
            *to++ = *line;
    }
    *to = '\0';
    return quote ? NULL : line;
}

char **words_split(struct tn_arena *arena, const char *line, const char **why)
{
    size_t len = strlen(line), count = 0;
    char **words = tn_arena_array(arena, len / 2 + 2, char *);
    char  *room  = tn_arena_array(arena, len + 2, char);

    *why = "out of memory";
    if (!words || !room)
        return NULL;
    for (;;) {
        while (is_blank(*line))
            line++;
        if (!*line)
            break;
        words[count++] = room;
        line           = copy_word(line, room);
        if (!line) {
            *why = "a quote is not closed";
            return NULL;
        }
        room += strlen(room) + 1;
    }
    *why = count ? NULL : "it is empty";
    return count ? words : NULL;
}
