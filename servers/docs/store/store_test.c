/* store_test.c - what is written is read back; searching, superseding, deleting; and nothing leaks between tenants. */
#include "docs/store/inside.h"
#include "docs/store/postings.h"
#include "kit/words/words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))
#define DIMENSIONS      128
#define MODEL           "test-1"

static struct store  *store;
static tenon_toolbox *box;
static tenon_call    *call;

static int open_store(void **state)
{
    char *mistake = NULL;

    (void)state;
    store = store_open(":memory:", &mistake);
    if (!store)
        fprintf(stderr, "%s\n", mistake);
    free(mistake);
    box  = tenon_toolbox_new(.user = NULL);
    call = tenon_call_new(box);
    return store && call ? 0 : -1;
}

static int close_store(void **state)
{
    (void)state;
    tenon_call_free(call);
    tenon_toolbox_free(box);
    store_close(store);
    return 0;
}

static struct tenant make_tenant(const char *project, const char *branch, const char *path_hash)
{
    struct tenant tenant = { 0, project, branch, path_hash };

    assert_int_equal(store_tenant(store, &tenant, "/projects/x"), STORE_OK);
    assert_true(tenant.id > 0);
    return tenant;
}

static void make_vector(float *vector, unsigned seed)
{
    memset(vector, 0, DIMENSIONS * sizeof *vector);
    vector[seed % DIMENSIONS] = 1;
}

/* A document of one piece. */
static void put(const struct tenant *tenant, const char *path, const char *text, bool external)
{
    struct document document = {
        .path = path, .title = path, .doc_type = "insight", .hash = "h", .external = external
    };
    struct piece piece = { .text = text, .len = strlen(text), .first_line = 1, .last_line = 2 };
    float        vector[DIMENSIONS];

    make_vector(vector, (unsigned)text[0]);
    assert_int_equal(store_put(store, tenant, &document, &piece, 1, vector, DIMENSIONS, MODEL, NULL, 0),
                     STORE_OK);
}

struct found {
    struct {
        int64_t piece, document;
    } hits[50];
    size_t  count;
    int64_t pieces, length, with; /* of the collection: what weights are made of */
};

/* How many pieces have any of the words. */
static size_t count_with(const struct tenant *tenant, const char *const *words, size_t word_count)
{
    struct postings postings;
    size_t          count;

    assert_int_equal(store_postings(store, NULL, tenant, false, words, word_count, &postings), STORE_OK);
    count = postings.row_count;
    postings_free(&postings);
    return count;
}

static struct found search(const struct tenant *tenant, bool external, const char *word)
{
    struct postings postings;
    struct document document;
    struct found    found = { .count = 0 };

    assert_int_equal(store_postings(store, NULL, tenant, external, &word, 1, &postings), STORE_OK);
    for (; found.count < postings.row_count && found.count < COUNT_OF(found.hits); found.count++) {
        found.hits[found.count].piece = postings.rows[found.count].piece;
        assert_int_equal(store_documents(store, call, tenant, &found.hits[found.count].piece, 1, &document),
                         STORE_OK);
        found.hits[found.count].document = document.id;
    }
    found.pieces = postings.pieces;
    found.length = postings.length;
    found.with   = postings.with[0];
    postings_free(&postings);
    return found;
}

static size_t count_vectors(const struct tenant *tenant, bool external, const char *model)
{
    const struct matrix *matrix = store_vectors(store, tenant, external, model);
    size_t               count  = matrix ? matrix->count : 0;

    if (matrix)
        store_vectors_done(store, tenant, external);
    return count;
}

/* What is put at once is one segment of the text index: nothing makes it write out what it has collected before the end. */
static void writes_a_batch_at_once(void **state)
{
    struct tenant      tenant = make_tenant("p", "main", "0011");
    struct document    documents[20];
    struct piece       pieces[20];
    struct store_entry entries[20] = { 0 };
    char               paths[20][8];
    enum store_status  status;
    struct sql        *sql;
    struct statement  *row;

    (void)state;
    for (size_t i = 0; i < COUNT_OF(entries); i++) {
        snprintf(paths[i], sizeof paths[i], "%zu.md", i);
        documents[i] = (struct document){ .path = paths[i], .title = "t", .doc_type = "plain", .hash = "h" };
        pieces[i]    = (struct piece){ .text = "a zebra", .len = 7, .first_line = 1, .last_line = 1 };
        entries[i]   = (struct store_entry){
              .document = &documents[i], .pieces = &pieces[i], .piece_count = 1, .model = MODEL
        };
    }
    assert_int_equal(store_put_many(store, &tenant, false, entries, COUNT_OF(entries)), STORE_OK);
    assert_int_equal(search(&tenant, false, "zebra").count, COUNT_OF(entries));
    sql = store_reading(store, &status);
    row = sql_statement(sql, "SELECT count(DISTINCT segid) FROM words_1_idx");
    assert_true(sql_row(sql, row));
    assert_int_equal(sql_number(row, 0), 1);
    sql_reset(row);
    assert_int_equal(store_done(store, sql, STORE_OK), STORE_OK);
}

/* ---- Bounds ---- */

/* The name of a branch is the caller's: of one work tree so many are indexed, and no more. */
static void bounds_branches(void **state)
{
    struct store_deleted deleted;
    char                 name[32];
    struct tenant        other = { 0, "p", "one more", "0011" };

    (void)state;
    for (int i = 0; i < BRANCHES_MAX; i++) {
        struct tenant tenant;

        snprintf(name, sizeof name, "branch %d", i);
        tenant = make_tenant("p", name, "0011");
        put(&tenant, "a.md", "text", i % 2 == 1);
    }
    assert_int_equal(store_tenant(store, &other, "/projects/x"), STORE_LIMIT);
    assert_int_equal(other.id, 0);
    make_tenant("p", "branch 7", "0011"); /* one that there is */
    make_tenant("p", "one more", "0022"); /* another work tree */
    make_tenant("q", "one more", "0011");
    assert_int_equal(store_delete(store, call, "p", "branch 7", "0011", false, &deleted), STORE_OK);
    make_tenant("p", "one more", "0011");
    /* more than are listed are counted */
    assert_int_equal(store_delete(store, call, "p", NULL, NULL, false, &deleted), STORE_OK);
    assert_int_equal(deleted.branch_count, BRANCHES_MAX - 1);
    assert_int_equal(deleted.listed, DELETED_LISTED_MAX);
    assert_int_equal(deleted.documents, BRANCHES_MAX - 1);
}

static size_t in_memory(void)
{
    size_t count = 0;

    for (int64_t tenant = 1; tenant <= 8; tenant++)
        count += vectors_held(store, tenant, false);
    return count;
}

/* Vectors of many branches: the last ones stay, others are read again when they are asked for. */
static void bounds_vectors(void **state)
{
    struct tenant tenants[8];
    char          names[8][32];
    size_t        one;

    (void)state;
    for (int i = 0; i < 8; i++) {
        snprintf(names[i], sizeof names[i], "branch %d", i);
        tenants[i] = make_tenant("p", names[i], "0011");
        put(&tenants[i], "a.md", "text", false);
        assert_int_equal(count_vectors(&tenants[i], false, MODEL), 1);
    }
    assert_int_equal(in_memory(), 8);
    one                 = vectors_bytes(store) / 8;
    store->vectors_most = 3 * one;
    for (int turn = 0; turn < 2; turn++)
        for (int i = 0; i < 8; i++) {
            assert_int_equal(count_vectors(&tenants[i], false, MODEL), 1);
            assert_int_equal(in_memory(), 3);
            assert_int_equal(vectors_bytes(store), 3 * one);
        }
    assert_true(vectors_held(store, tenants[5].id, false) && vectors_held(store, tenants[7].id, false));
    /* Those that somebody reads stay, and one alone is never too long. */
    store->vectors_most = 0;
    assert_non_null(store_vectors(store, &tenants[1], false, MODEL));
    assert_non_null(store_vectors(store, &tenants[2], false, MODEL));
    assert_int_equal(in_memory(), 2);
    store_vectors_done(store, &tenants[1], false);
    store_vectors_done(store, &tenants[2], false);
    assert_int_equal(count_vectors(&tenants[3], false, MODEL), 1);
    assert_int_equal(in_memory(), 1);
}

/* ---- Round trip ---- */

static void keeps_everything(void **state)
{
    struct tenant      tenant   = make_tenant("p", "main", "0011");
    struct document    document = { .path       = "a/b.md",
                                    .title      = "Title \"x\"",
                                    .summary    = "Short",
                                    .doc_type   = "problem",
                                    .date       = "2024-01-02",
                                    .hash       = "abcdef",
                                    .level      = LEVEL_IMPORTANT,
                                    .chars      = 1234,
                                    .lines      = 77,
                                    .supersedes = "a/old.md" };
    const struct piece pieces[] = {
        { .index       = 0,
          .header_path = "",
          .text        = "Alpha connecting",
          .len         = 16,
          .first_line  = 1,
          .last_line   = 9 },
        { .index       = 1,
          .header_path = "## B > ### C",
          .text        = "Beta",
          .len         = 4,
          .first_line  = 10,
          .last_line   = 20 },
    };
    const char     *links[] = { "a/old.md", "missing.md" };
    float           vectors[2 * DIMENSIONS];
    struct document read, linked[4];
    struct found    found;
    struct piece    piece;
    char            hash[65], model[129];
    size_t          count;

    (void)state;
    make_vector(vectors, 1);
    make_vector(vectors + DIMENSIONS, 2);
    put(&tenant, "a/old.md", "older text", false);
    assert_int_equal(store_put(store, &tenant, &document, pieces, 2, vectors, DIMENSIONS, MODEL, links, 2),
                     STORE_OK);

    assert_int_equal(store_find(store, call, &tenant, "a/b.md", false, &read), STORE_OK);
    assert_string_equal(read.path, document.path);
    assert_string_equal(read.title, document.title);
    assert_string_equal(read.summary, document.summary);
    assert_string_equal(read.doc_type, document.doc_type);
    assert_string_equal(read.date, document.date);
    assert_string_equal(read.hash, document.hash);
    assert_string_equal(read.supersedes, document.supersedes);
    assert_int_equal(read.level, LEVEL_IMPORTANT);
    assert_int_equal(read.chars, 1234);
    assert_int_equal(read.lines, 77);
    assert_false(read.external);
    assert_false(read.superseded);
    assert_int_equal(store_hash(store, &tenant, "a/b.md", false, hash, model), STORE_OK);
    assert_string_equal(hash, "abcdef");
    assert_string_equal(model, MODEL);

    found = search(&tenant, false, "connect");
    assert_int_equal(found.count, 1);
    assert_int_equal(found.hits[0].document, read.id);
    assert_int_equal(store_pieces(store, call, &tenant, &found.hits[0].piece, 1, &piece), STORE_OK);
    assert_string_equal(piece.text, "Alpha connecting");
    assert_int_equal(piece.len, 16);
    found = search(&tenant, false, "beta");
    assert_int_equal(store_pieces(store, call, &tenant, &found.hits[0].piece, 1, &piece), STORE_OK);
    assert_string_equal(piece.header_path, "## B > ### C");
    assert_int_equal(piece.index, 1);
    assert_int_equal(piece.first_line, 10);
    assert_int_equal(piece.last_line, 20);
    assert_int_equal(piece.document, read.id);

    assert_int_equal(store_links(store, call, &tenant, read.id, linked, 4, &count), STORE_OK);
    assert_int_equal(count, 1);
    assert_string_equal(linked[0].path, "a/old.md");
    assert_true(linked[0].superseded);
    assert_null(linked[0].supersedes);
    assert_int_equal(count_vectors(&tenant, false, MODEL), 3);
    assert_int_equal(count_vectors(&tenant, false, "other"), 0);
    assert_int_equal(count_vectors(&tenant, true, MODEL), 0);
}

static void replaces(void **state)
{
    struct tenant   tenant = make_tenant("p", "main", "0011");
    struct document before, after;
    int64_t         pieces, with, piece;

    (void)state;
    put(&tenant, "x.md", "first words", false);
    assert_int_equal(count_vectors(&tenant, false, MODEL), 1);
    assert_int_equal(store_find(store, call, &tenant, "x.md", false, &before), STORE_OK);
    put(&tenant, "x.md", "second words", false);
    assert_int_equal(store_find(store, call, &tenant, "x.md", false, &after), STORE_OK);
    assert_int_equal(before.id, after.id);
    assert_int_equal(search(&tenant, false, "first").count, 0);
    assert_int_equal(search(&tenant, false, "second").count, 1);
    piece = search(&tenant, false, "second").hits[0].piece;
    assert_int_equal(count_vectors(&tenant, false, MODEL), 1);
    assert_int_equal(store_frequency(store, &tenant, false, "word", &pieces, &with), STORE_OK);
    assert_int_equal(pieces, 1);
    assert_int_equal(with, 1);
    assert_int_equal(store_frequency(store, &tenant, false, "first", &pieces, &with), STORE_OK);
    assert_int_equal(with, 0);
    assert_int_equal(store_remove(store, &tenant, "x.md", false), STORE_OK);
    assert_int_equal(store_remove(store, &tenant, "x.md", false), STORE_NONE);
    assert_int_equal(store_remove(store, &tenant, "x.md", true), STORE_NONE);
    assert_int_equal(search(&tenant, false, "second").count, 0);
    assert_int_equal(count_vectors(&tenant, false, MODEL), 0);
    assert_int_equal(store_find(store, call, &tenant, "x.md", false, &after), STORE_NONE);
    assert_int_equal(store_documents(store, call, &tenant, &piece, 1, &after), STORE_OK);
    assert_int_equal(after.id, 0);
}

static void renames_and_promotes(void **state)
{
    struct tenant   tenant = make_tenant("p", "main", "0011");
    struct document document, critical[5];
    size_t          count;

    (void)state;
    put(&tenant, "from.md", "gold", false);
    put(&tenant, "to.md", "lead", false);
    assert_int_equal(count_vectors(&tenant, false, MODEL), 2);
    assert_int_equal(store_rename(store, &tenant, "nowhere.md", "to.md"), STORE_NONE);
    assert_int_equal(store_rename(store, &tenant, "from.md", "to.md"), STORE_OK);
    assert_int_equal(store_find(store, call, &tenant, "from.md", false, &document), STORE_NONE);
    assert_int_equal(store_find(store, call, &tenant, "to.md", false, &document), STORE_OK);
    assert_int_equal(search(&tenant, false, "gold").hits[0].document, document.id);
    assert_int_equal(search(&tenant, false, "lead").count, 0);
    assert_int_equal(count_vectors(&tenant, false, MODEL), 1);
    assert_int_equal(store_rename(store, &tenant, "to.md", "to.md"), STORE_OK);

    assert_int_equal(store_set_level(store, &tenant, "none.md", LEVEL_CRITICAL, "x"), STORE_NONE);
    assert_int_equal(store_critical(store, call, &tenant, critical, 5, &count), STORE_OK);
    assert_int_equal(count, 0);
    assert_int_equal(store_set_level(store, &tenant, "to.md", LEVEL_CRITICAL, "new"), STORE_OK);
    assert_int_equal(store_critical(store, call, &tenant, critical, 5, &count), STORE_OK);
    assert_int_equal(count, 1);
    assert_string_equal(critical[0].hash, "new");
    assert_int_equal(count_vectors(&tenant, false, MODEL), 1);
}

static void finds_near_paths(void **state)
{
    static const struct { const char *asked, *first; size_t count; } cases[] = {
        { "guides/instal.md",      "guides/install.md", 1 },
        { "install.md",            "guides/install.md", 1 },
        { "GUIDES/INSTALL.MD",     "guides/install.md", 1 },
        { "problems/cache-b.md",   "problems/cache-a.md", 3 },
        { "zzzzzzzzzzzzzzzzzz",    NULL,                0 },
        { "",                      NULL,                0 },
    };
    struct tenant tenant = make_tenant("p", "main", "0011");
    const char   *near[3];
    size_t        count;

    (void)state;
    put(&tenant, "guides/install.md", "a", false);
    put(&tenant, "problems/cache-a.md", "b", false);
    put(&tenant, "problems/cache-c.md", "c", false);
    put(&tenant, "problems/cache-dd.md", "d", false);
    put(&tenant, "problems/cache-eeee.md", "e", false);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        assert_int_equal(store_near_paths(store, call, &tenant, cases[i].asked, near, &count), STORE_OK);
        assert_int_equal(count, cases[i].count);
        if (count)
            assert_string_equal(near[0], cases[i].first);
    }
}

/* ---- Searching ---- */

static void takes_no_word_for_syntax(void **state)
{
    static const char *const words[] = { "NOT",    "OR",     "\"",     "\"\"", "*",
                                         "a*",     "a:b",    "text:a", "c++",  "c#",
                                         "(",      ")",      "^a",     "-",    "NEAR(a b)",
                                         "{text}", "",       " ",      "'",    "; DROP TABLE documents",
                                         "\xff",   "a AND b" };
    struct tenant            tenant  = make_tenant("p", "main", "0011");

    (void)state;
    put(&tenant, "x.md", "C++ C# and .NET: zebra", false);
    for (size_t i = 0; i < COUNT_OF(words); i++) {
        const char *pair[] = { words[i], "zebra" };

        assert_int_equal(count_with(&tenant, pair, 2), 1);
    }
    assert_int_equal(search(&tenant, false, "c++").count, 1);
    assert_int_equal(search(&tenant, false, "c#").count, 1);
    assert_int_equal(search(&tenant, false, ".net").count, 1);
    assert_int_equal(search(&tenant, false, "c").count, 0);
    assert_int_equal(count_with(&tenant, NULL, 0), 0);
}

static void takes_many_words(void **state)
{
    static char        texts[3000][8];
    static const char *words[3000];
    struct tenant      tenant = make_tenant("p", "main", "0011");

    (void)state;
    for (size_t i = 0; i < COUNT_OF(words); i++) {
        snprintf(texts[i], sizeof texts[i], "w%zu", i);
        words[i] = texts[i];
    }
    put(&tenant, "x.md", "w63", false);
    put(&tenant, "y.md", "w64", false); /* one more than are asked for */
    assert_int_equal(count_with(&tenant, words, COUNT_OF(words)), 1);
}

/* Every word of a text finds that text again. */
static bool find_again(void *user, const char *word, size_t len)
{
    assert_int_equal(strlen(word), len);
    assert_true(search(user, false, word).count == 1);
    return true;
}

static void indexes_the_words_it_asks_for(void **state)
{
    static const char *const texts[] = {
        "The C++ and C# of .NET, a:b NOT \"quotes\" getUserName snake_case config.json 1.2.3 don't x'y",
        "\303\211l\303\251phant stra\303\237e \316\225\316\273 \346\227\245\346\234\254",
        "to be or not to be",
        "__init__ ___ ... a_._b .a.b. +++ ### x+++ x##",
        "\xff\xfe broken \xc3 bytes \xe2\x80",
        "aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffffgggggggggghhhhhhhhhh",
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        char          branch[8];
        struct tenant tenant;

        snprintf(branch, sizeof branch, "b%zu", i);
        tenant = make_tenant("words", branch, "0011");
        put(&tenant, "x.md", texts[i], false);
        words_each(texts[i], strlen(texts[i]), find_again, &tenant);
    }
}

static void supersedes(void **state)
{
    struct tenant   tenant = make_tenant("p", "main", "0011"), other = make_tenant("p", "dev", "0011");
    struct document old,
        new = { .path = "new.md", .supersedes = "old.md", .hash = "h", .level = LEVEL_CRITICAL };
    struct document critical[5];
    size_t          count;

    (void)state;
    put(&tenant, "old.md", "text", false);
    put(&tenant, "old.md", "text", true);
    put(&other, "old.md", "text", false);
    assert_int_equal(store_set_level(store, &tenant, "old.md", LEVEL_CRITICAL, "h"), STORE_OK);
    assert_int_equal(store_put(store, &tenant, &new, NULL, 0, NULL, 0, NULL, NULL, 0), STORE_OK);
    assert_int_equal(store_find(store, call, &tenant, "old.md", false, &old), STORE_OK);
    assert_true(old.superseded);
    assert_int_equal(store_critical(store, call, &tenant, critical, 5, &count), STORE_OK);
    assert_int_equal(count, 2);
    assert_string_equal(critical[0].path, "new.md");
    assert_int_equal(store_find(store, call, &tenant, "old.md", true, &old), STORE_OK);
    assert_false(old.superseded);
    assert_int_equal(store_find(store, call, &other, "old.md", false, &old), STORE_OK);
    assert_false(old.superseded);
    assert_int_equal(store_remove(store, &tenant, "new.md", false), STORE_OK);
    assert_int_equal(store_find(store, call, &tenant, "old.md", false, &old), STORE_OK);
    assert_false(old.superseded);
}

/* ---- Tenants ---- */

struct seen {
    size_t count;
    char   last[64];
};

static bool see(void *user, const char *path, const char *hash, const char *model)
{
    struct seen *seen = user;

    assert_string_equal(hash, "h");
    assert_string_equal(model, MODEL);
    seen->count++;
    snprintf(seen->last, sizeof seen->last, "%s", path);
    return true;
}

/* What one tenant sees of its own documents, two of its own and one external, and of those of another. */
static void look_around(const struct tenant *tenant, const struct tenant *other, const char *word,
                        const char *foreign)
{
    struct document document, documents[8];
    struct piece    piece;
    struct found    found = search(tenant, false, word), theirs = search(other, false, foreign);
    struct seen     seen = { 0 };
    const char     *near[3];
    char            path[32], hash[65], model[129];
    int64_t         number, with;
    size_t          count;

    assert_int_equal(found.count, 2);
    assert_int_equal(theirs.count, 2);
    assert_int_equal(search(tenant, false, foreign).count, 0);
    assert_int_equal(search(tenant, true, foreign).count, 0);
    assert_int_equal(search(tenant, true, word).count, 1);
    assert_int_equal(store_documents(store, call, tenant, &theirs.hits[0].piece, 1, &document), STORE_OK);
    assert_int_equal(document.id, 0);
    assert_int_equal(store_pieces(store, call, tenant, &theirs.hits[0].piece, 1, &piece), STORE_OK);
    assert_int_equal(piece.id, 0);
    assert_int_equal(store_links(store, call, tenant, theirs.hits[0].document, documents, 8, &count),
                     STORE_OK);
    assert_int_equal(count, 0);
    snprintf(path, sizeof path, "%s-only.md", foreign);
    assert_int_equal(store_find(store, call, tenant, path, false, &document), STORE_NONE);
    assert_int_equal(store_hash(store, tenant, path, false, hash, model), STORE_OK);
    assert_string_equal(hash, "");
    assert_int_equal(store_remove(store, tenant, path, false), STORE_NONE);
    assert_int_equal(store_rename(store, tenant, path, "x.md"), STORE_NONE);
    assert_int_equal(store_set_level(store, tenant, path, LEVEL_CRITICAL, "h"), STORE_NONE);
    assert_int_equal(store_near_paths(store, call, tenant, path, near, &count), STORE_OK);
    for (size_t i = 0; i < count; i++)
        assert_string_not_equal(near[i], path);
    assert_int_equal(store_each_path(store, tenant, false, see, &seen), STORE_OK);
    assert_int_equal(seen.count, 2);
    assert_string_equal(seen.last, "same.md");
    assert_int_equal(store_critical(store, call, tenant, documents, 8, &count), STORE_OK);
    assert_int_equal(count, 1);
    snprintf(path, sizeof path, "%s-only.md", word);
    assert_string_equal(documents[0].path, path);
    assert_int_equal(store_count(store, tenant, NULL, false, &number), STORE_OK);
    assert_int_equal(number, 2);
    assert_int_equal(store_count(store, tenant, "insight", true, &number), STORE_OK);
    assert_int_equal(number, 1);
    assert_int_equal(store_count(store, tenant, "problem", false, &number), STORE_OK);
    assert_int_equal(number, 0);
    assert_int_equal(store_frequency(store, tenant, false, foreign, &number, &with), STORE_OK);
    assert_int_equal(number, 2);
    assert_int_equal(with, 0);
    assert_int_equal(count_vectors(tenant, false, MODEL), 2);
    assert_int_equal(count_vectors(tenant, true, MODEL), 1);
}

/* A dry run says exactly what deleting then does, branch by branch. */
static void assert_same_deleted(const struct store_deleted *dry, const struct store_deleted *deleted)
{
    int64_t documents = 0, external = 0, pieces = 0;

    assert_int_equal(dry->documents, deleted->documents);
    assert_int_equal(dry->external, deleted->external);
    assert_int_equal(dry->pieces, deleted->pieces);
    assert_int_equal(dry->branch_count, deleted->branch_count);
    assert_int_equal(dry->listed, deleted->listed);
    for (size_t i = 0; i < dry->listed; i++) {
        assert_string_equal(dry->branches[i].branch, deleted->branches[i].branch);
        assert_string_equal(dry->branches[i].path_hash, deleted->branches[i].path_hash);
        documents += deleted->branches[i].documents;
        external += deleted->branches[i].external;
        pieces += deleted->branches[i].pieces;
    }
    assert_true(documents == deleted->documents && external == deleted->external &&
                pieces == deleted->pieces);
}

static void leaks_nothing(void **state)
{
    static const char *const words[]   = { "ant", "bee", "cat" };
    struct tenant            tenants[] = { make_tenant("p", "main", "0011"), make_tenant("p", "dev", "0011"),
                                           make_tenant("p", "main", "0022") };
    struct store_deleted     dry, deleted;
    struct found             found[3];

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        char path[32];

        snprintf(path, sizeof path, "%s-only.md", words[i]);
        put(&tenants[i], "same.md", words[i], false);
        put(&tenants[i], path, words[i], false);
        put(&tenants[i], "outside.md", words[i], true);
        assert_int_equal(store_set_level(store, &tenants[i], path, LEVEL_CRITICAL, "h"), STORE_OK);
    }
    for (size_t i = 0; i < 3; i++)
        for (size_t j = 0; j < 3; j++)
            if (i != j)
                look_around(&tenants[i], &tenants[j], words[i], words[j]);
    for (size_t i = 0; i < 3; i++)
        found[i] = search(&tenants[i], false, words[i]);
    for (size_t i = 1; i < 3; i++)
        assert_true(found[i].pieces == found[0].pieces && found[i].length == found[0].length &&
                    found[i].with == found[0].with);

    assert_int_equal(store_delete(store, call, "p", "main", "0022", true, &dry), STORE_OK);
    assert_int_equal(dry.documents, 3);
    assert_int_equal(dry.pieces, 3);
    assert_int_equal(store_delete(store, call, "p", "main", "0022", false, &deleted), STORE_OK);
    assert_same_deleted(&dry, &deleted);
    assert_int_equal(search(&tenants[2], false, "cat").count, 0);
    assert_int_equal(count_vectors(&tenants[2], false, MODEL), 0);
    look_around(&tenants[0], &tenants[1], "ant", "bee");
    assert_int_equal(store_delete(store, call, "p", "main", "0022", false, &deleted), STORE_OK);
    assert_int_equal(deleted.documents, 0);
    assert_int_equal(store_delete(store, call, "other", NULL, NULL, false, &deleted), STORE_OK);
    assert_int_equal(deleted.documents, 0);
    put(&tenants[2], "again.md", "cat", false);
    assert_int_equal(search(&tenants[2], false, "cat").count, 1);
    assert_int_equal(count_vectors(&tenants[2], false, MODEL), 1);
    assert_int_equal(store_delete(store, call, "p", NULL, NULL, true, &dry), STORE_OK);
    assert_int_equal(dry.documents, 7);
    assert_int_equal(dry.external, 2);
    assert_int_equal(dry.listed, 3);
    assert_int_equal(store_delete(store, call, "p", NULL, NULL, false, &deleted), STORE_OK);
    assert_same_deleted(&dry, &deleted);
    assert_int_equal(search(&tenants[0], false, "ant").count, 0);
}

static void registers_tenants_once(void **state)
{
    struct tenant first = make_tenant("p", "main", "0011"), again = make_tenant("p", "main", "0011");
    struct tenant other = make_tenant("p", "main", "0022");

    (void)state;
    assert_int_equal(first.id, again.id);
    assert_int_not_equal(first.id, other.id);
    assert_true(store_lease(store, &first));
    assert_true(store_lease(store, &first));
    assert_true(store_lease(store, &other));
    store_lease_end(store, &first);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(writes_a_batch_at_once, open_store, close_store),
        cmocka_unit_test_setup_teardown(bounds_branches, open_store, close_store),
        cmocka_unit_test_setup_teardown(bounds_vectors, open_store, close_store),
        cmocka_unit_test_setup_teardown(keeps_everything, open_store, close_store),
        cmocka_unit_test_setup_teardown(replaces, open_store, close_store),
        cmocka_unit_test_setup_teardown(renames_and_promotes, open_store, close_store),
        cmocka_unit_test_setup_teardown(finds_near_paths, open_store, close_store),
        cmocka_unit_test_setup_teardown(takes_no_word_for_syntax, open_store, close_store),
        cmocka_unit_test_setup_teardown(takes_many_words, open_store, close_store),
        cmocka_unit_test_setup_teardown(indexes_the_words_it_asks_for, open_store, close_store),
        cmocka_unit_test_setup_teardown(supersedes, open_store, close_store),
        cmocka_unit_test_setup_teardown(leaks_nothing, open_store, close_store),
        cmocka_unit_test_setup_teardown(registers_tenants_once, open_store, close_store),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
