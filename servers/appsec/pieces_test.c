/* pieces_test.c - parts of JSON texts, whole and broken. */
#include "appsec/pieces.h"

#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

static struct piece piece_of(const char *text)
{
    return (struct piece){ text, strlen(text) };
}

static bool is(struct piece piece, const char *want)
{
    return piece.len == strlen(want) && memcmp(piece.at, want, piece.len) == 0;
}

static void finds_members(void **state)
{
    static const struct { const char *object, *name, *want; } cases[] = {
        { "{\"a\":1}", "a", "1" },
        { "{\"a\":1}", "b", "" },
        { " \n{ \"a\" : [1, {\"b\": 2}] , \"b\" : {\"a\":3} } ", "b", "{\"a\":3}" },
        { "{\"a\":\"x\\\"y,}\",\"b\":true}", "b", "true" },
        { "{\"a\":\"\\\\\",\"b\":null}", "b", "null" },
        { "{\"a\":{\"b\":1},\"b\":-2.5e3}", "b", "-2.5e3" },
        { "{\"a\":\"b\",\"b\":\"]}\"}", "b", "\"]}\"" },
        { "{\"a\":1,\"a\":2}", "a", "1" },
        { "{\"\":7}", "", "7" },
        { "{\"ab\":1}", "a", "" },
        { "{\"a\":[[],[{}],\"[\"] ,\"b\":1}", "a", "[[],[{}],\"[\"]" },
        { "{}", "a", "" },
        { "[1]", "a", "" },
        { "\"a\"", "a", "" },
        { "null", "a", "" },
        { "", "a", "" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        if (!is(piece_member(piece_of(cases[i].object), cases[i].name), cases[i].want))
            fail_msg("%s of %s", cases[i].name, cases[i].object);
}

static void finds_elements(void **state)
{
    static const struct { const char *array; size_t count; const char *last; } cases[] = {
        { "[]", 0, "" },
        { "[ ]", 0, "" },
        { "[1]", 1, "1" },
        { "[1,2 , 3]", 3, "3" },
        { "[[1,2],{\"a\":[3]},\"a,b]\"]", 3, "\"a,b]\"" },
        { "[true ,false,\nnull\n]", 3, "null" },
        { "null", 0, "" },
        { "{\"a\":1}", 0, "" },
        { "7", 0, "" },
        { "", 0, "" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct piece rest = piece_of(cases[i].array), one = { "", 0 };
        size_t       count = 0;

        while (piece_next(&rest, &one))
            count++;
        if (count != cases[i].count || !is(one, cases[i].last))
            fail_msg("%s: %zu, the last is %.*s", cases[i].array, count, (int)one.len, one.at);
    }
}

/* clang-format off */
static const struct keep inner[] = { KEEP_ALL("x"), KEEP_END };
static const struct keep keeps[] = {
    KEEP_ALL("all"), KEEP_FIRST("one", inner, 1), KEEP_INSIDE("each", inner), KEEP_FIRST("few", NULL, 2), KEEP_END,
};
/* clang-format on */

static void keeps_what_is_wanted(void **state)
{
    static const struct { const char *value, *want; } cases[] = {
        { "{}", "{}" },
        { "{\"other\":1}", "{}" },
        { "{\"all\": {\"y\": [1]} , \"other\":2}", "{\"all\":{\"y\": [1]}}" },
        { "{\"one\":[{\"y\":1,\"x\":2},{\"x\":3}]}", "{\"one\":[{\"x\":2}]}" },
        { "{\"each\":[{\"y\":1,\"x\":2},{\"x\":3},4]}", "{\"each\":[{\"x\":2},{\"x\":3},4]}" },
        { "{\"each\":{\"x\":[5],\"y\":6}}", "{\"each\":{\"x\":[5]}}" },
        { "{\"few\":[7]}", "{\"few\":[7]}" },
        { "{\"few\":[7,8,9]}", "{\"few\":[7,8]}" },
        { "{\"one\":[],\"each\":null,\"few\":\"s\"}", "{\"one\":[],\"each\":null,\"few\":\"s\"}" },
        { "[1]", "[1]" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct text out = { 0 };

        piece_keep(&out, piece_of(cases[i].value), keeps);
        assert_string_equal(text_of(&out), cases[i].want);
        text_free(&out);
    }
}

/* A text of `len` bytes with its quotes, after `before`. */
static char *make_long(const char *before, size_t len, const char *after)
{
    struct text text = { 0 };

    text_put(&text, before);
    text_char(&text, '"');
    for (size_t i = 2; i < len; i++)
        text_char(&text, 'x');
    text_char(&text, '"');
    text_put(&text, after);
    assert_false(text.failed);
    return text.at;
}

static void leaves_out_what_is_too_long(void **state)
{
    static const struct { const char *before; size_t len; const char *after, *want; } cases[] = {
        { "{\"all\":",         PIECE_KEPT_MAX,     ",\"few\":[1]}", NULL },
        { "{\"all\":",         PIECE_KEPT_MAX + 1, ",\"few\":[1]}", "{\"few\":[1]}" },
        { "{\"each\":{\"x\":", PIECE_KEPT_MAX + 1, "}}",          "{\"each\":{}}" },
        { "{\"each\":[",       PIECE_KEPT_MAX + 1, ",{\"x\":1}]}", "{\"each\":[null,{\"x\":1}]}" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        char       *value = make_long(cases[i].before, cases[i].len, cases[i].after);
        struct text out   = { 0 };

        piece_keep(&out, piece_of(value), keeps);
        assert_string_equal(text_of(&out), cases[i].want ? cases[i].want : value);
        text_free(&out);
        free(value);
    }
}

/* Every beginning of a text, and each with one byte changed, in memory of exactly that size: nothing is read beyond. */
static void stays_inside(void **state)
{
    static const char text[] =
        " {\"each\" : [ {\"x\":\"\\\"\\\\\"} , [1,{}] ,null],\"one\":[{\"x\":-1}],\"all\":\"}]\"} ";
    static const char odd[] = "\"\\{}[],: \0x";

    (void)state;
    for (size_t len = 0; len < sizeof text; len++) {
        for (size_t change = 0; change <= len * (sizeof odd - 1); change++) {
            char        *copy  = malloc(len ? len : 1);
            struct piece whole = { copy, len }, rest, one;
            struct text  out   = { 0 };

            assert_non_null(copy);
            memcpy(copy, text, len);
            if (change < len * (sizeof odd - 1))
                copy[change / (sizeof odd - 1)] = odd[change % (sizeof odd - 1)];
            rest = piece_member(whole, "each");
            while (piece_next(&rest, &one))
                assert_true(one.at >= copy && one.at + one.len <= copy + len);
            piece_keep(&out, whole, keeps);
            text_free(&out);
            free(copy);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_members),        cmocka_unit_test(finds_elements),
        cmocka_unit_test(keeps_what_is_wanted), cmocka_unit_test(leaves_out_what_is_too_long),
        cmocka_unit_test(stays_inside),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
