/* words.h - which pieces have which words of a question, and what that is worth.
 *
 * One pass over the text index finds every piece with any of the words, with how often it has each; how many pieces have a
 * word falls out of the same pass. What a piece is worth is computed from that alone: the piece, the question, and how
 * common the words are in the collection, never from what else was found.
 */
#ifndef DOCS_SEARCH_WORDS_H
#define DOCS_SEARCH_WORDS_H

#include "docs/store/store.h"
#include "kit/words/words.h"

#define QUERY_WORDS_MAX 64 /* different ones; of a longer question the first */

struct query_words {
    char     at[QUERY_WORDS_MAX][WORD_LEN_MAX + 1];
    unsigned times[QUERY_WORDS_MAX]; /* in the question; 0 for one that it does not have */
    uint8_t  name[QUERY_WORDS_MAX];  /* the name that it is only a part of; else its own number */
    uint8_t  meant[QUERY_WORDS_MAX]; /* the word that it may stand for; else its own number */
    bool     is_name[QUERY_WORDS_MAX];
    size_t   count;
};

void query_words_of(struct query_words *words, const char *query, size_t len);

/* Adds words that mean nearly the same as those of the question. */
void query_words_widen(struct query_words *words);

/* How often a piece has a word. */
struct posting {
    uint8_t word, times; /* 255: or more */
};

struct posting_row {
    int64_t  piece;
    uint32_t length; /* words of the piece */
    uint32_t first;  /* its postings */
    uint32_t count;
    uint32_t place_count;
    size_t   first_place; /* where they stand, when it is longer than a passage */
};

/* Which word stands where, as one number that orders them. */
#define PASSAGE_WORDS          200 /* a passage: what is judged by itself in a longer piece */
#define PLACE_OF(word, offset) ((uint32_t)(offset) << 6 | (uint32_t)(word))
#define PLACE_WORD(place)      ((place)&63)
#define PLACE_OFFSET(place)    ((place) >> 6)

/* Every piece with any of the words, by number. */
struct postings {
    struct posting_row *rows;
    size_t              row_count, row_room;
    struct posting     *at;
    size_t              count, room;
    uint32_t           *places;
    size_t              place_count, place_room;
    int64_t             with[QUERY_WORDS_MAX]; /* pieces that have the word */
    int64_t pieces, length; /* of the collection: how many, and words of all; 0 when no row is found */
    const tenon_call *call; /* whose cancellation is seen; may be NULL */
};

enum store_status postings_find(struct store *store, const tenon_call *call, const struct tenant *tenant,
                                bool external, const struct query_words *words, struct postings *postings);
void              postings_free(struct postings *postings);

/* The row of a piece; NULL when it has none of the words. */
const struct posting_row *postings_of(const struct postings *postings, int64_t piece);

/* Makes what postings_find() needs known to a new connection. */
bool words_connect(struct sql *sql);

#endif
