/* watch_test.c - files that change are seen: waited for with patience, never timed. */
#define _GNU_SOURCE
#include "docs/index/index_test.h"

#include <time.h>

#define PLAIN    "{\"project_name\":\"p\",\"plain_documents\":true,\"external_docs\":{\"path\":\"vendor\"}}"
#define PATIENCE 6000 /* looks, 10 ms apart */

static void begin(struct here *here, const char *config)
{
    char *mistake;

    here_begin(here, "{\"project_name\":\"p\"}");
    mkdir(in_folder(here->folder, "p/vendor"), 0700);
    write_text(here->folder, "p/.tenon/config.json", "%s", config);
    project_release(here->project);
    assert_int_equal(project_load(&here->docs, in_folder(here->folder, "p/.tenon/config.json"), NULL, "main",
                                  &here->project, &mistake),
                     PROJECT_OK);
}

/* Waits until the document is there with this content, or is not there (NULL). */
static void await(struct here *here, const char *path, bool external, const char *not_hash, bool there)
{
    for (int i = 0; i < PATIENCE; i++) {
        const char *hash = hash_at(here, path, external);

        if (there ? *hash && strcmp(hash, not_hash) != 0 : !*hash)
            return;
        nanosleep(&(struct timespec){ .tv_nsec = 10000000 }, NULL);
    }
    fail_msg("%s: nobody saw it", path);
}

static void seen(void **state)
{
    struct here here;
    char        hash[65];
    size_t      texts;

    (void)state;
    begin(&here, PLAIN);
    write_text(here.folder, "p/docs/before.md", "# Before\n");
    assert_true(watch_begin(&here.docs, here.project));
    await(&here, "before.md", false, "", true);
    assert_true(watch_begin(&here.docs, here.project)); /* once is enough */
    write_text(here.folder, "p/docs/a.md", "# A\n");
    await(&here, "a.md", false, "", true);
    snprintf(hash, sizeof hash, "%s", hash_at(&here, "a.md", false));
    write_text(here.folder, "p/docs/a.md", "# A changed\n");
    await(&here, "a.md", false, hash, true);
    texts = here.counting.texts;
    assert_int_equal(rename(in_folder(here.folder, "p/docs/a.md"), in_folder(here.folder, "p/docs/b.md")), 0);
    await(&here, "b.md", false, "", true);
    await(&here, "a.md", false, "", false);
    assert_int_equal(here.counting.texts, texts); /* its vectors are kept */
    remove(in_folder(here.folder, "p/docs/b.md"));
    await(&here, "b.md", false, "", false);
    write_text(here.folder, "p/docs/bad.md", "\xff\xfe"); /* one bad file does not stop it */
    write_text(here.folder, "p/docs/good.md", "# Good\n");
    await(&here, "good.md", false, "", true);
    write_text(here.folder, "p/vendor/x.md", "# X\n");
    await(&here, "x.md", true, "", true);
    here_end(&here);
}

static void folders(void **state)
{
    struct here here;

    (void)state;
    begin(&here, PLAIN);
    assert_true(watch_begin(&here.docs, here.project));
    write_text(here.folder, "p/docs/new/deep/er/a.md", "# A\n");
    await(&here, "new/deep/er/a.md", false, "", true);
    write_text(here.folder, "p/docs/new/deep/er/b.md", "# B\n"); /* what is new is watched, too */
    await(&here, "new/deep/er/b.md", false, "", true);
    assert_int_equal(
        rename(in_folder(here.folder, "p/docs/new/deep"), in_folder(here.folder, "p/docs/moved")), 0);
    await(&here, "moved/er/a.md", false, "", true);
    await(&here, "new/deep/er/a.md", false, "", false);
    write_text(here.folder, "p/docs/moved/er/c.md", "# C\n");
    await(&here, "moved/er/c.md", false, "", true);
    folder_remove(in_folder(here.folder, "p/docs/moved"));
    await(&here, "moved/er/c.md", false, "", false);
    write_text(here.folder, "p/docs/moved/er/d.md", "# D\n"); /* made again, perhaps with the same number */
    await(&here, "moved/er/d.md", false, "", true);
    here_end(&here);
}

/* The whole folder goes, and comes back. */
static void lost(void **state)
{
    struct here here;

    (void)state;
    begin(&here, PLAIN);
    write_text(here.folder, "p/docs/a.md", "# A\n");
    assert_true(watch_begin(&here.docs, here.project));
    await(&here, "a.md", false, "", true);
    folder_remove(in_folder(here.folder, "p/docs"));
    write_text(here.folder, "p/docs/b.md", "# B\n");
    await(&here, "b.md", false, "", true);
    await(&here, "a.md", false, "", false);
    write_text(here.folder, "p/docs/c.md", "# C\n");
    await(&here, "c.md", false, "", true);
    here_end(&here);
}

/* What could not be embedded is tried again, without anybody touching it. */
static void outage(void **state)
{
    struct here here;

    (void)state;
    begin(&here, PLAIN);
    here.counting.is_down = true;
    write_text(here.folder, "p/docs/a.md", "# A\n");
    assert_true(watch_begin(&here.docs, here.project));
    await(&here, "a.md", false, "", true); /* by its words */
    assert_int_equal(here.counting.texts, 0);
    here.counting.is_down = false;
    for (int i = 0; i < PATIENCE && here.counting.texts == 0; i++)
        nanosleep(&(struct timespec){ .tv_nsec = 10000000 }, NULL);
    assert_int_equal(here.counting.texts, 1);
    here_end(&here);
}

/* More than the list of what changed can hold. */
static void many(void **state)
{
    struct here here;

    (void)state;
    begin(&here, PLAIN);
    assert_true(watch_begin(&here.docs, here.project));
    for (int i = 0; i < 1500; i++) {
        char path[64];

        snprintf(path, sizeof path, "p/docs/%d.md", i);
        write_text(here.folder, path, "# Document %d\n", i);
    }
    for (int i = 0; i < PATIENCE && count_documents(&here, false) < 1500; i++)
        nanosleep(&(struct timespec){ .tv_nsec = 10000000 }, NULL);
    assert_int_equal(count_documents(&here, false), 1500);
    here_end(&here);
}

/* Nothing is left open, whenever it ends. */
static void ends(void **state)
{
    (void)state;
    for (int i = 0; i < 20; i++) {
        struct here here;

        begin(&here, PLAIN);
        for (int k = 0; k < 20; k++) {
            char path[64];

            snprintf(path, sizeof path, "p/docs/%d/x.md", k);
            write_text(here.folder, path, "# X %d\n", k);
        }
        assert_true(watch_begin(&here.docs, here.project));
        if (i % 2)
            watch_end(&here.docs, here.project);
        if (i % 4 == 3)
            assert_true(watch_begin(&here.docs, here.project));
        nanosleep(&(struct timespec){ .tv_nsec = i * 1000000 }, NULL);
        here_end(&here);
    }
}

/* One project is being indexed, the other has changes that are due: both end, and so does the thread. */
static void ends_with_changes_due(void **state)
{
    struct here     here;
    struct project *other;
    char           *mistake;

    (void)state;
    begin(&here, PLAIN);
    assert_int_equal(project_load(&here.docs, in_folder(here.folder, "p/.tenon/config.json"), NULL, "other",
                                  &other, &mistake),
                     PROJECT_OK);
    write_text(here.folder, "p/docs/a.md", "# A\n");
    assert_true(watch_begin(&here.docs, here.project));
    assert_true(watch_begin(&here.docs, other));
    await(&here, "a.md", false, "", true);
    atomic_store(&here.counting.is_slow, true);
    write_text(here.folder, "p/docs/b.md", "# B\n"); /* of both */
    for (int i = 0; i < PATIENCE && !atomic_load(&here.counting.is_waiting); i++)
        nanosleep(&(struct timespec){ .tv_nsec = 10000000 }, NULL);
    assert_true(atomic_load(&here.counting.is_waiting));
    watch_end(&here.docs, here.project);
    watch_end(&here.docs, other);
    atomic_store(&here.counting.is_slow, false);
    project_release(other);
    here_end(&here);
}

/* Not watched when the operator does not want it. */
static void unwanted(void **state)
{
    struct here here;

    (void)state;
    begin(&here, PLAIN);
    here.docs.options.no_watch = true;
    assert_false(watch_begin(&here.docs, here.project));
    assert_null(here.docs.watcher);
    watch_end(&here.docs, here.project);
    here_end(&here);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(seen),   cmocka_unit_test(folders),
        cmocka_unit_test(lost),   cmocka_unit_test(many),
        cmocka_unit_test(ends),   cmocka_unit_test(unwanted),
        cmocka_unit_test(outage), cmocka_unit_test(ends_with_changes_due)
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
