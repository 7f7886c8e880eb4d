/* log_test.c - lines are bounded and harmless, and go where they should. */
#define _GNU_SOURCE
#include "base/log.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/utf8.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

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
    errno = EIO;
}

static void makes_lines_harmless(void **state)
{
    static const struct { const char *text, *want; } cases[] = {
        { "", "" },
        { "plain", "plain" },
        { "two\nlines\r\n", "two?lines??" },
        { "\x1B[31mred\x7F\t", "?[31mred??" },
        { "\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80", "\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80" },
        { "\xC2\x9B" "31m \xC2\xA0", "??31m \xC2\xA0" }, /* a C1 control, then none */
        { "bad \xFF \xC3\xA4", "bad ? ??" },
        { "cut \xC2", "cut ?" },
        { "100%", "100%" },
    };
    struct lines  lines = { 0 };
    struct tn_log log   = { note, &lines };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        errno = EPERM;
        tn_log_line(&log, LOG_WARN, "%s", cases[i].text);
        assert_int_equal(errno, EPERM);
        assert_string_equal(lines.last, cases[i].want);
        assert_int_equal(lines.level, LOG_WARN);
        assert_int_equal(lines.count, i + 1);
    }
}

static void cuts_long_lines(void **state)
{
    static const char *const pieces[] = { "x", "\xC3\xA4", "\xE2\x82\xAC", "\xF0\x9F\x98\x80" };
    struct lines             lines    = { 0 };
    struct tn_log            log      = { note, &lines };
    static char              text[3 * LOG_LINE_MAX];

    (void)state;
    for (size_t i = 0; i < COUNT_OF(pieces); i++)
        for (size_t shift = 0; shift < 8; shift++) {
            memset(text, 'x', shift);
            text[shift] = '\0';
            while (strlen(text) < LOG_LINE_MAX - 10)
                strcat(text, pieces[i]);
            tn_log_line(&log, LOG_INFO, "%s", text);
            assert_string_equal(lines.last, text);
            while (strlen(text) <= LOG_LINE_MAX)
                strcat(text, pieces[i]);
            tn_log_line(&log, LOG_INFO, "%s", text);
            assert_true(strlen(lines.last) <= LOG_LINE_MAX);
            assert_true(strlen(lines.last) > LOG_LINE_MAX - 4);
            assert_true(tn_utf8_valid(lines.last, strlen(lines.last)));
            assert_string_equal(lines.last + strlen(lines.last) - 3, "...");
        }
}

/* What `log_line` wrote to standard error, which is a pipe meanwhile. */
static void capture(const struct tn_log *log, enum tn_log_level level, const char *text, char *got,
                    size_t room)
{
    int     ends[2], saved = dup(STDERR_FILENO);
    ssize_t len;

    assert_int_equal(pipe(ends), 0);
    dup2(ends[1], STDERR_FILENO);
    tn_log_line(log, level, "%s", text);
    dup2(saved, STDERR_FILENO);
    close(saved);
    close(ends[1]);
    len = read(ends[0], got, room - 1);
    assert_true(len >= 0);
    got[len] = '\0';
    close(ends[0]);
}

static void writes_to_standard_error(void **state)
{
    static const struct { enum tn_log_level level; const char *text, *want; } cases[] = {
        { LOG_ERROR, "it broke", "tenon: error: it broke\n" },
        { LOG_WARN, "a\nb", "tenon: warning: a?b\n" },
        { LOG_INFO, "", "tenon: info: \n" },
        { LOG_DEBUG, "x", "tenon: debug: x\n" },
        { (enum tn_log_level)99, "x", "tenon: x\n" },
    };
    static const struct tn_log none;
    char                       got[2 * LOG_LINE_MAX];
    static char                text[2 * LOG_LINE_MAX];

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        capture(i % 2 ? &none : NULL, cases[i].level, cases[i].text, got, sizeof got);
        assert_string_equal(got, cases[i].want);
    }
    memset(text, 'x', sizeof text - 1);
    capture(NULL, LOG_WARN, text, got, sizeof got);
    assert_int_equal(strlen(got), strlen("tenon: warning: ") + LOG_LINE_MAX + 1);
    assert_string_equal(got + strlen(got) - 4, "...\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(makes_lines_harmless),
        cmocka_unit_test(cuts_long_lines),
        cmocka_unit_test(writes_to_standard_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
