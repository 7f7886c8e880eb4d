/* memory_test.c - every allocation of SQLite and of the call refused in turn: a search fails, or is right. */
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "docs/search/extract.h"
#include "kit/embed/embed.h"
#include "kit/refuse_test.h"

static void *resize(void *user, void *block, size_t old_len, size_t new_len)
{
    (void)user;
    (void)old_len;
    if (!new_len) {
        free(block);
        return NULL;
    }
    return refuse_this() ? NULL : realloc(block, new_len);
}

static const tenon_allocator allocator = { .resize = resize };

static struct docs    docs;
static struct project project;

static int set_up(void **state)
{
    static const char *const text =
        "# Cache\nThe cache has an eviction policy. It keeps answers for ten minutes.";
    char                *mistake = NULL;
    float                vector[EMBED_LOCAL_DIMENSIONS];
    struct embed_failure failure;
    struct document      document = { .path = "a.md", .title = "Cache", .doc_type = "tool", .hash = "h" };
    struct piece         piece    = { .text = text, .len = strlen(text), .first_line = 1, .last_line = 2 };

    (void)state;
    if (refuse_prepare() != 0)
        return -1;
    docs.store     = store_open(":memory:", &mistake);
    docs.embedder  = embed_local_new(0);
    project.tenant = (struct tenant){ 0, "p", "main", "0123456789abcdef" };
    free(mistake);
    return docs.store && docs.embedder && store_tenant(docs.store, &project.tenant, "/p") == STORE_OK &&
                   docs.embedder->embed(docs.embedder, NULL, EMBED_DOCUMENT, &text, 1, vector, &failure) ==
                       EMBED_OK &&
                   store_put(docs.store, &project.tenant, &document, &piece, 1, vector,
                             EMBED_LOCAL_DIMENSIONS, docs.embedder->model, NULL, 0) == STORE_OK
               ? 0
               : -1;
}

static int tear_down(void **state)
{
    (void)state;
    docs.embedder->free(docs.embedder);
    store_close(docs.store);
    return 0;
}

static void search_once(tenon_call *call)
{
    struct search search = { .query          = "cache eviction policy",
                             .threshold      = 0.5,
                             .most           = 10,
                             .doc_types      = (const char *const[]){ "tool" },
                             .doc_type_count = 1 };
    struct hits   hits;
    const char   *said;

    if (search_run(&docs, call, &project, &search, &hits) != STORE_OK)
        return;
    assert_int_equal(hits.count, 1);
    assert_string_equal(hits.at[0].document.path, "a.md");
    said = extract_answer(call, search.query, hits.at, hits.count, &(bool){ false });
    if (said[0])
        assert_string_equal(said,
                            "The cache has an eviction policy. It keeps answers for ten minutes. [a.md:2]");
}

static void fails_or_is_right(void **state)
{
    long count = 0;
    bool refused;

    (void)state;
    do {
        tenon_toolbox *box  = tenon_toolbox_new(.user = &docs, .memory = &allocator);
        tenon_call    *call = tenon_call_new(box);

        assert_non_null(call);
        refuse_after(count++);
        search_once(call);
        refused = refuse_end();
        tenon_call_free(call);
        tenon_toolbox_free(box);
        assert_true(count < 5000);
    } while (refused);
    assert_true(count > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(fails_or_is_right) };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
