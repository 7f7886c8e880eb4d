/* names_test.c - names of several upstreams: sanitised, cut, hashed where two become one, and kept. */
#include "guard/route/names.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

static struct tn_upstream upstreams[] = {
    { .name = "files", .at = 0, .prefix = "fs_" },
    { .name = "my web", .at = 1 },
    { .name = "bare", .at = 2, .prefix = "" },
};

struct fixture {
    struct tn_names names;
    struct tn_arena scratch;
};

static void set_up(struct fixture *fixture, size_t len_max)
{
    tenon_allocator memory = tn_memory_of(NULL);

    tn_names_init(&fixture->names, &memory, upstreams, COUNT_OF(upstreams), len_max);
    tn_arena_init(&fixture->scratch, &memory, 0);
}

static void tear_down(struct fixture *fixture)
{
    tn_arena_free(&fixture->scratch);
    tn_names_free(&fixture->names);
}

static struct tn_naming publish_one(struct fixture *fixture, size_t upstream, const char *own)
{
    struct tn_naming one = { .own = tn_slice_of(own) };

    assert_true(tn_names_publish(&fixture->names, &upstreams[upstream], &one, 1, &fixture->scratch));
    return one;
}

static void assert_text(struct tn_slice slice, const char *text)
{
    if (!tn_slice_is(slice, text))
        fail_msg("%.*s is not %s", (int)slice.len, slice.at, text);
}

static void test_prefix_and_characters(void **state)
{
    static const struct {
        size_t      upstream;
        const char *own, *published;
    } cases[] = {
        { 0, "read", "fs_read" },         { 0, "a.b/c d", "fs_a_b_c_d" }, { 0, "caf\xc3\xa9", "fs_caf__" },
        { 1, "search", "my_web_search" }, { 2, "Plain-1", "Plain-1" },
    };
    struct fixture fixture;

    (void)state;
    set_up(&fixture, 0);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const struct tn_name *found;

        assert_text(publish_one(&fixture, cases[i].upstream, cases[i].own).published, cases[i].published);
        found = tn_names_find(&fixture.names, tn_slice_of(cases[i].published));
        assert_ptr_equal(found->upstream, &upstreams[cases[i].upstream]);
        assert_text(found->own, cases[i].own);
    }
    assert_null(tn_names_find(&fixture.names, SLICE_LIT("fs_nothing")));
    tear_down(&fixture);
}

/* Long names that differ only at their end stay different, and say so the same way every time. */
static void test_long_names_are_cut_and_hashed(void **state)
{
    char             own[201] = { 0 };
    struct fixture   fixture;
    struct tn_naming a, b, again;

    (void)state;
    set_up(&fixture, 0);
    memset(own, 'x', 200);
    a        = publish_one(&fixture, 0, own);
    own[199] = 'y';
    b        = publish_one(&fixture, 0, own);
    again    = publish_one(&fixture, 0, own);
    assert_int_equal(a.published.len, 64);
    assert_int_equal(b.published.len, 64);
    assert_memory_equal(a.published.at, b.published.at, 54);
    assert_int_equal(a.published.at[53], '_');
    assert_false(tn_slice_same(a.published, b.published));
    assert_true(tn_slice_same(again.published, b.published));
    tear_down(&fixture);
    set_up(&fixture, 32);
    assert_int_equal(publish_one(&fixture, 0, own).published.len, 32);
    tear_down(&fixture);
}

static void test_two_that_become_one_both_get_the_hash(void **state)
{
    struct fixture   fixture;
    struct tn_naming all[] = { { .own = SLICE_LIT("a.b") },
                               { .own = SLICE_LIT("other") },
                               { .own = SLICE_LIT("a b") } };
    struct tn_naming later;

    (void)state;
    set_up(&fixture, 0);
    assert_true(tn_names_publish(&fixture.names, &upstreams[0], all, COUNT_OF(all), &fixture.scratch));
    assert_int_equal(all[0].published.len, strlen("fs_a_b_") + 10);
    assert_int_equal(all[2].published.len, strlen("fs_a_b_") + 10);
    assert_false(tn_slice_same(all[0].published, all[2].published));
    assert_text(all[1].published, "fs_other");
    assert_text(publish_one(&fixture, 0, "c.d").published, "fs_c_d");
    later = publish_one(&fixture, 0, "c d"); /* the name of "c.d" is not taken from it */
    assert_int_equal(later.published.len, strlen("fs_c_d_") + 10);
    tear_down(&fixture);
}

static void test_a_name_stays_with_its_upstream(void **state)
{
    struct fixture   fixture;
    struct tn_naming one;

    (void)state;
    set_up(&fixture, 0);
    one = publish_one(&fixture, 2, "fs_read");
    assert_int_equal(one.fault, NAMING_RESERVED);
    assert_ptr_equal(one.other, &upstreams[0]);
    assert_int_equal(one.published.len, 0);
    upstreams[0].prefix = "";
    assert_text(publish_one(&fixture, 2, "same").published, "same");
    one = publish_one(&fixture, 0, "same"); /* no client has seen it yet */
    assert_text(one.published, "same");
    assert_ptr_equal(one.other, &upstreams[2]);
    assert_int_equal(publish_one(&fixture, 2, "same").fault, NAMING_TAKEN);
    assert_text(publish_one(&fixture, 2, "seen").published, "seen");
    assert_true(tn_names_has(&fixture.names, &upstreams[2], SLICE_LIT("seen")));
    one = publish_one(&fixture, 0, "seen");
    assert_int_equal(one.fault, NAMING_TAKEN);
    assert_ptr_equal(one.other, &upstreams[2]);
    upstreams[0].prefix = "fs_";
    tear_down(&fixture);
}

static void test_one_upstream_without_prefix_keeps_its_names(void **state)
{
    static const struct tn_upstream alone  = { .name = "alone", .prefix = "" };
    tenon_allocator                 memory = tn_memory_of(NULL);
    struct fixture                  fixture;
    struct tn_naming                one = { .own = SLICE_LIT("odd name/with everything") };

    (void)state;
    tn_names_init(&fixture.names, &memory, &alone, 1, 0);
    tn_arena_init(&fixture.scratch, &memory, 0);
    assert_true(tn_names_publish(&fixture.names, &alone, &one, 1, &fixture.scratch));
    assert_text(one.published, "odd name/with everything");
    tear_down(&fixture);
}

static void test_names_are_bounded(void **state)
{
    struct fixture   fixture;
    char             own[2000];
    struct tn_naming one = { 0 };

    (void)state;
    set_up(&fixture, 0);
    memset(own, 'x', sizeof own - 1);
    own[sizeof own - 1] = '\0';
    assert_int_equal(publish_one(&fixture, 0, own).fault, NAMING_LONG);
    for (size_t i = 0; i <= NAMES_EACH_MAX; i++) {
        snprintf(own, sizeof own, "n%zu", i);
        one = publish_one(&fixture, 0, own);
    }
    assert_int_equal(one.fault, NAMING_MANY);
    assert_text(publish_one(&fixture, 2, "still").published, "still");
    tear_down(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_prefix_and_characters),
        cmocka_unit_test(test_long_names_are_cut_and_hashed),
        cmocka_unit_test(test_two_that_become_one_both_get_the_hash),
        cmocka_unit_test(test_a_name_stays_with_its_upstream),
        cmocka_unit_test(test_one_upstream_without_prefix_keeps_its_names),
        cmocka_unit_test(test_names_are_bounded),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
