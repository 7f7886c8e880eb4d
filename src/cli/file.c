/* file.c - reading files. */
#define _POSIX_C_SOURCE 200809L
#include "cli/file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"

#define PIECE_MIN    ((size_t)64 << 10)
#define TOO_LONG     "longer than " FILE_LEN_MAX_TEXT
#define NO_MEMORY    "out of memory"
#define IS_DIRECTORY "is a directory"

static struct file file_refused(const char *why)
{
    return (struct file){ .why = why };
}

static const char *reason(struct tn_arena *arena, int error)
{
    const char *text = strerror(error), *copy = tn_arena_copy(arena, text, strlen(text));

    return copy ? copy : NO_MEMORY;
}

/* Reads to the end; NULL, or why not. One byte more than the limit is read, to see whether there is one. */
static const char *read_all(struct tn_buf *out, int fd)
{
    for (;;) {
        size_t  left = out->max - out->len, piece = left < PIECE_MIN ? left : PIECE_MIN;
        char   *room = tn_buf_room(out, piece);
        ssize_t got;

        if (!room)
            return NO_MEMORY;
        got = read(fd, room, piece);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return reason(out->arena, errno);
        if (got == 0)
            return NULL;
        out->len += (size_t)got;
        if (out->len > FILE_LEN_MAX)
            return TOO_LONG;
    }
}

struct file file_read_open(struct tn_arena *arena, int fd)
{
    struct file   file = { .why = NULL };
    struct stat   about;
    struct tn_buf out;
    size_t        first = 0;

    if (fstat(fd, &about) != 0)
        return file_refused(reason(arena, errno));
    if (S_ISDIR(about.st_mode))
        return file_refused(IS_DIRECTORY);
    if (S_ISREG(about.st_mode)) {
        if (about.st_size > (off_t)FILE_LEN_MAX)
            return file_refused(TOO_LONG);
        first = (size_t)about.st_size;
    }
    tn_buf_init(&out, arena, first + PIECE_MIN + 1, FILE_LEN_MAX + PIECE_MIN);
    file.why = read_all(&out, fd);
    if (!file.why && !tn_buf_end(&out))
        file.why = NO_MEMORY;
    file.text   = (struct tn_slice){ out.at, out.len };
    file.device = about.st_dev;
    file.number = about.st_ino;
    return file;
}

struct file file_read(struct tn_arena *arena, const char *path)
{
    struct file file;
    int         fd;

    if (strcmp(path, "-") == 0)
        return file_read_open(arena, STDIN_FILENO);
    do {
        fd = open(path, O_RDONLY | O_CLOEXEC);
    } while (fd < 0 && errno == EINTR);
    if (fd < 0)
        return file_refused(reason(arena, errno));
    file = file_read_open(arena, fd);
    close(fd);
    return file;
}
