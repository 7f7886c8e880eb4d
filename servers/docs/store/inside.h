/* inside.h - what the store's files share: collections, connections, statuses.
 *
 * A collection is a tenant's own documents, or its external ones. It has a full-text table of its own, words_ID: with
 * one table for all, every question would pay for the documents of all tenants, and the weight of a word, which SQLite
 * takes from the whole table, would show one tenant what another writes.
 */
#ifndef DOCS_STORE_INSIDE_H
#define DOCS_STORE_INSIDE_H

#include <pthread.h>

#include "docs/store/nearest.h"
#include "docs/store/store.h"
#include "kit/text.h"

#define WORDS_VERSION 2 /* of what words_of_piece() finds: a collection of another is indexed again */
#define REMOVALS_KEPT                                                                                        \
    4096 /* changes for which what is gone is known; who is further behind reads everything */
#define VECTORS_MOST                                                                                         \
    ((size_t)1 << 30) /* bytes of vectors in memory, of all collections, unless a setting says otherwise; one alone may have more */
#define MODEL_ROOM     129
#define HASH_ROOM      65
#define STATEMENT_ROOM 512
#define LEASE_SECONDS  30

struct vectors; /* of one collection in memory */
struct lease;

struct store {
    struct sql_pool *pool;
    char            *path;
    int64_t          holder;    /* names this store among all that have the database open */
    char             place[96]; /* where process numbers mean what they mean here */
    pthread_mutex_t  lock;      /* of the list; what is in it stays until the store is closed */
    struct vectors  *vectors;
    size_t           vectors_most; /* bytes of all of them; those that were not asked for longest go first */
    enum matrix_form form;         /* of vectors in memory */
    uint64_t         asked;        /* how often vectors were asked for */
    atomic_bool      is_over;      /* one collection has more, which was reported */
    struct lease    *leases;       /* that were taken from other replicas */
    char             nearest[NEAREST_SCHEMA_ROOM]; /* where pgvector is; "": it is not */
};

struct collection {
    int64_t id;     /* 0: there is none */
    int64_t change; /* the number of the last one */
    int64_t pruned; /* what was removed until this change is not known any more */
    int64_t pieces; /* how many it has */
};

/* A connection in a transaction of reading; NULL and *status. store_done() ends it and gives it back. */
struct sql       *store_reading(struct store *store, enum store_status *status);
struct sql       *store_writing(struct store *store, enum store_status *status);
enum store_status store_done(struct store *store, struct sql *sql, enum store_status status);

/* What a failure of the connection means; STORE_OK for none. */
enum store_status store_status_of(const struct sql *sql);

/* The tenant's collection: STORE_NONE when nothing was ever put in it. */
enum store_status collection_find(struct sql *sql, int64_t tenant, bool external,
                                  struct collection *collection);
enum store_status collection_make(struct sql *sql, int64_t tenant, bool external,
                                  struct collection *collection);
/* Other writers of it wait until the transaction ends; what is in *collection is what there is then. */
enum store_status collection_lock(struct sql *sql, int64_t tenant, bool external,
                                  struct collection *collection);
void              collection_drop(struct sql *sql, int64_t collection);

/* A statement whose text has the collection's number at each '@'. */
struct statement *collection_statement(struct sql *sql, int64_t collection, const char *text);

/* The words of a text as SQLite gets them: side by side, with spaces between. False without memory. */
bool words_join(struct text *out, const char *text, size_t len);
/* Those of a piece: also of the document's title and the headings above it, which may be NULL. What a section is about often
 * stands only there. */
bool words_of_piece(struct text *out, const char *title, const char *header_path, const char *text,
                    size_t len);

/* The words of all pieces, which came from SQLite without them. */
bool store_copied(struct sql *sql);

void lease_name_holder(struct store *store);
void leases_free(struct store *store);
/* STORE_BUSY: this store had the tenant's lease, and another has it now. */
enum store_status lease_check(struct store *store, struct sql *sql, int64_t tenant);

void vectors_free(struct store *store);
/* Are these in memory; and the bytes of all that are. */
bool   vectors_held(struct store *store, int64_t tenant, bool external);
size_t vectors_bytes(struct store *store);

/* The numbers as a JSON array, for SQL_NUMBERS(). False without memory. */
bool store_list(struct text *out, const int64_t *ids, size_t count);

/* Text in the call's memory; NULL when refused. */
const char *store_copy(tenon_call *call, const char *text, size_t len);

#endif
