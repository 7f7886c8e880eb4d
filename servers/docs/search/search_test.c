/* search_test.c - what is found, in which order, and that a relevance means the same whatever else is there. */
#include "docs/search/search.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "docs/markdown/passage.h"
#include "kit/embed/embed.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

static struct docs    docs;
static struct project project;
static tenon_toolbox *box;
static tenon_call    *call;

static int set_up(void **state)
{
    char *mistake = NULL;

    (void)state;
    docs.store     = store_open(":memory:", &mistake);
    docs.embedder  = embed_local_new(0);
    project.tenant = (struct tenant){ 0, "p", "main", "0123456789abcdef" };
    box            = tenon_toolbox_new(.user = &docs);
    call           = tenon_call_new(box);
    free(mistake);
    return docs.store && docs.embedder && call && store_tenant(docs.store, &project.tenant, "/p") == STORE_OK
               ? 0
               : -1;
}

static int tear_down(void **state)
{
    (void)state;
    tenon_call_free(call);
    tenon_toolbox_free(box);
    docs.embedder->free(docs.embedder);
    store_close(docs.store);
    return 0;
}

/* ---- Documents ---- */

struct doc {
    const char *path, *text, *doc_type, *title, *header_path;
    enum level  level;
    const char *supersedes;
    bool        external, no_vectors;
};

static void put_pieces(struct doc doc, const char *const *texts, size_t count)
{
    struct document      document = { .path       = doc.path,
                                      .title      = doc.title ? doc.title : "",
                                      .doc_type   = doc.doc_type ? doc.doc_type : "insight",
                                      .hash       = "h",
                                      .level      = doc.level,
                                      .supersedes = doc.supersedes,
                                      .external   = doc.external };
    struct piece         pieces[8];
    float                vectors[8 * EMBED_LOCAL_DIMENSIONS];
    struct embed_failure failure;

    for (size_t i = 0; i < count; i++)
        pieces[i] = (struct piece){ .header_path = doc.header_path,
                                    .index       = (int)i,
                                    .text        = texts[i],
                                    .len         = strlen(texts[i]),
                                    .first_line  = 1 + 10 * (int64_t)i,
                                    .last_line   = 10 + 10 * (int64_t)i };
    assert_int_equal(
        docs.embedder->embed(docs.embedder, NULL, EMBED_DOCUMENT, texts, count, vectors, &failure), EMBED_OK);
    assert_int_equal(store_put(docs.store, &project.tenant, &document, pieces, count,
                               doc.no_vectors ? NULL : vectors, EMBED_LOCAL_DIMENSIONS, docs.embedder->model,
                               NULL, 0),
                     STORE_OK);
}

static void put(struct doc doc)
{
    put_pieces(doc, &doc.text, 1);
}

/* Cut into its sections, as indexing does; without vectors. */
static void put_cut(const char *path, const char *text)
{
    struct chunks   chunks;
    struct passages passages;
    struct part     parts[64];
    struct piece    piece = {
           .text = text, .len = strlen(text), .first_line = 1, .last_line = 1, .parts = parts
    };

    assert_true(chunks_make(&chunks, text, piece.len, 1));
    assert_true(passages_make(&passages, text, piece.len, 1, &chunks, NULL));
    assert_int_equal(chunks.count, 1);
    for (; piece.part_count < passages.count && piece.part_count < 64; piece.part_count++) {
        const struct passage *passage = &passages.at[piece.part_count];

        parts[piece.part_count] = (struct part){ .begin        = passage->begin,
                                                 .end          = passage->end,
                                                 .first_line   = 1,
                                                 .last_line    = 1,
                                                 .heading_path = passage->heading_path,
                                                 .anchor       = passage->anchor };
    }
    assert_int_equal(
        store_put(docs.store, &project.tenant,
                  &(struct document){ .path = path, .title = "", .doc_type = "plain", .hash = "h" }, &piece,
                  1, NULL, 0, "", NULL, 0),
        STORE_OK);
    passages_free(&passages);
    chunks_free(&chunks);
}

static const struct doc library[] = {
    { .path = "backup.md",
      .text = "# Backup\nThe backup of the database is made every night at two. To restore a backup, stop "
              "the server and copy the snapshot back." },
    { .path = "cache.md",
      .text =
          "# Cache\nThe cache keeps answers for ten minutes. Its eviction policy is least recently used." },
    { .path = "login.md",
      .text = "# Login\nUsers sign in with a password and a second factor. Sessions expire after a day." },
    { .path = "retry.md",
      .text = "# Retries\nFailed requests to the payment gateway are retried three times with jitter." },
    { .path = "style.md",
      .text =
          "# Style\nIndent with four spaces, keep lines below 110 columns, name things with whole words." },
    { .path = "cpp.md", .text = "# Languages\nThe parser is written in C++ and C#, the tools in Python." },
};

static void put_library(void)
{
    for (size_t i = 0; i < COUNT_OF(library); i++)
        put(library[i]);
}

static struct hits ask_with(struct search search)
{
    struct hits hits;

    if (!search.most)
        search.most = 10;
    assert_int_equal(search_run(&docs, call, &project, &search, &hits), STORE_OK);
    return hits;
}

static struct hits ask(const char *query, double threshold)
{
    return ask_with((struct search){ .query = query, .threshold = threshold });
}

static double relevance_of(const char *query, const char *path)
{
    struct hits hits = ask_with((struct search){ .query = query, .most = 1000 });

    for (size_t i = 0; i < hits.count; i++)
        if (strcmp(hits.at[i].document.path, path) == 0)
            return hits.at[i].relevance;
    return -1;
}

/* ---- What is found ---- */

static void finds_what_is_asked_for(void **state)
{
    static const struct { const char *query, *path; } cases[] = {
        { "How do I restore a backup?",                 "backup.md" },
        { "cache eviction policy",                      "cache.md"  },
        { "second factor for sign in",                  "login.md"  },
        { "how often are failed requests retried",      "retry.md"  },
        { "indent with how many spaces",                "style.md"  },
        { "backup",                                     "backup.md" },
        { "C++",                                        "cpp.md"    },
        { "parser in c++ NOT python",                   "cpp.md"    },
        { "\"eviction\" OR policy* NEAR(cache, 2)",     "cache.md"  },
        { "cache:eviction AND {text}: ^policy + - ' \"", "cache.md" },
    };

    (void)state;
    put_library();
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct hits hits = ask(cases[i].query, 0.5);

        if (hits.count == 0 || strcmp(hits.at[0].document.path, cases[i].path) != 0)
            fail_msg("%s: %s, best %.2f", cases[i].query, hits.count ? hits.at[0].document.path : "nothing",
                     hits.best);
        assert_true(hits.at[0].piece.id > 0 && hits.at[0].relevance <= 1);
    }
}

static void finds_nothing_off_topic(void **state)
{
    static const char *const cases[] = {
        "How do I bake sourdough bread?",
        "What is the capital of Mongolia?",
        "symptoms of vitamin deficiency in children",
        "best hiking trails near the lake",
        "who won the football championship last year",
        "\"\" AND NOT * ( ) : ^ -",
        "   \t\n ",
        "???",
        "\xf0\x9f\xa6\x84 \xe7\x8c\xab",
        "\xff\xfe broken",
    };

    (void)state;
    put_library();
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct hits hits = ask(cases[i], 0.5);

        if (hits.count)
            fail_msg("%s: %s %.2f", cases[i], hits.at[0].document.path, hits.at[0].relevance);
        assert_int_equal(hits.total, 0);
        assert_true(hits.best < 0.5);
    }
}

static void takes_long_questions(void **state)
{
    char query[10001];

    (void)state;
    put_library();
    for (size_t i = 0; i < sizeof query - 1; i++)
        query[i] = "cache eviction \"NOT( "[i % 21];
    query[sizeof query - 1] = '\0';
    assert_string_equal(ask(query, 0.3).at[0].document.path, "cache.md");
    for (size_t i = 0; i < sizeof query - 1; i++)
        query[i] = i % 7 == 6 ? ' ' : (char)('a' + (i * 31 + i / 7 * 5) % 26);
    assert_int_equal(ask(query, 0.5).count, 0);
    memset(query, 'x', sizeof query - 1);
    assert_int_equal(ask(query, 0.5).count, 0);
}

/* What a section is about may stand only above it. */
static void finds_by_title_and_headings(void **state)
{
    struct hits hits;

    (void)state;
    put_library();
    put((struct doc){
        .path = "a.md", .text = "Run the script, then wait.", .title = "Rotating certificates" });
    put((struct doc){
        .path = "b.md", .text = "Run the script, then wait.", .header_path = "## Firewall > ### Ports" });
    hits = ask("rotating certificates", 0.5);
    assert_int_equal(hits.count, 1);
    assert_string_equal(hits.at[0].document.path, "a.md");
    hits = ask("firewall ports", 0.5);
    assert_int_equal(hits.count, 1);
    assert_string_equal(hits.at[0].document.path, "b.md");
}

/* A name that stands in one place is found there, not where its parts are. */
static void finds_names(void **state)
{
    static const char *const queries[] = { "BACKUP_RESTORE_FAILED", "What does backup_restore_failed mean?",
                                           "--backup-restore-failed" };

    (void)state;
    put_library();
    put((struct doc){
        .path = "parts.md",
        .text = "# Backup\nA failed restore of a backup: the restore failed, the backup too." });
    put((struct doc){
        .path = "codes.md",
        .text = "# Codes\nThere are many. `NOT_FOUND` is for what is not there, `BUSY` for a lock, "
                "`BACKUP_RESTORE_FAILED` for what could not be read, `FULL` for a disk." });
    for (size_t i = 0; i < COUNT_OF(queries); i++) {
        struct hits hits = ask(queries[i], 0.1);

        if (!hits.count || strcmp(hits.at[0].document.path, "codes.md") != 0)
            fail_msg("%s: %s", queries[i], hits.count ? hits.at[0].document.path : "nothing");
    }
}

/* What stands together, below a heading, is worth more than the same words far apart. */
static void finds_passages(void **state)
{
    static char together[20000], apart[20000];

    (void)state;
    put_library();
    for (int i = 0; i < 120; i++) {
        size_t a = strlen(together), b = strlen(apart);

        snprintf(together + a, sizeof together - a, "Item%d is described in its own line here.\n%s", i,
                 i == 60 ? "\n## Rotating certificates\n\nGateway first.\n\n" : "");
        snprintf(apart + b, sizeof apart - b, "Item%d is described in its own line here.\n%s", i,
                 i == 10    ? "\nRotating certificates.\n\n"
                 : i == 60  ? "\nGateway first.\n\n"
                 : i == 110 ? "\nCertificates rotating.\n\n"
                            : "");
    }
    put_cut("together.md", together);
    put_cut("apart.md", apart);
    assert_true(relevance_of("rotating gateway certificates", "together.md") >
                relevance_of("rotating gateway certificates", "apart.md") + 0.05);
}

static void finds_nothing_in_nothing(void **state)
{
    struct hits hits;

    (void)state;
    hits = ask("anything", 0);
    assert_int_equal(hits.count, 0);
    assert_int_equal(hits.total, 0);
    assert_true(hits.best == 0);
}

/* ---- What a relevance means ---- */

static void keeps_a_score_beside_others(void **state)
{
    const char *query = "How do I restore a backup?";
    double      before, after;

    (void)state;
    put_library();
    before = relevance_of(query, "backup.md");
    /* A hit that is as good, and a thousand that have nothing to do with it. */
    put((struct doc){ .path = "a.md", .text = library[0].text });
    after = relevance_of(query, "backup.md");
    assert_true(fabs(after - before) < 0.02);
    assert_true(relevance_of(query, "a.md") <= after); /* its name says nothing */
    for (int i = 0; i < 1000; i++) {
        char path[32], text[160];

        snprintf(path, sizeof path, "other/%d.md", i);
        snprintf(text, sizeof text,
                 "Colours of birds: number %d of the list has feathers of kind%d and a song.", i, i % 97);
        put((struct doc){ .path = path, .text = text });
    }
    after = relevance_of(query, "backup.md");
    if (fabs(after - before) >= 0.08)
        fail_msg("%.4f became %.4f", before, after);
}

static void judges_alike_however_found(void **state)
{
    double      alone, filtered;
    struct hits hits;

    (void)state;
    put_library();
    put((struct doc){ .path = "tool.md", .text = "The cache of the compiler.", .doc_type = "tool" });
    alone = relevance_of("cache", "tool.md");
    hits  = ask_with((struct search){
         .query = "cache", .doc_types = (const char *const[]){ "tool" }, .doc_type_count = 1 });
    assert_int_equal(hits.count, 1);
    filtered = hits.at[0].relevance;
    assert_true(alone == filtered);
}

/* ---- Order ---- */

static void orders_by_rank(void **state)
{
    struct hits hits;

    (void)state;
    put((struct doc){ .path = "b.md", .text = "The cache has an eviction policy." });
    put((struct doc){ .path = "a.md", .text = "The cache has an eviction policy." });
    put((struct doc){
        .path = "z.md", .text = "The cache has an eviction policy.", .level = LEVEL_IMPORTANT });
    put((struct doc){ .path = "0.md", .text = "The cache has an eviction policy." });
    put((struct doc){ .path = "new.md", .text = "Unrelated.", .supersedes = "0.md" });
    hits = ask("cache eviction policy", 0.5);
    assert_int_equal(hits.count, 4);
    assert_int_equal(hits.total, 4);
    assert_string_equal(hits.at[0].document.path, "z.md");
    assert_string_equal(hits.at[1].document.path, "a.md");
    assert_string_equal(hits.at[2].document.path, "b.md");
    assert_string_equal(hits.at[3].document.path, "0.md");
    for (size_t i = 1; i < 4; i++)
        assert_true(hits.at[i].relevance == hits.at[0].relevance);
    assert_true(hits.at[0].rank == 1.5 * hits.at[1].rank && hits.at[3].rank == 0.5 * hits.at[1].rank);
}

static void counts_before_the_limit(void **state)
{
    struct hits hits;

    (void)state;
    for (int i = 0; i < 20; i++) {
        char path[16];

        snprintf(path, sizeof path, "%02d.md", i);
        put((struct doc){ .path = path, .text = "The cache has an eviction policy." });
    }
    hits = ask_with((struct search){ .query = "cache eviction policy", .threshold = 0.5, .most = 3 });
    assert_int_equal(hits.count, 3);
    assert_int_equal(hits.total, 20);
    assert_string_equal(hits.at[2].document.path, "02.md");
}

static void shows_a_document_once(void **state)
{
    static const char *const texts[] = { "The cache is fast.",
                                         "The cache has an eviction policy, and an eviction log.",
                                         "The eviction policy of the cache." };
    struct hits              hits;

    (void)state;
    put_pieces((struct doc){ .path = "long.md" }, texts, 3);
    hits = ask("cache eviction policy", 0.3);
    assert_int_equal(hits.count, 1);
    assert_int_equal(hits.total, 1);
    assert_true(hits.at[0].piece.index > 0);
    assert_true(hits.at[0].relevance == hits.best);
}

/* ---- Thresholds and filters ---- */

static void shows_what_is_below_a_default(void **state)
{
    const char *query = "restore the ledger";
    struct hits hits;

    (void)state;
    put_library();
    hits = ask(query, 0.7);
    assert_int_equal(hits.count, 0);
    assert_true(hits.best > 0.1 && hits.best < 0.7);
    hits = ask_with((struct search){ .query = query, .threshold = 0.7, .threshold_is_default = true });
    assert_in_range(hits.count, 1, 3);
    assert_int_equal(hits.total, 0);
    for (size_t i = 0; i < hits.count; i++)
        assert_true(hits.at[i].below_threshold && hits.at[i].relevance < 0.7);
    assert_true(hits.at[0].relevance == hits.best);
    hits = ask_with(
        (struct search){ .query = "restore a backup", .threshold = 0.5, .threshold_is_default = true });
    assert_false(hits.at[0].below_threshold);
}

static void keeps_to_filters(void **state)
{
    const char *text = "The cache has an eviction policy.";
    struct hits hits;

    (void)state;
    put((struct doc){ .path = "a.md", .text = text, .doc_type = "tool" });
    put((struct doc){ .path = "b.md", .text = text, .doc_type = "style", .level = LEVEL_IMPORTANT });
    put((struct doc){ .path = "c.md", .text = text, .doc_type = "tool", .level = LEVEL_CRITICAL });
    put((struct doc){ .path = "d.md", .text = text, .external = true });
    hits = ask_with((struct search){ .query          = "cache policy",
                                     .doc_types      = (const char *const[]){ "style", "none" },
                                     .doc_type_count = 2 });
    assert_int_equal(hits.count, 1);
    assert_string_equal(hits.at[0].document.path, "b.md");
    hits = ask_with(
        (struct search){ .query = "cache policy", .levels = 1u << LEVEL_IMPORTANT | 1u << LEVEL_CRITICAL });
    assert_int_equal(hits.count, 2);
    hits = ask_with((struct search){ .query = "cache policy", .levels = 7 });
    assert_int_equal(hits.count, 3);
    hits = ask_with((struct search){ .query          = "cache policy",
                                     .levels         = 1u << LEVEL_CRITICAL,
                                     .doc_types      = (const char *const[]){ "style" },
                                     .doc_type_count = 1 });
    assert_int_equal(hits.count, 0);
    hits = ask_with((struct search){ .query = "cache policy", .external = true });
    assert_int_equal(hits.count, 1);
    assert_string_equal(hits.at[0].document.path, "d.md");
}

/* ---- Without vectors ---- */

static enum embed_status does_not_answer(struct embedder *embedder, const tenon_call *asking,
                                         enum embed_role role, const char *const *texts, size_t count,
                                         float *out, struct embed_failure *failure)
{
    (void)embedder, (void)asking, (void)role, (void)texts, (void)count, (void)out;
    *failure = (struct embed_failure){ .circuit = "open", .retry_after = 30, .text = "refused" };
    return EMBED_UNAVAILABLE;
}

static void finds_by_words_only(void **state)
{
    enum embed_status (*embed)(struct embedder *, const tenon_call *, enum embed_role, const char *const *,
                               size_t, float *, struct embed_failure *) = docs.embedder->embed;
    struct hits hits;

    (void)state;
    put_library();
    put((struct doc){ .path = "new.md", .text = "The firewall blocks port 25.", .no_vectors = true });
    hits = ask("which port does the firewall block", 0.5);
    assert_int_equal(hits.count, 1);
    assert_false(hits.words_only);
    docs.embedder->embed = does_not_answer;
    hits                 = ask("How do I restore a backup?", 0.5);
    docs.embedder->embed = embed;
    assert_true(hits.words_only);
    assert_int_equal(hits.failure->retry_after, 30);
    assert_string_equal(hits.at[0].document.path, "backup.md");
}

static void stops_when_cancelled(void **state)
{
    struct hits hits;

    (void)state;
    put_library();
    tenon_call_cancel(call);
    assert_int_equal(search_run(&docs, call, &project, &(struct search){ .query = "cache", .most = 10 },
                                &hits),
                     STORE_FAILED);
    assert_int_equal(hits.count, 0);
}

int main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        CASE(finds_what_is_asked_for),
        CASE(finds_nothing_off_topic),
        CASE(takes_long_questions),
        CASE(finds_by_title_and_headings),
        CASE(finds_nothing_in_nothing),
        CASE(keeps_a_score_beside_others),
        CASE(judges_alike_however_found),
        CASE(orders_by_rank),
        CASE(counts_before_the_limit),
        CASE(shows_a_document_once),
        CASE(shows_what_is_below_a_default),
        CASE(keeps_to_filters),
        CASE(finds_by_words_only),
        CASE(stops_when_cancelled),
        CASE(finds_names),
        CASE(finds_passages),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
