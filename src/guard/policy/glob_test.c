/* glob_test.c - names by pattern. */
#include "guard/policy/glob.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

static void matches(void **state)
{
    static const struct {
        const char *pattern, *name;
        bool        matches;
    } cases[] = {
        { "", "", true },
        { "", "a", false },
        { "read_*", "read_file", true },
        { "read_*", "read_", true },
        { "read_*", "read", false },
        { "*", "", true },
        { "*", "anything", true },
        { "a?c", "abc", true },
        { "a?c", "ac", false },
        { "a?c", "abbc", false },
        { "*_b", "a_b", true },
        { "*_b", "a_bc", false },
        { "a*b*c", "a1b2b3c", true },
        { "a*b*c", "a1c2b", false },
        { "caf?", "caf\xC3\xA9", true },
        { "caf??", "caf\xC3\xA9", false },
        { "A", "a", false },
        { "a[b]", "ab", false },
        { "a.c", "abc", false },
        { "***a", "ba", true },
        { "x://*", "x://a/b", true },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        if (tn_glob_match(tn_slice_of(cases[i].pattern), tn_slice_of(cases[i].name)) != cases[i].matches)
            fail_msg("%s %s", cases[i].pattern, cases[i].name);
}

/* A pattern made to be slow is not. */
static void ends_soon(void **state)
{
    char pattern[129], name[4097];

    (void)state;
    for (size_t i = 0; i < 128; i += 2)
        memcpy(pattern + i, "*a", 2);
    pattern[127] = 'b';
    pattern[128] = '\0';
    memset(name, 'a', 4096);
    name[4096] = '\0';
    assert_false(tn_glob_match(tn_slice_of(pattern), tn_slice_of(name)));
}

static void reaches(void **state)
{
    static const struct {
        const char *pattern, *beginning;
        bool        reaches;
    } cases[] = {
        { "*", "fs_", true },      { "fs_*", "fs_", true }, { "fs_read", "fs_", true },
        { "web_*", "fs_", false }, { "f*", "fs_", true },   { "f", "fs_", false },
        { "?s_x", "fs_", true },   { "web_*", "", true },   { "", "fs_", false },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        if (tn_glob_reaches(tn_slice_of(cases[i].pattern), tn_slice_of(cases[i].beginning)) !=
            cases[i].reaches)
            fail_msg("%s %s", cases[i].pattern, cases[i].beginning);
}

static void deny_wins(void **state)
{
    static const char *const allow[] = { "read_*", "list" }, *const deny[] = { "*_b" };
    const struct tn_globs both = { { COUNT_OF(allow), allow }, { COUNT_OF(deny), deny } },
                          none = { { 0, NULL }, { 0, NULL } };

    (void)state;
    assert_true(tn_globs_allow(&both, SLICE_LIT("read_a")));
    assert_true(tn_globs_allow(&both, SLICE_LIT("list")));
    assert_false(tn_globs_allow(&both, SLICE_LIT("read_b")));
    assert_false(tn_globs_allow(&both, SLICE_LIT("write")));
    assert_true(tn_globs_allow(&none, SLICE_LIT("write")));
    assert_true(tn_globs_reach(&none, SLICE_LIT("fs_")));
    assert_true(tn_globs_reach(&both, SLICE_LIT("read_")));
    assert_false(tn_globs_reach(&both, SLICE_LIT("fs_")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matches),
        cmocka_unit_test(ends_soon),
        cmocka_unit_test(reaches),
        cmocka_unit_test(deny_wins),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
