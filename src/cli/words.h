/* words.h - a command line in one text, split into its words. No shell is involved. */
#ifndef CLI_WORDS_H
#define CLI_WORDS_H

#include "base/arena.h"

/* NULL-terminated; spaces separate, '...' and "..." hold together, a backslash takes the next character as it is (also
 * between double quotes). NULL with *why when a quote is not closed, there is no word, or memory is refused. */
char **words_split(struct tn_arena *arena, const char *line, const char **why);

#endif
