/* words.h - the words of a text, for searching and for vectors. */
#ifndef KIT_WORDS_WORDS_H
#define KIT_WORDS_WORDS_H

#include <stdbool.h>
#include <stddef.h>

/* The words that searching uses, of text or of a question: lower case, folded, stemmed, without stop words (unless there are
 * no others); the same for both. Names in code are split at underscores and capitals, and are also kept whole. Visits each
 * where it stands, as often as it stands there, followed by a NUL that is not counted; until false. */
#define WORD_LEN_MAX 64
void words_each(const char *text, size_t len, bool (*visit)(void *user, const char *word, size_t len),
                void *user);

/* The same, with what each is. The parts of a name stand before it. */
enum word_kind {
    WORD_ALONE,
    WORD_PART, /* of the next name */
    WORD_NAME  /* of several parts: "max_body", "parseURL", "config.json", "--max-body" */
};
void words_each_kind(const char *text, size_t len,
                     bool (*visit)(void *user, const char *word, size_t len, enum word_kind kind),
                     void *user);

#endif
