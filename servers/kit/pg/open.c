/* open.c - the pool, and what the driver is. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kit/pg/pg.h"

#define START_MS 10000 /* to connect, and to see which tables there are */

/* ---- The pool ---------------------------------------------------------------------------------------------------- */

static void close_pool(struct sql_pool *pool)
{
    struct pg_pool *mine = (struct pg_pool *)pool;

    pthread_mutex_destroy(&pool->lock);
    pthread_mutex_destroy(&mine->lock);
    free(mine->address);
    free(mine->shown);
    pg_hosts_free(&mine->hosts);
    free(mine);
}

static struct sql *take(struct sql_pool *pool, const struct sql_patience *patience)
{
    return pg_connect((struct pg_pool *)pool, patience, NULL);
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
    PGresult *result = pg_query(pg_of(sql), text);
    bool      good   = result != NULL;

    PQclear(result);
    return good;
}

static int64_t changes(const struct sql *sql)
{
    return pg_of(sql)->changes;
}

static const struct sql_driver driver = {
    .is_postgresql     = true,
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
    .wait              = pg_wait_news,
    .prepare           = pg_prepare,
    .drop              = pg_drop,
    .renew             = pg_renew,
    .reset             = pg_reset,
    .step              = pg_step,
    .later             = pg_later,
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

static struct pg_pool *new_pool(const char *address, const struct sql_schema *schema,
                                const struct sql_options *options, char **error)
{
    struct pg_pool *pool = calloc(1, sizeof *pool);

    if (!pool)
        return NULL;
    pool->pool.driver = &driver;
    pthread_mutex_init(&pool->pool.lock, NULL);
    pthread_mutex_init(&pool->lock, NULL);
    snprintf(pool->schema, sizeof pool->schema, "%s", schema->name);
    pool->pool.is_shared = true;
    pool->address        = pg_address_read(address, options->is_private, &pool->is_pooled, error);
    pool->shown          = pool->address ? pg_address_shown(pool->address) : NULL;
    if (pool->shown && pg_hosts_read(pool->address, &pool->hosts))
        return pool;
    close_pool(&pool->pool);
    return NULL;
}

struct sql_pool *pg_open(const char *address, const struct sql_schema *schema,
                         const struct sql_options *options, char **error)
{
    static const struct sql_patience patience = { .ms = START_MS };
    struct pg_pool                  *pool     = new_pool(address, schema, options, error);
    struct sql                      *sql      = pool ? pg_connect(pool, &patience, error) : NULL;

    if (sql && pg_version_settle(pg_of(sql), schema, options->checks, error)) {
        atomic_store(&pool->pool.busy, 1);
        atomic_store(&pool->pool.is_up, true);
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
