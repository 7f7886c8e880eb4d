/* open.c - the pool, and the versions of the schema.
 *
 * Several servers share one database by schemas of its own. Each has its version in a row of tenon.schemas; steps run in a
 * transaction that holds this row, so that of several replicas that start at once one makes them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "kit/pg/pg.h"

#define TRIES      20
#define TRY_MS     50
#define SETUP_ROOM 256

/* ---- Versions ---------------------------------------------------------------------------------------------------- */

static bool run_text(struct pg *pg, const char *text)
{
    PGresult *result = pg_query(pg, text);
    bool      good   = result != NULL;

    PQclear(result);
    return good;
}

/* Two that make the same at once: one of them fails, whatever IF NOT EXISTS says. */
static bool make_book(struct pg *pg)
{
    char text[SETUP_ROOM];

    snprintf(text, sizeof text,
             "INSERT INTO tenon.schemas (name, version) VALUES ('%s', 0) ON CONFLICT (name) DO NOTHING",
             pg->pool->schema);
    return run_text(pg, "CREATE SCHEMA IF NOT EXISTS tenon") &&
           run_text(
               pg,
               "CREATE TABLE IF NOT EXISTS tenon.schemas (name TEXT PRIMARY KEY, version BIGINT NOT NULL)") &&
           run_text(pg, text);
}

/* The version, with its row locked if it is to be changed; -1 after a failure. */
static int64_t read_version(struct pg *pg, const char *lock)
{
    char      text[SETUP_ROOM];
    PGresult *result;
    int64_t   version = -1;

    snprintf(text, sizeof text, "SELECT version FROM tenon.schemas WHERE name = '%s'%s", pg->pool->schema,
             lock);
    result = pg_query(pg, text);
    if (result)
        version = PQntuples(result) == 1 ? strtoll(PQgetvalue(result, 0, 0), NULL, 10) : 0;
    PQclear(result);
    return version;
}

static bool make_step(struct pg *pg, const struct sql_schema *schema, int64_t version)
{
    char text[SETUP_ROOM];

    snprintf(text, sizeof text, "CREATE SCHEMA IF NOT EXISTS %s; SET LOCAL search_path = %s", schema->name,
             schema->name);
    if (!run_text(pg, text) || !run_text(pg, schema->shared[version]))
        return false;
    snprintf(text, sizeof text, "UPDATE tenon.schemas SET version = %lld WHERE name = '%s'",
             (long long)version + 1, schema->name);
    return run_text(pg, text);
}

/* All steps that are missing; false when one failed. */
static bool migrate(struct pg *pg, const struct sql_schema *schema)
{
    int64_t version;
    bool    good = pg_begin(&pg->sql, false);

    version = good ? read_version(pg, " FOR UPDATE") : -1;
    good    = version >= 0;
    for (; good && version < (int64_t)schema->count; version++)
        good = make_step(pg, schema, version);
    if (good)
        return pg_commit(&pg->sql);
    pg_cancel(&pg->sql);
    return false;
}

static bool is_race(const struct pg *pg)
{
    return pg->sql.failure == SQL_CONFLICT || pg->sql.failure == SQL_AGAIN ||
           strstr(pg->sql.text, "already exists") != NULL;
}

static bool bring_up(struct pg *pg, const struct sql_schema *schema, char **error)
{
    int64_t version = -1;

    for (int turn = 0; turn < TRIES && version < 0; turn++) {
        sql_clear(&pg->sql);
        version = read_version(pg, "");
        if (version >= (int64_t)schema->count)
            break;
        sql_clear(&pg->sql);
        version = make_book(pg) && migrate(pg, schema) ? (int64_t)schema->count : -1;
        if (version < 0 && !is_race(pg))
            break;
        if (version < 0)
            nanosleep(&(struct timespec){ .tv_nsec = TRY_MS * 1000000L }, NULL);
    }
    if (version == (int64_t)schema->count)
        return true;
    if (version > (int64_t)schema->count)
        sql_say(error,
                "The database %s has version %lld of %s, made by a newer release; this one knows versions up "
                "to %zu.",
                pg->pool->shown, (long long)version, schema->name, schema->count);
    else
        sql_say(error, "The database %s cannot be brought to version %zu of %s: %s.", pg->pool->shown,
                schema->count, schema->name, pg->sql.text);
    return false;
}

/* ---- The pool ---------------------------------------------------------------------------------------------------- */

static void close_pool(struct sql_pool *pool)
{
    struct pg_pool *mine = (struct pg_pool *)pool;

    pthread_mutex_destroy(&pool->lock);
    pthread_mutex_destroy(&mine->lock);
    free(mine->address);
    free(mine->shown);
    free(mine);
}

static struct sql *take(struct sql_pool *pool)
{
    return pg_connect((struct pg_pool *)pool, NULL);
}

/* A limit of bytes is the database's own business. */
static bool limit(struct sql_pool *pool, int64_t bytes)
{
    (void)pool;
    (void)bytes;
    return true;
}

static bool backup(struct sql_pool *pool, const char *path, char **error)
{
    (void)path;
    sql_say(error, "A database of PostgreSQL is copied with pg_dump: pg_dump -Fc -n %s.",
            ((struct pg_pool *)pool)->schema);
    return false;
}

static bool exec(struct sql *sql, const char *text)
{
    return run_text(pg_of(sql), text);
}

static int64_t changes(const struct sql *sql)
{
    return pg_of(sql)->changes;
}

static const struct sql_driver driver = {
    .open              = pg_open,
    .close             = close_pool,
    .limit             = limit,
    .backup            = backup,
    .connect           = take,
    .revive            = pg_revive,
    .disconnect        = pg_disconnect,
    .begin             = pg_begin,
    .commit            = pg_commit,
    .cancel            = pg_cancel,
    .is_in_transaction = pg_is_in_transaction,
    .exec              = exec,
    .changes           = changes,
    .prepare           = pg_prepare,
    .drop              = pg_drop,
    .renew             = pg_renew,
    .reset             = pg_reset,
    .step              = pg_step,
    .bind_text         = pg_bind_text,
    .bind_number       = pg_bind_number,
    .bind_real         = pg_bind_real,
    .bind_blob         = pg_bind_blob,
    .is_null           = pg_is_null,
    .number            = pg_number,
    .real              = pg_real,
    .text              = pg_text,
    .blob              = pg_blob,
};

static struct pg_pool *new_pool(const char *address, const struct sql_schema *schema, char **error)
{
    struct pg_pool *pool = calloc(1, sizeof *pool);

    if (!pool)
        return NULL;
    pool->pool.driver = &driver;
    pool->connect     = schema->connect;
    pthread_mutex_init(&pool->pool.lock, NULL);
    pthread_mutex_init(&pool->lock, NULL);
    snprintf(pool->schema, sizeof pool->schema, "%s", schema->name);
    pool->address = pg_address_check(address, error) ? strdup(address) : NULL;
    pool->shown   = pool->address ? pg_address_shown(address) : NULL;
    if (pool->shown)
        return pool;
    close_pool(&pool->pool);
    return NULL;
}

struct sql_pool *pg_open(const char *address, const struct sql_schema *schema, char **error)
{
    struct pg_pool *pool = new_pool(address, schema, error);
    struct sql     *sql  = pool ? pg_connect(pool, error) : NULL;

    if (sql && bring_up(pg_of(sql), schema, error)) {
        sql_give(&pool->pool, sql);
        return &pool->pool;
    }
    sql_disconnect(sql);
    if (pool)
        close_pool(&pool->pool);
    sql_say(error, "Not enough memory.");
    return NULL;
}

__attribute__((visibility("default"))) const struct sql_driver *tenon_pg_driver(int version);

const struct sql_driver *tenon_pg_driver(int version)
{
    return version == SQL_DRIVER_VERSION ? &driver : NULL;
}
