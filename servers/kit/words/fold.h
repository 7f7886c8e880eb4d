/* fold.h - characters as searching sees them: lower case, Latin letters without accents. */
#ifndef KIT_WORDS_FOLD_H
#define KIT_WORDS_FOLD_H

#include <stddef.h>
#include <stdint.h>

enum fold_kind {
    FOLD_BREAK,  /* ends a word: spaces, punctuation, symbols, bytes that are not UTF-8 */
    FOLD_LETTER, /* letters and digits */
    FOLD_ALONE,  /* a word by itself, of a script that writes no spaces */
    FOLD_NOTHING /* accents that follow their letter, joiners, soft hyphens */
};

#define FOLD_ROOM 4

/* The character at `at` (len > 0, its first byte is not ASCII): how many bytes it has, what it is, and what it becomes. */
size_t fold_character(const char *at, size_t len, enum fold_kind *kind, char out[FOLD_ROOM], size_t *out_len);

#endif
