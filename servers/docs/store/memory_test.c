/* memory_test.c - every allocation of SQLite refused in turn: a failure is told, and nothing is half done. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "docs/store/postings.h"
#include "docs/store/store.h"
#include "kit/refuse_test.h"

#define DIMENSIONS 128
#define MODEL      "test-1"

static tenon_toolbox *box;
static tenon_call    *call;

static int prepare(void **state)
{
    (void)state;
    box  = tenon_toolbox_new(.user = NULL);
    call = tenon_call_new(box);
    return call ? refuse_prepare() : -1;
}

static int end(void **state)
{
    (void)state;
    tenon_call_free(call);
    tenon_toolbox_free(box);
    return 0;
}

static enum store_status put(struct store *store, const struct tenant *tenant, const char *path,
                             const char *text)
{
    struct document document                = { .path = path, .title = path, .hash = "h" };
    struct piece    pieces[2]               = { { .text = text, .len = strlen(text) },
                                                { .index = 1, .text = "second", .len = 6 } };
    float           vectors[2 * DIMENSIONS] = { 1 };
    const char     *links[]                 = { "other.md" };

    return store_put(store, tenant, &document, pieces, 2, vectors, DIMENSIONS, MODEL, links, 1);
}

static bool visit(void *user, const char *path, const char *hash, const char *model)
{
    (void)path;
    (void)hash;
    (void)model;
    ++*(int *)user;
    return true;
}

/* All that a store does. True when nothing failed; what does not fail is right. */
static bool use(struct store *store, struct tenant *tenant)
{
    bool                 fine = store_tenant(store, tenant, "/x") == STORE_OK;
    struct document      document;
    struct store_deleted deleted;
    const struct matrix *matrix;
    const char          *word  = "second", *near[3];
    struct postings      found = { 0 };
    size_t               count;
    int64_t              pieces, with;
    int                  visited = 0;

    fine &= put(store, tenant, "a.md", "alpha") == STORE_OK;
    fine &= put(store, tenant, "a.md", "beta") == STORE_OK;
    fine &= put(store, tenant, "b.md", "gamma") == STORE_OK;
    fine &= store_rename(store, tenant, "b.md", "c.md") == STORE_OK;
    fine &= store_set_level(store, tenant, "c.md", LEVEL_CRITICAL, "h") == STORE_OK;
    fine &= store_find(store, call, tenant, "c.md", false, &document) == STORE_OK;
    if (fine)
        assert_string_equal(document.title, "b.md");
    fine &= store_postings(store, call, tenant, false, &word, 1, &found) == STORE_OK;
    if (fine)
        assert_int_equal(found.row_count, 2);
    postings_free(&found);
    fine &= store_frequency(store, tenant, false, word, &pieces, &with) == STORE_OK;
    if (fine)
        assert_true(pieces == 4 && with == 2);
    fine &= store_each_path(store, tenant, false, visit, &visited) == STORE_OK;
    fine &= store_near_paths(store, call, tenant, "d.md", near, &count) == STORE_OK;
    matrix = store_vectors(store, tenant, false, MODEL);
    fine &= matrix != NULL;
    if (matrix)
        store_vectors_done(store, tenant, false);
    fine &= store_lease(store, tenant);
    store_lease_end(store, tenant);
    fine &= store_delete(store, call, "p", NULL, NULL, false, &deleted) == STORE_OK;
    if (fine)
        assert_true(deleted.documents == 2 && deleted.pieces == 4);
    return fine;
}

static void survives_refusals(void **state)
{
    long step = 1;

    (void)state;
    for (long n = 0;; n += step) {
        char         *mistake = NULL;
        struct tenant tenant  = { 0, "p", "main", "0011" };
        struct store *store;
        bool          fine, refused;

        refuse_after(n);
        store   = store_open(":memory:", &mistake);
        fine    = store && use(store, &tenant);
        refused = refuse_end();
        assert_true(fine || refused);
        assert_true(store || mistake);
        free(mistake);
        if (store) /* as good as new */
            assert_true(use(store, &tenant));
        store_close(store);
        if (!refused)
            break;
        step = 1 + n / 400; /* thousands: all of the first, some of the later */
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(survives_refusals) };

    return cmocka_run_group_tests(tests, prepare, end);
}
