/* pick.h - which pieces a search may look at, and the best of them. */
#ifndef DOCS_SEARCH_PICK_H
#define DOCS_SEARCH_PICK_H

#include "docs/search/search.h"

/* The pieces that a search may look at. */
struct allowed {
    bool     all;
    int64_t *ids; /* in order */
    size_t   count, room;
};

enum store_status allowed_find(struct store *store, const struct tenant *tenant, const struct search *search,
                               struct allowed *allowed);
void              allowed_free(struct allowed *allowed);
bool              allowed_has(const struct allowed *allowed, int64_t piece);

/* The `most` best of what is offered: first by score, then by number. */
struct scored {
    double  score;
    int64_t id;
};

struct best {
    struct scored *at; /* room for `most` */
    size_t         count, most;
};

/* Whether a score would be among them: cheap, to be asked first. */
static inline bool best_wants(const struct best *best, double score)
{
    return best->count < best->most || score >= best->at[0].score;
}

void best_offer(struct best *best, struct scored offered);

#endif
