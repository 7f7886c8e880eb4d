/* root.c - opens files beneath a directory's handle, and nowhere else.
 *
 * The kernel resolves the path itself where it can (os_beneath.c). Where it cannot, the path is walked here by the same
 * rules: every directory on the way is opened without following a link and stays open, ".." goes back to the handle that we came from and never
 * above the root, and the text of a relative link takes the place of its name. Neither way looks anything up twice,
 * so there is no moment between a check and its use.
 */
#define _GNU_SOURCE
#include "base/root.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/os.h"

#ifndef O_PATH
#define O_PATH O_RDONLY /* asks for more than is needed: a directory must then be readable to be passed */
#endif

#define NEW_FILE_MODE 0600
#define HOW_END       (2u * TENON_DIRECTORY)
#define STEP_FLAGS    (O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)

struct tenon_root {
    tenon_allocator memory;
    int             fd;
    bool            walk_only;
    size_t          path_len;
    size_t          prefix_len; /* of the path, without the slashes at its end */
    char            path[];
};

/* A way through the tree. */
struct root_walk {
    int    dirs[ROOT_DEPTH_MAX + 1]; /* the root's own handle first; the last is where we are */
    size_t depth;
    int    links;
    char   rest[ROOT_PATH_MAX]; /* what is still to be walked begins at `next` */
    char  *next;
};

static tenon_status root_status_of(int error)
{
    switch (error) {
    case ENOENT:
    case ENOTDIR: return TENON_E_NOT_FOUND; /* a file where a directory was named holds nothing */
    case EEXIST: return TENON_E_EXISTS;
    case ENAMETOOLONG: return TENON_E_LIMIT;
    case ELOOP:  /* a link that leads nowhere */
    case EXDEV:  /* a way out of the root */
    case EACCES: /* not ours to open */
    case EPERM:
    case EISDIR: /* not a regular file */
    case ENXIO:
    case ENODEV: return TENON_E_DENIED;
    default: return TENON_E_IO;
    }
}

static void close_quietly(int fd)
{
    int saved = errno;

    close(fd);
    errno = saved;
}

/* ---- The kernel's way ------------------------------------------------------------------------------------ */

static bool can_open_beneath(int dir)
{
    int fd = tn_os_open_beneath(dir, ".", O_PATH | O_DIRECTORY | O_CLOEXEC, 0);

    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

/* ---- The walk -------------------------------------------------------------------------------------------- */

static int fail_with(int error)
{
    errno = error;
    return -1;
}

/* The next name of the way, without the slashes before it; empty at the end. */
static int root_take_name(struct root_walk *walk, char name[NAME_MAX + 1])
{
    size_t len;

    walk->next += strspn(walk->next, "/");
    len = strcspn(walk->next, "/");
    if (len > NAME_MAX)
        return fail_with(ENAMETOOLONG);
    memcpy(name, walk->next, len);
    name[len] = '\0';
    walk->next += len;
    return 0;
}

static int step_into(struct root_walk *walk, const char *name)
{
    int dir;

    if (walk->depth == ROOT_DEPTH_MAX)
        return fail_with(ENAMETOOLONG);
    dir = openat(walk->dirs[walk->depth], name, STEP_FLAGS);
    if (dir < 0)
        return -1;
    walk->dirs[++walk->depth] = dir;
    return 0;
}

static int step_back(struct root_walk *walk)
{
    if (walk->depth == 0)
        return fail_with(EXDEV);
    close_quietly(walk->dirs[walk->depth--]);
    return 0;
}

/* Puts what the link `name` says before the rest of the way. When it is no link, errno stays as it was. */
static int follow_link(struct root_walk *walk, const char *name)
{
    char    target[ROOT_PATH_MAX];
    int     error = errno;
    size_t  rest  = strlen(walk->next) + 1;
    ssize_t len   = readlinkat(walk->dirs[walk->depth], name, target, sizeof target);

    if (len < 0)
        return fail_with(errno == EINVAL ? error : errno);
    if (++walk->links > ROOT_LINKS_MAX)
        return fail_with(ELOOP);
    if (len > 0 && target[0] == '/')
        return fail_with(EXDEV);
    if ((size_t)len + rest > sizeof walk->rest)
        return fail_with(ENAMETOOLONG);
    memmove(walk->rest + len, walk->next, rest);
    memcpy(walk->rest, target, (size_t)len);
    walk->next = walk->rest;
    return 0;
}

/* Goes on to the end of the way and opens what is there. */
static int walk_on(struct root_walk *walk, int flags)
{
    for (;;) {
        char name[NAME_MAX + 1];

        if (root_take_name(walk, name) < 0)
            return -1;
        if (name[0] == '\0')
            return openat(walk->dirs[walk->depth], ".", flags, NEW_FILE_MODE);
        if (strcmp(name, ".") == 0)
            continue;
        if (strcmp(name, "..") == 0) {
            if (step_back(walk) < 0)
                return -1;
            continue;
        }
        if (*walk->next == '\0') {
            int fd = openat(walk->dirs[walk->depth], name, flags | O_NOFOLLOW, NEW_FILE_MODE);

            if (fd >= 0)
                return fd;
        } else if (step_into(walk, name) == 0) {
            continue;
        }
        /* A link is ELOOP, or ENOTDIR where a directory was asked for. */
        if ((errno != ELOOP && errno != ENOTDIR) || follow_link(walk, name) < 0)
            return -1;
    }
}

static int walk_beneath(int dir, const char *path, int flags)
{
    struct root_walk walk = { .dirs = { dir }, .next = walk.rest };
    int              fd;

    memcpy(walk.rest, path, strlen(path) + 1);
    fd = walk_on(&walk, flags);
    while (walk.depth > 0)
        step_back(&walk);
    return fd;
}

/* ---- Roots ----------------------------------------------------------------------------------------------- */

/* `path` relative to the root; NULL when it is absolute and not beneath the root's own path. */
static const char *relative_to(const tenon_root *root, const char *path)
{
    if (path[0] != '/')
        return path;
    if (strncmp(path, root->path, root->prefix_len) != 0)
        return NULL;
    path += root->prefix_len;
    if (path[0] != '/' && path[0] != '\0')
        return NULL;
    path += strspn(path, "/");
    return path[0] ? path : ".";
}

/* The flags of open(2) for `how`; -1 when it makes no sense. O_NONBLOCK is for the pipe that nobody writes to. */
static int flags_of(unsigned how)
{
    int flags = O_CLOEXEC | O_NONBLOCK | O_NOCTTY;

    if (how >= HOW_END || !(how & (TENON_READ | TENON_WRITE | TENON_DIRECTORY)))
        return -1;
    if (how & TENON_DIRECTORY)
        return how & ~(unsigned)(TENON_DIRECTORY | TENON_READ) ? -1 : flags | O_DIRECTORY | O_RDONLY;
    if ((how & TENON_NEW && !(how & TENON_CREATE)) || (how & TENON_TRUNCATE && !(how & TENON_WRITE)))
        return -1;
    if (how & TENON_CREATE)
        flags |= O_CREAT;
    if (how & TENON_NEW)
        flags |= O_EXCL;
    if (how & TENON_WRITE)
        return flags | (how & TENON_READ ? O_RDWR : O_WRONLY);
    return flags | O_RDONLY;
}

/* A filter of system calls may have come after the root was made. */
static int open_either_way(const tenon_root *root, const char *path, int flags)
{
    if (!root->walk_only) {
        int fd = tn_os_open_beneath(root->fd, path, flags, NEW_FILE_MODE);

        if (fd >= 0 || (errno != ENOSYS && errno != EPERM))
            return fd;
    }
    return walk_beneath(root->fd, path, flags);
}

/* Emptied only here, when it is known to be a file. */
static tenon_status check_opened(int fd, unsigned how)
{
    struct stat info;

    if (fstat(fd, &info) < 0)
        return TENON_E_IO;
    if (!(how & TENON_DIRECTORY) && !S_ISREG(info.st_mode))
        return TENON_E_DENIED;
    if (how & TENON_TRUNCATE && ftruncate(fd, 0) < 0)
        return root_status_of(errno);
    return TENON_OK;
}

tenon_status tenon_root_new(const char *path, const tenon_allocator *memory, tenon_root **root)
{
    tenon_allocator from = tn_memory_of(memory);
    size_t          len  = strnlen(path, ROOT_PATH_MAX);
    tenon_root     *made;
    int             fd;

    *root = NULL;
    if (len == ROOT_PATH_MAX)
        return TENON_E_LIMIT;
    fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return root_status_of(errno);
    made = tn_memory_new(&from, sizeof *made + len + 1);
    if (!made) {
        close(fd);
        return TENON_E_NOMEM;
    }
    *made = (tenon_root){
        .memory = from, .fd = fd, .walk_only = !can_open_beneath(fd), .path_len = len, .prefix_len = len
    };
    memcpy(made->path, path, len + 1);
    while (made->prefix_len > 0 && path[made->prefix_len - 1] == '/')
        made->prefix_len--;
    *root = made;
    return TENON_OK;
}

void tenon_root_free(tenon_root *root)
{
    tenon_allocator memory;

    if (!root)
        return;
    memory = root->memory; /* which is freed with the root */
    close(root->fd);
    tn_memory_free(&memory, root, sizeof *root + root->path_len + 1);
}

const char *tenon_root_path(const tenon_root *root)
{
    return root->path;
}

tenon_status tenon_root_open(const tenon_root *root, const char *path, unsigned how, int *fd)
{
    int          flags = flags_of(how);
    size_t       len   = strnlen(path, ROOT_PATH_MAX);
    tenon_status status;
    int          opened;

    *fd = -1;
    if (len == ROOT_PATH_MAX)
        return TENON_E_LIMIT;
    if (len == 0)
        return TENON_E_NOT_FOUND;
    path = relative_to(root, path);
    if (!path || flags < 0 || (flags & O_CREAT && path[strlen(path) - 1] == '/'))
        return TENON_E_DENIED;
    opened = open_either_way(root, path, flags);
    if (opened < 0)
        return root_status_of(errno);
    status = check_opened(opened, how);
    if (status != TENON_OK) {
        close_quietly(opened);
        return status;
    }
    *fd = opened;
    return TENON_OK;
}
