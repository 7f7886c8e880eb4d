/* buf_test.c - growth, bounds, numbers, and refusals that stick. */
#include "base/buf.h"

#include <inttypes.h>
#include <stdio.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/fault.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

static void add_number(struct buf *buf, uint64_t value, char *want, size_t room)
{
    int64_t as_signed;

    memcpy(&as_signed, &value, sizeof as_signed);
    buf_uint(buf, value);
    buf_char(buf, ' ');
    buf_int(buf, as_signed);
    buf_char(buf, ' ');
    buf_int(buf, -(as_signed / 2));
    snprintf(want, room, "%" PRIu64 " %" PRId64 " %" PRId64, value, as_signed, -(as_signed / 2));
}

static void writes_numbers(void **state)
{
    struct arena arena;
    char         want[100];

    (void)state;
    arena_init(&arena, NULL, 0);
    for (uint64_t power = 1, i = 0; i <= 20; i++, power = i < 20 ? power * 10 : UINT64_MAX) {
        for (uint64_t near = 0; near < 40; near++) {
            struct buf buf;

            buf_init(&buf, &arena, 0, 100);
            add_number(&buf, power + near - 20, want, sizeof want);
            assert_string_equal(buf_end(&buf), want);
            buf_init(&buf, &arena, 0, 100);
            add_number(&buf, (UINT64_C(1) << 63) + near - 20, want, sizeof want);
            assert_string_equal(buf_end(&buf), want);
        }
        arena_reset(&arena);
    }
    arena_free(&arena);
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
    struct arena arena;

    (void)state;
    arena_init(&arena, NULL, 0);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const char *text = cases[i].text;
        struct buf  whole, bytes, format, after;

        buf_init(&whole, &arena, cases[i].first, cases[i].max);
        buf_init(&bytes, &arena, cases[i].first, cases[i].max);
        buf_init(&format, &arena, cases[i].first, cases[i].max);
        buf_text(&whole, text);
        for (const char *at = text; *at; at++)
            buf_char(&bytes, *at);
        buf_addf(&format, "%s", text);
        assert_int_equal(whole.failed, !cases[i].fits);
        assert_int_equal(bytes.failed, !cases[i].fits);
        assert_int_equal(format.failed, !cases[i].fits);
        if (cases[i].fits) {
            assert_string_equal(buf_end(&whole), text);
            assert_string_equal(buf_end(&bytes), text);
            assert_string_equal(buf_end(&format), text);
            assert_int_equal(whole.len, strlen(text));
        } else {
            assert_null(buf_end(&whole));
            assert_int_equal(whole.len, 0); /* left out whole */
            assert_int_equal(bytes.len, cases[i].max);
        }
        buf_init(&after, &arena, 0, 10);
        buf_add(&after, NULL, 0);
        assert_string_equal(buf_end(&after), "");
    }
    arena_free(&arena);
}

static void ignores_the_rest_after_a_failure(void **state)
{
    struct arena arena;
    struct buf   buf;

    (void)state;
    arena_init(&arena, NULL, 0);
    buf_init(&buf, &arena, 0, 10);
    buf_lit(&buf, "12345");
    buf_lit(&buf, "1234567");
    assert_true(buf.failed);
    buf_lit(&buf, "6");
    buf_char(&buf, '7');
    buf_uint(&buf, 8);
    buf_addf(&buf, "%d", 9);
    buf_add(&buf, "", 0);
    assert_null(buf_room(&buf, 0));
    assert_null(buf_end(&buf));
    assert_int_equal(buf.len, 5);
    assert_false(arena.failed); /* the bound was the buffer's, not the arena's */
    arena_free(&arena);
}

static void continues_after_its_end(void **state)
{
    struct arena arena;
    struct buf   buf;

    (void)state;
    arena_init(&arena, NULL, 0);
    buf_init(&buf, &arena, 0, 100);
    buf_lit(&buf, "one");
    assert_string_equal(buf_end(&buf), "one");
    buf_lit(&buf, " two");
    assert_string_equal(buf_end(&buf), "one two");
    arena_free(&arena);
}

static void keeps_no_more_than_it_needs(void **state)
{
    struct arena arena;
    struct buf   buf, next;
    char        *text;

    (void)state;
    arena_init(&arena, NULL, 0);
    buf_init(&buf, &arena, 200, 1000);
    buf_lit(&buf, "kept");
    text = buf_keep(&buf);
    assert_string_equal(text, "kept");
    buf_init(&next, &arena, 1, 10);
    buf_lit(&next, "next");
    assert_string_equal(buf_end(&next), "next");
    assert_in_range(next.at - text, 5, 100); /* not behind the room that was first taken */
    buf_lit(&buf, " and more");
    assert_string_equal(buf_end(&buf), "kept and more");
    assert_string_equal(next.at, "next");
    buf_init(&next, &arena, 0, 1);
    buf_lit(&next, "too long");
    assert_null(buf_keep(&next));
    arena_free(&arena);
}

static void gives_what_was_written(void **state)
{
    struct arena arena;
    struct buf   buf;

    (void)state;
    arena_init(&arena, NULL, 0);
    buf_init(&buf, &arena, 0, 4);
    assert_true(slice_is(buf_slice(&buf), ""));
    assert_non_null(buf_slice(&buf).at);
    buf_lit(&buf, "one");
    assert_true(slice_is(buf_slice(&buf), "one"));
    buf_lit(&buf, "more");
    assert_true(slice_is(buf_slice(&buf), "")); /* it failed */
    arena_free(&arena);
}

static void grows_in_place_and_past_other_blocks(void **state)
{
    (void)state;
    for (int between = 0; between < 2; between++) {
        struct arena arena;
        struct buf   buf;
        char        *text, want[20];

        arena_init(&arena, NULL, 0);
        buf_init(&buf, &arena, 16, 1 << 20);
        for (int i = 0; i < 20000; i++) {
            buf_addf(&buf, "%05d,", i);
            if (between && i % 100 == 0)
                arena_take(&arena, 1, 1);
        }
        text = buf_end(&buf);
        assert_non_null(text);
        assert_int_equal(buf.len, 120000);
        for (int i = 0; i < 20000; i++) {
            snprintf(want, sizeof want, "%05d,", i);
            assert_memory_equal(text + i * 6, want, 6);
        }
        arena_free(&arena);
    }
}

static void survives_every_refusal(void **state)
{
    (void)state;
    for (size_t n = 1;; n++) {
        struct fault    fault  = { .refuse_at = n };
        tenon_allocator memory = fault_allocator(&fault);
        struct arena    arena;
        struct buf      buf;

        arena_init(&arena, &memory, 0);
        buf_init(&buf, &arena, 0, 1 << 20);
        for (int i = 0; i < 10000; i++)
            buf_addf(&buf, i % 2 ? "%d," : "%03d,", i);
        assert_int_equal(buf.failed, fault.refused);
        assert_int_equal(buf_end(&buf) == NULL, fault.refused);
        arena_free(&arena);
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
