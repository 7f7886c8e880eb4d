/* wait.c - sending and receiving without blocking, until the deadline. */
#include <errno.h>
#include <poll.h>
#include <time.h>

#include "kit/pg/pg.h"

#define LOOK_MS 100 /* between looks whether the work is over */

static int64_t now_us(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

int64_t pg_now_ms(void)
{
    return now_us() / 1000;
}

static bool wait_until(const struct pg *pg, bool is_writing, int64_t deadline_ms)
{
    struct pollfd wanted = { .fd     = PQsocket(pg->conn),
                             .events = (short)(POLLIN | (is_writing ? POLLOUT : 0)) };

    for (;;) {
        int64_t left = deadline_ms - pg_now_ms();
        int     ready;

        if (left <= 0 || wanted.fd < 0 || (pg->is_over && pg->is_over(pg->user)))
            return false;
        ready = poll(&wanted, 1, (int)(left < LOOK_MS ? left : LOOK_MS));
        if (ready > 0 || (ready < 0 && errno != EINTR))
            return ready > 0;
    }
}

bool pg_wait(const struct pg *pg, bool is_writing, int64_t deadline_ms)
{
    int64_t began_us = now_us();
    bool    ready    = wait_until(pg, is_writing, deadline_ms);

    if (pg->waited)
        pg->waited(pg->user, now_us() - began_us);
    return ready;
}

bool pg_has_news(PGconn *conn)
{
    struct pollfd wanted = { .fd = PQsocket(conn), .events = POLLIN };

    return poll(&wanted, 1, 0) != 0;
}

#define POLL_MS 500 /* where news cannot be waited for */

/* All that came; true when there was any. */
static bool take_news(PGconn *conn)
{
    PGnotify *news;
    bool      some = false;

    while ((news = PQnotifies(conn)) != NULL) {
        PQfreemem(news);
        some = true;
    }
    return some;
}

enum sql_news pg_wait_news(struct sql *sql, int64_t ms)
{
    struct pg *pg       = pg_of(sql);
    int64_t    until_ms = pg_now_ms() + (pg->pool->is_pooled && ms > POLL_MS ? POLL_MS : ms);

    while (pg->conn && !take_news(pg->conn)) {
        if (pg_wait(pg, false, until_ms)) {
            if (!PQconsumeInput(pg->conn))
                return SQL_NEWS_LOST;
            continue;
        }
        if (pg_now_ms() < until_ms && !(pg->is_over && pg->is_over(pg->user)))
            return SQL_NEWS_LOST; /* poll failed */
        return pg->pool->is_pooled ? SQL_NEWS : SQL_NO_NEWS;
    }
    return pg->conn ? SQL_NEWS : SQL_NEWS_LOST;
}

/* Everything is sent; what comes meanwhile is taken, for a server that cannot write does not read. */
static bool flush(struct pg *pg)
{
    int unsent;

    while ((unsent = PQflush(pg->conn)) > 0)
        if (!pg_wait(pg, true, pg->deadline_ms) || !PQconsumeInput(pg->conn))
            return false;
    return unsent == 0;
}

/* A whole result has come. */
static bool await_result(struct pg *pg)
{
    while (PQisBusy(pg->conn))
        if (!pg_wait(pg, false, pg->deadline_ms) || !PQconsumeInput(pg->conn))
            return false;
    return true;
}

/* What was sent may still run: nothing else can be asked of this connection. */
static PGresult *give_up(struct pg *pg, PGresult *result)
{
    PQclear(result);
    if (PQstatus(pg->conn) == CONNECTION_OK)
        sql_fail(&pg->sql, SQL_TIMEOUT, "the database has not answered in time");
    else
        pg_fail(pg, NULL);
    PQfinish(pg->conn);
    pg->conn = NULL;
    return NULL;
}

PGresult *pg_receive(struct pg *pg)
{
    PGresult *last = NULL, *next;

    if (!flush(pg))
        return give_up(pg, NULL);
    for (;;) {
        if (!await_result(pg))
            return give_up(pg, last);
        next = PQgetResult(pg->conn);
        if (!next)
            return last ? last : give_up(pg, NULL);
        if (last && PQresultStatus(last) == PGRES_FATAL_ERROR) { /* the first failure is the reason */
            PQclear(next);
            continue;
        }
        PQclear(last);
        last = next;
    }
}

/* The results of all that was sent, to the mark at their end; the first failure counts. */
static bool read_queue(struct pg *pg)
{
    for (;;) {
        PGresult      *result;
        ExecStatusType status;

        if (!await_result(pg))
            return false;
        result = PQgetResult(pg->conn);
        status = result ? PQresultStatus(result) : PGRES_COMMAND_OK;
        if (status == PGRES_FATAL_ERROR)
            pg_fail(pg, result);
        PQclear(result);
        if (status == PGRES_PIPELINE_SYNC)
            return true;
        if (PQstatus(pg->conn) != CONNECTION_OK)
            return false;
    }
}

bool pg_settle_queue(struct pg *pg)
{
    bool is_whole;

    if (!pg->queued)
        return true;
    pg->queued = pg->queued_bytes = 0;
    is_whole                      = PQpipelineSync(pg->conn) && flush(pg) && read_queue(pg);
    if (!is_whole || !PQexitPipelineMode(pg->conn)) {
        give_up(pg, NULL);
        return false;
    }
    return pg->sql.failure == SQL_OK;
}

PGresult *pg_query(struct pg *pg, const char *text)
{
    PGresult *result;

    if (pg->conn && !pg_settle_queue(pg))
        return NULL;
    if (!pg->conn || !PQsendQuery(pg->conn, text)) {
        sql_fail(&pg->sql, SQL_GONE, pg->conn ? PQerrorMessage(pg->conn) : "the connection is lost");
        return NULL;
    }
    result = pg_receive(pg);
    if (!result)
        return NULL;
    if (PQresultStatus(result) == PGRES_COMMAND_OK || PQresultStatus(result) == PGRES_TUPLES_OK)
        return result;
    pg_fail(pg, result);
    PQclear(result);
    return NULL;
}
