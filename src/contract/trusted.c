/* trusted.c - walks to a file step by step, checks each, and reads what it has checked. */
#define _GNU_SOURCE
#include "contract/trusted.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "contract/phrases.h"

#define MISTAKE_MAX 1000
#define STEP_FLAGS  (O_PATH | O_NOFOLLOW | O_CLOEXEC)
#define READ_FLAGS  (O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)

struct walk {
    const char      *path;           /* as it was given */
    struct tn_arena *arena;          /* of the mistake */
    const char      *mistake;        /* or NULL */
    tenon_status     status;         /* of it */
    int              folder;         /* where we are */
    int              links;          /* that were followed */
    char             rest[PATH_MAX]; /* still to be walked */
    char             name[NAME_MAX + 1];
};

TENON_PRINTF(3, 4)
static bool refuse(struct walk *walk, tenon_status status, const char *format, ...)
{
    struct tn_buf text;
    va_list       args;

    tn_buf_init(&text, walk->arena, 0, MISTAKE_MAX);
    va_start(args, format);
    tn_buf_addv(&text, format, args);
    va_end(args);
    walk->mistake = tn_buf_end(&text) ? text.at : SAY_MEMORY;
    walk->status  = status;
    return false;
}

static bool refuse_errno(struct walk *walk, const char *format)
{
    int error = errno;

    return refuse(walk,
                  error == ENOENT || error == ENOTDIR ? TENON_E_NOT_FOUND
                  : error == EACCES || error == EPERM ? TENON_E_DENIED
                                                      : TENON_E_IO,
                  format, strerror(error), walk->path);
}

/* ---- What is met --------------------------------------------------------------------------------------- */

static bool is_ours(const struct stat *about)
{
    return about->st_uid == 0 || about->st_uid == geteuid();
}

static bool is_open_to_others(const struct stat *about)
{
    return (about->st_mode & (S_IWGRP | S_IWOTH)) != 0;
}

static bool check_folder(struct walk *walk, const struct stat *about, const char *name)
{
    if (!is_ours(about))
        return refuse(walk, TENON_E_DENIED, SAY_FOLDER_OWNER, name);
    if (is_open_to_others(about) && !(about->st_mode & S_ISVTX))
        return refuse(walk, TENON_E_DENIED, SAY_FOLDER_OPEN, name);
    return true;
}

static bool check_file(struct walk *walk, const struct stat *about, enum tn_trusted_mode mode, size_t max)
{
    if (!S_ISREG(about->st_mode))
        return refuse(walk, TENON_E_DENIED, SAY_FILE_KIND, walk->path);
    if (!is_ours(about))
        return refuse(walk, TENON_E_DENIED, SAY_FILE_OWNER, walk->path);
    if (mode == TRUSTED_PRIVATE && (about->st_mode & (S_IRWXG | S_IRWXO)) != 0)
        return refuse(walk, TENON_E_DENIED, SAY_FILE_PRIVATE, walk->path);
    if (is_open_to_others(about))
        return refuse(walk, TENON_E_DENIED, SAY_FILE_WRITABLE, walk->path);
    if (about->st_size < 0 || (size_t)about->st_size > max)
        return refuse(walk, TENON_E_LIMIT, SAY_FILE_LARGE, max, walk->path);
    return true;
}

/* ---- The way ------------------------------------------------------------------------------------------- */

static bool enter(struct walk *walk, int folder, const char *name)
{
    struct stat about;

    if (folder < 0)
        return refuse_errno(walk, SAY_FILE_OPEN);
    if (walk->folder >= 0)
        close(walk->folder);
    walk->folder = folder;
    return fstat(folder, &about) == 0 ? check_folder(walk, &about, name) : refuse_errno(walk, SAY_FILE_OPEN);
}

static bool enter_root(struct walk *walk)
{
    return enter(walk, open("/", O_PATH | O_DIRECTORY | O_CLOEXEC), "/");
}

/* `before` and a slash in front of what is still to be walked. */
static bool put_in_front(struct walk *walk, const char *before)
{
    char whole[PATH_MAX];
    int  len = snprintf(whole, sizeof whole, "%s/%s", before, walk->rest);

    if (len < 0 || (size_t)len >= sizeof whole)
        return refuse(walk, TENON_E_LIMIT, SAY_FILE_LONG, walk->path);
    memcpy(walk->rest, whole, (size_t)len + 1);
    return true;
}

/* Takes the next name of the way; false at its end, or when the name is too long. */
static bool take_name(struct walk *walk)
{
    const char *from = walk->rest + strspn(walk->rest, "/");
    size_t      len  = strcspn(from, "/");

    if (len == 0)
        return false;
    if (len >= sizeof walk->name)
        return refuse(walk, TENON_E_LIMIT, SAY_FILE_LONG, walk->path);
    memcpy(walk->name, from, len);
    walk->name[len] = '\0';
    memmove(walk->rest, from + len, strlen(from + len) + 1);
    return true;
}

static bool follow(struct walk *walk, int link, const struct stat *about)
{
    char    target[PATH_MAX];
    ssize_t len;

    if (!is_ours(about))
        return refuse(walk, TENON_E_DENIED, SAY_LINK_OWNER, walk->name);
    if (++walk->links > TRUSTED_LINKS_MAX)
        return refuse(walk, TENON_E_LIMIT, SAY_FILE_LINKS, TRUSTED_LINKS_MAX, walk->path);
    len = readlinkat(link, "", target, sizeof target - 1);
    if (len < 0)
        return refuse_errno(walk, SAY_FILE_OPEN);
    target[len] = '\0';
    return put_in_front(walk, target) && (target[0] != '/' || enter_root(walk));
}

/* Goes on by one name. False at a mistake, and at what is neither link nor folder: *file is then open for
 * reading. */
static bool advance(struct walk *walk, int *file)
{
    struct stat about;
    bool        goes_on = false;
    int         next    = openat(walk->folder, walk->name, STEP_FLAGS);

    if (next < 0 || fstat(next, &about) != 0)
        refuse_errno(walk, SAY_FILE_OPEN);
    else if (S_ISLNK(about.st_mode))
        goes_on = follow(walk, next, &about);
    else if (S_ISDIR(about.st_mode))
        return enter(walk, next, walk->name);
    else if (!S_ISREG(about.st_mode)) /* to open a device may be to act on it */
        refuse(walk, TENON_E_DENIED, SAY_FILE_KIND, walk->path);
    else {
        *file = openat(walk->folder, walk->name, READ_FLAGS);
        if (*file < 0)
            refuse_errno(walk, SAY_FILE_OPEN);
    }
    if (next >= 0)
        close(next);
    return goes_on;
}

/* The handle of the file, or -1 and a mistake. */
static int walk_to(struct walk *walk)
{
    char here[PATH_MAX];
    int  file = -1;

    if (strlen(walk->path) >= sizeof walk->rest) {
        refuse(walk, TENON_E_LIMIT, SAY_FILE_LONG, walk->path);
        return -1;
    }
    memcpy(walk->rest, walk->path, strlen(walk->path) + 1);
    if (walk->path[0] != '/') {
        if (!getcwd(here, sizeof here))
            refuse_errno(walk, SAY_FILE_OPEN);
        else
            put_in_front(walk, here);
    }
    if (!walk->mistake && enter_root(walk))
        while (file < 0 && take_name(walk) && advance(walk, &file))
            continue;
    if (file < 0 && !walk->mistake)
        refuse(walk, TENON_E_DENIED, SAY_FILE_KIND, walk->path);
    if (file >= 0 && walk->rest[strspn(walk->rest, "/")]) { /* a file in the place of a folder */
        close(file);
        errno = ENOTDIR;
        refuse_errno(walk, SAY_FILE_OPEN);
        file = -1;
    }
    return file;
}

static bool read_file(struct walk *walk, int file, size_t max, struct tn_slice *text)
{
    size_t len = 0;
    char  *at  = tn_arena_take(walk->arena, max + 2, 1);

    if (!at)
        return refuse(walk, TENON_E_NOMEM, "%s", SAY_MEMORY);
    for (ssize_t got = 1; got != 0 && len <= max;) {
        got = read(file, at + len, max + 1 - len);
        if (got < 0 && errno != EINTR)
            return refuse_errno(walk, SAY_FILE_READ);
        len += got > 0 ? (size_t)got : 0;
    }
    if (len > max) /* it grew since it was looked at */
        return refuse(walk, TENON_E_LIMIT, SAY_FILE_LARGE, max, walk->path);
    at[len] = '\0';
    *text   = (struct tn_slice){ at, len };
    return true;
}

tenon_status tn_trusted_read(const char *path, enum tn_trusted_mode mode, size_t max, struct tn_arena *arena,
                             struct tn_slice *text, const char **mistake)
{
    struct walk walk = { .path = path, .arena = arena, .folder = -1 };
    int         file = walk_to(&walk);
    struct stat about;

    *text = (struct tn_slice){ "", 0 };
    if (file >= 0) {
        if (fstat(file, &about) != 0)
            refuse_errno(&walk, SAY_FILE_READ);
        else if (check_file(&walk, &about, mode, max))
            read_file(&walk, file, max, text);
        close(file);
    }
    if (walk.folder >= 0)
        close(walk.folder);
    *mistake = walk.mistake;
    return walk.status;
}
