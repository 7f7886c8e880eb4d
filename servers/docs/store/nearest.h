/* nearest.h - vectors that PostgreSQL searches, with pgvector: of collections that have more of them than a replica may keep in memory.
 *
 * The database has a row for each of them beside the exact one, in an index that finds the nearest, or nearly: what it proposes is
 * read, and compared exactly. `tenon db migrate` says which collections these are, where the extension is there.
 */
#ifndef DOCS_STORE_NEAREST_H
#define DOCS_STORE_NEAREST_H

#include "docs/store/store.h"

struct nearest_question {
    const char    *model;
    size_t         dimensions;
    const float   *vectors; /* the questions, one after the other */
    size_t         count;
    size_t         most;   /* that are found for each; NEAREST_MOST at most */
    const int64_t *pieces; /* whose vectors are wanted as well */
    size_t         piece_count;
    const int64_t *allowed; /* no others are found; NULL: all. Then every vector is compared */
    size_t         allowed_count;
    size_t         sample; /* how many are wanted that stand for all */
};

#define NEAREST_MOST 1000

struct nearest_found {
    struct matrix matrix, sample; /* the pieces that were found, with all of their parts; a few of all */
    size_t        rows;           /* about how many there are */
};

/* STORE_NONE: the collection is searched in memory. *found is to be freed whatever is returned. */
enum store_status store_nearest(struct store *store, const struct tenant *tenant, bool external,
                                const struct nearest_question *question, struct nearest_found *found);
void              nearest_free(struct nearest_found *found);

/* ---- Inside the store ---- */

/* Where pgvector is and this role may use it: *schema is its schema, quoted; "" else. False: the database cannot be asked. */
#define NEAREST_SCHEMA_ROOM 132
bool nearest_look(struct sql *sql, char schema[NEAREST_SCHEMA_ROOM]);
/* Are the collection's vectors to be added there too? */
bool nearest_has(struct sql *sql, int64_t collection);
void nearest_add(struct sql *sql, int64_t collection, int64_t part, const float *vector, size_t dimensions);

/* Makes it for collections whose vectors are more than so many bytes; how many it is now, -1 after a failure. */
int64_t nearest_migrate(struct sql *sql, size_t bytes);

#endif
