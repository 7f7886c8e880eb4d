/* passage_test.c - where passages begin and end, what stands above them, and the anchors that lead to them. */
#include "docs/markdown/passage.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>

#include <cmocka.h>

#include "docs/markdown/anchor.h"
#include "kit/text.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

/* "first-last path #anchor" of each. */
static void describe(struct text *out, const struct text *document, const char *title)
{
    struct passages passages;
    struct chunks   chunks;

    text_clear(out);
    assert_true(chunks_make(&chunks, text_of(document), document->len, 1));
    assert_true(passages_make(&passages, text_of(document), document->len, 1, &chunks, title));
    for (size_t i = 0; i < passages.count; i++)
        text_addf(out, "%s%zu-%zu %s #%s", i ? "|" : "", passages.at[i].first_line, passages.at[i].last_line,
                  passages.at[i].heading_path, passages.at[i].anchor);
    passages_free(&passages);
    chunks_free(&chunks);
}

static void finds_sections(void **state)
{
    static const struct { const char *text, *title, *want; } cases[] = {
        { "a\n",                                   NULL,  "1-1  #" },
        { "",                                      NULL,  "1-1  #" },
        { "# T\n\na\n\n## A\n\nb\n",               "T",   "1-3  #t|5-7 A #a" },
        { "# T\n\na\n\n## A\n\nb\n",               NULL,  "1-3 T #t|5-7 T > A #a" },
        { "## A\n### B\nb\n#### C d\nc\n## D\nd\n", NULL, "2-3 A > B #b|4-5 A > B > C d #c-d|6-7 D #d" },
        { "## A\n## B\n",                          NULL,  "1-2 B #b" },
        { "A\n---\na\n\nB\n===\nb\n",              NULL,  "1-3 A #a|5-7 B #b" },
        { "## A\na\n## A\nb\n## a\nc\n",           NULL,  "1-2 A #a|3-4 A #a-1|5-6 a #a-2" },
        { "## A {#own}\na\n",                      NULL,  "1-2 A #own" },
        { "```\n# no\n```\n\n## A\n\n\na\n\n",     NULL,  "1-3  #|5-8 A #a" },
        { "## A\r\na\r\n## B\r\nb",                NULL,  "1-2 A #a|3-4 B #b" },
        { "\n\n# T\n\n\n\na\n\n",                  "T",   "3-7  #t" },
    };
    struct text out = { 0 }, document = { 0 };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        text_clear(&document);
        text_put(&document, cases[i].text);
        describe(&out, &document, cases[i].title);
        assert_string_equal(text_of(&out), cases[i].want);
    }
    text_free(&document);
    text_free(&out);
}

/* Paragraphs of as many words, with what stands before each line. */
static void add_paragraph(struct text *out, const char *before, size_t words, const char *after)
{
    text_put(out, before);
    for (size_t i = 0; i < words; i++)
        text_put(out, i ? " w" : "w");
    text_put(out, after);
}

static void cuts_long_sections(void **state)
{
    struct text out = { 0 }, document = { 0 };

    (void)state;
    text_put(&document, "## A\n\n"); /* 1-2 */
    for (int i = 0; i < 5; i++)
        add_paragraph(&document, "", 80, "\n\n"); /* 3, 5, 7, 9, 11 */
    describe(&out, &document, NULL);
    assert_string_equal(text_of(&out), "1-5 A #a|7-9 A #a|11-11 A #a");

    text_clear(&document); /* a rest of a few words stays with what is before it */
    add_paragraph(&document, "", 100, "\n\n");
    add_paragraph(&document, "", 70, "\n\n");
    add_paragraph(&document, "", 20, "\n");
    describe(&out, &document, NULL);
    assert_string_equal(text_of(&out), "1-5  #");

    text_clear(&document); /* never in a fence */
    add_paragraph(&document, "", 60, "\n\n```\n");
    for (int i = 0; i < 10; i++)
        add_paragraph(&document, "", 50, "\n\n"); /* 4 to 23 */
    text_put(&document, "```\n\n");               /* 24 */
    add_paragraph(&document, "", 60, "\n");
    describe(&out, &document, NULL);
    assert_string_equal(text_of(&out), "1-1  #|3-24  #|26-26  #");

    text_clear(&document); /* items, and rows below the names of columns */
    for (int i = 0; i < 4; i++)
        add_paragraph(&document, "- ", 60, "\n");
    describe(&out, &document, NULL);
    assert_string_equal(text_of(&out), "1-2  #|3-4  #");
    text_clear(&document);
    text_put(&document, "| a |\n| --- |\n");
    for (int i = 0; i < 6; i++)
        add_paragraph(&document, "| ", 60, " |\n");
    describe(&out, &document, NULL);
    assert_string_equal(text_of(&out), "1-4  #|5-6  #|7-8  #");

    text_clear(&document); /* without any place for it, where a line begins */
    for (int i = 0; i < 20; i++)
        add_paragraph(&document, "", 50, "\n");
    describe(&out, &document, NULL);
    assert_true(strchr(text_of(&out), '|') != NULL);
    text_free(&document);
    text_free(&out);
}

/* A piece of more than 500 lines has its own passages, and headings above it are in their paths. */
static void stays_within_pieces(void **state)
{
    struct text     document = { 0 };
    struct passages passages;
    struct chunks   chunks;

    (void)state;
    text_put(&document, "# T\n\n## A\n\n");
    for (int i = 0; i < 600; i++)
        text_addf(&document, i % 100 ? "x\n" : "\n### B\n\n");
    assert_true(chunks_make(&chunks, text_of(&document), document.len, 1));
    assert_true(passages_make(&passages, text_of(&document), document.len, 1, &chunks, "T"));
    assert_true(chunks.count > 1 && passages.count >= chunks.count);
    for (size_t i = 0; i < passages.count; i++) {
        const struct passage *passage = &passages.at[i];

        assert_true(passage->chunk < chunks.count && passage->begin >= chunks.at[passage->chunk].begin &&
                    passage->end <= chunks.at[passage->chunk].end);
        assert_true(passage->first_line >= chunks.at[passage->chunk].first_line &&
                    passage->last_line <= chunks.at[passage->chunk].last_line);
    }
    assert_string_equal(passages.at[passages.count - 1].heading_path, "A > B");
    assert_string_equal(passages.at[passages.count - 1].anchor, "b-5");
    passages_free(&passages);
    chunks_free(&chunks);
    text_free(&document);
}

static void makes_anchors(void **state)
{
    static const struct { const char *heading, *want; } cases[] = {
        { "The operator's flags",             "the-operators-flags" },
        { "`tenon call`: how",                "tenon-call-how" },
        { "A [link](https://a.b/c) in it",    "a-link-in-it" },
        { "C++ & C#",                         "c--c" },
        { "\xc3\x9c" "ber \xe2\x80\x94 uns",  "\xc3\x9c" "ber--uns" },
        { "snake_case-name",                  "snake_case-name" },
        { "Text {#own-id}",                   "own-id" },
        { "Text {#not own}",                  "text-not-own" },
        { "",                                 "" },
    };
    char out[ANCHOR_MAX];

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct anchors anchors = { 0 };

        assert_true(anchor_make(&anchors, cases[i].heading, out));
        assert_string_equal(out, cases[i].want);
        anchors_free(&anchors);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_sections),
        cmocka_unit_test(cuts_long_sections),
        cmocka_unit_test(stays_within_pieces),
        cmocka_unit_test(makes_anchors),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
