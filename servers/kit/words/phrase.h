/* phrase.h - words that mean one thing together: "log out", "standard input", "get rid of". */
#ifndef KIT_WORDS_PHRASE_H
#define KIT_WORDS_PHRASE_H

#include <stddef.h>

#define PHRASE_WORD_MAX 15 /* letters of a word that can be part of one */

/* The last two words of a text; all zero: none. */
struct phrase {
    char last[2][PHRASE_WORD_MAX + 1];
};

/* What the phrase means that ends with this word, written in small letters; *parts is how many of its words would also be
 * searched for alone, this one included. NULL: none ends here. */
const char *phrase_take(struct phrase *phrase, const char *word, size_t len, size_t *parts);

/* Something else than a blank stands between the last word and the next. */
void phrase_break(struct phrase *phrase);

#endif
