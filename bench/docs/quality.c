/* quality.c - how good the answers are: ours, SQLite's own full-text search, and vectors alone.
 *
 * A line for each system and half of the questions: "odd hybrid ndcg recall", and for the thresholds "odd 0.5 precision
 * recall shown". Features are a line for each pair of question and document, for fit.py.
 */
#define _GNU_SOURCE

#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "corpus.h"
#include "docs/search/extract.h"
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
        sqlite3_exec(db, "CREATE VIRTUAL TABLE t USING fts5(text, tokenize = 'porter unicode61'); BEGIN",
                     NULL, NULL, NULL) != SQLITE_OK ||
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

/* Sums of values and of their squares. */
struct mean {
    double sum, squares;
    size_t count;
};

static void mean_add(struct mean *mean, double value)
{
    mean->sum += value;
    mean->squares += value * value;
    mean->count++;
}

/* "0.4123 0.0210": the mean and its standard error. */
static void mean_show(const struct mean *mean)
{
    double count = mean->count ? (double)mean->count : 1, value = mean->sum / count;
    double spread = mean->squares / count - value * value;

    printf(" %.4f %.4f", value, mean->count > 1 ? sqrt((spread > 0 ? spread : 0) / (count - 1)) : 0);
}

struct measure {
    struct mean ndcg, recall;
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
    mean_add(&measure->ndcg, gain / ideal);
    mean_add(&measure->recall, (double)found / (double)relevant);
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
    static const char *const names[] = { "hybrid", "plain", "vectors" }, *const halves[] = { "even", "odd",
                                                                                             "all" };
    static struct ranking rankings[3];
    struct measure        measures[3][3]   = { 0 };
    struct threshold      thresholds[2][2] = { { { .least = 0.5 }, { .least = 0.7 } },
                                               { { .least = 0.5 }, { .least = 0.7 } } };
    struct bench          bench;
    sqlite3              *plain = make_plain(corpus);

    bench_open(&bench, NULL);
    bench_put(&bench, corpus);
    for (size_t q = 0; q < corpus->question_count; q++) {
        size_t odd = (q + 1) % 2;

        if (!corpus_relevant(corpus, q))
            continue;
        ask_hybrid(&bench, corpus, corpus->questions[q], &rankings[0]);
        ask_plain(plain, corpus->questions[q], &rankings[1]);
        ask_vectors(&bench, corpus, corpus->questions[q], &rankings[2]);
        for (size_t s = 0; s < 3; s++) {
            measure(&measures[odd][s], corpus, q, &rankings[s]);
            measure(&measures[2][s], corpus, q, &rankings[s]);
        }
        for (size_t t = 0; t < 2; t++)
            count_shown(&thresholds[odd][t], corpus, q, &rankings[0]);
    }
    for (size_t part_of = 0; part_of < 3; part_of++)
        for (size_t s = 0; s < 3; s++) {
            printf("%s/%s/%s", corpus->name, halves[part_of], names[s]);
            mean_show(&measures[part_of][s].ndcg);
            mean_show(&measures[part_of][s].recall);
            printf("\n");
        }
    for (size_t odd = 0; odd < 2; odd++)
        for (size_t t = 0; t < 2; t++) {
            const struct threshold *at = &thresholds[odd][t];

            printf("%s/%s/%.1f %.4f %.4f %.2f\n", corpus->name, halves[odd], at->least,
                   part(at->right, at->shown), part(at->right, at->relevant), part(at->shown, at->questions));
        }
    sqlite3_close(plain);
    bench_close(&bench);
    return 0;
}

/* ---- The second corpus: each question with what is found ---- */

/* Has the answer words that are wanted, and a place in a right page? */
static bool is_answered(struct bench *bench, const struct corpus *corpus, size_t question, char *said,
                        size_t room)
{
    struct search search = {
        .query = corpus->questions[question], .threshold = 0.7, .threshold_is_default = true, .most = 3
    };
    char        wanted[512], place[600];
    bool        has_words = false, has_place = false, is_passage;
    struct hits hits;

    bench_renew(bench);
    if (search_run(&bench->docs, bench->call, &bench->project, &search, &hits) != STORE_OK)
        die("a search failed");
    snprintf(said, room, "%s", extract_answer(bench->call, search.query, hits.at, hits.count, &is_passage));
    snprintf(wanted, sizeof wanted, "%s", corpus->wanted[question]);
    for (char *word = strtok(wanted, "|"); word; word = strtok(NULL, "|"))
        has_words = has_words || strcasestr(said, word);
    for (size_t i = 0; i < corpus->count; i++) {
        snprintf(place, sizeof place, "[%s:", corpus->names[i]);
        has_place = has_place || (corpus_is_relevant(corpus, question, i) && strstr(said, place));
    }
    return has_words && has_place;
}

static void show_answers(struct bench *bench, const struct corpus *corpus, const char *name)
{
    static char said[65536];
    struct mean right = { 0 };

    for (size_t q = 0; q < corpus->question_count; q++) {
        bool is_right;

        if (!corpus->wanted[q])
            continue;
        is_right = is_answered(bench, corpus, q, said, sizeof said);
        mean_add(&right, is_right);
        fprintf(stderr, "%s %s\n%s\n\n", is_right ? "RIGHT" : "WRONG", corpus->questions[q], said);
    }
    if (!right.count)
        return;
    printf("%s/answer", name);
    mean_show(&right);
    printf("\n");
}

static void show_set(struct bench *bench, const struct corpus *corpus, const char *name)
{
    static struct ranking ranking;
    struct threshold      on[2] = { { .least = 0.5 }, { .least = 0.7 } },
                     off[2]     = { { .least = 0.5 }, { .least = 0.7 } };
    struct mean first = { 0 }, third = { 0 }, reciprocal = { 0 };

    for (size_t q = 0; q < corpus->question_count; q++) {
        bool answerable = corpus_relevant(corpus, q) > 0;

        ask_hybrid(bench, corpus, corpus->questions[q], &ranking);
        for (size_t t = 0; t < 2; t++)
            count_shown(answerable ? &on[t] : &off[t], corpus, q, &ranking);
        if (answerable) {
            size_t place = 0;

            while (place < ranking.count && !corpus_is_relevant(corpus, q, ranking.at[place]))
                place++;
            mean_add(&first, place == 0 && ranking.count > 0);
            mean_add(&third, place < 3 && place < ranking.count);
            mean_add(&reciprocal, place < ranking.count ? 1 / ((double)place + 1) : 0);
        }
        fprintf(stderr, "%-4s %s:", answerable ? "" : "off", corpus->questions[q]);
        for (size_t i = 0; i < 4 && i < ranking.count; i++)
            fprintf(stderr, " %s%s %.2f", corpus_is_relevant(corpus, q, ranking.at[i]) ? "*" : "",
                    corpus->names[ranking.at[i]], ranking.relevance[i]);
        fprintf(stderr, "\n");
    }
    printf("%s/first", name);
    mean_show(&first);
    printf("\n%s/third", name);
    mean_show(&third);
    printf("\n%s/mrr", name);
    mean_show(&reciprocal);
    printf("\n");
    show_answers(bench, corpus, name);
    for (size_t t = 0; t < 2; t++) {
        printf("%s/%.1f %.4f %.4f %.2f\n", name, on[t].least, part(on[t].right, on[t].shown),
               part(on[t].right, on[t].relevant), part(on[t].shown, on[t].questions));
        printf("%s/off/%.1f %zu %zu\n", name, off[t].least, off[t].answered, off[t].questions);
    }
}

int show_sets(char **words, size_t count)
{
    struct corpus corpus = { 0 };
    struct bench  bench;
    size_t        end = 0;

    while (end + 1 < count && strcmp(words[end], "--") != 0)
        end += 2;
    if (end == 0 || end + 1 >= count)
        die("docs own NAME QUESTIONS [NAME QUESTIONS]... -- FILE...");
    bench_open(&bench, NULL);
    for (size_t i = 0; i < end; i += 2) {
        if (!corpus_files(&corpus, words + end + 1, count - end - 1, words[i + 1]))
            die("the questions cannot be read");
        if (i == 0)
            bench_put(&bench, &corpus);
        fprintf(stderr, "== %s\n", words[i]);
        show_set(&bench, &corpus, words[i]);
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
            struct evidence evidence = score_words(&query, &postings,
                                                   postings_of(&postings, part_piece(matrix->ids[i])));
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
