/* status_test.c - the version and the words of the statuses. */
#include <stdio.h>
#include <string.h>

#include <tenon/base.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void version_is_that_of_the_header(void **state)
{
    char want[40];

    (void)state;
    snprintf(want, sizeof want, "%d.%d.%d", TENON_VERSION_MAJOR, TENON_VERSION_MINOR, TENON_VERSION_PATCH);
    assert_string_equal(tenon_version(), want);
    assert_int_equal(TENON_VERSION,
                     TENON_VERSION_MAJOR * 1000000 + TENON_VERSION_MINOR * 1000 + TENON_VERSION_PATCH);
#if TENON_VERSION < 1000 || TENON_VERSION >= 1000000000
    fail_msg("no number that #if can use");
#endif
}

static void every_status_has_its_own_words(void **state)
{
    (void)state;
    for (int a = TENON_OK; a <= TENON_E_IO; a++) {
        assert_string_not_equal(tenon_status_text((tenon_status)a), "unknown status");
        for (int b = TENON_OK; b < a; b++)
            assert_string_not_equal(tenon_status_text((tenon_status)a), tenon_status_text((tenon_status)b));
    }
    assert_string_equal(tenon_status_text((tenon_status)(TENON_E_IO + 1)), "unknown status");
    assert_string_equal(tenon_status_text((tenon_status)-1), "unknown status");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(version_is_that_of_the_header),
        cmocka_unit_test(every_status_has_its_own_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
