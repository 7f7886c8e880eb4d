/* score_test.c - the curves: within bounds, never falling with more evidence, and where the documentation says. */
#include "docs/search/score.h"

#include <math.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static double relevance(double words, double cosine, enum cosine_kind kind)
{
    struct evidence evidence = { .saturated = words, .cosine = cosine, .has_cosine = true };

    return score_relevance(&evidence, kind);
}

static void never_falls(void **state)
{
    (void)state;
    for (int kind = COSINE_EMBEDDED; kind <= COSINE_MODEL; kind++)
        for (double words = 0; words <= 1; words += 0.01)
            for (double cosine = -1; cosine <= 1; cosine += 0.01) {
                double at = relevance(words, cosine, (enum cosine_kind)kind);

                assert_true(at > 0 && at < 1);
                assert_true(relevance(words + 0.01, cosine, (enum cosine_kind)kind) >= at);
                assert_true(relevance(words, cosine + 0.01, (enum cosine_kind)kind) >= at);
            }
}

static void stands_where_it_is_said(void **state)
{
    static const struct { double words, cosine; enum cosine_kind kind; double low, high; } cases[] = {
        { 0.0, 0.00, COSINE_EMBEDDED, 0.00, 0.05 }, /* nothing */
        { 0.0, 0.30, COSINE_EMBEDDED, 0.00, 0.20 }, /* letters in common are no evidence alone */
        { 0.9, 0.00, COSINE_EMBEDDED, 0.50, 0.90 },
        { 0.5, 0.40, COSINE_EMBEDDED, 0.75, 0.95 }, /* every word once: more than 0.7, which asks for that */
        { 0.9, 0.90, COSINE_EMBEDDED, 0.90, 1.00 },
        { 0.0, 0.90, COSINE_MODEL,    0.00, 0.05 }, /* its cosines count in meaning.c */
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double at = relevance(cases[i].words, cases[i].cosine, cases[i].kind);

        if (at < cases[i].low - 1e-9 || at > cases[i].high)
            fail_msg("case %zu: %.3f", i, at);
    }
}

/* How long a question is does not matter, only what of it a piece has. */
static void weighs_whole_questions(void **state)
{
    static struct query_words words;
    struct postings           postings = { .pieces = 100, .length = 10000 };
    struct score_query        query;
    double                    total = 0;

    (void)state;
    words.count = QUERY_WORDS_MAX;
    for (size_t i = 0; i < words.count; i++) {
        words.times[i] = 1;
        words.name[i] = words.meant[i] = (uint8_t)i;
        postings.with[i]               = (int64_t)i;
    }
    score_question(&query, &words, &postings);
    for (size_t i = 0; i < words.count; i++) {
        total += query.weights[i];
        assert_true(i == 0 || query.weights[i] < query.weights[i - 1]);
    }
    assert_true(fabs(total - 1) < 1e-9);
    words.count = 0;
    score_question(&query, &words, &postings);
    assert_true(score_words(&query, &postings, NULL).saturated == 0);
}

/* A part is one only of a name: not when it also stands alone. */
static void tells_names_from_parts(void **state)
{
    static const struct { const char *query, *word, *name; } cases[] = {
        { "MAX_BODY",        "max",  "max_body" },
        { "--max-body",      "bodi", "max_body" },
        { "max_body of max", "max",  "max"      }, /* it is asked for, too */
        { "max of max_body", "max",  "max"      },
        { "parseURL",        "url",  "parseurl" },
        { "the body",        "bodi", "bodi"     },
    };
    static struct query_words words;

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t at = 0;

        query_words_of(&words, cases[i].query, strlen(cases[i].query));
        while (at < words.count && strcmp(words.at[at], cases[i].word) != 0)
            at++;
        assert_true(at < words.count);
        assert_string_equal(words.at[words.name[at]], cases[i].name);
    }
}

static void widens_a_question(void **state)
{
    static struct query_words words;
    size_t                    asked, page = 0;

    (void)state;
    query_words_of(&words, "How does pagination work?", 25);
    asked = words.count;
    query_words_widen(&words);
    while (page < words.count && strcmp(words.at[page], "page") != 0)
        page++;
    assert_true(page >= asked && page < words.count);
    assert_int_equal(words.times[page], 0);
    assert_int_equal(words.meant[page], 0);
    for (size_t i = 0; i < asked; i++)
        assert_int_equal(words.meant[i], i);
}

/* What an example prints is not what its section is about. */
static void counts_code_less(void **state)
{
    static const char *const  texts[] = { "A backup is made.\n\nRestore it.\n",
                                          "A backup is made.\n\n```\nrestore it\n```\n",
                                          "A backup is made.\n\n~~~~sh\n\nrestore it\n" };
    static struct query_words words;
    struct postings           postings = { .pieces = 100, .length = 10000, .with = { 5, 5 } };
    struct score_query        query;
    double                    at[3];

    (void)state;
    query_words_of(&words, "restore backup", 14);
    score_question(&query, &words, &postings);
    for (size_t i = 0; i < 3; i++)
        at[i] = score_section(&query, &words, "", texts[i], strlen(texts[i]));
    assert_true(at[1] < 0.9 * at[0]);
    assert_true(at[1] > score_section(&query, &words, "", "A backup is made.", 17));
    assert_true(fabs(at[2] - at[1]) < 0.01);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(never_falls),
        cmocka_unit_test(stands_where_it_is_said),
        cmocka_unit_test(weighs_whole_questions),
        cmocka_unit_test(tells_names_from_parts),
        cmocka_unit_test(widens_a_question),
        cmocka_unit_test(counts_code_less),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
