/* share_bus_test.c - which messages are new: committed in any order, none is lost and none comes twice. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "kit/share_inside.h"

#define WRITERS  8
#define MESSAGES 10000

/* A row has its number before it can be seen: writers commit what they have in any order, and a reader looks now and then. */
static void none_is_lost(void **state)
{
    static bool        is_there[MESSAGES + 1];
    static int         seen[MESSAGES + 1];
    struct share_place place         = { .last = 0 };
    int64_t            held[WRITERS] = { 0 }, given = 0, committed = 0, top = 0, reread = 0;

    (void)state;
    srand(7);
    while (committed < MESSAGES) {
        int writer = rand() % WRITERS;

        if (held[writer] == 0 && given < MESSAGES) {
            held[writer] = ++given;
        } else if (held[writer] > 0) {
            is_there[held[writer]] = true;
            top                    = held[writer] > top ? held[writer] : top;
            held[writer]           = 0;
            committed++;
        }
        if (rand() % 4 != 0 && committed < MESSAGES)
            continue;
        for (int64_t id = share_place_from(&place); id <= top; id++) {
            reread += is_there[id];
            seen[id] += is_there[id] && share_place_take(&place, id, committed / 100);
        }
        share_place_forget(&place, committed / 100);
    }
    for (int64_t id = 1; id <= MESSAGES; id++)
        assert_int_equal(seen[id], 1);
    assert_true(reread < MESSAGES * (WRITERS + 1)); /* what waits is few, and so is what is read again */
}

static void what_was_rolled_back_is_forgotten(void **state)
{
    struct share_place place = { .last = 10 };

    (void)state;
    assert_true(share_place_take(&place, 13, 1000));
    assert_int_equal(share_place_from(&place), 11);
    assert_false(share_place_take(&place, 13, 1000)); /* it was seen */
    assert_true(share_place_take(&place, 12, 2000));  /* came late */
    assert_false(share_place_take(&place, 12, 2000));
    share_place_forget(&place, 1000 + SHARE_GAP_MS);
    assert_int_equal(share_place_from(&place), 11);
    share_place_forget(&place, 1001 + SHARE_GAP_MS);
    assert_int_equal(share_place_from(&place), 14);
    assert_false(share_place_take(&place, 11, 99999));
}

/* A sequence that jumps, as after a failover, is no million messages that are being written. */
static void a_jump(void **state)
{
    struct share_place place = { .last = 5 };

    (void)state;
    assert_true(share_place_take(&place, 1000005, 0));
    assert_int_equal(place.gap_count, SHARE_GAPS);
    assert_int_equal(share_place_from(&place), 1000005 - SHARE_GAPS);
    for (int64_t id = 1000105; id < 1002005; id += 100) /* and again, and again */
        assert_true(share_place_take(&place, id, 0));
    assert_int_equal(place.gap_count, SHARE_GAPS);
    assert_int_equal(place.gaps[SHARE_GAPS - 1].id, 1001904);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(none_is_lost),
        cmocka_unit_test(what_was_rolled_back_is_forgotten),
        cmocka_unit_test(a_jump),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
