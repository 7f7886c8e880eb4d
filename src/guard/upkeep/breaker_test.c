/* breaker_test.c - what a breaker does, step by step. */
#include "guard/upkeep/breaker.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* f: fails, t: was tried, w: works, ?: may it be tried (`want`: in how many milliseconds). */
static void opens_and_closes(void **state)
{
    static const struct { int64_t at; char what; int want; enum tn_breaker_state state; } steps[] = {
        { 0,      '?', 0,     BREAKER_CLOSED }, { 10,     'f', 0,     BREAKER_CLOSED },
        { 20,     'f', 0,     BREAKER_CLOSED }, { 1020,   'f', 0,     BREAKER_CLOSED }, /* the first is too old */
        { 1020,   '?', 0,     BREAKER_CLOSED }, { 1021,   'f', 0,     BREAKER_CLOSED },
        { 1022,   'f', 0,     BREAKER_OPEN   }, { 1022,   '?', 100,   BREAKER_OPEN   },
        { 1121,   '?', 1,     BREAKER_OPEN   }, { 1122,   '?', 0,     BREAKER_HALF   },
        { 1130,   'f', 0,     BREAKER_OPEN   }, { 1130,   '?', 200,   BREAKER_OPEN   },
        { 1330,   '?', 0,     BREAKER_HALF   }, { 1331,   'f', 0,     BREAKER_OPEN   },
        { 1331,   '?', 350,   BREAKER_OPEN   }, { 1681,   '?', 0,     BREAKER_HALF   }, /* the longest pause */
        { 1682,   't', 0,     BREAKER_CLOSED }, { 1690,   'f', 0,     BREAKER_OPEN   }, /* it worked for a moment only */
        { 1690,   '?', 350,   BREAKER_OPEN   }, { 9000,   '?', 0,     BREAKER_HALF   },
        { 9000,   'w', 0,     BREAKER_CLOSED }, { 9001,   'f', 0,     BREAKER_CLOSED },
        { 9002,   'f', 0,     BREAKER_CLOSED }, { 9003,   'f', 0,     BREAKER_OPEN   },
        { 9003,   '?', 100,   BREAKER_OPEN   }, { 99999,  '?', 0,     BREAKER_HALF   },
        { 99999,  'f', 0,     BREAKER_OPEN   }, /* half open, one failure is enough */
    };
    struct tn_breaker breaker;

    (void)state;
    tn_breaker_init(&breaker, 3, 1000, (struct tn_pause){ 100, 350 });
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        int wait = steps[i].what == '?' ? tn_breaker_wait(&breaker, steps[i].at) : 0;

        if (steps[i].what == 'f')
            tn_breaker_failed(&breaker, steps[i].at);
        else if (steps[i].what == 't')
            tn_breaker_tried(&breaker);
        else if (steps[i].what == 'w')
            tn_breaker_works(&breaker);
        if (wait != steps[i].want || breaker.state != steps[i].state)
            fail_msg("step %zu: %d ms, %s", i, wait, tn_breaker_name(breaker.state));
    }
}

static void may_never_open(void **state)
{
    struct tn_breaker breaker;

    (void)state;
    tn_breaker_init(&breaker, 0, 1000, (struct tn_pause){ 100, 350 });
    for (int i = 0; i < 1000; i++)
        tn_breaker_failed(&breaker, i);
    assert_int_equal(tn_breaker_wait(&breaker, 1000), 0);
    tn_breaker_init(&breaker, 1000000, 1000, (struct tn_pause){ 0, 0 });
    for (int i = 0; i < (int)BREAKER_TIMES_MAX; i++)
        tn_breaker_failed(&breaker, i);
    assert_int_equal(tn_breaker_wait(&breaker, 63), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(opens_and_closes),
                                        cmocka_unit_test(may_never_open) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
