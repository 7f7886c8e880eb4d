/* hostile.h - for tests of what is made to do harm: texts of any length, and what comes of a value by a schema. */
#ifndef SUPPORT_HOSTILE_H
#define SUPPORT_HOSTILE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <tenon/schema.h>

/* ---- Text of any length ------------------------------------------------------------------------------------- */

struct text {
    char  *at;
    size_t len, room;
};

static inline void add(struct text *text, const char *format, ...) TENON_PRINTF(2, 3);

static inline void add(struct text *text, const char *format, ...)
{
    va_list list, again;
    size_t  len;

    va_start(list, format);
    va_copy(again, list);
    len = (size_t)vsnprintf(NULL, 0, format, list);
    if (text->len + len + 1 > text->room) {
        text->room = (text->room + len + 64) * 2;
        text->at   = realloc(text->at, text->room);
        assert_non_null(text->at);
    }
    vsnprintf(text->at + text->len, len + 1, format, again);
    text->len += len;
    va_end(again);
    va_end(list);
}

static inline void add_times(struct text *text, const char *what, size_t times)
{
    for (size_t i = 0; i < times; i++)
        add(text, "%s", what);
}

static inline void drop(struct text *text)
{
    free(text->at);
    *text = (struct text){ 0 };
}

/* ---- Judging ------------------------------------------------------------------------------------------------ */

enum { VALID, INVALID, LIMIT, MISTAKE };

/* What comes of `value` by `schema`, both ways; everything that can be said is asked for. `words` is the first. */
static inline int outcome(const char *schema_text, size_t schema_len, const char *json, size_t len,
                          char words[2048])
{
    tenon_schema  *schema = tenon_schema_new(schema_text, schema_len, .format_assertion = true);
    tenon_verdict *verdict;
    bool           valid;
    int            out;

    assert_non_null(schema);
    verdict = tenon_verdict_new(schema);
    assert_non_null(verdict);
    valid = tenon_verdict_judge(verdict, json, len);
    assert_false(tenon_verdict_failed(verdict));
    words[0] = '\0';
    out      = valid ? VALID : INVALID;
    for (size_t i = 0; i < tenon_verdict_issue_count(verdict); i++) {
        const tenon_issue *issue = tenon_verdict_issue(verdict, i);

        assert_non_null(issue);
        assert_non_null(issue->text);
        assert_true(issue->text[0]);
        assert_non_null(tenon_verdict_place(verdict, i));
        if (i == 0)
            snprintf(words, 2048, "%s", issue->text);
        if (strstr(issue->text, "cannot be validated") || strstr(issue->text, "too long to match") ||
            strstr(issue->text, "is too long, too deep"))
            out = LIMIT;
    }
    assert_non_null(tenon_verdict_output(verdict, TENON_OUTPUT_BASIC, NULL));
    if (tenon_schema_error(schema)) {
        snprintf(words, 2048, "%s", tenon_schema_error(schema));
        out = MISTAKE;
    } else {
        assert_int_equal(valid, tenon_verdict_issue_count(verdict) == 0);
    }
    assert_int_equal(tenon_verdict_flag(verdict, json, len), valid);
    tenon_verdict_free(verdict);
    tenon_schema_free(schema);
    return out;
}

static inline bool is_expected(const char *schema, size_t schema_len, const char *json, size_t len, int want,
                               const char *says)
{
    static const char *const names[] = { "valid", "invalid", "a limit", "a mistake" };
    char                     words[2048];
    int                      got = outcome(schema, schema_len, json, len, words);

    if (got == want && (!says || strstr(words, says)))
        return true;
    print_error("%.200s\n  by %.200s\n  gives %s (%s), not %s (%s)\n", json, schema, names[got], words,
                names[want], says ? says : "");
    return false;
}

static inline void expect(const char *schema, size_t schema_len, const char *json, size_t len, int want,
                          const char *says)
{
    assert_true(is_expected(schema, schema_len, json, len, want, says));
}

static inline void expect_text(const struct text *schema, const struct text *json, int want, const char *says)
{
    expect(schema->at, schema->len, json->at, json->len, want, says);
}

static inline void expect_by(const struct text *schema, const char *json, int want, const char *says)
{
    expect(schema->at, schema->len, json, strlen(json), want, says);
}

static inline void expect_of(const char *schema, const struct text *json, int want, const char *says)
{
    expect(schema, strlen(schema), json->at, json->len, want, says);
}

/* Skips a test that spends whole budgets of steps: within valgrind that takes minutes, and finds nothing that the small
 * ones and the other builds do not. */
static inline void needs_speed(void)
{
    if (!getenv("TENON_TEST_WRAPPED"))
        return;
    print_message("SKIPPED: whole budgets of steps take too long within another program.\n");
    skip();
}

#endif
