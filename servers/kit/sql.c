/* sql.c - pools, connections, transactions, failures: what is the same for every engine. */
#include "kit/sql.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "kit/sql_driver.h"

#define IDLE_MOST        8 /* connections that are kept */
#define IDLE_MOST_SHARED 64 /* of a server, to which each is made anew by several round trips */

/* ---- Pools ------------------------------------------------------------------------------------------------------- */

void sql_say(char **error, const char *format, ...)
{
    va_list args;

    if (!error || *error)
        return;
    va_start(args, format);
    if (vasprintf(error, format, args) < 0)
        *error = NULL;
    va_end(args);
}

void sql_close(struct sql_pool *pool)
{
    if (!pool)
        return;
    sql_watch_free(pool->watch);
    if (pool->share)
        pool->share_free(pool->share);
    while (pool->idle) {
        struct sql *sql = pool->idle;

        pool->idle = sql->next;
        sql_disconnect(sql);
    }
    pool->driver->close(pool);
}

bool sql_limit(struct sql_pool *pool, int64_t bytes)
{
    return pool->driver->limit(pool, bytes);
}

bool sql_backup(struct sql_pool *pool, const char *path, char **error)
{
    if (error)
        *error = NULL;
    return pool->driver->backup(pool, path, error);
}

/* ---- Connections ------------------------------------------------------------------------------------------------- */

void sql_disconnect(struct sql *sql)
{
    if (!sql)
        return;
    sql_drop_statements(sql);
    sql->driver->disconnect(sql);
}

static struct sql *take_idle(struct sql_pool *pool)
{
    struct sql *sql;

    pthread_mutex_lock(&pool->lock);
    sql = pool->idle;
    if (sql) {
        pool->idle = sql->next;
        pool->idle_count--;
    }
    pthread_mutex_unlock(&pool->lock);
    return sql;
}

static int64_t now_us(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

static struct sql *connect_anew(struct sql_pool *pool, const struct sql_patience *patience)
{
    int64_t     began_us = now_us();
    struct sql *sql      = pool->driver->connect(pool, patience);

    atomic_fetch_add(&pool->waited_us, (uint64_t)(now_us() - began_us));
    atomic_fetch_add(sql ? &pool->connects : &pool->refused, 1);
    if (pool->is_shared)
        atomic_store(&pool->is_up, sql != NULL);
    return sql;
}

struct sql *sql_take_for(struct sql_pool *pool, const struct sql_patience *patience)
{
    struct sql *sql;

    while ((sql = take_idle(pool)) != NULL && !sql->driver->revive(sql, patience))
        sql_disconnect(sql);
    if (!sql)
        sql = connect_anew(pool, patience);
    if (sql)
        atomic_fetch_add(&pool->busy, 1);
    return sql;
}

struct sql *sql_take(struct sql_pool *pool)
{
    return sql_take_for(pool, &(struct sql_patience){ .ms = SQL_PATIENCE_MS });
}

void sql_give(struct sql_pool *pool, struct sql *sql)
{
    if (!sql)
        return;
    atomic_fetch_sub(&pool->busy, 1);
    sql_cancel(sql);
    sql_clear(sql);
    sql_trim_statements(sql);
    pthread_mutex_lock(&pool->lock);
    /* One whose rollback found no memory still holds the lock of writers: closing it rolls back too. */
    if (pool->idle_count < (pool->is_shared ? IDLE_MOST_SHARED : IDLE_MOST) && !sql_is_in_transaction(sql)) {
        sql->next  = pool->idle;
        pool->idle = sql;
        pool->idle_count++;
        sql = NULL;
    }
    pthread_mutex_unlock(&pool->lock);
    sql_disconnect(sql);
}

bool sql_is_postgresql(const struct sql *sql)
{
    return sql->driver->is_postgresql;
}

struct sql_report sql_report(struct sql_pool *pool)
{
    struct sql_report report = { .is_shared = pool->is_shared,
                                 .is_up     = !pool->is_shared || atomic_load(&pool->is_up),
                                 .busy      = atomic_load(&pool->busy),
                                 .connects  = atomic_load(&pool->connects),
                                 .refused   = atomic_load(&pool->refused),
                                 .waited_us = atomic_load(&pool->waited_us),
                                 .dead_rows = atomic_load(&pool->dead_rows),
                                 .oldest_ms = atomic_load(&pool->oldest_ms) };

    for (size_t i = 0; i <= SQL_ERROR; i++)
        report.again[i] = atomic_load(&pool->again[i]);
    pthread_mutex_lock(&pool->lock);
    report.idle = pool->idle_count;
    pthread_mutex_unlock(&pool->lock);
    return report;
}

void sql_note_again(struct sql_pool *pool, enum sql_code why)
{
    atomic_fetch_add(&pool->again[why], 1);
}

bool sql_exec(struct sql *sql, const char *text)
{
    return sql->failure == SQL_OK && sql->driver->exec(sql, text);
}

int64_t sql_changes(const struct sql *sql)
{
    return sql->failure == SQL_OK ? sql->driver->changes(sql) : 0;
}

enum sql_news sql_wait(struct sql *sql, int64_t ms)
{
    return sql->driver->wait ? sql->driver->wait(sql, ms) : SQL_NEWS_LOST;
}

/* ---- Transactions ------------------------------------------------------------------------------------------------ */

bool sql_begin(struct sql *sql)
{
    return sql->failure == SQL_OK && sql->driver->begin(sql, false);
}

bool sql_begin_reading(struct sql *sql)
{
    return sql->failure == SQL_OK && sql->driver->begin(sql, true);
}

bool sql_is_in_transaction(const struct sql *sql)
{
    return sql->driver->is_in_transaction(sql);
}

bool sql_end(struct sql *sql)
{
    if (sql->failure == SQL_OK && sql_is_in_transaction(sql) && sql->driver->commit(sql))
        return true;
    sql_cancel(sql);
    return false;
}

void sql_cancel(struct sql *sql)
{
    sql->driver->cancel(sql);
}

/* ---- Failures ---------------------------------------------------------------------------------------------------- */

void sql_fail(struct sql *sql, enum sql_code code, const char *text)
{
    if (sql->failure != SQL_OK)
        return;
    sql->failure = code;
    snprintf(sql->text, sizeof sql->text, "%s", text ? text : "");
}

enum sql_code sql_failure(const struct sql *sql)
{
    return sql->failure;
}

const char *sql_failure_text(const struct sql *sql)
{
    return sql->text;
}

bool sql_is_over_limit(const struct sql *sql)
{
    return sql->is_over_limit;
}

void sql_run_out(struct sql *sql)
{
    sql_fail(sql, SQL_NO_MEMORY, "out of memory");
}

void sql_clear(struct sql *sql)
{
    sql->failure       = SQL_OK;
    sql->is_over_limit = false;
    sql->text[0]       = '\0';
}
