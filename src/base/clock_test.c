/* clock_test.c - the clock of the system runs, and a clock can be replaced. */
#include "base/clock.h"

#include <time.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void system_clock_runs(void **state)
{
    struct tn_clock clock = tn_clock_system();
    int64_t         now   = clock.now_ms(clock.user);
    int64_t         wall  = clock.wall_ms(clock.user);

    (void)state;
    assert_true(now > 0);
    assert_true(clock.now_ms(clock.user) >= now);
    assert_true(wall / 1000 >= (int64_t)time(NULL) - 60 && wall / 1000 <= (int64_t)time(NULL) + 60);
}

static int64_t stopped(void *user)
{
    return *(int64_t *)user;
}

static void a_clock_is_replaceable(void **state)
{
    int64_t         at    = 42;
    struct tn_clock clock = { .now_ms = stopped, .wall_ms = stopped, .user = &at };

    (void)state;
    assert_int_equal(clock.now_ms(clock.user), 42);
    at += 1000;
    assert_int_equal(clock.wall_ms(clock.user), 1042);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(system_clock_runs),
        cmocka_unit_test(a_clock_is_replaceable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
