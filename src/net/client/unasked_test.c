/* unasked_test.c - how much is read of a server that sends what was not asked for. */
#include "net/client/unasked.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define A_MS  2048
#define START 1000 /* ms */

static struct tn_unasked fresh(void)
{
    struct tn_unasked unasked = tn_unasked_of(A_MS);

    tn_unasked_pass(&unasked, START);
    return unasked;
}

static void what_is_within_the_measure_does_not_rest(void **state)
{
    struct tn_unasked unasked = fresh();

    (void)state;
    assert_int_equal(tn_unasked_room(&unasked, 65536), 65536);
    tn_unasked_spend(&unasked, (size_t)UNASKED_BURST - 1);
    assert_false(tn_unasked_is_over(&unasked, START));
    assert_int_equal(tn_unasked_room(&unasked, 65536), UNASKED_LEAST);
    tn_unasked_pass(&unasked, START + 10);
    assert_int_equal(tn_unasked_room(&unasked, 65536), 10 * A_MS + 1);
}

static void what_is_over_it_rests_until_there_is_room(void **state)
{
    static const struct {
        size_t  spent;
        int64_t rests; /* ms */
    } cases[] = {
        { (size_t)UNASKED_BURST, 1 },
        { (size_t)UNASKED_BURST + A_MS, 2 },
        { (size_t)UNASKED_BURST + 10 * A_MS, 11 },
        { (size_t)1 << 40, 1 + UNASKED_DEBT / A_MS },
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct tn_unasked unasked = fresh();

        tn_unasked_spend(&unasked, cases[i].spent);
        assert_true(tn_unasked_is_over(&unasked, START));
        assert_int_equal(unasked.until_ms, START + cases[i].rests);
        tn_unasked_pass(&unasked, unasked.until_ms);
        assert_false(tn_unasked_is_over(&unasked, START + cases[i].rests));
    }
}

static void debts_add_up_to_a_bound(void **state)
{
    struct tn_unasked unasked = fresh();

    (void)state;
    for (int i = 0; i < 100; i++)
        tn_unasked_spend(&unasked, 1 << 20);
    assert_int_equal(unasked.left, -UNASKED_DEBT);
}

static void no_measure_is_no_bound(void **state)
{
    struct tn_unasked unasked = tn_unasked_of(0);

    (void)state;
    for (int i = 0; i < 100; i++)
        tn_unasked_spend(&unasked, 1 << 20);
    assert_false(tn_unasked_is_over(&unasked, START));
    assert_int_equal(tn_unasked_room(&unasked, 65536), 65536);
}

static void clocks_that_jump_fill_it_and_no_more(void **state)
{
    static const int64_t times[] = { 0, -5, START - 1, INT64_MAX / 2, INT64_MIN / 4 };

    (void)state;
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        struct tn_unasked unasked = fresh();

        tn_unasked_spend(&unasked, (size_t)UNASKED_BURST);
        tn_unasked_pass(&unasked, times[i]);
        assert_int_equal(unasked.left, UNASKED_BURST);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_within_the_measure_does_not_rest),
        cmocka_unit_test(what_is_over_it_rests_until_there_is_room),
        cmocka_unit_test(debts_add_up_to_a_bound),
        cmocka_unit_test(no_measure_is_no_bound),
        cmocka_unit_test(clocks_that_jump_fill_it_and_no_more),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
