/* rate_test.c - rows of text, and what a caller may send by them. */
#include "net/rate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))
#define SECOND          ((int64_t)1000000)
#define DAY             (86400 * SECOND)

static void reads_rows(void **state)
{
    static const struct { const char *text, *caller; int64_t count, per, burst, bytes, bytes_per; size_t calls; } cases[] = {
        { "ann=10/s",                                "ann", 10,   SECOND,        10,   0,       0,      0 },
        { "*=100/m burst=20 calls=4 bytes=1MiB/s",   "*",   100,  60 * SECOND,   20,   1048576, SECOND, 4 },
        { " ci = 5000/h  calls=2 ",                  "ci",  5000, 3600 * SECOND, 5000, 0,       0,      2 },
        { "x@y.z=1/d",                               "x@y.z", 1,  DAY,           1,    0,       0,      0 },
        { "ann=calls=3",                             "ann", 0,    0,             0,    0,       0,      3 },
        { "ann=bytes=64KiB/m",                       "ann", 0,    0,             0,    65536,   60 * SECOND, 0 },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct tn_rate rate;

        assert_true(tn_rate_read(tn_slice_of(cases[i].text), &rate));
        assert_true(tn_slice_is(rate.caller, cases[i].caller));
        assert_int_equal(rate.kinds[ACCOUNT_MESSAGES].count, cases[i].count);
        assert_int_equal(rate.kinds[ACCOUNT_MESSAGES].per_us, cases[i].per);
        assert_int_equal(rate.kinds[ACCOUNT_MESSAGES].burst, cases[i].burst);
        assert_int_equal(rate.kinds[ACCOUNT_BYTES].count, cases[i].bytes);
        assert_int_equal(rate.kinds[ACCOUNT_BYTES].per_us, cases[i].bytes_per);
        assert_int_equal(rate.calls, cases[i].calls);
    }
}

static void refuses_other_text(void **state)
{
    static const char *const cases[] = {
        "",
        "ann",
        "=10/s",
        "ann=",
        "ann=10",
        "ann=10/",
        "ann=/s",
        "ann=0/s",
        "ann=-1/s",
        "ann=1.5/s",
        "ann=10/y",
        "ann=10/sec",
        "ann=10/s 20/s",
        "ann=burst=5",
        "ann=10/s burst=0",
        "ann=10/s calls=0",
        "ann=10/s bytes=1",
        "ann=10/s what=3",
        "ann=99999999999999999999/s",
        "ann=10/s burst=5 burst=6",
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct tn_rate rate;

        if (tn_rate_read(tn_slice_of(cases[i]), &rate))
            fail_msg("taken: %s", cases[i]);
    }
}

struct world {
    struct tn_rates    rates;
    struct ledger     *ledger;
    struct tn_account *account;
};

static struct world world_of(const char *row, const char *name)
{
    struct world world;

    tn_rates_init(&world.rates, &row, 1);
    assert_int_equal(world.rates.count, 1);
    world.ledger  = tn_ledger_new(NULL);
    world.account = tn_ledger_account(world.ledger, ACCOUNT_CALLER, tn_slice_of(name));
    return world;
}

static void world_free(struct world *world)
{
    tn_account_release(world->account);
    tn_ledger_free(world->ledger);
}

/* How many of `count` messages at this time are taken. */
static size_t send(struct world *world, size_t count, size_t bytes, int64_t now_us)
{
    size_t taken = 0;

    for (size_t i = 0; i < count; i++)
        taken += tn_rates_take(&world->rates, world->account, bytes, now_us) == 0;
    return taken;
}

static void takes_a_burst_then_evenly(void **state)
{
    struct world world = world_of("ann=10/s burst=5", "ann");
    int64_t      start = 1000 * SECOND, wait_ms;

    (void)state;
    assert_int_equal(send(&world, 100, 0, start), 5);
    wait_ms = tn_rates_take(&world.rates, world.account, 0, start);
    assert_in_range(wait_ms, 99, 102); /* a tenth of a second */
    assert_int_equal(send(&world, 100, 0, start + (wait_ms - 10) * 1000), 0);
    assert_int_equal(send(&world, 100, 0, start + wait_ms * 1000), 1);
    assert_int_equal(send(&world, 100, 0, start + 100 * SECOND), 5); /* not more after a long silence */
    assert_true(atomic_load(&world.rates.refused) > 300);
    world_free(&world);
}

/* In the long run no more than the rate, however often it is asked. */
static void holds_in_the_long_run(void **state)
{
    static const struct { const char *row; int64_t step_us, for_us; size_t least, most; } cases[] = {
        { "ann=10/s",        1000,  100 * SECOND, 1005, 1011 },
        { "ann=7/s burst=1", 333,   100 * SECOND, 698,  702  },
        { "ann=1/d",         DAY / 1000, 10 * DAY, 10,  11   },
        { "ann=1000000/s",   10,    SECOND,       90000, 100001 },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct world world = world_of(cases[i].row, "ann");
        size_t       taken = 0;

        for (int64_t now = 0; now < cases[i].for_us; now += cases[i].step_us)
            taken += send(&world, 1, 0, DAY + now);
        assert_in_range(taken, cases[i].least, cases[i].most);
        world_free(&world);
    }
}

/* A message of more than the burst is taken when nothing was used, and waited for afterwards. */
static void counts_bytes(void **state)
{
    struct world world = world_of("*=bytes=1000/s", "bob");
    int64_t      start = DAY;

    (void)state;
    assert_int_equal(send(&world, 3, 400, start), 2);
    assert_int_equal(send(&world, 1, 5000, start + 2 * SECOND), 1);
    assert_int_equal(send(&world, 1, 1, start + 3 * SECOND), 0);
    assert_int_equal(send(&world, 1, 1, start + 8 * SECOND), 1);
    tn_rates_owe(&world.rates, world.account, 3000, start + 9 * SECOND);
    assert_int_equal(send(&world, 1, 1, start + 10 * SECOND), 0);
    assert_int_equal(send(&world, 1, 1, start + 13 * SECOND), 1);
    world_free(&world);
}

/* What bytes refuse does not count as a message. */
static void refused_bytes_cost_no_message(void **state)
{
    struct world world = world_of("ann=3/d bytes=100/s", "ann");

    (void)state;
    assert_int_equal(send(&world, 50, 100, DAY), 1);
    assert_int_equal(send(&world, 50, 100, DAY + 2 * SECOND), 1);
    assert_int_equal(send(&world, 50, 100, DAY + 4 * SECOND), 1);
    assert_int_equal(send(&world, 50, 1, DAY + 60 * SECOND), 0);
    world_free(&world);
}

/* Lengths that no message has neither pay a debt nor overflow. */
static void bears_any_length(void **state)
{
    static const size_t lengths[] = { SIZE_MAX, (size_t)INT64_MAX + 1, (size_t)INT64_MAX + 2, INT64_MAX,
                                      (size_t)1 << 60 };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(lengths); i++) {
        struct world world = world_of("ann=bytes=1000/s", "ann");

        assert_int_equal(send(&world, 1, 100000, DAY), 1);
        assert_int_equal(send(&world, 1, lengths[i], DAY), 0);
        assert_int_equal(send(&world, 1, 100, DAY + SECOND), 0); /* the debt is still there */
        assert_int_equal(send(&world, 1, 100, DAY + 101 * SECOND), 1);
        tn_rates_owe(&world.rates, world.account, lengths[i], DAY + 200 * SECOND);
        assert_int_equal(send(&world, 1, 1, DAY + 201 * SECOND), 0);
        world_free(&world);
    }
}

static void finds_the_row(void **state)
{
    static const char *const rows[] = { "*=1/s calls=9", "ann=2/s", "ann=3/s calls=7", "x=4/s" };
    struct ledger           *ledger = tn_ledger_new(NULL);
    struct tn_rates          rates;
    static const struct { enum tn_account_kind kind; const char *name; int64_t count; size_t calls; } cases[] = {
        { ACCOUNT_CALLER,  "ann", 3, 7 }, /* the last row of a name */
        { ACCOUNT_CALLER,  "x",   4, 0 },
        { ACCOUNT_CALLER,  "bob", 1, 9 },
        { ACCOUNT_ADDRESS, "ann", 1, 9 }, /* no caller has proved to be ann */
        { ACCOUNT_PIPE,    "stdio", 1, 9 },
        { ACCOUNT_CALLER,  "*",   1, 9 },
    };

    (void)state;
    tn_rates_init(&rates, rows, COUNT_OF(rows));
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct tn_account    *account = tn_ledger_account(ledger, cases[i].kind, tn_slice_of(cases[i].name));
        const struct tn_rate *row     = tn_rates_row(&rates, account);

        assert_non_null(row);
        assert_int_equal(row->kinds[ACCOUNT_MESSAGES].count, cases[i].count);
        assert_int_equal(atomic_load(&account->calls_most), cases[i].calls);
        assert_ptr_equal(tn_rates_row(&rates, account), row);
        tn_account_release(account);
    }
    tn_rates_init(&rates, rows + 3, 1);
    {
        struct tn_account *account = tn_ledger_account(ledger, ACCOUNT_CALLER, SLICE_LIT("other"));

        assert_null(tn_rates_row(&rates, account));
        assert_int_equal(tn_rates_take(&rates, account, 1, 0), 0);
        assert_int_equal(tn_rates_take(&rates, NULL, 1, 0), 0);
        tn_account_release(account);
    }
    tn_ledger_free(ledger);
}

/* A bucket of its own, as a tool has one: the same grammar, and the same counting. */
static void a_bucket_alone(void **state)
{
    static const struct { const char *text; int64_t count, per, burst; } cases[] = {
        { "30/m",          30, 60 * SECOND, 30 },
        { "2/s burst=1",   2,  SECOND,      1  },
        { "burst=5 10/d",  10, DAY,         5  },
    };
    static const char *const others[] = { "",        "30", "30/y", "30/m calls=2", "30/m bytes=1KiB/s",
                                          "burst=5", "0/s" };
    struct tn_rate_bucket    bucket;
    _Atomic(int64_t)         due = 0;

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        assert_true(tn_rate_read_bucket(tn_slice_of(cases[i].text), &bucket));
        assert_int_equal(bucket.count, cases[i].count);
        assert_int_equal(bucket.per_us, cases[i].per);
        assert_int_equal(bucket.burst, cases[i].burst);
    }
    for (size_t i = 0; i < COUNT_OF(others); i++)
        assert_false(tn_rate_read_bucket(tn_slice_of(others[i]), &bucket));
    assert_true(tn_rate_read_bucket(SLICE_LIT("2/s"), &bucket));
    assert_int_equal(tn_rate_take(&bucket, &due, SECOND), 0);
    assert_int_equal(tn_rate_take(&bucket, &due, SECOND), 0);
    assert_int_equal(tn_rate_take(&bucket, &due, SECOND), 501);
    assert_int_equal(tn_rate_take(&bucket, &due, SECOND + SECOND / 2), 0);
    bucket = (struct tn_rate_bucket){ 0 };
    assert_int_equal(tn_rate_take(&bucket, &due, 0), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_rows),
        cmocka_unit_test(refuses_other_text),
        cmocka_unit_test(takes_a_burst_then_evenly),
        cmocka_unit_test(holds_in_the_long_run),
        cmocka_unit_test(counts_bytes),
        cmocka_unit_test(refused_bytes_cost_no_message),
        cmocka_unit_test(bears_any_length),
        cmocka_unit_test(finds_the_row),
        cmocka_unit_test(a_bucket_alone),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
