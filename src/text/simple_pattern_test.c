/* simple_pattern_test.c - what is simple, and that the answers are those of the engine. */
#include "text/simple_pattern.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "text/pattern.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

static void knows_what_is_simple(void **state)
{
    static const struct { const char *pattern; bool want; } cases[] = {
        { "",                               true  },
        { "^",                              true  },
        { "$",                              true  },
        { "^$",                             true  },
        { "abc",                            true  },
        { "abc$",                           true  },
        { "^abc",                           true  },
        { "^https://example\\.com/$",       true  },
        { "^.*$",                           true  },
        { "^.+$",                           true  },
        { ".",                              true  },
        { "\\S",                            true  },
        { "\\S+",                           true  },
        { ".*",                             true  },
        { "[A-Z]",                          true  },
        { "^[a-z]+$",                       true  },
        { "^[a-z]{2,10}$",                  true  },
        { "^[a-z]{2,}?$",                   true  },
        { "^[a-zA-Z_][a-zA-Z0-9_]*$",       true  },
        { "^\\d{4}-\\d{2}-\\d{2}$",         true  },
        { "^[0-9a-f]{8}-[0-9a-f]{4}$",      true  },
        { "^[^@]+@[^@]+$",                  true  },
        { "^v?\\d+$",                       true  },
        { "^\\$?\\d+$",                     true  },
        { "^[\\s\\S]*$",                    true  },
        { "^[\\u4e00-\\u9fa5]+$",           true  },
        { "^[\\w.-]+$",                     true  },
        { "^a?b?c$",                        true  },
        { "^\xc3\xa4+\xe2\x82\xac$",        true  },
        { "^a{65535}$",                     true  },
        { "^x*y*z*",                        true  },
        /* What follows could be taken too. */
        { "^a*a$",                          false },
        { "^a?b?a$",                        false },
        { "^.*x",                           false },
        { "^[a-z]+[a-z0-9]$",               false },
        { "^[^@]+@[^@]+\\.[^@]+$",          false },
        /* It may begin anywhere. */
        { "a+$",                            false },
        { "[ab]c",                          false },
        { "a{2}",                           false },
        { "a{0}",                           false },
        /* Other things. */
        { "a|b",                            false },
        { "^(a)$",                          true  },
        { "^(?:a)$",                        true  },
        { "^(cpu|memory-2|x_y)$",           true  },
        { "^(a|)$",                         false },
        { "^()$",                           false },
        { "^(a|b)",                         false },
        { "^(a|b)c$",                       false },
        { "^(a|b.)$",                       false },
        { "^(?=a)$",                        false },
        { "^(?:(a)|b)$",                    false },
        { "(a|b)$",                         false },
        { "^(a|b$",                         false },
        { "^(a|b",                          false },
        { "\\bfoo",                         false },
        { "^\\x41$",                        false },
        { "^[\\b]$",                        false },
        { "^\\p{L}$",                       false },
        { "^\\1",                           false },
        { "^\\uD83D\\uDC32$",               false },
        { "^\\u{41}$",                      false },
        { "^[\\w-.]$",                      false },
        { "^[a-\\d]$",                      false },
        { "a^b",                            false },
        { "a$b",                            false },
        { "^[]$",                           false },
        { "^[^]$",                          false },
        { "^]$",                            false },
        { "^}$",                            false },
        { "^a{,2}$",                        false },
        /* No patterns at all. */
        { "*",                              false },
        { "a**",                            false },
        { "^a{2}{3}$",                      false },
        { "^a{3,2}$",                       false },
        { "^a{65536}$",                     false },
        { "^[z-a]$",                        false },
        { "^[a",                            false },
        { "^[a-",                           false },
        { "^\\",                            false },
        { "^\\u12",                         false },
        { "^\\a$",                          false },
        { "^\\\xc3\xa4$",                   false },
        { "^a\xff$",                        false },
        { "^[\xff]$",                       false },
        { "^\\uD800$",                      false },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct tn_simple_pattern pattern;

        if (tn_simple_pattern_read(&pattern, tn_slice_of(cases[i].pattern)) != cases[i].want)
            fail_msg("%s", cases[i].pattern);
    }
}

static void matches(void **state)
{
    static const struct { const char *pattern, *text; bool want; } cases[] = {
        { "",                "",                         true  },
        { "^$",              "",                         true  },
        { "^$",              "a",                        false },
        { "$",               "a",                        true  },
        { "b",               "abc",                      true  },
        { "bc$",             "abc",                      true  },
        { "ab$",             "abc",                      false },
        { "aab",             "aaaab",                    true  },
        { "aab",             "aaaa",                     false },
        { "abc",             "ab",                       false },
        { "^ab",             "abc",                      true  },
        { "^bc",             "abc",                      false },
        { "^.{2}$",          "\xc3\xa4\xf0\x9f\x98\x80", true  },
        { "^.{2}$",          "\xc3\xa4",                 false },
        { "^.{1,2}$",        "\xc3\xa4\xc3\xa4\xc3\xa4", false },
        { "^.*$",            "a\n",                      false },
        { "^.*$",            "a\xe2\x80\xa8",            false },
        { "^[^a]$",          "\n",                       true  },
        { "^[^a]$",          "\xe2\x80\xa8",             true  },
        { "^[^\xc3\xa4]$",   "\xc3\xa4",                 false },
        { "^[^\xc3\xa4]$",   "\xc3\xb6",                 true  },
        { "^[\xc3\xa4-\xc3\xb6]+$", "\xc3\xa4\xc3\xa5\xc3\xb6", true },
        { "^[\xc3\xa4-\xc3\xb6]+$", "\xc3\xb7",          false },
        { "^\\u00e4$",       "\xc3\xa4",                 true  },
        { "\\S",             " \t\xc2\xa0\xe3\x80\x80",  false },
        { "\\S",             " \t\xc2\xa0x",             true  },
        { "\\S",             "\xe1\xa0\x8e",             true  },
        { "\\W",             "a\xc3\xa4",                true  },
        { "\\D",             "123",                      false },
        { "^[\\s\\S]$",      "\xe2\x80\xa8",             true  },
        { "^[\\S]$",         "\xe2\x80\xa8",             false },
        { "^[^\\s]$",        "\xe2\x80\xa7",             true  },
        { "^[\\d-]+$",       "1-2",                      true  },
        { "^[-a]+$",         "-a",                       true  },
        { "^[a-b-c]+$",      "a-c",                      true  },
        { "^[+--]+$",        "+,-",                      true  },
        { "^[a\\]b]+$",      "a]b",                      true  },
        { "^a{0}b$",         "b",                        true  },
        { "^a{2,3}b$",       "aaaab",                    false },
        { "^\\t\\n\\v\\f\\r$", "\t\n\v\f\r",             true  },
        { "^v?\\d+$",        "v12",                      true  },
        { "^v?\\d+$",        "vv12",                     false },
        { "^(ab|a|abc)$",    "a",                        true  },
        { "^(ab|a|abc)$",    "abc",                      true  },
        { "^(?:ab|a|abc)$",  "abcd",                     false },
        { "^(ab|a|abc)$",    "",                         false },
        { "^(ab|a|abc)$",    "a\n",                      false },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct tn_simple_pattern pattern;

        assert_true(tn_simple_pattern_read(&pattern, tn_slice_of(cases[i].pattern)));
        if (tn_simple_pattern_match(&pattern, tn_slice_of(cases[i].text)) != cases[i].want)
            fail_msg("%s matches wrongly", cases[i].pattern);
    }
}

static const char *any_of(const char *const *texts, size_t count)
{
    return texts[(size_t)rand() % count];
}

static void make_pattern(char *out, size_t size)
{
    static const char *const atoms[] = {
        "a",
        "b",
        "-",
        "\\.",
        ".",
        "\\d",
        "\\w",
        "\\s",
        "\\S",
        "\\W",
        "[ab]",
        "[^a]",
        "[a-c_]",
        "[0-9]",
        "[^\\d]",
        "[\\w-]",
        "\xc3\xa4",
        "\\u2028",
        "[\\D]",
        "[\\S1]",
        "[^\\S-]",
        "[\\s\\S]",
        "\\n",
        "[\xc3\xa4-\xe2\x82\xac]",
        "[^\xc3\xa4\xf0\x9f\x98\x80]",
        "ab",
        "[b-\xc3\xa4]",
        "\xf0\x9f\x98\x80",
        "[^.\\r\\n\\u2028\\u2029]",
    };
    static const char *const quantifiers[] = { "",    "",      "",      "",     "*",  "+",  "?",
                                               "{2}", "{1,2}", "{0,1}", "{2,}", "*?", "{0}" };
    int                      count         = rand() % 4 + (rand() % 8 > 0);

    snprintf(out, size, "%s", rand() % 3 > 0 ? "^" : "");
    while (count-- > 0) {
        size_t len = strlen(out);

        snprintf(out + len, size - len, "%s%s", any_of(atoms, COUNT_OF(atoms)),
                 any_of(quantifiers, COUNT_OF(quantifiers)));
    }
    if (rand() % 2)
        strcat(out, "$");
}

static void make_text(char *out)
{
    static const char *const characters[] = {
        "a",
        "a",
        "a",
        "b",
        "b",
        "c",
        "_",
        "-",
        ".",
        "1",
        "9",
        " ",
        "\n",
        "\r",
        "\xc3\xa4",
        "\xc2\xa0",
        "\xe2\x80\xa8",
        "\xe2\x82\xac",
        "\xf0\x9f\x98\x80",
        "\xef\xbb\xbf",
    };
    int count = rand() % 6;

    *out = '\0';
    while (count-- > 0)
        strcat(out, any_of(characters, COUNT_OF(characters)));
}

/* In a group, a pattern means the same and is not simple. */
static void agrees_with_the_engine(void **state)
{
    enum { PATTERNS = 6000, TEXTS = 40 };
    struct matcher *matcher = tn_matcher_new(NULL);
    size_t          simple = 0, yes = 0, no = 0;

    (void)state;
    srand(11);
    for (int i = 0; i < PATTERNS; i++) {
        struct tn_simple_pattern pattern;
        struct pattern          *engine;
        char                     text[100], grouped[120];

        make_pattern(text, sizeof text - 1);
        if (!tn_simple_pattern_read(&pattern, tn_slice_of(text)))
            continue;
        simple++;
        snprintf(grouped, sizeof grouped, "(?:%s)", text);
        engine = tn_pattern_new(NULL, tn_slice_of(grouped), NULL, 0);
        if (!engine)
            fail_msg("%s is no pattern", text);
        for (int j = 0; j < TEXTS; j++) {
            char                   subject[40];
            enum tn_pattern_result want;
            size_t                 steps = 1000000;

            make_text(subject);
            want = tn_pattern_match(engine, matcher, tn_slice_of(subject), &steps);
            if (tn_simple_pattern_match(&pattern, tn_slice_of(subject)) != (want == PATTERN_YES))
                fail_msg("%s on '%s'", text, subject);
            want == PATTERN_YES ? yes++ : no++;
        }
        tn_pattern_free(engine);
    }
    assert_true(simple > PATTERNS / 4);
    assert_true(yes > 10000 && no > 10000);
    tn_matcher_free(matcher);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(knows_what_is_simple),
        cmocka_unit_test(matches),
        cmocka_unit_test(agrees_with_the_engine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
