/* sql.c - connections, statements, transactions, failures.
 *
 * WAL, so that readers and one writer do not wait for each other. synchronous=NORMAL: a commit is not synced at once, only
 * checkpoints are. A killed process loses nothing, a power failure may lose the last commits, never half of one, and never
 * the consistency of the file. That is enough for what servers derive from files and make again; one that keeps the only
 * copy of something must ask for more.
 */
#include "kit/sql.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kit/sql_inside.h"

#define IDLE_MOST        8   /* connections that are kept */
#define STATEMENTS_KEPT  192 /* of a connection; more are let go when it is given back */
#define STATEMENTS_FIRST 64
#define FAILURE_ROOM     256

struct kept {
    uint64_t      hash;
    sqlite3_stmt *statement;
};

struct sql {
    struct sql  *next; /* idle ones */
    sqlite3     *db;
    struct kept *kept; /* open addressing; room is a power of two */
    size_t       kept_count, kept_room;
    int          failure;
    bool         is_limited, is_over_limit;
    char         text[FAILURE_ROOM];
};

sqlite3 *sql_database(struct sql *sql)
{
    return sql->db;
}

/* ---- Connections ---- */

static void drop_statements(struct sql *sql)
{
    for (size_t i = 0; i < sql->kept_room; i++)
        sqlite3_finalize(sql->kept[i].statement);
    free(sql->kept);
    sql->kept       = NULL;
    sql->kept_count = sql->kept_room = 0;
}

static void close_connection(struct sql *sql)
{
    if (!sql)
        return;
    drop_statements(sql);
    sqlite3_close(sql->db);
    free(sql);
}

struct sql *sql_connect(struct sql_pool *pool, int *code)
{
    struct sql *sql   = calloc(1, sizeof *sql);
    int         flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX;

    if (!sql)
        return NULL;
    if (pool->in_memory)
        flags |= SQLITE_OPEN_URI | SQLITE_OPEN_CREATE;
    *code = sqlite3_open_v2(pool->name, &sql->db, flags, NULL);
    if (*code != SQLITE_OK) {
        close_connection(sql);
        return NULL;
    }
    sqlite3_extended_result_codes(sql->db, 1);
    sqlite3_busy_timeout(sql->db, SQL_BUSY_MS);
    sqlite3_db_config(sql->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(sql->db, SQLITE_DBCONFIG_ENABLE_FKEY, 1, NULL);
    sqlite3_db_config(sql->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    *code = sqlite3_exec(sql->db,
                         "PRAGMA synchronous=NORMAL; PRAGMA cache_size=-8192; PRAGMA cell_size_check=ON;"
                         "PRAGMA journal_size_limit=67108864; PRAGMA temp_store=MEMORY",
                         NULL, NULL, NULL);
    if (*code == SQLITE_OK && pool->bytes_most && !sql_keep_to(sql, pool->bytes_most))
        *code = SQLITE_NOMEM;
    if (*code == SQLITE_OK && pool->connect)
        *code = pool->connect(sql->db);
    if (*code != SQLITE_OK) {
        close_connection(sql);
        return NULL;
    }
    return sql;
}

/* Pages are what SQLite counts. One that is larger already gets what it has. */
bool sql_keep_to(struct sql *sql, int64_t bytes)
{
    sqlite3_stmt *statement = sql_statement(sql, "PRAGMA page_size");
    int64_t       size      = sql_row(sql, statement) ? sqlite3_column_int64(statement, 0) : 0;
    char          text[64];

    if (statement)
        sqlite3_reset(statement);
    if (size <= 0)
        return false;
    snprintf(text, sizeof text, "PRAGMA max_page_count=%" PRId64, bytes / size > 0 ? bytes / size : 1);
    sql->is_limited = sql_exec(sql, text);
    return sql->is_limited;
}

bool sql_limit(struct sql_pool *pool, int64_t bytes)
{
    pool->bytes_most = bytes;
    for (struct sql *sql = pool->idle; bytes && sql; sql = sql->next)
        if (!sql_keep_to(sql, bytes))
            return false;
    return !bytes || !pool->anchor || sql_keep_to(pool->anchor, bytes);
}

struct sql *sql_take(struct sql_pool *pool)
{
    struct sql *sql;
    int         code;

    pthread_mutex_lock(&pool->lock);
    sql = pool->idle;
    if (sql) {
        pool->idle = sql->next;
        pool->idle_count--;
    }
    pthread_mutex_unlock(&pool->lock);
    return sql ? sql : sql_connect(pool, &code);
}

/* Statements that were left in the middle of their rows hold a snapshot, and with it the write-ahead log. */
static void reset_statements(struct sql *sql)
{
    for (size_t i = 0; i < sql->kept_room; i++)
        if (sql->kept[i].statement && sqlite3_stmt_busy(sql->kept[i].statement))
            sqlite3_reset(sql->kept[i].statement);
}

void sql_give(struct sql_pool *pool, struct sql *sql)
{
    if (!sql)
        return;
    sql_cancel(sql);
    sql_clear(sql);
    if (sql->kept_count > STATEMENTS_KEPT)
        drop_statements(sql);
    pthread_mutex_lock(&pool->lock);
    /* One whose rollback found no memory still holds the lock of writers: closing it rolls back too. */
    if (pool->idle_count < IDLE_MOST && sqlite3_get_autocommit(sql->db)) {
        sql->next  = pool->idle;
        pool->idle = sql;
        pool->idle_count++;
        sql = NULL;
    }
    pthread_mutex_unlock(&pool->lock);
    close_connection(sql);
}

void sql_close(struct sql_pool *pool)
{
    if (!pool)
        return;
    while (pool->idle) {
        struct sql *sql = pool->idle;

        pool->idle = sql->next;
        close_connection(sql);
    }
    close_connection(pool->anchor);
    pthread_mutex_destroy(&pool->lock);
    free(pool->name);
    free(pool);
}

/* ---- Failures ---- */

static bool is_disk_full(int number)
{
    return number == ENOSPC || number == EDQUOT || number == EFBIG;
}

/* A quota and a limit of a file's size are a full disk under other names. SQLite reports its own record of errno too late. */
static int simplify(int code, int number)
{
    if ((code & 0xff) == SQLITE_IOERR && is_disk_full(number))
        return SQLITE_FULL;
    return code & 0xff;
}

static void keep_failure(struct sql *sql, int code)
{
    int number = errno;

    if (sql->failure != SQLITE_OK)
        return;
    sql->failure       = simplify(code, number);
    sql->is_over_limit = sql->is_limited && sql->failure == SQLITE_FULL && !is_disk_full(number);
    snprintf(sql->text, sizeof sql->text, "%s", sqlite3_errmsg(sql->db));
}

int sql_failure(const struct sql *sql)
{
    return sql->failure;
}

bool sql_is_over_limit(const struct sql *sql)
{
    return sql->is_over_limit;
}

const char *sql_failure_text(const struct sql *sql)
{
    return sql->text;
}

void sql_clear(struct sql *sql)
{
    sql->failure       = SQLITE_OK;
    sql->is_over_limit = false;
    sql->text[0]       = '\0';
}

/* ---- Statements ---- */

static uint64_t hash_text(const char *text)
{
    uint64_t hash = 14695981039346656037u; /* FNV-1a: texts are ours, nobody chooses them to collide */

    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * 1099511628211u;
    return hash;
}

/* Where the statement is, or the empty place for it. */
static struct kept *find_kept(const struct sql *sql, uint64_t hash, const char *text)
{
    for (size_t i = (size_t)hash;; i++) {
        struct kept *kept = &sql->kept[i & (sql->kept_room - 1)];

        if (!kept->statement || (kept->hash == hash && strcmp(sqlite3_sql(kept->statement), text) == 0))
            return kept;
    }
}

static bool grow_kept(struct sql *sql)
{
    size_t       old_room = sql->kept_room;
    struct kept *old      = sql->kept;
    size_t       room     = old_room ? old_room * 2 : STATEMENTS_FIRST;
    struct kept *kept     = calloc(room, sizeof *kept);

    if (!kept)
        return false;
    sql->kept      = kept;
    sql->kept_room = room;
    for (size_t i = 0; i < old_room; i++)
        if (old[i].statement)
            *find_kept(sql, old[i].hash, sqlite3_sql(old[i].statement)) = old[i];
    free(old);
    return true;
}

sqlite3_stmt *sql_statement(struct sql *sql, const char *text)
{
    uint64_t     hash = hash_text(text);
    struct kept *kept;
    int          code;

    if (sql->failure != SQLITE_OK)
        return NULL;
    if (sql->kept_count * 2 >= sql->kept_room && !grow_kept(sql)) {
        sql->failure = SQLITE_NOMEM;
        return NULL;
    }
    kept = find_kept(sql, hash, text);
    if (kept->statement) {
        sqlite3_reset(kept->statement);
        sqlite3_clear_bindings(kept->statement);
        return kept->statement;
    }
    code = sqlite3_prepare_v3(sql->db, text, -1, SQLITE_PREPARE_PERSISTENT, &kept->statement, NULL);
    if (code != SQLITE_OK) {
        keep_failure(sql, code);
        kept->statement = NULL;
        return NULL;
    }
    kept->hash = hash;
    sql->kept_count++;
    return kept->statement;
}

bool sql_row(struct sql *sql, sqlite3_stmt *statement)
{
    int code;

    if (!statement || sql->failure != SQLITE_OK)
        return false;
    errno = 0;
    code  = sqlite3_step(statement);
    if (code == SQLITE_ROW)
        return true;
    if (code != SQLITE_DONE)
        keep_failure(sql, code);
    sqlite3_reset(statement);
    return false;
}

bool sql_run(struct sql *sql, sqlite3_stmt *statement)
{
    while (sql_row(sql, statement))
        ;
    return statement && sql->failure == SQLITE_OK;
}

bool sql_exec(struct sql *sql, const char *text)
{
    int code;

    if (sql->failure != SQLITE_OK)
        return false;
    errno = 0;
    code  = sqlite3_exec(sql->db, text, NULL, NULL, NULL);
    if (code != SQLITE_OK)
        keep_failure(sql, code);
    return code == SQLITE_OK;
}

void sql_bind_text(sqlite3_stmt *statement, int index, const char *text)
{
    if (text)
        sqlite3_bind_text(statement, index, text, -1, SQLITE_STATIC);
    else
        sqlite3_bind_null(statement, index);
}

const char *sql_column_text(sqlite3_stmt *statement, int column)
{
    const char *text = (const char *)sqlite3_column_text(statement, column);

    return text ? text : "";
}

/* ---- Transactions ---- */

bool sql_begin(struct sql *sql)
{
    return sql_run(sql, sql_statement(sql, "BEGIN IMMEDIATE"));
}

bool sql_begin_reading(struct sql *sql)
{
    return sql_run(sql, sql_statement(sql, "BEGIN"));
}

bool sql_end(struct sql *sql)
{
    bool was_open = !sqlite3_get_autocommit(sql->db); /* a full disk has rolled it back already */

    if (sql->failure == SQLITE_OK && was_open && sql_run(sql, sql_statement(sql, "COMMIT")))
        return true;
    sql_cancel(sql);
    return false;
}

void sql_cancel(struct sql *sql)
{
    reset_statements(sql);
    if (!sqlite3_get_autocommit(sql->db))
        sqlite3_exec(sql->db, "ROLLBACK", NULL, NULL, NULL);
}
