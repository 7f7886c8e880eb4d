/* sqlite_open.c - opening a database of SQLite: whose it is, its version, its files; and copying it. */
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "kit/sqlite_inside.h"

#define RETRY_MS 10

/* Makes the folders above `path` that are missing, for nobody else. */
static bool make_folders(const char *path, char **error)
{
    char *copy = strdup(path);
    bool  made = copy != NULL;

    for (char *slash = copy ? strchr(copy + 1, '/') : NULL; made && slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(copy, 0700) != 0 && errno != EEXIST) {
            struct stat status;
            int         number = errno; /* a folder that is there may be one that we cannot write */

            if (stat(copy, &status) != 0) {
                sql_say(error, "The folder %s cannot be made: %s.", copy, strerror(number));
                made = false;
            }
        }
        *slash = '/';
    }
    free(copy);
    return made;
}

/* The file exists before SQLite opens it, so that it and its companions have our mode. One that is there is not opened:
 * closing it would end the locks that other connections of this process hold. */
static bool make_file(const char *path, char **error)
{
    int file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

    if (file >= 0)
        close(file);
    if (file >= 0 || errno == EEXIST)
        return true;
    sql_say(error, "The database %s cannot be made: %s.", path, strerror(errno));
    return false;
}

static int64_t ask_number(struct sql *sql, const char *question)
{
    struct statement *statement = sql_statement(sql, question);
    int64_t           number    = sql_row(sql, statement) ? sql_number(statement, 0) : 0;

    sql_reset(statement);
    return number;
}

/* True when the database is empty or ours, and not from the future. All is read of one moment: another process may be making
 * it right now, and half of that looks like a stranger's. */
static bool check_owner(struct sql *sql, const struct sql_schema *schema, const char *path, char **error)
{
    int64_t owner, version, tables;

    sql_begin_reading(sql);
    owner   = ask_number(sql, "PRAGMA application_id");
    version = ask_number(sql, "PRAGMA user_version");
    tables  = ask_number(sql, "SELECT count(*) FROM sqlite_master");
    if (!sql_end(sql)) {
        sql_say(error, "The database %s cannot be read: %s.", path, sql_failure_text(sql));
        return false;
    }
    if (owner != schema->application_id && (owner || version || tables)) {
        sql_say(error, "%s is a database of another program; it is left as it is. Name another file.", path);
        return false;
    }
    if (version > (int64_t)schema->count) {
        sql_say(
            error,
            "The database %s has version %lld, made by a newer release; this one knows versions up to %zu.",
            path, (long long)version, schema->count);
        return false;
    }
    return true;
}

/* Others may be opening it at the same moment, and SQLite does not wait for them here by itself. */
static bool use_wal(struct sql *sql, const char *path, char **error)
{
    for (int waited = 0;; waited += RETRY_MS) {
        struct statement *statement = sql_statement(sql, "PRAGMA journal_mode=WAL");
        bool              is_wal    = sql_row(sql, statement) && strcmp(sql_text(statement, 0), "wal") == 0;

        sql_reset(statement);
        if (is_wal)
            return true;
        if ((sql_failure(sql) != SQL_BUSY && sql_failure(sql) != SQL_OK) || waited >= SQLITE_WAIT_MS)
            break;
        sql_clear(sql);
        nanosleep(&(struct timespec){ .tv_nsec = RETRY_MS * 1000000L }, NULL);
    }
    sql_say(error, "The database %s cannot be opened for writing: %s.", path,
            sql_failure(sql) == SQL_OK ? "its file system has no shared memory" : sql_failure_text(sql));
    return false;
}

/* One step, if it is still to be done; false when there is none left, or after a failure. */
static bool migrate_once(struct sql *sql, const struct sql_schema *schema)
{
    char    text[96];
    int64_t version;
    bool    is_needed;

    if (!sql_begin(sql))
        return false;
    version   = ask_number(sql, "PRAGMA user_version");
    is_needed = version < (int64_t)schema->count;
    if (is_needed) {
        snprintf(text, sizeof text, "PRAGMA application_id=%d; PRAGMA user_version=%lld",
                 schema->application_id, (long long)version + 1);
        sql_exec(sql, schema->at[version]);
        sql_exec(sql, text);
    }
    return sql_end(sql) && is_needed;
}

static bool prepare_database(struct sqlite_pool *pool, struct sql *sql, const struct sql_schema *schema,
                             char **error)
{
    if (!check_owner(sql, schema, pool->name, error))
        return false;
    if (!pool->in_memory && !use_wal(sql, pool->name, error))
        return false;
    while (migrate_once(sql, schema))
        ;
    if (sql_failure(sql) == SQL_OK)
        return true;
    sql_say(error, "The database %s cannot be brought to version %zu: %s.", pool->name, schema->count,
            sql_failure_text(sql));
    return false;
}

static char *name_database(const char *path, bool in_memory)
{
    static atomic_uint serial;
    char              *name = NULL;

    if (!in_memory)
        return strdup(path);
    return asprintf(&name, "file:/tenon-%u?vfs=memdb", atomic_fetch_add(&serial, 1)) < 0 ? NULL : name;
}

static struct sqlite_pool *new_pool(const char *path, const struct sql_schema *schema)
{
    struct sqlite_pool *pool = calloc(1, sizeof *pool);

    if (!pool)
        return NULL;
    pool->pool.driver = &sqlite_driver;
    pool->connect     = schema->connect;
    pool->in_memory   = strcmp(path, ":memory:") == 0;
    pool->name        = name_database(path, pool->in_memory);
    if (!pool->name || pthread_mutex_init(&pool->pool.lock, NULL) != 0) {
        free(pool->name);
        free(pool);
        return NULL;
    }
    return pool;
}

/* The first connection, with the schema made; NULL and *error. */
static struct sql *connect_first(struct sqlite_pool *pool, const struct sql_schema *schema, char **error)
{
    int         code = SQLITE_NOMEM;
    struct sql *sql;

    if (!pool->in_memory && (!make_folders(pool->name, error) || !make_file(pool->name, error)))
        return NULL;
    sql = sqlite_connect(pool, &code);
    if (!sql)
        sql_say(error, "The database %s cannot be opened: %s.", pool->name, sqlite3_errstr(code));
    if (sql && !prepare_database(pool, sql, schema, error)) {
        sql_disconnect(sql);
        return NULL;
    }
    return sql;
}

struct sql_pool *sqlite_open(const char *path, const struct sql_schema *schema,
                             const struct sql_options *options, char **error)
{
    struct sqlite_pool *pool;
    struct sql         *sql;

    (void)options; /* a file is its owner's, who makes what is missing */

    if (sqlite3_threadsafe() == 0) {
        sql_say(error, "This SQLite was built without threads.");
        return NULL;
    }
    pool = new_pool(path, schema);
    if (!pool) {
        sql_say(error, "Not enough memory.");
        return NULL;
    }
    sql = connect_first(pool, schema, error);
    if (!sql) {
        sql_close(&pool->pool);
        return NULL;
    }
    atomic_store(&pool->pool.busy, 1);
    if (pool->in_memory)
        pool->anchor = sql;
    else
        sql_give(&pool->pool, sql);
    return &pool->pool;
}

/* In one step: a snapshot, which writers do not wait for. */
static int copy_all(sqlite3 *from, sqlite3 *to)
{
    sqlite3_backup *backup = sqlite3_backup_init(to, "main", from, "main");
    int             code;

    if (!backup)
        return sqlite3_errcode(to);
    code = sqlite3_backup_step(backup, -1);
    sqlite3_backup_finish(backup);
    return code == SQLITE_DONE ? SQLITE_OK : code;
}

bool sqlite_backup(struct sql_pool *pool, const char *path, char **error)
{
    struct sql *sql  = NULL;
    sqlite3    *to   = NULL;
    int         code = SQLITE_NOMEM;
    int         file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

    if (file < 0) {
        sql_say(error, "The copy %s cannot be made: %s.", path, strerror(errno));
        return false;
    }
    close(file);
    sql = sql_take(pool);
    if (sql)
        code = sqlite3_open_v2(path, &to, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL);
    if (code == SQLITE_OK)
        code = copy_all(sqlite_database(sql), to);
    sqlite3_close(to);
    sql_give(pool, sql);
    if (code == SQLITE_OK)
        return true;
    unlink(path);
    sql_say(error, "The copy %s cannot be made: %s.", path, sqlite3_errstr(code));
    return false;
}
