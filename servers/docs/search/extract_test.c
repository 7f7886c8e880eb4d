/* extract_test.c - the right sentences, each with the lines it stands on, and nothing else. */
#include "docs/search/extract.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "docs/search/extract_units.h"
#include "kit/text.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

static tenon_toolbox *box;
static tenon_call    *call;

static int set_up(void **state)
{
    (void)state;
    box  = tenon_toolbox_new(.user = NULL);
    call = tenon_call_new(box);
    return call ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    tenon_call_free(call);
    tenon_toolbox_free(box);
    return 0;
}

/* ---- Units ---- */

static char   listed[4096];
static size_t listed_len;

static const char *source;

static bool list_unit(void *user, const struct unit *unit)
{
    (void)user;
    listed_len += (size_t)snprintf(listed + listed_len, sizeof listed - listed_len, "%s%zu-%zu %c%.*s",
                                   listed_len ? "|" : "", unit->first_line, unit->last_line,
                                   "stc"[unit->kind], (int)(unit->end - unit->begin), source + unit->begin);
    return true;
}

static void splits_markdown(void **state)
{
    static const struct { const char *text, *units; } cases[] = {
        { "", "" },
        { "One. Two! Three?", "0-0 sOne.|0-0 sTwo!|0-0 sThree?" },
        { "One\ntwo. Three\nfour.\n\nFive", "0-1 sOne\ntwo.|1-2 sThree\nfour.|4-4 sFive" },
        { "Use e.g. this one, i.e. it. See Fig. 2 now.", "0-0 sUse e.g. this one, i.e. it.|0-0 sSee Fig. 2 now." },
        { "Call `a.b. C` first. Then v1.2 of J. Smith.", "0-0 sCall `a.b. C` first.|0-0 sThen v1.2 of J. Smith." },
        { "# H\nText.", "1-1 sText." },
        { "Head\n====\nText.", "2-2 sText." },
        { "- One item.\n- Two\n  lines.\n1. Three", "0-0 sOne item.|1-2 sTwo\n  lines.|3-3 sThree" },
        { "> Quoted\n> text.", "0-1 sQuoted\n> text." },
        { "A:\n\n```c\nint x;\n\nint y;\n```\nB.", "0-0 sA:|2-6 c```c\nint x;\n\nint y;\n```|7-7 sB." },
        { "| a | b |\n|---|---|\n| 1 | 2 |\n\nEnd.", "0-2 t| a | b |\n|---|---|\n| 1 | 2 ||4-4 sEnd." },
        { "One.\r\nTwo.\r\n\r\nThree.", "0-0 sOne.|1-1 sTwo.|3-3 sThree." },
        { "\xe7\x8c\xab\xe3\x80\x82\xe7\x8a\xac\xe3\x80\x82", "0-0 s\xe7\x8c\xab\xe3\x80\x82|0-0 s\xe7\x8a\xac\xe3\x80\x82" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        listed_len = 0;
        listed[0]  = '\0';
        source     = cases[i].text;
        units_each(source, strlen(source), list_unit, NULL);
        assert_string_equal(listed, cases[i].units);
    }
}

static bool is_bounded(void *user, const struct unit *unit)
{
    ++*(size_t *)user;
    assert_true(unit->end - unit->begin <= UNIT_LEN_MAX);
    return true;
}

static void bounds_units(void **state)
{
    size_t len = 100000, count = 0;
    char  *text = malloc(len);

    (void)state;
    assert_non_null(text);
    memset(text, 'a', len);
    units_each(text, len, is_bounded, &count);
    assert_int_equal(count, 0);
    for (size_t i = 0; i < len; i++)
        text[i] = i % 50 == 49 ? '\n' : 'a';
    memcpy(text, "```\n", 4);
    units_each(text, len, is_bounded, &count);
    assert_int_equal(count, 1);
    memset(text, '.', len);
    units_each(text, len, is_bounded, &count);
    free(text);
}

/* ---- Answers ---- */

static struct hit hit_of(const char *path, const char *text, int64_t first_line)
{
    return (struct hit){
        .document = { .id = 1, .path = path, .title = path },
        .piece = { .id = 1, .text = text, .len = strlen(text), .first_line = first_line, .header_path = "" },
        .relevance = 0.8
    };
}

static const char *answer(const char *query, const char *text)
{
    struct hit hit = hit_of("a.md", text, 11);

    return extract_answer(call, query, &hit, 1, &(bool){ false });
}

static void answers_with_lines(void **state)
{
    static const struct { const char *query, *text, *answer; } cases[] = {
        { "When is the backup made?",
          "# Operations\n\nThe server is fast. The backup is made every\nnight at two. Logs go to a file.",
          "The server is fast. The backup is made every\nnight at two. Logs go to a file. [a.md:13-14]" },
        { "restore the backup",
          "## Restore a backup\n\nRun this command on the server:\n\n```sh\nrestore --backup last\n```\n\nBirds sing in the morning.",
          "Run this command on the server:\n\n```sh\nrestore --backup last\n```\n\nBirds sing in the morning. [a.md:13-19]" },
        { "timeout default",
          "| option | default |\n|---|---|\n| timeout | 30 s |\n\nBirds sing in the morning.",
          "| option | default |\n|---|---|\n| timeout | 30 s |\n\nBirds sing in the morning. [a.md:11-15]" },
        { "eviction policy of the cache",
          "The cache has an eviction policy. It is new.\n\nThe cache has one eviction policy.",
          "The cache has an eviction policy. It is new.\n\nThe cache has one eviction policy. [a.md:11-13]" },
        { "bidi", "The bidi \xe2\x80\xae" "text\xe2\x80\x8b is here today.", "The bidi text is here today. [a.md:11]" },
        { "anything", "Nothing of that is said here. Truly not.",
          "Nothing of that is said here. Truly not.\n\n[a.md:11]" },
        { "anything", "", "" },
        { "", "Some longer text stands here.", "Some longer text stands here.\n\n[a.md:11]" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        assert_string_equal(answer(cases[i].query, cases[i].text), cases[i].answer);
}

static void orders_by_source(void **state)
{
    struct hit hits[] = {
        hit_of("b.md", "Nothing.\nThe cache keeps answers for ten minutes.", 1),
        hit_of("a.md", "The eviction policy of the cache is least recently used.", 5),
    };

    (void)state;
    assert_string_equal(extract_answer(call, "cache eviction policy, and how long it keeps answers", hits, 2,
                                       &(bool){ false }),
                        "Nothing.\nThe cache keeps answers for ten minutes. [b.md:1-2]\n\n"
                        "The eviction policy of the cache is least recently used. [a.md:5]");
    assert_string_equal(extract_answer(call, "x", hits, 0, &(bool){ false }), "");
}

static void closes_fences(void **state)
{
    char       *text = malloc(10000);
    const char *said;

    (void)state;
    assert_non_null(text);
    strcpy(text, "````\nbackup restore\n");
    for (size_t i = strlen(text); i < 9000; i += 10)
        strcpy(text + i, "code here\n");
    said = answer("backup restore", text);
    assert_non_null(strstr(said, "code here\n````\n\n[a.md:11-"));
    assert_true(strlen(said) < UNIT_LEN_MAX + 100);
    free(text);
}

/* Of a long example the first lines, and as far as what was asked for; then it is closed, and cited so far. */
static void shows_code_as_far_as_asked(void **state)
{
    struct text text = { 0 };
    const char *said;

    (void)state;
    text_put(&text, "The proxy needs a block:\n\n```nginx\n");
    for (int i = 1; i <= 60; i++)
        text_addf(&text, i == 30 ? "buffering off;\n" : "line_%d;\n", i);
    text_put(&text, "```\n\nTests run it. Birds sing.\n");
    said = answer("proxy buffering", text_of(&text));
    assert_non_null(strstr(said, "line_29;\nbuffering off;\n```\n\nTests run it."));
    assert_null(strstr(said, "line_31"));
    said = answer("proxy block", text_of(&text));
    assert_non_null(strstr(said, "line_15;\n```\n\nTests run it."));
    text.at[strstr(text.at, "\n\nTests") - text.at] = '\0';
    said                                            = answer("proxy buffering", text_of(&text));
    assert_non_null(strstr(said, "buffering off;\n```\n\n[a.md:11-43]"));
    text_free(&text);
}

static void bounds_answers(void **state)
{
    size_t      len  = 3000000;
    char       *text = malloc(len + 1);
    const char *said;

    (void)state;
    assert_non_null(text);
    for (size_t i = 0; i < len; i++)
        text[i] = "The cache number one is full of words. "[i % 39];
    text[len] = '\0';
    said      = answer("cache full", text);
    assert_true(strlen(said) > 10 && strlen(said) < (size_t)CONTEXT_TOKENS * TOKEN_CHARS);
    free(text);
}

int main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        CASE(splits_markdown),  CASE(bounds_units),  CASE(answers_with_lines),
        CASE(orders_by_source), CASE(closes_fences), CASE(shows_code_as_far_as_asked),
        CASE(bounds_answers),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
