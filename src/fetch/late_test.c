/* late_test.c - functions of a library that is there, that it does not have, and of one that is not there. */
#define _GNU_SOURCE
#include "fetch/late.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static struct tn_late there  = { .file = "libc.so.6" }; /* as glibc names it */
static struct tn_late absent = { .file = "libtenon-no-such-library.so.7" };

int  missing_function(int number);
void missing_action(int *count);

/* In the place of the C library's own, as far as this program goes. */
LATE(there, -1, long, a64l, (const char *text), (text))
LATE(there, -7, int, missing_function, (int number), (number))
LATE_VOID(absent, missing_action, (int *count), (count))

static void a_function_leads_to_the_librarys(void **state)
{
    (void)state;
#ifndef __GLIBC__
    print_message("the C library has another name here: not tested\n");
    skip();
#endif
    assert_null(atomic_load(&there.handle));
    assert_int_equal(a64l("1"), 3);
    assert_int_equal(a64l("/."), 1);
    assert_non_null(atomic_load(&there.handle));
}

static void what_is_missing_returns_what_is_meant_for_that(void **state)
{
    int count = 3;

    (void)state;
    assert_int_equal(missing_function(5), -7);
    missing_action(&count);
    assert_int_equal(count, 3);
    assert_null(atomic_load(&absent.handle));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_function_leads_to_the_librarys),
        cmocka_unit_test(what_is_missing_returns_what_is_meant_for_that),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
