/* fault_test.c - the allocator that refuses does so when it was told to, and counts. */
#include "support/fault.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/memory.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

static void refuses_what_it_was_told_to(void **state)
{
    static const struct { size_t refuse_at; bool refuse_rest; const char *want; } cases[] = {
        { 0, false, "++++" },
        { 0, true,  "++++" },
        { 1, false, "-+++" },
        { 3, false, "++-+" },
        { 3, true,  "++--" },
        { 9, true,  "++++" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct tn_fault fault  = { .refuse_at = cases[i].refuse_at, .refuse_rest = cases[i].refuse_rest };
        tenon_allocator memory = tn_fault_allocator(&fault);
        char            got[5] = { 0 };

        for (size_t n = 0; n < 4; n++) {
            void *block = tn_memory_new(&memory, 10);

            got[n] = block ? '+' : '-';
            assert_int_equal(fault.blocks, block ? 1 : 0);
            tn_memory_free(&memory, block, 10);
        }
        assert_string_equal(got, cases[i].want);
        assert_int_equal(fault.requests, 4);
        assert_int_equal(fault.refused, cases[i].want[0] == '-' || cases[i].want[2] == '-');
        assert_int_equal(fault.blocks, 0);
        assert_int_equal(fault.bytes, 0);
    }
}

static void counts_growth_but_not_shrinking(void **state)
{
    struct tn_fault fault  = { .refuse_at = 3 };
    tenon_allocator memory = tn_fault_allocator(&fault);
    char           *block  = tn_memory_new(&memory, 10);

    (void)state;
    block = memory.resize(memory.user, block, 10, 20);
    assert_non_null(block);
    block = memory.resize(memory.user, block, 20, 5);
    assert_non_null(block);
    assert_int_equal(fault.requests, 2);
    assert_null(memory.resize(memory.user, block, 5, 6));
    assert_int_equal(fault.bytes, 5);
    tn_memory_free(&memory, block, 4);
    assert_int_equal(fault.blocks, 0);
    assert_int_equal(fault.bytes, 1); /* the wrong length shows */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refuses_what_it_was_told_to),
        cmocka_unit_test(counts_growth_but_not_shrinking),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
