/* opened_test.c - an id is known again by the same bytes and caller, up to its time; all else is not. */
#include "mcp/opened.h"

#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "support/fault.h"

static unsigned char inside[OPENED_LEN] = "what was in it", got[OPENED_LEN];

static bool finds(const struct tn_opened *opened, const char *id, const char *name, int64_t now_ms)
{
    memset(got, 0, sizeof got);
    return tn_opened_find(opened, tn_slice_of(id), tn_slice_of(name), now_ms, got);
}

static void only_the_same(void **state)
{
    struct tn_fault   fault  = { 0 };
    tenon_allocator   memory = tn_fault_allocator(&fault);
    struct tn_opened *opened = NULL;
    char              longest[OPENED_ID_MAX + 2], name[OPENED_NAME_MAX + 2];

    (void)state;
    assert_false(finds(opened, "abcdefgh", "ann", 0));
    tn_opened_keep(&opened, &memory, tn_slice_of("abcdefgh"), tn_slice_of("ann"), 1000, inside);
    assert_true(finds(opened, "abcdefgh", "ann", 999));
    assert_memory_equal(got, inside, sizeof got);
    assert_false(finds(opened, "abcdefgh", "ann", 1000));
    assert_false(finds(opened, "abcdefgh", "bob", 0));
    assert_false(finds(opened, "abcdefgh", "", 0));
    assert_false(finds(opened, "abcdefgi", "ann", 0));
    assert_false(finds(opened, "abcdefg", "ann", 0));
    assert_false(finds(opened, "abcd", "ann", 0));
    assert_false(finds(opened, "", "ann", 0));
    tn_opened_keep(&opened, &memory, tn_slice_of("abcdefgh"), tn_slice_of(""), 1000, inside);
    assert_true(finds(opened, "abcdefgh", "", 0));
    assert_false(finds(opened, "abcdefgh", "ann", 0)); /* the slot is the other's */

    memset(longest, 'x', sizeof longest);
    longest[OPENED_ID_MAX] = '\0';
    memset(name, 'n', sizeof name);
    name[OPENED_NAME_MAX] = '\0';
    tn_opened_keep(&opened, &memory, tn_slice_of(longest), tn_slice_of(name), 1000, inside);
    assert_true(finds(opened, longest, name, 0));
    longest[OPENED_ID_MAX - 1] = 'y';
    assert_false(finds(opened, longest, name, 0));
    longest[OPENED_ID_MAX]     = 'y';
    longest[OPENED_ID_MAX + 1] = '\0';
    tn_opened_keep(&opened, &memory, tn_slice_of(longest), tn_slice_of(name), 1000, inside);
    assert_false(finds(opened, longest, name, 0));
    name[OPENED_NAME_MAX]     = 'n';
    name[OPENED_NAME_MAX + 1] = '\0';
    tn_opened_keep(&opened, &memory, tn_slice_of("abcdefgh"), tn_slice_of(name), 1000, inside);
    assert_false(finds(opened, "abcdefgh", name, 0));
    tn_opened_free(opened, &memory);
    tn_opened_free(NULL, &memory);
    assert_int_equal(fault.bytes, 0);
}

static void many_in_the_same_memory(void **state)
{
    struct tn_fault   fault  = { 0 };
    tenon_allocator   memory = tn_fault_allocator(&fault);
    struct tn_opened *opened = NULL;
    size_t            found  = 0, held;
    char              id[32];

    (void)state;
    tn_opened_keep(&opened, &memory, tn_slice_of("abcdefgh"), tn_slice_of(""), 1000, inside);
    held = fault.bytes;
    for (int i = 0; i < 10000; i++) {
        snprintf(id, sizeof id, "%d and more", i * 7919);
        tn_opened_keep(&opened, &memory, tn_slice_of(id), tn_slice_of(""), 1000, inside);
        assert_true(finds(opened, id, "", 0));
    }
    for (int i = 0; i < 10000; i++) {
        snprintf(id, sizeof id, "%d and more", i * 7919);
        found += finds(opened, id, "", 0);
    }
    assert_true(found > 0 && found <= OPENED_SLOTS);
    assert_int_equal(fault.bytes, held);
    tn_opened_free(opened, &memory);
}

static void without_memory(void **state)
{
    struct tn_fault   fault  = { .refuse_at = 1 };
    tenon_allocator   memory = tn_fault_allocator(&fault);
    struct tn_opened *opened = NULL;

    (void)state;
    tn_opened_keep(&opened, &memory, tn_slice_of("abcdefgh"), tn_slice_of(""), 1000, inside);
    assert_null(opened);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_the_same),
        cmocka_unit_test(many_in_the_same_memory),
        cmocka_unit_test(without_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
