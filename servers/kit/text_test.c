/* text_test.c - growth, JSON strings, bounds that stick. */
#include "kit/text.h"

#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))
#define LITERAL(text)   text, sizeof(text) - 1

static void grows(void **state)
{
    struct text text = { 0 };

    (void)state;
    assert_string_equal(text_of(&text), "");
    text_clear(&text);
    text_add(&text, NULL, 0);
    for (int i = 0; i < 1000; i++)
        text_addf(&text, "%d,", i);
    text_char(&text, '!');
    text_put(&text, "end");
    assert_int_equal(text.len, strlen(text_of(&text)));
    assert_memory_equal(text_of(&text), "0,1,2,3,", 8);
    assert_string_equal(text_of(&text) + text.len - 8, "999,!end");
    text_clear(&text);
    assert_string_equal(text_of(&text), "");
    text_free(&text);
    assert_null(text.at);
}

static void writes_json(void **state)
{
    static const struct { const char *at; size_t len; const char *json; } cases[] = {
        { LITERAL(""),                     "\"\"" },
        { LITERAL("plain"),                "\"plain\"" },
        { LITERAL("\"\\/\b\f\n\r\t"),      "\"\\\"\\\\/\\b\\f\\n\\r\\t\"" },
        { LITERAL("a\0b\x1f\x7f"),         "\"a\\u0000b\\u001f\x7f\"" },
        { LITERAL("\303\244\342\202\254\360\237\230\200"), "\"\303\244\342\202\254\360\237\230\200\"" },
        { LITERAL("\377x"),                "\"\357\277\275x\"" },
        { LITERAL("\303"),                 "\"\357\277\275\"" },
        { LITERAL("\300\200"),             "\"\357\277\275\357\277\275\"" },
        { LITERAL("\355\240\200"),         "\"\357\277\275\357\277\275\357\277\275\"" },
        { LITERAL("\364\220\200\200"),     "\"\357\277\275\357\277\275\357\277\275\357\277\275\"" },
        { LITERAL("\340\200\200z"),        "\"\357\277\275\357\277\275\357\277\275z\"" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct text text = { 0 };

        text_json(&text, cases[i].at, cases[i].len);
        assert_string_equal(text_of(&text), cases[i].json);
        text_free(&text);
    }
}

static void stops_at_its_bound(void **state)
{
    static const char block[4096];
    struct text       text = { 0 };

    (void)state;
    text_put(&text, "kept");
    text_add(&text, block, SIZE_MAX); /* never read: it cannot fit */
    assert_true(text.failed);
    text_put(&text, "ignored");
    assert_string_equal(text_of(&text), "kept");
    text_clear(&text);
    assert_false(text.failed);
    for (size_t i = 0; i < TEXT_MAX / sizeof block; i++)
        text_add(&text, block, sizeof block);
    assert_false(text.failed);
    assert_int_equal(text.len, TEXT_MAX);
    text_char(&text, 'x');
    assert_true(text.failed);
    text_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grows),
        cmocka_unit_test(writes_json),
        cmocka_unit_test(stops_at_its_bound),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
