/* sqlite.c - the driver of SQLite: connections, transactions, statements.
 *
 * Writers take turns (BEGIN IMMEDIATE with a busy time-out). WAL, so that readers and one writer do not wait for each other.
 * synchronous=NORMAL: a commit is not synced at once, only checkpoints are. A killed process loses nothing, a power failure may
 * lose the last commits, never half of one, and never the consistency of the file. That is enough for what servers derive from
 * files and make again; one that keeps the only copy of something must ask for more.
 */
#include "kit/sqlite.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kit/sqlite_inside.h"

struct sqlite_connection {
    struct sql sql;
    sqlite3   *db;
    bool       is_limited;
};

struct sqlite_kept {
    struct statement statement;
    sqlite3_stmt    *made;
};

static struct sqlite_connection *own(const struct sql *sql)
{
    return (struct sqlite_connection *)sql;
}

static sqlite3_stmt *made_of(const struct statement *statement)
{
    return ((const struct sqlite_kept *)statement)->made;
}

sqlite3 *sqlite_database(struct sql *sql)
{
    return own(sql)->db;
}

sqlite3_stmt *sqlite_statement(struct statement *statement)
{
    return statement ? made_of(statement) : NULL;
}

/* ---- Failures ---------------------------------------------------------------------------------------------------- */

static bool is_disk_full(int number)
{
    return number == ENOSPC || number == EDQUOT || number == EFBIG;
}

static enum sql_code code_of(int code, int number)
{
    switch (code & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED: return SQL_BUSY;
    case SQLITE_FULL: return SQL_FULL;
    case SQLITE_NOMEM: return SQL_NO_MEMORY;
    case SQLITE_CONSTRAINT: return SQL_CONFLICT;
    /* A quota and a limit of a file's size are a full disk under other names. SQLite reports its own record of errno too
     * late. */
    case SQLITE_IOERR: return is_disk_full(number) ? SQL_FULL : SQL_ERROR;
    default: return SQL_ERROR;
    }
}

bool sqlite_check(struct sql *sql, int code)
{
    int number = errno;

    if (code == SQLITE_OK || code == SQLITE_ROW || code == SQLITE_DONE)
        return true;
    if (sql->failure == SQL_OK) {
        sql_fail(sql, code_of(code, number), sqlite3_errmsg(own(sql)->db));
        sql->is_over_limit = own(sql)->is_limited && sql->failure == SQL_FULL && !is_disk_full(number);
    }
    return false;
}

/* ---- Connections ------------------------------------------------------------------------------------------------- */

static void disconnect(struct sql *sql)
{
    sqlite3_close(own(sql)->db);
    free(own(sql));
}

/* Pages are what SQLite counts. One that is larger already gets what it has. */
static bool keep_to(struct sql *sql, int64_t bytes)
{
    struct statement *statement = sql_statement(sql, "PRAGMA page_size");
    int64_t           size      = sql_row(sql, statement) ? sql_number(statement, 0) : 0;
    char              text[64];

    sql_reset(statement);
    if (size <= 0)
        return false;
    snprintf(text, sizeof text, "PRAGMA max_page_count=%" PRId64, bytes / size > 0 ? bytes / size : 1);
    own(sql)->is_limited = sql_exec(sql, text);
    return own(sql)->is_limited;
}

static int set_up(struct sqlite_pool *pool, struct sqlite_connection *made)
{
    int code;

    sqlite3_extended_result_codes(made->db, 1);
    sqlite3_busy_timeout(made->db, SQLITE_WAIT_MS);
    sqlite3_db_config(made->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(made->db, SQLITE_DBCONFIG_ENABLE_FKEY, 1, NULL);
    sqlite3_db_config(made->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    code = sqlite3_exec(made->db,
                        "PRAGMA synchronous=NORMAL; PRAGMA cache_size=-8192; PRAGMA cell_size_check=ON;"
                        "PRAGMA journal_size_limit=67108864; PRAGMA temp_store=MEMORY",
                        NULL, NULL, NULL);
    if (code == SQLITE_OK && pool->bytes_most && !keep_to(&made->sql, pool->bytes_most))
        code = SQLITE_NOMEM;
    if (code == SQLITE_OK && pool->connect && !pool->connect(&made->sql))
        code = SQLITE_NOMEM;
    return code;
}

struct sql *sqlite_connect(struct sqlite_pool *pool, int *code)
{
    struct sqlite_connection *made  = calloc(1, sizeof *made);
    int                       flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX;

    if (!made)
        return NULL;
    made->sql.driver = &sqlite_driver;
    if (pool->in_memory)
        flags |= SQLITE_OPEN_URI | SQLITE_OPEN_CREATE;
    *code = sqlite3_open_v2(pool->name, &made->db, flags, NULL);
    if (*code == SQLITE_OK)
        *code = set_up(pool, made);
    if (*code == SQLITE_OK)
        return &made->sql;
    sql_disconnect(&made->sql);
    return NULL;
}

static struct sql *connect_again(struct sql_pool *pool, const struct sql_patience *patience)
{
    int code;

    (void)patience; /* waits are short and bounded */
    return sqlite_connect((struct sqlite_pool *)pool, &code);
}

static bool revive(struct sql *sql, const struct sql_patience *patience)
{
    (void)sql;
    (void)patience;
    return true;
}

static bool limit(struct sql_pool *pool, int64_t bytes)
{
    struct sqlite_pool *mine = (struct sqlite_pool *)pool;

    mine->bytes_most = bytes;
    for (struct sql *sql = pool->idle; bytes && sql; sql = sql->next)
        if (!keep_to(sql, bytes))
            return false;
    return !bytes || !mine->anchor || keep_to(mine->anchor, bytes);
}

static void close_pool(struct sql_pool *pool)
{
    struct sqlite_pool *mine = (struct sqlite_pool *)pool;

    sql_disconnect(mine->anchor);
    pthread_mutex_destroy(&pool->lock);
    free(mine->name);
    free(mine);
}

/* ---- Statements -------------------------------------------------------------------------------------------------- */

static struct statement *prepare(struct sql *sql, const char *text)
{
    struct sqlite_kept *kept = calloc(1, sizeof *kept);
    int                 code;

    if (!kept) {
        sql_fail(sql, SQL_NO_MEMORY, "out of memory");
        return NULL;
    }
    code = sqlite3_prepare_v3(own(sql)->db, text, -1, SQLITE_PREPARE_PERSISTENT, &kept->made, NULL);
    if (!sqlite_check(sql, code)) {
        free(kept);
        return NULL;
    }
    kept->statement.sql = sql;
    return &kept->statement;
}

static void drop(struct statement *statement)
{
    sqlite3_finalize(made_of(statement));
    free(statement);
}

static void renew(struct statement *statement)
{
    sqlite3_reset(made_of(statement));
    sqlite3_clear_bindings(made_of(statement));
}

/* One that was left in the middle of its rows holds a snapshot, and with it the write-ahead log. */
static void reset(struct statement *statement)
{
    sqlite3_reset(made_of(statement));
}

static enum sql_step step(struct statement *statement)
{
    int code;

    errno = 0;
    code  = sqlite3_step(made_of(statement));
    if (code == SQLITE_ROW)
        return STEP_ROW;
    return sqlite_check(statement->sql, code) ? STEP_DONE : STEP_FAILED;
}

static bool exec(struct sql *sql, const char *text)
{
    errno = 0;
    return sqlite_check(sql, sqlite3_exec(own(sql)->db, text, NULL, NULL, NULL));
}

static int64_t changes(const struct sql *sql)
{
    return sqlite3_changes(own(sql)->db);
}

/* ---- Values and columns ------------------------------------------------------------------------------------------ */

/* A value that the text does not ask for is none. */
static void check_bound(struct statement *statement, int code)
{
    if (code != SQLITE_RANGE)
        sqlite_check(statement->sql, code);
}

static void bind_text(struct statement *statement, int index, const char *text, size_t len)
{
    check_bound(statement,
                sqlite3_bind_text64(made_of(statement), index, text, len, SQLITE_STATIC, SQLITE_UTF8));
}

static void bind_number(struct statement *statement, int index, int64_t value)
{
    check_bound(statement, sqlite3_bind_int64(made_of(statement), index, value));
}

static void bind_real(struct statement *statement, int index, double value)
{
    check_bound(statement, sqlite3_bind_double(made_of(statement), index, value));
}

static void bind_blob(struct statement *statement, int index, const void *at, size_t len)
{
    check_bound(statement, sqlite3_bind_blob64(made_of(statement), index, at ? at : "", len, SQLITE_STATIC));
}

static bool is_null(const struct statement *row, int column)
{
    return sqlite3_column_type(made_of(row), column) == SQLITE_NULL;
}

static int64_t number(const struct statement *row, int column)
{
    return sqlite3_column_int64(made_of(row), column);
}

static double real(const struct statement *row, int column)
{
    return sqlite3_column_double(made_of(row), column);
}

static const char *text_of(const struct statement *row, int column, size_t *len)
{
    const char *text = (const char *)sqlite3_column_text(made_of(row), column);

    *len = (size_t)sqlite3_column_bytes(made_of(row), column);
    return text || !is_null(row, column) ? text : "";
}

static const void *blob(const struct statement *row, int column, size_t *len)
{
    const void *at = sqlite3_column_blob(made_of(row), column);

    *len = (size_t)sqlite3_column_bytes(made_of(row), column);
    return at;
}

/* ---- Transactions ------------------------------------------------------------------------------------------------ */

static bool is_in_transaction(const struct sql *sql)
{
    return !sqlite3_get_autocommit(own(sql)->db);
}

static bool begin(struct sql *sql, bool is_reading)
{
    return sql_run(sql, sql_statement(sql, is_reading ? "BEGIN" : "BEGIN IMMEDIATE"));
}

static bool commit(struct sql *sql)
{
    return sql_run(sql, sql_statement(sql, "COMMIT"));
}

/* One that returns rows has told, or has inserted none. */
static int64_t inserted(const struct statement *statement)
{
    return sqlite3_column_count(made_of(statement)) == 0 ? sqlite3_last_insert_rowid(own(statement->sql)->db)
                                                         : 0;
}

static void cancel(struct sql *sql)
{
    for (sqlite3_stmt *each = NULL; (each = sqlite3_next_stmt(own(sql)->db, each)) != NULL;)
        if (sqlite3_stmt_busy(each))
            sqlite3_reset(each);
    if (is_in_transaction(sql))
        sqlite3_exec(own(sql)->db, "ROLLBACK", NULL, NULL, NULL);
}

const struct sql_driver sqlite_driver = {
    .open              = sqlite_open,
    .close             = close_pool,
    .limit             = limit,
    .backup            = sqlite_backup,
    .connect           = connect_again,
    .revive            = revive,
    .disconnect        = disconnect,
    .begin             = begin,
    .commit            = commit,
    .cancel            = cancel,
    .is_in_transaction = is_in_transaction,
    .exec              = exec,
    .changes           = changes,
    .inserted          = inserted,
    .prepare           = prepare,
    .drop              = drop,
    .renew             = renew,
    .reset             = reset,
    .step              = step,
    .bind_text         = bind_text,
    .bind_number       = bind_number,
    .bind_real         = bind_real,
    .bind_blob         = bind_blob,
    .is_null           = is_null,
    .number            = number,
    .real              = real,
    .text              = text_of,
    .blob              = blob,
};
