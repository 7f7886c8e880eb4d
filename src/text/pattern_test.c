/* pattern_test.c - ECMA-262's meaning of patterns, what is refused, and what a hostile text may cost. */
#include "text/pattern.h"

#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/fault.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

/* More than any match of these tests needs that is to end. */
#define STEPS_ENOUGH ((size_t)3000000)

static enum tn_pattern_result match(const struct pattern *pattern, struct matcher *matcher,
                                    struct tn_slice text)
{
    size_t steps = STEPS_ENOUGH;

    return tn_pattern_match(pattern, matcher, text, &steps);
}

static void matches_as_ecma_does(void **state)
{
    static const struct { const char *pattern, *text; bool want; } cases[] = {
        { "b",                     "abc",                          true  },
        { "^b",                    "abc",                          false },
        { "",                      "",                             true  },
        { "^a$",                   "a\n",                          false },
        { "^.$",                   "\xf0\x9f\x98\x80",             true  },
        { "^.$",                   "\r",                           false },
        { "^.$",                   "\xe2\x80\xa8",                 false },
        { "^[^]$",                 "\n",                           true  },
        { "[]",                    "a",                            false },
        { "^\\d$",                 "\xd9\xa3",                     false },
        { "^\\w+$",                "az_09",                        true  },
        { "^\\w$",                 "\xc3\xa9",                     false },
        { "^\\W$",                 "\xc3\xa9",                     true  },
        { "^\\s$",                 "\xef\xbb\xbf",                 true  },
        { "^\\s$",                 "\xc2\xa0",                     true  },
        { "^\\s$",                 "\x0b",                         true  },
        { "^\\s$",                 "\xe1\xa0\x8e",                 false },
        { "^\\S$",                 "\xe2\x80\xa9",                 false },
        { "^\\S$",                 "\xc3\xa9",                     true  },
        { "^[\\s,]+$",             "\xe2\x80\x83,\t",              true  },
        { "^[^\\s]+$",             "a\xe3\x80\x80",                false },
        { "^[\\S]+$",              "\xf0\x9f\x98\x80x",            true  },
        { "^[\\S]+$",              "a b",                          false },
        { "^[^\\S]+$",             " \xc2\xa0",                    true  },
        { "^[\\s\\S]$",            "\n",                           true  },
        { "^\\v$",                 "\x0b",                         true  },
        { "^\\v$",                 "\n",                           false },
        { "^[\\v]$",               "\x0b",                         true  },
        { "^\\cA$",                "\x01",                         true  },
        { "^\\x41\\u0042$",        "AB",                           true  },
        { "^\\u{1F432}*$",         "\xf0\x9f\x90\xb2\xf0\x9f\x90\xb2", true },
        { "^\\uD83D\\uDC32$",      "\xf0\x9f\x90\xb2",             true  },
        { "^[\\uD83D\\uDC32]$",    "\xf0\x9f\x90\xb2",             true  },
        { "^\\p{Letter}+$",        "\xc3\xa9z",                    true  },
        { "^\\p{digit}$",          "\xd9\xa3",                     true  },
        { "^\\P{Letter}$",         "1",                            true  },
        { "^[\\p{Lu}\\p{Decimal_Number}]+$", "A1",                 true  },
        { "^\\p{gc=Lu}$",          "A",                            true  },
        { "^\\p{General_Category=Uppercase_Letter}$", "a",         false },
        { "^\\p{Script=Greek}$",   "\xce\xb1",                     true  },
        { "^(a)\\1$",              "aa",                           true  },
        { "^(?:(a)|b)\\1$",        "b",                            true  },
        { "^(?<x>a)\\k<x>$",       "aa",                           true  },
        { "^\\-\\@\\/\\#\\\"$",    "-@/#\"",                       true  },
        { "^[[:alpha:]$",          ":",                            true  },
        { "^[a[b]$",               "[",                            true  },
        { "^[:a:]+$",              ":a",                           true  },
        { "^[.a.]+$",              ".a",                           true  },
        { "^[=a=]+(?:)$",          "=a",                           true  },
        { "^(?:[:a:]|[.b.]|[=c=])+$", ":a.b=c",                    true  },
        { "^(?:[.-:])$",           "5",                            true  },
        { "^a{2}$",                "aa",                           true  },
        { "^a{2,3}?$",             "aaa",                          true  },
        { "^a{,2}$",               "a{,2}",                        true  },
        { "^{a}]$",                "{a}]",                         true  },
        { "^(?=a)(?!ab)a.$",       "ac",                           true  },
        { "(?<=a)b(?<!c)",         "ab",                           true  },
        { "^a+?b*?c??$",           "aab",                          true  },
        { "^(|a)$",                "",                             true  },
        { "^\xc3\xa4$",            "\xc3\xa4",                     true  },
        { "^[\\b]$",               "\b",                           true  },
        { "\\bfoo\\b",             "a foo.",                       true  },
    };
    struct matcher *matcher = tn_matcher_new(NULL);

    (void)state;
    assert_non_null(matcher);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        char            why[200];
        struct pattern *pattern = tn_pattern_new(NULL, tn_slice_of(cases[i].pattern), why, sizeof why);

        if (!pattern)
            fail_msg("%s: %s", cases[i].pattern, why);
        assert_string_equal(why, "");
        if (match(pattern, matcher, tn_slice_of(cases[i].text)) != (cases[i].want ? PATTERN_YES : PATTERN_NO))
            fail_msg("%s matches wrongly", cases[i].pattern);
        tn_pattern_free(pattern);
    }
    tn_matcher_free(matcher);
}

static void sees_nul_as_a_character(void **state)
{
    struct matcher *matcher = tn_matcher_new(NULL);
    struct pattern *pattern = tn_pattern_new(NULL, SLICE_LIT("^a\\0b$"), NULL, 0);

    (void)state;
    assert_non_null(pattern);
    assert_int_equal(match(pattern, matcher, SLICE_LIT("a\0b")), PATTERN_YES);
    assert_int_equal(match(pattern, matcher, SLICE_LIT("a")), PATTERN_NO);
    tn_pattern_free(pattern);
    pattern = tn_pattern_new(NULL, SLICE_LIT("^$"), NULL, 0);
    assert_int_equal(match(pattern, matcher, (struct tn_slice){ NULL, 0 }), PATTERN_YES);
    tn_pattern_free(pattern);
    tn_matcher_free(matcher);
    tn_pattern_free(NULL);
    tn_matcher_free(NULL);
}

static void refuses(void **state)
{
    static const struct { const char *pattern, *why; } cases[] = {
        { "(*ACCEPT)a",    "a kind of group that ECMA-262 does not have" },
        { "(*UTF)a",       "a kind of group that ECMA-262 does not have" },
        { "(?C1)a",        "a kind of group that ECMA-262 does not have" },
        { "(?R)",          "a kind of group that ECMA-262 does not have" },
        { "(a(?1))",       "a kind of group that ECMA-262 does not have" },
        { "(?>a)",         "a kind of group that ECMA-262 does not have" },
        { "(?|a)",         "a kind of group that ECMA-262 does not have" },
        { "(?#a)",         "a kind of group that ECMA-262 does not have" },
        { "(?P<x>a)",      "a kind of group that ECMA-262 does not have" },
        { "(?(1)a)",       "a kind of group that ECMA-262 does not have" },
        { "(?i)a",         "a kind of group that ECMA-262 does not have" },
        { "\\Aa",          "an escape that ECMA-262 does not have"       },
        { "a\\z",          "an escape that ECMA-262 does not have"       },
        { "a\\Z",          "an escape that ECMA-262 does not have"       },
        { "\\C",           "an escape that ECMA-262 does not have"       },
        { "a\\Kb",         "an escape that ECMA-262 does not have"       },
        { "\\Qa\\E",       "an escape that ECMA-262 does not have"       },
        { "\\a",           "an escape that ECMA-262 does not have"       },
        { "\\e",           "an escape that ECMA-262 does not have"       },
        { "\\h",           "an escape that ECMA-262 does not have"       },
        { "[\\R]",         "an escape that ECMA-262 does not have"       },
        { "\\g{1}",        "an escape that ECMA-262 does not have"       },
        { "\\01",          "an escape that ECMA-262 does not have"       },
        { "a++",           "a quantifier follows another"                },
        { "a*+",           "a quantifier follows another"                },
        { "a?+",           "a quantifier follows another"                },
        { "a{2}+",         "a quantifier follows another"                },
        { "a{2}{3}",       "a quantifier follows another"                },
        { "a+?+",          "a quantifier follows another"                },
        { "\\",            "\\ at the end of the pattern"                },
        { "\\x4",          "\\x needs two hexadecimal digits"            },
        { "\\u12",         "\\u needs four hexadecimal digits"           },
        { "\\u{}",         "\\u{ needs a code point and }"               },
        { "\\pL",          "\\p needs the name of a property in braces"  },
        { "[\\1]",         "a back reference stands in a class"          },
        { "\\99999",       "there is no such group"                      },
        { "\\1",           NULL                                          },
        { "\\uD800",       NULL                                          },
        { "\\u{110000}",   NULL                                          },
        { "\\p{Nonsense}", NULL                                          },
        { "(a",            NULL                                          },
        { "a)",            NULL                                          },
        { "[a",            NULL                                          },
        { "[z-a]",         NULL                                          },
        { "*a",            NULL                                          },
        { "a\xff",         NULL                                          },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        char            why[200], cut[8];
        struct pattern *pattern = tn_pattern_new(NULL, tn_slice_of(cases[i].pattern), why, sizeof why);

        if (pattern)
            fail_msg("%s is accepted", cases[i].pattern);
        if (cases[i].why)
            assert_string_equal(why, cases[i].why);
        assert_true(strlen(why) > 0);
        assert_null(tn_pattern_new(NULL, tn_slice_of(cases[i].pattern), cut, sizeof cut));
        assert_memory_equal(cut, why, sizeof cut - 1);
    }
}

static void tells_patterns_from_other_text(void **state)
{
    static const struct { const char *text; bool want; } cases[] = {
        { "",              true  },
        { "^[a-z]+$",      true  },
        { "(?<n>a)\\k<n>", true  },
        { "(?<=a+)b",      true  },
        { "(?<!a|bc*)",    true  },
        { "[]",            true  },
        { "[^]",           true  },
        { "\\cA",          true  },
        { "(a",            false },
        { "(?<=a+b",       false },
        { "^(abc]",        false },
        { "a**",           false },
        { "\\a",           false },
        { "(?i)a",         false },
        { "[z-a]",         false },
        { "\\p{Nonsense}", false },
        { "a\xff",         false },
    };
    char text[PATTERN_LEN_MAX + 1];

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        if (tn_pattern_well_formed(tn_slice_of(cases[i].text)) != cases[i].want)
            fail_msg("%s is judged wrongly", cases[i].text);
    memset(text, 'a', sizeof text);
    assert_true(tn_pattern_well_formed((struct tn_slice){ text, PATTERN_LEN_MAX }));
    assert_false(tn_pattern_well_formed((struct tn_slice){ text, sizeof text }));
}

static void refuses_long_patterns(void **state)
{
    char            text[PATTERN_LEN_MAX + 1], why[100];
    struct pattern *pattern;

    (void)state;
    memset(text, 'a', sizeof text);
    assert_null(tn_pattern_new(NULL, (struct tn_slice){ text, sizeof text }, why, sizeof why));
    assert_string_equal(why, "the pattern is too long");
    for (size_t i = 0; i < PATTERN_LEN_MAX; i++)
        text[i] = "\\S"[i % 2]; /* what grows most */
    text[0] = text[1]         = '[';
    text[PATTERN_LEN_MAX - 1] = ']';
    text[PATTERN_LEN_MAX - 2] = 'a';
    pattern = tn_pattern_new(NULL, (struct tn_slice){ text, PATTERN_LEN_MAX }, why, sizeof why);
    assert_string_equal(why, pattern ? "" : "regular expression is too large"); /* by an older PCRE2 */
    tn_pattern_free(pattern);
    text[998] = 'a';
    text[999] = ']';
    pattern   = tn_pattern_new(NULL, (struct tn_slice){ text, 1000 }, why, sizeof why);
    assert_string_equal(why, "");
    assert_non_null(pattern);
    tn_pattern_free(pattern);
}

static void gives_up_in_time(void **state)
{
    static const struct { const char *pattern; size_t len; enum tn_pattern_result want; } cases[] = {
        { "^(a+)+$",       40,                   PATTERN_GAVE_UP },
        { "^(a|a)*$",      60,                   PATTERN_GAVE_UP },
        { "(?:a*)*[bc]$",  5000,                 PATTERN_GAVE_UP },
        { "^[a-z]+!$",     1000000,              PATTERN_YES     },
        { "a!",            1000000,              PATTERN_YES     },
        { "a+!",           1000000,              PATTERN_YES     },
        { "a+b",           1000000,              PATTERN_NO      },
        { "(?=a*b)",       1000000,              PATTERN_GAVE_UP },
        { "(?=a*[bc])",    2000,                 PATTERN_NO      },
        { "(?:a|b)*[xy]",  12800,                PATTERN_GAVE_UP },
        { "(?:a{0,9}){0,9}x?y?[xy]", 999999,      PATTERN_GAVE_UP },
        { "[ab]{3}!",      999999,               PATTERN_YES     },
        { "^(?:a|b)*!$",   3000,                 PATTERN_YES     },
    };
    static char     text[1000001];
    struct matcher *matcher = tn_matcher_new(NULL);

    (void)state;
    memset(text, 'a', sizeof text);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct pattern *pattern = tn_pattern_new(NULL, tn_slice_of(cases[i].pattern), NULL, 0);
        size_t          len     = cases[i].len;

        text[len] = '!';
        if (match(pattern, matcher, (struct tn_slice){ text, len + 1 }) != cases[i].want)
            fail_msg("%s ends wrongly", cases[i].pattern);
        text[len] = 'a';
        tn_pattern_free(pattern);
    }
    tn_matcher_free(matcher);
}

static void allocates_nothing_once_warm(void **state)
{
    struct tn_fault fault   = { 0 };
    tenon_allocator memory  = tn_fault_allocator(&fault);
    struct matcher *matcher = tn_matcher_new(&memory);
    struct pattern *pattern = tn_pattern_new(&memory, SLICE_LIT("^(?:[a-z]|(\\d)\\1)*$"), NULL, 0);
    size_t          warm;

    (void)state;
    assert_int_equal(match(pattern, matcher, SLICE_LIT("abc11")), PATTERN_YES);
    warm = fault.requests;
    for (int i = 0; i < 100; i++)
        assert_int_equal(match(pattern, matcher, SLICE_LIT("abc12")), PATTERN_NO);
    assert_int_equal(fault.requests, warm);
    tn_pattern_free(pattern);
    tn_matcher_free(matcher);
    assert_int_equal(fault.blocks, 0);
    assert_int_equal(fault.bytes, 0);
}

/* A refusal while machine code is made is no fault: the interpreter takes over. */
static void survives_every_refusal(void **state)
{
    (void)state;
    for (size_t n = 1;; n++) {
        struct tn_fault fault   = { .refuse_at = n };
        tenon_allocator memory  = tn_fault_allocator(&fault);
        char            why[50] = "x";
        struct pattern *pattern = tn_pattern_new(&memory, SLICE_LIT("^\\s(a|b)[\\S]{2}$"), why, sizeof why);
        struct matcher *matcher = tn_matcher_new(&memory);

        assert_string_equal(why, "");
        assert_true((pattern && matcher) || fault.refused);
        if (pattern && matcher) {
            enum tn_pattern_result result = match(pattern, matcher, SLICE_LIT(" acc"));
            assert_true(result == PATTERN_YES || (fault.refused && result == PATTERN_NO_MEMORY));
        }
        tn_pattern_free(pattern);
        tn_matcher_free(matcher);
        assert_int_equal(fault.blocks, 0);
        assert_int_equal(fault.bytes, 0);
        if (!fault.refused)
            return;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matches_as_ecma_does),
        cmocka_unit_test(sees_nul_as_a_character),
        cmocka_unit_test(refuses),
        cmocka_unit_test(tells_patterns_from_other_text),
        cmocka_unit_test(refuses_long_patterns),
        cmocka_unit_test(gives_up_in_time),
        cmocka_unit_test(allocates_nothing_once_warm),
        cmocka_unit_test(survives_every_refusal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
