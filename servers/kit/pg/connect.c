/* connect.c - a connection, within its time. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kit/pg/pg.h"

#define FAILED_WAIT_MS 1000 /* after a connect that failed others do not try at once */

/* What every session has, whatever the role's defaults are. */
static const char session[] =
    "SET search_path = %s, pg_temp; SET client_encoding = 'UTF8'; SET DateStyle = 'ISO'; SET bytea_output = "
    "'hex'; SET extra_float_digits = 3;"
    "SET standard_conforming_strings = on; SET client_min_messages = warning;"
    "SELECT substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8), current_setting('server_encoding')";

void pg_disconnect(struct sql *sql)
{
    struct pg *pg = pg_of(sql);

    if (pg->conn)
        PQfinish(pg->conn);
    free(pg);
}

/* ---- The handshake ----------------------------------------------------------------------------------------------- */

/* libpq says what it waits for, and is asked again. */
static bool shake_hands(PGconn *conn, int64_t deadline_ms)
{
    PostgresPollingStatusType status = PGRES_POLLING_WRITING;

    while (status != PGRES_POLLING_OK) {
        if (status == PGRES_POLLING_FAILED || !pg_wait(conn, status == PGRES_POLLING_WRITING, deadline_ms))
            return false;
        status = PQconnectPoll(conn);
    }
    return true;
}

/* libpq's text in one line. */
static void say_why(char **error, const struct pg_pool *pool, PGconn *conn, bool is_late)
{
    char  why[SQL_FAILURE_ROOM];
    char *end;

    snprintf(why, sizeof why, "%s", conn ? PQerrorMessage(conn) : "out of memory");
    for (char *at = why; (at = strpbrk(at, "\r\n\t"));)
        *at = ' ';
    for (end = why + strlen(why); end > why && end[-1] == ' ';)
        *--end = '\0';
    sql_say(error, "The database %s cannot be reached: %s.", pool->shown,
            is_late && !why[0] ? "it does not answer" : why);
}

static bool set_up(struct pg *pg, char **error)
{
    char      text[sizeof session + 2 * PG_NAME_MAX];
    PGresult *result;
    bool      good;

    snprintf(text, sizeof text, session, pg->pool->schema);
    result = pg_query(pg, text);
    good   = result != NULL;

    if (!result) {
        sql_say(error, "The database %s cannot be used: %s.", pg->pool->shown, pg->sql.text);
    } else if (strcmp(PQgetvalue(result, 0, 1), "UTF8") != 0) {
        sql_say(error, "The database %s has the encoding %s; make one with UTF8.", pg->pool->shown,
                PQgetvalue(result, 0, 1));
        good = false;
    } else {
        snprintf(pg->timeline, sizeof pg->timeline, "%s", PQgetvalue(result, 0, 0));
    }
    PQclear(result);
    return good;
}

/* Connects what has no connection. */
static bool connect_now(struct pg *pg, char **error)
{
    int64_t deadline_ms = pg_now_ms() + PG_CONNECT_MS;

    if (pg->deadline_ms < deadline_ms)
        deadline_ms = pg->deadline_ms;
    pg->conn = PQconnectStart(pg->pool->address);
    if (!pg->conn || PQstatus(pg->conn) == CONNECTION_BAD || !shake_hands(pg->conn, deadline_ms) ||
        PQsetnonblocking(pg->conn, 1) != 0) {
        say_why(error, pg->pool, pg->conn, true);
        PQfinish(pg->conn);
        pg->conn = NULL;
        return false;
    }
    return set_up(pg, error);
}

/* ---- In the pool ------------------------------------------------------------------------------------------------- */

/* A server that is down is asked by one at a time: the others fail at once. */
static bool may_connect(struct pg_pool *pool)
{
    bool may;

    pthread_mutex_lock(&pool->lock);
    may = !pool->failed_ms || pg_now_ms() - pool->failed_ms >= FAILED_WAIT_MS;
    if (may && pool->failed_ms)
        pool->failed_ms = pg_now_ms();
    pthread_mutex_unlock(&pool->lock);
    return may;
}

static void note_connect(struct pg_pool *pool, bool good)
{
    pthread_mutex_lock(&pool->lock);
    pool->failed_ms = good ? 0 : pg_now_ms();
    pthread_mutex_unlock(&pool->lock);
}

/* One that lies idle says nothing: what can be read is its end, or news of it. */
bool pg_revive(struct sql *sql)
{
    struct pg *pg = pg_of(sql);

    pg->deadline_ms = pg_now_ms() + PG_WORK_MS;
    if (!pg->conn)
        return false;
    if (pg_has_news(pg->conn) && !PQconsumeInput(pg->conn))
        return false;
    return PQstatus(pg->conn) == CONNECTION_OK;
}

struct sql *pg_connect(struct pg_pool *pool, char **error)
{
    struct pg *pg = may_connect(pool) ? calloc(1, sizeof *pg) : NULL;
    bool       good;

    if (!pg)
        return NULL;
    pg->sql.driver  = pool->pool.driver;
    pg->pool        = pool;
    pg->deadline_ms = pg_now_ms() + PG_WORK_MS;
    good            = connect_now(pg, error);
    note_connect(pool, good);
    if (good && pool->connect && !pool->connect(&pg->sql))
        good = false;
    if (good)
        return &pg->sql;
    pg_disconnect(&pg->sql);
    return NULL;
}

bool pg_reconnect(struct pg *pg)
{
    if (pg->conn)
        PQfinish(pg->conn);
    pg->conn = NULL;
    return connect_now(pg, NULL);
}
