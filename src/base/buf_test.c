/* buf_test.c - growth, bounds, numbers, and refusals that stick. */
#include "base/buf.h"

#include <inttypes.h>
#include <stdio.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/fault.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

static void add_number(struct tn_buf *buf, uint64_t value, char *want, size_t room)
{
    int64_t as_signed;

    memcpy(&as_signed, &value, sizeof as_signed);
    tn_buf_uint(buf, value);
    tn_buf_char(buf, ' ');
    tn_buf_int(buf, as_signed);
    tn_buf_char(buf, ' ');
    tn_buf_int(buf, -(as_signed / 2));
    snprintf(want, room, "%" PRIu64 " %" PRId64 " %" PRId64, value, as_signed, -(as_signed / 2));
}

static void writes_numbers(void **state)
{
    struct tn_arena arena;
    char            want[100];

    (void)state;
    tn_arena_init(&arena, NULL, 0);
    for (uint64_t power = 1, i = 0; i <= 20; i++, power = i < 20 ? power * 10 : UINT64_MAX) {
        for (uint64_t near = 0; near < 40; near++) {
            struct tn_buf buf;

            tn_buf_init(&buf, &arena, 0, 100);
            add_number(&buf, power + near - 20, want, sizeof want);
            assert_string_equal(tn_buf_end(&buf), want);
            tn_buf_init(&buf, &arena, 0, 100);
            add_number(&buf, (UINT64_C(1) << 63) + near - 20, want, sizeof want);
            assert_string_equal(tn_buf_end(&buf), want);
        }
        tn_arena_reset(&arena);
    }
    tn_arena_free(&arena);
}

static void adds(void **state)
{
    static const struct { size_t first, max; const char *text; bool fits; } cases[] = {
        { 0,    0,        "",                    true  },
        { 0,    0,        "a",                   false },
        { 100,  0,        "",                    true  },
        { 0,    3,        "abc",                 true  },
        { 0,    3,        "abcd",                false },
        { 3,    3,        "abc",                 true  },
        { 1,    16,       "0123456789abcdef",    true  },
        { 1,    16,       "0123456789abcdefg",   false },
        { 0,    SIZE_MAX, "0123456789abcdefghi", true  },
        { 4000, 5000,     "0123456789abcdefghi", true  },
    };
    struct tn_arena arena;

    (void)state;
    tn_arena_init(&arena, NULL, 0);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const char   *text = cases[i].text;
        struct tn_buf whole, bytes, format, after;

        tn_buf_init(&whole, &arena, cases[i].first, cases[i].max);
        tn_buf_init(&bytes, &arena, cases[i].first, cases[i].max);
        tn_buf_init(&format, &arena, cases[i].first, cases[i].max);
        tn_buf_text(&whole, text);
        for (const char *at = text; *at; at++)
            tn_buf_char(&bytes, *at);
        tn_buf_addf(&format, "%s", text);
        assert_int_equal(whole.failed, !cases[i].fits);
        assert_int_equal(bytes.failed, !cases[i].fits);
        assert_int_equal(format.failed, !cases[i].fits);
        if (cases[i].fits) {
            assert_string_equal(tn_buf_end(&whole), text);
            assert_string_equal(tn_buf_end(&bytes), text);
            assert_string_equal(tn_buf_end(&format), text);
            assert_int_equal(whole.len, strlen(text));
        } else {
            assert_null(tn_buf_end(&whole));
            assert_int_equal(whole.len, 0); /* left out whole */
            assert_int_equal(bytes.len, cases[i].max);
        }
        tn_buf_init(&after, &arena, 0, 10);
        tn_buf_add(&after, NULL, 0);
        assert_string_equal(tn_buf_end(&after), "");
    }
    tn_arena_free(&arena);
}

static void ignores_the_rest_after_a_failure(void **state)
{
    struct tn_arena arena;
    struct tn_buf   buf;

    (void)state;
    tn_arena_init(&arena, NULL, 0);
    tn_buf_init(&buf, &arena, 0, 10);
    tn_buf_lit(&buf, "12345");
    tn_buf_lit(&buf, "1234567");
    assert_true(buf.failed);
    tn_buf_lit(&buf, "6");
    tn_buf_char(&buf, '7');
    tn_buf_uint(&buf, 8);
    tn_buf_addf(&buf, "%d", 9);
    tn_buf_add(&buf, "", 0);
    assert_null(tn_buf_room(&buf, 0));
    assert_null(tn_buf_end(&buf));
    assert_int_equal(buf.len, 5);
    assert_false(arena.failed); /* the bound was the buffer's, not the arena's */
    tn_arena_free(&arena);
}

static void continues_after_its_end(void **state)
{
    struct tn_arena arena;
    struct tn_buf   buf;

    (void)state;
    tn_arena_init(&arena, NULL, 0);
    tn_buf_init(&buf, &arena, 0, 100);
    tn_buf_lit(&buf, "one");
    assert_string_equal(tn_buf_end(&buf), "one");
    tn_buf_lit(&buf, " two");
    assert_string_equal(tn_buf_end(&buf), "one two");
    tn_arena_free(&arena);
}

static void keeps_no_more_than_it_needs(void **state)
{
    struct tn_arena arena;
    struct tn_buf   buf, next;
    char           *text;

    (void)state;
    tn_arena_init(&arena, NULL, 0);
    tn_buf_init(&buf, &arena, 200, 1000);
    tn_buf_lit(&buf, "kept");
    text = tn_buf_keep(&buf);
    assert_string_equal(text, "kept");
    tn_buf_init(&next, &arena, 1, 10);
    tn_buf_lit(&next, "next");
    assert_string_equal(tn_buf_end(&next), "next");
    assert_in_range(next.at - text, 5, 100); /* not behind the room that was first taken */
    tn_buf_lit(&buf, " and more");
    assert_string_equal(tn_buf_end(&buf), "kept and more");
    assert_string_equal(next.at, "next");
    tn_buf_init(&next, &arena, 0, 1);
    tn_buf_lit(&next, "too long");
    assert_null(tn_buf_keep(&next));
    tn_arena_free(&arena);
}

static void gives_what_was_written(void **state)
{
    struct tn_arena arena;
    struct tn_buf   buf;

    (void)state;
    tn_arena_init(&arena, NULL, 0);
    tn_buf_init(&buf, &arena, 0, 4);
    assert_true(tn_slice_is(tn_buf_slice(&buf), ""));
    assert_non_null(tn_buf_slice(&buf).at);
    tn_buf_lit(&buf, "one");
    assert_true(tn_slice_is(tn_buf_slice(&buf), "one"));
    tn_buf_lit(&buf, "more");
    assert_true(tn_slice_is(tn_buf_slice(&buf), "")); /* it failed */
    tn_arena_free(&arena);
}

static void grows_in_place_and_past_other_blocks(void **state)
{
    (void)state;
    for (int between = 0; between < 2; between++) {
        struct tn_arena arena;
        struct tn_buf   buf;
        char           *text, want[20];

        tn_arena_init(&arena, NULL, 0);
        tn_buf_init(&buf, &arena, 16, 1 << 20);
        for (int i = 0; i < 20000; i++) {
            tn_buf_addf(&buf, "%05d,", i);
            if (between && i % 100 == 0)
                tn_arena_take(&arena, 1, 1);
        }
        text = tn_buf_end(&buf);
        assert_non_null(text);
        assert_int_equal(buf.len, 120000);
        for (int i = 0; i < 20000; i++) {
            snprintf(want, sizeof want, "%05d,", i);
            assert_memory_equal(text + i * 6, want, 6);
        }
        tn_arena_free(&arena);
    }
}

static void survives_every_refusal(void **state)
{
    (void)state;
    for (size_t n = 1;; n++) {
        struct tn_fault fault  = { .refuse_at = n };
        tenon_allocator memory = tn_fault_allocator(&fault);
        struct tn_arena arena;
        struct tn_buf   buf;

        tn_arena_init(&arena, &memory, 0);
        tn_buf_init(&buf, &arena, 0, 1 << 20);
        for (int i = 0; i < 10000; i++)
            tn_buf_addf(&buf, i % 2 ? "%d," : "%03d,", i);
        assert_int_equal(buf.failed, fault.refused);
        assert_int_equal(tn_buf_end(&buf) == NULL, fault.refused);
        tn_arena_free(&arena);
        assert_int_equal(fault.blocks, 0);
        assert_int_equal(fault.bytes, 0);
        if (!fault.refused)
            return;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writes_numbers),
        cmocka_unit_test(adds),
        cmocka_unit_test(ignores_the_rest_after_a_failure),
        cmocka_unit_test(continues_after_its_end),
        cmocka_unit_test(keeps_no_more_than_it_needs),
        cmocka_unit_test(gives_what_was_written),
        cmocka_unit_test(grows_in_place_and_past_other_blocks),
        cmocka_unit_test(survives_every_refusal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
