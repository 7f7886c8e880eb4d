/* speed.c - what indexing and searching cost, beside the least that SQLite and memory let them cost.
 *
 * Texts are put together from the collection's own words, always the same. Indexing: a batch by us (words, vectors, rows), a
 * batch of the same rows by SQLite alone, in turns. Searching: a question to us, then the same words to SQLite's own ranking
 * and one pass over the vectors, in turns. Lines: "index/PIECES ours theirs", "search/PIECES ours words vectors", in seconds;
 * of searches, the sum over the questions of each one's best of all rounds.
 */
#define _POSIX_C_SOURCE 200809L

#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "corpus.h"
#include "docs/search/words.h"
#include "docs/store/inside.h"
#include "docs/store/matrix_dot.h"
#include "kit/text.h"

#define BATCH     64
#define QUESTIONS 20
#define ROUNDS    5
#define WORDS_OF  120 /* of a piece */

static const size_t sizes[] = { 10000, 20000, 50000, 100000 };

static double now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* ---- Texts ---- */

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

/* Parts of documents, from a random word on. */
static void make_text(const struct corpus *corpus, uint64_t *state, struct text *out)
{
    size_t words = 0;

    text_clear(out);
    while (words < WORDS_OF) {
        const char *text = corpus->texts[next_random(state) % corpus->count];
        size_t      len = strlen(text), from = len > 400 ? next_random(state) % (len - 400) : 0;

        for (size_t i = from; i < len && words < WORDS_OF && i < from + 400; i++) {
            words += text[i] == ' ';
            text_char(out, text[i]);
        }
        text_put(out, ". ");
    }
}

/* ---- SQLite alone ---- */

struct plain {
    sqlite3      *db;
    sqlite3_stmt *document, *piece, *part, *vector, *words;
};

static sqlite3_stmt *prepare(sqlite3 *db, const char *text)
{
    sqlite3_stmt *statement = NULL;

    if (sqlite3_prepare_v2(db, text, -1, &statement, NULL) != SQLITE_OK)
        die(sqlite3_errmsg(db));
    return statement;
}

static void run(sqlite3 *db, const char *text)
{
    if (sqlite3_exec(db, text, NULL, NULL, NULL) != SQLITE_OK)
        die(sqlite3_errmsg(db));
}

/* The same tables as the store's, made by its own schema. */
static void plain_open(struct plain *plain, const char *path)
{
    struct bench bench;

    bench_open(&bench, path);
    if (store_put(bench.docs.store, &bench.project.tenant, &(struct document){ .path = "first" }, NULL, 0,
                  NULL, 0, "", NULL, 0) != STORE_OK)
        die("the store cannot be written");
    bench_close(&bench);
    if (sqlite3_open(path, &plain->db) != SQLITE_OK)
        die("SQLite");
    run(plain->db, "PRAGMA synchronous=NORMAL; PRAGMA cache_size=-8192; PRAGMA temp_store=MEMORY; PRAGMA "
                   "foreign_keys=ON");
    plain->document = prepare(
        plain->db, "INSERT INTO documents (collection, path, title, summary, doc_type, date, hash, level,"
                   " chars, lines, supersedes, model, dimensions, change)"
                   " VALUES (1, ?, '', '', 'plain', '', 'h', 0, 0, 0, NULL, 'm', 384, 1)");
    plain->piece  = prepare(plain->db,
                            "INSERT INTO pieces (document, place, first_line, last_line, header_path, text)"
                             " VALUES (?, 0, 1, 2, '', ?)");
    plain->part   = prepare(plain->db, "INSERT INTO parts (id, piece, start, stop, first_line, last_line,"
                                         " heading_path, anchor) VALUES (?1, ?1, 0, 100, 1, 2, '', '')");
    plain->vector = prepare(plain->db, "INSERT INTO vectors (part, vector) VALUES (?, ?)");
    plain->words  = prepare(plain->db, "INSERT INTO words_1 (rowid, text) VALUES (?, ?)");
}

static void step(struct plain *plain, sqlite3_stmt *statement)
{
    if (sqlite3_step(statement) != SQLITE_DONE)
        die(sqlite3_errmsg(plain->db));
    sqlite3_reset(statement);
}

static void plain_put(struct plain *plain, const char *path, const char *text, const char *words,
                      const float *vector)
{
    sqlite3_bind_text(plain->document, 1, path, -1, SQLITE_STATIC);
    step(plain, plain->document);
    sqlite3_bind_int64(plain->piece, 1, sqlite3_last_insert_rowid(plain->db));
    sqlite3_bind_text(plain->piece, 2, text, -1, SQLITE_STATIC);
    step(plain, plain->piece);
    sqlite3_bind_int64(plain->part, 1, sqlite3_last_insert_rowid(plain->db));
    sqlite3_bind_int64(plain->vector, 1, sqlite3_last_insert_rowid(plain->db));
    sqlite3_bind_int64(plain->words, 1, sqlite3_last_insert_rowid(plain->db));
    step(plain, plain->part);
    sqlite3_bind_blob(plain->vector, 2, vector, EMBED_LOCAL_DIMENSIONS * sizeof *vector, SQLITE_STATIC);
    step(plain, plain->vector);
    sqlite3_bind_text(plain->words, 2, words, -1, SQLITE_STATIC);
    step(plain, plain->words);
}

/* ---- Indexing ---- */

static struct {
    char            paths[BATCH][32];
    struct text     texts[BATCH], words[BATCH];
    struct document documents[BATCH];
    struct piece    pieces[BATCH];
    float           vectors[BATCH * EMBED_LOCAL_DIMENSIONS];
} batch;

static void make_batch(const struct corpus *corpus, uint64_t *state, size_t number)
{
    for (size_t i = 0; i < BATCH; i++) {
        snprintf(batch.paths[i], sizeof batch.paths[i], "d/%07zu.md", number + i);
        make_text(corpus, state, &batch.texts[i]);
    }
}

static double put_ours(struct bench *bench)
{
    struct embedder     *embedder = bench->docs.embedder;
    struct store_entry   entries[BATCH];
    const char          *texts[BATCH];
    struct embed_failure failure;
    double               begun = now();

    for (size_t i = 0; i < BATCH; i++) {
        texts[i]           = text_of(&batch.texts[i]);
        batch.documents[i] = (struct document){
            .path = batch.paths[i], .title = "", .doc_type = "plain", .hash = "h"
        };
        batch.pieces[i] = (struct piece){
            .text = texts[i], .len = batch.texts[i].len, .first_line = 1, .last_line = 2
        };
        entries[i] = (struct store_entry){
            &batch.documents[i],  &batch.pieces[i], 1,    batch.vectors + i * embedder->dimensions,
            embedder->dimensions, embedder->model,  NULL, 0
        };
    }
    if (embedder->embed(embedder, NULL, EMBED_DOCUMENT, texts, BATCH, batch.vectors, &failure) != EMBED_OK ||
        store_put_many(bench->docs.store, &bench->project.tenant, false, entries, BATCH) != STORE_OK)
        die("a batch cannot be indexed");
    return now() - begun;
}

static double put_plain(struct plain *plain)
{
    double begun;

    for (size_t i = 0; i < BATCH; i++) {
        text_clear(&batch.words[i]);
        if (!words_join(&batch.words[i], text_of(&batch.texts[i]), batch.texts[i].len))
            die("out of memory");
    }
    begun = now();
    run(plain->db, "BEGIN IMMEDIATE");
    for (size_t i = 0; i < BATCH; i++)
        plain_put(plain, batch.paths[i], text_of(&batch.texts[i]), text_of(&batch.words[i]),
                  batch.vectors + i * EMBED_LOCAL_DIMENSIONS);
    run(plain->db, "COMMIT");
    return now() - begun;
}

/* ---- Searching ---- */

static double search_ours(struct bench *bench, const char *question)
{
    struct search search = { .query = question, .threshold = 0.5, .most = 10 };
    struct hits   hits;
    double        begun;

    bench_renew(bench);
    begun = now();
    if (search_run(&bench->docs, bench->call, &bench->project, &search, &hits) != STORE_OK)
        die("a search failed");
    return now() - begun;
}

static double search_words(struct plain *plain, const char *question)
{
    static struct query_words words;
    struct text               query = { 0 };
    sqlite3_stmt             *find  = prepare(
                     plain->db, "SELECT rowid, rank FROM words_1 WHERE words_1 MATCH ? ORDER BY rank LIMIT 10");
    double begun;

    query_words_of(&words, question, strlen(question));
    for (size_t i = 0; i < words.count; i++)
        text_addf(&query, "%s\"%s\"", i ? " OR " : "", words.at[i]);
    sqlite3_bind_text(find, 1, text_of(&query), -1, SQLITE_STATIC);
    begun = now();
    while (sqlite3_step(find) == SQLITE_ROW)
        ;
    begun = now() - begun;
    sqlite3_finalize(find);
    text_free(&query);
    return begun;
}

static double search_vectors(struct bench *bench, const struct matrix *matrix, float *products)
{
    double begun = now();

    (void)bench;
    dot_half_choose()((const uint16_t *)(const void *)matrix->rows, matrix->stride, matrix->count,
                      batch.vectors, products);
    return now() - begun;
}

static void measure_search(struct bench *bench, struct plain *plain, const struct corpus *corpus,
                           size_t pieces)
{
    double        ours = 0, words = 0, vectors = 0;
    float        *products = calloc(pieces, sizeof *products);
    struct matrix copy;

    if (!products || !matrix_init(&copy, EMBED_LOCAL_DIMENSIONS, MATRIX_FLOAT16) ||
        !matrix_reserve(&copy, pieces))
        die("out of memory");
    for (size_t i = 0; i < pieces; i++)
        matrix_put(&copy, (int64_t)i, batch.vectors);
    for (size_t q = 0; q < QUESTIONS; q++) {
        double best[3] = { INFINITY, INFINITY, INFINITY };

        for (int round = 0; round < ROUNDS; round++) {
            best[0] = fmin(best[0], search_ours(bench, corpus->questions[q]));
            best[1] = fmin(best[1], search_words(plain, corpus->questions[q]));
            best[2] = fmin(best[2], search_vectors(bench, &copy, products));
        }
        ours += best[0];
        words += best[1];
        vectors += best[2];
    }
    printf("search/%zu %.6f %.6f %.6f\n", pieces, ours / QUESTIONS, words / QUESTIONS, vectors / QUESTIONS);
    fflush(stdout);
    matrix_free(&copy);
    free(products);
}

int speed_run(const struct corpus *corpus, const char *folder, size_t pieces)
{
    char         path[4096];
    struct bench bench;
    struct plain plain;
    uint64_t     state  = UINT64_C(0x9e3779b97f4a7c15);
    size_t       number = 0;

    snprintf(path, sizeof path, "%s/ours.db", folder);
    bench_open(&bench, path);
    snprintf(path, sizeof path, "%s/plain.db", folder);
    plain_open(&plain, path);
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes && sizes[s] <= pieces; s++) {
        double ours = 0, theirs = 0;
        size_t begun = number;

        for (; number < sizes[s]; number += BATCH) {
            make_batch(corpus, &state, number);
            ours += put_ours(&bench);
            theirs += put_plain(&plain);
        }
        printf("index/%zu %.9f %.9f\n", sizes[s], ours / (double)(number - begun),
               theirs / (double)(number - begun));
        fflush(stdout);
        measure_search(&bench, &plain, corpus, number);
    }
    sqlite3_finalize(plain.document);
    sqlite3_finalize(plain.piece);
    sqlite3_finalize(plain.part);
    sqlite3_finalize(plain.vector);
    sqlite3_finalize(plain.words);
    sqlite3_close(plain.db);
    bench_close(&bench);
    return 0;
}
