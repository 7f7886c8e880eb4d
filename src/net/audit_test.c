/* audit_test.c - lines of calls, in a file that comes and goes; and the observer that passes reports on. */
#define _GNU_SOURCE
#include "net/audit.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <yyjson.h>

#include "net/observe.h"
#include "support/fault.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

#define STARTED INT64_C(1785231000123)
#define WHEN    "2026-07-28T09:30:00.123Z"

/* Of a call about which nothing is known but its tool, "t". */
#define LINE                                                                                                 \
    "{\"time\":\"1970-01-01T00:00:00Z\",\"tool\":\"t\",\"outcome\":\"OK\",\"ms\":0.000,"                        \
    "\"received\":0,\"sent\":0}\n"

static int64_t now;

static int64_t at_now(void *user)
{
    (void)user;
    return now;
}

static struct tn_clock test_clock(void)
{
    return (struct tn_clock){ .now_ms = at_now, .wall_ms = at_now };
}

struct lines {
    int  count, level;
    char last[LOG_LINE_MAX + 1];
};

static void note(void *user, int level, const char *text)
{
    struct lines *lines = user;

    lines->count++;
    lines->level = level;
    strcpy(lines->last, text);
}

struct fixture {
    char                directory[40], path[60];
    struct tn_settings *settings;
    struct lines        lines;
    struct tn_log       log;
    struct audit       *audit;
};

static int open_fixture(void **state)
{
    struct fixture *fixture = test_calloc(1, sizeof *fixture);
    const char     *mistake;

    now = 1000000;
    strcpy(fixture->directory, "/tmp/tenon-audit-XXXXXX");
    assert_non_null(mkdtemp(fixture->directory));
    snprintf(fixture->path, sizeof fixture->path, "%s/calls", fixture->directory);
    fixture->settings = tn_settings_new(NULL);
    assert_true(tn_settings_set(fixture->settings, "audit", fixture->path, &mistake));
    assert_true(tn_settings_set(fixture->settings, "audit-arguments", "true", &mistake));
    fixture->log   = (struct tn_log){ note, &fixture->lines };
    fixture->audit = tn_audit_new(fixture->settings, NULL, &fixture->log, test_clock(), &mistake);
    assert_non_null(fixture->audit);
    *state = fixture;
    return 0;
}

static int close_fixture(void **state)
{
    struct fixture *fixture = *state;
    char            old[80];

    snprintf(old, sizeof old, "%s.1", fixture->path);
    unlink(old);
    unlink(fixture->path);
    rmdir(fixture->path);
    rmdir(fixture->directory);
    tn_audit_free(fixture->audit);
    tn_settings_free(fixture->settings);
    test_free(fixture);
    return 0;
}

static const char *content(const char *path)
{
    static char text[300000];
    FILE       *file = fopen(path, "r");
    size_t      len  = file ? fread(text, 1, sizeof text - 1, file) : 0;

    if (file)
        fclose(file);
    text[len] = '\0';
    return text;
}

static void writes_lines(void **state)
{
#define BEGIN "{\"time\":\"" WHEN "\",\"tool\":\"search\","
    static const struct { struct tn_call_report report; const char *want; } cases[] = {
        { { 0 }, BEGIN "\"outcome\":\"OK\",\"ms\":0.000,\"received\":0,\"sent\":0}\n" },
        { { .took_us = 1234567, .bytes_in = 80, .bytes_out = 312 },
          BEGIN "\"outcome\":\"OK\",\"ms\":1234.567,\"received\":80,\"sent\":312}\n" },
        { { .took_us = 1234, .waited_us = 567 },
          BEGIN "\"outcome\":\"OK\",\"ms\":1.234,\"received\":0,\"sent\":0,\"waited\":0.567}\n" },
        { { .code = "NOT_FOUND", .took_us = -5, .caller = { "an\"n", 4 }, .trace = { "00-ab\n", 6 } },
          BEGIN "\"outcome\":\"NOT_FOUND\",\"ms\":0.000,\"received\":0,\"sent\":0,\"caller\":\"an\\\"n\",\"trace\":\"00-ab\\n\"}\n" },
        { { .code = "TIMEOUT", .overrun = true, .issues = 1, .coerced = 2, .clamped = 3 },
          BEGIN "\"outcome\":\"TIMEOUT\",\"ms\":0.000,\"received\":0,\"sent\":0,\"issues\":1,\"coerced\":2,\"clamped\":3,"
                "\"overrun\":true}\n" },
        { { .arguments = { "{\"a\":\n1}", 8 } },
          BEGIN "\"outcome\":\"OK\",\"ms\":0.000,\"received\":0,\"sent\":0,\"arguments\":{\"a\": 1}}\n" },
    };
    struct fixture *fixture = *state;
    struct stat     about;

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct tn_call_report report = cases[i].report;
        const char           *text;
        yyjson_doc           *doc;

        report.tool       = "search";
        report.started_ms = STARTED;
        assert_int_equal(truncate(fixture->path, 0), 0);
        tn_audit_call(fixture->audit, &report);
        text = content(fixture->path);
        assert_string_equal(text, cases[i].want);
        doc = yyjson_read(text, strlen(text), 0);
        assert_non_null(doc);
        yyjson_doc_free(doc);
    }
    assert_int_equal(stat(fixture->path, &about), 0);
    assert_int_equal(about.st_mode & 0777, 0600);
    assert_int_equal(fixture->lines.count, 0);
}

static void leaves_out_long_arguments(void **state)
{
    struct fixture *fixture = *state;
    static char     json[AUDIT_ARGUMENTS_MAX + 3];
    const char     *text;

    memset(json, 'x', sizeof json);
    json[0] = json[sizeof json - 2] = json[sizeof json - 1] = '"';
    tn_audit_call(fixture->audit,
                  &(struct tn_call_report){ .tool = "t", .arguments = { json, sizeof json } });
    assert_non_null(strstr(content(fixture->path), ",\"arguments_bytes\":65539}\n"));
    tn_audit_call(fixture->audit,
                  &(struct tn_call_report){ .tool = "t", .arguments = { json, sizeof json - 3 } });
    tn_audit_call(fixture->audit, &(struct tn_call_report){ .tool      = "t",
                                                            .caller    = { json, 5000 },
                                                            .arguments = { json, sizeof json - 3 } });
    text = content(fixture->path);
    assert_true(strlen(text) > 2 * AUDIT_ARGUMENTS_MAX && strlen(text) < 2 * AUDIT_ARGUMENTS_MAX + 3000);
    assert_int_equal(fixture->lines.count, 0);
}

/* Renamed, deleted: the next line after a look stands in a new file. */
static void follows_the_name(void **state)
{
    struct fixture             *fixture = *state;
    const struct tn_call_report report  = { .tool = "t" };
    char                        old[80];

    snprintf(old, sizeof old, "%s.1", fixture->path);
    tn_audit_call(fixture->audit, &report);
    assert_int_equal(rename(fixture->path, old), 0);
    tn_audit_call(fixture->audit, &report); /* not looked yet */
    assert_int_equal(access(fixture->path, F_OK), -1);
    now += AUDIT_LOOK_MS;
    tn_audit_call(fixture->audit, &report);
    assert_string_equal(content(fixture->path), LINE);
    assert_int_equal(strlen(content(old)), 2 * strlen(content(fixture->path)));
    unlink(fixture->path);
    now += AUDIT_LOOK_MS;
    tn_audit_call(fixture->audit, &report);
    assert_int_equal(access(fixture->path, F_OK), 0);
}

/* In the log once a minute, with the sum; when it recovers, the log and the file have it, too. */
static void complains_now_and_then(void **state)
{
    struct fixture             *fixture = *state;
    const struct tn_call_report report  = { .tool = "t" };
    char                        want[200];

    unlink(fixture->path);
    assert_int_equal(mkdir(fixture->path, 0700), 0);
    now += AUDIT_LOOK_MS;
    for (int i = 0; i < 5; i++)
        tn_audit_call(fixture->audit, &report);
    assert_int_equal(fixture->lines.count, 1);
    assert_int_equal(fixture->lines.level, LOG_ERROR);
    snprintf(want, sizeof want, "audit: %s cannot be written: Is a directory; lines lost since the start: 1",
             fixture->path);
    assert_string_equal(fixture->lines.last, want);
    now += AUDIT_COMPLAIN_MS;
    tn_audit_call(fixture->audit, &report);
    assert_int_equal(fixture->lines.count, 2);
    assert_non_null(strstr(fixture->lines.last, "lines lost since the start: 6"));
    for (int i = 0; i < 3; i++)
        tn_audit_call(fixture->audit, &report);
    assert_int_equal(fixture->lines.count, 2);
    assert_int_equal(rmdir(fixture->path), 0);
    for (int i = 0; i < 2; i++)
        tn_audit_call(fixture->audit, &report);
    assert_int_equal(fixture->lines.count, 3);
    snprintf(want, sizeof want, "audit: %s is written again; lines lost since the start: 9", fixture->path);
    assert_string_equal(fixture->lines.last, want);
    assert_string_equal(content(fixture->path), "{\"time\":\"1970-01-01T00:17:41Z\",\"lost\":9}\n" LINE LINE);
    assert_int_equal(tn_audit_lost(fixture->audit), 9);
}

/* Failing and recovering in turns: neither fills the log, and the end has the sum. */
static void flickers(void **state)
{
    struct fixture             *fixture = *state;
    const struct tn_call_report report  = { .tool = "t" };
    const char                 *mistake;
    struct audit *audit = tn_audit_new(fixture->settings, NULL, &fixture->log, test_clock(), &mistake);

    for (int i = 0; i < 5; i++) {
        unlink(fixture->path);
        assert_int_equal(mkdir(fixture->path, 0700), 0);
        now += AUDIT_LOOK_MS;
        tn_audit_call(audit, &report);
        assert_int_equal(rmdir(fixture->path), 0);
        tn_audit_call(audit, &report);
        assert_non_null(strstr(content(fixture->path), "\"lost\":1}\n" LINE));
    }
    assert_int_equal(fixture->lines.count, 2); /* once each, within a minute */
    tn_audit_free(audit);
    assert_int_equal(fixture->lines.count, 3);
    assert_non_null(strstr(fixture->lines.last, "lines lost since the start: 5"));
}

/* Lets a file have so many bytes only, as on a full disk. */
static void leave_room(size_t bytes)
{
    struct rlimit limit;

    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    limit.rlim_cur = bytes ? bytes : limit.rlim_max;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

/* A full disk cuts a line off anywhere; the next one begins on its own, of this process or of the next. */
static void ends_a_torn_line(void **state)
{
    struct fixture             *fixture = *state;
    const struct tn_call_report report  = { .tool = "t" };
    const char                 *mistake;
    size_t                      len = strlen(LINE);

    for (size_t room = 0; room <= len; room++) {
        for (int restart = 0; restart <= 1; restart++) {
            char want[600];

            assert_int_equal(truncate(fixture->path, 0), 0);
            tn_audit_call(fixture->audit, &report);
            leave_room(len + room);
            tn_audit_call(fixture->audit, &report);
            if (restart) { /* without a word about what was lost */
                tn_audit_free(fixture->audit);
                fixture->audit = tn_audit_new(fixture->settings, NULL, &fixture->log, test_clock(), &mistake);
            }
            leave_room(0);
            tn_audit_call(fixture->audit, &report);
            snprintf(want, sizeof want, LINE "%.*s%s%s" LINE, (int)room, LINE, room % len ? "\n" : "",
                     room < len && !restart ? "{\"time\":\"1970-01-01T00:16:40Z\",\"lost\":1}\n" : "");
            assert_string_equal(content(fixture->path), want);
        }
    }
}

/* A count that does not fit either is not forgotten, nor written twice. */
static void keeps_the_count(void **state)
{
    struct fixture             *fixture = *state;
    const struct tn_call_report report  = { .tool = "t" };
    const char                 *text;

    leave_room(1);
    for (int i = 0; i < 100; i++)
        tn_audit_call(fixture->audit, &report);
    leave_room(20); /* a piece of the count */
    tn_audit_call(fixture->audit, &report);
    leave_room(100); /* the count, and a piece of a line */
    tn_audit_call(fixture->audit, &report);
    leave_room(0);
    tn_audit_call(fixture->audit, &report);
    text = content(fixture->path);
    assert_non_null(strstr(text, "\"lost\":101}\n"));
    assert_non_null(strstr(text, "\"lost\":1}\n" LINE));
    assert_null(strstr(strstr(text, "101}") + 4, "101}"));
    assert_int_equal(tn_audit_lost(fixture->audit), 102);
}

static void may_not_open(void **state)
{
    struct tn_settings *settings = tn_settings_new(NULL);
    struct tn_log       log      = { 0 };
    const char         *mistake  = "";
    struct tn_fault     fault    = { .refuse_at = 1 };
    tenon_allocator     memory   = tn_fault_allocator(&fault);

    (void)state;
    assert_null(tn_audit_new(settings, NULL, &log, test_clock(), &mistake));
    assert_null(mistake);
    assert_true(tn_settings_set(settings, "audit", "/nowhere/calls", &mistake));
    assert_null(tn_audit_new(settings, NULL, &log, test_clock(), &mistake));
    assert_string_equal(mistake, "--audit: /nowhere/calls cannot be opened: No such file or directory");
    assert_null(tn_audit_new(settings, &memory, &log, test_clock(), &mistake));
    assert_non_null(mistake);
    assert_int_equal(fault.blocks, 0);
    tn_audit_free(NULL);
    tn_settings_free(settings);
}

static void survives_refused_memory(void **state)
{
    struct fixture             *fixture = *state;
    const struct tn_call_report report  = { .tool = "t" };
    struct tn_fault             fault   = { .refuse_at = 2 };
    tenon_allocator             memory  = tn_fault_allocator(&fault);
    const char                 *mistake;
    struct audit *audit = tn_audit_new(fixture->settings, &memory, &fixture->log, test_clock(), &mistake);

    assert_non_null(audit);
    tn_audit_call(audit, &report);
    assert_int_equal(fixture->lines.count, 1);
    tn_audit_call(audit, &report);
    assert_true(strlen(content(fixture->path)) > 0);
    tn_audit_free(audit);
    assert_int_equal(fault.blocks, 0);
}

static void passes_reports_on(void **state)
{
    struct fixture     *fixture   = *state;
    struct tn_observing observing = { .audit = fixture->audit, .log = &fixture->log, .log_level = LOG_INFO };
    struct tn_observer  observer  = tn_observer_of(&observing);

    assert_false(observer.arguments);
    assert_null(observer.message);
    observing.arguments = true;
    observer            = tn_observer_of(&observing);
    assert_true(observer.arguments);
    observer.called(observer.user, &(struct tn_call_report){ .tool = "t" });
    assert_int_equal(fixture->lines.count, 0);
    assert_true(strlen(content(fixture->path)) > 0);
    observer.called(observer.user, &(struct tn_call_report){
                                       .tool = "t", .code = "TIMEOUT", .overrun = true, .took_us = 1500 });
    assert_string_equal(fixture->lines.last, "t: TIMEOUT, overrun, after 1.500 ms");
    assert_int_equal(fixture->lines.level, LOG_WARN);
    observing = (struct tn_observing){ .log = &fixture->log, .log_level = LOG_DEBUG };
    observer  = tn_observer_of(&observing);
    observer.message(observer.user, "ping", -32602);
    assert_string_equal(fixture->lines.last, "ping: error -32602");
    observer.called(observer.user, &(struct tn_call_report){ .tool = "t", .took_us = 20 });
    assert_string_equal(fixture->lines.last, "t: OK after 0.020 ms");
    observing.log_level = LOG_ERROR;
    assert_null(tn_observer_of(&observing).called);
    assert_null(tn_observer_of(&(struct tn_observing){ 0 }).called);
}

int main(void)
{
#define WITH_FILE(test) cmocka_unit_test_setup_teardown(test, open_fixture, close_fixture)
    const struct CMUnitTest tests[] = {
        WITH_FILE(writes_lines),
        WITH_FILE(leaves_out_long_arguments),
        WITH_FILE(follows_the_name),
        WITH_FILE(complains_now_and_then),
        WITH_FILE(flickers),
        WITH_FILE(ends_a_torn_line),
        WITH_FILE(keeps_the_count),
        cmocka_unit_test(may_not_open),
        WITH_FILE(survives_refused_memory),
        WITH_FILE(passes_reports_on),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
