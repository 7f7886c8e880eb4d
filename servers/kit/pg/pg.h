/* pg.h - what the files of the driver of PostgreSQL share.
 *
 * No call of libpq here waits for the network: everything is sent and received without blocking, and waiting is poll() until
 * the deadline of the connection's work. When that is over the connection is closed, whatever the server is doing.
 *
 *   address  what an address may say, and what it must
 *   connect  a connection, within its time
 *   open     the pool
 *   version  which release made the tables, and making them
 *   state    what a failure is, by SQLSTATE
 *   wait     a query, until its deadline
 *   text     "?1" as "$1"
 *   work     statements, values, rows
 *   end      transactions, and whether a lost COMMIT was one
 */
#ifndef KIT_PG_H
#define KIT_PG_H

#include <libpq-fe.h>

#include "kit/sql_driver.h"

#define PG_CONNECT_MS 5000
#define PG_NAME_MAX   63
#define PG_HOSTS_MOST 16

/* The hosts of an address, one after the other: libpq would wait for one that says nothing, and never ask the next. */
struct pg_hosts {
    char       *texts[3]; /* what the others point into */
    const char *host[PG_HOSTS_MOST], *addr[PG_HOSTS_MOST],
        *port[PG_HOSTS_MOST]; /* NULL: as the address says */
    size_t count;             /* 0: libpq's own business */
};

struct pg_pool {
    struct sql_pool pool;
    char           *address; /* as libpq takes it */
    char           *shown;   /* of it, what logs may have */
    struct pg_hosts hosts;
    atomic_size_t   host;      /* that was reached last: it is asked first */
    bool            is_pooled; /* by one who gives each transaction another session: prepare=off */
    char            schema[PG_NAME_MAX + 1];
    pthread_mutex_t lock;      /* of what follows */
    int64_t         failed_ms; /* when a connect failed last; 0: none */
    int64_t         pause_ms;  /* how long after it there is no other try */
    int64_t         made_ms;   /* when one was made last */
};

struct pg {
    struct sql      sql;
    struct pg_pool *pool;
    PGconn         *conn;
    int64_t         deadline_ms;
    bool (*is_over)(const void *user);      /* asked while it waits; or NULL */
    void (*waited)(void *user, int64_t us); /* hears of each wait; or NULL */
    void    *user;                          /* of both */
    int64_t  changes;
    unsigned names;  /* of statements that were prepared */
    size_t   queued; /* statements that were sent and not answered yet */
    size_t   queued_bytes;
    bool     is_in_transaction;
    bool     is_warned;   /* by what runs: of a COMMIT, that it is not what it should be */
    bool     is_ended;    /* the server said, unasked, that it ends the connection */
    char     timeline[9]; /* of the server's history, as its WAL files have it */
    char     number[24];  /* of the transaction, once it writes; "" */
};

static inline struct pg *pg_of(const struct sql *sql)
{
    return (struct pg *)sql;
}

int64_t pg_now_ms(void); /* of a clock that only goes on */

/* ---- address ---- */

/* The address as libpq takes it, to be freed; NULL, and *error says what is wrong with it. */
char *pg_address_read(const char *address, bool is_private, bool *is_pooled, char **error);
/* The same for what the environment or a service file adds to it, before anything is sent. */
bool pg_address_allows(PGconn *conn, const char *address, char **error);
/* The hosts of one that has several; false without memory. */
bool pg_hosts_read(const char *address, struct pg_hosts *hosts);
void pg_hosts_free(struct pg_hosts *hosts);
/* The address as logs may have it. */
char *pg_address_shown(const char *address);

/* ---- connect ---- */

/* A connection that works, with its session set up; NULL, and *error says why if it is asked for. */
struct sql *pg_connect(struct pg_pool *pool, const struct sql_patience *patience, char **error);
/* Is it still good? Its deadline begins anew. */
bool pg_revive(struct sql *sql, const struct sql_patience *patience);
/* The same server again, after the connection was lost; false when it cannot be reached before the deadline. */
bool pg_reconnect(struct pg *pg);
void pg_disconnect(struct sql *sql);

/* ---- state ---- */

/* Keeps the failure that a result, or without one the connection, tells of. Always false. */
bool          pg_fail(struct pg *pg, const PGresult *result);
enum sql_code pg_code_of(const char *state);

/* ---- wait ---- */

/* The socket can be read, or written if that is wanted, before the deadline, and before it is over. */
bool pg_wait(const struct pg *pg, bool is_writing, int64_t deadline_ms);
/* News of what the connection listens to; of one whose sessions are pooled, which cannot listen, a while of its own. */
enum sql_news pg_wait_news(struct sql *sql, int64_t ms);
/* Something can be read right now. */
bool pg_has_news(PGconn *conn);
/* The last result of what was sent, or NULL: time is up (SQL_TIMEOUT is kept) or the connection is lost (SQL_GONE). */
PGresult *pg_receive(struct pg *pg);
/* Waits for what pg_later() has sent; false when one of it failed. */
bool pg_settle_queue(struct pg *pg);
/* Statements without values, by the simple protocol; the last result if it is a good one, else NULL and the failure is kept. */
PGresult *pg_query(struct pg *pg, const char *text);

/* ---- text ---- */

/* "?1" and "?" as "$1", to be freed, how many values it asks for, and which of the first 64 (a bit each; ?1 is the lowest); NULL
 * without memory. */
char *pg_text_translate(const char *text, int *values, uint64_t *used);

/* ---- work ---- */

struct statement *pg_prepare(struct sql *sql, const char *text);
void              pg_drop(struct statement *statement);
void              pg_renew(struct statement *statement);
void              pg_reset(struct statement *statement);
enum sql_step     pg_step(struct statement *statement);
bool              pg_later(struct statement *statement);
void              pg_bind_text(struct statement *statement, int index, const char *text, size_t len);
void              pg_bind_number(struct statement *statement, int index, int64_t number);
void              pg_bind_real(struct statement *statement, int index, double number);
void              pg_bind_blob(struct statement *statement, int index, const void *at, size_t len);
bool              pg_is_null(const struct statement *row, int column);
int64_t           pg_number(const struct statement *row, int column);
double            pg_real(const struct statement *row, int column);
const char       *pg_text(const struct statement *row, int column, size_t *len);
const void       *pg_blob(const struct statement *row, int column, size_t *len);

/* ---- end ---- */

bool pg_begin(struct sql *sql, bool is_reading);
bool pg_commit(struct sql *sql);
void pg_cancel(struct sql *sql);
bool pg_is_in_transaction(const struct sql *sql);

/* ---- open ---- */

struct sql_pool *pg_open(const char *address, const struct sql_schema *schema,
                         const struct sql_options *options, char **error);

/* ---- version ---- */

/* The tables are those of this release, or are made so; else *error says why not. */
bool pg_version_settle(struct pg *pg, const struct sql_schema *schema, bool checks, char **error);

#endif
