/* scan_test.c - strings and values that end wherever they may, and some that have no end. */
#include "json/scan.h"

#include <stdio.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* The end of a string, byte by byte; `len` when it has none. */
static size_t plain_end(const char *text, size_t len)
{
    size_t at = 1;

    while (at < len && text[at] != '"')
        at += text[at] == '\\' ? 2 : 1;
    return at < len ? at : len;
}

static void check_string(const char *text, size_t len)
{
    struct tn_scan  scan = { text, len, 0 };
    struct tn_slice got  = tn_scan_take_string(&scan);
    size_t          end  = plain_end(text, len);

    assert_int_equal(got.len, end - 1);
    assert_ptr_equal(got.at, text + 1);
    assert_int_equal(scan.next, end < len ? end + 1 : len);
}

/* Backslashes and quotes at each place of strings around the length of a word, and of what is looked at word by word. */
static void strings_end_at_their_quote(void **state)
{
    static const char *const marks[] = { "\"", "\\\"", "\\\\\"", "\\\\\\\"", "\\u0022", "\\", "\\\\" };
    char                     text[64];

    (void)state;
    for (size_t len = 8; len < sizeof text; len++)
        for (size_t at = 1; at + 6 < len; at++)
            for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
                memset(text, 'x', sizeof text);
                text[0] = '"';
                memcpy(text + at, marks[i], strlen(marks[i]));
                check_string(text, len);
                text[len - 1] = '"';
                check_string(text, len);
                text[len - 1] = '\\';
                check_string(text, len);
            }
}

static void values_are_skipped(void **state)
{
    static const struct {
        const char *text, *rest;
    } cases[] = {
        { "\"a\",1", ",1" },
        { "\"a\\\"b\\\\\" :", " :" },
        { "{\"a\":[1,\"]}\\\"\"]},x", ",x" },
        { "[[],{}]]", "]" },
        { "-1.5e3}", "}" },
        { "true ", " " },
        { "\"a", "" },
        { "[\"a", "" },
        { "\"\\", "" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct tn_scan scan = { cases[i].text, strlen(cases[i].text), 0 };

        tn_scan_skip_value(&scan);
        assert_string_equal(cases[i].text + scan.next, cases[i].rest);
    }
}

static void the_last_value_ends_where_its_container_does(void **state)
{
    static const struct {
        const char *text;
        size_t      at;
        const char *want;
    } cases[] = {
        { "{\"b\":2,\"a\":[1,{\"b\":\"]\"}] \n} ", 11, "[1,{\"b\":\"]\"}]" },
        { "{\"a\":\"}\"}", 5, "\"}\"" },
        { "{\"a\": -1e3\r\n\t}", 6, "-1e3" },
        { "[7]", 1, "7" },
        { "{\"a\":", 5, "" },
        { "{", 1, "" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct tn_scan scan = { cases[i].text, strlen(cases[i].text), cases[i].at };

        tn_scan_skip_last(&scan);
        assert_true(
            tn_slice_is((struct tn_slice){ scan.at + cases[i].at, scan.next - cases[i].at }, cases[i].want));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strings_end_at_their_quote),
        cmocka_unit_test(values_are_skipped),
        cmocka_unit_test(the_last_value_ends_where_its_container_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
