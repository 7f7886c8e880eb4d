/* vectors.c - the vectors of collections in memory.
 *
 * Each remembers the number of the last change that is in it. When the database has a later one, what is gone and what has
 * come since is read; it makes no difference which process wrote it. Branches are many, and any caller may ask
 * about any: what was not asked for longest is forgotten when all together are too long, and read again when it is needed.
 */
#include <stdlib.h>
#include <string.h>

#include "docs/store/inside.h"
#include "kit/embed/embed.h"

struct vectors {
    struct vectors  *next;
    int64_t          tenant;
    bool             external;
    pthread_rwlock_t lock; /* of what follows */
    int64_t          collection, change;
    char             model[MODEL_ROOM];
    struct matrix    matrix;
    bool             made; /* the matrix is there */

    /* Of the list's lock. */
    size_t   bytes;
    uint64_t asked;
};

void store_vectors_form(struct store *store, enum matrix_form form)
{
    store->form = form;
}

void store_vectors_limit(struct store *store, size_t bytes)
{
    store->vectors_most = bytes;
}

/* ---- The list ---- */

static struct vectors *new_vectors(int64_t tenant, bool external)
{
    struct vectors      *vectors = calloc(1, sizeof *vectors);
    pthread_rwlockattr_t kind;
    int                  failed;

    if (!vectors)
        return NULL;
    vectors->tenant   = tenant;
    vectors->external = external;
    pthread_rwlockattr_init(&kind);
#ifdef __GLIBC__ /* else questions that never pause would keep changes out for ever */
    pthread_rwlockattr_setkind_np(&kind, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
#endif
    failed = pthread_rwlock_init(&vectors->lock, &kind);
    pthread_rwlockattr_destroy(&kind);
    if (failed) {
        free(vectors);
        return NULL;
    }
    return vectors;
}

static struct vectors *find_vectors(struct store *store, int64_t tenant, bool external, bool make)
{
    struct vectors *vectors;

    pthread_mutex_lock(&store->lock);
    for (vectors = store->vectors; vectors; vectors = vectors->next)
        if (vectors->tenant == tenant && vectors->external == external)
            break;
    if (!vectors && make && (vectors = new_vectors(tenant, external))) {
        vectors->next  = store->vectors;
        store->vectors = vectors;
    }
    pthread_mutex_unlock(&store->lock);
    return vectors;
}

static void forget(struct vectors *vectors)
{
    if (vectors->made)
        matrix_free(&vectors->matrix);
    vectors->made       = false;
    vectors->collection = vectors->change = 0;
    vectors->model[0]                     = '\0';
}

void vectors_free(struct store *store)
{
    while (store->vectors) {
        struct vectors *vectors = store->vectors;

        store->vectors = vectors->next;
        forget(vectors);
        pthread_rwlock_destroy(&vectors->lock);
        free(vectors);
    }
}

/* ---- Renewing ---- */

/* Those of the last document of this model; 0: there is none. */
static size_t find_dimensions(struct sql *sql, int64_t collection, const char *model)
{
    struct statement *find = sql_statement(
        sql, "SELECT dimensions FROM documents WHERE collection = ? AND model = ?"
             " ORDER BY change DESC LIMIT 1");
    int64_t dimensions = 0;

    sql_bind_number(find, 1, collection);
    sql_bind_text(find, 2, model);
    while (sql_row(sql, find))
        dimensions = sql_number(find, 0);
    return dimensions > 0 && dimensions <= EMBED_DIMENSIONS_MAX ? (size_t)dimensions : 0;
}

static bool drop_removed(struct sql *sql, struct vectors *vectors)
{
    struct statement *gone = sql_statement(
        sql, "SELECT first, last FROM removals WHERE collection = ? AND change > ?");

    sql_bind_number(gone, 1, vectors->collection);
    sql_bind_number(gone, 2, vectors->change);
    while (sql_row(sql, gone))
        for (int64_t piece = sql_number(gone, 0); piece <= sql_number(gone, 1); piece++)
            for (size_t place = 0; matrix_drop(&vectors->matrix, part_id(piece, place));)
                place++;
    return sql_failure(sql) == SQL_OK;
}

static bool put_added(struct sql *sql, struct vectors *vectors)
{
    struct statement *added = sql_statement(
        sql, "SELECT v.part, v.vector FROM documents d JOIN pieces p ON p.document = d.id"
             " JOIN parts x ON x.piece = p.id JOIN vectors v ON v.part = x.id"
             " WHERE d.collection = ? AND d.change > ? AND d.model = ?");
    size_t wanted = vectors->matrix.dimensions * sizeof(float);
    float  vector[EMBED_DIMENSIONS_MAX]; /* the database's memory is not aligned */

    sql_bind_number(added, 1, vectors->collection);
    sql_bind_number(added, 2, vectors->change);
    sql_bind_text(added, 3, vectors->model);
    while (sql_row(sql, added)) {
        size_t      len;
        const void *blob = sql_blob(added, 1, &len);

        if (!blob || len != wanted)
            continue;
        memcpy(vector, blob, wanted);
        if (!matrix_put(&vectors->matrix, sql_number(added, 0), vector)) {
            sql_reset(added);
            return false;
        }
    }
    return sql_failure(sql) == SQL_OK;
}

/* Begins anew unless what is there can be brought forward. */
static bool prepare_matrix(struct vectors *vectors, const struct collection *now, const char *model,
                           size_t dimensions, enum matrix_form form)
{
    if (vectors->made && vectors->collection == now->id && vectors->change >= now->pruned &&
        strcmp(vectors->model, model) == 0 && vectors->matrix.dimensions == dimensions)
        return true;
    forget(vectors);
    vectors->collection = now->id;
    strncat(vectors->model, model, sizeof vectors->model - 1);
    vectors->made = matrix_init(&vectors->matrix, dimensions, form);
    return vectors->made;
}

/* False: there are none, or they cannot be had. */
static bool renew(struct sql *sql, struct vectors *vectors, const char *model, enum matrix_form form)
{
    struct collection now;
    size_t            dimensions;

    if (collection_find(sql, vectors->tenant, vectors->external, &now) != STORE_OK) {
        forget(vectors);
        return false;
    }
    if (vectors->made && vectors->collection == now.id && vectors->change >= now.change &&
        strcmp(vectors->model, model) == 0)
        return true; /* another thread did it, perhaps for a change that this transaction does not see yet */
    dimensions = find_dimensions(sql, now.id, model);
    if (!dimensions || !prepare_matrix(vectors, &now, model, dimensions, form) ||
        !drop_removed(sql, vectors) || !put_added(sql, vectors)) {
        forget(vectors);
        return false;
    }
    vectors->change = now.change;
    return true;
}

static bool is_current(struct sql *sql, const struct vectors *vectors, const char *model)
{
    struct collection now;

    return vectors->made && collection_find(sql, vectors->tenant, vectors->external, &now) == STORE_OK &&
           vectors->collection == now.id && vectors->change == now.change &&
           strcmp(vectors->model, model) == 0;
}

/* ---- Forgetting ---- */

bool vectors_held(struct store *store, int64_t tenant, bool external)
{
    struct vectors *vectors = find_vectors(store, tenant, external, false);

    return vectors && vectors->made;
}

/* Under the lock. */
static size_t sum_bytes(const struct store *store)
{
    size_t sum = 0;

    for (const struct vectors *at = store->vectors; at; at = at->next)
        sum += at->bytes;
    return sum;
}

size_t vectors_bytes(struct store *store)
{
    size_t sum;

    pthread_mutex_lock(&store->lock);
    sum = sum_bytes(store);
    pthread_mutex_unlock(&store->lock);
    return sum;
}

static struct vectors *find_oldest(struct store *store, const struct vectors *but, uint64_t after)
{
    struct vectors *oldest = NULL;

    for (struct vectors *at = store->vectors; at; at = at->next)
        if (at != but && at->bytes > 0 && at->asked > after && (!oldest || at->asked < oldest->asked))
            oldest = at;
    return oldest;
}

/* Notes that these are in use, and forgets others until all fit. Those that are read just now stay. */
static void make_room(struct store *store, struct vectors *used)
{
    const struct matrix *matrix = &used->matrix;
    struct vectors      *oldest;
    size_t               sum;

    pthread_mutex_lock(&store->lock);
    used->asked = ++store->asked;
    used->bytes = matrix_bytes(matrix);
    sum         = sum_bytes(store);
    oldest      = find_oldest(store, used, 0);
    for (; sum > store->vectors_most && oldest; oldest = find_oldest(store, used, oldest->asked)) {
        if (pthread_rwlock_trywrlock(&oldest->lock) != 0)
            continue;
        forget(oldest);
        pthread_rwlock_unlock(&oldest->lock);
        sum -= oldest->bytes;
        oldest->bytes = 0;
    }
    pthread_mutex_unlock(&store->lock);
}

const struct matrix *store_vectors(struct store *store, const struct tenant *tenant, bool external,
                                   const char *model)
{
    struct vectors   *vectors = find_vectors(store, tenant->id, external, true);
    enum store_status status;
    struct sql       *sql;
    bool              usable;

    if (!vectors || !model[0] || strlen(model) >= MODEL_ROOM || !(sql = store_reading(store, &status)))
        return NULL;
    pthread_rwlock_rdlock(&vectors->lock);
    usable = is_current(sql, vectors, model);
    if (!usable) {
        pthread_rwlock_unlock(&vectors->lock);
        pthread_rwlock_wrlock(&vectors->lock);
        renew(sql, vectors, model, store->form);
        pthread_rwlock_unlock(&vectors->lock);
        pthread_rwlock_rdlock(&vectors->lock);
        /* Another may have renewed it in between, for a later change: as good. */
        usable = vectors->made && vectors->matrix.count > 0 && strcmp(vectors->model, model) == 0;
    }
    store_done(store, sql, STORE_OK);
    if (usable && vectors->matrix.count > 0) {
        make_room(store, vectors);
        return &vectors->matrix;
    }
    pthread_rwlock_unlock(&vectors->lock);
    return NULL;
}

const struct matrix *store_vectors_again(struct store *store, const struct tenant *tenant, bool external,
                                         const char *model)
{
    struct vectors *vectors = find_vectors(store, tenant->id, external, false);

    if (!vectors)
        return NULL;
    pthread_rwlock_rdlock(&vectors->lock);
    if (vectors->made && vectors->matrix.count > 0 && strcmp(vectors->model, model) == 0)
        return &vectors->matrix;
    pthread_rwlock_unlock(&vectors->lock);
    return NULL;
}

bool store_vectors_are_over(struct store *store, const struct matrix *matrix)
{
    return matrix_bytes(matrix) > store->vectors_most && !atomic_exchange(&store->is_over, true);
}

void store_vectors_done(struct store *store, const struct tenant *tenant, bool external)
{
    struct vectors *vectors = find_vectors(store, tenant->id, external, false);

    if (vectors)
        pthread_rwlock_unlock(&vectors->lock);
}
