/* postings.h - which pieces have which words, and how often.
 *
 * One pass over the text index finds every piece with any of the words, with how often it has each; how many pieces have a
 * word falls out of the same pass.
 */
#ifndef DOCS_STORE_POSTINGS_H
#define DOCS_STORE_POSTINGS_H

#include "docs/store/store.h"

#define POSTINGS_WORDS_MAX 64 /* that are asked for at once */

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
    int64_t             with[POSTINGS_WORDS_MAX]; /* pieces that have the word */
    int64_t pieces, length; /* of the collection: how many, and words of all; 0 when no row is found */
    const tenon_call *call; /* whose cancellation is seen; may be NULL */
};

/* At most POSTINGS_WORDS_MAX words, as words_each() gives them; they are words, whatever is in them. */
enum store_status store_postings(struct store *store, const tenon_call *call, const struct tenant *tenant,
                                 bool external, const char *const *words, size_t count,
                                 struct postings *postings);
void              postings_free(struct postings *postings);

/* The row of a piece; NULL when it has none of the words. */
const struct posting_row *postings_of(const struct postings *postings, int64_t piece);

#endif
