/* closer.h - a second look at the best pieces of a search: section by section, as they are read.
 *
 * The first look sees a piece, often a whole page, through the text index. This one reads it, and finds the section that
 * says most of what is asked, with the headings above it.
 */
#ifndef DOCS_SEARCH_CLOSER_H
#define DOCS_SEARCH_CLOSER_H

#include "docs/search/score.h"

#define CLOSER_PIECES 64 /* that are looked at; those after them stay after them */

#define NOT_LOOKED_AT (-1.0)

/* What the best sections of each piece, which has its parts, have of the question; NOT_LOOKED_AT for one that is gone or too
 * long. */
void closer_look(tenon_call *call, const struct score_query *query, const struct query_words *words,
                 const struct piece *pieces, size_t count, double *sections);

/* The words' evidence of a document, by which it is ordered: of its sections, of its piece as a whole, and of its name. The
 * whole stands for sections that were not looked at. */
double closer_evidence(const struct score_query *query, const struct query_words *words,
                       const struct document *document, double sections, double whole);

#endif
