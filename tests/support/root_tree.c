/* root_tree.c - links of all kinds, names of all kinds, and what is neither a file nor a directory. */
#define _GNU_SOURCE
#include "support/root_tree.h"

#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/openat2.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))
#define DEEPEST (ROOT_DEPTH_MAX + 16) /* folders inside each other; musl goes no deeper than it may keep open */

static const char *const directories[] = { "docs", "docs/a", "docs/a/b", "docs/swap", "docs2", "outside" };

static const struct {
    const char *path, *text;
} files[] = {
    { "docs/file.txt", "inside" },
    { "docs/a/b/deep.txt", "deep" },
    { "docs/swap/secret.txt", "inside" },
    { "docs/v1..v2.md", "dots" },
    { "docs/...md", "more dots" },
    { "docs/..hidden", "hidden" },
    { "docs/two words.txt", "words" },
    { "docs/\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80", "unicode" },
    { "docs/-rf", "dash" },
    { "docs/back\\slash", "back" },
    { "docs/line\nend", "line" },
    { "docs2/secret.txt", "outside" },
    { "outside/secret.txt", "outside" },
};

static const struct {
    const char *path, *target;
} links[] = {
    { "docs/to-file", "file.txt" },
    { "docs/to-deep", "a/b/deep.txt" },
    { "docs/to-dir", "a/b" },
    { "docs/to-slash", "a//b/" },
    { "docs/a/up", "../file.txt" },
    { "docs/a/b/up-up", "../../to-file" },
    { "docs/chain", "to-dir/up-up" },
    { "docs/dangling", "a/made.txt" },
    { "docs/loop", "loop" },
    { "docs/ping", "pong" },
    { "docs/pong", "ping" },
    { "docs/out-file", "../outside/secret.txt" },
    { "docs/out-dir", "../outside" },
    { "docs/out-etc", "/etc/passwd" },
    { "docs/out-root", "/" },
    { "docs/out-chain", "a/out-next" },
    { "docs/a/out-next", "../out-file" },
    { "docs/out-dangling", "../outside/made.txt" },
    { "docs/out-dots", "a/../../outside/secret.txt" },
    { "docs/back-in", "../docs/file.txt" },
    { "docs/swap-link", "../outside" },
};

const char *root_tree_join(const struct root_tree *tree, const char *path)
{
    static char joined[PATH_MAX];

    snprintf(joined, sizeof joined, "%s/%s", tree->base, path);
    return joined;
}

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");

    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void make_socket(const char *path)
{
    struct sockaddr_un address = { .sun_family = AF_UNIX };
    int                fd      = socket(AF_UNIX, SOCK_STREAM, 0);

    assert_true(fd >= 0 && strlen(path) < sizeof address.sun_path);
    strcpy(address.sun_path, path);
    assert_int_equal(bind(fd, (struct sockaddr *)&address, sizeof address), 0);
    close(fd);
}

void root_tree_set_up(struct root_tree *tree, enum root_way way)
{
    const char *temporary = getenv("TMPDIR");
    char        path[PATH_MAX], target[PATH_MAX];

    snprintf(tree->base, sizeof tree->base, "%s/tenon-root-XXXXXX", temporary ? temporary : "/tmp");
    assert_non_null(mkdtemp(tree->base));
    for (size_t i = 0; i < COUNT_OF(directories); i++)
        assert_int_equal(mkdir(root_tree_join(tree, directories[i]), 0700), 0);
    for (size_t i = 0; i < COUNT_OF(files); i++)
        write_file(root_tree_join(tree, files[i].path), files[i].text);
    for (size_t i = 0; i < COUNT_OF(links); i++)
        assert_int_equal(symlink(links[i].target, root_tree_join(tree, links[i].path)), 0);

    snprintf(target, sizeof target, "%s/docs/file.txt", tree->base);
    assert_int_equal(symlink(target, root_tree_join(tree, "docs/absolute")), 0);
    snprintf(path, sizeof path, "%s/docs/hard", tree->base);
    assert_int_equal(link(root_tree_join(tree, "outside/secret.txt"), path), 0);
    assert_int_equal(mkfifo(root_tree_join(tree, "docs/pipe"), 0600), 0);
    assert_int_equal(symlink("pipe", root_tree_join(tree, "docs/to-pipe")), 0);
    make_socket(root_tree_join(tree, "docs/socket"));

    openat2_is_missing = way == WALK;
    assert_int_equal(tenon_root_new(root_tree_join(tree, "docs"), NULL, &tree->root), TENON_OK);
}

static int remove_one(const char *path, const struct stat *info, int type, struct FTW *where)
{
    (void)info, (void)type, (void)where;
    return remove(path);
}

void root_tree_tear_down(struct root_tree *tree)
{
    tenon_root_free(tree->root);
    assert_int_equal(nftw(tree->base, remove_one, DEEPEST, FTW_DEPTH | FTW_PHYS), 0);
}

const char *root_tree_text(int fd)
{
    static char text[100];
    ssize_t     len = read(fd, text, sizeof text - 1);

    text[len > 0 ? len : 0] = '\0';
    return text;
}
