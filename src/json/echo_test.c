/* echo_test.c - nothing that is echoed breaks the line, hides, or goes on for long. */
#include "json/echo.h"

#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "json/read.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

#define TEN     "0123456789"
#define NINETY  TEN TEN TEN TEN TEN TEN TEN TEN TEN
#define HUNDRED NINETY TEN

static const struct tn_json_limits limits = { .bytes = SIZE_MAX, .depth = SIZE_MAX, .nodes = SIZE_MAX };

static void echoes_text(void **state)
{
    const struct { struct tn_slice text; const char *want; } cases[] = {
        { { NULL, 0 },                                    ""                                     },
        { SLICE_LIT("plain 'quoted' \"text\" C:\\x"),     "plain 'quoted' \"text\" C:\\x"        },
        { SLICE_LIT("gr\xc3\xbc\xc3\x9f \xf0\x9f\x98\x80"), "gr\xc3\xbc\xc3\x9f \xf0\x9f\x98\x80" },
        { SLICE_LIT("a\nb\tc\rd"),                        "a\\nb\\tc\\rd"                        },
        { SLICE_LIT("\0\x1b[31m\x7f"),                    "\\x00\\x1B[31m\\x7F"                  },
        { SLICE_LIT("a\xff\xc3"),                         "a\\xFF\\xC3"                          },
        { SLICE_LIT("\xed\xa0\x80"),                      "\\xED\\xA0\\x80"                      },
        { SLICE_LIT("\xc2\x85\xe2\x80\xa8"),              "\\u{85}\\u{2028}"                     },
        { SLICE_LIT("\xe2\x80\xae" "abc"),                "\\u{202E}abc"                         },
        { SLICE_LIT("\xf3\xa0\x81\x81"),                  "\\u{E0041}"                           },
        { SLICE_LIT("\xef\xb8\x81\xe3\x85\xa4"),          "\\u{FE01}\\u{3164}"                   },
        { SLICE_LIT(HUNDRED),                             HUNDRED                                },
        { SLICE_LIT(HUNDRED "x"),                         HUNDRED "..."                          },
        { SLICE_LIT(NINETY "012345678\xc3\xa4"),          NINETY "012345678\xc3\xa4"             },
        { SLICE_LIT(NINETY "012345678\xc3\xa4\xc3\xa4"),  NINETY "012345678\xc3\xa4..."          },
        { SLICE_LIT(NINETY "012345678\n\n"),              NINETY "012345678\\n..."               },
    };
    struct tn_arena arena;

    (void)state;
    tn_arena_init(&arena, NULL, 0);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct tn_slice name = tn_echo_name(&arena, cases[i].text);
        struct tn_buf   buf;

        tn_buf_init(&buf, &arena, 0, 2000);
        tn_echo_text(&buf, cases[i].text.at, cases[i].text.len);
        assert_string_equal(tn_buf_end(&buf), cases[i].want);
        assert_true(tn_slice_is(name, cases[i].want));
    }
    tn_arena_free(&arena);
}

static void echoes_values(void **state)
{
    static const struct { const char *text, *want, *type; } cases[] = {
        { "null",                                 "null",                                "null"      },
        { "true",                                 "true",                                "a boolean" },
        { "3.0",                                  "3",                                   "a number"  },
        { "-9223372036854775808",                 "-9223372036854775808",                "a number"  },
        { "-1.7976931348623157e-300",             "-1.7976931348623157e-300",            "a number"  },
        { "12345678901234567890123",              "12345678901234567890123",             "a number"  },
        { "1" NINETY TEN "1",                     "1" NINETY "012345678...",             "a number"  },
        { "\"a\\n\\\"b\\\\\"",                    "\"a\\n\\\"b\\\\\"",                   "a string"  },
        { "\"" HUNDRED "\"",                      "\"" HUNDRED "\"",                     "a string"  },
        { "\"" HUNDRED "x\"",                     "\"" HUNDRED "...\"",                  "a string"  },
        { "[ 1, [ ], {\"a\" : \"b\\u202e\"} ]",   "[1,[],{\"a\":\"b\\u{202E}\"}]",       "an array"  },
        { "{ \"k\\n\": false }",                  "{\"k\\n\":false}",                    "an object" },
        { "[\"" HUNDRED "\"]",                    "[\"" NINETY "01234567...",            "an array"  },
    };
    struct tn_arena arena;

    (void)state;
    tn_arena_init(&arena, NULL, 0);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        yyjson_val   *value = tn_json_read(&arena, cases[i].text, strlen(cases[i].text), &limits).root;
        struct tn_buf buf;

        tn_buf_init(&buf, &arena, 0, 2000);
        tn_echo_value(&buf, value);
        assert_string_equal(tn_buf_end(&buf), cases[i].want);
        assert_string_equal(tn_echo_type(value), cases[i].type);
    }
    tn_arena_free(&arena);
}

static void stops_early_in_a_deep_value(void **state)
{
    enum { DEEP = 100000 };
    struct tn_arena arena;
    struct tn_buf   buf;
    char           *text;

    (void)state;
    tn_arena_init(&arena, NULL, 0);
    text = tn_arena_take(&arena, 2 * DEEP, 1);
    memset(text, '[', DEEP);
    memset(text + DEEP, ']', DEEP);
    tn_buf_init(&buf, &arena, 0, 1000);
    tn_echo_value(&buf, tn_json_read(&arena, text, 2 * DEEP, &limits).root);
    assert_int_equal(buf.len, ECHO_MAX + 3);
    tn_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(echoes_text),
        cmocka_unit_test(echoes_values),
        cmocka_unit_test(stops_early_in_a_deep_value),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
