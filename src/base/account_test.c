/* account_test.c - shares: who gets what of a sum, and who is refused first. */
#include "base/account.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "support/fault.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

static struct tn_account *named(struct ledger *ledger, const char *name)
{
    return tn_ledger_account(ledger, ACCOUNT_CALLER, tn_slice_of(name));
}

/* Takes as many as it can, one at a time. */
static size_t fill(struct tn_account *account, enum tn_held held)
{
    size_t count = 0;

    while (count < 100000 && tn_account_take(account, held, 1))
        count++;
    return count;
}

/* Greedy callers one after the other: each gets half of what those before it left, and leaves as much. */
static void each_leaves_as_much_as_it_takes(void **state)
{
    static const struct { unsigned share; size_t most, greedy; size_t each[4]; } cases[] = {
        { 50, 1000, 1, { 500 } },
        { 50, 1000, 2, { 500, 250 } },
        { 50, 1000, 4, { 500, 250, 125, 62 } },
        { 80, 1000, 1, { 800 } },
        { 80, 1000, 2, { 800, 160 } },
        { 100, 1000, 2, { 1000, 0 } },
        { 50, 1, 2, { 1, 0 } },
        { 50, 2, 3, { 1, 1, 0 } },
        { 50, 3, 3, { 1, 1, 1 } },
        { 50, 0, 1, { 0 } },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct ledger     *ledger = tn_ledger_new(NULL);
        struct tn_account *all[4];

        tn_ledger_share(ledger, cases[i].share);
        tn_ledger_limit(ledger, HELD_TASKS, cases[i].most);
        for (size_t j = 0; j < cases[i].greedy; j++) {
            char name[8];

            snprintf(name, sizeof name, "g%zu", j);
            all[j] = named(ledger, name);
            assert_int_equal(fill(all[j], HELD_TASKS), cases[i].each[j]);
        }
        for (size_t j = 0; j < cases[i].greedy; j++) {
            tn_account_give(all[j], HELD_TASKS, cases[i].each[j]);
            tn_account_release(all[j]);
        }
        assert_int_equal(tn_ledger_sum(ledger, HELD_TASKS), 0);
        tn_ledger_free(ledger);
    }
}

/* All at once: with n of them each gets one part of n + 1. */
static void shares_are_even(void **state)
{
    (void)state;
    for (size_t count = 1; count <= 8; count++) {
        struct ledger     *ledger = tn_ledger_new(NULL);
        struct tn_account *all[8];
        bool               taken;

        tn_ledger_limit(ledger, HELD_TASKS, 9000);
        for (size_t i = 0; i < count; i++) {
            char name[8];

            snprintf(name, sizeof name, "g%zu", i);
            all[i] = named(ledger, name);
        }
        do {
            taken = false;
            for (size_t i = 0; i < count; i++)
                taken |= tn_account_take(all[i], HELD_TASKS, 1);
        } while (taken);
        for (size_t i = 0; i < count; i++) {
            assert_in_range(tn_account_holds(all[i], HELD_TASKS), 9000 / (count + 1) - 2,
                            9000 / (count + 1) + 1);
            tn_account_give(all[i], HELD_TASKS, tn_account_holds(all[i], HELD_TASKS));
            tn_account_release(all[i]);
        }
        tn_ledger_free(ledger);
    }
}

/* The one who holds most is refused, while the one who holds little goes on. */
static void heaviest_is_refused_first(void **state)
{
    struct ledger     *ledger = tn_ledger_new(NULL);
    struct tn_account *greedy = named(ledger, "greedy"), *polite = named(ledger, "polite");

    (void)state;
    tn_ledger_limit(ledger, HELD_STREAMS, 100);
    assert_int_equal(fill(greedy, HELD_STREAMS), 50);
    for (size_t i = 0; i < 10; i++) {
        assert_false(tn_account_take(greedy, HELD_STREAMS, 1));
        assert_true(tn_account_take(polite, HELD_STREAMS, 1));
    }
    assert_int_equal(tn_account_holds(polite, HELD_STREAMS), 10);
    tn_account_give(greedy, HELD_STREAMS, 20); /* 30 and 10 are held, and 60 free */
    assert_true(tn_account_take(greedy, HELD_STREAMS, 5));
    tn_account_release(greedy);
    tn_account_release(polite);
    tn_account_give(greedy, HELD_STREAMS, 35);
    tn_account_give(polite, HELD_STREAMS, 10);
    tn_ledger_free(ledger);
}

/* Bytes: the first amount may be large; then the share counts. What is too large for any sum never fits. */
static void counts_bytes(void **state)
{
    struct ledger     *ledger  = tn_ledger_new(NULL);
    struct tn_account *account = named(ledger, "a"), *other = named(ledger, "b");

    (void)state;
    tn_ledger_limit(ledger, HELD_INCOMING, 1000);
    assert_true(tn_account_take(account, HELD_INCOMING, 900));
    assert_false(tn_account_take(account, HELD_INCOMING, 1));
    assert_true(tn_account_take(other, HELD_INCOMING, 50));
    assert_false(tn_account_take(other, HELD_INCOMING, 51));
    assert_false(tn_account_take(other, HELD_INCOMING, SIZE_MAX));
    tn_account_force(other, HELD_INCOMING, 500);
    assert_int_equal(tn_ledger_sum(ledger, HELD_INCOMING), 1450);
    tn_account_give(other, HELD_INCOMING, 550);
    tn_account_give(account, HELD_INCOMING, 900);
    tn_account_release(account);
    tn_account_release(other);
    assert_true(tn_account_take(NULL, HELD_INCOMING, SIZE_MAX)); /* no account: no bound */
    tn_ledger_free(ledger);
}

static void pipe_leaves_nothing_over(void **state)
{
    struct ledger     *ledger = tn_ledger_new(NULL);
    struct tn_account *pipe   = tn_ledger_account(ledger, ACCOUNT_PIPE, SLICE_LIT("stdio"));

    (void)state;
    tn_ledger_limit(ledger, HELD_CALLS, 100);
    assert_int_equal(fill(pipe, HELD_CALLS), 100);
    tn_account_give(pipe, HELD_CALLS, 100);
    atomic_store(&pipe->calls_most, 7);
    assert_int_equal(fill(pipe, HELD_CALLS), 7);
    tn_account_give(pipe, HELD_CALLS, 7);
    tn_account_release(pipe);
    tn_ledger_free(ledger);
}

static void finds_by_name(void **state)
{
    struct ledger     *ledger = tn_ledger_new(NULL);
    struct tn_account *a = named(ledger, "ann"), *b = named(ledger, "ann");
    struct tn_account *address = tn_ledger_account(ledger, ACCOUNT_ADDRESS, SLICE_LIT("ann"));
    char               longest[2000];

    (void)state;
    assert_ptr_equal(a, b);
    assert_ptr_not_equal(a, address);
    assert_true(tn_account_is(a, ACCOUNT_CALLER, SLICE_LIT("ann")));
    assert_false(tn_account_is(a, ACCOUNT_ADDRESS, SLICE_LIT("ann")));
    assert_false(tn_account_is(a, ACCOUNT_CALLER, SLICE_LIT("anna")));
    memset(longest, 'x', sizeof longest);
    for (size_t len = 250; len < sizeof longest; len += 7) {
        struct tn_account *one = tn_ledger_account(ledger, ACCOUNT_CALLER, (struct tn_slice){ longest, len });
        struct tn_account *more = tn_ledger_account(ledger, ACCOUNT_CALLER,
                                                    (struct tn_slice){ longest, len + 1 });

        assert_ptr_not_equal(one, more);
        assert_true(tn_account_is(one, ACCOUNT_CALLER, (struct tn_slice){ longest, len }));
        assert_false(tn_account_is(one, ACCOUNT_CALLER, (struct tn_slice){ longest, len + 1 }));
        tn_account_release(one);
        tn_account_release(more);
    }
    tn_account_release(a);
    tn_account_release(b);
    tn_account_release(address);
    tn_ledger_free(ledger);
}

/* Who holds nothing is forgotten; who holds something, is referred to, or is not settled yet, is not. */
static void forgets(void **state)
{
    struct ledger     *ledger = tn_ledger_new(NULL);
    struct tn_account *idle = named(ledger, "idle"), *holds = named(ledger, "holds"),
                      *used = named(ledger, "used"), *rated = named(ledger, "rated");
    struct tn_ledger_report report;

    (void)state;
    assert_true(tn_account_take(holds, HELD_TASKS, 3));
    atomic_store(&rated->due_ns[ACCOUNT_BYTES], 1000000);
    tn_account_release(idle);
    tn_account_release(holds);
    tn_account_release(rated);
    tn_ledger_tick(ledger, 999);
    tn_ledger_read(ledger, &report);
    assert_int_equal(report.callers, 3);
    assert_int_equal(report.heaviest[HELD_TASKS], 3);
    tn_ledger_tick(ledger, 1000);
    tn_ledger_read(ledger, &report);
    assert_int_equal(report.callers, 2);
    tn_account_give(holds, HELD_TASKS, 3);
    tn_account_release(used);
    tn_ledger_tick(ledger, 1001);
    tn_ledger_read(ledger, &report);
    assert_int_equal(report.callers, 0);
    tn_ledger_free(ledger);
}

static void test_the_highest_sum_is_remembered(void **state)
{
    struct ledger          *ledger = tn_ledger_new(NULL);
    struct tn_account      *one = named(ledger, "one"), *two = named(ledger, "two");
    struct tn_ledger_report report;

    (void)state;
    tn_ledger_limit(ledger, HELD_TASKS, 10);
    assert_true(tn_account_take(one, HELD_TASKS, 2));
    assert_true(tn_account_take(two, HELD_TASKS, 1));
    assert_false(tn_account_take(one, HELD_TASKS, 11)); /* what is refused was never held */
    tn_account_give(one, HELD_TASKS, 2);
    assert_true(tn_account_take(two, HELD_TASKS, 1));
    tn_ledger_read(ledger, &report);
    assert_int_equal(report.peak[HELD_TASKS], 3);
    tn_account_force(one, HELD_TASKS, 4);
    tn_ledger_read(ledger, &report);
    assert_int_equal(report.sum[HELD_TASKS], 6);
    assert_int_equal(report.peak[HELD_TASKS], 6);
    tn_account_give(one, HELD_TASKS, 4);
    tn_account_give(two, HELD_TASKS, 2);
    tn_account_release(one);
    tn_account_release(two);
    tn_ledger_free(ledger);
}

/* Beyond the most that are known, one that holds nothing gives its place to a new one; only when all hold something do new
 * ones share an account, and those that are known keep theirs. */
static void too_many_share(void **state)
{
    struct ledger      *ledger = tn_ledger_new(NULL);
    struct tn_account **all    = calloc(ACCOUNTS_MAX, sizeof *all), *one, *two;

    (void)state;
    assert_non_null(all);
    for (size_t i = 0; i < ACCOUNTS_MAX; i++) {
        char name[24];

        snprintf(name, sizeof name, "%zu", i);
        all[i] = named(ledger, name);
    }
    one = named(ledger, "one more");
    two = named(ledger, "two more");
    assert_ptr_equal(one, two);
    assert_true(one->is_others);
    tn_account_release(one);
    tn_account_release(two);
    atomic_store(&all[7]->due_ns[ACCOUNT_MESSAGES], INT64_MAX); /* it would wait for its rate */
    tn_account_release(all[7]);
    one = named(ledger, "one more");
    assert_false(one->is_others);
    two = named(ledger, "0");
    assert_ptr_equal(two, all[0]);
    tn_account_release(one);
    tn_account_release(two);
    for (size_t i = 0; i < ACCOUNTS_MAX; i++)
        if (i != 7)
            tn_account_release(all[i]);
    free(all);
    tn_ledger_free(ledger);
}

static void survives_refusals(void **state)
{
    (void)state;
    for (size_t nth = 1;; nth++) {
        struct tn_fault fault  = { .refuse_at = nth };
        tenon_allocator from   = tn_fault_allocator(&fault);
        struct ledger  *ledger = tn_ledger_new(&from);

        if (ledger) {
            struct tn_account *account = named(ledger, "a");

            assert_int_equal(account->is_others, fault.refused);
            assert_true(tn_account_take(account, HELD_CALLS, 1));
            tn_account_give(account, HELD_CALLS, 1);
            tn_account_release(account);
            tn_ledger_free(ledger);
        }
        assert_int_equal(fault.blocks, 0);
        assert_int_equal(fault.bytes, 0);
        if (!fault.refused)
            break;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_highest_sum_is_remembered),
        cmocka_unit_test(shares_are_even),
        cmocka_unit_test(each_leaves_as_much_as_it_takes),
        cmocka_unit_test(heaviest_is_refused_first),
        cmocka_unit_test(counts_bytes),
        cmocka_unit_test(pipe_leaves_nothing_over),
        cmocka_unit_test(finds_by_name),
        cmocka_unit_test(forgets),
        cmocka_unit_test(too_many_share),
        cmocka_unit_test(survives_refusals),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
