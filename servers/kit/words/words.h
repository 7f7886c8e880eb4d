/* words.h - the words of a text, for searching and for vectors. */
#ifndef KIT_WORDS_WORDS_H
#define KIT_WORDS_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The words that searching uses, of text or of a question: lower case, folded, stemmed, without stop words (unless there are
 * no others); the same for both. Names in code are split at underscores and capitals, and are also kept whole; phrases get a word of their own. Visits each
 * where it stands, as often as it stands there, followed by a NUL that is not counted; until false. */
#define WORDS_VERSION                                                                                        \
    2 /* another number whenever a text gets other words: what was indexed is indexed again */
#define WORD_LEN_MAX 64
void words_each(const char *text, size_t len, bool (*visit)(void *user, const char *word, size_t len),
                void *user);

/* The same, with what each is. The parts of a name stand before it. */
enum word_kind {
    WORD_ALONE,
    WORD_PART,    /* of the next name */
    WORD_NAME,    /* of several parts: "max_body", "parseURL", "config.json", "--max-body" */
    WORD_FOR_ONE, /* what the word before it means here: "logout" after the "log" of "log out" (phrase.h) */
    WORD_FOR_TWO  /* what the two words before it mean together: "stdin" after "standard input" */
};
void words_each_kind(const char *text, size_t len,
                     bool (*visit)(void *user, const char *word, size_t len, enum word_kind kind),
                     void *user);

/* How the words begin that are looked for; all zero: there are none. It rules out most words of a text before they are stemmed. */
struct word_beginnings {
    uint64_t seconds[256]; /* by the first byte, a bit for each second one modulo 64 */
};
void word_beginnings_add(struct word_beginnings *beginnings, const char *word, size_t len);

/* Visits, of the words of a text, those that may be one of these, and some others; how many words it has in all. The visitor
 * has to see them all: false ends the count, too. */
size_t words_each_like(const char *text, size_t len, const struct word_beginnings *beginnings,
                       bool (*visit)(void *user, const char *word, size_t len), void *user);

#endif
