/* ended_file.c - appending without locks, reading on from where it ended, and writing anew.
 *
 * The file is replaced by a new one when it is written anew. A process that appended to the old one notices, since the path
 * leads to another file then, and appends again; the one that replaces it copies what was appended to the old one
 * meanwhile. Only one at a time may replace it: the one that has the lock, for which no other waits.
 */
#define _GNU_SOURCE
#include "net/ended_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "mcp/ended.h"
#include "mcp/session.h"

#define HEX_LEN     (ENDED_KEY_LEN * 2)
#define DIGITS_MAX  ((size_t)12) /* of seconds */
#define LINE_BYTES_MAX    (HEX_LEN + 1 + DIGITS_MAX + 1)
#define READ_BYTES  ((size_t)16 << 10)
#define APPEND_MAX  3 /* tries: each means that the file was replaced just then */
#define ASIDE       ".new"
#define FILE_FLAGS  (O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)
#define OWNER_ONLY  (S_IRUSR | S_IWUSR)
#define MISTAKE_MAX ((size_t)1000)

struct ended_file {
    tenon_server    *server;
    char            *path, *aside;
    size_t           path_room;
    ino_t            inode; /* of the file that was read, up to `read_to` */
    off_t            read_to;
    atomic_bool      warned;
    _Atomic(int64_t) full_until_s; /* nothing in a full file expires before */
};

static void warn(struct ended_file *file, const char *deed)
{
    int why = errno;

    if (!atomic_exchange(&file->warned, true))
        tn_log_line(&file->server->log, LOG_WARN,
                    "ended sessions cannot be %s: after a restart, and at other replicas, they are valid "
                    "again (%s: %s)",
                    deed, file->path, strerror(why));
}

static int64_t now_s(const struct ended_file *file)
{
    return file->server->clock.wall_ms(file->server->clock.user) / 1000;
}

/* ---- Lines --------------------------------------------------------------------------------------------------- */

struct line {
    unsigned char key[ENDED_KEY_LEN];
    int64_t       until_s;
};

static size_t ended_file_write_line(const struct line *line, char out[LINE_BYTES_MAX + 1])
{
    char hex[HEX_LEN + 1];

    sodium_bin2hex(hex, sizeof hex, line->key, ENDED_KEY_LEN);
    return (size_t)snprintf(out, LINE_BYTES_MAX + 1, "%s %" PRId64 "\n", hex, line->until_s);
}

/* A line without its end, as it was written; false for anything else. */
static bool ended_file_read_line(struct tn_slice text, struct line *line)
{
    size_t len;

    line->until_s = 0;
    if (text.len < HEX_LEN + 2 || text.len > LINE_BYTES_MAX - 1 || text.at[HEX_LEN] != ' ' ||
        sodium_hex2bin(line->key, ENDED_KEY_LEN, text.at, HEX_LEN, NULL, &len, NULL) != 0 ||
        len != ENDED_KEY_LEN)
        return false;
    for (size_t i = HEX_LEN + 1; i < text.len; i++) {
        if (text.at[i] < '0' || text.at[i] > '9')
            return false;
        line->until_s = line->until_s * 10 + (text.at[i] - '0');
    }
    return true;
}

/* ---- Reading ------------------------------------------------------------------------------------------------- */

/* Calls `visit` with each whole line after *from, and moves *from past the last of them. */
static void each_line(int fd, off_t *from, void (*visit)(void *user, const struct line *line), void *user)
{
    char    bytes[READ_BYTES];
    ssize_t got;

    while (*from < (off_t)ENDED_FILE_BYTES_MAX && (got = pread(fd, bytes, sizeof bytes, *from)) > 0) {
        struct tn_slice rest = { bytes, (size_t)got };
        const char     *end;
        struct line     line;

        if (!memchr(bytes, '\n', rest.len)) {
            if (rest.len < sizeof bytes)
                return;   /* it is being written */
            *from += got; /* no line of ours */
            continue;
        }
        while ((end = memchr(rest.at, '\n', rest.len)) != NULL) {
            size_t len = (size_t)(end - rest.at);

            if (ended_file_read_line((struct tn_slice){ rest.at, len }, &line))
                visit(user, &line);
            rest = (struct tn_slice){ end + 1, rest.len - len - 1 };
        }
        *from += (off_t)((size_t)got - rest.len);
    }
}

static void take_line(void *user, const struct line *line)
{
    struct ended_file *file  = user;
    int64_t            left  = line->until_s - now_s(file);
    bool               known = left > 0 && left <= SESSION_ID_MS / 1000 + 1;

    if (known && !tn_mcp_session_ended(file->server, line->key)) {
        errno = ENOMEM;
        warn(file, "remembered");
    }
}

static bool is_ours(const struct stat *found)
{
    return S_ISREG(found->st_mode) && found->st_uid == geteuid() &&
           (found->st_mode & (S_IRWXG | S_IRWXO)) == 0;
}

/* What was added since. False when the file is not ours to believe, or cannot be read. */
static bool read_on(struct ended_file *file)
{
    struct stat found;
    int         fd = open(file->path, O_RDONLY | FILE_FLAGS);
    bool        ok;

    if (fd < 0)
        return errno == ENOENT;
    ok = fstat(fd, &found) == 0 && is_ours(&found);
    if (ok && (found.st_ino != file->inode || found.st_size < file->read_to)) {
        file->inode   = found.st_ino;
        file->read_to = 0;
    }
    if (ok)
        each_line(fd, &file->read_to, take_line, file);
    if (ok && found.st_size >= (off_t)ENDED_FILE_BYTES_MAX) /* some did not fit */
        tn_mcp_sessions_lost(file->server);
    close(fd);
    return ok;
}

void tn_ended_file_tick(struct ended_file *file)
{
    struct stat found;

    if (!file || lstat(file->path, &found) != 0 ||
        (found.st_ino == file->inode && found.st_size == file->read_to))
        return;
    if (!read_on(file))
        warn(file, "read");
}

/* ---- Writing ------------------------------------------------------------------------------------------------- */

static bool is_at(int fd, const char *path)
{
    struct stat open_file, named;

    return fstat(fd, &open_file) == 0 && lstat(path, &named) == 0 && open_file.st_ino == named.st_ino &&
           open_file.st_dev == named.st_dev;
}

/* A line that was not written to its end must not become one with the next. */
static bool is_torn(int fd, off_t size)
{
    char last = '\n';

    return size > 0 && pread(fd, &last, 1, size - 1) == 1 && last != '\n';
}

/* One write, so that lines of several processes do not mix. */
static bool append_to(int fd, const char *line, size_t len)
{
    char        bytes[LINE_BYTES_MAX + 2] = "\n";
    struct stat found;
    size_t      torn;

    if (fstat(fd, &found) != 0)
        return false;
    if (!is_ours(&found) || found.st_size >= (off_t)ENDED_FILE_BYTES_MAX) {
        errno = is_ours(&found) ? EFBIG : EPERM;
        return false;
    }
    torn = is_torn(fd, found.st_size);
    memcpy(bytes + torn, line, len);
    return write(fd, bytes, len + torn) == (ssize_t)(len + torn);
}

static bool append(const char *path, const char *line, size_t len)
{
    bool stays = false, ok = true;

    for (int i = 0; i < APPEND_MAX && ok && !stays; i++) {
        int fd = open(path, O_RDWR | O_APPEND | O_CREAT | FILE_FLAGS, OWNER_ONLY);

        if (fd < 0)
            return false;
        ok    = append_to(fd, line, len);
        stays = is_at(fd, path);
        close(fd);
    }
    return ok && stays;
}

struct renewal {
    int     fd;
    bool    failed;
    int64_t now_s;
};

static void copy_line(void *user, const struct line *line)
{
    struct renewal *renewal = user;
    char            text[LINE_BYTES_MAX + 1];
    size_t          len = ended_file_write_line(line, text);

    if (line->until_s > renewal->now_s && !renewal->failed)
        renewal->failed = write(renewal->fd, text, len) != (ssize_t)len;
}

/* Copies what is good of `old` into a new file, and puts that into its place. */
static void renew(struct ended_file *file, int old)
{
    struct renewal renewal = { .now_s = now_s(file) };
    off_t          from    = 0;

    unlink(file->aside); /* of one that did not get to its end: it belongs to the process with the lock */
    renewal.fd = open(file->aside, O_WRONLY | O_APPEND | O_CREAT | O_EXCL | FILE_FLAGS, OWNER_ONLY);
    if (renewal.fd < 0)
        return; /* the old one is as good, only longer */
    each_line(old, &from, copy_line, &renewal);
    if (renewal.failed || fsync(renewal.fd) != 0 || rename(file->aside, file->path) != 0)
        unlink(file->aside);
    else
        each_line(old, &from, copy_line, &renewal); /* what was appended meanwhile */
    if (renewal.failed)
        warn(file, "kept");
    close(renewal.fd);
}

struct census {
    int64_t now_s, next_s; /* next_s: when the first of the others expires */
    size_t  expired;
};

static void count_expired(void *user, const struct line *line)
{
    struct census *census = user;

    if (line->until_s <= census->now_s)
        census->expired++;
    else if (line->until_s < census->next_s)
        census->next_s = line->until_s;
}

/* Drops what has expired, if there is any. */
static void renew_if_worth(struct ended_file *file)
{
    struct census census = { .now_s = now_s(file), .next_s = INT64_MAX };
    off_t         from   = 0;
    struct stat   found;
    int           fd = open(file->path, O_RDONLY | FILE_FLAGS);

    if (fd < 0)
        return;
    if (fstat(fd, &found) == 0 && is_ours(&found) && flock(fd, LOCK_EX | LOCK_NB) == 0 &&
        is_at(fd, file->path)) {
        each_line(fd, &from, count_expired, &census);
        if (census.expired > 0)
            renew(file, fd);
        else
            atomic_store(&file->full_until_s, census.next_s);
    }
    close(fd);
}

static void ended_file_keep(void *user, const unsigned char *key, int64_t until_ms)
{
    struct ended_file *file = user;
    struct line        line = { .until_s = until_ms / 1000 + 1 };
    char               text[LINE_BYTES_MAX + 1];
    size_t             len;

    memcpy(line.key, key, ENDED_KEY_LEN);
    len = ended_file_write_line(&line, text);
    if (append(file->path, text, len))
        return;
    if (errno == EFBIG && now_s(file) >= atomic_load(&file->full_until_s)) { /* of what has expired? */
        renew_if_worth(file);
        if (append(file->path, text, len))
            return;
    }
    warn(file, "kept");
}

/* ---- Together ------------------------------------------------------------------------------------------------ */

static struct ended_file *ended_file_make(tenon_server *server, const char *key_file)
{
    const size_t       room = strlen(key_file) + sizeof ENDED_FILE_SUFFIX + sizeof ASIDE;
    struct ended_file *file = tn_memory_new(&server->memory, sizeof *file);

    if (!file)
        return NULL;
    *file       = (struct ended_file){ .server = server, .path_room = room };
    file->path  = tn_memory_new(&server->memory, room);
    file->aside = tn_memory_new(&server->memory, room);
    if (!file->path || !file->aside) {
        tn_ended_file_close(file);
        return NULL;
    }
    snprintf(file->path, room, "%s" ENDED_FILE_SUFFIX, key_file);
    snprintf(file->aside, room, "%s" ENDED_FILE_SUFFIX ASIDE, key_file);
    return file;
}

static const char *say_mistake(tenon_server *server, const char *path)
{
    struct tn_buf text;

    tn_buf_init(&text, &server->arena, 0, MISTAKE_MAX);
    tn_buf_addf(
        &text,
        "the file of ended sessions must be a regular file of the user who runs the server, closed to "
        "group and "
        "others: %s",
        path);
    return tn_buf_end(&text);
}

struct ended_file *tn_ended_file_open(tenon_server *server, const char *key_file, const char **mistake)
{
    struct ended_file *file = ended_file_make(server, key_file);

    *mistake = NULL;
    if (!file)
        return NULL;
    if (!read_on(file)) {
        *mistake = say_mistake(server, file->path);
        tn_ended_file_close(file);
        return NULL;
    }
    renew_if_worth(file);
    server->keeper = (struct tn_keeper){ ended_file_keep, file };
    return file;
}

void tn_ended_file_close(struct ended_file *file)
{
    tenon_allocator memory;

    if (!file)
        return;
    memory = file->server->memory;
    if (file->server->keeper.user == file)
        file->server->keeper = (struct tn_keeper){ 0 };
    tn_memory_free(&memory, file->path, file->path_room);
    tn_memory_free(&memory, file->aside, file->path_room);
    tn_memory_free(&memory, file, sizeof *file);
}
