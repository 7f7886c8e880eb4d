/* meaning_test.c - the floor of a collection, the order by meaning and words, and what passes half. */
#include "docs/search/meaning.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const struct floor floor_03 = { .is_known = true, .is_separable = true, .cosine = 0.3 };

static void floors_follow_probes(void **state)
{
    static const float same[4] = { 0.2f, 0.2f, 0.2f, 0.2f }, spread[4] = { 0.1f, 0.3f, 0.1f, 0.3f },
                       near_one[4] = { 0.80f, 0.82f, 0.84f, 0.86f };
    struct floor floor;

    (void)state;
    floor = floor_from(same, 4);
    assert_true(floor.is_known && floor.is_separable && floor.cosine > 0.199 && floor.cosine < 0.201);
    floor = floor_from(spread, 4);
    assert_true(floor.cosine > 0.449 && floor.cosine < 0.451); /* 0.2 and 2.5 times 0.1 */
    floor = floor_from(near_one, 4);
    assert_true(floor.is_known && !floor.is_separable);
}

static void probes_are_there(void **state)
{
    (void)state;
    for (size_t i = 0; i < PROBE_COUNT; i++)
        assert_true(floor_probes[i] && strlen(floor_probes[i]) > 10);
}

static const struct { double words, cosine, least, most; } relevances[] = {
    { 0.0, 0.7,  0.85, 0.96 }, /* the best */
    { 0.0, 0.5,  0.49, 0.51 }, /* half way from the floor */
    { 0.0, 0.4,  0.24, 0.26 },
    { 0.0, 0.3,  0.00, 0.02 }, /* the floor: nothing */
    { 0.0, 0.1,  0.00, 0.02 },
    { 0.9, 0.1,  0.70, 0.80 }, /* words alone, which the model does not support */
    { 0.9, 0.5,  0.95, 1.00 },
};

static void half_is_half_way(void **state)
{
    struct meaning meaning = { .floor = floor_03, .median = 0.1, .best = 0.7, .words = 0.9 };

    (void)state;
    for (size_t i = 0; i < sizeof relevances / sizeof *relevances; i++) {
        struct evidence evidence = { .saturated  = relevances[i].words,
                                     .cosine     = relevances[i].cosine,
                                     .has_cosine = true };
        double          found    = meaning_relevance(&meaning, &evidence);

        assert_true(found >= relevances[i].least && found <= relevances[i].most);
    }
}

/* Just above the floor and without its words, a question is about something else. */
static void neighbours_do_not_pass(void **state)
{
    struct meaning  meaning = { .floor = floor_03, .median = 0.1, .best = 0.35, .words = 0.02 };
    struct evidence best    = { .saturated = 0.02, .cosine = 0.35, .has_cosine = true },
                    wordy   = { .saturated = 0.3 };

    (void)state;
    assert_true(meaning_relevance(&meaning, &best) < 0.3);
    meaning.words = 0.9;
    assert_true(meaning_relevance(&meaning, &best) > 0.5);
    meaning.best     = 0.2;
    wordy.has_cosine = true; /* of 0 */
    assert_true(meaning_relevance(&meaning, &wordy) < 0.5);
}

/* Without a floor, or with one that separates nothing, only words pass; the order still has both. */
static void ranks_without_a_floor(void **state)
{
    struct meaning meaning = {
        .floor = { .is_known = true, .cosine = 0.9 }, .median = 0.8, .best = 0.95, .words = 0.5
    };
    struct evidence near = { .cosine = 0.95, .has_cosine = true },
                    far  = { .cosine = 0.8, .has_cosine = true },
                    both = { .saturated = 0.5, .cosine = 0.95, .has_cosine = true },
                    only = { .saturated = 0.5 };

    (void)state;
    assert_true(meaning_relevance(&meaning, &near) < 0.05);
    meaning.floor.is_known = false;
    assert_true(meaning_relevance(&meaning, &near) < 0.05);
    assert_true(meaning_order(&meaning, &near) > meaning_order(&meaning, &far));
    assert_true(meaning_order(&meaning, &both) > 0.999 && meaning_order(&meaning, &both) < 1.001);
    assert_true(meaning_order(&meaning, &only) > 0.999); /* not embedded yet: its words stand for all */
}

static void medians(void **state)
{
    float odd[5] = { 5, 1, 4, 2, 3 };

    (void)state;
    assert_true(meaning_median(odd, 5) > 2.9 && meaning_median(odd, 5) < 3.1);
    assert_true(meaning_median(odd, 0) > -0.1 && meaning_median(odd, 0) < 0.1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(floors_follow_probes),   cmocka_unit_test(probes_are_there),
        cmocka_unit_test(half_is_half_way),       cmocka_unit_test(ranks_without_a_floor),
        cmocka_unit_test(neighbours_do_not_pass), cmocka_unit_test(medians),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
