/* logging_test.c - lines of both forms: bounded, harmless, filtered by level. */
#define _GNU_SOURCE
#include "net/logging.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <yyjson.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

#define WHEN "2026-07-28T09:30:00.123Z"

static int64_t at_wall(void *user)
{
    (void)user;
    return INT64_C(1785231000123);
}

/* What one line becomes; `direct` hands it over without tn_log_line(), which makes text harmless already. */
static const char *written(enum tn_log_form form, int level, int said, const char *text, bool direct)
{
    static char       out[8000];
    int               ends[2];
    struct tn_logging logging = { .level = level, .form = form, .clock = { .wall_ms = at_wall } };
    struct tn_log     log;
    ssize_t           got;

    assert_int_equal(pipe2(ends, O_NONBLOCK), 0);
    logging.fd = ends[1];
    log        = tn_logging_log(&logging);
    if (direct)
        log.line(log.user, said, text);
    else
        tn_log_line(&log, (enum tn_log_level)said, "%s", text);
    got                    = read(ends[0], out, sizeof out - 1);
    out[got > 0 ? got : 0] = '\0';
    assert_true(read(ends[0], out + 7000, 1) < 0 || strlen(out) > 7000);
    close(ends[0]);
    close(ends[1]);
    return out;
}

static void writes_both_forms(void **state)
{
    static const struct { int level, said; const char *text, *as_text, *as_json; } cases[] = {
        { LOG_INFO,  LOG_INFO,  "ready", WHEN " info: ready\n",
          "{\"time\":\"" WHEN "\",\"level\":\"info\",\"message\":\"ready\"}\n" },
        { LOG_INFO,  LOG_ERROR, "a \"b\" \\c", WHEN " error: a \"b\" \\c\n",
          "{\"time\":\"" WHEN "\",\"level\":\"error\",\"message\":\"a \\\"b\\\" \\\\c\"}\n" },
        { LOG_DEBUG, LOG_DEBUG, "a\nb\x1B\x7F", WHEN " debug: a\\x0Ab\\x1B\\x7F\n",
          "{\"time\":\"" WHEN "\",\"level\":\"debug\",\"message\":\"a\\u000Ab\\u001B\\u007F\"}\n" },
        { LOG_WARN,  LOG_WARN,  "\xC3\xA4", WHEN " warn: \xC3\xA4\n",
          "{\"time\":\"" WHEN "\",\"level\":\"warn\",\"message\":\"\xC3\xA4\"}\n" },
        { LOG_WARN,  LOG_WARN,  "\xC3", WHEN " warn: ?\n",
          "{\"time\":\"" WHEN "\",\"level\":\"warn\",\"message\":\"?\"}\n" },
        { LOG_WARN,  99,        "x", "", "" },
        { LOG_WARN,  LOG_INFO,  "x", "", "" },
        { LOG_ERROR, LOG_WARN,  "x", "", "" },
        { LOG_ERROR, 0,         "x", WHEN " error: x\n",
          "{\"time\":\"" WHEN "\",\"level\":\"error\",\"message\":\"x\"}\n" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        assert_string_equal(written(LOG_TEXT, cases[i].level, cases[i].said, cases[i].text, true),
                            cases[i].as_text);
        assert_string_equal(written(LOG_JSON, cases[i].level, cases[i].said, cases[i].text, true),
                            cases[i].as_json);
    }
}

/* The longest line, and one that grows most. */
static void is_bounded(void **state)
{
    char        text[2 * LOG_LINE_MAX];
    const char *line;
    yyjson_doc *doc;

    (void)state;
    for (int kind = 0; kind < 2; kind++) {
        memset(text, kind ? '\x01' : '"', sizeof text - 1);
        text[sizeof text - 1] = '\0';
        for (int direct = 0; direct < 2; direct++) {
            line = written(LOG_JSON, LOG_INFO, LOG_INFO, text, direct);
            doc  = yyjson_read(line, strlen(line), 0);
            assert_non_null(doc);
            assert_int_equal(yyjson_get_len(yyjson_obj_get(yyjson_doc_get_root(doc), "message")),
                             LOG_LINE_MAX);
            yyjson_doc_free(doc);
        }
    }
}

static void follows_the_settings(void **state)
{
    struct tn_settings settings = { .log_level = LOG_WARN, .log_form = LOG_JSON };
    struct tn_logging  logging;

    (void)state;
    tn_logging_init(&logging, &settings);
    assert_int_equal(logging.fd, STDERR_FILENO);
    assert_int_equal(logging.level, LOG_WARN);
    assert_int_equal(logging.form, LOG_JSON);
    assert_true(logging.clock.wall_ms(logging.clock.user) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writes_both_forms),
        cmocka_unit_test(is_bounded),
        cmocka_unit_test(follows_the_settings),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
