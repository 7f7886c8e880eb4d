/* writer_test.c - what is written reads back; each misuse is named, and nothing comes out after it. */
#include <tenon/json.h>

#include <math.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "json/read.h"
#include "json/writer.h"
#include "support/fault.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))
#define MAX             ((size_t)1 << 16)

static void write_all(tenon_writer *w)
{
    tenon_write_object(w, NULL);
    tenon_write_str(w, "city", "Oslo \"N\"");
    tenon_write_int(w, "min", INT64_MIN);
    tenon_write_array(w, "highs");
    tenon_write_num(w, NULL, 2.0);
    tenon_write_num(w, NULL, 0.7);
    tenon_write_array(w, NULL);
    tenon_write_end(w);
    tenon_write_object(w, NULL);
    tenon_write_end(w);
    tenon_write_end(w);
    tenon_write_bool(w, "wet", true);
    tenon_write_str(w, "note", NULL);
    tenon_write_key(w, "a\0b", 3);
    tenon_write_text(w, NULL, "c\0d", 3);
    tenon_write_bytes(w, "bytes", "x\xff", 2);
    tenon_write_raw(w, "raw", "{\"a\":\n[1e999]}", 14);
    tenon_write_json(w, "none", NULL);
    tenon_write_null(w, "");
    tenon_write_end(w);
}

static const char all[] =
    "{\"city\":\"Oslo \\\"N\\\"\",\"min\":-9223372036854775808,\"highs\":[2,0.7,[],{}],"
    "\"wet\":true,\"note\":null,\"a\\u0000b\":\"c\\u0000d\",\"bytes\":\"x\xef\xbf\xbd\","
    "\"raw\":{\"a\": [1e999]},\"none\":null,\"\":null}";

static void writes_every_kind(void **state)
{
    tenon_writer *w = tenon_writer_new(NULL, MAX);
    size_t        len;

    (void)state;
    assert_string_equal(tenon_writer_error(w), "nothing was written");
    write_all(w);
    assert_null(tenon_writer_error(w));
    assert_string_equal(tenon_writer_text(w, &len), all);
    assert_int_equal(len, sizeof all - 1);
    assert_int_equal(tenon_writer_len(w), len);
    assert_string_equal(tenon_writer_text(w, NULL), all);
    tenon_writer_free(w);
}

static void writes_one_value(void **state)
{
    tenon_writer *w = tenon_writer_new(NULL, 1);

    (void)state;
    tenon_write_int(w, NULL, 7);
    assert_string_equal(tenon_writer_text(w, NULL), "7");
    tenon_writer_free(w);
}

/* Views are written as they were read, to the last digit of a number. */
static void writes_what_was_read(void **state)
{
    static const char text[] = "[1.50,12345678901234567890123,{\"k\":null,\"l\":[\"\xc3\xa4\"]},true]";
    const struct tn_json_limits limits = { MAX, TENON_WRITER_DEPTH, MAX };
    struct tn_arena             arena;
    struct tn_json_text         read;
    tenon_writer               *w;

    (void)state;
    tn_arena_init(&arena, NULL, 0);
    read = tn_json_read(&arena, text, strlen(text), &limits);
    w    = tn_writer_in(&arena, MAX);
    tenon_write_array(w, NULL);
    tenon_write_json(w, NULL, (const tenon_json *)read.root);
    tenon_write_end(w);
    assert_string_equal(tenon_writer_text(w, NULL),
                        "[[1.5,12345678901234567890123,{\"k\":null,\"l\":[\"\xc3\xa4\"]},true]]");
    tenon_writer_free(w); /* nothing of an arena's */
    assert_non_null(tenon_writer_text(w, NULL));
    tn_arena_free(&arena);
}

/* ---- Misuse ------------------------------------------------------------------------------------------------- */

static void key_in_array(tenon_writer *w)
{
    tenon_write_array(w, NULL);
    tenon_write_int(w, "a", 1);
}

static void key_on_top(tenon_writer *w)
{
    tenon_write_int(w, "a", 1);
}

static void value_without_key(tenon_writer *w)
{
    tenon_write_object(w, NULL);
    tenon_write_int(w, NULL, 1);
}

static void two_keys(tenon_writer *w)
{
    tenon_write_object(w, NULL);
    tenon_write_key(w, "a", 1);
    tenon_write_int(w, "b", 1);
}

static void key_without_value(tenon_writer *w)
{
    tenon_write_object(w, NULL);
    tenon_write_key(w, "a", 1);
    tenon_write_end(w);
}

static void end_too_many(tenon_writer *w)
{
    tenon_write_array(w, NULL);
    tenon_write_end(w);
    tenon_write_end(w);
}

static void not_ended(tenon_writer *w)
{
    tenon_write_object(w, NULL);
    tenon_write_array(w, "a");
    tenon_write_end(w);
}

static void second_value(tenon_writer *w)
{
    tenon_write_null(w, NULL);
    tenon_write_null(w, NULL);
}

static void broken_text(tenon_writer *w)
{
    tenon_write_str(w, NULL, "a\xff");
}

static void broken_key(tenon_writer *w)
{
    tenon_write_object(w, NULL);
    tenon_write_int(w, "\xc3", 1);
}

static void not_a_number(tenon_writer *w)
{
    tenon_write_num(w, NULL, NAN);
}

static void infinity(tenon_writer *w)
{
    tenon_write_num(w, NULL, -INFINITY);
}

static void raw_is_broken(tenon_writer *w)
{
    tenon_write_raw(w, NULL, "{\"a\":1", 6);
}

static void raw_is_two(tenon_writer *w)
{
    tenon_write_raw(w, NULL, "1,2", 3);
}

static void raw_is_nothing(tenon_writer *w)
{
    tenon_write_raw(w, NULL, NULL, 0);
}

static void raw_is_broken_text(tenon_writer *w)
{
    tenon_write_raw(w, NULL, "\"\xff\"", 3);
}

static void raw_is_deep(tenon_writer *w)
{
    char deep[2 * TENON_WRITER_DEPTH];

    memset(deep, '[', TENON_WRITER_DEPTH);
    memset(deep + TENON_WRITER_DEPTH, ']', TENON_WRITER_DEPTH);
    tenon_write_array(w, NULL);
    tenon_write_raw(w, NULL, deep, sizeof deep);
}

static void too_deep(tenon_writer *w)
{
    for (int i = 0; i <= TENON_WRITER_DEPTH; i++)
        tenon_write_array(w, NULL);
}

static void too_long(tenon_writer *w)
{
    char text[MAX / 2];

    memset(text, 'a', sizeof text);
    tenon_write_array(w, NULL);
    for (int i = 0; i < 3; i++)
        tenon_write_text(w, NULL, text, sizeof text);
}

static void raw_too_long(tenon_writer *w)
{
    static char text[MAX + 1];

    memset(text, '1', sizeof text);
    tenon_write_raw(w, NULL, text, sizeof text);
}

static void every_misuse_is_named(void **state)
{
    static const struct { void (*make)(tenon_writer *); const char *mistake; } cases[] = {
        { key_in_array,       "a key stands in an object only"         },
        { key_on_top,         "a key stands in an object only"         },
        { value_without_key,  "a value in an object needs a key"       },
        { two_keys,           "a key follows a key"                    },
        { key_without_value,  "a key has no value"                     },
        { end_too_many,       "there is no object or array to end"     },
        { not_ended,          "an object or an array was not ended"    },
        { second_value,       "a second value follows the first"       },
        { broken_text,        "a text is not valid UTF-8"              },
        { broken_key,         "a key is not valid UTF-8"               },
        { not_a_number,       "JSON has no NaN and no infinities"      },
        { infinity,           "JSON has no NaN and no infinities"      },
        { raw_is_broken,      "a raw value is not JSON"                },
        { raw_is_two,         "a raw value is not JSON"                },
        { raw_is_nothing,     "a raw value is not JSON"                },
        { raw_is_broken_text, "a raw value is not valid UTF-8"         },
        { raw_is_deep,        "a raw value is nested too deep"         },
        { too_deep,           "objects and arrays are nested too deep" },
        { too_long,           "the text is longer than its maximum"    },
        { raw_too_long,       "the text is longer than its maximum"    },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        tenon_writer *w = tenon_writer_new(NULL, MAX);
        size_t        len;

        cases[i].make(w);
        assert_string_equal(tenon_writer_error(w), cases[i].mistake);
        assert_null(tenon_writer_text(w, &len));
        assert_int_equal(len, 0);
        if (cases[i].make != not_ended) { /* whatever follows, the first mistake stays */
            for (int end = 0; end < 3; end++)
                tenon_write_end(w);
            tenon_write_num(w, "k", 1.0);
            assert_string_equal(tenon_writer_error(w), cases[i].mistake);
            assert_null(tenon_writer_text(w, NULL));
        }
        tenon_writer_free(w);
    }
}

/* A value that was read, deeper than what is left. */
static void views_are_bounded(void **state)
{
    const struct tn_json_limits limits = { MAX, TENON_WRITER_DEPTH, MAX };
    char                        deep[2 * TENON_WRITER_DEPTH];
    struct tn_arena             arena;
    struct tn_json_text         read;

    (void)state;
    memset(deep, '[', TENON_WRITER_DEPTH);
    memset(deep + TENON_WRITER_DEPTH, ']', TENON_WRITER_DEPTH);
    tn_arena_init(&arena, NULL, 0);
    read = tn_json_read(&arena, deep, sizeof deep, &limits);
    assert_non_null(read.root);
    for (int inside = 0; inside < 2; inside++) {
        tenon_writer *w = tn_writer_in(&arena, MAX);

        if (inside)
            tenon_write_array(w, NULL);
        tenon_write_json(w, NULL, (const tenon_json *)read.root);
        if (inside)
            assert_string_equal(tenon_writer_error(w), "a value is nested too deep");
        else
            assert_int_equal(strlen(tenon_writer_text(w, NULL)), sizeof deep);
    }
    tn_arena_free(&arena);
}

static void survives_every_refusal(void **state)
{
    bool done = false;

    (void)state;
    for (size_t n = 1; !done; n++) {
        struct tn_fault fault  = { .refuse_at = n };
        tenon_allocator memory = tn_fault_allocator(&fault);
        tenon_writer   *w      = tenon_writer_new(&memory, MAX);

        write_all(w);
        done = !fault.refused;
        if (done)
            assert_string_equal(tenon_writer_text(w, NULL), all);
        else
            assert_null(tenon_writer_text(w, NULL));
        if (!done)
            assert_string_equal(tenon_writer_error(w), "out of memory");
        tenon_writer_free(w);
        assert_int_equal(fault.blocks, 0);
        assert_in_range(n, 1, 100);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writes_every_kind),    cmocka_unit_test(writes_one_value),
        cmocka_unit_test(writes_what_was_read), cmocka_unit_test(every_misuse_is_named),
        cmocka_unit_test(views_are_bounded),    cmocka_unit_test(survives_every_refusal),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
