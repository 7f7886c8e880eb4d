/* ascii_test.c - every byte. */
#include "base/ascii.h"

#include <limits.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void knows_every_byte(void **state)
{
    static const char digits[]  = "0123456789";
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    static const char lower[] = "0123456789abcdef", upper[] = "0123456789ABCDEF";

    (void)state;
    for (int i = CHAR_MIN; i <= CHAR_MAX; i++) {
        char        c    = (char)i;
        const char *at   = memchr(lower, c, sizeof lower - 1);
        const char *up   = memchr(upper, c, sizeof upper - 1);
        int         want = at ? (int)(at - lower) : up ? (int)(up - upper) : -1;

        assert_int_equal(tn_ascii_is_digit(c), memchr(digits, c, sizeof digits - 1) != NULL);
        assert_int_equal(tn_ascii_is_letter(c), memchr(letters, c, sizeof letters - 1) != NULL);
        assert_int_equal(tn_ascii_hex_value(c), want);
        assert_int_equal(tn_ascii_is_hex(c), want >= 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(knows_every_byte),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
