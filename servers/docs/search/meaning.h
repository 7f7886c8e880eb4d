/* meaning.h - what a model's cosines add to words: an order, and a relevance.
 *
 * The order is a sum of two scores, each scaled for the question: how far a piece lies above what half of the collection reaches,
 * and how much of the question's words it has. The relevance is about thresholds: half of it lies half way from the
 * collection's floor to the best that the question finds.
 */
#ifndef DOCS_SEARCH_MEANING_H
#define DOCS_SEARCH_MEANING_H

#include "docs/search/floor.h"
#include "docs/search/score.h"

/* Of one question. */
struct meaning {
    struct floor floor;
    double       median, best; /* cosines: of the collection, and of what was found */
    double       words;        /* the most of the question's words that any piece has */
};

#define MEANING_SAMPLE 1021 /* rows whose median stands for all */

/* The median of a sample of cosines, which is put in order. */
double meaning_median(float *sample, size_t count);

double meaning_order(const struct meaning *meaning, const struct evidence *evidence);
double meaning_relevance(const struct meaning *meaning, const struct evidence *evidence);

#endif
