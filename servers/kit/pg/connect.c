/* connect.c - a connection, within its time. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kit/pg/pg.h"

#define FAILED_WAIT_MS 1000 /* after a connect that failed others do not try at once */
#define FAILED_MORE_MS 250u /* and not all at the same moment */

/* What every session has, whatever the role's defaults are. A server that still works for a connection that was closed notices
 * it within a second. */
static const char session[] = "SET search_path = %s, pg_temp; SET DateStyle = 'ISO'; SET bytea_output = "
                              "'hex'; SET extra_float_digits = 3;"
                              "SET standard_conforming_strings = on; SET client_min_messages = warning;"
                              "SET client_connection_check_interval = 1000;";

/* The timeline, "" of a standby, and the encoding. */
static const char question[] =
    "SELECT CASE WHEN pg_is_in_recovery() THEN '' ELSE substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) "
    "END, current_setting('server_encoding')";

/* Unless the address says otherwise: a server that is gone while it owes an answer is noticed after 20 s. */
static const struct {
    const char *keyword, *value;
} defaults[] = {
    { "client_encoding", "UTF8" }, { "keepalives_idle", "10" },     { "keepalives_interval", "5" },
    { "keepalives_count", "2" },   { "tcp_user_timeout", "10000" }, { "application_name", "tenon" },
};

#define DEFAULTS (sizeof defaults / sizeof *defaults)

static void disconnect(struct pg *pg)
{
    if (pg->conn)
        PQfinish(pg->conn);
    pg->conn = NULL;
}

void pg_disconnect(struct sql *sql)
{
    disconnect(pg_of(sql));
    free(pg_of(sql));
}

/* ---- The handshake ----------------------------------------------------------------------------------------------- */

/* libpq says what it waits for, and is asked again. */
static bool shake_hands(const struct pg *pg, int64_t deadline_ms)
{
    PostgresPollingStatusType status = PGRES_POLLING_WRITING;

    while (status != PGRES_POLLING_OK) {
        if (status == PGRES_POLLING_FAILED || !pg_wait(pg, status == PGRES_POLLING_WRITING, deadline_ms))
            return false;
        status = PQconnectPoll(pg->conn);
    }
    return true;
}

static void note_warning(void *user, const PGresult *result)
{
    const char *severity = PQresultErrorField(result, PG_DIAG_SEVERITY_NONLOCALIZED);

    if (severity && strcmp(severity, "WARNING") == 0)
        ((struct pg *)user)->is_warned = true;
    if (severity && (strcmp(severity, "FATAL") == 0 || strcmp(severity, "PANIC") == 0))
        ((struct pg *)user)->is_ended = true;
}

/* The first lines of libpq's text as one, without its advice, which is indented. */
static void say_why(char **error, const struct pg_pool *pool, PGconn *conn, bool is_late)
{
    char  why[SQL_FAILURE_ROOM];
    char *end;

    snprintf(why, sizeof why, "%s", conn ? PQerrorMessage(conn) : "out of memory");
    end = strstr(why, "\n\t");
    if (end)
        *end = '\0';
    for (char *at = why; (at = strpbrk(at, "\r\n\t"));)
        *at = ' ';
    for (end = why + strlen(why); end > why && end[-1] == ' ';)
        *--end = '\0';
    sql_say(error, "The database %s cannot be reached: %s.", pool->shown,
            is_late && !why[0] ? "it does not answer" : why);
}

static bool set_up(struct pg *pg, char **error)
{
    char      text[sizeof session + sizeof question + PG_NAME_MAX];
    size_t    len = 0;
    PGresult *result;
    bool      good;

    if (!pg->pool->is_pooled) /* there it would be the next one's */
        len = (size_t)snprintf(text, sizeof text, session, pg->pool->schema);
    snprintf(text + len, sizeof text - len, "%s", question);
    result = pg_query(pg, text);
    good   = result != NULL;

    if (!result) {
        sql_say(error, "The database %s cannot be used: %s.", pg->pool->shown, pg->sql.text);
    } else if (PQgetvalue(result, 0, 0)[0] == '\0') {
        sql_say(error,
                "The database %s is a standby, which cannot write. Add target_session_attrs=read-write to "
                "the address, with all hosts in it.",
                pg->pool->shown);
        good = false;
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

/* Of two that say the same the later wins, and what is NULL says nothing. */
static PGconn *start(const struct pg_pool *pool, size_t host)
{
    const struct pg_hosts *hosts                  = &pool->hosts;
    const char            *keywords[DEFAULTS + 5] = { NULL }, *values[DEFAULTS + 5] = { NULL };
    const char *const      last[][2] = { { "dbname", pool->address },
                                         { "host", hosts->count ? hosts->host[host] : NULL },
                                         { "hostaddr", hosts->count ? hosts->addr[host] : NULL },
                                         { "port", hosts->count ? hosts->port[host] : NULL } };

    for (size_t i = 0; i < DEFAULTS; i++) {
        keywords[i] = defaults[i].keyword;
        values[i]   = defaults[i].value;
    }
    for (size_t i = 0; i < sizeof last / sizeof *last; i++) {
        keywords[DEFAULTS + i] = last[i][0];
        values[DEFAULTS + i]   = last[i][1];
    }
    return PQconnectStartParams(keywords, values, 1);
}

/* One host of several, or all that the address says. */
static bool connect_to(struct pg *pg, size_t host, int64_t deadline_ms, char **error)
{
    pg->is_ended = false;
    pg->conn     = start(pg->pool, host);
    if (pg->conn)
        PQsetNoticeReceiver(pg->conn, note_warning, pg);
    if (pg->conn && !pg_address_allows(pg->conn, pg->pool->address, error))
        return false;
    if (!pg->conn || PQstatus(pg->conn) == CONNECTION_BAD || !shake_hands(pg, deadline_ms) ||
        PQsetnonblocking(pg->conn, 1) != 0) {
        say_why(error, pg->pool, pg->conn, true);
        return false;
    }
    return set_up(pg, error);
}

/* A sentence for each host that could not be reached, unless they are the same. */
static void join(char **error, char *each)
{
    char *both = NULL;

    if (each && *error && strcmp(*error, each) != 0 && asprintf(&both, "%s %s", *error, each) >= 0) {
        free(*error);
        *error = both;
    }
    if (each && !*error)
        *error = each;
    else
        free(each);
}

/* Connects what has no connection: to the host that was reached last, then to the others, each with its part of the time. */
static bool connect_now(struct pg *pg, char **error)
{
    struct pg_pool *pool        = pg->pool;
    size_t          count       = pool->hosts.count ? pool->hosts.count : 1;
    size_t          first       = atomic_load(&pool->host);
    int64_t         deadline_ms = pg_now_ms() + PG_CONNECT_MS;
    char           *all         = NULL;

    if (pg->deadline_ms < deadline_ms)
        deadline_ms = pg->deadline_ms;
    for (size_t i = 0; i < count; i++) {
        size_t  host    = (first + i) % count;
        int64_t left_ms = deadline_ms - pg_now_ms();

        char *why = NULL;

        sql_clear(&pg->sql);
        if (connect_to(pg, host, pg_now_ms() + left_ms / (int64_t)(count - i), &why)) {
            atomic_store(&pool->host, host);
            free(all);
            return true;
        }
        disconnect(pg);
        join(&all, why);
    }
    if (error && !*error)
        *error = all;
    else
        free(all);
    return false;
}

/* ---- In the pool ------------------------------------------------------------------------------------------------- */

/* A server that is down is asked by one at a time: the others fail at once. */
static bool may_connect(struct pg_pool *pool)
{
    bool may;

    pthread_mutex_lock(&pool->lock);
    may = !pool->failed_ms || pg_now_ms() - pool->failed_ms >= pool->pause_ms;
    if (may && pool->failed_ms)
        pool->failed_ms = pg_now_ms();
    pthread_mutex_unlock(&pool->lock);
    return may;
}

/* One that failed slowly says nothing of a server that another has reached since. */
static void note_connect(struct pg_pool *pool, int64_t began_ms, bool good)
{
    uint32_t random = 0;

    getentropy(&random, sizeof random);
    pthread_mutex_lock(&pool->lock);
    if (good) {
        pool->made_ms   = pg_now_ms();
        pool->failed_ms = 0;
    } else if (pool->made_ms < began_ms) {
        pool->failed_ms = pg_now_ms();
        pool->pause_ms  = FAILED_WAIT_MS + random % FAILED_MORE_MS;
    }
    pthread_mutex_unlock(&pool->lock);
}

static void be_patient(struct pg *pg, const struct sql_patience *patience)
{
    pg->deadline_ms = patience->ms > 0 ? pg_now_ms() + patience->ms : INT64_MAX;
    pg->is_over     = patience->is_over;
    pg->waited      = patience->waited;
    pg->user        = patience->user;
}

/* One that lies idle says nothing: what can be read is its end, or news of it. */
bool pg_revive(struct sql *sql, const struct sql_patience *patience)
{
    struct pg *pg = pg_of(sql);

    be_patient(pg, patience);
    if (!pg->conn)
        return false;
    while (pg_has_news(pg->conn)) /* first why the server ends it, then that it has */
        if (!PQconsumeInput(pg->conn))
            return false;
    PQisBusy(pg->conn); /* reads what came */
    return PQstatus(pg->conn) == CONNECTION_OK && !pg->is_ended;
}

struct sql *pg_connect(struct pg_pool *pool, const struct sql_patience *patience, char **error)
{
    struct pg *pg       = may_connect(pool) ? calloc(1, sizeof *pg) : NULL;
    int64_t    began_ms = pg_now_ms();
    bool       good;

    if (!pg)
        return NULL;
    pg->sql.driver = pool->pool.driver;
    pg->pool       = pool;
    be_patient(pg, patience);
    good = connect_now(pg, error);
    note_connect(pool, began_ms, good);
    if (good)
        return &pg->sql;
    pg_disconnect(&pg->sql);
    return NULL;
}

bool pg_reconnect(struct pg *pg)
{
    disconnect(pg);
    return connect_now(pg, NULL);
}
