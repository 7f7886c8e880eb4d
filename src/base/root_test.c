/* root_test.c - nothing outside a root is ever opened: not by ".." and not by a link.
 *
 * Every case runs both ways: through the kernel's openat2, where there is one, and through the walk.
 */
#define _GNU_SOURCE
#include "base/root.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/fault.h"
#include "support/openat2.h"
#include "support/root_tree.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

#define READ      TENON_READ
#define WRITE     TENON_WRITE
#define MAKE      (TENON_WRITE | TENON_CREATE)
#define MAKE_NEW  (TENON_WRITE | TENON_CREATE | TENON_NEW)
#define DIRECTORY TENON_DIRECTORY

/* ---- What is compared ------------------------------------------------------------------------------------ */

static void assert_opens(const struct root_tree *tree, const char *path, unsigned how, tenon_status want,
                         const char *text)
{
    int          fd     = -2;
    tenon_status status = tenon_root_open(tree->root, path, how, &fd);

    if (status != want)
        print_error("%.100s: %s, not %s\n", path, tenon_status_text(status), tenon_status_text(want));
    assert_int_equal(status, want);
    assert_int_equal(fd >= 0, want == TENON_OK);
    if (fd < 0) {
        assert_int_equal(fd, -1);
        return;
    }
    assert_true(fcntl(fd, F_GETFD) & FD_CLOEXEC);
    if (text)
        assert_string_equal(root_tree_text(fd), text);
    close(fd);
}

static void assert_outside_untouched(const struct root_tree *tree)
{
    static const char *const absent[] = { "outside/made.txt", "made.txt", "outside/new.txt",
                                          "docs2/new.txt" };
    static const char *const kept[]   = { "outside/secret.txt", "docs2/secret.txt" };

    for (size_t i = 0; i < COUNT_OF(absent); i++)
        assert_int_not_equal(access(root_tree_join(tree, absent[i]), F_OK), 0);
    for (size_t i = 0; i < COUNT_OF(kept); i++) {
        int fd = open(root_tree_join(tree, kept[i]), O_RDONLY);

        assert_string_equal(root_tree_text(fd), "outside");
        close(fd);
    }
}

static int count_handles(void)
{
    int count = 0;

    for (int fd = 0; fd < 1024; fd++)
        count += fcntl(fd, F_GETFD) >= 0;
    return count;
}

/* ---- Cases ----------------------------------------------------------------------------------------------- */

static const struct open_case {
    const char  *path;
    unsigned     how;
    tenon_status want;
    const char  *text;
} cases[] = {
    /* names that must work */
    { "file.txt", READ, TENON_OK, "inside" },
    { "a/b/deep.txt", READ, TENON_OK, "deep" },
    { "v1..v2.md", READ, TENON_OK, "dots" },
    { "...md", READ, TENON_OK, "more dots" },
    { "..hidden", READ, TENON_OK, "hidden" },
    { "two words.txt", READ, TENON_OK, "words" },
    { "\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80", READ, TENON_OK, "unicode" },
    { "-rf", READ, TENON_OK, "dash" },
    { "back\\slash", READ, TENON_OK, "back" },
    { "line\nend", READ, TENON_OK, "line" },
    { "hard", READ, TENON_OK, "outside" }, /* a hard link is the file itself */
    { "./file.txt", READ, TENON_OK, "inside" },
    { ".//.//file.txt", READ, TENON_OK, "inside" },
    { "a//b///deep.txt", READ, TENON_OK, "deep" },

    /* dots that stay inside, and that do not */
    { "a/../file.txt", READ, TENON_OK, "inside" },
    { "a/b/../../file.txt", READ, TENON_OK, "inside" },
    { "a/./b/.././../file.txt", READ, TENON_OK, "inside" },
    { "a/..", DIRECTORY, TENON_OK, NULL },
    { "a/b/..", DIRECTORY, TENON_OK, NULL },
    { "..", DIRECTORY, TENON_E_DENIED, NULL },
    { "../", DIRECTORY, TENON_E_DENIED, NULL },
    { "../docs/file.txt", READ, TENON_E_DENIED, NULL },
    { "../outside/secret.txt", READ, TENON_E_DENIED, NULL },
    { "a/../../outside/secret.txt", READ, TENON_E_DENIED, NULL },
    { "a/b/../../../outside/secret.txt", READ, TENON_E_DENIED, NULL },
    { "./../outside/secret.txt", READ, TENON_E_DENIED, NULL },
    { "a/../../../../../../../../etc/passwd", READ, TENON_E_DENIED, NULL },
    { "../outside/new.txt", MAKE, TENON_E_DENIED, NULL },
    { "missing/../file.txt", READ, TENON_E_NOT_FOUND, NULL },
    { "file.txt/../file.txt", READ, TENON_E_NOT_FOUND, NULL },

    /* absolute paths elsewhere */
    { "/", DIRECTORY, TENON_E_DENIED, NULL },
    { "/etc/passwd", READ, TENON_E_DENIED, NULL },
    { "//etc/passwd", READ, TENON_E_DENIED, NULL },
    { "/proc/self/root/etc/passwd", READ, TENON_E_DENIED, NULL },

    /* links */
    { "to-file", READ, TENON_OK, "inside" },
    { "to-deep", READ, TENON_OK, "deep" },
    { "to-dir/deep.txt", READ, TENON_OK, "deep" },
    { "to-dir", DIRECTORY, TENON_OK, NULL },
    { "to-dir/", DIRECTORY, TENON_OK, NULL },
    { "to-dir/../b/deep.txt", READ, TENON_OK, "deep" },
    { "to-dir/../../file.txt", READ, TENON_OK, "inside" },
    { "to-dir/../../../outside/secret.txt", READ, TENON_E_DENIED, NULL },
    { "to-slash/deep.txt", READ, TENON_OK, "deep" },
    { "to-slash", DIRECTORY, TENON_OK, NULL },
    { "a/up", READ, TENON_OK, "inside" },
    { "chain", READ, TENON_OK, "inside" },
    { "to-file/", READ, TENON_E_NOT_FOUND, NULL },
    { "dangling", READ, TENON_E_NOT_FOUND, NULL },
    { "loop", READ, TENON_E_DENIED, NULL },
    { "ping/x", READ, TENON_E_DENIED, NULL },
    { "out-file", READ, TENON_E_DENIED, NULL },
    { "out-file", WRITE, TENON_E_DENIED, NULL },
    { "out-file", MAKE | TENON_TRUNCATE, TENON_E_DENIED, NULL },
    { "out-dir", DIRECTORY, TENON_E_DENIED, NULL },
    { "out-dir/secret.txt", READ, TENON_E_DENIED, NULL },
    { "out-dir/new.txt", MAKE, TENON_E_DENIED, NULL },
    { "out-dir/../docs/file.txt", READ, TENON_E_DENIED, NULL },
    { "out-etc", READ, TENON_E_DENIED, NULL },
    { "out-root/etc/passwd", READ, TENON_E_DENIED, NULL },
    { "out-chain", READ, TENON_E_DENIED, NULL },
    { "out-dots", READ, TENON_E_DENIED, NULL },
    { "back-in", READ, TENON_E_DENIED, NULL },
    { "absolute", READ, TENON_E_DENIED, NULL },
    { "out-dangling", MAKE, TENON_E_DENIED, NULL },
    { "out-dangling", MAKE_NEW, TENON_E_EXISTS, NULL },
    { "a/../out-dangling", MAKE, TENON_E_DENIED, NULL },

    /* new files */
    { "new.txt", READ, TENON_E_NOT_FOUND, NULL },
    { "new.txt", WRITE, TENON_E_NOT_FOUND, NULL },
    { "new.txt", MAKE_NEW, TENON_OK, NULL },
    { "new.txt", MAKE_NEW, TENON_E_EXISTS, NULL },
    { "new.txt", MAKE, TENON_OK, NULL },
    { "new.txt", READ, TENON_OK, "" },
    { "a/b/../new.txt", MAKE, TENON_OK, NULL },
    { "a/new.txt", READ, TENON_OK, "" },
    { "missing/new.txt", MAKE, TENON_E_NOT_FOUND, NULL },
    { "file.txt/new.txt", MAKE, TENON_E_NOT_FOUND, NULL },
    { "folder/", MAKE, TENON_E_DENIED, NULL },
    { "to-file", MAKE_NEW, TENON_E_EXISTS, NULL },
    { "dangling", MAKE_NEW, TENON_E_EXISTS, NULL },
    { "a/made.txt", READ, TENON_E_NOT_FOUND, NULL },
    { "dangling", MAKE, TENON_OK, NULL },
    { "a/made.txt", READ, TENON_OK, "" },

    /* neither files nor directories */
    { "pipe", READ, TENON_E_DENIED, NULL },
    { "pipe", WRITE, TENON_E_DENIED, NULL },
    { "pipe", READ | WRITE, TENON_E_DENIED, NULL },
    { "pipe", MAKE | TENON_TRUNCATE, TENON_E_DENIED, NULL },
    { "to-pipe", READ, TENON_E_DENIED, NULL },
    { "socket", READ, TENON_E_DENIED, NULL },
    { "pipe", DIRECTORY, TENON_E_NOT_FOUND, NULL },

    /* directories where files are wanted, and the reverse */
    { ".", DIRECTORY, TENON_OK, NULL },
    { ".", DIRECTORY | READ, TENON_OK, NULL },
    { "a", DIRECTORY, TENON_OK, NULL },
    { "a/", DIRECTORY, TENON_OK, NULL },
    { ".", READ, TENON_E_DENIED, NULL },
    { ".", WRITE, TENON_E_DENIED, NULL },
    { ".", MAKE, TENON_E_DENIED, NULL },
    { "a", READ, TENON_E_DENIED, NULL },
    { "a", MAKE, TENON_E_DENIED, NULL },
    { "a/", READ, TENON_E_DENIED, NULL },
    { "to-dir", READ, TENON_E_DENIED, NULL },
    { "file.txt", DIRECTORY, TENON_E_NOT_FOUND, NULL },
    { "file.txt/", READ, TENON_E_NOT_FOUND, NULL },
    { "file.txt/x", READ, TENON_E_NOT_FOUND, NULL },
    { "missing", DIRECTORY, TENON_E_NOT_FOUND, NULL },
    { "", READ, TENON_E_NOT_FOUND, NULL },
    { "", DIRECTORY, TENON_E_NOT_FOUND, NULL },

    /* ways of opening that make no sense */
    { "file.txt", 0, TENON_E_DENIED, NULL },
    { "file.txt", 64, TENON_E_DENIED, NULL },
    { "file.txt", READ | 1u << 31, TENON_E_DENIED, NULL },
    { "file.txt", TENON_CREATE, TENON_E_DENIED, NULL },
    { "file.txt", WRITE | TENON_NEW, TENON_E_DENIED, NULL },
    { "file.txt", READ | TENON_TRUNCATE, TENON_E_DENIED, NULL },
    { "a", DIRECTORY | WRITE, TENON_E_DENIED, NULL },
    { "a", DIRECTORY | TENON_CREATE, TENON_E_DENIED, NULL },

    /* nothing above changed it */
    { "file.txt", READ, TENON_OK, "inside" },
};

static void opens_beneath_and_nowhere_else(void **state)
{
    (void)state;
    for (enum root_way way = KERNEL; way < WAYS; way++) {
        struct root_tree tree;
        int              handles;

        root_tree_set_up(&tree, way);
        handles = count_handles();
        for (size_t i = 0; i < COUNT_OF(cases); i++)
            assert_opens(&tree, cases[i].path, cases[i].how, cases[i].want, cases[i].text);
        assert_int_equal(count_handles(), handles);
        assert_outside_untouched(&tree);
        root_tree_tear_down(&tree);
    }
}

static void takes_absolute_paths_of_its_own(void **state)
{
    static const struct {
        const char  *after; /* the temporary directory */
        unsigned     how;
        tenon_status want;
        const char  *text;
    } table[] = {
        { "/docs/file.txt", READ, TENON_OK, "inside" },
        { "/docs//a/b/deep.txt", READ, TENON_OK, "deep" },
        { "/docs/a/../file.txt", READ, TENON_OK, "inside" },
        { "/docs", DIRECTORY, TENON_OK, NULL },
        { "/docs/", DIRECTORY, TENON_OK, NULL },
        { "/docs", READ, TENON_E_DENIED, NULL },
        { "/docs/new.txt", MAKE, TENON_OK, NULL },
        { "/docs2/secret.txt", READ, TENON_E_DENIED, NULL }, /* a sibling with the same beginning */
        { "/docs2/new.txt", MAKE, TENON_E_DENIED, NULL },
        { "/docs2", DIRECTORY, TENON_E_DENIED, NULL },
        { "/doc", DIRECTORY, TENON_E_DENIED, NULL },
        { "/docs/../docs2/secret.txt", READ, TENON_E_DENIED, NULL },
        { "/docs/../docs/file.txt", READ, TENON_E_DENIED, NULL },
        { "/docs//etc/passwd", READ, TENON_E_NOT_FOUND, NULL },
        { "/docs/out-file", READ, TENON_E_DENIED, NULL },
        { "/outside/secret.txt", READ, TENON_E_DENIED, NULL },
        { "", DIRECTORY, TENON_E_DENIED, NULL },
    };

    (void)state;
    for (enum root_way way = KERNEL; way < WAYS; way++) {
        struct root_tree tree;

        root_tree_set_up(&tree, way);
        for (size_t i = 0; i < COUNT_OF(table); i++) {
            char path[PATH_MAX];

            snprintf(path, sizeof path, "%s%s", tree.base, table[i].after);
            assert_opens(&tree, path, table[i].how, table[i].want, table[i].text);
        }
        assert_outside_untouched(&tree);
        root_tree_tear_down(&tree);
    }
}

/* `count` times `piece`, then `end`. */
static char *repeat(const char *piece, size_t count, const char *end)
{
    static char text[4 * ROOT_PATH_MAX];
    size_t      len = strlen(piece);

    assert_true(len * count + strlen(end) < sizeof text);
    for (size_t i = 0; i < count; i++)
        memcpy(text + i * len, piece, len);
    strcpy(text + len * count, end);
    return text;
}

static void bounds_paths(void **state)
{
    static const struct {
        const char  *piece;
        size_t       count;
        const char  *end;
        tenon_status want;
    } table[] = {
        { "x", NAME_MAX, "", TENON_E_NOT_FOUND },
        { "x", NAME_MAX + 1, "", TENON_E_LIMIT },
        { "x", NAME_MAX + 1, "/..", TENON_E_LIMIT },
        { "./", 2000, "file.txt", TENON_OK },
        { "./", ROOT_PATH_MAX / 2, "file.txt", TENON_E_LIMIT },
        { "a/../", 800, "file.txt", TENON_OK },
        { "a/b/../../", 400, "file.txt", TENON_OK },
        { "../", 1000, "etc/passwd", TENON_E_DENIED },
        { "../", ROOT_PATH_MAX, "etc/passwd", TENON_E_LIMIT },
        { "to-dir/../../", 10, "file.txt", TENON_OK },
        { "to-dir/../../", 40, "file.txt", TENON_OK },
        { "to-dir/../../", 41, "file.txt", TENON_E_DENIED }, /* as many links as the kernel follows */
    };

    (void)state;
    for (enum root_way way = KERNEL; way < WAYS; way++) {
        struct root_tree tree;

        root_tree_set_up(&tree, way);
        for (size_t i = 0; i < COUNT_OF(table); i++)
            assert_opens(&tree, repeat(table[i].piece, table[i].count, table[i].end), READ, table[i].want,
                         NULL);
        root_tree_tear_down(&tree);
    }
}

static void walks_only_so_deep(void **state)
{
    struct root_tree tree;

    (void)state;
    root_tree_set_up(&tree, WALK);
    for (size_t depth = 1; depth <= ROOT_DEPTH_MAX + 1; depth++) {
        char path[5 * PATH_MAX];

        snprintf(path, sizeof path, "%s/docs/%s", tree.base, repeat("d/", depth, ""));
        assert_int_equal(mkdir(path, 0700), 0);
    }
    assert_opens(&tree, repeat("d/", ROOT_DEPTH_MAX, "new.txt"), MAKE, TENON_OK, NULL);
    assert_opens(&tree, repeat("d/", ROOT_DEPTH_MAX + 1, "new.txt"), MAKE, TENON_E_LIMIT, NULL);
    root_tree_tear_down(&tree);
}

static void keeps_or_empties_what_is_there(void **state)
{
    static const struct {
        unsigned    how;
        const char *write, *want;
    } table[] = {
        { WRITE, "IN", "INside" },
        { MAKE, "in", "inside" },
        { READ | WRITE | TENON_CREATE, "IN", "INside" },
        { WRITE | TENON_TRUNCATE, "new", "new" },
        { MAKE | TENON_TRUNCATE, "", "" },
    };

    (void)state;
    for (enum root_way way = KERNEL; way < WAYS; way++) {
        struct root_tree tree;

        root_tree_set_up(&tree, way);
        for (size_t i = 0; i < COUNT_OF(table); i++) {
            size_t len = strlen(table[i].write);
            int    fd;

            assert_int_equal(tenon_root_open(tree.root, "to-file", table[i].how, &fd), TENON_OK);
            assert_int_equal(write(fd, table[i].write, len), len);
            close(fd);
            assert_opens(&tree, "file.txt", READ, TENON_OK, table[i].want);
        }
        root_tree_tear_down(&tree);
    }
}

static void new_files_are_private(void **state)
{
    mode_t mask = umask(0);

    (void)state;
    for (enum root_way way = KERNEL; way < WAYS; way++) {
        struct root_tree tree;
        struct stat      info;

        root_tree_set_up(&tree, way);
        assert_opens(&tree, "new.txt", MAKE, TENON_OK, NULL);
        assert_int_equal(stat(root_tree_join(&tree, "docs/new.txt"), &info), 0);
        assert_int_equal(info.st_mode & 07777, 0600);
        root_tree_tear_down(&tree);
    }
    umask(mask);
}

static void unreadable_is_denied(void **state)
{
    (void)state;
    if (geteuid() == 0) {
        print_message("skipped: to the superuser every directory is readable\n");
        skip();
    }
    for (enum root_way way = KERNEL; way < WAYS; way++) {
        struct root_tree tree;

        root_tree_set_up(&tree, way);
        assert_int_equal(chmod(root_tree_join(&tree, "docs/a"), 0), 0);
        assert_int_equal(chmod(root_tree_join(&tree, "docs/file.txt"), 0), 0);
        assert_opens(&tree, "a/b/deep.txt", READ, TENON_E_DENIED, NULL);
        assert_opens(&tree, "a", DIRECTORY, TENON_E_DENIED, NULL);
        assert_opens(&tree, "a/new.txt", MAKE, TENON_E_DENIED, NULL);
        assert_opens(&tree, "file.txt", READ, TENON_E_DENIED, NULL);
        assert_int_equal(chmod(root_tree_join(&tree, "docs/a"), 0700), 0);
        root_tree_tear_down(&tree);
    }
}

#ifdef SYS_openat2
/* From now on openat2 fails with `error`, as it does under a filter that does not know it. */
static bool refuse_openat2(int error)
{
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat2, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (unsigned)error),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog filter = { COUNT_OF(code), code };

    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

/* Runs in a child, whose exit status says what went wrong: 0 nothing, 2 that there are no filters here. */
static int open_under_filter(const struct root_tree *tree, int error)
{
    tenon_root *roots[2] = { tree->root, NULL }; /* made before the filter, and under it */
    int         fd;

    if (!refuse_openat2(error))
        return 2;
    if (syscall(SYS_openat2, -1, "", NULL, (size_t)0) != -1 || errno != error)
        return 2;
    if (tenon_root_new(tenon_root_path(tree->root), NULL, &roots[1]) != TENON_OK)
        return 3;
    for (size_t i = 0; i < COUNT_OF(roots); i++) {
        if (tenon_root_open(roots[i], "chain", READ, &fd) != TENON_OK ||
            strcmp(root_tree_text(fd), "inside") != 0)
            return 4;
        if (tenon_root_open(roots[i], "out-file", READ, &fd) != TENON_E_DENIED)
            return 5;
    }
    tenon_root_free(roots[1]);
    return 0;
}

static void walks_where_openat2_is_missing(void **state)
{
    static const int errors[] = { ENOSYS, EPERM };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(errors); i++) {
        struct root_tree tree;
        int              status = -1;
        pid_t            child;

        root_tree_set_up(&tree, KERNEL);
        child = fork();
        if (child == 0)
            _exit(open_under_filter(&tree, errors[i]));
        assert_int_equal(waitpid(child, &status, 0), child);
        root_tree_tear_down(&tree);
        assert_true(WIFEXITED(status));
        if (WEXITSTATUS(status) == 2) {
            print_message("skipped: system calls cannot be filtered here\n");
            skip();
        }
        assert_int_equal(WEXITSTATUS(status), 0);
    }
}
#endif

/* ---- Roots themselves ------------------------------------------------------------------------------------ */

static void opens_roots(void **state)
{
    static const struct {
        const char  *path;
        tenon_status want;
    } table[] = {
        { "docs", TENON_OK },
        { "docs/", TENON_OK },
        { "docs/out-dir", TENON_OK }, /* the program's own choice */
        { "missing", TENON_E_NOT_FOUND },
        { "docs/file.txt", TENON_E_NOT_FOUND },
        { "docs/loop", TENON_E_DENIED },
    };
    struct root_tree tree;

    (void)state;
    root_tree_set_up(&tree, KERNEL);
    for (size_t i = 0; i < COUNT_OF(table); i++) {
        tenon_root *root = tree.root;

        assert_int_equal(tenon_root_new(root_tree_join(&tree, table[i].path), NULL, &root), table[i].want);
        assert_int_equal(root != NULL, table[i].want == TENON_OK);
        if (root)
            assert_string_equal(tenon_root_path(root), root_tree_join(&tree, table[i].path));
        tenon_root_free(root);
    }
    assert_int_equal(tenon_root_new("", NULL, &(tenon_root *){ NULL }), TENON_E_NOT_FOUND);
    assert_int_equal(tenon_root_new(repeat("/", ROOT_PATH_MAX, ""), NULL, &(tenon_root *){ NULL }),
                     TENON_E_LIMIT);
    root_tree_tear_down(&tree);
}

static void keeps_to_any_root(void **state)
{
    static const struct {
        const char  *root, *path;
        unsigned     how;
        tenon_status want;
    } table[] = {
        { "/", "/etc/passwd", READ, TENON_OK },
        { "/", "etc/passwd", READ, TENON_OK },
        { "/", "/../etc/passwd", READ, TENON_E_DENIED },
        { "/etc/", "/etc/passwd", READ, TENON_OK },
        { "/etc//", "/etc", READ, TENON_E_DENIED },
        { ".", "/etc/passwd", READ, TENON_E_DENIED },
        { ".", "./no-such-file", READ, TENON_E_NOT_FOUND },
        { "/dev", "null", READ, TENON_E_DENIED },
        { "/dev", "/dev/zero", READ | WRITE, TENON_E_DENIED },
        { "/proc/self", "status", READ, TENON_OK },
        { "/proc/self", "root/etc/passwd", READ,
          TENON_E_DENIED }, /* leads anywhere, whatever its text says */
        { "/proc/self", "cwd", DIRECTORY, TENON_E_DENIED },
        { "/proc/self", "exe", READ, TENON_E_DENIED },
    };

    (void)state;
    for (enum root_way way = KERNEL; way < WAYS; way++)
        for (size_t i = 0; i < COUNT_OF(table); i++) {
            struct root_tree tree = { 0 };

            openat2_is_missing = way == WALK;
            assert_int_equal(tenon_root_new(table[i].root, NULL, &tree.root), TENON_OK);
            assert_opens(&tree, table[i].path, table[i].how, table[i].want, NULL);
            tenon_root_free(tree.root);
        }
}

static void uses_the_memory_it_was_given(void **state)
{
    (void)state;
    for (size_t refuse_at = 0; refuse_at < 2; refuse_at++) {
        struct tn_fault fault   = { .refuse_at = refuse_at };
        tenon_allocator memory  = tn_fault_allocator(&fault);
        int             handles = count_handles();
        tenon_root     *root;

        assert_int_equal(tenon_root_new("/", &memory, &root), refuse_at ? TENON_E_NOMEM : TENON_OK);
        assert_int_equal(fault.blocks, refuse_at ? 0 : 1);
        tenon_root_free(root);
        assert_int_equal(fault.blocks, 0);
        assert_int_equal(fault.bytes, 0);
        assert_int_equal(count_handles(), handles);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(opens_beneath_and_nowhere_else),
        cmocka_unit_test(takes_absolute_paths_of_its_own),
        cmocka_unit_test(bounds_paths),
        cmocka_unit_test(walks_only_so_deep),
        cmocka_unit_test(keeps_or_empties_what_is_there),
        cmocka_unit_test(new_files_are_private),
        cmocka_unit_test(unreadable_is_denied),
#ifdef SYS_openat2
        cmocka_unit_test(walks_where_openat2_is_missing),
#endif
        cmocka_unit_test(opens_roots),
        cmocka_unit_test(keeps_to_any_root),
        cmocka_unit_test(uses_the_memory_it_was_given),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
