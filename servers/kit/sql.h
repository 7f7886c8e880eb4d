/* sql.h - a database for servers: several connections to it, statements kept by their text, transactions that end.
 *
 *     pool      = sql_open(address, &schema, &error);
 *     sql       = sql_take(pool);
 *     statement = sql_statement(sql, "SELECT name FROM clients WHERE id = ?1");
 *     sql_bind_number(statement, 1, id);
 *     while (sql_row(sql, statement))
 *         ... sql_text(statement, 0) ...
 *     sql_give(pool, sql);
 *
 * Which engine it is, its address says; nothing here shows it. A connection is used by one thread at a time: take one, give it
 * back. A statement that could not be had is NULL: values are bound to nothing then, and there are no rows, so that only the
 * end of the work looks at sql_failure().
 */
#ifndef KIT_SQL_H
#define KIT_SQL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tenon/base.h>

/* Why something failed. */
enum sql_code {
    SQL_OK,
    SQL_BUSY, /* another one writes; later it may work */
    SQL_FULL, /* the disk, or the limit of sql_limit() */
    SQL_NO_MEMORY,
    SQL_CONFLICT, /* a row like it is there already, or one that it needs is not */
    SQL_AGAIN,    /* another transaction was in the way: the same may work when it is run again */
    SQL_GONE,     /* the connection or the server is gone, and nothing was committed */
    SQL_TIMEOUT,  /* it took too long */
    SQL_UNKNOWN,  /* the connection was lost while it committed: it may be done, or not */
    SQL_ERROR     /* anything else; the text says what */
};

struct sql_pool;  /* one database */
struct sql;       /* one connection */
struct statement; /* of one connection */

struct sql_schema {
    const char *const *at; /* steps: version 1 is at[0]. Each runs in a transaction with its number. */
    size_t             count;
    int                application_id; /* so that no foreign database is touched */
    const char        *name;   /* "kyc": what tables of a shared database are under; NULL: SQLite alone */
    const char *const *shared; /* the same steps for PostgreSQL */
    size_t
        readable_from; /* the oldest release's version that may go on while this one is there; 0: none but this */
    bool (*copied)(
        struct sql *sql); /* makes what PostgreSQL alone has, when rows came from SQLite; or NULL */
    int64_t (*migrated)(
        struct sql *sql,
        size_t      bytes);                /* of PostgreSQL, when the tables are made: brings vectors that are more
                                        * than so many bytes to pgvector, of how many collections; or NULL */
    bool (*connect)(struct sql *sql); /* the server's own functions, for each connection of SQLite; or NULL */
};

struct sql_options {
    bool is_private; /* the address is for no other eyes: it may have a password in it */
    bool checks;     /* of PostgreSQL: the schema is not made, but must be there */
};

/* Opens or makes it and migrates it; NULL and *error a sentence (free it). An address is a path (a file of mode 0600, in a folder
 * made with 0700), ":memory:", which is shared by the pool's connections, or postgresql://... A database of a newer schema is
 * refused. */
struct sql_pool *sql_open(const char *address, const struct sql_schema *schema, char **error);
struct sql_pool *sql_open_as(const char *address, const struct sql_schema *schema,
                             const struct sql_options *options, char **error);
bool             sql_is_shared(const char *address); /* is it one of PostgreSQL? */
void             sql_close(struct sql_pool *pool);

/* Most bytes of the database's file, in whole pages; 0: what the disk has. A file that is larger already stays as it is and
 * does not grow; its write-ahead log comes on top. To be called before others use the pool; false without memory. */
bool sql_limit(struct sql_pool *pool, int64_t bytes);

/* How long the work may take, and who may end it sooner: a connection whose work is over before it was committed is closed. */
struct sql_patience {
    int64_t ms;                        /* from now on; 0: as long as it takes */
    bool (*is_over)(const void *user); /* asked several times a second, on the thread that waits; or NULL */
    void (*waited)(void   *user,
                   int64_t us); /* hears of each wait for another process, on that thread; or NULL */
    void *user;
};

/* NULL without memory or when the database cannot be reached. Without a patience it is SQL_PATIENCE_MS. */
#define SQL_PATIENCE_MS 30000
struct sql *sql_take(struct sql_pool *pool);
struct sql *sql_take_for(struct sql_pool *pool, const struct sql_patience *patience);
void        sql_give(struct sql_pool *pool, struct sql *sql);
bool        sql_is_postgresql(const struct sql *sql); /* for what no text can say */

/* What operators want to know of it; by any thread. */
struct sql_report {
    bool     is_shared, is_up;  /* SQLite is always up */
    size_t   busy, idle;        /* connections */
    uint64_t connects, refused; /* so far: made, and those that failed */
    uint64_t waited_us;         /* for connections, by all who wanted one */
    uint64_t dead_rows,
        oldest_ms; /* of a shared one: what waits for a vacuum, and the oldest transaction's age */
    uint64_t again[SQL_ERROR + 1]; /* transactions that were run again, by why */
};
struct sql_report sql_report(struct sql_pool *pool);
void              sql_note_again(struct sql_pool *pool, enum sql_code why);

/* A copy of the whole database while it is in use, in a new file of mode 0600; false and *error (free it). */
bool sql_backup(struct sql_pool *pool, const char *path, char **error);

/* ---- Transactions ------------------------------------------------------------------------------------------------ */

/* Sticky: after a failure of any statement of the transaction the rest is skipped and sql_end() rolls back. */
bool sql_begin(struct sql *sql);
bool sql_begin_reading(struct sql *sql); /* all that is read is of one moment */
bool sql_end(struct sql *sql);           /* commits; false when it was rolled back */
void sql_cancel(struct sql *sql);
bool sql_is_in_transaction(const struct sql *sql); /* an engine may have ended it: a full disk */

/* ---- Statements -------------------------------------------------------------------------------------------------- */

/* Most texts are the same for both engines. Where they cannot be, two stand side by side: SQLite takes what comments leave, the
 * other driver takes what is in them. Texts of one may have those of another neither inside them nor the end of a comment. */
#define SQL_EITHER(sqlite, postgresql) "/*sqlite*/" sqlite "/*else " postgresql "*/"

/* At the end of SELECT ... WHERE id = ?1: every other that ends a statement so waits until this transaction ends. What is decided
 * about is read by the statements after it, for this one sees what was there before it waited. SQLite has one writer at a time
 * and needs none of it. */
#define SQL_LOCK SQL_EITHER("", " FOR NO KEY UPDATE")

/* Is the bit of `place` set? */
#define SQL_HAS_BIT(set, place) "(CAST(" set " AS BIGINT) >> CAST(" place " AS INTEGER) & 1) <> 0"

/* Columns of SQLite that compare without case; PostgreSQL has an index of them in lower case. Both know ASCII's cases only. */
#define SQL_NOCASE(column)      SQL_EITHER(column, "lower(" column ")")
#define SQL_NOCASE_VALUE(value) SQL_EITHER(value, "lower(CAST(" value " AS TEXT) COLLATE \"C\")")
/* Is the text a part of the column's, whatever the case? */
#define SQL_HAS_PART(column, part)                                                                           \
    SQL_EITHER("instr(lower(" column "), lower(" part "))",                                                  \
               "strpos(lower(" column "), lower(CAST(" part " AS TEXT) COLLATE \"C\"))")                     \
    " > 0"

/* The elements of a JSON array, in brackets: ... IN SQL_NUMBERS("?1"). */
#define SQL_NUMBERS(json)                                                                                    \
    "(SELECT " SQL_EITHER("value FROM json_each(" json ")",                                                  \
                          "CAST(value AS BIGINT) FROM json_array_elements_text(CAST(" json " AS json)) e(value)") ")"
#define SQL_TEXTS(json)                                                                                      \
    "(SELECT " SQL_EITHER("value FROM json_each(" json ")",                                                  \
                          "value FROM json_array_elements_text(CAST(" json " AS json)) e(value)") ")"
#define SQL_TEXTS_NOCASE(json)                                                                               \
    "(SELECT " SQL_EITHER("value FROM json_each(" json ")",                                                  \
                          "lower(value COLLATE \"C\") FROM json_array_elements_text(CAST(" json " AS json)) e(value)") ")"

/* The statement of a text, reset and without values; NULL after a failure. It is kept by its text and belongs to the
 * connection, until that is given back, and is used by one at a time. */
struct statement *sql_statement(struct sql *sql, const char *text);

/* ?1 is index 1; one that the text does not have is ignored. What is not bound is NULL, and so is a text at NULL. Texts and blobs are not copied: they stay until the
 * statement has run. */
void sql_bind_text(struct statement *statement, int index, const char *text);
void sql_bind_part(struct statement *statement, int index, const char *text, size_t len);
void sql_bind_number(struct statement *statement, int index, int64_t number);
void sql_bind_real(struct statement *statement, int index, double number);
void sql_bind_blob(struct statement *statement, int index, const void *at, size_t len);

/* Runs a statement to its end; false (and the failure is kept) when it fails. */
bool sql_run(struct sql *sql, struct statement *statement);
/* The same of a statement in a transaction whose rows are not needed: it may run later, at the latest with the next that is waited
 * for, which fails when this one does. Its values may change at once. */
bool sql_later(struct sql *sql, struct statement *statement);
/* An INSERT of one row that has a number; sql_insert() runs it. The text has no RETURNING: an engine that tells the number by
 * itself is not asked for it (SQLite would open a savepoint for each row, and its text index then writes out all that it has
 * collected). */
struct statement *sql_inserting(struct sql *sql, const char *text);
/* Runs one of these, or INSERT ... RETURNING id: the number of the row; 0 when it fails. */
int64_t sql_insert(struct sql *sql, struct statement *statement);
/* The next row; false at the end or after a failure. One who stops before the end resets the statement. */
bool sql_row(struct sql *sql, struct statement *statement);
void sql_reset(struct statement *statement);
/* Statements of a text that are run once: not kept, no values. */
bool sql_exec(struct sql *sql, const char *text);
/* Rows that the last statement has added, changed or removed. */
int64_t sql_changes(const struct sql *sql);

/* Columns of the row, the first is 0; valid until the next row. A text ends with a NUL, which `len` does not count; without
 * memory it is "", that of sql_part() NULL, and the failure is kept. */
bool        sql_is_null(const struct statement *row, int column);
int64_t     sql_number(const struct statement *row, int column);
double      sql_real(const struct statement *row, int column);
const char *sql_text(const struct statement *row, int column);
const char *sql_part(const struct statement *row, int column, size_t *len);
const void *sql_blob(const struct statement *row, int column, size_t *len); /* NULL when it is empty */

/* ---- News -------------------------------------------------------------------------------------------------------- */

/* After sql_exec(sql, "LISTEN name"), outside of transactions: waits until another NOTIFYs it, so many ms at most. */
enum sql_news { SQL_NEWS, SQL_NO_NEWS, SQL_NEWS_LOST /* the connection is */ };
enum sql_news sql_wait(struct sql *sql, int64_t ms);

/* ---- Failures ---------------------------------------------------------------------------------------------------- */

/* The failure since the last sql_clear(), and the engine's text. */
enum sql_code sql_failure(const struct sql *sql);
const char   *sql_failure_text(const struct sql *sql);
void          sql_clear(struct sql *sql);
/* Keeps the failure of one who has no memory for what it wanted to ask. */
void sql_run_out(struct sql *sql);
/* Of SQL_FULL: was it the limit of sql_limit(), and not the disk? */
bool sql_is_over_limit(const struct sql *sql);

#endif
