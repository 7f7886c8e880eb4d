/* ended_test.c - what was ended stays so, up to the bound; then the oldest goes. */
#include "mcp/ended.h"

#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/fault.h"

/* The key of a number. Some are in the first bucket, which is a long chain. */
static const unsigned char *key_of(uint32_t number)
{
    static unsigned char key[ENDED_KEY_LEN];

    memset(key, 0, sizeof key);
    memcpy(key + 4, &number, sizeof number);
    if (number % 97 > 0)
        memcpy(key, &number, sizeof number);
    return key;
}

static void up_to_the_bound(void **state)
{
    struct tn_fault fault  = { 0 };
    tenon_allocator memory = tn_fault_allocator(&fault);
    struct ended   *set    = NULL;
    const uint32_t  more   = 1000;

    (void)state;
    assert_false(tn_ended_has(set, key_of(0)));
    for (uint32_t i = 0; i < ENDED_MAX; i++)
        assert_true(tn_ended_add(&set, &memory, key_of(i), 1000 + i));
    assert_true(tn_ended_add(&set, &memory, key_of(7), 9)); /* again: nothing goes for it */
    assert_int_equal(tn_ended_lost_s(set), 0);
    for (uint32_t i = 0; i < ENDED_MAX; i += 97)
        assert_true(tn_ended_has(set, key_of(i)));
    assert_true(fault.bytes < 2 << 20);
    for (uint32_t i = 0; i < more; i++)
        assert_true(tn_ended_add(&set, &memory, key_of((uint32_t)ENDED_MAX + i), 500000));
    assert_int_equal(tn_ended_lost_s(set), 1000 + more - 1); /* the newest of those that went */
    assert_true(tn_ended_forget(&set, &memory, 300000));
    assert_true(tn_ended_forget(&set, &memory, 5));
    assert_int_equal(tn_ended_lost_s(set), 300000);
    for (uint32_t i = 0; i < ENDED_MAX + more; i += 37)
        assert_int_equal(tn_ended_has(set, key_of(i)), i >= more);
    tn_ended_free(set, &memory);
    assert_int_equal(fault.blocks, 0);
    assert_int_equal(fault.bytes, 0);
}

static void without_memory(void **state)
{
    (void)state;
    for (size_t n = 1; n <= 4; n++) {
        struct tn_fault fault  = { .refuse_at = n };
        tenon_allocator memory = tn_fault_allocator(&fault);
        struct ended   *set    = NULL;
        uint32_t        failed = 0;

        for (uint32_t i = 0; i < 300; i++) {
            bool added = tn_ended_add(&set, &memory, key_of(i), i);

            failed += !added;
            assert_int_equal(tn_ended_has(set, key_of(i)), added);
        }
        assert_int_equal(failed, 1);
        tn_ended_free(set, &memory);
        assert_int_equal(fault.blocks, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(up_to_the_bound),
        cmocka_unit_test(without_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
