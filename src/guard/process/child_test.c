/* child_test.c - servers that leave, refuse to, multiply, or never start. This program is its own supervisor.
 *
 * Every process of a test has a variable in its environment that is searched for in /proc when the test ends.
 */
#define _GNU_SOURCE
#include "guard/process/child.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/clock.h"
#include "base/memory.h"
#include "guard/process/environment.h"
#include "guard/process/group.h"
#include "guard/process/supervise.h"
#include "support/fault.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))
#define MARK            "LC_TENON_MARK"
#define PATIENCE_MS     60000
#define ENVIRON_MAX     65536

extern char **environ;

static char program[4096]; /* this one; under a tool such as valgrind /proc/self/exe is the tool */

/* ---- A child and its news ------------------------------------------------------------------------------ */

struct rig {
    uv_loop_t           loop;
    struct tn_arena     arena;
    struct tn_child    *child;
    int                 pipes[CHILD_PIPES];
    int                 count[CHILD_ENDED + 1];
    int                 process, code, signal;
    bool                is_lost;
    char                why[CHILD_WHY_MAX]; /* of the last news that had one */
    enum tn_child_event last;
};

static void on_news(void *user, const struct tn_child_news *news)
{
    struct rig *rig = user;

    assert_ptr_equal(news->child, rig->child);
    assert_int_equal(rig->count[CHILD_ENDED], 0);
    rig->count[news->event]++;
    rig->last = news->event;
    if (*news->why)
        snprintf(rig->why, sizeof rig->why, "%s", news->why);
    if (news->event == CHILD_RUNNING)
        rig->process = news->process;
    if (news->event == CHILD_EXITED) {
        rig->code   = news->code;
        rig->signal = news->signal;
    }
    if (news->event == CHILD_ENDED) {
        rig->is_lost = news->is_lost;
        rig->child   = NULL;
    }
}

static void no_mistake(void *user, const char *where, const char *text)
{
    (void)user;
    fail_msg("%s: %s", where, text);
}

static struct tn_child_plan plan_of(struct rig *rig, const char *const *words)
{
    static const struct tn_environment_sink sink = { no_mistake, NULL };
    struct tn_child_plan plan = { .program = program, .name = "test", .news = on_news, .user = rig };

    plan.order.words       = words;
    plan.order.environment = tn_environment_new((const char *const *)environ, NULL, &sink, &rig->arena);
    return plan;
}

static void rig_init(struct rig *rig)
{
    *rig = (struct rig){ .code = -2 };
    tn_arena_init(&rig->arena, NULL, 0);
    assert_int_equal(uv_loop_init(&rig->loop), 0);
}

static void rig_start(struct rig *rig, const struct tn_child_plan *plan)
{
    char why[CHILD_WHY_MAX];

    rig->child = tn_child_start(&rig->loop, plan, why);
    if (!rig->child)
        fail_msg("%s", why);
    for (int i = 0; i < CHILD_PIPES; i++) {
        rig->pipes[i] = tn_child_take(rig->child, (enum tn_child_pipe)i);
        assert_true(rig->pipes[i] > 2);
        assert_int_equal(tn_child_take(rig->child, (enum tn_child_pipe)i), -1);
        assert_true(fcntl(rig->pipes[i], F_GETFD) & FD_CLOEXEC);
        assert_true(fcntl(rig->pipes[i], F_GETFL) & O_NONBLOCK);
    }
}

static void rig_run(struct rig *rig, const char *command)
{
    const char *const    words[] = { "sh", "-c", command, NULL };
    struct tn_child_plan plan;

    rig_init(rig);
    plan = plan_of(rig, words);
    rig_start(rig, &plan);
}

static void until(struct rig *rig, enum tn_child_event event)
{
    int64_t deadline = tn_clock_now_us() + PATIENCE_MS * INT64_C(1000);

    while (rig->count[event] == 0) {
        uv_run(&rig->loop, UV_RUN_NOWAIT);
        assert_true(tn_clock_now_us() < deadline);
        usleep(1000);
    }
}

/* Waits for the next bytes of the output. */
static void until_output(struct rig *rig, const char *expected)
{
    struct pollfd ready = { .fd = rig->pipes[CHILD_OUTPUT], .events = POLLIN };
    char          text[200];
    ssize_t       got;

    assert_int_equal(poll(&ready, 1, PATIENCE_MS), 1);
    got = read(ready.fd, text, sizeof text - 1);
    assert_true(got >= 0);
    text[got] = '\0';
    assert_string_equal(text, expected);
}

static void close_pipes(struct rig *rig)
{
    for (int i = 0; i < CHILD_PIPES; i++) {
        if (rig->pipes[i] >= 0)
            close(rig->pipes[i]);
        rig->pipes[i] = -1;
    }
}

/* ---- What is left -------------------------------------------------------------------------------------- */

static bool is_marked(const char *number, const char *mark)
{
    static char text[ENVIRON_MAX];
    char        path[300];
    ssize_t     len = 0, got = 1;
    int         fd;

    snprintf(path, sizeof path, "/proc/%s/environ", number);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    for (; got > 0 && len<(ssize_t)sizeof text; len += got> 0 ? got : 0)
        got = read(fd, text + len, sizeof text - (size_t)len);
    close(fd);
    return memmem(text, (size_t)len, mark, strlen(mark) + 1) != NULL;
}

/* How many processes but this one have the mark. */
static int count_left(void)
{
    char                 mark[100];
    DIR                 *folder = opendir("/proc");
    const struct dirent *entry;
    int                  count = 0;

    snprintf(mark, sizeof mark, MARK "=%s", getenv(MARK));
    assert_non_null(folder);
    while ((entry = readdir(folder)) != NULL)
        if (atoi(entry->d_name) > 0 && atoi(entry->d_name) != getpid())
            count += is_marked(entry->d_name, mark);
    closedir(folder);
    return count;
}

static void until_none_left(void)
{
    int64_t deadline = tn_clock_now_us() + PATIENCE_MS * INT64_C(1000);

    while (count_left() > 0) {
        assert_true(tn_clock_now_us() < deadline);
        usleep(10000);
    }
}

static int count_handles(void)
{
    DIR *folder = opendir("/proc/self/fd");
    int  count  = 0;

    assert_non_null(folder);
    while (readdir(folder) != NULL)
        count++;
    closedir(folder);
    return count;
}

static void rig_free(struct rig *rig)
{
    close_pipes(rig);
    assert_int_equal(uv_run(&rig->loop, UV_RUN_DEFAULT), 0);
    assert_int_equal(uv_loop_close(&rig->loop), 0);
    tn_arena_free(&rig->arena);
}

/* A new value in each test: a process of the one before is not this one's. */
static int mark_test(void **state)
{
    static int number;
    char       text[50];

    (void)state;
    snprintf(text, sizeof text, "%d-%d-%lld", (int)getpid(), number++, (long long)tn_clock_now_us());
    return setenv(MARK, text, 1);
}

/* ---- Tests --------------------------------------------------------------------------------------------- */

static void bytes_go_through(void **state)
{
    struct rig rig;
    int        before = count_handles();

    (void)state;
    rig_run(&rig, "echo oops >/dev/stderr; exec cat"); /* a socket could not be opened by that name */
    until(&rig, CHILD_RUNNING);
    assert_true(rig.process > 0);
    assert_int_equal(write(rig.pipes[CHILD_INPUT], "hello", 5), 5);
    until_output(&rig, "hello");
    close(rig.pipes[CHILD_INPUT]);
    rig.pipes[CHILD_INPUT] = -1;
    until(&rig, CHILD_ENDED);
    assert_int_equal(rig.code, 0);
    assert_string_equal(rig.why, "exited with status 0");
    assert_false(rig.is_lost);
    assert_int_equal(count_left(), 0);
    rig_free(&rig);
    assert_int_equal(count_handles(), before);
}

/* Commands that leave something, each of which prints when all of it is there. */
static const struct { const char *command; int code, signal; } leaving[] = {
    { "sleep 1000 & sleep 1000 & echo ready; cat >/dev/null",                                         0, 0        },
    { "setsid sleep 1000 & sleep 0.2; echo ready; cat >/dev/null; exit 3",                            3, 0        },
    { "trap '' TERM; echo ready; while :; do sleep 1; done",                                         -1, SIGKILL  },
    { "setsid sh -c 'trap \"\" TERM; echo ready; while :; do sleep 1; done' & cat >/dev/null",        0, 0        },
    { "(setsid sh -c '(setsid sleep 1000 &)' &); sleep 0.3; echo ready; exec sleep 1000",             -1, SIGTERM },
    { "i=0; while [ $i -lt 100 ]; do sleep 1000 & i=$((i+1)); done; echo ready; cat >/dev/null",      0, 0        },
    { "i=0; while [ $i -lt 20 ]; do setsid sh -c 'trap \"\" TERM; sleep 1000' & i=$((i+1)); done; echo ready; cat",
                                                                                                      0, 0        },
    { "sleep 1000 & kill -STOP $!; echo ready; cat >/dev/null",                                       0, 0        },
};

static void check_left(const struct rig *rig, const char *command, int code, int signal)
{
    if (rig->code != code || rig->signal != signal || rig->is_lost)
        fail_msg("%s: ended with %d, signal %d", command, rig->code, rig->signal);
    assert_int_equal(rig->count[CHILD_RUNNING], 1);
    assert_int_equal(rig->count[CHILD_EXITED], 1);
    assert_int_equal(rig->count[CHILD_FAILED], 0);
}

/* Their ends take seconds, and are waited for together. */
static void nothing_is_left(void **state)
{
    static struct rig rigs[COUNT_OF(leaving)];
    int               before = count_handles();

    (void)state;
    for (size_t i = 0; i < COUNT_OF(leaving); i++) {
        rig_run(&rigs[i], leaving[i].command);
        until_output(&rigs[i], "ready\n");
    }
    for (size_t i = 0; i < COUNT_OF(leaving); i++) {
        close_pipes(&rigs[i]);
        tn_child_end(rigs[i].child);
        tn_child_end(rigs[i].child);
    }
    for (size_t i = 0; i < COUNT_OF(leaving); i++)
        until(&rigs[i], CHILD_ENDED);
    assert_int_equal(count_left(), 0);
    for (size_t i = 0; i < COUNT_OF(leaving); i++) {
        check_left(&rigs[i], leaving[i].command, leaving[i].code, leaving[i].signal);
        rig_free(&rigs[i]);
    }
    assert_int_equal(count_handles(), before);
}

/* All at once, and the guard does not wait. */
static void forgotten_ones_end_too(void **state)
{
    struct rig rigs[COUNT_OF(leaving)];

    (void)state;
    for (size_t i = 0; i < COUNT_OF(leaving); i++) {
        rig_run(&rigs[i], leaving[i].command);
        until_output(&rigs[i], "ready\n");
    }
    for (size_t i = 0; i < COUNT_OF(leaving); i++) {
        tn_child_forget(rigs[i].child);
        rig_free(&rigs[i]);
        assert_int_equal(rigs[i].count[CHILD_ENDED], 0);
    }
    until_none_left();
    while (waitpid(-1, NULL, 0) > 0) /* supervisors that were forgotten are nobody's but this program's */
        continue;
}

/* Not waiting for anything: the moment of the end is that of the start. */
static void ends_at_once(void **state)
{
    (void)state;
    for (int i = 0; i < 10; i++) {
        struct rig rig;

        rig_run(&rig, "setsid sleep 1000 & cat");
        if (i % 2)
            usleep((useconds_t)i * 500);
        close_pipes(&rig);
        tn_child_end(rig.child);
        until(&rig, CHILD_ENDED);
        assert_int_equal(count_left(), 0);
        rig_free(&rig);
    }
}

/* One in the background does not hold the other's pipes. */
static void children_are_apart(void **state)
{
    struct rig first, second;

    (void)state;
    rig_run(&first, "cat; echo first left");
    rig_run(&second, "cat; echo second left");
    until(&first, CHILD_RUNNING);
    until(&second, CHILD_RUNNING);
    close(first.pipes[CHILD_INPUT]);
    first.pipes[CHILD_INPUT] = -1;
    until_output(&first, "first left\n");
    until(&first, CHILD_ENDED);
    assert_int_equal(second.count[CHILD_EXITED], 0);
    assert_int_equal(write(second.pipes[CHILD_INPUT], "still", 5), 5);
    until_output(&second, "still");
    close_pipes(&second);
    tn_child_end(second.child);
    until(&second, CHILD_ENDED);
    assert_int_equal(count_left(), 0);
    rig_free(&first);
    rig_free(&second);
}

static void closed_output_is_seen(void **state)
{
    struct rig rig;

    (void)state;
    rig_run(&rig, "exec >&-; cat >/dev/null");
    until_output(&rig, ""); /* its end */
    until(&rig, CHILD_RUNNING);
    assert_int_equal(kill(rig.process, 0), 0);
    close_pipes(&rig);
    tn_child_end(rig.child);
    until(&rig, CHILD_ENDED);
    rig_free(&rig);
}

/* A guard of its own that is killed with the children of all the commands. */
static void guards_that_are_killed(void **state)
{
    int   ready[2], status;
    char  byte;
    pid_t guard;

    (void)state;
    assert_int_equal(pipe2(ready, O_CLOEXEC), 0);
    guard = fork();
    assert_true(guard >= 0);
    if (guard == 0) {
        static struct rig rigs[COUNT_OF(leaving)];

        for (size_t i = 0; i < COUNT_OF(leaving); i++) {
            rig_run(&rigs[i], leaving[i].command);
            until_output(&rigs[i], "ready\n");
        }
        if (write(ready[1], "x", 1) == 1)
            pause();
        _exit(1);
    }
    close(ready[1]);
    assert_int_equal(read(ready[0], &byte, 1), 1);
    close(ready[0]);
    assert_true(count_left() > 100);
    kill(guard, SIGKILL);
    assert_int_equal(waitpid(guard, &status, 0), guard);
    until_none_left();
}

static int parent_of(int process)
{
    char  path[100], text[500];
    FILE *file;
    int   parent = 0;

    snprintf(path, sizeof path, "/proc/%d/stat", process);
    file = fopen(path, "r");
    assert_non_null(file);
    assert_non_null(fgets(text, sizeof text, file));
    fclose(file);
    assert_int_equal(sscanf(strrchr(text, ')') + 1, " %*c %d", &parent), 1);
    assert_true(parent > 1 && parent != getpid());
    return parent;
}

static void supervisors_that_are_killed(void **state)
{
    struct rig rig;

    (void)state;
    rig_run(&rig, "trap '' TERM; sleep 1000 & echo ready; cat; sleep 1000");
    until_output(&rig, "ready\n");
    until(&rig, CHILD_RUNNING);
    kill(parent_of(rig.process), SIGKILL);
    until(&rig, CHILD_ENDED);
    assert_true(rig.is_lost);
    assert_string_equal(rig.why, "its supervisor was killed");
    until_none_left();
    rig_free(&rig);
}

/* One that has a child and leaves its session, again and again, for longer than a test waits: no list of processes shows it before
 * it is another. */
static int race(void)
{
    for (int64_t end = tn_clock_now_us() + 2 * PATIENCE_MS * INT64_C(1000); tn_clock_now_us() < end;) {
        pid_t next = fork();

        if (next != 0)
            _exit(0);
        setsid();
    }
    return 0;
}

/* Whether there is a cgroup to be had is the machine's affair. */
static bool has_groups(void)
{
    struct tn_group group;
    bool            has = tn_group_make(&group, getpid());

    tn_group_remove(&group);
    if (!has)
        print_message("[  NOTE   ] no delegated cgroup: not tried with one\n");
    return has;
}

/* Is it in the cgroup that its supervisor has made? */
static bool is_grouped(int process)
{
    char  path[100], name[100], text[4096] = "";
    FILE *file;

    snprintf(path, sizeof path, "/proc/%d/cgroup", process);
    snprintf(name, sizeof name, "tenon-guard-%d\n", parent_of(process));
    file = fopen(path, "r");
    assert_non_null(file);
    assert_true(fread(text, 1, sizeof text - 1, file) > 0);
    fclose(file);
    return strstr(text, name) != NULL;
}

static void those_that_race_end_too(void **state)
{
    struct rig rig;
    char       command[sizeof program + 100];

    (void)state;
    if (!has_groups())
        skip();
    snprintf(command, sizeof command, "'%s' race & echo ready; cat", program);
    rig_run(&rig, command);
    until_output(&rig, "ready\n");
    until(&rig, CHILD_RUNNING);
    assert_true(is_grouped(rig.process));
    tn_child_end(rig.child);
    until(&rig, CHILD_ENDED);
    assert_false(rig.is_lost);
    assert_int_equal(count_left(), 0);
    rig_free(&rig);
}

/* What is in a session of its own is found by its cgroup alone when its supervisor is gone. */
static void supervisors_that_are_killed_leave_nothing(void **state)
{
    struct rig rig;
    int        supervisor;

    (void)state;
    if (!has_groups())
        skip();
    rig_run(&rig, "setsid sh -c \"trap '' TERM HUP; echo ready; sleep 1000; sleep 1000\" & cat; sleep 1000");
    until_output(&rig, "ready\n");
    until(&rig, CHILD_RUNNING);
    supervisor = parent_of(rig.process);
    kill(supervisor, SIGKILL);
    until(&rig, CHILD_ENDED);
    assert_true(rig.is_lost);
    until_none_left();
    rig_free(&rig);
}

static void failed_starts_have_a_reason(void **state)
{
    static char long_word[200000];
    static const struct { const char *words[3], *directory, *why; } cases[] = {
        { { "no-such-program" },        NULL,       "no-such-program: not found in PATH"                              },
        { { "" },                       NULL,       ": not found in PATH"                                             },
        { { "/no/such/program" },       NULL,       "/no/such/program: not found"                                     },
        { { "/etc/passwd" },            NULL,       "/etc/passwd: cannot be run (Permission denied)"                  },
        { { "/" },                      NULL,       "/: cannot be run (Permission denied)"                            },
        { { "cat" },                    "/no/such", "the directory /no/such cannot be entered (No such file or directory)" },
        { { "cat" },                    "/dev/null", "the directory /dev/null cannot be entered (Not a directory)"    },
        { { "cat", long_word },         NULL,       "cat: cannot be run (Argument list too long)"                     },
    };

    (void)state;
    memset(long_word, 'x', sizeof long_word - 1);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct rig           rig;
        struct tn_child_plan plan;

        rig_init(&rig);
        plan                 = plan_of(&rig, cases[i].words);
        plan.order.directory = cases[i].directory;
        rig_start(&rig, &plan);
        until(&rig, CHILD_ENDED);
        assert_string_equal(rig.why, cases[i].why);
        assert_int_equal(rig.count[CHILD_FAILED], 1);
        assert_int_equal(rig.count[CHILD_RUNNING] + rig.count[CHILD_EXITED], 0);
        assert_false(rig.is_lost);
        assert_int_equal(count_left(), 0);
        rig_free(&rig);
    }
}

/* Nothing was started, and nothing of it stays. */
static void supervisors_that_do_not_start(void **state)
{
    static char       huge[ORDER_BYTES_MAX + 1];
    const char *const words[] = { "cat", NULL }, *const too_long[] = { "cat", huge, NULL };
    struct tn_child_plan plan;
    struct rig           rig;
    char                 why[CHILD_WHY_MAX];
    int                  before = count_handles();

    (void)state;
    memset(huge, 'x', sizeof huge - 1);
    rig_init(&rig);
    plan         = plan_of(&rig, words);
    plan.program = "/no/such/program";
    assert_null(tn_child_start(&rig.loop, &plan, why));
    assert_string_equal(why, "the supervisor cannot be started (no such file or directory)");
    plan = plan_of(&rig, too_long);
    assert_null(tn_child_start(&rig.loop, &plan, why));
    assert_string_equal(why, "the command and its environment are too long");

    plan         = plan_of(&rig, words);
    plan.program = "/bin/true"; /* it ends without a word */
    rig.child    = tn_child_start(&rig.loop, &plan, why);
    assert_non_null(rig.child);
    until(&rig, CHILD_ENDED);
    assert_string_equal(rig.why, "the supervisor ended before the server was started");
    assert_int_equal(rig.count[CHILD_FAILED], 1);
    memset(rig.pipes, -1, sizeof rig.pipes);
    rig_free(&rig);
    assert_int_equal(count_handles(), before);
}

static void refused_memory(void **state)
{
    const char *const words[] = { "cat", NULL };
    bool              started = false;

    (void)state;
    for (size_t nth = 1; !started; nth++) {
        struct tn_fault      fault = { .refuse_at = nth };
        struct rig           rig;
        struct tn_child_plan plan;
        char                 why[CHILD_WHY_MAX] = "";

        rig_init(&rig);
        plan        = plan_of(&rig, words);
        plan.memory = tn_fault_allocator(&fault);
        rig.child   = tn_child_start(&rig.loop, &plan, why);
        started     = rig.child != NULL;
        assert_int_equal(started, !fault.refused);
        if (started)
            tn_child_forget(rig.child);
        else
            assert_true(why[0]);
        memset(rig.pipes, -1, sizeof rig.pipes);
        rig_free(&rig);
        assert_int_equal(fault.blocks, 0);
        assert_true(nth < 100);
    }
    until_none_left();
    while (waitpid(-1, NULL, 0) > 0)
        continue;
}

int main(int count, char **words)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(bytes_go_through, mark_test),
        cmocka_unit_test_setup(nothing_is_left, mark_test),
        cmocka_unit_test_setup(forgotten_ones_end_too, mark_test),
        cmocka_unit_test_setup(ends_at_once, mark_test),
        cmocka_unit_test_setup(children_are_apart, mark_test),
        cmocka_unit_test_setup(closed_output_is_seen, mark_test),
        cmocka_unit_test_setup(guards_that_are_killed, mark_test),
        cmocka_unit_test_setup(supervisors_that_are_killed, mark_test),
        cmocka_unit_test_setup(those_that_race_end_too, mark_test),
        cmocka_unit_test_setup(supervisors_that_are_killed_leave_nothing, mark_test),
        cmocka_unit_test_setup(failed_starts_have_a_reason, mark_test),
        cmocka_unit_test_setup(supervisors_that_do_not_start, mark_test),
        cmocka_unit_test_setup(refused_memory, mark_test),
    };

    if (count > 1 && strcmp(words[1], SUPERVISE_COMMAND) == 0)
        return tn_supervise() ? 0 : 2;
    if (count > 1 && strcmp(words[1], "race") == 0)
        return race();
    if (!realpath(words[0], program))
        return 2;
    signal(SIGPIPE, SIG_IGN);
    uv_default_loop(); /* libuv opens a pipe for signals once, which is not any test's */
    return cmocka_run_group_tests(tests, NULL, NULL);
}
