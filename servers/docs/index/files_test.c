/* files_test.c - paths that are none, files that are replaced, folders with everything in them. */
#define _GNU_SOURCE
#include "docs/index/files.h"

#include "docs/source/source.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kit/folder_test.h"

static void clean(void **state)
{
    static const struct {
        const char *path, *want;
    } cases[] = {
        { "a.md", "a.md" },
        { "./a//b.md", "a/b.md" },
        { "a/./b/", "a/b" },
        { "v1..v2.md", "v1..v2.md" },
        { "%2e%2e/a.md", "%2e%2e/a.md" },
        { "a\\..\\b.md", "a\\..\\b.md" },
        { "", NULL },
        { ".", NULL },
        { "./", NULL },
        { "..", NULL },
        { "../a.md", NULL },
        { "a/../b.md", NULL },
        { "/a.md", NULL },
        { ".git/a.md", NULL },
        { "a/.b/c.md", NULL },
        { "...", NULL },
    };
    char out[FILE_PATH_MAX], longest[FILE_PATH_MAX + 1];

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bool fine = path_clean(cases[i].path, out);

        if (fine != (cases[i].want != NULL) || (fine && strcmp(out, cases[i].want) != 0))
            fail_msg("'%s' became '%s'", cases[i].path, fine ? out : "nothing");
    }
    memset(longest, 'a', sizeof longest);
    longest[FILE_PATH_MAX - 1] = '\0';
    assert_false(path_clean(longest, out));
    longest[FILE_PATH_MAX - 2] = '\0';
    assert_true(path_clean(longest, out));
}

static void replaced(void **state)
{
    char            *folder = folder_new();
    tenon_root      *root;
    struct docs_file file;
    struct stat      now;

    (void)state;
    write_text(folder, "a/b.md", "old");
    chmod(in_folder(folder, "a/b.md"), 0604);
    assert_int_equal(tenon_root_new(folder, NULL, &root), TENON_OK);
    assert_int_equal(docs_file_read(root, "a/b.md", 2, &file), FILE_TOO_LARGE);
    assert_int_equal(docs_file_read(root, "a/none.md", 100, &file), FILE_NOT_FOUND);
    assert_int_equal(docs_file_read(root, "a", 100, &file), FILE_DENIED);
    assert_int_equal(docs_file_read(root, "a/b.md", 3, &file), FILE_OK);
    assert_string_equal(file.at, "old");
    assert_true(docs_file_is_same(root, "a/b.md", &file));
    assert_int_equal(docs_file_replace(root, "a/b.md", &file, "newer", 5), FILE_OK);
    assert_int_equal(stat(in_folder(folder, "a/b.md"), &now), 0);
    assert_int_equal(now.st_mode & 07777, 0604);
    assert_int_equal(now.st_size, 5);
    assert_int_equal(docs_file_replace(root, "a/b.md", &file, file.at, file.len), FILE_OK); /* and back */
    /* somebody else was faster */
    write_text(folder, "a/b.md", "theirs");
    assert_int_equal(docs_file_replace(root, "a/b.md", &file, "mine", 4), FILE_CHANGING);
    docs_file_free(&file);
    assert_int_equal(docs_file_read(root, "a/b.md", 100, &file), FILE_OK);
    assert_string_equal(file.at, "theirs");
    assert_int_equal(rename(in_folder(folder, "a/b.md"), in_folder(folder, "a/c.md")), 0);
    assert_int_equal(symlink("c.md", in_folder(folder, "a/b.md")), 0);
    assert_int_equal(docs_file_replace(root, "a/b.md", &file, "mine", 4), FILE_DENIED);
    assert_int_equal(docs_file_replace(root, "gone/b.md", &file, "mine", 4), FILE_NOT_FOUND);
    docs_file_free(&file);
    tenon_root_free(root);
    folder_free(folder);
}

static bool markdown(void *user, const char *path, bool is_folder)
{
    (void)user;
    return is_folder ? strcmp(path, "skipped") != 0 : source_kind_of(path) == SOURCE_MARKDOWN;
}

static void listed(void **state)
{
    char          *folder = folder_new(), deep[512] = "deep";
    tenon_root    *root;
    struct listing listing;

    (void)state;
    write_text(folder, "b.md", "x");
    write_text(folder, "a/c.MD", "x");
    write_text(folder, "a/c.txt", "x");
    write_text(folder, ".git/x.md", "x");
    write_text(folder, "skipped/x.md", "x");
    assert_int_equal(symlink("..", in_folder(folder, "a/up")), 0);
    assert_int_equal(symlink("b.md", in_folder(folder, "l.md")), 0);
    assert_int_equal(tenon_root_new(folder, NULL, &root), TENON_OK);
    assert_true(listing_make(&listing, root, markdown, NULL));
    assert_int_equal(listing.files.count, 3);
    assert_string_equal(listing.files.at[0], "a/c.MD");
    assert_string_equal(listing.files.at[1], "b.md");
    assert_string_equal(listing.files.at[2], "l.md");
    assert_int_equal(listing.folders.count, 2);
    assert_false(listing.too_many);
    assert_true(paths_has(&listing.folders, "a"));
    listing_free(&listing);
    for (int i = 0; i < FILES_DEPTH_MAX; i++)
        strcat(deep, "/d");
    strcat(deep, "/x.md");
    write_text(folder, deep, "x");
    assert_true(listing_make(&listing, root, markdown, NULL));
    assert_true(listing.too_many); /* so that nothing is taken for gone */
    assert_int_equal(listing.files.count, 3);
    listing_free(&listing);
    tenon_root_free(root);
    folder_free(folder);
}

int main(void)
{
    static const struct CMUnitTest tests[] = { cmocka_unit_test(clean), cmocka_unit_test(replaced),
                                               cmocka_unit_test(listed) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
