/* score.h - what a piece is worth for a question: evidence that means the same for every question, and the curve
 * from it to a relevance.
 *
 * Evidence is about the piece and the question; the collection only says how common words are, and how long pieces. The
 * weights are constants, fitted once (docs/search.md): nothing is learnt from what is searched.
 */
#ifndef DOCS_SEARCH_SCORE_H
#define DOCS_SEARCH_SCORE_H

#include "docs/search/words.h"

/* A question, weighed. */
struct score_query {
    double  weights[QUERY_WORDS_MAX]; /* of its words; together 1 */
    double  parts[QUERY_WORDS_MAX];   /* of saying the word that is meant */
    uint8_t meant[QUERY_WORDS_MAX];
    bool    is_name[QUERY_WORDS_MAX];
    size_t  count;
    double  usual_length; /* of a piece */

    struct word_beginnings beginnings; /* of its words */
};

struct evidence {
    double
        saturated; /* the part of the question's weight that the piece has: a word counts the more the more often it
                       * is said, and never quite fully */
    double cosine;
    bool   has_cosine;
};

/* Whether a cosine is of the embedded provider or of a model: they mean different things. */
enum cosine_kind { COSINE_EMBEDDED, COSINE_MODEL };

void score_question(struct score_query *query, const struct query_words *words,
                    const struct postings *postings);

/* The words' part. `row` may be NULL: none of them is there. */
struct evidence score_words(const struct score_query *query, const struct postings *postings,
                            const struct posting_row *row);

/* The words' part of a section by itself, with the headings above it, the last of which counts most. A little above 1 for one
 * whose heading is the question. */
double score_section(const struct score_query *query, const struct query_words *words,
                     const char *heading_path, const char *text, size_t len);

/* The part of the question's weight that a name has: a title, a path. */
double score_name(const struct score_query *query, const struct query_words *words, const char *name);

/* From 0 to 1. A model's cosine says nothing by itself (meaning.h): then it is the words' alone. */
double score_relevance(const struct evidence *evidence, enum cosine_kind kind);

#endif
