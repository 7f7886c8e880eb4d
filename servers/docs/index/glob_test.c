/* glob_test.c - what patterns match, and that no pattern is slow. */
#include "docs/index/glob.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void patterns(void **state)
{
    static const struct {
        const char *pattern, *path;
        bool        want;
    } cases[] = {
        { "**/*.md", "a.md", true },
        { "**/*.md", "a/b/c.md", true },
        { "**/*.md", "a/b/c.mdx", false },
        { "*.md", "a.md", true },
        { "*.md", "a/b.md", false },
        { "a/**", "a/b/c", true },
        { "a/**", "b/a/c", false },
        { "a/", "a/b/c.md", true },
        { "a/", "ab/c.md", false },
        { "**/node_modules/**", "node_modules/x/README.md", true },
        { "**/node_modules/**", "a/node_modules/README.md", true },
        { "**/node_modules/**", "a/node_modules_/R.md", false },
        { "a/**/b.md", "a/b.md", true },
        { "a/**/b.md", "a/x/y/b.md", true },
        { "a/**/b/**/c.md", "a/b/x/b/y/c.md", true },
        { "a/**/b/**/c.md", "a/x/y/c.md", false },
        { "?.md", "a.md", true },
        { "?.md", ".md", false },
        { "[a-c]x.md", "bx.md", true },
        { "[a-c]x.md", "dx.md", false },
        { "[!a-c]x.md", "dx.md", true },
        { "[!a-c]x.md", "ax.md", false },
        { "[]]x.md", "]x.md", true },
        { "[x.md", "[x.md", true },
        { "a*b*c.md", "aXbYbZc.md", true },
        { "a*b*c.md", "aXcYc.md", false },
        { "**", "anything/at/all", true },
        { "***.md", "a.md", true },
        { "", "a.md", false },
        { "a.md", "a.md/b", false },
        { "a.md/b", "a.md", false },
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (glob_match(cases[i].pattern, cases[i].path) != cases[i].want)
            fail_msg("'%s' and '%s': expected %d", cases[i].pattern, cases[i].path, cases[i].want);
}

/* Naive matching would take longer than anyone lives. */
static void stars(void **state)
{
    char   pattern[GLOB_LEN_MAX], path[4096];
    size_t n = 0;

    (void)state;
    memset(path, 'a', sizeof path - 1);
    path[sizeof path - 1] = '\0';
    for (size_t i = 1; i < sizeof path - 1; i += 2)
        path[i] = '/';
    while (n + 8 < sizeof pattern) {
        memcpy(pattern + n, "**/*a/", 6);
        n += 6;
    }
    strcpy(pattern + n, "b");
    assert_false(glob_match(pattern, path));
    memset(path, 'a', sizeof path - 1);
    for (n = 0; n + 2 < sizeof pattern; n += 2)
        memcpy(pattern + n, "*a", 2);
    strcpy(pattern + n, "b");
    assert_false(glob_match(pattern, path));
}

int main(void)
{
    static const struct CMUnitTest tests[] = { cmocka_unit_test(patterns), cmocka_unit_test(stars) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
