/* keys.c - the key file: made once, checked each time it is read. */
#define _GNU_SOURCE
#include "net/keys.h"

#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"

#define MISTAKE_MAX 1000
#define HEX_LEN     ((size_t)SEAL_KEY_LEN * 2)
#define TRIES       3 /* a file that appears and goes away again while we look is somebody's mistake */

static const char heading[] =
    "# Tenon's keys: the first signs, a second one is still accepted. Keep this file private.\n";

/* ---- Words --------------------------------------------------------------------------------------------------- */

static const char no_memory[] = "out of memory";

TENON_PRINTF(3, 4)
static const char *keys_say(struct tn_arena *arena, const char *path, const char *format, ...)
{
    struct tn_buf text;
    va_list       args;

    tn_buf_init(&text, arena, 0, MISTAKE_MAX);
    va_start(args, format);
    tn_buf_addv(&text, format, args);
    va_end(args);
    tn_buf_lit(&text, ": ");
    tn_buf_text(&text, path);
    return tn_buf_end(&text) ? text.at : no_memory;
}

static tenon_status say_errno(struct tn_arena *arena, const char *path, const char *what, const char *deed,
                              const char **mistake)
{
    int why = errno;

    *mistake = keys_say(arena, path, "%s cannot be %s (%s)", what, deed, strerror(why));
    return why == ENOENT ? TENON_E_NOT_FOUND : why == EACCES || why == EPERM ? TENON_E_DENIED : TENON_E_IO;
}

/* ---- Reading ------------------------------------------------------------------------------------------------- */

static tenon_status check_file(int fd, const char *path, const char *what, size_t max, struct tn_arena *arena,
                               const char **mistake)
{
    struct stat found;

    if (fstat(fd, &found) != 0)
        return say_errno(arena, path, what, "read", mistake);
    if (!S_ISREG(found.st_mode))
        *mistake = keys_say(arena, path, "%s must be a regular file", what);
    else if (found.st_uid != geteuid())
        *mistake = keys_say(arena, path, "%s must belong to the user who runs the server", what);
    else if ((found.st_mode & (S_IRWXG | S_IRWXO)) != 0)
        *mistake = keys_say(arena, path, "%s must be closed to group and others; chmod 600 it", what);
    else if (found.st_size < 0 || (size_t)found.st_size > max) {
        *mistake = keys_say(arena, path, "%s must not have more than %zu bytes", what, max);
        return TENON_E_LIMIT;
    } else
        return TENON_OK;
    return TENON_E_DENIED;
}

static tenon_status read_open(int fd, const char *path, const char *what, size_t max, struct tn_arena *arena,
                              struct tn_slice *text, const char **mistake)
{
    tenon_status status = check_file(fd, path, what, max, arena, mistake);
    size_t       len    = 0;
    char        *at;

    if (status != TENON_OK)
        return status;
    at = tn_arena_take(arena, max + 1, 1);
    if (!at) {
        *mistake = no_memory;
        return TENON_E_NOMEM;
    }
    for (ssize_t got = 1; got != 0 && len <= max;) {
        got = read(fd, at + len, max + 1 - len);
        if (got < 0 && errno != EINTR)
            return say_errno(arena, path, what, "read", mistake);
        len += got > 0 ? (size_t)got : 0;
    }
    if (len > max) { /* it grew since it was looked at */
        *mistake = keys_say(arena, path, "%s must not have more than %zu bytes", what, max);
        return TENON_E_LIMIT;
    }
    *text = (struct tn_slice){ at, len };
    return TENON_OK;
}

tenon_status tn_keys_read_private(const char *path, const char *what, size_t max, struct tn_arena *arena,
                                  struct tn_slice *text, const char **mistake)
{
    tenon_status status;
    int          fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);

    *text = (struct tn_slice){ "", 0 };
    if (fd < 0 && errno == ELOOP) {
        *mistake = keys_say(arena, path, "%s must not be a symbolic link", what);
        return TENON_E_DENIED;
    }
    if (fd < 0)
        return say_errno(arena, path, what, "opened", mistake);
    status = read_open(fd, path, what, max, arena, text, mistake);
    close(fd);
    return status;
}

/* ---- Keys ---------------------------------------------------------------------------------------------------- */

static bool read_hex(struct tn_slice text, unsigned char key[SEAL_KEY_LEN])
{
    size_t len;

    return text.len == HEX_LEN &&
           sodium_hex2bin(key, SEAL_KEY_LEN, text.at, text.len, NULL, &len, NULL) == 0 && len == SEAL_KEY_LEN;
}

static bool read_base64(struct tn_slice text, unsigned char key[SEAL_KEY_LEN])
{
    static const int variants[] = { sodium_base64_VARIANT_ORIGINAL, sodium_base64_VARIANT_ORIGINAL_NO_PADDING,
                                    sodium_base64_VARIANT_URLSAFE, sodium_base64_VARIANT_URLSAFE_NO_PADDING };
    size_t           len;

    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++)
        if (sodium_base642bin(key, SEAL_KEY_LEN, text.at, text.len, NULL, &len, NULL, variants[i]) == 0 &&
            len == SEAL_KEY_LEN)
            return true;
    return false;
}

static tenon_status read_keys(const char *path, struct tn_slice rest, struct tn_seal_keys *keys,
                              struct tn_arena *arena, const char **mistake)
{
    struct tn_slice line, key;

    for (unsigned number = 1; tn_slice_split(&rest, '\n', &line); number++) {
        key = (struct tn_slice){ "", 0 };
        tn_slice_split(&line, '#', &key);
        key = tn_slice_trim(key);
        if (key.len == 0)
            continue;
        if (keys->count == sizeof keys->at / sizeof *keys->at) {
            *mistake = keys_say(arena, path, "the key file has more than two keys, the third in line %u",
                                number);
            return TENON_E_LIMIT;
        }
        if (!read_hex(key, keys->at[keys->count]) && !read_base64(key, keys->at[keys->count])) {
            *mistake = keys_say(
                arena, path,
                "line %u of the key file is not a key (64 hexadecimal digits, or base64 of 32 bytes)",
                number);
            return TENON_E_DECLARATION;
        }
        keys->count++;
    }
    if (keys->count > 0)
        return TENON_OK;
    *mistake = keys_say(arena, path, "the key file has no key; remove it, and a new one is created");
    return TENON_E_DECLARATION;
}

/* ---- Making it ----------------------------------------------------------------------------------------------- */

static bool keys_write_all(int fd, const char *at, size_t len)
{
    while (len > 0) {
        ssize_t sent = write(fd, at, len);

        if (sent < 0 && errno != EINTR)
            return false;
        at += sent > 0 ? sent : 0;
        len -= sent > 0 ? (size_t)sent : 0;
    }
    return true;
}

static bool write_key(int fd)
{
    unsigned char key[SEAL_KEY_LEN];
    char          line[HEX_LEN + 2];
    bool          ok;

    randombytes_buf(key, sizeof key);
    sodium_bin2hex(line, HEX_LEN + 1, key, sizeof key);
    line[HEX_LEN] = '\n';
    ok = keys_write_all(fd, heading, sizeof heading - 1) && keys_write_all(fd, line, HEX_LEN + 1) &&
         fsync(fd) == 0;
    sodium_memzero(key, sizeof key);
    sodium_memzero(line, sizeof line);
    return ok;
}

/* Written aside and then linked into its place, where it appears complete or not at all; a second writer finds the
 * first one's there, and takes it. */
static tenon_status make_file(const char *path, struct tn_arena *arena, const char **mistake)
{
    struct tn_buf aside;
    tenon_status  status = TENON_OK;
    int           fd;

    tn_buf_init(&aside, arena, 0, strlen(path) + 40);
    tn_buf_addf(&aside, "%s.%08lx%08lx", path, (unsigned long)randombytes_random(),
                (unsigned long)randombytes_random());
    if (!tn_buf_end(&aside)) {
        *mistake = no_memory;
        return TENON_E_NOMEM;
    }
    fd = open(aside.at, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, S_IRUSR | S_IWUSR);
    if (fd < 0)
        return say_errno(arena, path, "the key file", "made", mistake);
    if (!write_key(fd) || fchmod(fd, S_IRUSR | S_IWUSR) != 0 ||
        (link(aside.at, path) != 0 && errno != EEXIST))
        status = say_errno(arena, path, "the key file", "made", mistake);
    close(fd);
    unlink(aside.at);
    return status;
}

tenon_status tn_keys_load(const char *path, struct tn_seal_keys *keys, struct tn_arena *arena,
                          const char **mistake)
{
    tenon_status    status = TENON_E_NOT_FOUND;
    struct tn_slice text;

    *mistake = NULL;
    memset(keys, 0, sizeof *keys);
    if (sodium_init() < 0) {
        *mistake = "the system has no randomness to make keys from";
        return TENON_E_IO;
    }
    if (!path) {
        tn_seal_keys_draw(keys);
        return TENON_OK;
    }
    for (int i = 0; i < TRIES && status == TENON_E_NOT_FOUND; i++) {
        status = tn_keys_read_private(path, "the key file", KEYS_FILE_BYTES, arena, &text, mistake);
        if (status != TENON_E_NOT_FOUND)
            break;
        if (make_file(path, arena, mistake) != TENON_OK)
            return TENON_E_IO;
    }
    if (status != TENON_OK)
        return status;
    *mistake = NULL;
    status   = read_keys(path, text, keys, arena, mistake);
    sodium_memzero((char *)text.at, text.len);
    if (status != TENON_OK)
        sodium_memzero(keys, sizeof *keys);
    return status;
}
