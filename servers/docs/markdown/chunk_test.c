/* chunk_test.c - which lines are headings, where documents are cut, and that nothing but blank lines is lost. */
#include "docs/markdown/chunk.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>

#include <cmocka.h>

#include "kit/text.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

/* "first-last path" of each piece. */
static void describe(struct text *out, const struct text *document, size_t line)
{
    struct chunks chunks;

    text_clear(out);
    assert_true(chunks_make(&chunks, text_of(document), document->len, line));
    for (size_t i = 0; i < chunks.count; i++)
        text_addf(out, "%s%zu-%zu %s", i ? "|" : "", chunks.at[i].first_line, chunks.at[i].last_line,
                  chunks.at[i].header_path);
    chunks_free(&chunks);
}

static void add_lines(struct text *document, size_t count, const char *ending)
{
    for (size_t i = 0; i < count; i++) {
        text_put(document, "x");
        text_put(document, ending);
    }
}

/* ---- Headings, in a document made long enough ---- */

static void finds_headings(void **state)
{
    static const struct { const char *text, *want; } cases[] = {
        { "## A\na\n## B\nb\n",                   "1-2 ## A|3-4 ## B" },
        { "# T\np\n## A\na\n",                    "1-2 |3-4 ## A" },
        { "\n\n# T\n\n\n## A\n\na\n\n",           "3-3 |6-8 ## A" },
        { "## A\na\n### B\nb\n### C\nc\n## D\n### E\ne\n",
          "1-2 ## A|3-4 ## A > ### B|5-6 ## A > ### C|8-9 ## D > ### E" },
        { "### B\nb\n## A\na\n",                  "1-2 ### B|3-4 ## A" },
        { "## A\na\n# T\nt\n#### D\nd\n",         "1-6 ## A" },
        { "## A\n\n## B\nb\n## C\n",              "3-4 ## B" },
        { "## A ##\na\n##   B  # ##  \nb\n## C#\nc\n## #\nd\n",
          "1-2 ## A|3-4 ## B #|5-6 ## C#|7-8 ##" },
        { "##A\n####### x\n   ## B\nb\n    ## C\n\t## D\n", "1-2 |3-6 ## B" },
        { "##\tA\na\n##\nb\n",                    "1-2 ## A|3-4 ##" },
        { "## A\r\na\r\n## B\r\nb",               "1-2 ## A|3-4 ## B" },
        { "## A\ra\r## B\rb\r",                   "1-2 ## A|3-4 ## B" },
        /* fences */
        { "```\n## A\n```\n## B\nb\n",            "1-3 |4-5 ## B" },
        { "~~~ c\n## A\n```\n~~\n~~~~\n## B\nb\n", "1-5 |6-7 ## B" },
        { "````\n```\n## A\n````\n## B\nb\n",     "1-4 |5-6 ## B" },
        { "``` a`b\n## B\nb\n",                   "1-1 |2-3 ## B" },
        { "~~~ a`b~\n## A\n~~~\n## B\nb\n",       "1-3 |4-5 ## B" },
        { "   ```\n## A\n    ```\n## A\n  ```  \n## B\nb\n", "1-5 |6-7 ## B" },
        { "```\n## A\n``` x\n## B\n",             "1-4 " },
        { "    ```\n## B\nb\n",                   "1-1 |2-3 ## B" },
        { "- ```\n  ## A\n  ```\n## B\nb\n",      "1-3 |4-5 ## B" },
        { "- ```\n  ## A\n## B\nb\n",             "1-2 |3-4 ## B" },
        { "1. x\n\n   ```\n   ## A\n\n   ```\n## B\nb\n", "1-6 |7-8 ## B" },
        { "> ```\n> ## A\n## B\nb\n",             "1-2 |3-4 ## B" },
        { "> ```\n> ## A\n> ```\n> x\n## B\nb\n", "1-4 |5-6 ## B" },
        { "- a\n  - b\n\n        ```\n        ## A\n", "1-5 " },
        /* lists and quotes */
        { "- ## A\n> ## B\n- x\n\n  ## C\n\n## D\nd\n", "1-5 |7-8 ## D" },
        /* HTML */
        { "<!-- x\n\n## A\n-->\n## B\nb\n",       "1-4 |5-6 ## B" },
        { "<!-- x -->\n## B\nb\n",                "1-1 |2-3 ## B" },
        { "<!-->\n## B\nb\n",                     "1-1 |2-3 ## B" },
        { "<pre>\n\n## A\n</pre>\n## B\nb\n",     "1-4 |5-6 ## B" },
        { "<div>\n## A\n\n## B\nb\n",             "1-2 |4-5 ## B" },
        { "<b>x</b>\n## B\nb\n",                  "1-1 |2-3 ## B" },
        { "<x-y a=\"b\">\n## A\n\n## B\nb\n",     "1-2 |4-5 ## B" },
        { "<http://x.y>\n## B\nb\n",              "1-1 |2-3 ## B" },
        /* underlined */
        { "A\n---\na\n\nB\n-\nb\n",               "1-3 ## A|5-7 ## B" },
        { "p\n\nA\n  b \n---\na\n",               "1-1 |3-6 ## A b" },
        { "T\n===\nt\n\n---\nu\n",                "1-6 " },
        { "- a\n---\nb\n",                        "1-3 " },
        { "- a\nb\n---\nc\n",                     "1-4 " },
        { "> a\n---\nb\n",                        "1-3 " },
        { "> a\nb\n---\nc\n",                     "1-4 " },
        { "- a\n\nb\n---\nc\n",                   "1-1 |3-5 ## b" },
        { "a\n- - -\nb\n***\nc\n_ _ _\n",         "1-6 " },
        { "a\n    ---\nb\n",                      "1-3 " },
        { "    a\n---\nb\n",                      "1-3 " },
        { "a\n2. b\n---\nc\n",                    "1-4 ## a 2. b" },
        { "a\n\n[b]: c\n---\nd\n",               "1-5 " },
        { "[b][c]: d\n---\ne\n",                 "1-3 ## [b][c]: d" },
        { "| a | b |\n|---|---|\n| c | d |\n",    "1-3 " },
    };
    struct text document = { 0 }, found = { 0 };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        text_clear(&document);
        text_put(&document, cases[i].text);
        for (size_t n = 0; n < 501; n++)
            text_put(&document, "\n");
        describe(&found, &document, 1);
        if (strcmp(text_of(&found), cases[i].want) != 0)
            print_error("case %zu\n%s\n", i, cases[i].text);
        assert_string_equal(text_of(&found), cases[i].want);
    }
    text_free(&document);
    text_free(&found);
}

/* ---- Boundaries ---- */

static void keeps_short_documents_whole(void **state)
{
    static const struct { size_t lines; const char *ending; bool is_split; } cases[] = {
        { 500, "\n",   false }, { 501, "\n",   true }, { 500, "\r\n", false }, { 501, "\r\n", true },
        { 500, "\r",   false }, { 501, "\r",   true },
    };
    struct text document = { 0 }, found = { 0 };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        char want[64];

        for (int without_end = 0; without_end < 2; without_end++) {
            text_clear(&document);
            text_put(&document, "## A");
            text_put(&document, cases[i].ending);
            add_lines(&document, 100, cases[i].ending);
            text_put(&document, "## B");
            text_put(&document, cases[i].ending);
            add_lines(&document, cases[i].lines - 102, cases[i].ending);
            if (without_end)
                document.len -= strlen(cases[i].ending);
            snprintf(want, sizeof want, cases[i].is_split ? "11-111 ## A|112-%zu ## B" : "11-%zu ",
                     cases[i].lines + 10);
            describe(&found, &document, 11);
            assert_string_equal(text_of(&found), want);
        }
    }
    text_free(&document);
    text_free(&found);
}

static void splits_long_sections(void **state)
{
    struct text document = { 0 }, found = { 0 };

    (void)state;
    /* exactly 1000 lines: the heading, 498, a blank, 500 */
    text_put(&document, "## A\n");
    add_lines(&document, 498, "\n");
    text_put(&document, "\n");
    add_lines(&document, 500, "\n");
    describe(&found, &document, 1);
    assert_string_equal(text_of(&found), "1-1000 ## A");
    add_lines(&document, 1, "\n");
    describe(&found, &document, 1);
    assert_string_equal(text_of(&found), "1-499 ## A|501-1001 ## A");

    /* a paragraph longer than a piece stays whole */
    text_clear(&document);
    add_lines(&document, 10, "\n");
    text_put(&document, "\n");
    add_lines(&document, 1500, "\n");
    text_put(&document, "\n");
    add_lines(&document, 10, "\n");
    describe(&found, &document, 1);
    assert_string_equal(text_of(&found), "1-10 |12-1511 |1513-1522 ");

    /* as does a fence with blank lines and headings in it */
    text_clear(&document);
    text_put(&document, "### A\n\n```\n");
    for (size_t i = 0; i < 700; i++)
        text_put(&document, "\n## x\n");
    text_put(&document, "```\n\ny\n\n#### D\nz\n");
    describe(&found, &document, 1);
    assert_string_equal(text_of(&found), "1-1 ### A|3-1404 ### A|1406-1409 ### A");

    /* as many paragraphs in a piece as fit */
    text_clear(&document);
    for (size_t i = 0; i < 600; i++)
        text_put(&document, "a\nb\n\n");
    describe(&found, &document, 1);
    assert_string_equal(text_of(&found), "1-998 |1000-1799 ");
    text_free(&document);
    text_free(&found);
}

static void survives_extremes(void **state)
{
    static const struct { const char *repeated; size_t count; bool fine; } cases[] = {
        { "",          0,       true  }, { "\n",     600,      true  }, { "## A\n", 600, true },
        { "## A\na\n", 20000,   true  }, { "## A\na\n", 20001, false }, { ">",  3000000, true },
        { "- ",        1000000, true  }, { "#",      1000000,  true  }, { "`",  1000000, true },
        { "> - ",      500000,  true  }, { "a\n-\n", 600,      true  }, { "\r", 1000000, true },
        { "<!--\n",    500000,  true  }, { "\xff",   100000,   true  },
    };
    struct text document = { 0 };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct chunks chunks;

        text_clear(&document);
        for (size_t n = 0; n < cases[i].count; n++)
            text_put(&document, cases[i].repeated);
        assert_int_equal(chunks_make(&chunks, text_of(&document), document.len, 1), cases[i].fine);
        if (cases[i].fine) {
            assert_true(chunks.count >= 1);
            assert_int_equal(chunks.at[0].begin, 0);
        }
        chunks_free(&chunks);
        free(chunk_title(text_of(&document), document.len));
    }
    text_free(&document);
}

static void shortens_long_headings(void **state)
{
    struct text   document = { 0 };
    struct chunks chunks;

    (void)state;
    text_put(&document, "## a");
    for (size_t i = 0; i < 300; i++)
        text_put(&document, "\xe2\x82\xac");
    text_put(&document, "\n");
    add_lines(&document, 600, "\n");
    assert_true(chunks_make(&chunks, document.at, document.len, 1));
    assert_int_equal(strlen(chunks.at[0].header_path), 3 + 1 + 66 * 3);
    chunks_free(&chunks);
    text_free(&document);
}

static void finds_titles(void **state)
{
    static const struct { const char *text, *want; } cases[] = {
        { "",                          NULL        }, { "text\n",               NULL    },
        { "# A\n",                     "A"         }, { "## B\n# A\n# C\n",     "A"     },
        { "### B\n## C\n",             "B"         }, { "A b\nc\n===\n",        "A b c" },
        { "```\n# x\n```\n# A #\n",    "A"         }, { "#\n# A\n",             "A"     },
        { "# `a`  *b*\n",              "`a` *b*"   }, { "> # x\n\n# \tA\x01z",  "A z"   },
        { "#\n",                       NULL        }, { "# \x01\x02\n## B\n",   "B"     },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        char *title = chunk_title(cases[i].text, strlen(cases[i].text));

        if (cases[i].want)
            assert_string_equal(title, cases[i].want);
        else
            assert_null(title);
        free(title);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_headings),         cmocka_unit_test(keeps_short_documents_whole),
        cmocka_unit_test(splits_long_sections),   cmocka_unit_test(survives_extremes),
        cmocka_unit_test(shortens_long_headings), cmocka_unit_test(finds_titles),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
