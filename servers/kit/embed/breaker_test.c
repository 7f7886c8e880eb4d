/* breaker_test.c - a circuit breaker, through scripts of time, requests and outcomes. */
#include "kit/embed/breaker.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

static int64_t read_clock(void *user)
{
    return *(int64_t *)user;
}

/* Each letter is a step, and the answer has one letter for each state that was asked for or request that was refused.
 *
 *   p f a    a request that passes, fails, is abandoned          b B    begins one of two that stay under way
 *   e E      the one under way passes; x X  fails; y  is abandoned (the first)
 *   s m w    a second, ten seconds, a millisecond later          ?      C, O or H: closed, open, half-open
 */
static void play(struct breaker *breaker, int64_t *now, const char *steps, char *said)
{
    struct breaker_pass under_way[2] = { 0 }, pass;
    size_t              len          = 0;

    for (const char *step = steps; *step; step++) {
        static const char finals[] = "pfaexyEX";
        const char       *final    = strchr(finals, *step);

        if (*step == 's' || *step == 'm' || *step == 'w')
            *now += *step == 's' ? 1000 : *step == 'm' ? 10000 : 1;
        else if (*step == '?')
            said[len++] = "COH"[breaker_state(breaker, &(int){ 0 })];
        else if (*step == 'b' || *step == 'B') {
            if (!breaker_enter(breaker, &under_way[*step == 'B']))
                said[len++] = '-';
        } else if (final && final - finals < 3) {
            if (breaker_enter(breaker, &pass))
                breaker_leave(breaker, pass, (enum breaker_outcome)(final - finals));
            else
                said[len++] = '-';
        } else if (final && final - finals < 6)
            breaker_leave(breaker, under_way[0], (enum breaker_outcome)(final - finals - 3));
        else if (final)
            breaker_leave(breaker, under_way[1], (enum breaker_outcome)(final - finals - 6));
        else
            fail_msg("no such step: %c", *step);
    }
    said[len] = '\0';
}

static const struct { const char *steps, *want; } cases[] = {
    { "?p?f?",              "CCC"   },
    { "ffff?f?p?",          "CO-O"  }, /* four say nothing yet */
    { "ppppp?fff?ff?",      "CCO"   }, /* half of them */
    { "ppppfff?f?",         "CO"    },
    { "aaaaaaaaff?",        "C"     }, /* what was given up does not count */
    { "ffffmmmf?",          "C"     }, /* out of the window */
    { "ffffmmsssssssssf?",  "O"     }, /* 29 s later: within it */
    { "ffffmmssssssssssf?", "C"     },
    { "fffffmmsssssssss?p", "O-"    }, /* open for 30 s, to the millisecond */
    { "fffffmmm?p?",        "HC"    },
    { "fffffmmmf?p",        "O-"    }, /* the probe failed */
    { "fffffmmmfmmm?p?",    "HC"    },
    { "fffffmmmbp?e?p",     "-HC"   }, /* one probe at a time */
    { "fffffmmmbx?",        "O"     },
    { "fffffmmmby?p?",      "HC"    }, /* given up: another may try */
    { "fffffmmmaap?",       "C"     },
    { "bfffffx?mmmp?",      "OC"    }, /* what began before says nothing */
    { "bfffffmmmx?e?p?",    "HHC"   },
    { "bfffffmmmBx?E?",     "HC"    },
    { "fffffmmmp?ffff?f?",  "CCO"   }, /* it begins anew */
    { "pfpfp?f?",           "CO"    },
    { "ppfppfppfppfppf?",   "C"     },
};

static void plays_scripts(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct breaker breaker;
        int64_t        now = 123456;
        char           said[100];

        assert_true(breaker_init(&breaker, read_clock, &now));
        play(&breaker, &now, cases[i].steps, said);
        if (strcmp(said, cases[i].want))
            fail_msg("%s: %s, not %s", cases[i].steps, said, cases[i].want);
        breaker_free(&breaker);
    }
}

static void says_when_to_come_back(void **state)
{
    static const struct { int64_t later; int want; enum circuit circuit; } times[] = {
        { 0, 30, CIRCUIT_OPEN },      { 1, 30, CIRCUIT_OPEN },      { 999, 29, CIRCUIT_OPEN },
        { 28000, 1, CIRCUIT_OPEN },   { 999, 1, CIRCUIT_OPEN },     { 1, 0, CIRCUIT_HALF_OPEN },
        { 9999, 0, CIRCUIT_HALF_OPEN },
    };
    struct breaker breaker;
    int64_t        now = 0;
    char           said[100];
    int            after;

    (void)state;
    assert_true(breaker_init(&breaker, read_clock, &now));
    assert_int_equal(breaker_state(&breaker, &after), CIRCUIT_CLOSED);
    assert_int_equal(after, 0);
    play(&breaker, &now, "fffff", said);
    for (size_t i = 0; i < COUNT_OF(times); i++) {
        now += times[i].later;
        assert_int_equal(breaker_state(&breaker, &after), times[i].circuit);
        assert_int_equal(after, times[i].want);
    }
    breaker_free(&breaker);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plays_scripts),
        cmocka_unit_test(says_when_to_come_back),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
