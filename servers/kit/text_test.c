/* text_test.c - growth, bounds that stick. */
#include "kit/text.h"

#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

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
        cmocka_unit_test(stops_at_its_bound),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
