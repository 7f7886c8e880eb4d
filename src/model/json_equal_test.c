/* json_equal_test.c - equal values, and what hostile ones may cost. */
#include "model/json_equal.h"

#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/buf.h"
#include "json/read.h"
#include "support/fault.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

#define LETTERS_FORWARD  "\"a\":1,\"b\":2,\"c\":3,\"d\":4,\"e\":5,\"f\":6,\"g\":7,\"h\":8,\"i\":9"
#define LETTERS_BACKWARD "\"i\":9,\"h\":8,\"g\":7,\"f\":6,\"e\":5,\"d\":4,\"c\":3,\"b\":2,\"a\":1"

static const struct tn_json_limits limits = { .bytes = SIZE_MAX, .depth = 100, .nodes = SIZE_MAX };

static yyjson_val *read_json(struct tn_arena *arena, const char *text)
{
    yyjson_val *root = tn_json_read(arena, text, strlen(text), &limits).root;

    if (!root)
        fail_msg("%s is no JSON", text);
    return root;
}

static void compares(void **state)
{
    static const struct { const char *a, *b; bool want; } cases[] = {
        { "null",                             "null",                             true  },
        { "null",                             "false",                            false },
        { "null",                             "0",                                false },
        { "false",                            "0",                                false },
        { "true",                             "true",                             true  },
        { "true",                             "false",                            false },
        { "1",                                "1.0",                              true  },
        { "1",                                "true",                             false },
        { "1",                                "\"1\"",                            false },
        { "1e2",                              "100",                              true  },
        { "1e400",                            "10e399",                           true  },
        { "100000000000000000000",            "1e20",                             true  },
        { "1.5",                              "1",                                false },
        { "\"\"",                             "\"\"",                             true  },
        { "\"a\"",                            "\"\\u0061\"",                      true  },
        { "\"a\"",                            "\"A\"",                            false },
        { "\"a\\u0000b\"",                    "\"a\\u0000c\"",                    false },
        { "\"abcdefgh\"",                     "\"abcdefghi\"",                    false },
        { "[]",                               "[]",                               true  },
        { "[]",                               "{}",                               false },
        { "[]",                               "[null]",                           false },
        { "[1,2]",                            "[1.0,2]",                          true  },
        { "[1,2]",                            "[2,1]",                            false },
        { "[[1],[2]]",                        "[[1],[2]]",                        true  },
        { "[[1],[2]]",                        "[[1,2]]",                          false },
        { "{}",                               "{}",                               true  },
        { "{\"a\":1}",                        "{\"a\":1.0}",                      true  },
        { "{\"a\":1}",                        "{\"a\":2}",                        false },
        { "{\"a\":1}",                        "{\"b\":1}",                        false },
        { "{\"a\":1}",                        "{\"a\":1,\"b\":2}",                false },
        { "{\"a\":1,\"b\":2}",                "{\"b\":2,\"a\":1}",                true  },
        { "{\"a\":1,\"b\":2}",                "{\"b\":1,\"a\":2}",                false },
        { "{\"a\":{\"x\":1,\"y\":[{}]},\"b\":0}", "{\"b\":0,\"a\":{\"y\":[{}],\"x\":1}}", true },
        { "{\"a\":{\"x\":1,\"y\":[{}]},\"b\":0}", "{\"b\":0,\"a\":{\"y\":[[]],\"x\":1}}", false },
        { "{" LETTERS_FORWARD "}",            "{" LETTERS_BACKWARD "}",           true  },
        { "{\"z\":[0]," LETTERS_FORWARD "}",  "{" LETTERS_BACKWARD ",\"z\":[0]}", true  },
        { "{\"z\":[0]," LETTERS_FORWARD "}",  "{" LETTERS_BACKWARD ",\"z\":[1]}", false },
        { "{\"z\":[0]," LETTERS_FORWARD "}",  "{" LETTERS_BACKWARD ",\"y\":[0]}", false },
    };
    struct tn_arena arena;

    (void)state;
    tn_arena_init(&arena, NULL, 0);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        yyjson_val *a = read_json(&arena, cases[i].a), *b = read_json(&arena, cases[i].b);

        if (tn_json_equal(&arena, a, b) != cases[i].want || tn_json_equal(&arena, b, a) != cases[i].want)
            fail_msg("%s and %s", cases[i].a, cases[i].b);
        if ((tn_json_equal_hash(a) == tn_json_equal_hash(b)) != cases[i].want)
            fail_msg("the hashes of %s and %s", cases[i].a, cases[i].b);
    }
    assert_false(arena.failed);
    tn_arena_free(&arena);
}

static void finds_repeated(void **state)
{
    static const struct { const char *array; size_t want; } cases[] = {
        { "[]",                                        0  },
        { "[1]",                                       1  },
        { "[1,2]",                                     2  },
        { "[1,1]",                                     1  },
        { "[1,1.0]",                                   1  },
        { "[1,2,3,2,1]",                               3  },
        { "[1,true,\"1\",null,[1],{\"1\":1}]",         6  },
        { "[0,false,[],{},\"\",null]",                 6  },
        { "[[1],[true]]",                              2  },
        { "[{\"a\":1,\"b\":2},{\"b\":2,\"a\":1}]",     1  },
        { "[{\"a\":1,\"b\":2},{\"b\":1,\"a\":2}]",     2  },
        { "[[[\"x\"],1],[[\"y\"],1],[[\"x\"],1.0]]",   2  },
        { "[1,2,3,4,5,6,7,8,9,10,11,12]",              12 },
        { "[1,2,3,4,5,6,7,8,9,10,11,12,11,10,9]",      12 },
        { "[[],[[]],[[[]]],[[],[]],[[[]]]]",           4  },
    };
    struct tn_arena arena;

    (void)state;
    tn_arena_init(&arena, NULL, 0);
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        if (tn_json_equal_repeated(&arena, read_json(&arena, cases[i].array)) != cases[i].want)
            fail_msg("%s", cases[i].array);
    assert_false(arena.failed);
    tn_arena_free(&arena);
}

/* `count` members from `first` on, in steps of `step` modulo count. */
static yyjson_val *read_large(struct tn_arena *arena, unsigned count, unsigned step)
{
    struct tn_buf buf;

    tn_buf_init(&buf, arena, 0, SIZE_MAX / 2);
    tn_buf_char(&buf, '{');
    for (unsigned i = 0, n = 0; i < count; i++, n = (n + step) % count)
        tn_buf_addf(&buf, "%s\"member%u\":[%u]", i ? "," : "", n, n);
    tn_buf_char(&buf, '}');
    return read_json(arena, tn_buf_end(&buf));
}

/* Quadratic work would be ten thousand million comparisons. */
static void is_not_quadratic(void **state)
{
    enum { MANY = 100000 };
    struct tn_arena arena;
    struct tn_buf   buf;
    yyjson_val     *array;

    (void)state;
    tn_arena_init(&arena, NULL, 0);
    assert_true(tn_json_equal(&arena, read_large(&arena, MANY, 1), read_large(&arena, MANY, MANY - 1)));
    tn_buf_init(&buf, &arena, 0, SIZE_MAX / 2);
    for (int i = 0; i < MANY; i++)
        tn_buf_addf(&buf, "%c{\"b\":1,\"a\":%d}", i ? ',' : '[', i);
    tn_buf_lit(&buf, ",{\"a\":77,\"b\":1.0}]");
    array = read_json(&arena, tn_buf_end(&buf));
    assert_int_equal(tn_json_equal_repeated(&arena, array), MANY);
    tn_arena_free(&arena);
}

/* Comparing many large objects keeps nothing of what each comparison took. */
static void gives_memory_back(void **state)
{
    struct tn_arena arena;
    yyjson_val     *a, *b;
    size_t          used;

    (void)state;
    tn_arena_init(&arena, NULL, 0);
    a = read_large(&arena, 1000, 1);
    b = read_large(&arena, 1000, 7);
    assert_true(tn_json_equal(&arena, a, b));
    used = arena.used;
    for (int i = 0; i < 200; i++)
        assert_true(tn_json_equal(&arena, a, b));
    assert_true(arena.used <= used * 2);
    tn_arena_free(&arena);
}

static void survives_every_refusal(void **state)
{
    struct tn_arena documents;
    yyjson_val     *a, *b;

    (void)state;
    tn_arena_init(&documents, NULL, 0);
    a = read_large(&documents, 1000, 1);
    b = read_large(&documents, 1000, 7);
    for (size_t n = 1;; n++) {
        struct tn_fault fault  = { .refuse_at = n };
        tenon_allocator memory = tn_fault_allocator(&fault);
        struct tn_arena arena;
        bool            same;

        tn_arena_init(&arena, &memory, 0);
        same = tn_json_equal(&arena, a, b);
        assert_true(same != arena.failed);
        tn_arena_free(&arena);
        assert_int_equal(fault.blocks, 0);
        if (!fault.refused)
            break;
    }
    tn_arena_free(&documents);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(compares),
        cmocka_unit_test(finds_repeated),
        cmocka_unit_test(is_not_quadratic),
        cmocka_unit_test(gives_memory_back),
        cmocka_unit_test(survives_every_refusal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
