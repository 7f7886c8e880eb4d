/* quality.c - how good the answers are: ours, SQLite's own full-text search, and vectors alone.
 *
 * A line for each system and half of the questions: "odd hybrid ndcg recall", and for the thresholds "odd 0.5 precision
 * recall shown". Features are a line for each pair of question and document, for fit.py.
 */
#define _POSIX_C_SOURCE 200809L

#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "corpus.h"
#include "docs/search/score.h"

#define DEPTH 10

/* The best documents for a question, best first; how many. */
struct ranking {
    size_t at[1000];
    double relevance[1000];
    size_t count;
};

/* ---- Ours ---- */

static size_t number_of(const struct corpus *corpus, const char *name)
{
    for (size_t i = 0; i < corpus->count; i++)
        if (strcmp(corpus->names[i], name) == 0)
            return i;
    die("a document that is not of the corpus");
    return 0;
}

static void ask_hybrid(struct bench *bench, const struct corpus *corpus, const char *question,
                       struct ranking *ranking)
{
    struct search search = { .query = question, .most = 1000 };
    struct hits   hits;

    bench_renew(bench);
    if (search_run(&bench->docs, bench->call, &bench->project, &search, &hits) != STORE_OK)
        die("a search failed");
    ranking->count = hits.count < 1000 ? hits.count : 1000;
    for (size_t i = 0; i < ranking->count; i++) {
        ranking->at[i]        = number_of(corpus, hits.at[i].document.path);
        ranking->relevance[i] = hits.at[i].relevance;
    }
}

static void ask_vectors(struct bench *bench, const struct corpus *corpus, const char *question,
                        struct ranking *ranking)
{
    struct embedder     *embedder = bench->docs.embedder;
    float               *vector   = calloc(embedder->dimensions, sizeof *vector);
    struct embed_failure failure;
    struct nearest       near[1000];
    const struct matrix *matrix;
    int64_t              first = 0;

    if (!vector || embedder->embed(embedder, NULL, EMBED_QUERY, &question, 1, vector, &failure) != EMBED_OK)
        die("a question cannot be embedded");
    matrix = store_vectors(bench->docs.store, &bench->project.tenant, false, embedder->model);
    if (!matrix)
        die("no vectors");
    first          = part_id(part_piece(matrix->ids[0]), 0);
    ranking->count = matrix_scan(matrix, vector, DEPTH, NULL, NULL, near);
    for (size_t i = 0; i < ranking->count; i++)
        ranking->at[i] = (size_t)part_piece(near[i].id - first); /* a piece each, in order */
    store_vectors_done(bench->docs.store, &bench->project.tenant, false);
    (void)corpus;
    free(vector);
}

/* ---- SQLite's own: its tokenizer, any of the words, its bm25 ---- */

static sqlite3 *make_plain(const struct corpus *corpus)
{
    sqlite3      *db;
    sqlite3_stmt *add;

    if (sqlite3_open(":memory:", &db) != SQLITE_OK ||
        sqlite3_exec(db, "CREATE VIRTUAL TABLE t USING fts5(text); BEGIN", NULL, NULL, NULL) != SQLITE_OK ||
        sqlite3_prepare_v2(db, "INSERT INTO t (rowid, text) VALUES (?, ?)", -1, &add, NULL) != SQLITE_OK)
        die("SQLite");
    for (size_t i = 0; i < corpus->count; i++) {
        sqlite3_bind_int64(add, 1, (sqlite3_int64)i + 1);
        sqlite3_bind_text(add, 2, corpus->texts[i], -1, SQLITE_STATIC);
        sqlite3_step(add);
        sqlite3_reset(add);
    }
    sqlite3_finalize(add);
    sqlite3_exec(db, "COMMIT", NULL, NULL, NULL);
    return db;
}

static void ask_plain(sqlite3 *db, const char *question, struct ranking *ranking)
{
    char          query[32768];
    size_t        len = 0;
    sqlite3_stmt *find;

    for (const char *at = question; *at && len < sizeof query - 100;) {
        size_t word = strspn(at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789");

        if (word)
            len += (size_t)snprintf(query + len, sizeof query - len, "%s\"%.*s\"", len ? " OR " : "",
                                    (int)word, at);
        at += word ? word : 1;
    }
    query[len] = '\0';
    if (sqlite3_prepare_v2(db, "SELECT rowid FROM t WHERE t MATCH ? ORDER BY rank LIMIT 10", -1, &find,
                           NULL) != SQLITE_OK)
        die("SQLite");
    sqlite3_bind_text(find, 1, query, -1, SQLITE_STATIC);
    for (ranking->count = 0; sqlite3_step(find) == SQLITE_ROW;)
        ranking->at[ranking->count++] = (size_t)sqlite3_column_int64(find, 0) - 1;
    sqlite3_finalize(find);
}

/* ---- Measures ---- */

struct measure {
    double ndcg, recall;
    size_t questions;
};

static void measure(struct measure *measure, const struct corpus *corpus, size_t question,
                    const struct ranking *ranking)
{
    size_t relevant = corpus_relevant(corpus, question), found = 0;
    double gain = 0, ideal = 0;

    for (size_t i = 0; i < DEPTH && i < ranking->count; i++)
        if (corpus_is_relevant(corpus, question, ranking->at[i])) {
            gain += 1 / log2((double)i + 2);
            found++;
        }
    for (size_t i = 0; i < DEPTH && i < relevant; i++)
        ideal += 1 / log2((double)i + 2);
    measure->ndcg += gain / ideal;
    measure->recall += (double)found / (double)relevant;
    measure->questions++;
}

struct threshold {
    double least;
    size_t shown, right, relevant, questions, answered;
};

static void count_shown(struct threshold *threshold, const struct corpus *corpus, size_t question,
                        const struct ranking *ranking)
{
    size_t shown = 0;

    for (size_t i = 0; i < ranking->count; i++)
        if (ranking->relevance[i] >= threshold->least) {
            shown++;
            threshold->right += corpus_is_relevant(corpus, question, ranking->at[i]);
        }
    threshold->shown += shown;
    threshold->answered += shown > 0;
    threshold->relevant += corpus_relevant(corpus, question);
    threshold->questions++;
}

static double part(size_t of, size_t whole)
{
    return whole ? (double)of / (double)whole : 0;
}

int quality_run(const struct corpus *corpus)
{
    static const char *const names[] = { "hybrid", "plain", "vectors" };
    static struct ranking    rankings[3];
    struct measure           measures[2][3]   = { 0 };
    struct threshold         thresholds[2][2] = { { { .least = 0.5 }, { .least = 0.7 } },
                                                  { { .least = 0.5 }, { .least = 0.7 } } };
    struct bench             bench;
    sqlite3                 *plain = make_plain(corpus);

    bench_open(&bench, NULL);
    bench_put(&bench, corpus);
    for (size_t q = 0; q < corpus->question_count; q++) {
        size_t odd = (q + 1) % 2;

        if (!corpus_relevant(corpus, q))
            continue;
        ask_hybrid(&bench, corpus, corpus->questions[q], &rankings[0]);
        ask_plain(plain, corpus->questions[q], &rankings[1]);
        ask_vectors(&bench, corpus, corpus->questions[q], &rankings[2]);
        for (size_t s = 0; s < 3; s++)
            measure(&measures[odd][s], corpus, q, &rankings[s]);
        for (size_t t = 0; t < 2; t++)
            count_shown(&thresholds[odd][t], corpus, q, &rankings[0]);
    }
    for (size_t odd = 2; odd-- > 0;) {
        const char *half = odd ? "odd" : "even";

        for (size_t s = 0; s < 3; s++)
            printf("cisi/%s/%s %.4f %.4f\n", half, names[s],
                   measures[odd][s].ndcg / (double)measures[odd][s].questions,
                   measures[odd][s].recall / (double)measures[odd][s].questions);
        for (size_t t = 0; t < 2; t++) {
            const struct threshold *at = &thresholds[odd][t];

            printf("cisi/%s/%.1f %.4f %.4f %.2f\n", half, at->least, part(at->right, at->shown),
                   part(at->right, at->relevant), part(at->shown, at->questions));
        }
    }
    sqlite3_close(plain);
    bench_close(&bench);
    return 0;
}

/* ---- The second corpus: each question with what is found ---- */

int show_run(const struct corpus *corpus, const char *name)
{
    static struct ranking ranking;
    struct threshold      on[2] = { { .least = 0.5 }, { .least = 0.7 } },
                     off[2]     = { { .least = 0.5 }, { .least = 0.7 } };
    size_t       first          = 0;
    struct bench bench;

    bench_open(&bench, NULL);
    bench_put(&bench, corpus);
    for (size_t q = 0; q < corpus->question_count; q++) {
        bool answerable = corpus_relevant(corpus, q) > 0;

        ask_hybrid(&bench, corpus, corpus->questions[q], &ranking);
        for (size_t t = 0; t < 2; t++)
            count_shown(answerable ? &on[t] : &off[t], corpus, q, &ranking);
        if (answerable && ranking.count)
            first += corpus_is_relevant(corpus, q, ranking.at[0]);
        fprintf(stderr, "%-4s %s:", answerable ? "" : "off", corpus->questions[q]);
        for (size_t i = 0; i < 4 && i < ranking.count; i++)
            fprintf(stderr, " %s%s %.2f", corpus_is_relevant(corpus, q, ranking.at[i]) ? "*" : "",
                    corpus->names[ranking.at[i]], ranking.relevance[i]);
        fprintf(stderr, "\n");
    }
    printf("%s/first %.4f\n", name, part(first, on[0].questions));
    for (size_t t = 0; t < 2; t++) {
        printf("%s/%.1f %.4f %.4f %.2f\n", name, on[t].least, part(on[t].right, on[t].shown),
               part(on[t].right, on[t].relevant), part(on[t].shown, on[t].questions));
        printf("%s/off/%.1f %zu %zu\n", name, off[t].least, off[t].answered, off[t].questions);
    }
    bench_close(&bench);
    return 0;
}

/* ---- For fit.py ---- */

int features_run(const struct corpus *corpus)
{
    struct bench         bench;
    struct embedder     *embedder;
    float               *vector;
    struct embed_failure failure;

    bench_open(&bench, NULL);
    bench_put(&bench, corpus);
    embedder = bench.docs.embedder;
    vector   = calloc(embedder->dimensions, sizeof *vector);
    for (size_t q = 0; q < corpus->question_count && vector; q++) {
        const char          *question = corpus->questions[q];
        const struct matrix *matrix   = NULL;
        struct query_words   words;
        struct postings      postings;
        struct score_query   query;

        if (!corpus_relevant(corpus, q))
            continue;
        query_words_of(&words, question, strlen(question));
        query_words_widen(&words);
        if (postings_find(bench.docs.store, NULL, &bench.project.tenant, false, &words, &postings) !=
                STORE_OK ||
            embedder->embed(embedder, NULL, EMBED_QUERY, &question, 1, vector, &failure) != EMBED_OK ||
            !(matrix = store_vectors(bench.docs.store, &bench.project.tenant, false, embedder->model)))
            die("a question cannot be asked");
        score_question(&query, &words, &postings);
        for (size_t i = 0; i < corpus->count; i++) {
            struct evidence evidence = score_words(&query, &postings, postings_of(&postings, matrix->ids[i]));
            float           cosine   = 0;

            matrix_cosine(matrix, matrix->ids[i], vector, &cosine);
            printf("%zu %d %.6f %.6f\n", q + 1, corpus_is_relevant(corpus, q, i), evidence.saturated,
                   (double)cosine);
        }
        store_vectors_done(bench.docs.store, &bench.project.tenant, false);
        postings_free(&postings);
    }
    free(vector);
    bench_close(&bench);
    return 0;
}
