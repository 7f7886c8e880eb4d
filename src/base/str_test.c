/* str_test.c - slices, and the distance of names against a plain reference. */
#include "base/str.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

static void trims(void **state)
{
    static const struct { const char *text, *want; } cases[] = {
        { "",             ""      },
        { " ",            ""      },
        { " \t\r\n ",     ""      },
        { "a",            "a"     },
        { "  a b\t\n",    "a b"   },
        { "\v\f",         "\v\f"  },
        { "\xC2\xA0x ",   "\xC2\xA0x" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        assert_true(tn_slice_is(tn_slice_trim(tn_slice_of(cases[i].text)), cases[i].want));
        assert_int_equal(tn_slice_blank(tn_slice_of(cases[i].text)), cases[i].want[0] == '\0');
    }
    assert_true(tn_slice_blank((struct tn_slice){ NULL, 0 }));
    assert_true(tn_slice_is((struct tn_slice){ NULL, 0 }, ""));
    assert_int_equal(tn_slice_of(NULL).len, 0);
    assert_non_null(tn_slice_of(NULL).at);
}

/* Every pair of bytes, alone and inside a word of eight. */
static void folds_a_word_as_its_characters(void **state)
{
    (void)state;
    for (int a = 0; a < 256; a++) {
        for (int b = 0; b < 256; b++) {
            char one[] = "Content?-Type", other[] = "cONTENT?-tYPE";
            bool same = tn_slice_fold_equal((struct tn_slice){ (char[]){ (char)a }, 1 },
                                            (struct tn_slice){ (char[]){ (char)b }, 1 });

            one[7]   = (char)a;
            other[7] = (char)b;
            assert_int_equal(
                tn_slice_fold_equal((struct tn_slice){ one, 13 }, (struct tn_slice){ other, 13 }), same);
        }
    }
}

/* Every length that is compared in another way, each character of it changed; not a byte behind them is looked at. */
static void folds_every_length(void **state)
{
    (void)state;
    for (size_t len = 1; len <= 40; len++) {
        for (size_t i = 0; i < len; i++) {
            char *one = malloc(len), *other = malloc(len);

            memset(one, 'q', len);
            memset(other, 'q', len);
            assert_true(tn_str_same(one, other, len));
            other[i] = 'Q';
            assert_true(tn_slice_fold_equal((struct tn_slice){ one, len }, (struct tn_slice){ other, len }));
            assert_false(tn_str_same(one, other, len));
            other[i] = '1';
            assert_false(tn_slice_fold_equal((struct tn_slice){ one, len }, (struct tn_slice){ other, len }));
            free(one);
            free(other);
        }
    }
}

static void compares(void **state)
{
    static const struct { struct tn_slice a; const char *b; bool same, folded; } cases[] = {
        { { "", 0 },     "",    true,  true  },
        { { "a", 1 },    "",    false, false },
        { { "abc", 3 },  "abc", true,  true  },
        { { "abc", 2 },  "abc", false, false },
        { { "aBC", 3 },  "Abc", false, true  },
        { { "a\0c", 3 }, "a",   false, false },
        { { "[", 1 },    "{",   false, false },
        { { "@", 1 },    "`",   false, false },
        { { "Z", 1 },    "z",   false, true  },
        { { "\xC3\x84", 2 }, "\xC3\xA4", false, false },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        assert_int_equal(tn_slice_is(cases[i].a, cases[i].b), cases[i].same);
        assert_int_equal(tn_slice_fold_equal(cases[i].a, tn_slice_of(cases[i].b)), cases[i].folded);
        assert_int_equal(tn_slice_fold_equal(tn_slice_of(cases[i].b), cases[i].a), cases[i].folded);
    }
}

static void splits(void **state)
{
    static const struct { const char *text, *want; } cases[] = {
        { "",     ""        },
        { "a",    "[a]"     },
        { "a,b",  "[a][b]"  },
        { "a,,b", "[a][][b]" },
        { ",a",   "[][a]"   },
        { "a,",   "[a]"     },
        { ",",    "[]"      },
        { ",,",   "[][]"    },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct tn_slice rest    = tn_slice_of(cases[i].text), part;
        char            got[40] = "";

        while (tn_slice_split(&rest, ',', &part)) {
            strcat(got, "[");
            strncat(got, part.at, part.len);
            strcat(got, "]");
        }
        assert_string_equal(got, cases[i].want);
    }
}

static void measures_names(void **state)
{
    static const struct { const char *a, *b; unsigned most, want; } cases[] = {
        { "",            "",            0,        0 },
        { "",            "ab",          2,        2 },
        { "",            "abc",         2,        3 },
        { "name",        "name",        0,        0 },
        { "name",        "nane",        0,        1 },
        { "max_source",  "max_sources", 2,        1 },
        { "maxSources",  "max_sources", 2,        1 },
        { "Max-Sources", "max_sources", 2,        0 },
        { "max sources", "MAX_SOURCES", 2,        0 },
        { "mxa",         "max",         2,        1 },
        { "ca",          "abc",         3,        3 }, /* no edit between swapped neighbours */
        { "abcd",        "badc",        3,        2 },
        { "kitten",      "sitting",     3,        3 },
        { "kitten",      "sitting",     2,        3 },
        { "query",       "limit",       2,        3 },
        { "abc",         "xyz",         UINT_MAX, 3 },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct tn_slice a = tn_slice_of(cases[i].a), b = tn_slice_of(cases[i].b);

        assert_int_equal(tn_str_distance(a, b, cases[i].most), cases[i].want);
        assert_int_equal(tn_str_distance(b, a, cases[i].most), cases[i].want);
    }
}

static void long_names_are_never_near(void **state)
{
    static const struct { size_t a, b; unsigned most, want; } cases[] = {
        { STR_NEAR_MAX,     STR_NEAR_MAX,     3,        0                },
        { STR_NEAR_MAX,     STR_NEAR_MAX - 2, 3,        2                },
        { STR_NEAR_MAX,     0,                UINT_MAX, STR_NEAR_MAX     },
        { STR_NEAR_MAX + 1, STR_NEAR_MAX + 1, 3,        4                },
        { STR_NEAR_MAX + 1, STR_NEAR_MAX,     3,        4                },
        { 1000,             1000,             UINT_MAX, STR_NEAR_MAX + 1 },
    };
    char text[1000];

    (void)state;
    memset(text, 'x', sizeof text);
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        assert_int_equal(tn_str_distance((struct tn_slice){ text, cases[i].a },
                                         (struct tn_slice){ text, cases[i].b }, cases[i].most),
                         cases[i].want);
}

/* The whole table, no band and no early end. */
static unsigned reference_distance(const char *a, const char *b)
{
    unsigned d[10][10];
    size_t   i, j, m = strlen(a), n = strlen(b);

    for (i = 0; i <= m; i++)
        for (j = 0; j <= n; j++) {
            if (i == 0 || j == 0) {
                d[i][j] = (unsigned)(i + j);
                continue;
            }
            d[i][j] = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            if (d[i - 1][j] + 1 < d[i][j])
                d[i][j] = d[i - 1][j] + 1;
            if (d[i][j - 1] + 1 < d[i][j])
                d[i][j] = d[i][j - 1] + 1;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
                d[i - 2][j - 2] + 1 < d[i][j])
                d[i][j] = d[i - 2][j - 2] + 1;
        }
    return d[m][n];
}

static void agrees_with_the_reference(void **state)
{
    uint32_t random = 12345;

    (void)state;
    for (int n = 0; n < 100000; n++) {
        char     text[2][9] = { "", "" };
        unsigned most, want;

        for (int t = 0; t < 2; t++) {
            random = random * 1664525u + 1013904223u;
            for (size_t i = 0, len = random >> 29; i < len; i++)
                text[t][i] = "abc"[(random >> i * 3) % 3];
        }
        most = (random >> 8) % 9;
        want = reference_distance(text[0], text[1]);
        want = want > most ? most + 1 : want;
        assert_int_equal(tn_str_distance(tn_slice_of(text[0]), tn_slice_of(text[1]), most), want);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trims),
        cmocka_unit_test(compares),
        cmocka_unit_test(folds_a_word_as_its_characters),
        cmocka_unit_test(folds_every_length),
        cmocka_unit_test(splits),
        cmocka_unit_test(measures_names),
        cmocka_unit_test(long_names_are_never_near),
        cmocka_unit_test(agrees_with_the_reference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
