/* locate_test.c - pointers into texts, and lines and columns. */
#include "json/locate.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/memory.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

/* `rest` is what the text goes on with at the byte that was found. */
static void follows_pointers(void **state)
{
    static const struct { const char *text, *pointer; bool found; const char *rest; } cases[] = {
        { "1",                                  "",            true,  "1"            },
        { " \n\t\r 1",                          "",            true,  "1"            },
        { "\xEF\xBB\xBF 1",                     "",            true,  "1"            },
        { "{\"a\":1}",                          "/a",          true,  "1}"           },
        { " { \"a\" : 1 , \"b\" : 2 } ",        "/b",          true,  "2 } "         },
        { "{\"a\":{\"b\":[1,{\"c\":true}]}}",   "/a/b/1/c",    true,  "true}]}}"     },
        { "[[],{},[[]],\"x\",5]",               "/4",          true,  "5]"           },
        { "[-1.5e3,null,7]",                    "/2",          true,  "7]"           },
        { "[ 0 , 1 ]",                          "/1",          true,  "1 ]"          },
        { "[0,1,2,3,4,5,6,7,8,9,10]",           "/10",         true,  "10]"          },
        { "{\"x\":\"}]\\\"{[\",\"y\":2}",       "/y",          true,  "2}"           },
        { "{\"x\":{\"k\":\"\\\\\"},\"y\":2}",   "/y",          true,  "2}"           },
        { "{\"\":3}",                           "/",           true,  "3}"           },
        { "{\"\":{\"\":3}}",                    "//",          true,  "3}}"          },
        { "{\"0\":3}",                          "/0",          true,  "3}"           },
        /* names, with the escapes of both sides */
        { "{\"a/b\":1}",                        "/a~1b",       true,  "1}"           },
        { "{\"a\\/b\":1}",                      "/a~1b",       true,  "1}"           },
        { "{\"m~n\":1}",                        "/m~0n",       true,  "1}"           },
        { "{\"~1\":1}",                         "/~01",        true,  "1}"           },
        { "{\"a\\n\\\"\\\\\":1}",               "/a\n\"\\",    true,  "1}"           },
        { "{\"\\b\\f\\r\\t\":1}",               "/\b\f\r\t",   true,  "1}"           },
        { "{\"\\u0061\":1}",                    "/a",          true,  "1}"           },
        { "{\"\\u00E9\":1}",                    "/\xC3\xA9",   true,  "1}"           },
        { "{\"\xC3\xA9\":1}",                   "/\xC3\xA9",   true,  "1}"           },
        { "{\"\\u20ac\":1}",                    "/\xE2\x82\xAC",     true, "1}"      },
        { "{\"\\uD83D\\uDE00\":1}",             "/\xF0\x9F\x98\x80", true, "1}"      },
        { "{\"ab\":0,\"a\":1}",                 "/a",          true,  "1}"           },
        { "{\"a\":0,\"ab\":1}",                 "/ab",         true,  "1}"           },
        /* the first of a name */
        { "{\"a\":1,\"a\":2}",                  "/a",          true,  "1,\"a\":2}"   },
        { "{\"a\":{\"b\":1},\"a\":{\"c\":2}}",  "/a/c",        false, "{\"b\":1},\"a\":{\"c\":2}}" },
        /* as far as there is something */
        { "{\"a\":{\"b\":1}}",                  "/a/x",        false, "{\"b\":1}}"   },
        { "{\"a\":{\"b\":1}}",                  "/a/x/y",      false, "{\"b\":1}}"   },
        { "{\"a\":{\"b\":1}}",                  "/a/b/c",      false, "1}}"          },
        { "{}",                                 "/a",          false, "{}"           },
        { "[]",                                 "/0",          false, "[]"           },
        { " [1]",                               "/1",          false, "[1]"          },
        { "[1,2]",                              "/01",         false, "[1,2]"        },
        { "[1,2]",                              "/-",          false, "[1,2]"        },
        { "[1,2]",                              "/",           false, "[1,2]"        },
        { "[1,2]",                              "/99999999999999999999999", false, "[1,2]" },
        { "{\"a\":1}",                          "a",           false, "{\"a\":1}"    },
        /* what is no JSON is only not to be misread beyond its end */
        { "",                                   "",            true,  ""             },
        { "",                                   "/a",          false, ""             },
        { "[",                                  "/0",          false, "["            },
        { "[1,",                                "/1",          false, "[1,"          },
        { "{\"a",                               "/a",          false, "{\"a"         },
        { "{\"a\\",                             "/a",          false, "{\"a\\"       },
        { "{\"\\u00\":1}",                      "/a",          false, "{\"\\u00\":1}" },
        { "{\"a\":",                            "/a",          true,  ""             },
        { "{\"a\" 1}",                          "/a",          false, "{\"a\" 1}"    },
        { "{a:1}",                              "/a",          false, "{a:1}"        },
        { "[}]",                                "/1",          false, "[}]"          },
        { "[[[",                                "/1",          false, "[[["          },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct tn_slice text  = tn_slice_of(cases[i].text);
        size_t          byte  = SIZE_MAX;
        bool            found = tn_json_locate(text, tn_slice_of(cases[i].pointer), &byte);

        if (found != cases[i].found || byte > text.len || strcmp(text.at + byte, cases[i].rest) != 0)
            fail_msg("'%s' in '%s' is at byte %zu, found: %d", cases[i].pointer, cases[i].text, byte, found);
    }
}

static void counts_lines_and_columns(void **state)
{
    static const struct { const char *text; size_t byte, line, column; } cases[] = {
        { "",                 0,  1, 1 },
        { "",                 9,  1, 1 },
        { "abc",              2,  1, 3 },
        { "abc",              3,  1, 4 },
        { "a\nb",             1,  1, 2 },
        { "a\nb",             2,  2, 1 },
        { "a\n\n\nb",         4,  4, 1 },
        { "a\r\nb",           3,  2, 1 },
        { "\xC3\xA9\xC3\xA9x", 4, 1, 3 },
        { "\n\xF0\x9F\x98\x80x", 5, 2, 2 },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct tn_json_position got = tn_json_position(tn_slice_of(cases[i].text), cases[i].byte);

        assert_int_equal(got.line, cases[i].line);
        assert_int_equal(got.column, cases[i].column);
    }
}

/* {"k":[{"k":[ ... with a long sibling at every level: a scan that began anew at each would take minutes. */
static void takes_one_pass_however_deep(void **state)
{
    enum { DEPTH = 20000 };
    tenon_allocator memory = tn_memory_of(NULL);
    struct tn_arena arena;
    struct tn_buf   text, pointer;
    size_t          byte  = 0;
    clock_t         start = clock();

    (void)state;
    tn_arena_init(&arena, &memory, 0);
    tn_buf_init(&text, &arena, 0, SIZE_MAX / 2);
    tn_buf_init(&pointer, &arena, 0, SIZE_MAX / 2);
    for (int i = 0; i < DEPTH; i++) {
        tn_buf_lit(&text, "{\"skipped\":[[[\"and long enough to be felt\"]]],\"k\":[0,");
        tn_buf_lit(&pointer, "/k/1");
    }
    tn_buf_char(&text, '7');
    for (int i = 0; i < DEPTH; i++)
        tn_buf_lit(&text, "]}");
    assert_non_null(tn_buf_end(&text));
    assert_true(tn_json_locate((struct tn_slice){ text.at, text.len },
                               (struct tn_slice){ pointer.at, pointer.len }, &byte));
    assert_int_equal(text.at[byte], '7');
    assert_true(clock() - start < 5 * CLOCKS_PER_SEC);
    tn_arena_free(&arena);
}

static void finds_the_end_of_a_value(void **state)
{
    static const struct { const char *text; size_t byte; const char *want; } cases[] = {
        { "{\"a\":[1,{\"b\":\"]\"}] ,\"c\":2}",      5, "[1,{\"b\":\"]\"}]" },
        { "{\"a\":\"\\\"}\" }",                    5, "\"\\\"}\""       },
        { "{\"a\": -1e3\n}",                         6, "-1e3"              },
        { "{\"a\":\"\\\\\"}",                    5, "\"\\\\\""      },
        { " {} ",                                    1, "{}"                },
        { "{\"a\":\"cut",                            5, "\"cut"             },
        { "{\"a\":\"cut\\",                        5, "\"cut\\"         },
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_true(tn_slice_is(tn_json_span(tn_slice_of(cases[i].text), cases[i].byte), cases[i].want));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(follows_pointers),
        cmocka_unit_test(counts_lines_and_columns),
        cmocka_unit_test(takes_one_pass_however_deep),
        cmocka_unit_test(finds_the_end_of_a_value),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
