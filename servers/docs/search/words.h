/* words.h - the words of a question, and the pieces that have them.
 *
 * What a piece is worth is computed from its postings alone: the piece, the question, and how common the words are in the
 * collection, never from what else was found.
 */
#ifndef DOCS_SEARCH_WORDS_H
#define DOCS_SEARCH_WORDS_H

#include "docs/store/postings.h"
#include "kit/words/words.h"

#define QUERY_WORDS_MAX POSTINGS_WORDS_MAX /* different ones; of a longer question the first */

struct query_words {
    char     at[QUERY_WORDS_MAX][WORD_LEN_MAX + 1];
    unsigned times[QUERY_WORDS_MAX]; /* in the question; 0 for one that it does not have */
    uint8_t  name[QUERY_WORDS_MAX];  /* the name that it is only a part of; else its own number */
    uint8_t  meant[QUERY_WORDS_MAX]; /* the word that it may stand for; else its own number */
    bool     is_name[QUERY_WORDS_MAX];
    bool     is_phrase
        [QUERY_WORDS_MAX]; /* what a phrase of it means: the question does not have the word itself */
    size_t count;
};

void query_words_of(struct query_words *words, const char *query, size_t len);

/* Adds words that mean nearly the same as those of the question. */
void query_words_widen(struct query_words *words);

enum store_status postings_find(struct store *store, const tenon_call *call, const struct tenant *tenant,
                                bool external, const struct query_words *words, struct postings *postings);
#endif
