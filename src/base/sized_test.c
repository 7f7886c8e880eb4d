/* sized_test.c - structs that are shorter, longer, and longer with something in it. */
#include "base/sized.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"

struct small {
    int64_t a;
};
struct large {
    int64_t a, b;
};

static void reads_what_both_know(void **state)
{
    struct large large = { 1, 0 };
    struct small small = { 7 };

    (void)state;
    assert_true(tn_sized_read(&small, sizeof small, &large, sizeof large));
    assert_int_equal(small.a, 1);
    large.b = INT64_C(1) << 56; /* the last byte counts too, whatever the order of bytes */
    assert_false(tn_sized_read(&small, sizeof small, &large, sizeof large));
    large.b = 1;
    assert_false(tn_sized_read(&small, sizeof small, &large, sizeof large));
    small.a = 7;
    assert_true(tn_sized_read(&large, sizeof large, &small, sizeof small));
    assert_true(large.a == 7 && large.b == 0);
}

static void walks_tables_with_their_own_stride(void **state)
{
    struct large        larges[] = { { 1, 0 }, { 2, 0 }, { 3, 0 } };
    struct small        smalls[] = { { 4 }, { 5 } };
    tenon_allocator     memory   = tn_memory_of(NULL);
    const void         *unknown;
    const struct small *as_small;
    const struct large *as_large;
    struct tn_arena     arena;

    (void)state;
    tn_arena_init(&arena, &memory, 0);
    assert_ptr_equal(tn_sized_table(&arena, larges, 3, sizeof *larges, sizeof *larges, &unknown), larges);
    as_small = tn_sized_table(&arena, larges, 3, sizeof *larges, sizeof *smalls, &unknown);
    assert_non_null(as_small);
    assert_true(as_small[0].a == 1 && as_small[1].a == 2 && as_small[2].a == 3 && !unknown);
    as_large = tn_sized_table(&arena, smalls, 2, sizeof *smalls, sizeof *larges, &unknown);
    assert_non_null(as_large);
    assert_true(as_large[1].a == 5 && as_large[1].b == 0);
    larges[1].b = 9;
    assert_null(tn_sized_table(&arena, larges, 3, sizeof *larges, sizeof *smalls, &unknown));
    assert_ptr_equal(unknown, &larges[1]);
    tn_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_what_both_know),
        cmocka_unit_test(walks_tables_with_their_own_stride),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
