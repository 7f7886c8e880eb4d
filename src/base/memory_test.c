/* memory_test.c - the allocator that is chosen, and what it is asked for. */
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

struct seen {
    void  *block;
    size_t old_len, new_len;
};

static void *note(void *user, void *block, size_t old_len, size_t new_len)
{
    static char given;
    *(struct seen *)user = (struct seen){ block, old_len, new_len };
    return new_len ? &given : NULL;
}

static void falls_back_to_malloc(void **state)
{
    static const tenon_allocator        zero;
    static const tenon_allocator *const wanted[] = { NULL, &zero };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(wanted); i++) {
        tenon_allocator memory = tn_memory_of(wanted[i]);
        char           *block  = tn_memory_new(&memory, 3);

        assert_non_null(block);
        memcpy(block, "abc", 3);
        block = memory.resize(memory.user, block, 3, 3000);
        assert_non_null(block);
        assert_memory_equal(block, "abc", 3);
        tn_memory_free(&memory, block, 3000);
        tn_memory_free(&memory, NULL, 0);
    }
}

static void asks_for_what_was_said(void **state)
{
    static const struct { size_t len, asked; } cases[] = {
        { 0,     1     },
        { 1,     1     },
        { 12345, 12345 },
    };
    struct seen     seen   = { 0 };
    tenon_allocator memory = tn_memory_of(&(tenon_allocator){ note, &seen });

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        void *block = tn_memory_new(&memory, cases[i].len);

        assert_null(seen.block);
        assert_int_equal(seen.old_len, 0);
        assert_int_equal(seen.new_len, cases[i].asked);
        tn_memory_free(&memory, block, cases[i].len);
        assert_ptr_equal(seen.block, block);
        assert_int_equal(seen.old_len, cases[i].asked);
        assert_int_equal(seen.new_len, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(falls_back_to_malloc),
        cmocka_unit_test(asks_for_what_was_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
