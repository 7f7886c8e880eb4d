/* search.h - hybrid search: words and vectors, one relevance from 0 to 1 that means the same for every question. */
#ifndef DOCS_SEARCH_SEARCH_H
#define DOCS_SEARCH_SEARCH_H

#include "docs/project/project.h"
#include "docs/search/score.h"
#include "docs/store/store.h"

#define SEARCH_MOST 1000 /* documents that are looked at in detail */

struct search {
    const char        *query;
    const char *const *doc_types; /* NULL: all */
    size_t             doc_type_count;
    const char *const *tags; /* each must be there, in any case; NULL: any */
    size_t             tag_count;
    const char *const *paths; /* patterns, one of which must match (glob.h); NULL: any */
    size_t             path_count;
    unsigned           levels; /* bits of enum level; 0: all */
    bool               external;
    double             threshold;
    bool               threshold_is_default; /* then up to three below it are shown, flagged */
    size_t             most;
};

struct hit {
    struct document document;
    struct piece    piece;     /* its best piece, with its parts */
    size_t          part;      /* of them, the one that answers best: what is shown and cited */
    double         *scores;    /* of each part, to that one's: up to 1 */
    struct evidence evidence;  /* of the piece */
    double          relevance; /* raw: what is reported and compared with the threshold */
    double          rank;      /* boosted by level and demoted when superseded: what orders */
    bool            below_threshold;
    bool            is_notes; /* release notes, listed after others of the same relevance */
};

struct hits {
    struct hit           *at;
    size_t                count;
    size_t                total;      /* above the threshold, before the limit */
    double                best;       /* the best relevance of all, also below the threshold; 0 for none */
    bool                  words_only; /* the provider was down */
    bool                  is_loading; /* ... because the model is not ready yet */
    struct embed_failure *failure;    /* then why, or NULL */
};

/* Everything is in the call's memory. */
enum store_status search_run(struct docs *docs, tenon_call *call, const struct project *project,
                             const struct search *search, struct hits *hits);

#endif
