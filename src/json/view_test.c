/* view_test.c - the public view: every type, every wrong type, and visiting. */
#include <tenon/json.h>

#include <math.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "json/read.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

static const tenon_json *read_view(struct tn_arena *arena, const char *text)
{
    static const struct tn_json_limits limits = { .bytes = SIZE_MAX, .depth = 64, .nodes = SIZE_MAX };

    return (const tenon_json *)tn_json_read(arena, text, strlen(text), &limits).root;
}

static void shows_every_type(void **state)
{
    static const struct { const char *text; tenon_json_type type; bool flag; int64_t whole; double num; const char *str; size_t count; } cases[] = {
        { "",                     TENON_JSON_NONE,   false, 0,         0,                     "",  0 },
        { "null",                 TENON_JSON_NULL,   false, 0,         0,                     "",  0 },
        { "true",                 TENON_JSON_BOOL,   true,  0,         0,                     "",  0 },
        { "false",                TENON_JSON_BOOL,   false, 0,         0,                     "",  0 },
        { "7",                    TENON_JSON_INT,    false, 7,         7,                     "",  0 },
        { "-7",                   TENON_JSON_INT,    false, -7,        -7,                    "",  0 },
        { "3.0",                  TENON_JSON_INT,    false, 3,         3,                     "",  0 },
        { "9223372036854775807",  TENON_JSON_INT,    false, INT64_MAX, 9223372036854775807.0, "",  0 },
        { "-9223372036854775808", TENON_JSON_INT,    false, INT64_MIN, -9223372036854775808.0, "", 0 },
        { "9223372036854775808",  TENON_JSON_NUM,    false, 0,         9223372036854775808.0, "",  0 },
        { "18446744073709551616", TENON_JSON_NUM,    false, 0,         18446744073709551616.0, "", 0 },
        { "2.5",                  TENON_JSON_NUM,    false, 0,         2.5,                   "",  0 },
        { "1e17",                 TENON_JSON_NUM,    false, 0,         1e17,                  "",  0 },
        { "1e999",                TENON_JSON_NUM,    false, 0,         INFINITY,              "",  0 },
        { "-1e999",               TENON_JSON_NUM,    false, 0,         -INFINITY,             "",  0 },
        { "\"a\"",                TENON_JSON_STRING, false, 0,         0,                     "a", 0 },
        { "\"1\"",                TENON_JSON_STRING, false, 0,         0,                     "1", 0 },
        { "[1,[2]]",              TENON_JSON_ARRAY,  false, 0,         0,                     "",  2 },
        { "{\"a\":{\"b\":1}}",    TENON_JSON_OBJECT, false, 0,         0,                     "",  1 },
    };
    struct tn_arena arena;

    (void)state;
    tn_arena_init(&arena, NULL, 0);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const tenon_json *view = read_view(&arena, cases[i].text);

        assert_int_equal(tenon_json_type_of(view), cases[i].type);
        assert_int_equal(tenon_json_bool(view), cases[i].flag);
        assert_int_equal(tenon_json_int(view), cases[i].whole);
        assert_true(tenon_json_num(view) == cases[i].num);
        assert_string_equal(tenon_json_str(view).at, cases[i].str);
        assert_int_equal(tenon_json_str(view).len, strlen(cases[i].str));
        assert_int_equal(tenon_json_count(view), cases[i].count);
    }
    tn_arena_free(&arena);
}

/* Inside an array a large number is followed by more text. */
static void reads_large_numbers_where_they_stand(void **state)
{
    struct tn_arena   arena;
    const tenon_json *list;

    (void)state;
    tn_arena_init(&arena, NULL, 0);
    list = read_view(&arena, "[18446744073709551616,1e999, 100000000000000000000 ]");
    assert_true(tenon_json_num(tenon_json_at(list, 0)) == 18446744073709551616.0);
    assert_true(tenon_json_num(tenon_json_at(list, 1)) == INFINITY);
    assert_true(tenon_json_num(tenon_json_at(list, 2)) == 1e20);
    tn_arena_free(&arena);
}

static void follows_paths_without_checking(void **state)
{
    struct tn_arena   arena;
    const tenon_json *view;

    (void)state;
    tn_arena_init(&arena, NULL, 0);
    view = read_view(&arena, "{\"a\":{\"b\":[1,\"x\\u0000y\"]},\"a\":2}");
    assert_int_equal(tenon_json_int(tenon_json_at(tenon_json_get(tenon_json_get(view, "a"), "b"), 0)), 1);
    assert_int_equal(tenon_json_str(tenon_json_at(tenon_json_get(tenon_json_get(view, "a"), "b"), 1)).len, 3);
    assert_null(tenon_json_at(tenon_json_get(tenon_json_get(view, "a"), "b"), 2));
    assert_null(tenon_json_get(tenon_json_get(tenon_json_get(view, "x"), "y"), "z"));
    assert_null(tenon_json_get(view, NULL));
    assert_null(tenon_json_at(view, 0));
    assert_null(tenon_json_get(tenon_json_get(tenon_json_get(view, "a"), "b"), "b"));
    tn_arena_free(&arena);
}

static void visits(void **state)
{
    static const struct { const char *text, *seen; } cases[] = {
        { "[]",                                  ""               },
        { "{}",                                  ""               },
        { "7",                                   ""               },
        { "[[1,2],{\"x\":[3]},4]",               "6 7 4 "         },
        { "{\"a\":[1,{}],\"b\":{},\"a\":true}",  "a:6 b:7 a:2 "   },
    };
    struct tn_arena arena;

    (void)state;
    tn_arena_init(&arena, NULL, 0);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const tenon_json *view = read_view(&arena, cases[i].text), *item;
        char              seen[100], *to = seen;
        tenon_str         key;
        size_t            count = 0;

        for (size_t place = 0; (item = tenon_json_next(view, &place, &key)) != NULL; count++) {
            if (key.at) {
                memcpy(to, key.at, key.len);
                to[key.len] = ':';
                to += key.len + 1;
            }
            *to++ = (char)('0' +
                           (tenon_json_int(item) ? tenon_json_int(item) : (int64_t)tenon_json_type_of(item)));
            *to++ = ' ';
        }
        *to = '\0';
        assert_string_equal(seen, cases[i].seen);
        assert_int_equal(count, tenon_json_count(view));
    }
    assert_null(tenon_json_next(NULL, &(size_t){ 0 }, NULL));
    tn_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shows_every_type),
        cmocka_unit_test(reads_large_numbers_where_they_stand),
        cmocka_unit_test(follows_paths_without_checking),
        cmocka_unit_test(visits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
