/* sqlite_words.h - the words of a text as SQLite's index of texts has them, for those that keep them elsewhere. */
#ifndef KIT_SQLITE_WORDS_H
#define KIT_SQLITE_WORDS_H

#include <stdbool.h>
#include <stddef.h>

/* A word, in lower case and without accents, and where it stands in the text. False ends it. */
typedef bool (*sqlite_word_fn)(void *user, const char *word, size_t len, size_t start, size_t end);

/* All of a text in UTF-8, as "unicode61" finds them, or with `stems` as "porter unicode61". False without memory, and when
 * `each` ended it. */
bool sqlite_words(const char *text, size_t len, bool stems, sqlite_word_fn each, void *user);

#endif
