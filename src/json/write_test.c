/* write_test.c - escaping, shortest numbers, whole values, and that what is written reads back. */
#include "json/write.h"

#include <locale.h>
#include <math.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "json/read.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

static const struct tn_json_limits limits = { .bytes = SIZE_MAX, .depth = SIZE_MAX, .nodes = SIZE_MAX };

static void escapes(void **state)
{
    const struct { struct tn_slice text; const char *want; } cases[] = {
        { { "", 0 },                               "\"\""                                },
        { { NULL, 0 },                             "\"\""                                },
        { SLICE_LIT("plain"),                      "\"plain\""                           },
        { SLICE_LIT("a \"quoted\" back\\slash"),   "\"a \\\"quoted\\\" back\\\\slash\""  },
        { SLICE_LIT("\b\f\n\r\t"),                 "\"\\b\\f\\n\\r\\t\""                 },
        { SLICE_LIT("\0\x01\x1f\x7f"),             "\"\\u0000\\u0001\\u001f\x7f\""       },
        { SLICE_LIT("/ <>&'"),                     "\"/ <>&'\""                          },
        { SLICE_LIT("gr\xc3\xbc\xc3\x9f dich"),    "\"gr\xc3\xbc\xc3\x9f dich\""         },
        { SLICE_LIT("\xf0\x9f\x98\x80"),           "\"\xf0\x9f\x98\x80\""                },
        { SLICE_LIT("a\xff" "b"),                  "\"a\xef\xbf\xbd" "b\""               },
        { SLICE_LIT("\xc3"),                       "\"\xef\xbf\xbd\""                    },
        { SLICE_LIT("\xed\xa0\x80"),               "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"" },
        { SLICE_LIT("\xff\"\xc3\xa4\n"),           "\"\xef\xbf\xbd\\\"\xc3\xa4\\n\""     },
        { SLICE_LIT("0123456\"89012345\n"),        "\"0123456\\\"89012345\\n\""          },
    };
    struct tn_arena arena;

    (void)state;
    tn_arena_init(&arena, NULL, 0);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct tn_buf buf;

        tn_buf_init(&buf, &arena, 0, 1000);
        tn_json_string(&buf, cases[i].text.at, cases[i].text.len);
        assert_string_equal(tn_buf_end(&buf), cases[i].want);
    }
    tn_arena_free(&arena);
}

/* Every byte at every place of two words, in text that is short and in text that is not. */
static void finds_what_to_escape_wherever_it_stands(void **state)
{
    struct tn_arena arena;

    (void)state;
    tn_arena_init(&arena, NULL, 0);
    for (int c = 0; c < 0x80; c++) {
        for (size_t place = 0; place < 34; place++) {
            char                text[1000];
            size_t              len = place < 17 ? 17 : sizeof text;
            struct tn_buf       buf;
            struct tn_json_text read;

            memset(text, 'x', sizeof text);
            text[place] = (char)c;
            tn_buf_init(&buf, &arena, 0, 2000);
            tn_json_string(&buf, text, len);
            read = tn_json_read(&arena, buf.at, buf.len, &limits);
            assert_int_equal(yyjson_get_len(read.root), len);
            assert_memory_equal(yyjson_get_str(read.root), text, len);
        }
        tn_arena_reset(&arena);
    }
    tn_arena_free(&arena);
}

static void reads_back(struct tn_arena *arena, const char *text, size_t len)
{
    struct tn_buf       buf;
    struct tn_json_text read;

    tn_buf_init(&buf, arena, 0, 10000);
    tn_json_string(&buf, text, len);
    read = tn_json_read(arena, buf.at, buf.len, &limits);
    assert_int_equal(yyjson_get_len(read.root), len);
    assert_memory_equal(yyjson_get_str(read.root), text, len);
    tn_arena_reset(arena);
}

/* Two of them at every two places of three words; and nothing but them, at every length around that of a piece. */
static void escapes_many(void **state)
{
    static const char bytes[] = "\"\\\n\x01";
    char              text[1040];
    struct tn_arena   arena;

    (void)state;
    tn_arena_init(&arena, NULL, 0);
    for (size_t i = 0; i < 24; i++) {
        for (size_t j = 0; j < 24; j++) {
            memset(text, 'x', 24);
            text[i] = bytes[(i + j) % 4];
            text[j] = bytes[j % 4];
            reads_back(&arena, text, 24);
        }
    }
    for (size_t i = 0; i < sizeof text; i++)
        text[i] = bytes[i % 3];
    for (size_t len = 0; len < sizeof text; len += len < 40 || len >= 500 ? 1 : 20)
        reads_back(&arena, text, len);
    tn_arena_free(&arena);
}

static void writes_the_shortest_number(void **state)
{
    static const struct { double value; const char *want; } cases[] = {
        { 0.0,                    "0"                      },
        { -0.0,                   "0"                      },
        { 2.0,                    "2"                      },
        { -17.0,                  "-17"                    },
        { 0.7,                    "0.7"                    },
        { -0.25,                  "-0.25"                  },
        { 0.1 + 0.2,              "0.30000000000000004"    },
        { 1e-6,                   "0.000001"               },
        { 1e-7,                   "1e-7"                   },
        { 1e15,                   "1000000000000000"       },
        { 9007199254740991.0,     "9007199254740991"       },
        { 9007199254740992.0,     "9007199254740992"       },
        { -9007199254740992.0,    "-9007199254740992"      },
        { 9007199254740994.0,     "9007199254740994.0"     },
        { 1e300,                  "1e300"                  },
        { 5e-324,                 "5e-324"                 },
        { 1.7976931348623157e308, "1.7976931348623157e308" },
        { NAN,                    "null"                   },
        { INFINITY,               "null"                   },
        { -INFINITY,              "null"                   },
    };
    static const char *const locales[] = { "C", "de_DE.UTF-8" };
    struct tn_arena          arena;

    (void)state;
    tn_arena_init(&arena, NULL, 0);
    for (size_t l = 0; l < COUNT_OF(locales); l++) {
        setlocale(LC_ALL, locales[l]); /* where it is missing, the rest is checked twice */
        for (size_t i = 0; i < COUNT_OF(cases); i++) {
            struct tn_buf buf;

            tn_buf_init(&buf, &arena, 0, 1000);
            tn_json_number(&buf, cases[i].value);
            assert_string_equal(tn_buf_end(&buf), cases[i].want);
        }
    }
    setlocale(LC_ALL, "C");
    tn_arena_free(&arena);
}

static void numbers_read_back(void **state)
{
    struct tn_arena arena;
    uint64_t        bits = 1;

    (void)state;
    tn_arena_init(&arena, NULL, 0);
    for (int i = 0; i < 20000; i++) {
        struct tn_buf buf;
        double        value;
        yyjson_val   *read;

        bits = bits * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        memcpy(&value, &bits, sizeof value);
        if (!isfinite(value))
            continue;
        tn_buf_init(&buf, &arena, 0, 100);
        tn_json_number(&buf, value);
        read = tn_json_read_number(&arena, buf.at, buf.len);
        assert_non_null(read);
        assert_true(yyjson_get_num(read) == value);
        tn_arena_reset(&arena);
    }
    tn_arena_free(&arena);
}

static void writes_values(void **state)
{
    static const struct { const char *text, *want; } cases[] = {
        { " null ",                                "null"                                 },
        { "[ true , false ]",                      "[true,false]"                         },
        { "{ }",                                   "{}"                                   },
        { "[ ]",                                   "[]"                                   },
        { "{ \"a\" : [ 1 , -2 , 3.0 , 2.50 ] }",   "{\"a\":[1,-2,3,2.5]}"                 },
        { "[18446744073709551615]",                "[18446744073709551615]"               },
        { "[-9223372036854775808]",                "[-9223372036854775808]"               },
        { "[123456789012345678901234567890]",      "[123456789012345678901234567890]"     },
        { "[1e400, -1E+999]",                      "[1e400,-1E+999]"                      },
        { "{\"a\\n\":\"\\u00e4\",\"a\\n\":[[]]}",  "{\"a\\n\":\"\xc3\xa4\",\"a\\n\":[[]]}" },
    };
    struct tn_arena arena;

    (void)state;
    tn_arena_init(&arena, NULL, 0);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct tn_buf buf;

        tn_buf_init(&buf, &arena, 0, 1000);
        tn_json_value(&buf, tn_json_read(&arena, cases[i].text, strlen(cases[i].text), &limits).root);
        assert_string_equal(tn_buf_end(&buf), cases[i].want);
    }
    tn_arena_free(&arena);
}

static void cuts_what_is_too_deep(void **state)
{
    enum { DEEP = 100000 };
    struct tn_arena arena;
    char           *text;
    struct tn_buf   buf;

    (void)state;
    tn_arena_init(&arena, NULL, 0);
    text = tn_arena_take(&arena, 2 * DEEP, 1);
    memset(text, '[', DEEP);
    memset(text + DEEP, ']', DEEP);
    tn_buf_init(&buf, &arena, 0, 1000);
    tn_json_value(&buf, tn_json_read(&arena, text, 2 * DEEP, &limits).root);
    assert_non_null(tn_buf_end(&buf));
    assert_int_equal(buf.len, 2 * JSON_WRITE_DEPTH_MAX + 4);
    assert_memory_equal(buf.at + JSON_WRITE_DEPTH_MAX - 1, "[null]", 6);
    tn_arena_free(&arena);
}

static void fails_when_there_is_no_room(void **state)
{
    static const char text[] = "{\"a\":[1,2.5,\"b\\n\",null,12345678901234567890123]}";
    struct tn_arena   arena;

    (void)state;
    tn_arena_init(&arena, NULL, 0);
    for (size_t max = 0; max <= sizeof text; max++) {
        struct tn_buf buf;

        tn_buf_init(&buf, &arena, 0, max);
        tn_json_value(&buf, tn_json_read(&arena, text, sizeof text - 1, &limits).root);
        assert_int_equal(buf.failed, max < sizeof text - 1);
    }
    tn_arena_free(&arena);
}

static void puts_text_on_one_line(void **state)
{
    static const struct { const char *text, *want; } cases[] = {
        { "",                             ""                            },
        { "{}",                           "{}"                          },
        { "{\n  \"a\": \"b\\nc\"\r\n}\n", "{   \"a\": \"b\\nc\"  } "   },
    };
    struct tn_arena arena;

    (void)state;
    tn_arena_init(&arena, NULL, 0);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct tn_buf out;

        tn_buf_init(&out, &arena, 0, 100);
        tn_buf_char(&out, '\n'); /* what stands before is left alone */
        tn_json_line(&out, cases[i].text, strlen(cases[i].text));
        assert_string_equal(tn_buf_end(&out) + 1, cases[i].want);
        assert_int_equal(out.at[0], '\n');
    }
    tn_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(escapes),
        cmocka_unit_test(finds_what_to_escape_wherever_it_stands),
        cmocka_unit_test(escapes_many),
        cmocka_unit_test(writes_the_shortest_number),
        cmocka_unit_test(numbers_read_back),
        cmocka_unit_test(writes_values),
        cmocka_unit_test(cuts_what_is_too_deep),
        cmocka_unit_test(fails_when_there_is_no_room),
        cmocka_unit_test(puts_text_on_one_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
