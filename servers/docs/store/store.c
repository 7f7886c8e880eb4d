/* store.c - the database itself: tenants and collections.
 *
 * The index of words keeps no text (the pieces have it) and therefore must get the same words when a piece is removed as
 * when it was added: WORDS_VERSION says which.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "docs/store/inside.h"
#include "docs/store/words_engine.h"
#include "kit/text.h"
#include "kit/words/words.h"

/* ---- Opening ---- */

struct store *store_open(const char *path, char **mistake)
{
    struct sql_pool *pool = sql_open(path, &docs_schema, mistake);

    return pool ? store_open_on(pool, path, mistake) : NULL;
}

/* Without an answer there is nothing of it, as where there is no pgvector. */
static void look_for_nearest(struct store *store)
{
    struct sql *sql = sql_report(store->pool).is_shared ? sql_take(store->pool) : NULL;

    if (sql)
        nearest_look(sql, store->nearest);
    sql_give(store->pool, sql);
}

struct store *store_open_on(struct sql_pool *pool, const char *path, char **mistake)
{
    struct store *store = calloc(1, sizeof *store);

    *mistake = NULL;
    if (!store || !(store->path = strdup(sql_report(pool).is_shared ? "PostgreSQL" : path)) ||
        pthread_mutex_init(&store->lock, NULL) != 0) {
        if (store)
            free(store->path);
        free(store);
        sql_close(pool);
        *mistake = strdup("Not enough memory.");
        return NULL;
    }
    store->pool         = pool;
    store->vectors_most = VECTORS_MOST;
    lease_name_holder(store);
    look_for_nearest(store);
    return store;
}

void store_close(struct store *store)
{
    if (!store)
        return;
    vectors_free(store);
    leases_free(store);
    sql_close(store->pool);
    pthread_mutex_destroy(&store->lock);
    free(store->path);
    free(store);
}

const char *store_path(const struct store *store)
{
    return store->path;
}

struct sql_pool *store_pool(const struct store *store)
{
    return store->pool;
}

bool store_backup(struct store *store, const char *path, char **mistake)
{
    return sql_backup(store->pool, path, mistake);
}

/* ---- Connections and statuses ---- */

enum store_status store_status_of(const struct sql *sql)
{
    switch (sql_failure(sql)) {
    case SQL_OK: return STORE_OK;
    case SQL_BUSY: return STORE_BUSY;
    case SQL_FULL: return sql_is_over_limit(sql) ? STORE_OVER_LIMIT : STORE_FULL;
    case SQL_NO_MEMORY: return STORE_NO_MEMORY;
    case SQL_AGAIN:
    case SQL_CONFLICT: return STORE_BUSY;
    case SQL_GONE:
    case SQL_TIMEOUT:
    case SQL_UNKNOWN: return STORE_AWAY;
    default: return STORE_FAILED;
    }
}

static struct sql *begin(struct store *store, bool (*how)(struct sql *), enum store_status *status)
{
    struct sql *sql = sql_take(store->pool);

    *status = sql_report(store->pool).is_shared ? STORE_AWAY : STORE_FAILED;
    if (!sql)
        return NULL;
    if (how(sql)) {
        *status = STORE_OK;
        return sql;
    }
    *status = store_status_of(sql);
    sql_give(store->pool, sql);
    return NULL;
}

struct sql *store_reading(struct store *store, enum store_status *status)
{
    return begin(store, sql_begin_reading, status);
}

struct sql *store_writing(struct store *store, enum store_status *status)
{
    return begin(store, sql_begin, status);
}

enum store_status store_done(struct store *store, struct sql *sql, enum store_status status)
{
    if (status != STORE_OK)
        sql_cancel(sql);
    else if (!sql_end(sql))
        status = store_status_of(sql) == STORE_OK ? STORE_FAILED : store_status_of(sql);
    sql_give(store->pool, sql);
    return status;
}

bool store_list(struct text *out, const int64_t *ids, size_t count)
{
    text_put(out, "[");
    for (size_t i = 0; i < count; i++)
        text_addf(out, "%s%lld", i ? "," : "", (long long)ids[i]);
    text_put(out, "]");
    return !out->failed;
}

const char *store_copy(tenon_call *call, const char *text, size_t len)
{
    char *copy = tenon_alloc(call, len + 1);

    if (copy && len)
        memcpy(copy, text, len);
    return copy;
}

/* ---- Collections ---- */

struct statement *collection_statement(struct sql *sql, int64_t collection, const char *text)
{
    char   made[STATEMENT_ROOM];
    size_t len = 0;

    for (; *text && len < sizeof made - 24; text++) {
        if (*text == '@')
            len += (size_t)snprintf(made + len, sizeof made - len, "%lld", (long long)collection);
        else
            made[len++] = *text;
    }
    made[len] = '\0';
    return sql_statement(sql, made);
}

static enum store_status find_any(struct sql *sql, int64_t tenant, bool external,
                                  struct collection *collection, int64_t *version)
{
    struct statement *find = sql_statement(sql,
                                           "SELECT id, change, pruned, pieces, words_version FROM collections"
                                           " WHERE tenant = ? AND external = ?");

    *collection = (struct collection){ 0 };
    *version    = 0;
    sql_bind_number(find, 1, tenant);
    sql_bind_number(find, 2, external);
    if (!sql_row(sql, find))
        return sql_failure(sql) == SQL_OK ? STORE_NONE : store_status_of(sql);
    *collection = (struct collection){ sql_number(find, 0), sql_number(find, 1), sql_number(find, 2),
                                       sql_number(find, 3) };
    *version    = sql_number(find, 4);
    sql_reset(find);
    return STORE_OK;
}

enum store_status collection_find(struct sql *sql, int64_t tenant, bool external,
                                  struct collection *collection)
{
    int64_t           version;
    enum store_status status = find_any(sql, tenant, external, collection, &version);

    if (status == STORE_OK && version != WORDS_VERSION)
        return STORE_FAILED; /* a newer release has indexed it while this one runs */
    return status;
}

enum store_status collection_make(struct sql *sql, int64_t tenant, bool external,
                                  struct collection *collection)
{
    enum store_status status = collection_find(sql, tenant, external, collection);
    struct statement *add;

    if (status != STORE_NONE)
        return status;
    add = sql_statement(sql,
                        "INSERT INTO collections (tenant, external, change, pruned, pieces, words_version)"
                        " VALUES (?, ?, 0, 0, 0, ?) ON CONFLICT (tenant, external) DO NOTHING RETURNING id");
    sql_bind_number(add, 1, tenant);
    sql_bind_number(add, 2, external);
    sql_bind_number(add, 3, WORDS_VERSION);
    collection->id = sql_insert(sql, add);
    if (collection->id)
        words_engine_of(sql)->make(sql, collection->id);
    else if (sql_failure(sql) == SQL_OK) /* another one has made it since */
        return collection_find(sql, tenant, external, collection);
    return store_status_of(sql);
}

enum store_status collection_lock(struct sql *sql, int64_t tenant, bool external,
                                  struct collection *collection)
{
    struct statement *lock = sql_statement(sql, "SELECT id FROM collections WHERE id = ?1" SQL_LOCK);

    sql_bind_number(lock, 1, collection->id);
    if (!sql_run(sql, lock))
        return store_status_of(sql);
    return collection_find(sql, tenant, external, collection);
}

void collection_drop(struct sql *sql, int64_t collection)
{
    struct statement *drop;

    words_engine_of(sql)->drop(sql, collection);
    drop = sql_statement(sql, "DELETE FROM collections WHERE id = ?");
    sql_bind_number(drop, 1, collection);
    sql_run(sql, drop);
}

/* ---- Tenants ---- */

/* The text index of a collection made again: what an older release called words are others. */
static enum store_status renew_words(struct sql *sql, int64_t collection)
{
    const struct words_engine *engine = words_engine_of(sql);
    struct statement          *read, *mark;
    struct text                words = { 0 };

    engine->drop(sql, collection);
    engine->make(sql, collection);
    read = sql_statement(sql, "SELECT p.id, d.title, p.header_path, p.text FROM documents d"
                              " JOIN pieces p ON p.document = d.id WHERE d.collection = ?");
    sql_bind_number(read, 1, collection);
    while (sql_row(sql, read)) {
        size_t      len;
        const char *text = sql_part(read, 3, &len);

        text_clear(&words);
        if (!text || !words_of_piece(&words, sql_text(read, 1), sql_text(read, 2), text, len)) {
            text_free(&words);
            return STORE_NO_MEMORY;
        }
        engine->add(sql, collection, sql_number(read, 0), &words);
    }
    text_free(&words);
    mark = sql_statement(sql, "UPDATE collections SET words_version = ? WHERE id = ?");
    sql_bind_number(mark, 1, WORDS_VERSION);
    sql_bind_number(mark, 2, collection);
    sql_run(sql, mark);
    return store_status_of(sql);
}

bool store_copied(struct sql *sql)
{
    struct statement *each = sql_statement(sql, "SELECT id FROM collections");
    bool              good = each != NULL;

    while (good && sql_row(sql, each))
        good = renew_words(sql, sql_number(each, 0)) == STORE_OK;
    return good && sql_failure(sql) == SQL_OK;
}

static enum store_status check_words(struct sql *sql, int64_t tenant)
{
    for (int external = 0; external < 2; external++) {
        struct collection collection;
        int64_t           version;
        enum store_status status = find_any(sql, tenant, external != 0, &collection, &version);

        if (status == STORE_OK && version > WORDS_VERSION)
            return STORE_FAILED;
        if (status == STORE_OK && version < WORDS_VERSION)
            status = renew_words(sql, collection.id);
        if (status != STORE_OK && status != STORE_NONE)
            return status;
    }
    return STORE_OK;
}

/* Each branch has an index of its own, and its name is the caller's: of one work tree there are BRANCHES_MAX at most. */
static bool has_room(struct sql *sql, const struct tenant *tenant)
{
    struct statement *count = sql_statement(sql,
                                            "SELECT count(*), coalesce(sum(CASE WHEN branch = ?3 THEN 1 ELSE "
                                            "0 END), 0) FROM tenants WHERE project = ?1 AND path_hash = ?2"
                                            " AND id IN (SELECT tenant FROM collections)");
    bool              room  = true;

    sql_bind_text(count, 1, tenant->project);
    sql_bind_text(count, 2, tenant->path_hash);
    sql_bind_text(count, 3, tenant->branch);
    while (sql_row(sql, count))
        room = sql_number(count, 0) < BRANCHES_MAX || sql_number(count, 1) > 0;
    return room;
}

enum store_status store_known(struct store *store, const char *path_hash, char name[STORE_NAME_ROOM],
                              char branch[STORE_NAME_ROOM])
{
    enum store_status status;
    struct sql       *sql = store_reading(store, &status);
    struct statement *find;

    name[0] = '\0';
    if (!sql)
        return status;
    find = sql_statement(
        sql, "SELECT project, branch FROM tenants WHERE path_hash = ?1 AND (?2 = '' OR branch = ?2)"
             " ORDER BY CASE WHEN branch = 'main' THEN 0 ELSE 1 END, id DESC LIMIT 1");
    sql_bind_text(find, 1, path_hash);
    sql_bind_text(find, 2, branch);
    if (sql_row(sql, find)) {
        strncat(name, sql_text(find, 0), STORE_NAME_ROOM - 1);
        if (!branch[0])
            strncat(branch, sql_text(find, 1), STORE_NAME_ROOM - 1);
        sql_reset(find);
    }
    status = store_status_of(sql) == STORE_OK && !name[0] ? STORE_NONE : store_status_of(sql);
    return store_done(store, sql, status);
}

enum store_status store_tenant(struct store *store, struct tenant *tenant, const char *root)
{
    enum store_status status;
    struct sql       *sql = store_writing(store, &status);
    struct statement *add;
    int64_t           id = 0;

    if (!sql)
        return status;
    if (!has_room(sql, tenant))
        return store_done(store, sql, STORE_LIMIT);
    add = sql_statement(
        sql, "INSERT INTO tenants (project, branch, path_hash, root) VALUES (?, ?, ?, ?)"
             " ON CONFLICT (project, branch, path_hash) DO UPDATE SET root = excluded.root RETURNING id");
    sql_bind_text(add, 1, tenant->project);
    sql_bind_text(add, 2, tenant->branch);
    sql_bind_text(add, 3, tenant->path_hash);
    sql_bind_text(add, 4, root ? root : "");
    while (sql_row(sql, add))
        id = sql_number(add, 0);
    status = store_status_of(sql);
    if (status == STORE_OK)
        status = check_words(sql, id);
    status = store_done(store, sql, status);
    if (status == STORE_OK)
        tenant->id = id;
    return status;
}
