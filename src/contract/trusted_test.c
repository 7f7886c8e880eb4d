/* trusted_test.c - files that decide: who may have written them, and every step of the way to them. */
#define _GNU_SOURCE
#include "contract/trusted.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))
#define MAX             ((size_t)16)
#define STRANGER        4242 /* a user that is neither root nor us */

static char folder[64];

static void run(const char *format, ...)
{
    char    command[1000];
    va_list args;

    va_start(args, format);
    vsnprintf(command, sizeof command, format, args);
    va_end(args);
    assert_int_equal(system(command), 0);
}

static int set_up(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/tenon-trusted-XXXXXX");
    if (!mkdtemp(folder))
        return -1;
    run("cd %s && umask 022 && mkdir a a/b open sticky && printf secret > a/key && chmod 600 a/key &&"
        " printf text > a/text && printf secret > open/key && printf secret > sticky/key && chmod 600 */key "
        "&&"
        " chmod 777 open && chmod 1777 sticky && printf open > a/wide && chmod 664 a/wide && mkfifo a/fifo &&"
        " : > a/none && chmod 600 a/none && printf 0123456789abcdef > a/full && printf 0123456789abcdefg > "
        "a/over &&"
        " ln -s a/key link && ln -s ../a/key sticky/up && ln -s %s/a/key absolute && ln -s loop loop &&"
        " ln -s none dangling && ln -s open/key bad && ln -s . a/here && ln -s link links",
        folder, folder);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    run("rm -r %s", folder);
    return 0;
}

static void check(const char *path, enum tn_trusted_mode mode, tenon_status status, const char *expected)
{
    struct tn_arena arena;
    struct tn_slice text;
    const char     *mistake;

    tn_arena_init(&arena, NULL, 0);
    if (tn_trusted_read(path, mode, MAX, &arena, &text, &mistake) != status)
        fail_msg("%s: %s", path, mistake ? mistake : "it was read");
    if (status == TENON_OK) {
        assert_null(mistake);
        assert_int_equal(text.len, strlen(expected));
        assert_string_equal(text.at, expected); /* a NUL follows */
    } else if (!strstr(mistake, expected))
        fail_msg("%s: %s", path, mistake);
    tn_arena_free(&arena);
}

static const struct {
    const char          *path;
    enum tn_trusted_mode mode;
    tenon_status         status;
    const char          *expected;
} cases[] = {
    { "a/key", TRUSTED_PRIVATE, TENON_OK, "secret" },
    { "a/key", TRUSTED_SHARED, TENON_OK, "secret" },
    { "//a/./b/..//key", TRUSTED_PRIVATE, TENON_OK, "secret" },
    { "a/none", TRUSTED_PRIVATE, TENON_OK, "" },
    { "a/text", TRUSTED_SHARED, TENON_OK, "text" },
    { "a/full", TRUSTED_SHARED, TENON_OK, "0123456789abcdef" },
    { "a/here/here/key", TRUSTED_PRIVATE, TENON_OK, "secret" },
    { "link", TRUSTED_PRIVATE, TENON_OK, "secret" },
    { "links", TRUSTED_PRIVATE, TENON_OK, "secret" },
    { "absolute", TRUSTED_PRIVATE, TENON_OK, "secret" },
    { "sticky/up", TRUSTED_PRIVATE, TENON_OK, "secret" },
    { "sticky/key", TRUSTED_PRIVATE, TENON_OK, "secret" },
    { "a/text", TRUSTED_PRIVATE, TENON_E_DENIED, "closed to group and others" },
    { "a/wide", TRUSTED_SHARED, TENON_E_DENIED, "not be writable by group or others" },
    { "open/key", TRUSTED_PRIVATE, TENON_E_DENIED, "its folder open must not be" },
    { "bad", TRUSTED_PRIVATE, TENON_E_DENIED, "its folder open must not be" },
    { "a", TRUSTED_SHARED, TENON_E_DENIED, "a regular file" },
    { "a/fifo", TRUSTED_SHARED, TENON_E_DENIED, "a regular file" },
    { "a/over", TRUSTED_SHARED, TENON_E_LIMIT, "more than 16 bytes" },
    { "loop", TRUSTED_SHARED, TENON_E_LIMIT, "more than 40 links" },
    { "dangling", TRUSTED_SHARED, TENON_E_NOT_FOUND, "No such file" },
    { "no/such", TRUSTED_SHARED, TENON_E_NOT_FOUND, "No such file" },
    { "a/key/x", TRUSTED_SHARED, TENON_E_NOT_FOUND, "Not a directory" },
};

static void every_step_counts(void **state)
{
    char path[200];

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        snprintf(path, sizeof path, "%s/%s", folder, cases[i].path);
        check(path, cases[i].mode, cases[i].status, cases[i].expected);
    }
    check("/dev/null", TRUSTED_SHARED, TENON_E_DENIED, "a regular file");
    check("", TRUSTED_SHARED, TENON_E_DENIED, "");
}

static void relative_paths_are_of_here(void **state)
{
    char here[4096];

    (void)state;
    assert_non_null(getcwd(here, sizeof here));
    assert_int_equal(chdir(folder), 0);
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        if (cases[i].path[0] != '/')
            check(cases[i].path, cases[i].mode, cases[i].status, cases[i].expected);
    assert_int_equal(chdir(here), 0);
}

static void strangers_decide_nothing(void **state)
{
    static const struct {
        const char *owned, *path, *expected;
    } of[] = {
        { "a/key", "a/key", "must belong to the user" },
        { "a", "a/key", "its folder a must belong" },
        { "link", "link", "the link link on the way must" },
        { "a/here", "a/here/key", "the link here on the way" },
    };
    char path[200];

    (void)state;
    if (geteuid() != 0)
        skip(); /* only root can give files away */
    for (size_t i = 0; i < COUNT_OF(of); i++) {
        snprintf(path, sizeof path, "%s/%s", folder, of[i].owned);
        assert_int_equal(lchown(path, STRANGER, STRANGER), 0);
        snprintf(path, sizeof path, "%s/%s", folder, of[i].path);
        check(path, TRUSTED_PRIVATE, TENON_E_DENIED, of[i].expected);
        snprintf(path, sizeof path, "%s/%s", folder, of[i].owned);
        assert_int_equal(lchown(path, 0, 0), 0);
    }
}

static void long_paths_are_refused(void **state)
{
    char *path = malloc(6000);

    (void)state;
    memset(path, 'x', 5999);
    path[0]    = '/';
    path[5999] = '\0';
    check(path, TRUSTED_SHARED, TENON_E_LIMIT, "too long");
    path[300] = '\0';
    check(path, TRUSTED_SHARED, TENON_E_LIMIT, "too long");
    free(path);
}

static void no_handle_stays_open(void **state)
{
    int before = open("/dev/null", O_RDONLY | O_CLOEXEC), after;

    every_step_counts(state);
    after = open("/dev/null", O_RDONLY | O_CLOEXEC);
    assert_int_equal(after, before + 1);
    close(before);
    close(after);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_step_counts),        cmocka_unit_test(relative_paths_are_of_here),
        cmocka_unit_test(strangers_decide_nothing), cmocka_unit_test(long_paths_are_refused),
        cmocka_unit_test(no_handle_stays_open),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
