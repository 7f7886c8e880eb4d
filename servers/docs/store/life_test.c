/* life_test.c - the store on disk: killed while it writes, shared by processes and threads, full, copied. */
#define _GNU_SOURCE

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "docs/store/inside.h"
#include "docs/store/postings.h"
#include "kit/folder_test.h"

#define DIMENSIONS 128
#define MODEL      "test-1"
#define PIECES     3
#define DOCUMENTS  20
#define KILLS      60

static char *folder, path[128];

static int make_folder(void **state)
{
    (void)state;
    folder = folder_new();
    if (!folder)
        return -1;
    snprintf(path, sizeof path, "%s/docs.db", folder);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    folder_free(folder);
    return 0;
}

static struct store *open_store(const char *where)
{
    char         *mistake = NULL;
    struct store *store   = store_open(where, &mistake);

    if (!store)
        fprintf(stderr, "%s\n", mistake);
    free(mistake);
    return store;
}

static struct tenant make_tenant(struct store *store, const char *branch)
{
    struct tenant tenant = { 0, "project", branch, "0123456789abcdef" };

    if (store_tenant(store, &tenant, "/x") != STORE_OK)
        tenant.id = 0;
    return tenant;
}

/* Document `number` as it is the `round`-th time: every piece says both. */
static enum store_status put(struct store *store, const struct tenant *tenant, unsigned number,
                             unsigned round)
{
    char            name[32], texts[PIECES][64], link[32];
    const char     *links[]  = { link };
    struct document document = { .path = name, .title = name, .hash = texts[0], .doc_type = "insight" };
    struct piece    pieces[PIECES];
    float           vectors[PIECES * DIMENSIONS] = { 0 };

    snprintf(name, sizeof name, "doc%u.md", number);
    snprintf(link, sizeof link, "doc%u.md", number + 1);
    for (unsigned i = 0; i < PIECES; i++) {
        snprintf(texts[i], sizeof texts[i], "common doc%u round%u piece%u", number, round, i);
        pieces[i] = (struct piece){ .index = (int)i, .text = texts[i], .len = strlen(texts[i]) };
        vectors[i * DIMENSIONS + round % DIMENSIONS] = 1;
    }
    return store_put(store, tenant, &document, pieces, PIECES, vectors, DIMENSIONS, MODEL, links, 1);
}

static int64_t ask(struct sql *sql, const char *question)
{
    struct statement *row    = sql_statement(sql, question);
    int64_t           answer = -1;

    while (sql_row(sql, row))
        answer = sql_number(row, 0);
    assert_int_equal(sql_failure(sql), SQL_OK);
    return answer;
}

/* Everything that was written is whole: the file, the text index, and as many of each as belong together. */
static void check_whole(struct store *store, const struct tenant *tenant)
{
    enum store_status    status;
    struct sql          *sql = store_writing(store, &status);
    struct collection    collection;
    const struct matrix *matrix;
    int64_t              documents, pieces;

    assert_non_null(sql);
    assert_int_equal(ask(sql, "SELECT count(*) FROM pragma_integrity_check WHERE integrity_check <> 'ok'"),
                     0);
    assert_int_equal(ask(sql, "SELECT count(*) FROM pragma_foreign_key_check"), 0);
    documents = ask(sql, "SELECT count(*) FROM documents");
    pieces    = ask(sql, "SELECT count(*) FROM pieces");
    assert_int_equal(pieces, documents * PIECES);
    assert_int_equal(ask(sql, "SELECT count(*) FROM vectors"), pieces);
    assert_int_equal(ask(sql, "SELECT count(*) FROM links"), documents);
    assert_int_equal(ask(sql, "SELECT count(*) FROM documents d JOIN pieces p ON p.document = d.id"
                              " WHERE p.place = 0 AND p.text <> d.hash"),
                     0);
    if (collection_find(sql, tenant->id, false, &collection) == STORE_OK) {
        struct statement *row;

        assert_int_equal(collection.pieces, pieces);
        row = collection_statement(sql, collection.id,
                                   "INSERT INTO words_@ (words_@) VALUES ('integrity-check')");
        assert_true(sql_run(sql, row));
        row = collection_statement(sql, collection.id, "SELECT count(*) FROM words_@ ('common')");
        assert_true(sql_row(sql, row));
        assert_int_equal(sql_number(row, 0), pieces);
        row = collection_statement(
            sql, collection.id,
            "SELECT count(*) FROM words_@ ('common') WHERE rowid NOT IN (SELECT id FROM pieces)");
        assert_true(sql_row(sql, row));
        assert_int_equal(sql_number(row, 0), 0);
    }
    store_done(store, sql, STORE_BUSY);
    matrix = store_vectors(store, tenant, false, MODEL);
    assert_int_equal(matrix ? (int64_t)matrix->count : 0, pieces);
    if (matrix)
        store_vectors_done(store, tenant, false);
}

/* ---- Killed ---- */

static void write_until_killed(unsigned seed)
{
    struct store *store = open_store(path);
    struct tenant tenant;

    if (!store)
        _exit(1);
    tenant = make_tenant(store, "main");
    for (unsigned round = seed;; round++) {
        if (put(store, &tenant, round % DOCUMENTS, round) != STORE_OK)
            _exit(2);
        if (round % 7 == 0) {
            char name[32];

            snprintf(name, sizeof name, "doc%u.md", round * 13 % DOCUMENTS);
            store_remove(store, &tenant, name, false);
        }
    }
}

static void survives_being_killed(void **state)
{
    unsigned random = 12345;

    (void)state;
    for (unsigned i = 0; i < KILLS; i++) {
        pid_t         child = fork();
        struct store *store;
        struct tenant tenant;
        int           status;

        assert_true(child >= 0);
        if (child == 0)
            write_until_killed(i * 1000);
        random = random * 1103515245u + 12345u;
        nanosleep(&(struct timespec){ .tv_nsec = (long)(random >> 8) % 30000000L }, NULL);
        kill(child, SIGKILL);
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFSIGNALED(status));
        store = open_store(path);
        assert_non_null(store);
        tenant = make_tenant(store, "main");
        check_whole(store, &tenant);
        store_close(store);
    }
}

/* ---- Shared ---- */

static void write_some(unsigned who)
{
    struct store *store = open_store(path);
    struct tenant tenant;

    if (!store)
        _exit(1);
    tenant = make_tenant(store, "main");
    for (unsigned round = 0; round < 100; round++) {
        enum store_status status = put(store, &tenant, who * 1000 + round % 10, round);

        if (status != STORE_OK)
            _exit(10 + (int)status);
    }
    store_close(store);
    _exit(0);
}

static void is_shared_by_processes(void **state)
{
    enum { WRITERS = 3 };
    pid_t         children[WRITERS];
    struct store *store;
    struct tenant tenant;
    size_t        running = WRITERS, seen = 0;

    (void)state;
    for (unsigned i = 0; i < WRITERS; i++) {
        children[i] = fork();
        assert_true(children[i] >= 0);
        if (children[i] == 0)
            write_some(i);
    }
    store = open_store(path);
    assert_non_null(store);
    tenant = make_tenant(store, "main");
    while (running) { /* reads while they write: what is seen is always whole */
        const struct matrix *matrix = store_vectors(store, &tenant, false, MODEL);
        struct postings      found;
        const char          *word = "common";
        int                  status;

        if (matrix) {
            assert_int_equal(matrix->count % PIECES, 0);
            assert_true(matrix->count >= seen);
            seen = matrix->count;
            store_vectors_done(store, &tenant, false);
        }
        assert_int_equal(store_postings(store, NULL, &tenant, false, &word, 1, &found), STORE_OK);
        assert_int_equal(found.row_count % PIECES, 0);
        postings_free(&found);
        for (unsigned i = 0; i < WRITERS; i++)
            if (children[i] > 0 && waitpid(children[i], &status, WNOHANG) == children[i]) {
                assert_int_equal(status, 0);
                children[i] = 0;
                running--;
            }
    }
    check_whole(store, &tenant);
    store_close(store);
}

struct together {
    struct store *store;
    struct tenant tenant;
    unsigned      who;
    atomic_bool  *ended;
    bool          failed;
};

static void *write_in_thread(void *user)
{
    struct together *together = user;

    for (unsigned round = 0; round < 60; round++)
        together->failed |= put(together->store, &together->tenant, together->who * 100 + round % 5, round) !=
                            STORE_OK;
    atomic_store(together->ended, true);
    return NULL;
}

static void *read_in_thread(void *user)
{
    struct together *together = user;

    while (!atomic_load(together->ended)) {
        const struct matrix *matrix = store_vectors(together->store, &together->tenant, false, MODEL);
        struct nearest       nearest[5];
        float                vector[DIMENSIONS] = { 1 };

        if (!matrix)
            continue;
        together->failed |= matrix->count % PIECES != 0;
        matrix_scan(matrix, vector, 5, NULL, NULL, nearest);
        store_vectors_done(together->store, &together->tenant, false);
    }
    return NULL;
}

static void is_shared_by_threads(void **state)
{
    enum { THREADS = 4 };
    struct store   *store = open_store(path);
    atomic_bool     ended = false;
    pthread_t       threads[THREADS];
    struct together together[THREADS];

    (void)state;
    assert_non_null(store);
    for (unsigned i = 0; i < THREADS; i++) {
        together[i] = (struct together){ store, make_tenant(store, "main"), i, &ended, false };
        assert_int_equal(
            pthread_create(&threads[i], NULL, i < 2 ? write_in_thread : read_in_thread, &together[i]), 0);
    }
    for (unsigned i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        assert_false(together[i].failed);
    }
    check_whole(store, &together[0].tenant);
    store_close(store);
}

static void leases(void **state)
{
    struct store *first = open_store(path), *second = open_store(path);
    struct tenant tenant = make_tenant(first, "main");
    pid_t         child;
    int           status;

    (void)state;
    assert_true(store_lease(first, &tenant));
    assert_false(store_lease(second, &tenant));
    assert_true(store_lease(first, &tenant));
    store_lease_end(second, &tenant);
    assert_false(store_lease(second, &tenant));
    store_lease_end(first, &tenant);
    assert_true(store_lease(second, &tenant));
    store_lease_end(second, &tenant);

    child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        struct store *theirs = open_store(path);

        if (theirs && store_lease(theirs, &tenant))
            raise(SIGKILL); /* dies with it */
        _exit(1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
    assert_true(store_lease(first, &tenant));
    store_close(first);
    store_close(second);
}

/* ---- Full, copied, others' ---- */

/* What ends the writing; STORE_OK: nothing did. */
static enum store_status write_until_failure(struct store *store, const struct tenant *tenant)
{
    enum store_status status = STORE_OK;

    for (unsigned round = 0; round < 100000 && status == STORE_OK; round++)
        status = put(store, tenant, round, round);
    return status;
}

static void write_to_the_limit(void)
{
    struct rlimit limit = { 600000, 600000 };
    struct store *store = open_store(path);
    struct tenant tenant;

    if (!store)
        _exit(1);
    tenant = make_tenant(store, "main");
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &limit);
    _exit(write_until_failure(store, &tenant) == STORE_FULL ? 0 : 2);
}

static void survives_a_limit_of_its_file(void **state)
{
    pid_t         child = fork();
    struct store *store;
    struct tenant tenant;
    int           status;

    (void)state;
    assert_true(child >= 0);
    if (child == 0)
        write_to_the_limit();
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    store = open_store(path);
    assert_non_null(store);
    tenant = make_tenant(store, "main");
    check_whole(store, &tenant);
    assert_int_equal(put(store, &tenant, 0, 1), STORE_OK);
    check_whole(store, &tenant);
    store_close(store);
}

#define NOT_ALLOWED 77

/* A disk of its own, which nobody else sees: filled, read while it is full, then made larger. */
static void fill_a_disk(void)
{
    struct postings found;
    const char     *word = "round1";
    struct store   *store;
    struct tenant   tenant;

    if (unshare(CLONE_NEWNS) != 0 || mount("none", "/", "", MS_REC | MS_PRIVATE, NULL) != 0 ||
        mount("none", folder, "tmpfs", 0, "size=1m") != 0)
        _exit(NOT_ALLOWED);
    store  = open_store(path);
    tenant = make_tenant(store, "main");
    if (write_until_failure(store, &tenant) != STORE_FULL)
        _exit(1);
    if (store_postings(store, NULL, &tenant, false, &word, 1, &found) != STORE_OK ||
        found.row_count != PIECES)
        _exit(2);
    postings_free(&found);
    if (mount("none", folder, "tmpfs", MS_REMOUNT, "size=8m") != 0)
        _exit(3);
    if (put(store, &tenant, 0, 2) != STORE_OK)
        _exit(4);
    store_close(store);
    store = open_store(path);
    check_whole(store, &tenant); /* ends the child when it fails */
    store_close(store);
    _exit(0);
}

static void survives_a_full_disk(void **state)
{
    pid_t child = fork();
    int   status;

    (void)state;
    assert_true(child >= 0);
    if (child == 0)
        fill_a_disk();
    assert_int_equal(waitpid(child, &status, 0), child);
    if (WIFEXITED(status) && WEXITSTATUS(status) == NOT_ALLOWED) {
        print_message("skipped: a small file system cannot be mounted here\n");
        skip();
    }
    assert_int_equal(status, 0);
}

static void copies(void **state)
{
    struct store *store  = open_store(path), *copy;
    struct tenant tenant = make_tenant(store, "main");
    char          to[128];
    char         *mistake = NULL;

    (void)state;
    for (unsigned i = 0; i < 5; i++)
        assert_int_equal(put(store, &tenant, i, i), STORE_OK);
    snprintf(to, sizeof to, "%s/copy.db", folder);
    assert_true(store_backup(store, to, &mistake));
    assert_null(mistake);
    store_close(store);
    copy = open_store(to);
    assert_non_null(copy);
    assert_string_equal(store_path(copy), to);
    tenant = make_tenant(copy, "main");
    check_whole(copy, &tenant);
    store_close(copy);
}

/* Vectors that are in memory follow what others change, also when they have forgotten what was removed. */
static void follows_changes(void **state)
{
    struct store *writer = open_store(path), *reader = open_store(path);
    struct tenant tenant = make_tenant(writer, "main");

    (void)state;
    for (unsigned round = 0; round < 3; round++) {
        for (unsigned i = 0; i < 10; i++)
            assert_int_equal(put(writer, &tenant, i, round), STORE_OK);
        assert_int_equal(store_remove(writer, &tenant, "doc3.md", false), STORE_OK);
        check_whole(reader, &tenant);
        if (round == 1) {
            for (unsigned i = 0; i < REMOVALS_KEPT + REMOVALS_KEPT / 4; i++)
                assert_int_equal(store_set_level(writer, &tenant, "doc1.md", LEVEL_IMPORTANT,
                                                 "common doc1 round1 piece0"),
                                 STORE_OK);
            assert_int_equal(store_remove(writer, &tenant, "doc5.md", false), STORE_OK);
            check_whole(reader, &tenant);
        }
    }
    store_close(reader);
    store_close(writer);
}

/* What an older release called words is indexed again when the tenant is registered; a newer one's is not touched. */
static void renews_words(void **state)
{
    struct store     *store  = open_store(path);
    struct tenant     tenant = make_tenant(store, "main");
    enum store_status status;
    struct sql       *sql;

    (void)state;
    assert_int_equal(put(store, &tenant, 1, 1), STORE_OK);
    sql = store_writing(store, &status);
    sql_exec(sql,
             "UPDATE collections SET words_version = 0; INSERT INTO words_1 (words_1) VALUES ('delete-all')");
    assert_int_equal(store_done(store, sql, STORE_OK), STORE_OK);
    assert_int_equal(put(store, &tenant, 2, 1), STORE_FAILED);
    assert_int_equal(store_tenant(store, &tenant, "/x"), STORE_OK);
    check_whole(store, &tenant);
    sql = store_writing(store, &status);
    sql_exec(sql, "UPDATE collections SET words_version = 99");
    assert_int_equal(store_done(store, sql, STORE_OK), STORE_OK);
    assert_int_equal(store_tenant(store, &tenant, "/x"), STORE_FAILED);
    assert_int_equal(put(store, &tenant, 2, 1), STORE_FAILED);
    store_close(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(survives_being_killed, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(is_shared_by_processes, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(is_shared_by_threads, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(leases, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(survives_a_limit_of_its_file, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(survives_a_full_disk, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(copies, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(follows_changes, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(renews_words, make_folder, remove_folder),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
