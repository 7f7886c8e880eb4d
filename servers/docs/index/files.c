/* files.c - files that other processes write while they are read.
 *
 * A file that is read is looked at before and after: size, times and inode show whether it stayed the same. Its time of
 * change also shows when another file took its name.
 */
#include "docs/index/files.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <sodium.h>

#define READ_TRIES    4
#define READ_PAUSE_NS 20000000
#define NAME_TRIES    8

static enum docs_file_status status_of(tenon_status status)
{
    switch (status) {
    case TENON_OK: return FILE_OK;
    case TENON_E_NOT_FOUND: return FILE_NOT_FOUND;
    case TENON_E_NOMEM: return FILE_NO_MEMORY;
    case TENON_E_IO: return FILE_FAILED;
    default: return FILE_DENIED;
    }
}

static bool same_moment(const struct timespec *a, const struct timespec *b)
{
    return a->tv_sec == b->tv_sec && a->tv_nsec == b->tv_nsec;
}

static bool same_file(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size &&
           same_moment(&a->st_mtim, &b->st_mtim) && same_moment(&a->st_ctim, &b->st_ctim);
}

void docs_file_free(struct docs_file *file)
{
    free(file->at);
    *file = (struct docs_file){ 0 };
}

/* Reads what fstat() promised and one byte more, which must not be there. */
static enum docs_file_status read_once(int fd, size_t most, struct docs_file *file)
{
    struct stat after;
    size_t      room;

    if (fstat(fd, &file->stat) < 0)
        return FILE_FAILED;
    if (file->stat.st_size < 0 || (uintmax_t)file->stat.st_size > most)
        return FILE_TOO_LARGE;
    room     = (size_t)file->stat.st_size + 1;
    file->at = malloc(room);
    if (!file->at)
        return FILE_NO_MEMORY;
    while (file->len < room) {
        ssize_t n = read(fd, file->at + file->len, room - file->len);

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return FILE_FAILED;
        if (n == 0)
            break;
        file->len += (size_t)n;
    }
    if (fstat(fd, &after) < 0)
        return FILE_FAILED;
    if (file->len + 1 != room || !same_file(&file->stat, &after))
        return FILE_CHANGING;
    file->at[file->len] = '\0';
    return FILE_OK;
}

enum docs_file_status docs_file_read(const tenon_root *root, const char *path, size_t most,
                                     struct docs_file *file)
{
    enum docs_file_status status = FILE_CHANGING;

    for (int i = 0; i < READ_TRIES && status == FILE_CHANGING; i++) {
        int fd, saved;

        if (i > 0)
            nanosleep(&(struct timespec){ .tv_nsec = READ_PAUSE_NS }, NULL);
        *file  = (struct docs_file){ 0 };
        status = status_of(tenon_root_open(root, path, TENON_READ, &fd));
        if (status != FILE_OK)
            return status;
        status = read_once(fd, most, file);
        saved  = errno;
        close(fd);
        if (status != FILE_OK)
            docs_file_free(file);
        errno = saved;
    }
    return status;
}

bool docs_file_is_same(const tenon_root *root, const char *path, const struct docs_file *file)
{
    struct stat now;
    int         fd;
    bool        same;

    if (tenon_root_open(root, path, TENON_READ, &fd) != TENON_OK)
        return false;
    same = fstat(fd, &now) == 0 && same_file(&now, &file->stat);
    close(fd);
    return same;
}

/* ---- Replacing ------------------------------------------------------------------------------------------- */

static bool write_all(int fd, const char *at, size_t len)
{
    while (len > 0) {
        ssize_t n = write(fd, at, len);

        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        at += n;
        len -= (size_t)n;
    }
    return true;
}

/* Only the mode must be kept; giving a file away is for the privileged. */
static bool dress(int fd, const struct stat *as)
{
    struct stat now;

    if (fstat(fd, &now) < 0)
        return false;
    if ((now.st_uid != as->st_uid || now.st_gid != as->st_gid) && fchown(fd, as->st_uid, as->st_gid) < 0 &&
        errno != EPERM)
        return false;
    return fchmod(fd, as->st_mode & 07777) == 0;
}

static int make_beside(int folder, char name[64])
{
    int fd = -1;

    for (int i = 0; i < NAME_TRIES && fd < 0; i++) {
        snprintf(name, 64, ".tenon-%08x%08x.tmp", randombytes_random(), randombytes_random());
        fd = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
        if (fd < 0 && errno != EEXIST)
            break;
    }
    return fd;
}

/* The new file is whole and on the disk before it takes the name of the old one. */
static enum docs_file_status swap(int folder, const char *name, struct docs_file *file, const char *at,
                                  size_t len)
{
    struct stat now;
    char        beside[64];
    int         fd = make_beside(folder, beside);
    bool        done;

    if (fd < 0)
        return errno == EACCES || errno == EPERM || errno == EROFS ? FILE_DENIED : FILE_FAILED;
    done = write_all(fd, at, len) && dress(fd, &file->stat) && fsync(fd) == 0;
    if (done && (fstatat(folder, name, &now, AT_SYMLINK_NOFOLLOW) < 0 || !same_file(&now, &file->stat))) {
        close(fd);
        unlinkat(folder, beside, 0);
        return FILE_CHANGING;
    }
    done = done && renameat(folder, beside, folder, name) == 0;
    if (!done) {
        int saved = errno;

        close(fd);
        unlinkat(folder, beside, 0);
        errno = saved;
        return FILE_FAILED;
    }
    (void)fsync(folder);
    done = fstat(fd, &file->stat) == 0;
    close(fd);
    return done ? FILE_OK : FILE_FAILED;
}

enum docs_file_status docs_file_replace(const tenon_root *root, const char *path, struct docs_file *file,
                                        const char *at, size_t len)
{
    char                  folder[FILE_PATH_MAX];
    const char           *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    struct stat           stat;
    enum docs_file_status status;
    int                   fd;

    if (strlen(path) >= sizeof folder)
        return FILE_DENIED;
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) : 1, slash ? path : ".");
    status = status_of(tenon_root_open(root, folder, TENON_DIRECTORY, &fd));
    if (status != FILE_OK)
        return status;
    if (fstatat(fd, name, &stat, AT_SYMLINK_NOFOLLOW) < 0)
        status = errno == ENOENT ? FILE_NOT_FOUND : FILE_FAILED;
    else
        status = S_ISREG(stat.st_mode) ? swap(fd, name, file, at, len) : FILE_DENIED;
    close(fd);
    return status;
}

/* ---- Paths ----------------------------------------------------------------------------------------------- */

bool path_clean(const char *path, char out[FILE_PATH_MAX])
{
    size_t len = 0;

    if (*path == '/' || *path == '\0')
        return false;
    for (const char *p = path; *p;) {
        size_t n = strcspn(p, "/");

        if (n > 0 && !(n == 1 && *p == '.')) {
            if (*p == '.' || len + n + 2 > FILE_PATH_MAX)
                return false;
            if (len > 0)
                out[len++] = '/';
            memcpy(out + len, p, n);
            len += n;
        }
        p += n + (p[n] == '/');
    }
    out[len] = '\0';
    return len > 0;
}
