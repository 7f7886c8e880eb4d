/* link_test.c - which links count, where they lead, and that no document makes reading them long or large. */
#include "docs/markdown/link.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <setjmp.h>

#include <cmocka.h>

#include "kit/text.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

static void check(const char *path, const char *markdown, size_t len, const char *const *related,
                  size_t related_count, const char *want)
{
    struct text  found = { 0 };
    struct links links;

    assert_true(links_make(&links, path, markdown, len, related, related_count));
    for (size_t i = 0; i < links.count; i++)
        text_addf(&found, "%s%s", i ? " " : "", links.at[i]);
    assert_string_equal(text_of(&found), want);
    links_free(&links);
    text_free(&found);
}

static void finds_links(void **state)
{
    static const struct { const char *markdown, *want; } cases[] = {
        { "",                                            "" },
        { "[a](b.md)",                                   "d/b.md" },
        { "[a](b.md \"t\") [c](<e f.md>)",               "d/b.md d/e f.md" },
        { "[a](b.md) [c](./b.md) [d](../d/b.md)",        "d/b.md" },
        { "[a](../b.md) [c](e/./f//g.md)",               "b.md d/e/f/g.md" },
        { "[a](b.md#x) [c](e.md?y#z) [f](#g) [h](?i)",   "d/b.md d/e.md" },
        { "[a][x] [y] [y][]\n\n[x]: b.md\n[y]: c.md 't'", "d/b.md d/c.md" },
        { "[a](b%20c.md) [d](e%2Fmd) [f](g%zz%4)",       "d/b c.md d/e/md d/g%zz%4" },
        { "[a](http://x/b.md) [b](mailto:x) [c](tel:1) [d](data:x) [e](javascript:x) [f](c:\\x) [g](FTP:x)", "" },
        { "[a](/etc/passwd) [b](//h/x) [c](\\x)",        "" },
        { "[a](../../x.md) [b](..%2f..%2Fx.md) [c](.%2e/../x) [d](../d/../../x)", "" },
        { "[a](b%00c.md) [d](e%0a.md) [f](%ff.md)",      "" },
        { "[a]() [b](.) [c](..) [d](../) [e](./)",       "d" },
        { "[self](x.md) [self](../d/x.md#y)",            "" },
        { "![a](b.png) [![c](d.png)](e.md)",             "d/e.md" },
        { "`[a](b.md)`\n\n    [c](d.md)\n\n```\n[e](f.md)\n```\n<!-- [g](h.md) -->\n", "" },
        { "<http://x.y> <a@b.c> <b.md> b.md",            "" },
        { "[v](v1..v2.md) [w](...)",                     "d/v1..v2.md d/..." },
        { "# [a](b.md)\n> - [c](e.md)\n",                "d/b.md d/e.md" },
        { "[\xc3\xa9](\xc3\xa9.md) [e](%C3%A8.md)",      "d/\xc3\xa9.md d/\xc3\xa8.md" },
        { "[a]\n\n[a]:\n  b.md\n",                        "d/b.md" },
        { "[a][c] [b] [a]\n\n[a]:\n  b.md\n[c]: e.md\n[b]:\nf.md", "d/e.md d/f.md d/b.md" },
        { "[a][A  b] [c][d] [a b]\n\n[a B]: e.md",         "d/e.md" },
        { "text\n[a]: b.md\n\n[a]",                       "" },
        { "x <!-- > [a](b.md) --> [c](d.md)",               "d/d.md" },
        { "x <i t='[a](b.md)'> ``[c](`d.md)`` [e](f.md)",   "d/f.md" },
        { "[a [b](c.md)](d.md) [e ![f](g.md)](h.md)",       "d/c.md d/h.md" },
        { "- [a\n- b](c.md)\n- \\[d](e.md) [f\\]](g.md)",  "d/g.md" },
        { "[a](b(c).md) [d](e(.md) [f](<g>h) [i]( j.md )",  "d/b(c).md d/j.md" },
        { "[a](b&amp;c.md) [d](e\\(.md)",                "d/b&c.md d/e(.md" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        check("d/x.md", cases[i].markdown, strlen(cases[i].markdown), NULL, 0, cases[i].want);
    check("x.md", "[a](b.md) [c](../d.md)", 22, NULL, 0, "b.md");
    check("a/b/c/x.md", "[a](../../e.md) [c](../../../../d.md)", 37, NULL, 0, "a/e.md");
}

static void takes_related(void **state)
{
    static const char *const related[] = { "b.md", "./c.md", "../e.md",     "http://x",
                                           "/abs", "",       "d/f#1%20.md", "../../out.md" };

    (void)state;
    check("d/x.md", "[a](b.md)", 9, related, COUNT_OF(related),
          "d/b.md b.md d/c.md e.md d/d/f#1%20.md d/f#1%20.md");
}

static void keeps_its_limits(void **state)
{
    struct text  document = { 0 };
    struct links links;

    (void)state;
    for (size_t i = 0; i < 3 * LINKS_MAX; i++)
        text_addf(&document, "[a](f%zu.md)\n", i / 2);
    assert_true(links_make(&links, "x.md", document.at, document.len, NULL, 0));
    assert_int_equal(links.count, LINKS_MAX);
    assert_string_equal(links.at[LINKS_MAX - 1], "f999.md");
    links_free(&links);

    text_clear(&document);
    text_put(&document, "[a](");
    for (size_t i = 0; i < 2000; i++)
        text_char(&document, 'x');
    text_put(&document, ")");
    check("x.md", document.at, document.len, NULL, 0, "");
    text_free(&document);
}

/* Longer than a piece: links at both ends, code between, a definition far from its use. */
static void reads_long_documents(void **state)
{
    struct text document = { 0 };

    (void)state;
    text_put(&document, "[first](a.md) and [far][z]\n\n```\n");
    for (size_t i = 0; i < 20000; i++)
        text_put(&document, "[code](no.md)\n\n");
    text_put(&document, "```\n\n");
    for (size_t i = 0; i < 20000; i++)
        text_put(&document, "A line of text that says nothing, on and on, again and again.\n\n");
    text_put(&document, "1. [near](b.md)\n\n   [z]: c.md\n\n[z]: no.md\n");
    check("x.md", document.at, document.len, NULL, 0, "a.md c.md b.md");
    text_free(&document);
}

/* Work is in proportion to the document: neither a long address nor a title that does not end is read again and again. The
 * alarm is that of a machine which is a hundred times slower than need be. */
static void reads_each_part_once(void **state)
{
    struct text document = { 0 };

    (void)state;
    text_put(&document, "[a]: ");
    for (size_t i = 0; i < 780; i++)
        text_put(&document, "../x/");
    text_put(&document, "y.md\n\n");
    while (document.len < (size_t)4 << 20)
        text_put(&document, "[a] ");
    alarm(20);
    check("x.md", document.at, document.len, NULL, 0, "");
    text_clear(&document);
    while (document.len < (size_t)4 << 20)
        text_put(&document, "[](a (");
    text_put(&document, "\n\n[b](b.md (t)) [c](c.md (t(t)) [d](d.md (\\(t))");
    check("x.md", document.at, document.len, NULL, 0, "b.md d.md");
    alarm(0);
    text_free(&document);
}

static void survives_bombs(void **state)
{
    static const char *const bombs[]  = { ">[",     "[",    "![[]()",   "*a_[",  "[a](b", "<[",       "- [",
                                          "[a](<b", "`[``", "[a]: b\n", "[a][b", "\xff[", "[a](b)\n", "&[" };
    struct text              document = { 0 };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(bombs); i++) {
        struct links links;

        text_clear(&document);
        while (document.len < (size_t)300 << 10)
            text_put(&document, bombs[i]);
        assert_true(links_make(&links, "x.md", document.at, document.len, NULL, 0));
        links_free(&links);
    }
    text_free(&document);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_links),      cmocka_unit_test(takes_related),
        cmocka_unit_test(keeps_its_limits), cmocka_unit_test(reads_long_documents),
        cmocka_unit_test(survives_bombs),   cmocka_unit_test(reads_each_part_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
