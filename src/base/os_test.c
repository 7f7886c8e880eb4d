/* os_test.c - what the library asks of the system it runs on: another one must pass this. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/os.h"

#define PATIENCE_MS 60000

static bool is_readable(int fd, int timeout_ms)
{
    struct pollfd wanted = { .fd = fd, .events = POLLIN };

    return poll(&wanted, 1, timeout_ms) == 1;
}

static void test_watch(void **state)
{
    struct tn_watch watch;
    struct tn_ready ready[WATCH_READY_MAX];
    int             ends[2];

    (void)state;
    assert_true(tn_watch_init(&watch) && tn_os_pipe(ends));
    assert_true(tn_watch_set(&watch, ends[0], WATCH_READ));
    assert_int_equal(tn_watch_wait(&watch, ready, 0), 0);
    assert_false(is_readable(watch.fd, 0));
    assert_int_equal(write(ends[1], "x", 1), 1);
    assert_true(is_readable(watch.fd, PATIENCE_MS)); /* the set is itself one that can be waited for */
    assert_int_equal(tn_watch_wait(&watch, ready, PATIENCE_MS), 1);
    assert_int_equal(ready[0].fd, ends[0]);
    assert_int_equal(ready[0].what, WATCH_READ);
    assert_true(tn_watch_set(&watch, ends[1], WATCH_WRITE));
    assert_int_equal(tn_watch_wait(&watch, ready, PATIENCE_MS), 2);
    assert_true(tn_watch_set(&watch, ends[0], 0) && tn_watch_set(&watch, ends[1], 0));
    assert_int_equal(tn_watch_wait(&watch, ready, 0), 0);
    assert_false(tn_watch_set(&watch, -1, WATCH_READ));
    assert_true(tn_watch_set(&watch, ends[0], WATCH_READ));
    close(ends[1]); /* an end is something to read, too */
    assert_int_equal(read(ends[0], &(char){ 0 }, 1), 1);
    assert_int_equal(tn_watch_wait(&watch, ready, PATIENCE_MS), 1);
    assert_true(ready[0].what & WATCH_READ);
    close(ends[0]);
    tn_watch_free(&watch);
    tn_watch_free(&watch);
}

static void test_alarm(void **state)
{
    int fd = tn_os_alarm_new();

    (void)state;
    assert_true(fd >= 0);
    assert_false(is_readable(fd, 0));
    tn_os_alarm_set(fd, 0);
    assert_true(is_readable(fd, PATIENCE_MS));
    tn_os_alarm_set(fd, -1); /* never, and what rang is silent */
    assert_false(is_readable(fd, 0));
    tn_os_alarm_set(fd, 2);
    assert_true(is_readable(fd, PATIENCE_MS));
    tn_os_alarm_set(fd, 1000000);
    assert_false(is_readable(fd, 0));
    close(fd);
}

static void test_bell(void **state)
{
    struct tn_bell bell = tn_os_bell_new();

    (void)state;
    assert_true(bell.fd >= 0);
    tn_os_bell_silence(&bell); /* does not wait */
    assert_false(is_readable(bell.fd, 0));
    for (int i = 0; i < 100000; i++)
        tn_os_bell_ring(&bell);
    assert_true(is_readable(bell.fd, 0));
    tn_os_bell_silence(&bell); /* all of them at once */
    assert_false(is_readable(bell.fd, 0));
    tn_os_bell_free(&bell);
    tn_os_bell_free(&bell);
}

static void test_pipe_is_ours_alone(void **state)
{
    int ends[2];

    (void)state;
    assert_true(tn_os_pipe(ends));
    for (int i = 0; i < 2; i++)
        assert_true(fcntl(ends[i], F_GETFD) & FD_CLOEXEC);
    close(ends[0]);
    close(ends[1]);
}

/* What is set on the copy does not show in the first, as it would with dup(). */
static void test_reopened_file_is_another(void **state)
{
    int ends[2], copy;

    (void)state;
    assert_true(tn_os_pipe(ends));
    copy = tn_os_reopen(ends[0], O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (copy >= 0) { /* a system may have no way to do so */
        assert_true(fcntl(copy, F_GETFL) & O_NONBLOCK);
        assert_false(fcntl(ends[0], F_GETFL) & O_NONBLOCK);
        assert_int_equal(write(ends[1], "x", 1), 1);
        assert_int_equal(read(copy, &(char){ 0 }, 1), 1);
        close(copy);
    }
    assert_int_equal(tn_os_reopen(-1, O_RDONLY), -1);
    close(ends[0]);
    close(ends[1]);
}

static void test_beneath(void **state)
{
    char folder[] = "/tmp/tenon-os-XXXXXX";
    int  dir, fd;

    (void)state;
    assert_non_null(mkdtemp(folder));
    dir = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    fd  = tn_os_open_beneath(dir, "file", O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    assert_true(fd >= 0 || errno == ENOSYS || errno == EPERM);
    if (fd >= 0) {
        close(fd);
        for (size_t i = 0; i < 3; i++)
            assert_int_equal(tn_os_open_beneath(dir, (const char *[]){ "..", "../etc", "/etc/passwd" }[i],
                                                O_RDONLY, 0),
                             -1);
        assert_int_equal(unlinkat(dir, "file", 0), 0);
    }
    close(dir);
    assert_int_equal(rmdir(folder), 0);
}

static void test_process(void **state)
{
    char   path[4096];
    size_t len;

    (void)state;
    assert_true(tn_os_program(path, sizeof path));
    assert_int_equal(path[0], '/');
    assert_int_equal(access(path, X_OK), 0);
    len = strlen(path);
    assert_false(tn_os_program(path, len));
    assert_true(tn_os_program(path, len + 1));
    assert_true(tn_os_memory_kib() > 100);
    tn_os_memory_trim();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_watch),   cmocka_unit_test(test_alarm),
        cmocka_unit_test(test_bell),    cmocka_unit_test(test_pipe_is_ours_alone),
        cmocka_unit_test(test_beneath), cmocka_unit_test(test_reopened_file_is_another),
        cmocka_unit_test(test_process),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
