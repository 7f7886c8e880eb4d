/* arena_test.c - alignment, bounds, refusals, and rounds that allocate nothing. */
#include "base/arena.h"

#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/fault.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

/* What a call might do: many small blocks, a growing one, a large one. */
static bool play_round(struct tn_arena *arena, size_t count)
{
    char  *text = NULL;
    size_t len  = 0;

    for (size_t i = 1; i <= count; i++) {
        char *at = tn_arena_take(arena, i % 97, (size_t)1 << i % 5);

        if (at)
            memset(at, 0x5A, i % 97);
        if (i % 10 != 0)
            continue;
        text = tn_arena_resize(arena, text, len, len + 50);
        len += 50;
        if (!text)
            return false;
        memset(text, 0x33, len);
    }
    return tn_arena_take(arena, count * 3, 1) != NULL;
}

static void aligns(void **state)
{
    static const struct { size_t before, len, align; } cases[] = {
        { 0, 0,    1  },
        { 0, 1,    1  },
        { 1, 8,    8  },
        { 3, 2,    2  },
        { 5, 4,    4  },
        { 7, 16,   16 },
        { 1, 0,    16 },
        { 1, 5000, 16 },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct tn_arena arena;
        char           *first, *second;

        tn_arena_init(&arena, NULL, 0);
        first  = tn_arena_take(&arena, cases[i].before, 1);
        second = tn_arena_take(&arena, cases[i].len, cases[i].align);
        assert_non_null(first);
        assert_non_null(second);
        assert_int_equal((uintptr_t)second % cases[i].align, 0);
        memset(first, 1, cases[i].before);
        memset(second, 2, cases[i].len);
        for (size_t n = 0; n < cases[i].before; n++)
            assert_int_equal(first[n], 1);
        tn_arena_free(&arena);
    }
}

static void refuses_and_stays_refusing(void **state)
{
    static const struct { size_t max, len; bool granted; } cases[] = {
        { 0,       100,              true  },
        { 0,       SIZE_MAX,         false },
        { 0,       SIZE_MAX - 15,    false },
        { 0,       SIZE_MAX / 2,     false },
        { 0,       SIZE_MAX / 2 + 1, false },
        { 1,       0,                false },
        { 15,      0,                false },
        { 1000,    900,              true  },
        { 1000,    1000,             false },
        { 5000,    4096,             true  },
        { 5000,    5001,             false },
        { 1 << 20, 1 << 20,          false },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct tn_fault fault  = { 0 };
        tenon_allocator memory = tn_fault_allocator(&fault);
        struct tn_arena arena;

        if (cases[i].len > SIZE_MAX / 4) /* the allocator would refuse, and a sanitizer's would complain */
            fault.refuse_at = 1;
        tn_arena_init(&arena, &memory, cases[i].max);
        assert_int_equal(tn_arena_take(&arena, cases[i].len, 1) != NULL, cases[i].granted);
        assert_int_equal(arena.failed, !cases[i].granted);
        if (cases[i].max)
            assert_true(fault.bytes <= cases[i].max);
        if (!cases[i].granted) {
            assert_null(tn_arena_take(&arena, 0, 1));
            assert_null(tn_arena_new(&arena, char));
            assert_null(tn_arena_copy(&arena, "", 0));
            assert_null(tn_arena_resize(&arena, NULL, 0, 1));
        }
        tn_arena_reset(&arena);
        assert_false(arena.failed);
        tn_arena_free(&arena);
        assert_int_equal(fault.blocks, 0);
        assert_int_equal(fault.bytes, 0);
    }
}

static void room_that_is_left_does_not_undo_a_refusal(void **state)
{
    struct tn_arena arena;

    (void)state;
    tn_arena_init(&arena, NULL, 0);
    assert_non_null(tn_arena_take(&arena, 8, 8));
    assert_null(tn_arena_take(&arena, SIZE_MAX, 1));
    assert_null(tn_arena_take(&arena, 8, 8));
    assert_null(tn_arena_take(&arena, 0, 1));
    tn_arena_reset(&arena);
    assert_non_null(tn_arena_take(&arena, 8, 8));
    tn_arena_free(&arena);
}

static void never_holds_more_than_its_maximum(void **state)
{
    static const size_t max[] = { 100, 4095, 4096, 4097, 10000, 100001, 3 << 20 };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(max); i++) {
        struct tn_fault fault  = { 0 };
        tenon_allocator memory = tn_fault_allocator(&fault);
        struct tn_arena arena;
        size_t          given = 0;

        tn_arena_init(&arena, &memory, max[i]);
        while (tn_arena_take(&arena, 24, 8)) {
            given += 24;
            assert_true(fault.bytes <= max[i]);
            assert_int_equal(fault.bytes, arena.used);
        }
        assert_true(given < max[i]);
        assert_true(given > max[i] / 2 || max[i] < 4096);
        tn_arena_free(&arena);
        assert_int_equal(fault.bytes, 0);
    }
}

static void zeroes_and_counts(void **state)
{
    static const struct { size_t count, len; bool granted; } cases[] = {
        { 0,            8,            true  },
        { 8,            0,            true  },
        { 100,          100,          true  },
        { SIZE_MAX / 4, 8,            false },
        { SIZE_MAX,     SIZE_MAX,     false },
        { 2,            SIZE_MAX / 2, false },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct tn_arena arena;
        char           *at;

        tn_arena_init(&arena, NULL, 0);
        memset(tn_arena_take(&arena, 4000, 1), 0x77, 4000);
        tn_arena_reset(&arena);
        at = tn_arena_zero(&arena, cases[i].count, cases[i].len, 8);
        assert_int_equal(at != NULL, cases[i].granted);
        for (size_t n = 0; at && n < cases[i].count * cases[i].len; n++)
            assert_int_equal(at[n], 0);
        tn_arena_free(&arena);
    }
}

static void resizes_in_place_or_moves(void **state)
{
    static const struct { size_t old_len, new_len; bool newest, moves; } cases[] = {
        { 10,  20,   true,  false },
        { 0,   20,   true,  false },
        { 20,  10,   true,  false },
        { 20,  0,    true,  false },
        { 10,  5000, true,  true  },
        { 10,  20,   false, true  },
        { 20,  10,   false, false },
        { 20,  20,   false, false },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct tn_arena arena;
        char           *block, *after, *resized;

        tn_arena_init(&arena, NULL, 0);
        block = tn_arena_take(&arena, cases[i].old_len, 1);
        memset(block, 0x11, cases[i].old_len);
        if (!cases[i].newest)
            tn_arena_take(&arena, 1, 1);
        resized = tn_arena_resize(&arena, block, cases[i].old_len, cases[i].new_len);
        assert_int_equal(resized != block, cases[i].moves);
        for (size_t n = 0; n < cases[i].old_len && n < cases[i].new_len; n++)
            assert_int_equal(resized[n], 0x11);
        after = tn_arena_take(&arena, 8, 1);
        memset(after, 0x22, 8);
        memset(resized, 0x33, cases[i].new_len);
        assert_int_equal(after[0], 0x22);
        tn_arena_free(&arena);
    }
}

static void refused_resize_keeps_the_block(void **state)
{
    struct tn_fault fault  = { .refuse_at = 2 };
    tenon_allocator memory = tn_fault_allocator(&fault);
    struct tn_arena arena;
    char           *block;

    (void)state;
    tn_arena_init(&arena, &memory, 0);
    block = tn_arena_copy(&arena, "kept", 4);
    assert_null(tn_arena_resize(&arena, block, 5, 100000));
    assert_true(arena.failed);
    assert_string_equal(block, "kept");
    tn_arena_free(&arena);
}

static void copies(void **state)
{
    static const struct { const char *at; size_t len; const char *want; } cases[] = {
        { NULL,     0, ""     },
        { "abc",    0, ""     },
        { "abc",    2, "ab"   },
        { "a\0b",   3, "a\0b" },
    };
    struct tn_arena arena;

    (void)state;
    tn_arena_init(&arena, NULL, 0);
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        assert_memory_equal(tn_arena_copy(&arena, cases[i].at, cases[i].len), cases[i].want,
                            cases[i].len + 1);
    assert_null(tn_arena_copy(&arena, "", SIZE_MAX));
    tn_arena_free(&arena);
}

static void a_warm_round_allocates_nothing(void **state)
{
    static const size_t count[] = { 0, 1, 10, 100, 300, 1000, 1500 };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(count); i++) {
        struct tn_fault fault  = { 0 };
        tenon_allocator memory = tn_fault_allocator(&fault);
        struct tn_arena arena;
        size_t          warm;

        tn_arena_init(&arena, &memory, 0);
        assert_int_equal(fault.requests, 0);
        assert_true(play_round(&arena, count[i]));
        tn_arena_reset(&arena);
        warm = fault.requests;
        for (int round = 0; round < 3; round++) {
            assert_true(play_round(&arena, count[i]));
            tn_arena_reset(&arena);
            assert_int_equal(fault.requests, warm);
            assert_int_equal(fault.blocks, 1);
            assert_int_equal(fault.bytes, arena.used);
        }
        tn_arena_free(&arena);
        assert_int_equal(fault.blocks, 0);
        assert_int_equal(fault.bytes, 0);
    }
}

/* An arena that rests holds nothing of what it held, and no more memory than it was allowed to keep. */
static void rests_clean(void **state)
{
    static const struct { size_t count, keep; bool kept; } cases[] = {
        { 10,   ARENA_KEEP_MAX, true  },
        { 1000, ARENA_KEEP_MAX, true  },
        { 1000, 100,            false },
        { 1000, 0,              false },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct tn_fault fault  = { 0 };
        tenon_allocator memory = tn_fault_allocator(&fault);
        struct tn_arena arena;

        tn_arena_init(&arena, &memory, 0);
        tn_arena_rest(&arena, 0); /* of nothing */
        assert_true(play_round(&arena, cases[i].count));
        tn_arena_rest(&arena, cases[i].keep);
        assert_int_equal(fault.blocks, cases[i].kept);
        assert_true(arena.used <= cases[i].keep);
        if (cases[i].kept) {
            size_t      room = (size_t)(arena.end - arena.next) - ARENA_GAP;
            const char *at   = tn_arena_take(&arena, room, 1);

            for (size_t j = 0; j < cases[i].count; j++) /* the beginning, where the round's bytes were */
                assert_int_equal(at[j], 0);
        }
        tn_arena_free(&arena);
        assert_int_equal(fault.bytes, 0);
    }
}

static void keeps_no_more_than_its_bound(void **state)
{
    static const struct { size_t first, second, requests; } cases[] = {
        { 100,                0,                  1 },
        { ARENA_KEEP_MAX / 2, 0,                  1 },
        { ARENA_KEEP_MAX * 3, 0,                  1 },
        { ARENA_BUSY_MAX * 2, 0,                  1 }, /* shrunk */
        { 100,                ARENA_BUSY_MAX * 2, 2 },
        { ARENA_BUSY_MAX * 2, 100,                3 }, /* one block of both */
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct tn_fault fault  = { 0 };
        tenon_allocator memory = tn_fault_allocator(&fault);
        struct tn_arena arena;

        tn_arena_init(&arena, &memory, 0);
        assert_non_null(tn_arena_take(&arena, cases[i].first, 1));
        if (cases[i].second)
            assert_non_null(tn_arena_take(&arena, cases[i].second, 1));
        tn_arena_reset(&arena);
        assert_int_equal(fault.requests, cases[i].requests);
        assert_true(fault.bytes <= ARENA_BUSY_MAX);
        assert_int_equal(fault.blocks, 1);
        assert_non_null(tn_arena_take(&arena, 100, 1)); /* a small round does not hold on to a large block */
        tn_arena_reset(&arena);
        assert_true(fault.bytes <= ARENA_KEEP_MAX);
        assert_int_equal(fault.blocks, 1);
        tn_arena_free(&arena);
    }
}

static void survives_every_refusal(void **state)
{
    (void)state;
    for (size_t n = 1;; n++) {
        struct tn_fault fault  = { .refuse_at = n, .refuse_rest = n % 2 };
        tenon_allocator memory = tn_fault_allocator(&fault);
        struct tn_arena arena;

        tn_arena_init(&arena, &memory, 0);
        for (int round = 0; round < 2; round++) {
            if (play_round(&arena, 1000))
                assert_false(arena.failed);
            else
                assert_true(arena.failed && fault.refused);
            tn_arena_reset(&arena);
            assert_false(arena.failed);
            assert_true(fault.blocks <= 1);
            assert_int_equal(fault.bytes, arena.used);
        }
        tn_arena_free(&arena);
        assert_int_equal(fault.blocks, 0);
        assert_int_equal(fault.bytes, 0);
        if (!fault.refused)
            return;
    }
}

#ifdef ARENA_ASAN
/* The byte before, where there was one, and the byte behind each allocation are poisoned, and all of them after. */
static void poisons_what_is_not_handed_out(void **state)
{
    static const size_t lens[] = { 0, 1, 3, 8, 13, 64, 7, 4096 };
    struct tn_arena     arena;
    char               *at[COUNT_OF(lens)];

    (void)state;
    tn_arena_init(&arena, NULL, 0);
    for (size_t align = 1; align <= 16; align *= 2) {
        for (size_t i = 0; i < COUNT_OF(lens); i++)
            at[i] = tn_arena_take(&arena, lens[i], align);
        for (size_t i = 0; i < COUNT_OF(lens); i++) {
            assert_null(__asan_region_is_poisoned(at[i], lens[i]));
            assert_true(__asan_address_is_poisoned(at[i] + lens[i]));
        }
    }
    at[1] = tn_arena_take(&arena, 40, 1);
    assert_ptr_equal(tn_arena_resize(&arena, at[1], 40, 9), at[1]);
    assert_null(__asan_region_is_poisoned(at[1], 9));
    assert_true(__asan_address_is_poisoned(at[1] + 9));
    assert_ptr_equal(tn_arena_resize(&arena, at[1], 9, 30), at[1]);
    assert_null(__asan_region_is_poisoned(at[1], 30));
    assert_true(__asan_address_is_poisoned(at[1] + 30));
    tn_arena_reset(&arena);
    at[0] = tn_arena_take(&arena, 1, 1);
    tn_arena_reset(&arena);
    assert_true(__asan_address_is_poisoned(at[0]));
    tn_arena_free(&arena);
}
#endif

/* One block of the length that was said, and more like any other arena once that is full. */
static void begins_with_a_known_length(void **state)
{
    struct tn_fault fault  = { 0 };
    tenon_allocator memory = tn_fault_allocator(&fault);
    struct tn_arena arena;

    (void)state;
    tn_arena_init(&arena, &memory, 0);
    tn_arena_begin(&arena, 100);
    assert_int_equal(fault.requests, 1);
    assert_true(fault.bytes >= 100 && fault.bytes < 200);
    assert_non_null(tn_arena_take(&arena, 100, 1));
    assert_int_equal(fault.requests, 1);
    assert_non_null(tn_arena_take(&arena, 100, 1));
    assert_int_equal(fault.requests, 2);
    tn_arena_free(&arena);
    assert_int_equal(fault.bytes, 0);

    fault = (struct tn_fault){ .refuse_at = 1 };
    tn_arena_begin(&arena, 100);
    assert_true(arena.failed);
    assert_null(tn_arena_take(&arena, 1, 1));
    tn_arena_free(&arena);
    tn_arena_init(&arena, &memory, 50);
    tn_arena_begin(&arena, 100); /* more than it may hold */
    assert_true(arena.failed);
    assert_null(tn_arena_take(&arena, 1, 1));
    tn_arena_free(&arena);
    assert_int_equal(fault.blocks, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(begins_with_a_known_length),
        cmocka_unit_test(aligns),
        cmocka_unit_test(refuses_and_stays_refusing),
        cmocka_unit_test(room_that_is_left_does_not_undo_a_refusal),
        cmocka_unit_test(never_holds_more_than_its_maximum),
        cmocka_unit_test(zeroes_and_counts),
        cmocka_unit_test(resizes_in_place_or_moves),
        cmocka_unit_test(refused_resize_keeps_the_block),
        cmocka_unit_test(copies),
        cmocka_unit_test(a_warm_round_allocates_nothing),
        cmocka_unit_test(rests_clean),
        cmocka_unit_test(keeps_no_more_than_its_bound),
        cmocka_unit_test(survives_every_refusal),
#ifdef ARENA_ASAN
        cmocka_unit_test(poisons_what_is_not_handed_out),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
