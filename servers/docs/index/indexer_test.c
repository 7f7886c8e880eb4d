/* indexer_test.c - real folders into a real database: what is embedded, what is refused, what stays. */
#define _GNU_SOURCE
#include "docs/index/indexer.h"

#include <fcntl.h>

#include "docs/index/index_test.h"

#define PLAIN "{\"project_name\":\"p\",\"plain_documents\":true}"
#define TYPED "{\"project_name\":\"p\"}"

static void twice(void **state)
{
    struct here         here;
    struct index_counts counts;
    size_t              texts;

    (void)state;
    here_begin(&here, PLAIN);
    for (int i = 0; i < 300; i++) {
        char path[64];

        snprintf(path, sizeof path, "p/docs/%d/%d.md", i % 7, i);
        write_text(here.folder, path, "# Document %d\n\nIts text, number %d.\n", i, i);
    }
    write_text(here.folder, "p/docs/.hidden/x.md", "no");
    write_text(here.folder, "p/docs/not.bin", "no");
    counts = reconcile(&here, INDEX_OK);
    assert_int_equal(counts.seen, 300);
    assert_int_equal(counts.indexed, 300);
    assert_int_equal(counts.failed, 0);
    assert_int_equal(count_documents(&here, false), 300);
    texts = here.counting.texts;
    assert_int_equal(texts, 300);
    counts = reconcile(&here, INDEX_OK);
    assert_int_equal(counts.unchanged, 300);
    assert_int_equal(here.counting.texts, texts);
    /* one changed, one new, one gone, one renamed */
    write_text(here.folder, "p/docs/0/0.md", "# Changed\n\nOther text.\n");
    write_text(here.folder, "p/docs/new.md", "# New\n\nNew text.\n");
    remove(in_folder(here.folder, "p/docs/1/1.md"));
    assert_int_equal(
        rename(in_folder(here.folder, "p/docs/2/2.md"), in_folder(here.folder, "p/docs/3/moved.md")), 0);
    counts = reconcile(&here, INDEX_OK);
    assert_int_equal(counts.indexed, 3);
    assert_int_equal(counts.renamed, 1);
    assert_int_equal(counts.removed, 1);
    assert_int_equal(here.counting.texts, texts + 2);
    assert_string_equal(hash_at(&here, "2/2.md", false), "");
    assert_int_equal(strlen(hash_at(&here, "3/moved.md", false)), 64);
    assert_int_equal(count_documents(&here, false), 300);
    here_end(&here);
}

static void one_file(void **state)
{
    static const struct {
        const char       *config, *path, *content;
        enum index_status want;
        const char       *text;
    } cases[] = {
        { TYPED, "insights/a.md", NULL, INDEX_OK, "" },
        { TYPED, "./insights//a.md", NULL, INDEX_OK, "" },
        { TYPED, "plain.md", "# Only text\n", INDEX_NO_TYPE, "plain_documents" },
        { PLAIN, "plain.md", "# Only text\n", INDEX_OK, "" },
        { PLAIN, "plain.md", "---\ntitle: x\n---\ntext\n", INDEX_OK, "" },
        { PLAIN, "empty.md", "", INDEX_OK, "" },
        { PLAIN, "bom.md", "\xef\xbb\xbf# Text\n", INDEX_OK, "" },
        { TYPED, "a.md", "---\ndoc_type: nothing\n---\n", INDEX_NO_TYPE, "problem" },
        { TYPED, "a.md", "---\ndoc_type: tool\n---\n", INDEX_INVALID, "schema" },
        { TYPED, "tools/a.md", "---\ntitle: x\n---\n", INDEX_INVALID, "'tool'" },
        { TYPED, "a.md", "---\na: [\n---\n", INDEX_INVALID, "cannot be read" },
        { PLAIN, "a.md",
          "a\xff"
          "b",
          INDEX_NOT_TEXT, "UTF-8" },
        { PLAIN, "a.md", "\xed\xa0\x80", INDEX_NOT_TEXT, "UTF-8" },
        { PLAIN, "a.md", "\xc0\xaf", INDEX_NOT_TEXT, "UTF-8" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct here          here;
        struct index_problem problem;
        char                 path[256];
        enum index_status    got;

        here_begin(&here, cases[i].config);
        snprintf(path, sizeof path, "p/docs/%s", cases[i].path);
        if (cases[i].content)
            write_text(here.folder, path, "%s", cases[i].content);
        else
            write_text(here.folder, "p/docs/insights/a.md", GOOD, "A", "a");
        got = index_file(&here.docs, NULL, here.project, cases[i].path, false, &problem);
        if (got != cases[i].want || !strstr(problem.text, cases[i].text))
            fail_msg("case %zu, %s: %d, %s", i, cases[i].path, got, problem.text);
        assert_int_equal(problem.status, got);
        if (got == INDEX_OK)
            assert_int_equal(index_file(&here.docs, NULL, here.project, cases[i].path, false, &problem),
                             INDEX_UNCHANGED);
        assert_int_equal(count_documents(&here, false), got == INDEX_OK);
        assert_int_equal(problem.violation_count > 0, got == INDEX_INVALID);
        here_end(&here);
    }
}

static void escapes(void **state)
{
    static const struct {
        const char       *path;
        enum index_status want;
    } cases[] = {
        { "../out.md", INDEX_OUTSIDE },
        { "a/../../out.md", INDEX_OUTSIDE },
        { "/etc/passwd.md", INDEX_OUTSIDE },
        { "", INDEX_OUTSIDE },
        { ".", INDEX_OUTSIDE },
        { ".hidden/x.md", INDEX_OUTSIDE },
        { "x.bin", INDEX_OUTSIDE },
        { "link.md", INDEX_OUTSIDE },
        { "linked/out.md", INDEX_OUTSIDE },
        { "absolute.md", INDEX_OUTSIDE },
        { "loop.md", INDEX_OUTSIDE },
        { "pipe.md", INDEX_OUTSIDE },
        { "folder.md", INDEX_OUTSIDE },
        { "%2e%2e/out.md", INDEX_NOT_FOUND },
        { "none.md", INDEX_NOT_FOUND },
        { "none/x.md", INDEX_NOT_FOUND },
        { "inside.md", INDEX_OK }, /* a link that stays inside */
        { "v1..v2.md", INDEX_OK },
    };
    struct here         here;
    struct index_counts counts;

    (void)state;
    here_begin(&here, PLAIN);
    write_text(here.folder, "p/out.md", "secret");
    write_text(here.folder, "p/docs/v1..v2.md", "# Text\n");
    write_text(here.folder, "p/docs/.hidden/x.md", "x");
    write_text(here.folder, "p/docs/x.bin", "x");
    write_text(here.folder, "p/docs/folder.md/x.bin", "x");
    assert_int_equal(symlink("../out.md", in_folder(here.folder, "p/docs/link.md")), 0);
    assert_int_equal(symlink("..", in_folder(here.folder, "p/docs/linked")), 0);
    assert_int_equal(
        symlink(in_folder(here.folder, "p/out.md"), in_folder(here.folder, "p/docs/absolute.md")), 0);
    assert_int_equal(symlink("loop.md", in_folder(here.folder, "p/docs/loop.md")), 0);
    assert_int_equal(symlink("v1..v2.md", in_folder(here.folder, "p/docs/inside.md")), 0);
    assert_int_equal(symlink(".", in_folder(here.folder, "p/docs/again")), 0);
    assert_int_equal(mkfifo(in_folder(here.folder, "p/docs/pipe.md"), 0600), 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct index_problem problem;
        enum index_status    got = index_file(&here.docs, NULL, here.project, cases[i].path, false, &problem);

        if (got != cases[i].want)
            fail_msg("%s: %d, %s", cases[i].path, got, problem.text);
    }
    counts = reconcile(&here,
                       INDEX_OK); /* links that lead out are told, and do not stop it; the loop is none */
    assert_int_equal(counts.seen, 5);
    assert_int_equal(counts.failed, 3);
    assert_int_equal(counts.unchanged, 2);
    here_end(&here);
}

/* ---- Files that change ------------------------------------------------------------------------------------------ */

struct writer {
    const char *path;
    atomic_bool stop;
};

static void *keep_writing(void *user)
{
    struct writer *writer = user;
    int            fd     = open(writer->path, O_WRONLY | O_APPEND);

    while (!atomic_load(&writer->stop))
        if (write(fd, "x\n", 2) != 2)
            break;
    close(fd);
    return NULL;
}

static void changing(void **state)
{
    struct here          here;
    struct index_problem problem;
    struct writer        writer = { 0 };
    pthread_t            thread;
    enum index_status    got = INDEX_OK;
    char                *big = malloc((size_t)4 << 20), path[PATH_MAX];

    (void)state;
    here_begin(&here, PLAIN);
    memset(big, 'a', (size_t)4 << 20);
    write_bytes(here.folder, "p/docs/a.md", big, (size_t)4 << 20);
    free(big);
    snprintf(path, sizeof path, "%s", in_folder(here.folder, "p/docs/a.md"));
    writer.path = path;
    assert_int_equal(pthread_create(&thread, NULL, keep_writing, &writer), 0);
    for (int i = 0; i < 1000 && got != INDEX_CHANGING; i++) {
        got = index_file(&here.docs, NULL, here.project, "a.md", false, &problem);
        assert_true(got == INDEX_OK || got == INDEX_UNCHANGED || got == INDEX_CHANGING);
    }
    atomic_store(&writer.stop, true);
    pthread_join(thread, NULL);
    assert_int_equal(got, INDEX_CHANGING);
    assert_non_null(strstr(problem.text, "changes"));
    assert_int_equal(index_file(&here.docs, NULL, here.project, "a.md", false, &problem), INDEX_OK);
    here_end(&here);
}

static void large(void **state)
{
    struct here          here;
    struct index_problem problem;
    size_t               len  = (size_t)50 << 20;
    char                *text = malloc(len);
    int                  fd;

    (void)state;
    here_begin(&here, PLAIN);
    for (size_t i = 0; i < len; i++)
        text[i] = i % 80 == 79 ? '\n' : i % 4000 < 3 ? "## "[i % 4000] : (char)('a' + i * 7 % 26);
    write_bytes(here.folder, "p/docs/large.md", text, len);
    free(text);
    assert_int_equal(index_file(&here.docs, NULL, here.project, "large.md", false, &problem), INDEX_OK);
    assert_true(here.counting.texts > 1000);
    fd = open(in_folder(here.folder, "p/docs/huge.md"), O_WRONLY | O_CREAT, 0600);
    assert_int_equal(ftruncate(fd, (off_t)FILE_LEN_MAX + 1), 0);
    close(fd);
    assert_int_equal(index_file(&here.docs, NULL, here.project, "huge.md", false, &problem), INDEX_TOO_LARGE);
    here_end(&here);
}

/* One that cannot be read does not stop the others, nor take what is stored of it away. */
static void unreadable(void **state)
{
    struct here         here;
    struct index_counts counts;

    (void)state;
    if (geteuid() == 0) {
        print_message("skipped: to the superuser every file is readable\n");
        skip();
    }
    here_begin(&here, PLAIN);
    write_text(here.folder, "p/docs/a.md", "# A\n");
    write_text(here.folder, "p/docs/b/c.md", "# C\n");
    write_text(here.folder, "p/docs/d.md", "# D\n");
    reconcile(&here, INDEX_OK);
    chmod(in_folder(here.folder, "p/docs/a.md"), 0);
    chmod(in_folder(here.folder, "p/docs/b"), 0);
    counts = reconcile(&here, INDEX_OK);
    chmod(in_folder(here.folder, "p/docs/b"), 0700);
    assert_int_equal(counts.failed, 1);
    assert_int_equal(counts.removed, 0);
    assert_int_equal(count_documents(&here, false), 3);
    here_end(&here);
}

/* The docs folder goes away and comes back as another. */
static void folder_made_again(void **state)
{
    struct here         here;
    struct index_counts counts;

    (void)state;
    here_begin(&here, PLAIN);
    write_text(here.folder, "p/docs/a.md", "# A\n");
    reconcile(&here, INDEX_OK);
    folder_remove(in_folder(here.folder, "p/docs"));
    reconcile(&here, INDEX_NOT_FOUND);
    assert_int_equal(count_documents(&here, false), 1);
    write_text(here.folder, "p/docs/b.md", "# B\n");
    counts = reconcile(&here, INDEX_OK);
    assert_int_equal(counts.indexed, 1);
    assert_int_equal(counts.removed, 1);
    here_end(&here);
}

static void externals(void **state)
{
    struct here         here;
    struct index_counts counts;

    (void)state;
    here_begin(&here, TYPED);
    write_text(here.folder, "p/vendor/a.md", "# A\n\nSee [b](b.md).\n");
    write_text(here.folder, "p/vendor/b.md", "---\nnot: [yaml\n---\ntext\n");
    write_text(here.folder, "p/vendor/x/node_modules/c.md", "# C\n");
    write_text(here.folder, "p/vendor/x/draft.md", "# D\n");
    write_text(here.folder, "p/vendor/x/d.txt", "text");
    write_text(here.folder, "p/docs/a.md", GOOD, "A", "a");
    write_text(here.folder, "p/.tenon/config.json",
               "{\"project_name\":\"p\",\"external_docs\":{\"path\":\"vendor\",\"include_patterns\":[\"**/"
               "*.md\",\"**/*.txt\"],"
               "\"exclude_patterns\":[\"**/node_modules/**\",\"**/draft.md\"]}}");
    project_release(here.project);
    here.project = NULL;
    assert_int_equal(project_load(&here.docs, in_folder(here.folder, "p/.tenon/config.json"), NULL, "main",
                                  &here.project, &(char *){ NULL }),
                     PROJECT_OK);
    counts = reconcile(&here, INDEX_OK);
    assert_int_equal(counts.indexed, 4);
    assert_int_equal(count_documents(&here, true), 3);
    assert_int_equal(count_documents(&here, false), 1);
    assert_int_equal(strlen(hash_at(&here, "x/d.txt", true)), 64);
    assert_int_equal(index_file(&here.docs, NULL, here.project, "x/draft.md", true, NULL), INDEX_OUTSIDE);
    assert_int_equal(index_file(&here.docs, NULL, here.project, "a.md", true, NULL), INDEX_UNCHANGED);
    /* no longer configured: no longer there */
    write_text(here.folder, "p/.tenon/config.json", TYPED);
    project_release(here.project);
    assert_int_equal(project_load(&here.docs, in_folder(here.folder, "p/.tenon/config.json"), NULL, "main",
                                  &here.project, &(char *){ NULL }),
                     PROJECT_OK);
    counts = reconcile(&here, INDEX_OK);
    assert_int_equal(counts.removed, 3);
    assert_int_equal(count_documents(&here, true), 0);
    here_end(&here);
}

/* With the provider down a tool is told so; a reconciliation stores words, and vectors when it is back. */
static void outage(void **state)
{
    struct here          here;
    struct index_problem problem;
    struct index_counts  counts;

    (void)state;
    here_begin(&here, PLAIN);
    write_text(here.folder, "p/docs/a.md", "# A\n");
    write_text(here.folder, "p/docs/b.md", "# B\n");
    here.counting.is_down = true;
    assert_int_equal(index_file(&here.docs, NULL, here.project, "a.md", false, &problem), INDEX_EMBEDDING);
    assert_string_equal(problem.failure.circuit, "open");
    assert_int_equal(count_documents(&here, false), 0);
    counts = reconcile(&here, INDEX_OK);
    assert_int_equal(counts.waiting, 2);
    assert_int_equal(counts.failed, 2);
    assert_int_equal(count_documents(&here, false), 2);
    here.counting.is_down = false;
    counts                = reconcile(&here, INDEX_OK);
    assert_int_equal(counts.indexed, 2);
    assert_int_equal(here.counting.texts, 2);
    here_end(&here);
}

static bool stop_soon(void *user, size_t done, size_t total, const char *path, enum index_status status,
                      const struct index_problem *problem)
{
    size_t *told = user;

    (void)path;
    (void)problem;
    assert_true(done <= total);
    assert_int_equal(status, INDEX_OK);
    (*told)++;
    return done < 70;
}

static void stopped(void **state)
{
    struct here         here;
    struct index_counts counts;
    size_t              told = 0;

    (void)state;
    here_begin(&here, PLAIN);
    for (int i = 0; i < 200; i++) {
        char path[64];

        snprintf(path, sizeof path, "p/docs/%d.md", i);
        write_text(here.folder, path, "# Document %d\n", i);
    }
    assert_int_equal(index_reconcile(&here.docs, NULL, here.project, stop_soon, &told, &counts),
                     INDEX_CANCELLED);
    assert_int_equal(told, 70);
    counts = reconcile(&here, INDEX_OK);
    assert_int_equal(counts.indexed + counts.unchanged, 200);
    assert_true(counts.unchanged >= 70);
    here_end(&here);
}

/* ---- Levels ----------------------------------------------------------------------------------------------------- */

static void expect_file(struct here *here, const char *path, const char *want)
{
    char  got[4096];
    FILE *file = fopen(in_folder(here->folder, path), "rb");

    got[fread(got, 1, sizeof got - 1, file)] = '\0';
    fclose(file);
    assert_string_equal(got, want);
}

static void levels(void **state)
{
    struct here          here;
    struct index_problem problem;
    enum level           previous;
    struct stat          before, after;
    char                 content[4096];
    size_t               texts;

    (void)state;
    here_begin(&here, PLAIN);
    snprintf(content, sizeof content, GOOD, "A", "a");
    write_text(here.folder, "p/docs/a.md", "%s", content);
    chmod(in_folder(here.folder, "p/docs/a.md"), 0640);
    write_text(here.folder, "p/docs/plain.md", "# Plain\n");
    reconcile(&here, INDEX_OK);
    stat(in_folder(here.folder, "p/docs/a.md"), &before);
    assert_int_equal(index_set_level(&here.docs, here.project, "a.md", LEVEL_STANDARD, &previous, &problem),
                     INDEX_UNCHANGED);
    stat(in_folder(here.folder, "p/docs/a.md"), &after);
    assert_true(before.st_ino == after.st_ino && before.st_mtim.tv_nsec == after.st_mtim.tv_nsec);
    assert_int_equal(index_set_level(&here.docs, here.project, "a.md", LEVEL_IMPORTANT, &previous, &problem),
                     INDEX_OK);
    assert_int_equal(previous, LEVEL_STANDARD);
    texts = here.counting.texts;
    assert_int_equal(index_set_level(&here.docs, here.project, "a.md", LEVEL_CRITICAL, &previous, &problem),
                     INDEX_OK);
    assert_int_equal(previous, LEVEL_IMPORTANT);
    assert_int_equal(here.counting.texts, texts); /* nothing else has changed */
    stat(in_folder(here.folder, "p/docs/a.md"), &after);
    assert_int_equal(after.st_mode & 07777, 0640);
    assert_int_equal(reconcile(&here, INDEX_OK).unchanged, 2);
    assert_int_equal(here.counting.texts, texts);
    assert_int_equal(index_set_level(&here.docs, here.project, "plain.md", LEVEL_CRITICAL, &previous,
                                     &problem),
                     INDEX_NO_TYPE);
    assert_int_equal(index_set_level(&here.docs, here.project, "none.md", LEVEL_CRITICAL, &previous,
                                     &problem),
                     INDEX_NOT_FOUND);
    assert_int_equal(index_set_level(&here.docs, here.project, "../a.md", LEVEL_CRITICAL, &previous,
                                     &problem),
                     INDEX_OUTSIDE);
    /* neither, when the index cannot follow: the key is added, so that lines move and the provider is needed */
    write_text(here.folder, "p/docs/b.md", "%s", content);
    reconcile(&here, INDEX_OK);
    here.counting.is_down = true;
    assert_int_equal(index_set_level(&here.docs, here.project, "b.md", LEVEL_CRITICAL, &previous, &problem),
                     INDEX_EMBEDDING);
    expect_file(&here, "p/docs/b.md", content);
    here.counting.is_down = false;
    assert_int_equal(reconcile(&here, INDEX_OK).unchanged, 3);
    here_end(&here);
}

/* Two processes on one database: one indexes, the other is told. */
static void elsewhere(void **state)
{
    struct here         here;
    struct index_counts counts;
    struct store       *other, *own;
    char               *mistake;

    (void)state;
    here_begin(&here, PLAIN);
    write_text(here.folder, "p/docs/a.md", "# A\n");
    other = store_open(in_folder(here.folder, "data/docs.db"), &mistake);
    assert_non_null(other);
    assert_true(store_lease(other, &here.project->tenant));
    counts = reconcile(&here, INDEX_OK);
    assert_true(counts.elsewhere);
    assert_int_equal(counts.indexed, 0);
    store_lease_end(other, &here.project->tenant);
    counts = reconcile(&here, INDEX_OK);
    assert_false(counts.elsewhere);
    assert_int_equal(counts.indexed, 1);
    own             = here.docs.store;
    here.docs.store = other; /* what one has written, the other sees */
    assert_int_equal(reconcile(&here, INDEX_OK).unchanged, 1);
    here.docs.store = own;
    store_close(other);
    here_end(&here);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(twice),     cmocka_unit_test(one_file),
        cmocka_unit_test(escapes),   cmocka_unit_test(changing),
        cmocka_unit_test(large),     cmocka_unit_test(unreadable),
        cmocka_unit_test(externals), cmocka_unit_test(folder_made_again),
        cmocka_unit_test(outage),    cmocka_unit_test(stopped),
        cmocka_unit_test(levels),    cmocka_unit_test(elsewhere),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
