/* wait.c - sending and receiving without blocking, until the deadline. */
#include <errno.h>
#include <poll.h>
#include <time.h>

#include "kit/pg/pg.h"

#define LOOK_MS 100 /* between looks whether the work is over */

int64_t pg_now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

bool pg_wait(const struct pg *pg, bool is_writing, int64_t deadline_ms)
{
    struct pollfd wanted = { .fd     = PQsocket(pg->conn),
                             .events = (short)(POLLIN | (is_writing ? POLLOUT : 0)) };

    for (;;) {
        int64_t left = deadline_ms - pg_now_ms();
        int     ready;

        if (left <= 0 || wanted.fd < 0 || (pg->is_over && pg->is_over(pg->over_user)))
            return false;
        ready = poll(&wanted, 1, (int)(left < LOOK_MS ? left : LOOK_MS));
        if (ready > 0 || (ready < 0 && errno != EINTR))
            return ready > 0;
    }
}

bool pg_has_news(PGconn *conn)
{
    struct pollfd wanted = { .fd = PQsocket(conn), .events = POLLIN };

    return poll(&wanted, 1, 0) != 0;
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

PGresult *pg_query(struct pg *pg, const char *text)
{
    PGresult *result;

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
