/* sql_driver.h - what an engine does for sql.h, and what sql.c keeps for every engine.
 *
 * A driver's own pools, connections and statements begin with these structs. It reports failures by sql_fail(); that the first
 * one counts, and that nothing is asked of it after one, is seen to here.
 */
#ifndef KIT_SQL_DRIVER_H
#define KIT_SQL_DRIVER_H

#include <pthread.h>
#include <stdatomic.h>

#include "kit/sql.h"

#define SQL_FAILURE_ROOM 256

enum sql_step { STEP_ROW, STEP_DONE, STEP_FAILED };

struct sql_driver {
    bool is_postgresql;

    /* A pool that has been migrated, or NULL and *error. */
    struct sql_pool *(*open)(const char *address, const struct sql_schema *schema,
                             const struct sql_options *options, char **error);
    void (*close)(struct sql_pool *pool); /* without connections by now */
    bool (*limit)(struct sql_pool *pool, int64_t bytes);
    bool (*backup)(struct sql_pool *pool, const char *path, char **error);

    struct sql *(*connect)(struct sql_pool *pool, const struct sql_patience *patience);
    bool (*revive)(struct sql                *sql,
                   const struct sql_patience *patience); /* an idle one is taken: is it still good? */
    void (*disconnect)(struct sql *sql);
    bool (*begin)(struct sql *sql, bool is_reading);
    bool (*commit)(struct sql *sql);
    void (*cancel)(struct sql *sql); /* rolls back if there is a transaction, whatever has failed */
    bool (*is_in_transaction)(const struct sql *sql);
    bool (*exec)(struct sql *sql, const char *text);
    int64_t (*changes)(const struct sql *sql);
    enum sql_news (*wait)(struct sql *sql, int64_t ms); /* of one that listens; NULL: there are no news */

    /* The number of the row that the statement has just inserted; NULL: only RETURNING tells. */
    int64_t (*inserted)(const struct statement *statement);

    struct statement *(*prepare)(struct sql *sql, const char *text);
    void (*drop)(struct statement *statement);
    void (*renew)(struct statement *statement); /* reset, and without values */
    void (*reset)(struct statement *statement);
    enum sql_step (*step)(struct statement *statement);
    bool (*later)(struct statement *statement); /* sends it and does not wait; NULL: nothing would be won */

    void (*bind_text)(struct statement *statement, int index, const char *text, size_t len); /* or NULL */
    void (*bind_number)(struct statement *statement, int index, int64_t number);
    void (*bind_real)(struct statement *statement, int index, double number);
    void (*bind_blob)(struct statement *statement, int index, const void *at, size_t len);

    bool (*is_null)(const struct statement *row, int column);
    int64_t (*number)(const struct statement *row, int column);
    double (*real)(const struct statement *row, int column);
    const char *(*text)(const struct statement *row, int column, size_t *len); /* NULL without memory */
    const void *(*blob)(const struct statement *row, int column, size_t *len);
};

struct sql_pool {
    const struct sql_driver *driver;
    pthread_mutex_t          lock; /* of what follows */
    struct sql              *idle;
    size_t                   idle_count;

    bool                 is_shared;
    atomic_bool          is_up;
    atomic_size_t        busy;
    atomic_uint_fast64_t connects, refused, waited_us, dead_rows, oldest_ms, again[SQL_ERROR + 1];
    struct sql_watch    *watch; /* of a shared one; or NULL */
    struct share        *share; /* of the runtime, beside it (share.h); or NULL */
    void (*share_free)(struct share *share);
};

struct sql_kept; /* a statement and the hash of its text */

struct sql {
    const struct sql_driver *driver;
    struct sql              *next; /* idle ones */
    struct sql_kept         *kept; /* open addressing; room is a power of two */
    size_t                   kept_count, kept_room;
    enum sql_code            failure;
    bool                     is_over_limit;
    char                     text[SQL_FAILURE_ROOM];
};

struct statement {
    struct sql *sql;
};

/* Keeps the failure unless there is one already. `text` may be NULL. */
void sql_fail(struct sql *sql, enum sql_code code, const char *text);

/* Looks at a shared database now and then, so that it is known to be up, or not, when there are no calls. */
struct sql_watch *sql_watch_new(struct sql_pool *pool);
void              sql_watch_free(struct sql_watch *watch);

/* Ends its statements, and the connection. */
void sql_disconnect(struct sql *sql);

/* Those that are kept; sql_statement.c. */
void sql_drop_statements(struct sql *sql);
void sql_trim_statements(struct sql *sql); /* too many are dropped, the others reset */

/* A sentence for *error, which is NULL until then; the first one counts. */
void sql_say(char **error, const char *format, ...) TENON_PRINTF(2, 3);

extern const struct sql_driver sqlite_driver;

/* Where the module of another engine begins: its driver, for this version of the struct above. */
#define SQL_DRIVER_VERSION 5
#define SQL_PG_MODULE      "libtenon-pg.so"
#define SQL_PG_ENTRY       "tenon_pg_driver"
typedef const struct sql_driver *(*sql_entry_fn)(int version);

#endif
