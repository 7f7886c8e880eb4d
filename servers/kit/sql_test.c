/* sql_test.c - opening, versions, owners, transactions, failures, copies. */
#define _GNU_SOURCE

#include "kit/sql.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kit/folder_test.h"
#include "kit/sqlite.h"

#define OWNER 0x74657374

static const char *const       steps[] = { "CREATE TABLE a (x INTEGER PRIMARY KEY, y TEXT NOT NULL);",
                                           "ALTER TABLE a ADD COLUMN z INTEGER; UPDATE a SET z = x * 2;" };
static const struct sql_schema one     = { .at = steps, .count = 1, .application_id = OWNER };
static const struct sql_schema two     = { .at = steps, .count = 2, .application_id = OWNER };

static char *folder, path[128];

static int make_folder(void **state)
{
    (void)state;
    folder = folder_new();
    if (!folder)
        return -1;
    snprintf(path, sizeof path, "%s/deep/er/test.db", folder);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    folder_free(folder);
    return 0;
}

static struct sql_pool *open_it(const char *where, const struct sql_schema *schema)
{
    char            *error = NULL;
    struct sql_pool *pool  = sql_open(where, schema, &error);

    if (!pool)
        fprintf(stderr, "%s\n", error);
    assert_non_null(pool);
    assert_null(error);
    return pool;
}

static void refuse(const char *where, const struct sql_schema *schema, const char *part)
{
    char *error = NULL;

    assert_null(sql_open(where, schema, &error));
    assert_non_null(error);
    if (!strstr(error, part))
        fprintf(stderr, "%s\n", error);
    assert_non_null(strstr(error, part));
    free(error);
}

static int64_t ask(struct sql *sql, const char *question)
{
    struct statement *row    = sql_statement(sql, question);
    int64_t           answer = -1;

    while (sql_row(sql, row))
        answer = sql_number(row, 0);
    return answer;
}

static void add(struct sql *sql, int x, const char *y)
{
    struct statement *insert = sql_statement(sql, "INSERT INTO a (x, y) VALUES (?, ?)");

    sql_bind_number(insert, 1, x);
    sql_bind_text(insert, 2, y);
    sql_run(sql, insert);
}

static unsigned mode_of(const char *name)
{
    struct stat status;

    return stat(name, &status) == 0 ? (unsigned)status.st_mode & 0777 : 0;
}

static void makes_private_files(void **state)
{
    struct sql_pool *pool;
    struct sql      *sql;
    char             name[160];

    (void)state;
    umask(0);
    pool = open_it(path, &one);
    sql  = sql_take(pool);
    add(sql, 1, "x");
    assert_int_equal(mode_of(path), 0600);
    snprintf(name, sizeof name, "%s-wal", path);
    assert_int_equal(mode_of(name), 0600);
    snprintf(name, sizeof name, "%s-shm", path);
    assert_int_equal(mode_of(name), 0600);
    snprintf(name, sizeof name, "%s/deep/er", folder);
    assert_int_equal(mode_of(name), 0700);
    snprintf(name, sizeof name, "%s/deep", folder);
    assert_int_equal(mode_of(name), 0700);
    sql_give(pool, sql);
    sql_close(pool);
    umask(022);
}

static void migrates(void **state)
{
    struct sql_pool *pool = open_it(path, &one);
    struct sql      *sql  = sql_take(pool);

    (void)state;
    add(sql, 21, "kept");
    assert_int_equal(ask(sql, "PRAGMA user_version"), 1);
    sql_give(pool, sql);
    sql_close(pool);
    pool = open_it(path, &two);
    sql  = sql_take(pool);
    assert_int_equal(ask(sql, "PRAGMA user_version"), 2);
    assert_int_equal(ask(sql, "PRAGMA application_id"), OWNER);
    assert_int_equal(ask(sql, "SELECT z FROM a WHERE y = 'kept'"), 42);
    sql_give(pool, sql);
    sql_close(pool);
    refuse(path, &one, "newer release");
    sql_close(open_it(path, &two));
}

/* A step that fails leaves the version before it. */
static void keeps_the_version_before_a_bad_step(void **state)
{
    static const char *const       bad_steps[] = { "CREATE TABLE a (x INTEGER PRIMARY KEY, y TEXT NOT NULL);",
                                                   "CREATE TABLE b (x); INSERT INTO nowhere VALUES (1);" };
    static const struct sql_schema bad         = { .at = bad_steps, .count = 2, .application_id = OWNER };
    struct sql_pool               *pool;
    struct sql                    *sql;

    (void)state;
    refuse(path, &bad, "cannot be brought to version 2");
    pool = open_it(path, &one);
    sql  = sql_take(pool);
    assert_int_equal(ask(sql, "PRAGMA user_version"), 1);
    assert_int_equal(ask(sql, "SELECT count(*) FROM sqlite_master WHERE name = 'b'"), 0);
    sql_give(pool, sql);
    sql_close(pool);
}

static void leaves_foreign_files_alone(void **state)
{
    static const char *const makes[] = { "CREATE TABLE theirs (x)",
                                         "PRAGMA application_id=5; CREATE TABLE theirs (x)",
                                         "PRAGMA user_version=1; CREATE TABLE a (x)" };
    char                     name[128], before[160];
    FILE                    *file;

    (void)state;
    for (size_t i = 0; i < sizeof makes / sizeof *makes; i++) {
        sqlite3 *db;

        snprintf(name, sizeof name, "%s/foreign%zu.db", folder, i);
        assert_int_equal(sqlite3_open(name, &db), SQLITE_OK);
        assert_int_equal(sqlite3_exec(db, makes[i], NULL, NULL, NULL), SQLITE_OK);
        sqlite3_close(db);
        refuse(name, &one, "another program");
        assert_int_equal(sqlite3_open(name, &db), SQLITE_OK);
        assert_int_equal(sqlite3_exec(db, "INSERT INTO sqlite_master DEFAULT VALUES", NULL, NULL, NULL),
                         SQLITE_ERROR);
        sqlite3_close(db);
        snprintf(before, sizeof before, "%s-wal", name);
        assert_int_equal(access(before, F_OK), -1); /* not even its journal mode was changed */
    }
    snprintf(name, sizeof name, "%s/text.db", folder);
    file = fopen(name, "w");
    assert_non_null(file);
    for (int i = 0; i < 1000; i++)
        fputs("This is no database at all.\n", file);
    fclose(file);
    refuse(name, &one, "not a database");
    refuse(folder, &one, "cannot be opened");
    refuse("/proc/none/x.db", &one, "cannot be made");
}

static void rolls_back(void **state)
{
    struct sql_pool *pool = open_it(path, &one);
    struct sql      *sql  = sql_take(pool);

    (void)state;
    assert_true(sql_begin(sql));
    add(sql, 1, "x");
    add(sql, 1, "again");
    assert_int_equal(sql_failure(sql), SQL_CONFLICT);
    assert_non_null(strstr(sql_failure_text(sql), "UNIQUE"));
    assert_null(sql_statement(sql, "SELECT 1"));
    assert_false(sql_run(sql, NULL));
    assert_false(sql_end(sql));
    sql_clear(sql);
    assert_int_equal(ask(sql, "SELECT count(*) FROM a"), 0);
    assert_true(sql_begin(sql));
    add(sql, 2, "y");
    assert_true(sql_end(sql));
    assert_true(sql_begin(sql));
    add(sql, 3, "z");
    sql_cancel(sql);
    assert_int_equal(ask(sql, "SELECT count(*) FROM a"), 1);
    assert_null(sql_statement(sql, "SELEKT"));
    assert_int_equal(sql_failure(sql), SQL_ERROR);
    sql_give(pool, sql);
    sql = sql_take(pool);
    assert_int_equal(sql_failure(sql), SQL_OK);
    assert_true(sql_begin(sql));
    add(sql, 4, "forgotten");
    sql_give(pool, sql); /* without its end */
    sql = sql_take(pool);
    assert_int_equal(ask(sql, "SELECT count(*) FROM a"), 1);
    sql_give(pool, sql);
    sql_close(pool);
}

static void keeps_many_statements(void **state)
{
    struct sql_pool *pool = open_it(":memory:", &one);
    struct sql      *sql  = sql_take(pool), *other;
    char             text[32];

    (void)state;
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 1000; i++) {
            snprintf(text, sizeof text, "SELECT %d", i);
            assert_int_equal(ask(sql, text), i);
        }
        sql_give(pool, sql);
        sql = sql_take(pool);
    }
    other = sql_take(pool);
    add(sql, 7, "shared");
    assert_int_equal(ask(other, "SELECT x FROM a"), 7);
    sql_give(pool, sql);
    sql_give(pool, other);
    sql_close(pool);
}

static void tells_a_full_disk(void **state)
{
    struct sql_pool *pool = open_it(path, &one);
    struct sql      *sql  = sql_take(pool);
    char            *big  = calloc(1, 1 << 20);

    (void)state;
    assert_non_null(big);
    memset(big, 'x', (1 << 20) - 1);
    ask(sql, "PRAGMA max_page_count=20");
    assert_true(sql_begin(sql));
    add(sql, 1, big);
    assert_int_equal(sql_failure(sql), SQL_FULL);
    assert_false(sql_end(sql));
    sql_clear(sql);
    add(sql, 2, "small");
    assert_int_equal(sql_failure(sql), SQL_OK);
    assert_int_equal(ask(sql, "SELECT count(*) FROM a"), 1);
    sql_give(pool, sql);
    sql_close(pool);
    free(big);
}

static void copies(void **state)
{
    struct sql_pool *pool = open_it(path, &one), *copy;
    struct sql      *sql = sql_take(pool), *writer = sql_take(pool);
    char             to[128];
    char            *error = NULL;

    (void)state;
    add(sql, 5, "five");
    assert_true(sql_begin(writer));
    add(writer, 6, "not yet");
    snprintf(to, sizeof to, "%s/copy.db", folder);
    assert_true(sql_backup(pool, to, &error));
    assert_null(error);
    assert_int_equal(mode_of(to), 0600);
    assert_false(sql_backup(pool, to, &error));
    assert_non_null(strstr(error, "File exists"));
    free(error);
    assert_true(sql_end(writer));
    sql_give(pool, writer);
    sql_give(pool, sql);
    sql_close(pool);
    copy = open_it(to, &one);
    sql  = sql_take(copy);
    assert_int_equal(ask(sql, "SELECT x FROM a"), 5);
    assert_int_equal(ask(sql, "SELECT count(*) FROM a"), 1);
    sql_give(copy, sql);
    sql_close(copy);
}

/* Every connection keeps to it, whenever it was made; what was written before the refusal is taken back with it. */
static void keeps_to_its_limit(void **state)
{
    static const char *const places[] = { path, ":memory:" };

    (void)state;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        struct sql_pool *pool = open_it(places[i], &one);
        struct sql      *first, *second;

        assert_true(sql_limit(pool, 16 * 4096));
        first  = sql_take(pool);
        second = sql_take(pool);
        for (int turn = 0; turn < 2; turn++) {
            struct sql *sql = turn ? second : first;

            assert_true(sql_begin(sql));
            sql_exec(sql, "INSERT INTO a (y) VALUES ('kept?')");
            assert_false(sql_exec(sql, "INSERT INTO a (y) VALUES (hex(zeroblob(100000)))"));
            assert_int_equal(sql_failure(sql), SQL_FULL);
            assert_true(sql_is_over_limit(sql));
            assert_false(sql_end(sql));
            sql_clear(sql);
            assert_false(sql_is_over_limit(sql));
            assert_int_equal(ask(sql, "SELECT count(*) FROM a"), turn);
            assert_true(sql_exec(sql, "INSERT INTO a (y) VALUES ('small')"));
        }
        sql_give(pool, first);
        sql_give(pool, second);
        sql_close(pool);
    }
}

/* Several processes open what is not there yet, at once. */
static void opens_together(void **state)
{
    enum { CHILDREN = 6 };
    pid_t children[CHILDREN];

    (void)state;
    for (int i = 0; i < CHILDREN; i++) {
        children[i] = fork();
        assert_true(children[i] >= 0);
        if (children[i] == 0) {
            char            *error = NULL;
            struct sql_pool *pool  = sql_open(path, &two, &error);
            struct sql      *sql   = pool ? sql_take(pool) : NULL;
            bool             added;

            if (!sql)
                _exit(1);
            add(sql, i, "child");
            added = sql_failure(sql) == SQL_OK;
            sql_give(pool, sql);
            sql_close(pool);
            _exit(added ? 0 : 2);
        }
    }
    for (int i = 0; i < CHILDREN; i++) {
        int status = -1;

        assert_int_equal(waitpid(children[i], &status, 0), children[i]);
        assert_int_equal(status, 0);
    }
    {
        struct sql_pool *pool = open_it(path, &two);
        struct sql      *sql  = sql_take(pool);

        assert_int_equal(ask(sql, "SELECT count(*) FROM a"), CHILDREN);
        sql_give(pool, sql);
        sql_close(pool);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(makes_private_files, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(migrates, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(keeps_the_version_before_a_bad_step, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(leaves_foreign_files_alone, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(rolls_back, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(keeps_many_statements, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(tells_a_full_disk, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(keeps_to_its_limit, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(copies, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(opens_together, make_folder, remove_folder),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
