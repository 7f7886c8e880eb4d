/* errors_test.c - the table, and texts with names in braces. */
#include "answer/errors.h"

#include "support/answer.h"

static void finds_codes(void **state)
{
    static const tenon_error    own[]  = { { "OWN", "x", true } };
    const struct tn_error_table table  = { own, 1 };
    static const char *const    ours[] = { "VALIDATION_ERROR", "NOT_FOUND",      "CONFLICT",
                                           "DENIED",           "UNAVAILABLE",    "TIMEOUT",
                                           "CANCELLED",        "LIMIT_EXCEEDED", "INTERNAL_ERROR" };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(ours); i++)
        assert_string_equal(tn_errors_find(&table, ours[i])->code, ours[i]);
    assert_ptr_equal(tn_errors_find(&table, "OWN"), own);
    assert_null(tn_errors_find(&table, "OTHER"));
    assert_null(tn_errors_find(&table, NULL));
}

static void expands(void **state)
{
    static const struct { const char *text, *want; size_t logged; } cases[] = {
        { "plain",              "plain",             0 },
        { "{a}",                "one\\n",            0 },
        { "x{a}y{bc}z",         "xone\\nytwoz",      0 },
        { "{d}",                "{d}",               1 },
        { "{}{{a}{",            "{}{one\\n{",        0 },
        { "{a",                 "{a",                0 },
        { "",                   "",                  0 },
    };
    struct tn_details details = { .count = 0 };
    struct tn_arena   arena;

    (void)state;
    tn_arena_init(&arena, NULL, 0);
    tn_details_put(&details, (struct tn_detail){ SLICE_LIT("a"), SLICE_LIT("1"), SLICE_LIT("one\n") });
    tn_details_put(&details, (struct tn_detail){ SLICE_LIT("bc"), SLICE_LIT("2"), SLICE_LIT("two") });
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        tenon_error     error = { "CODE", cases[i].text, false };
        struct log_kept kept  = { .count = 0 };
        struct tn_log   log   = { keep_log, &kept };
        struct tn_buf   out;

        tn_buf_init(&out, &arena, 0, 1000);
        tn_errors_expand(&out, &error, &details, &log);
        assert_string_equal(tn_buf_end(&out), cases[i].want);
        assert_int_equal(kept.count, cases[i].logged);
    }
    tn_arena_free(&arena);
}

static void bounds_details(void **state)
{
    static char       big[DETAILS_LEN_MAX];
    struct tn_details details = { .count = 0 };

    (void)state;
    memset(big, '1', sizeof big);
    tn_details_put(&details, (struct tn_detail){ SLICE_LIT("a"), { big, 5000 }, SLICE_LIT("") });
    assert_false(details.lost);
    tn_details_put(&details, (struct tn_detail){ SLICE_LIT("b"), { big, 5000 }, SLICE_LIT("") });
    assert_true(details.lost);
    tn_details_put(&details, (struct tn_detail){ SLICE_LIT("a"), { big, 10 }, SLICE_LIT("") });
    tn_details_put(&details, (struct tn_detail){ SLICE_LIT("b"), { big, 5000 }, SLICE_LIT("") });
    assert_int_equal(details.count, 2);
    assert_int_equal(details.len, 5012);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_codes),
        cmocka_unit_test(expands),
        cmocka_unit_test(bounds_details),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
