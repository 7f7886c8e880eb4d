/* sql.h - SQLite for servers: several connections to one database, statements kept by their text, transactions that end.
 *
 * A connection is used by one thread at a time: take one, give it back. Writers take turns (BEGIN IMMEDIATE with a busy
 * time-out); readers never wait for them (WAL).
 */
#ifndef KIT_SQL_H
#define KIT_SQL_H

#include <sqlite3.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tenon/base.h>

/* One step of the schema: version 1 is at[0]. Each runs in a transaction with its number. */
struct sql_schema {
    const char *const *at;
    size_t             count;
    int                application_id; /* so that no foreign database is touched */
    int (*connect)(sqlite3 *db); /* functions of the server's own, for each new connection; NULL: none */
};

struct sql_pool; /* one database */
struct sql;      /* one connection */

/* Opens or makes it (mode 0600, in a folder made with 0700), migrates it; NULL and *error a sentence (free it). ":memory:"
 * is shared by the pool's connections. A database of a newer schema is refused. */
struct sql_pool *sql_open(const char *path, const struct sql_schema *schema, char **error);
void             sql_close(struct sql_pool *pool);

/* Most bytes of the database's file, in whole pages; 0: what the disk has. A file that is larger already stays as it is and
 * does not grow; its write-ahead log comes on top. To be called before others use the pool; false without memory. */
bool sql_limit(struct sql_pool *pool, int64_t bytes);

/* NULL without memory or when the file cannot be opened any more. */
struct sql *sql_take(struct sql_pool *pool);
void        sql_give(struct sql_pool *pool, struct sql *sql);

/* The statement of a text, reset and without values; NULL after a failure. It is kept by its text and belongs to the
 * connection, until that is given back, and is used by one at a time. */
sqlite3_stmt *sql_statement(struct sql *sql, const char *text);

/* Sticky: after a failure of any statement of the transaction the rest is skipped and sql_end() rolls back. */
bool sql_begin(struct sql *sql);
bool sql_begin_reading(struct sql *sql); /* all that is read is of one moment */
bool sql_end(struct sql *sql);           /* commits; false when it was rolled back */
void sql_cancel(struct sql *sql);

/* Runs a statement to its end; false (and the failure is kept) when it fails. */
bool sql_run(struct sql *sql, sqlite3_stmt *statement);
/* The next row; false at the end or after a failure. One who stops before the end resets the statement. */
bool sql_row(struct sql *sql, sqlite3_stmt *statement);
/* Statements of a text that are run once: not kept, no values. */
bool sql_exec(struct sql *sql, const char *text);
/* SQLite's own, for what is not here. */
sqlite3 *sql_database(struct sql *sql);

/* The failure since the last sql_clear(): SQLITE_OK and its kin (primary codes; every kind of full disk is SQLITE_FULL), and
 * SQLite's text. */
int         sql_failure(const struct sql *sql);
const char *sql_failure_text(const struct sql *sql);
void        sql_clear(struct sql *sql);
/* Of SQLITE_FULL: was it the limit of sql_limit(), and not the disk? */
bool sql_is_over_limit(const struct sql *sql);

void sql_bind_text(sqlite3_stmt *statement, int index, const char *text); /* NULL is NULL; not copied */
const char *sql_column_text(sqlite3_stmt *statement, int column);         /* never NULL */

/* A copy of the whole database while it is in use, in a new file of mode 0600; false and *error (free it). */
bool sql_backup(struct sql_pool *pool, const char *path, char **error);

#endif
