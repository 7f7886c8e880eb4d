/* decimal_test.c - numbers of every kind against each other, and exponents that must cost nothing. */
#include "text/decimal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/arena.h"
#include "json/read.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

static yyjson_val *read_number(struct tn_arena *arena, const char *text)
{
    yyjson_val *number = tn_json_read_number(arena, text, strlen(text));

    if (!number)
        fail_msg("%s is no number", text);
    return number;
}

/* The same number as a literal that was not read. */
static yyjson_val as_raw(const char *text)
{
    yyjson_val raw = { 0 };

    unsafe_yyjson_set_raw(&raw, text, strlen(text));
    return raw;
}

static void compares(void **state)
{
    static const struct { const char *a, *b; int want; } cases[] = {
        { "0",                                   "0",                      0  },
        { "0",                                   "-0",                     0  },
        { "0.0",                                 "-0e5",                   0  },
        { "1",                                   "1.0",                    0  },
        { "1e3",                                 "1000",                   0  },
        { "1",                                   "2",                      -1 },
        { "-1",                                  "1",                      -1 },
        { "-1",                                  "-2",                     1  },
        { "0",                                   "1e-300",                 -1 },
        { "0",                                   "-1e-300",                1  },
        { "0.1",                                 "0.10",                   0  },
        { "0.1",                                 "0.11",                   -1 },
        { "1.5",                                 "1",                      1  },
        { "-1.5",                                "-1",                     -1 },
        { "9007199254740993",                    "9007199254740992.0",     1  },
        { "9007199254740993",                    "9007199254740994.0",     -1 },
        { "9223372036854775807",                 "9223372036854775808",    -1 },
        { "-9223372036854775808",                "9223372036854775808",    -1 },
        { "18446744073709551615",                "18446744073709551616",   -1 },
        { "18446744073709551616",                "18446744073709551616.0", -1 },
        { "18446744073709551615",                "1.8446744073709552e19",  -1 },
        { "18446744073709552000",                "1.8446744073709552e19",  0  },
        { "100000000000000000000",               "1e20",                   0  },
        { "100000000000000000001",               "1e20",                   1  },
        { "-100000000000000000001",              "-1e20",                  -1 },
        { "1e400",                               "1e399",                  1  },
        { "1e400",                               "10e399",                 0  },
        { "-1e400",                              "1e400",                  -1 },
        { "1e400",                               "0.01e402",               0  },
        { "123456789012345678901234567890",      "123456789012345678901234567891", -1 },
        { "12345678901234567890.5e400",          "123456789012345678905e399", 0 },
        { "12345678901234567890.5e400",          "12345678901234567890.51e400", -1 },
        { "1e1000000000",                        "1e1000000001",           -1 },
        { "1e99999999999999999999999",           "1e400",                  1  },
        { "1e400",                               "1e-400",                 1  },
    };
    struct tn_arena arena;

    (void)state;
    tn_arena_init(&arena, NULL, 0);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        yyjson_val *a = read_number(&arena, cases[i].a), *b = read_number(&arena, cases[i].b);

        if (tn_decimal_compare(a, b) != cases[i].want || tn_decimal_compare(b, a) != -cases[i].want)
            fail_msg("%s against %s", cases[i].a, cases[i].b);
        if (cases[i].want == 0 && tn_decimal_hash(a) != tn_decimal_hash(b))
            fail_msg("%s and %s differ in hash", cases[i].a, cases[i].b);
    }
    tn_arena_free(&arena);
}

/* However a number is held, it is the same number. */
static void takes_literals_as_what_they_say(void **state)
{
    static const char *const cases[] = {
        "0",
        "-0",
        "0.000",
        "12",
        "-12.50",
        "1200",
        "1200.00",
        "0.05",
        "5e-2",
        "1E+2",
        "100e-20",
        "0.1e-5",
        "1e22",
        "5e-324",
        "4503599627370495.5",
        "18446744073709551615",
    };
    struct tn_arena arena;

    (void)state;
    tn_arena_init(&arena, NULL, 0);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        yyjson_val *read = read_number(&arena, cases[i]);
        yyjson_val  raw  = as_raw(cases[i]);

        if (tn_decimal_compare(read, &raw) != 0 || tn_decimal_hash(read) != tn_decimal_hash(&raw) ||
            tn_decimal_is_integer(read) != tn_decimal_is_integer(&raw))
            fail_msg("%s as a literal is another number", cases[i]);
    }
    tn_arena_free(&arena);
}

static void divides(void **state)
{
    static const struct { const char *a, *b; bool want; } cases[] = {
        { "10",                                       "2",                    true  },
        { "7",                                        "2",                    false },
        { "0",                                        "3",                    true  },
        { "0.0",                                      "0.3",                  true  },
        { "-4",                                       "2",                    true  },
        { "4.0",                                      "2",                    true  },
        { "4.5",                                      "1.5",                  true  },
        { "35",                                       "1.5",                  false },
        { "0.0075",                                   "0.0001",               true  },
        { "0.00751",                                  "0.0001",               false },
        { "0.3",                                      "0.1",                  true  },
        { "1.1",                                      "0.1",                  true  },
        { "19.99",                                    "0.01",                 true  },
        { "12391239123",                              "1e-8",                 true  },
        { "1e308",                                    "0.123456789",          false },
        { "1e308",                                    "0.5",                  true  },
        { "1e-300",                                   "1e-301",               true  },
        { "1e-301",                                   "1e-300",               false },
        { "18446744073709551615",                     "5",                    true  },
        { "18446744073709551615",                     "18446744073709551615", true  },
        { "18446744073709551616",                     "2",                    true  },
        { "18446744073709551617",                     "2",                    false },
        { "18446744073709551616",                     "1.8446744073709552e19", false },
        { "340282366920938463463374607431768211456",  "18446744073709551616", true  },
        { "340282366920938463463374607431768211457",  "18446744073709551616", false },
        { "2e400",                                    "1e399",                true  },
        { "1e1000000000",                             "7",                    false },
        { "7e1000000000",                             "7",                    true  },
        { "1e1000000000",                             "9223372036854775808",  true  },
        { "1e1000000000",                             "3e999999999",          false },
        { "3e1000000000",                             "3e999999999",          true  },
        { "1e400",                                    "3.5e-200",             false },
        { "7e400",                                    "3.5e-200",             true  },
        { "1e400",                                    "10633823966279326983230456482242756608", false },
        { "1e400",                                    "2417851639229258349412352", true }, /* 2^81 */
        { "1e80",                                     "2417851639229258349412352", false },
        { "1e81",                                     "2417851639229258349412352", true },
        { "99999999999999999999999999999999999980",   "9999999999999999999999999999999999998", true },
        { "99999999999999999999999999999999999981",   "9999999999999999999999999999999999998", false },
        { "5",                                        "0",                    false },
        { "5",                                        "-5",                   false },
        /* Beyond the longest divisor. */
        { "123456789012345678901234567890123456789",     "123456789012345678901234567890123456789", true },
        { "1234567890123456789012345678901234567890e400", "123456789012345678901234567890123456789", true },
        { "246913578024691357802469135780246913578",     "123456789012345678901234567890123456789", false },
    };
    struct tn_arena arena;

    (void)state;
    tn_arena_init(&arena, NULL, 0);
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        if (tn_decimal_multiple(read_number(&arena, cases[i].a), read_number(&arena, cases[i].b)) !=
            cases[i].want)
            fail_msg("%s by %s", cases[i].a, cases[i].b);
    tn_arena_free(&arena);
}

static void knows_integers(void **state)
{
    static const struct { const char *text; bool integer; } cases[] = {
        { "1",                                        true },
        { "1.0",                                      true },
        { "1.5",                                      false },
        { "1e3",                                      true },
        { "1e-3",                                     false },
        { "1e300",                                    true },
        { "1e400",                                    true },
        { "-1e400",                                   true },
        { "15e399",                                   true },
        { "0",                                        true },
        { "0.0",                                      true },
        { "-1",                                       true },
        { "0.0001",                                   false },
        { "9007199254740993.0",                       true },
        { "4503599627370495.5",                       false },
        { "1234567890123456789012345678901234567",    true },
        { "12345678901234567890123456789012345678",   true },
        { "12345678901234567890123456789012345670",   true },
    };
    struct tn_arena arena;

    (void)state;
    tn_arena_init(&arena, NULL, 0);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        yyjson_val *number = read_number(&arena, cases[i].text);

        if (tn_decimal_is_integer(number) != cases[i].integer)
            fail_msg("%s", cases[i].text);
    }
    tn_arena_free(&arena);
}

/* Random decimals of few digits, against the same arithmetic on scaled integers. */
static void agrees_with_integers(void **state)
{
    static const int64_t scale[] = { 1, 10, 100, 1000, 10000 };

    (void)state;
    srand(7);
    for (int i = 0; i < 20000; i++) {
        int        places_a = rand() % 5, places_b = rand() % 5;
        int64_t    a = rand() % 20001 - 10000, b = rand() % 999 + 1;
        int64_t    x = a * scale[4 - places_a], y = b * scale[4 - places_b];
        char       a_text[40], b_text[40];
        yyjson_val a_raw, b_raw, a_real = { 0 }, b_real = { 0 };
        int        order = (x > y) - (x < y);

        snprintf(a_text, sizeof a_text, "%llde-%d", (long long)a, places_a);
        snprintf(b_text, sizeof b_text, "%llde-%d", (long long)b, places_b);
        a_raw = as_raw(a_text);
        b_raw = as_raw(b_text);
        unsafe_yyjson_set_real(&a_real, strtod(a_text, NULL));
        unsafe_yyjson_set_real(&b_real, strtod(b_text, NULL));
        if (tn_decimal_compare(&a_raw, &b_raw) != order || tn_decimal_compare(&a_real, &b_real) != order ||
            tn_decimal_compare(&a_raw, &b_real) != order ||
            tn_decimal_multiple(&a_raw, &b_raw) != (x % y == 0) ||
            tn_decimal_multiple(&a_real, &b_real) != (x % y == 0) ||
            tn_decimal_compare(&a_raw, &a_real) != 0 || tn_decimal_hash(&a_raw) != tn_decimal_hash(&a_real) ||
            tn_decimal_is_integer(&a_real) != (x % 10000 == 0))
            fail_msg("%s and %s", a_text, b_text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(compares),
        cmocka_unit_test(takes_literals_as_what_they_say),
        cmocka_unit_test(divides),
        cmocka_unit_test(knows_integers),
        cmocka_unit_test(agrees_with_integers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
