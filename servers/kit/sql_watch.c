/* sql_watch.c - is a shared database up? A thread asks it now and then: by calls alone a server that gets none because its
 * database was away would never notice that it is back.
 */
#include <stdlib.h>
#include <time.h>

#include "kit/sql_driver.h"

#define LOOK_MS     2000
#define LOOKS_MORE  5 /* with each so many also what operators want to know of its tables */
#define PATIENCE_MS 2000

struct sql_watch {
    struct sql_pool *pool;
    pthread_t        thread;
    pthread_mutex_t  lock; /* of what follows */
    pthread_cond_t   over;
    bool             is_over;
    unsigned         looks; /* of the thread */
};

static void look_at_tables(struct sql_pool *pool, struct sql *sql)
{
    struct statement *row = sql_statement(
        sql,
        "SELECT CAST(coalesce(sum(n_dead_tup), 0) AS BIGINT), (SELECT coalesce(max(CAST(extract(epoch FROM"
        " clock_timestamp() - xact_start) * 1000 AS BIGINT)), 0) FROM pg_stat_activity WHERE datname ="
        " current_database()) FROM pg_stat_user_tables WHERE schemaname IN (current_schema(), "
        "current_schema() ||"
        " '_runtime')");

    if (!sql_row(sql, row))
        return;
    atomic_store(&pool->dead_rows, (uint64_t)sql_number(row, 0));
    atomic_store(&pool->oldest_ms, (uint64_t)sql_number(row, 1));
    sql_reset(row);
}

static void look(struct sql_watch *watch)
{
    struct sql_pool  *pool = watch->pool;
    struct sql       *sql  = sql_take_for(pool, &(struct sql_patience){ .ms = PATIENCE_MS });
    struct statement *row  = sql ? sql_statement(sql, "SELECT 1") : NULL;

    atomic_store(&pool->is_up, row && sql_row(sql, row));
    sql_reset(row);
    if (sql && watch->looks++ % LOOKS_MORE == 0)
        look_at_tables(pool, sql);
    sql_give(pool, sql);
}

/* Until the next look; false when it is over. */
static bool wait_a_while(struct sql_watch *watch)
{
    struct timespec until;
    bool            is_over;

    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += LOOK_MS / 1000;
    pthread_mutex_lock(&watch->lock);
    if (!watch->is_over)
        pthread_cond_timedwait(&watch->over, &watch->lock, &until);
    is_over = watch->is_over;
    pthread_mutex_unlock(&watch->lock);
    return !is_over;
}

static void *keep_looking(void *user)
{
    struct sql_watch *watch = user;

    while (wait_a_while(watch))
        look(watch);
    return NULL;
}

struct sql_watch *sql_watch_new(struct sql_pool *pool)
{
    struct sql_watch *watch = calloc(1, sizeof *watch);

    if (!watch)
        return NULL;
    watch->pool = pool;
    pthread_mutex_init(&watch->lock, NULL);
    pthread_cond_init(&watch->over, NULL);
    if (pthread_create(&watch->thread, NULL, keep_looking, watch) == 0)
        return watch;
    pthread_cond_destroy(&watch->over);
    pthread_mutex_destroy(&watch->lock);
    free(watch);
    return NULL;
}

void sql_watch_free(struct sql_watch *watch)
{
    if (!watch)
        return;
    pthread_mutex_lock(&watch->lock);
    watch->is_over = true;
    pthread_cond_signal(&watch->over);
    pthread_mutex_unlock(&watch->lock);
    pthread_join(watch->thread, NULL);
    pthread_cond_destroy(&watch->over);
    pthread_mutex_destroy(&watch->lock);
    free(watch);
}
