/* root_test.c - nothing outside a root is ever opened: not by "..", by a link, or by a rename in between.
 *
 * Every case runs both ways: through the kernel's openat2, where there is one, and through the walk.
 */
#define _GNU_SOURCE
#include "base/root.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <linux/filter.h>
#include <linux/fs.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/fault.h"
#include "support/openat2.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))
#define OPENS           20000

#define READ      TENON_READ
#define WRITE     TENON_WRITE
#define MAKE      (TENON_WRITE | TENON_CREATE)
#define MAKE_NEW  (TENON_WRITE | TENON_CREATE | TENON_NEW)
#define DIRECTORY TENON_DIRECTORY

enum way { KERNEL, WALK, WAYS };

/* A temporary directory with a root in it, and with things beside the root that nobody may touch. */
struct place {
    char        base[PATH_MAX / 4];
    tenon_root *root;
};

/* ---- The tree -------------------------------------------------------------------------------------------- */

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

static const char *join(const struct place *place, const char *path)
{
    static char joined[PATH_MAX];

    snprintf(joined, sizeof joined, "%s/%s", place->base, path);
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

static void set_up(struct place *place, enum way way)
{
    const char *temporary = getenv("TMPDIR");
    char        path[PATH_MAX], target[PATH_MAX];

    snprintf(place->base, sizeof place->base, "%s/tenon-root-XXXXXX", temporary ? temporary : "/tmp");
    assert_non_null(mkdtemp(place->base));
    for (size_t i = 0; i < COUNT_OF(directories); i++)
        assert_int_equal(mkdir(join(place, directories[i]), 0700), 0);
    for (size_t i = 0; i < COUNT_OF(files); i++)
        write_file(join(place, files[i].path), files[i].text);
    for (size_t i = 0; i < COUNT_OF(links); i++)
        assert_int_equal(symlink(links[i].target, join(place, links[i].path)), 0);

    snprintf(target, sizeof target, "%s/docs/file.txt", place->base);
    assert_int_equal(symlink(target, join(place, "docs/absolute")), 0);
    snprintf(path, sizeof path, "%s/docs/hard", place->base);
    assert_int_equal(link(join(place, "outside/secret.txt"), path), 0);
    assert_int_equal(mkfifo(join(place, "docs/pipe"), 0600), 0);
    assert_int_equal(symlink("pipe", join(place, "docs/to-pipe")), 0);
    make_socket(join(place, "docs/socket"));

    openat2_is_missing = way == WALK;
    assert_int_equal(tenon_root_new(join(place, "docs"), NULL, &place->root), TENON_OK);
}

static int remove_one(const char *path, const struct stat *info, int type, struct FTW *where)
{
    (void)info, (void)type, (void)where;
    return remove(path);
}

#define DEEPEST (ROOT_DEPTH_MAX + 16) /* folders inside each other; musl goes no deeper than it may keep open */

static void tear_down(struct place *place)
{
    tenon_root_free(place->root);
    assert_int_equal(nftw(place->base, remove_one, DEEPEST, FTW_DEPTH | FTW_PHYS), 0);
}

/* ---- What is compared ------------------------------------------------------------------------------------ */

static const char *text_of(int fd)
{
    static char text[100];
    ssize_t     len = read(fd, text, sizeof text - 1);

    text[len > 0 ? len : 0] = '\0';
    return text;
}

static void assert_opens(const struct place *place, const char *path, unsigned how, tenon_status want,
                         const char *text)
{
    int          fd     = -2;
    tenon_status status = tenon_root_open(place->root, path, how, &fd);

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
        assert_string_equal(text_of(fd), text);
    close(fd);
}

static void assert_outside_untouched(const struct place *place)
{
    static const char *const absent[] = { "outside/made.txt", "made.txt", "outside/new.txt",
                                          "docs2/new.txt" };
    static const char *const kept[]   = { "outside/secret.txt", "docs2/secret.txt" };

    for (size_t i = 0; i < COUNT_OF(absent); i++)
        assert_int_not_equal(access(join(place, absent[i]), F_OK), 0);
    for (size_t i = 0; i < COUNT_OF(kept); i++) {
        int fd = open(join(place, kept[i]), O_RDONLY);

        assert_string_equal(text_of(fd), "outside");
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
    for (enum way way = KERNEL; way < WAYS; way++) {
        struct place place;
        int          handles;

        set_up(&place, way);
        handles = count_handles();
        for (size_t i = 0; i < COUNT_OF(cases); i++)
            assert_opens(&place, cases[i].path, cases[i].how, cases[i].want, cases[i].text);
        assert_int_equal(count_handles(), handles);
        assert_outside_untouched(&place);
        tear_down(&place);
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
    for (enum way way = KERNEL; way < WAYS; way++) {
        struct place place;

        set_up(&place, way);
        for (size_t i = 0; i < COUNT_OF(table); i++) {
            char path[PATH_MAX];

            snprintf(path, sizeof path, "%s%s", place.base, table[i].after);
            assert_opens(&place, path, table[i].how, table[i].want, table[i].text);
        }
        assert_outside_untouched(&place);
        tear_down(&place);
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
    for (enum way way = KERNEL; way < WAYS; way++) {
        struct place place;

        set_up(&place, way);
        for (size_t i = 0; i < COUNT_OF(table); i++)
            assert_opens(&place, repeat(table[i].piece, table[i].count, table[i].end), READ, table[i].want,
                         NULL);
        tear_down(&place);
    }
}

static void walks_only_so_deep(void **state)
{
    struct place place;

    (void)state;
    set_up(&place, WALK);
    for (size_t depth = 1; depth <= ROOT_DEPTH_MAX + 1; depth++) {
        char path[5 * PATH_MAX];

        snprintf(path, sizeof path, "%s/docs/%s", place.base, repeat("d/", depth, ""));
        assert_int_equal(mkdir(path, 0700), 0);
    }
    assert_opens(&place, repeat("d/", ROOT_DEPTH_MAX, "new.txt"), MAKE, TENON_OK, NULL);
    assert_opens(&place, repeat("d/", ROOT_DEPTH_MAX + 1, "new.txt"), MAKE, TENON_E_LIMIT, NULL);
    tear_down(&place);
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
    for (enum way way = KERNEL; way < WAYS; way++) {
        struct place place;

        set_up(&place, way);
        for (size_t i = 0; i < COUNT_OF(table); i++) {
            size_t len = strlen(table[i].write);
            int    fd;

            assert_int_equal(tenon_root_open(place.root, "to-file", table[i].how, &fd), TENON_OK);
            assert_int_equal(write(fd, table[i].write, len), len);
            close(fd);
            assert_opens(&place, "file.txt", READ, TENON_OK, table[i].want);
        }
        tear_down(&place);
    }
}

static void new_files_are_private(void **state)
{
    mode_t mask = umask(0);

    (void)state;
    for (enum way way = KERNEL; way < WAYS; way++) {
        struct place place;
        struct stat  info;

        set_up(&place, way);
        assert_opens(&place, "new.txt", MAKE, TENON_OK, NULL);
        assert_int_equal(stat(join(&place, "docs/new.txt"), &info), 0);
        assert_int_equal(info.st_mode & 07777, 0600);
        tear_down(&place);
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
    for (enum way way = KERNEL; way < WAYS; way++) {
        struct place place;

        set_up(&place, way);
        assert_int_equal(chmod(join(&place, "docs/a"), 0), 0);
        assert_int_equal(chmod(join(&place, "docs/file.txt"), 0), 0);
        assert_opens(&place, "a/b/deep.txt", READ, TENON_E_DENIED, NULL);
        assert_opens(&place, "a", DIRECTORY, TENON_E_DENIED, NULL);
        assert_opens(&place, "a/new.txt", MAKE, TENON_E_DENIED, NULL);
        assert_opens(&place, "file.txt", READ, TENON_E_DENIED, NULL);
        assert_int_equal(chmod(join(&place, "docs/a"), 0700), 0);
        tear_down(&place);
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
static int open_under_filter(const struct place *place, int error)
{
    tenon_root *roots[2] = { place->root, NULL }; /* made before the filter, and under it */
    int         fd;

    if (!refuse_openat2(error))
        return 2;
    if (syscall(SYS_openat2, -1, "", NULL, (size_t)0) != -1 || errno != error)
        return 2;
    if (tenon_root_new(tenon_root_path(place->root), NULL, &roots[1]) != TENON_OK)
        return 3;
    for (size_t i = 0; i < COUNT_OF(roots); i++) {
        if (tenon_root_open(roots[i], "chain", READ, &fd) != TENON_OK || strcmp(text_of(fd), "inside") != 0)
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
        struct place place;
        int          status = -1;
        pid_t        child;

        set_up(&place, KERNEL);
        child = fork();
        if (child == 0)
            _exit(open_under_filter(&place, errors[i]));
        assert_int_equal(waitpid(child, &status, 0), child);
        tear_down(&place);
        assert_true(WIFEXITED(status));
        if (WEXITSTATUS(status) == 2) {
            print_message("skipped: system calls cannot be filtered here\n");
            skip();
        }
        assert_int_equal(WEXITSTATUS(status), 0);
    }
}
#endif

/* ---- Races ----------------------------------------------------------------------------------------------- */

struct swapper {
    const char  *from, *to; /* which change places, in the temporary directory `dir` */
    int          dir;
    atomic_bool  stop;
    atomic_ulong swaps;
};

static void *swap_until_told(void *user)
{
    struct swapper *swapper = user;

    while (!atomic_load(&swapper->stop)) {
        if (syscall(SYS_renameat2, swapper->dir, swapper->from, swapper->dir, swapper->to, RENAME_EXCHANGE) ==
            0)
            atomic_fetch_add(&swapper->swaps, 1);
        sched_yield(); /* valgrind runs one thread at a time, and would go on with this one */
    }
    return NULL;
}

/* A directory and a link that leads out, and a directory inside and one outside, change places all the time. */
static void no_rename_in_between_leads_outside(void **state)
{
    static const struct {
        const char *from, *to, *path;
        unsigned    how;
    } table[] = {
        { "docs/swap", "docs/swap-link", "swap/secret.txt", READ },
        { "docs/swap", "docs/swap-link", "swap/new.txt", MAKE },
        { "docs/swap", "docs/swap-link", "a/../swap/../swap/secret.txt", READ },
        { "docs/a/b", "outside", "a/b/../../../outside/secret.txt", READ },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(table); i++)
        for (enum way way = KERNEL; way < WAYS; way++) {
            struct place   place;
            struct swapper swapper = { .from = table[i].from, .to = table[i].to };
            unsigned long  opened = 0, denied = 0;
            pthread_t      thread;

            set_up(&place, way);
            swapper.dir = open(place.base, O_RDONLY | O_DIRECTORY);
            assert_int_equal(pthread_create(&thread, NULL, swap_until_told, &swapper), 0);
            for (int n = 0; n < OPENS; n++) {
                int fd;

                if (tenon_root_open(place.root, table[i].path, table[i].how, &fd) != TENON_OK) {
                    denied++;
                    continue;
                }
                opened++;
                if (table[i].how == READ)
                    assert_string_equal(text_of(fd), "inside");
                close(fd);
            }
            atomic_store(&swapper.stop, true);
            pthread_join(thread, NULL);
            close(swapper.dir);
            print_message("%-30s opened %lu, denied %lu, swapped %lu\n", table[i].path, opened, denied,
                          atomic_load(&swapper.swaps));
            assert_int_not_equal(access(join(&place, "outside/new.txt"), F_OK), 0);
            tear_down(&place);
        }
}

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
    struct place place;

    (void)state;
    set_up(&place, KERNEL);
    for (size_t i = 0; i < COUNT_OF(table); i++) {
        tenon_root *root = place.root;

        assert_int_equal(tenon_root_new(join(&place, table[i].path), NULL, &root), table[i].want);
        assert_int_equal(root != NULL, table[i].want == TENON_OK);
        if (root)
            assert_string_equal(tenon_root_path(root), join(&place, table[i].path));
        tenon_root_free(root);
    }
    assert_int_equal(tenon_root_new("", NULL, &(tenon_root *){ NULL }), TENON_E_NOT_FOUND);
    assert_int_equal(tenon_root_new(repeat("/", ROOT_PATH_MAX, ""), NULL, &(tenon_root *){ NULL }),
                     TENON_E_LIMIT);
    tear_down(&place);
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
    for (enum way way = KERNEL; way < WAYS; way++)
        for (size_t i = 0; i < COUNT_OF(table); i++) {
            struct place place = { 0 };

            openat2_is_missing = way == WALK;
            assert_int_equal(tenon_root_new(table[i].root, NULL, &place.root), TENON_OK);
            assert_opens(&place, table[i].path, table[i].how, table[i].want, NULL);
            tenon_root_free(place.root);
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
        cmocka_unit_test(no_rename_in_between_leads_outside),
        cmocka_unit_test(opens_roots),
        cmocka_unit_test(keeps_to_any_root),
        cmocka_unit_test(uses_the_memory_it_was_given),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
