/* end.c - transactions, and whether a COMMIT whose answer was lost was one.
 *
 * A writing transaction takes its number at once. When the connection is lost after COMMIT was sent, a new one asks what became
 * of that number: committed is a success, aborted is nothing done. A server that has another history since (a standby that was
 * promoted) may have given the number to another, and one that cannot be reached cannot be asked: then it is unknown, which is
 * reported as such and never tried again.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "kit/pg/pg.h"

#define LOCK_MS     5000
#define ASK_WAIT_MS 50

/* statement_timeout does not reach COMMIT or a network that is cut: the deadline of wait.c does. */
static const char limits[] = " SET LOCAL statement_timeout = %lld; SET LOCAL lock_timeout = %d;"
                             " SET LOCAL idle_in_transaction_session_timeout = %lld;";

/* Where sessions are pooled each transaction says for itself what else a session has. */
static const char session[] =
    " SET LOCAL search_path = %s, pg_temp; SET LOCAL DateStyle = 'ISO'; SET LOCAL bytea_output = 'hex';"
    " SET LOCAL extra_float_digits = 3; SET LOCAL client_min_messages = warning;";

#define FOREVER_MS INT64_C(2000000000) /* about as much as the server takes */

bool pg_begin(struct sql *sql, bool is_reading)
{
    struct pg *pg   = pg_of(sql);
    int64_t    left = pg->deadline_ms - pg_now_ms();
    char       text[640];
    size_t     len = 0;
    PGresult  *result;

    left = left < 1 ? 1 : left > FOREVER_MS ? FOREVER_MS : left;
    len  = (size_t)snprintf(text, sizeof text, "BEGIN ISOLATION LEVEL %s;",
                           is_reading ? "REPEATABLE READ READ ONLY" : "READ COMMITTED READ WRITE");
    len += (size_t)snprintf(text + len, sizeof text - len, limits, (long long)left, LOCK_MS,
                            (long long)left + LOCK_MS);
    if (pg->pool->is_pooled)
        len += (size_t)snprintf(text + len, sizeof text - len, session, pg->pool->schema);
    snprintf(text + len, sizeof text - len, " SELECT %s", is_reading ? "''" : "pg_current_xact_id()");
    pg->number[0] = '\0';
    result        = pg_query(pg, text);
    if (!result)
        return false;
    snprintf(pg->number, sizeof pg->number, "%s", PQgetvalue(result, 0, 0));
    PQclear(result);
    pg->is_in_transaction = true;
    return true;
}

bool pg_is_in_transaction(const struct sql *sql)
{
    return pg_of(sql)->is_in_transaction;
}

void pg_cancel(struct sql *sql)
{
    struct pg *pg = pg_of(sql);
    struct sql before;
    PGresult  *result;

    if (!pg->is_in_transaction)
        return;
    pg->is_in_transaction = false;
    if (!pg->conn)
        return;
    before = *sql; /* that it was rolled back is not why it failed */
    pg_settle_queue(pg);
    result = pg_query(pg, "ROLLBACK");
    PQclear(result);
    sql->failure = before.failure;
    memcpy(sql->text, before.text, sizeof sql->text);
}

/* ---- COMMIT ------------------------------------------------------------------------------------------------------ */

enum fate { FATE_COMMITTED, FATE_ABORTED, FATE_RUNNING, FATE_UNKNOWN };

static enum fate ask_fate(struct pg *pg)
{
    char        text[96];
    PGresult   *result;
    const char *status;
    enum fate   fate = FATE_UNKNOWN;

    snprintf(text, sizeof text, "SELECT pg_xact_status('%s'::xid8)", pg->number);
    result = pg_query(pg, text);
    status = result ? PQgetvalue(result, 0, 0) : "";
    if (strcmp(status, "committed") == 0)
        fate = FATE_COMMITTED;
    else if (strcmp(status, "aborted") == 0)
        fate = FATE_ABORTED;
    else if (strcmp(status, "in progress") == 0)
        fate = FATE_RUNNING;
    PQclear(result);
    return fate;
}

static enum fate find_fate(struct pg *pg)
{
    char      timeline[sizeof pg->timeline];
    enum fate fate = FATE_RUNNING;

    memcpy(timeline, pg->timeline, sizeof timeline);
    while (fate == FATE_RUNNING && pg_now_ms() < pg->deadline_ms) {
        sql_clear(&pg->sql);
        if (!pg->conn && !pg_reconnect(pg)) {
            nanosleep(&(struct timespec){ .tv_nsec = ASK_WAIT_MS * 1000000L }, NULL);
            continue;
        }
        if (strcmp(timeline, pg->timeline) != 0)
            return FATE_UNKNOWN;
        fate = ask_fate(pg);
        if (fate == FATE_RUNNING)
            nanosleep(&(struct timespec){ .tv_nsec = ASK_WAIT_MS * 1000000L }, NULL);
    }
    return fate == FATE_RUNNING ? FATE_UNKNOWN : fate;
}

/* The connection was lost, or was too slow, after COMMIT was sent. */
static bool settle(struct pg *pg)
{
    enum fate fate = pg->number[0] ? find_fate(pg) : FATE_COMMITTED; /* what only reads has nothing to lose */

    sql_clear(&pg->sql);
    if (fate == FATE_COMMITTED)
        return true;
    if (fate == FATE_ABORTED)
        sql_fail(&pg->sql, SQL_GONE, "the connection was lost, and the transaction was rolled back");
    else
        sql_fail(&pg->sql, SQL_UNKNOWN, "the connection was lost while the transaction was committed");
    return false;
}

bool pg_commit(struct sql *sql)
{
    struct pg *pg = pg_of(sql);
    PGresult  *result;
    bool       good;

    pg->is_over           = NULL; /* from now on only its time ends it */
    pg->is_warned         = false;
    result                = pg_query(pg, "COMMIT");
    pg->is_in_transaction = false;
    if (!result)
        return pg->conn ? false : settle(pg);
    good = strcmp(PQcmdStatus(result), "COMMIT") == 0;
    if (!good)
        sql_fail(sql, SQL_ERROR, "the transaction had failed");
    PQclear(result);
    if (good && pg->is_warned &&
        pg->number[0]) { /* kept here, and perhaps not by the standby that is to have it */
        sql_fail(sql, SQL_UNKNOWN, "the database has committed with a warning");
        return false;
    }
    return good;
}
