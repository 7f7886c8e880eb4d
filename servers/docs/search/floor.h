/* floor.h - from which cosine on a model says anything about a collection.
 *
 * Cosines of models mean different things: unrelated texts have 0.1 with one and 0.8 with another. So each collection is asked
 * questions that it certainly does not answer, and what they find is the floor.
 */
#ifndef DOCS_SEARCH_FLOOR_H
#define DOCS_SEARCH_FLOOR_H

#include "docs/docs.h"
#include "docs/store/matrix.h"

struct floor {
    bool is_known; /* else the probes could not be embedded: the model says nothing */
    bool
           is_separable; /* else related and unrelated texts have nearly the same cosine: the model ranks, and passes no threshold */
    double cosine;
};

/* Of the collection whose vectors these are, or NULL of one that the database searches, and how many there are; computed when it is first asked for, and again when the collection has grown or
 * shrunk by a quarter. Any thread. */
struct floor floor_of(struct docs *docs, const tenon_call *call, const struct tenant *tenant, bool external,
                      const struct matrix *matrix, size_t rows);
void         floors_free(struct docs *docs);

/* From the best cosine of each probe. */
struct floor floor_from(const float *best, size_t count);

#define PROBE_COUNT 64
extern const char *const floor_probes[PROBE_COUNT];

#endif
