/* closer_test.c - what the sections of a piece have of a question, and what stands for those that are not read. */
#include "docs/search/closer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define QUESTION "restore a backup"
#define TOO_LONG ((size_t)513 << 10)

static struct store      *store;
static struct tenant      tenant = { 0, "p", "main", "0123456789abcdef" };
static tenon_toolbox     *box;
static tenon_call        *call;
static struct query_words words;
static struct score_query query;

static int set_up(void **state)
{
    struct postings postings = { .pieces = 10, .length = 1000 };
    char           *mistake  = NULL;

    (void)state;
    store = store_open(":memory:", &mistake);
    box   = tenon_toolbox_new();
    call  = tenon_call_new(box);
    free(mistake);
    query_words_of(&words, QUESTION, strlen(QUESTION));
    for (size_t i = 0; i < words.count; i++)
        postings.with[i] = 1;
    score_question(&query, &words, &postings);
    return store && call && store_tenant(store, &tenant, "/p") == STORE_OK ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    tenon_call_free(call);
    tenon_toolbox_free(box);
    store_close(store);
    return 0;
}

/* What is looked at of a document of one piece with these parts. */
static double look(const char *path, const char *text, const struct part *parts, size_t count)
{
    struct document        document = { .path = path, .title = "", .doc_type = "tool", .hash = "h" };
    struct piece           piece    = { .text       = text,
                                        .len        = strlen(text),
                                        .first_line = 1,
                                        .last_line  = 2,
                                        .parts      = parts,
                                        .part_count = count };
    double                 sections = NAN;
    int64_t                id       = 0;
    static struct postings postings;
    const char *const      asked[] = { words.at[0] };

    assert_int_equal(store_put(store, &tenant, &document, &piece, 1, NULL, 0, "", NULL, 0), STORE_OK);
    assert_int_equal(store_postings(store, call, &tenant, false, asked, 1, &postings), STORE_OK);
    for (size_t i = 0; i < postings.row_count; i++) /* the newest */
        id = postings.rows[i].piece > id ? postings.rows[i].piece : id;
    assert_int_equal(store_pieces(store, call, &tenant, &id, 1, &piece), STORE_OK);
    assert_string_equal(piece.text, text);
    postings_free(&postings);
    assert_int_equal(store_parts(store, call, &tenant, &piece, 1), STORE_OK);
    closer_look(call, &query, &words, &piece, 1, &sections);
    return sections;
}

static void finds_the_best_section(void **state)
{
    static const char text[] =
        "Backups are made at night. To restore a backup, stop the server. Nothing else.";
    const size_t first        = strlen("Backups are made at night. "),
                 second       = strlen(text) - strlen("Nothing else.");
    const struct part apart[] = {
        { .end = first, .heading_path = "", .anchor = "" },
        { .begin = first, .end = second, .heading_path = "", .anchor = "" },
        { .begin = second, .end = strlen(text), .heading_path = "", .anchor = "" }
    };
    const struct part headed[] = { { .end = strlen(text), .heading_path = QUESTION, .anchor = "" } };
    const struct part beyond[] = { { .begin = 1000, .end = 2000, .heading_path = "", .anchor = "" } };

    double best = score_section(&query, &words, "", text + first, second - first);
    double next = score_section(&query, &words, "", text, first);

    (void)state;
    assert_true(best > next && next > 0);
    assert_true(fabs(look("apart.md", text, apart, 3) - best - 0.1 * next) < 1e-9);
    assert_true(look("headed.md", text, headed, 1) > best + 0.1 * next);
    assert_true(fabs(look("beyond.md", text, beyond, 1)) < 1e-9); /* whatever the table says */
}

static void leaves_what_is_too_long(void **state)
{
    char           *text  = malloc(TOO_LONG + 1);
    struct piece    gone  = { 0 };
    struct document named = { .title = QUESTION, .path = "a.md" }, other = { .title = "x", .path = "b.md" };
    double          sections;

    (void)state;
    assert_non_null(text);
    memset(text, ' ', TOO_LONG);
    memcpy(text, QUESTION, strlen(QUESTION));
    text[TOO_LONG] = '\0';
    sections       = look("long.md", text, NULL, 0);
    free(text);
    assert_true(sections < 0);
    assert_true(fabs(closer_evidence(&query, &words, &other, sections, 0.8) - 0.8) < 1e-9);
    assert_true(closer_evidence(&query, &words, &named, sections, 0.8) > 1);
    assert_true(closer_evidence(&query, &words, &other, 0, 0.8) < 0.3);
    closer_look(call, &query, &words, &gone, 1, &sections);
    assert_true(sections < 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(finds_the_best_section),
                                        cmocka_unit_test(leaves_what_is_too_long) };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
