/* lock_update.c - a new lock in the place of an old one, by one writer at a time.
 *
 * What is locked is the folder: the file itself is replaced by another, so that a lock of it would be one of a file that is
 * no longer there. The new text is read back and verified, by the way that a guard takes, before it gets its name.
 */
#define _GNU_SOURCE
#include "contract/lock.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <sodium.h>

#include "contract/phrases.h"

#define MISTAKE_MAX  ((size_t)2000)
#define BUSY_TRIES   200 /* with a pause between them: 10 s in all */
#define BUSY_NS      50000000
#define NAME_RANDOM  8 /* bytes */
#define MODE_ALLOWED 0755u

struct update {
    const struct tn_lock_file *file;
    struct tn_arena           *arena;
    const char                *mistake;
    char                       folder[PATH_MAX], name[NAME_MAX + 1], made[NAME_MAX + 1];
    int                        at;      /* the folder's handle, or -1 */
    bool                       is_made; /* the temporary file is there */
};

TENON_PRINTF(2, 3)
static bool refuse(struct update *update, const char *format, ...)
{
    struct tn_buf text;
    va_list       args;

    tn_buf_init(&text, update->arena, 0, MISTAKE_MAX);
    va_start(args, format);
    tn_buf_addv(&text, format, args);
    va_end(args);
    update->mistake = tn_buf_end(&text) ? text.at : SAY_MEMORY;
    return false;
}

static bool refuse_errno(struct update *update)
{
    return refuse(update, SAY_LOCK_WRITE, update->file->path, strerror(errno));
}

/* ---- Where it is ------------------------------------------------------------------------------------------------ */

/* The folder and the name of the file; of what a link leads to, when it is one. */
static bool find_place(struct update *update)
{
    char        whole[PATH_MAX];
    const char *name;

    if (!realpath(update->file->path, whole)) {
        const char *slash = strrchr(update->file->path, '/');
        size_t      len   = slash ? (size_t)(slash - update->file->path) + 1 : 0;
        char        folder[PATH_MAX];

        if (errno != ENOENT || len >= sizeof folder)
            return refuse_errno(update);
        snprintf(folder, sizeof folder, "%.*s.", (int)len, update->file->path);
        if (!realpath(folder, update->folder))
            return refuse_errno(update);
        name = slash ? slash + 1 : update->file->path;
    } else {
        name = strrchr(whole, '/') + 1;
        snprintf(update->folder, sizeof update->folder, "%.*s", (int)(name - whole), whole);
    }
    if (!*name || strlen(name) + 2 * NAME_RANDOM + 2 >= sizeof update->name) {
        errno = ENAMETOOLONG;
        return refuse_errno(update);
    }
    snprintf(update->name, sizeof update->name, "%s", name);
    return true;
}

/* Waits until no other program writes. */
static bool take_folder(struct update *update)
{
    const struct timespec pause = { .tv_nsec = BUSY_NS };

    update->at = open(update->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (update->at < 0)
        return refuse_errno(update);
    for (int i = 0; i < BUSY_TRIES; i++) {
        if (flock(update->at, LOCK_EX | LOCK_NB) == 0)
            return true;
        if (errno != EWOULDBLOCK && errno != EINTR)
            return refuse_errno(update);
        nanosleep(&pause, NULL);
    }
    return refuse(update, SAY_LOCK_BUSY, update->file->path);
}

/* ---- The new file ------------------------------------------------------------------------------------------------ */

static bool write_whole(int file, struct tn_slice text)
{
    for (size_t done = 0; done < text.len;) {
        ssize_t n = write(file, text.at + done, text.len - done);

        if (n < 0 && errno != EINTR)
            return false;
        done += n > 0 ? (size_t)n : 0;
    }
    return fsync(file) == 0;
}

/* Those of writers that were killed: while the folder is ours, no other writer has one. */
static void remove_left(const struct update *update)
{
    int                  handle = openat(update->at, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR                 *folder = handle >= 0 ? fdopendir(handle) : NULL;
    size_t               len    = strlen(update->name);
    const struct dirent *entry;

    while (folder && (entry = readdir(folder)) != NULL) {
        const char *hex = entry->d_name + len + 2;

        if (entry->d_name[0] == '.' && strncmp(entry->d_name + 1, update->name, len) == 0 &&
            entry->d_name[len + 1] == '.' && strlen(hex) == 2 * NAME_RANDOM &&
            strspn(hex, "0123456789abcdef") == 2 * NAME_RANDOM)
            unlinkat(update->at, entry->d_name, 0);
    }
    if (folder)
        closedir(folder);
    else if (handle >= 0)
        close(handle);
}

/* Made closed to all others; when there was one before, it is as open as that one was, but not to writers. */
static bool make_file(struct update *update, struct tn_slice text)
{
    unsigned char random[NAME_RANDOM];
    char          hex[2 * NAME_RANDOM + 1];
    struct stat   about;
    bool          fine;
    int           file;

    randombytes_buf(random, sizeof random);
    sodium_bin2hex(hex, sizeof hex, random, sizeof random);
    snprintf(update->made, sizeof update->made, ".%.*s.%s", (int)(NAME_MAX - sizeof hex - 2), update->name,
             hex);
    file = openat(update->at, update->made, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (file < 0)
        return refuse_errno(update);
    update->is_made = true;
    fine            = write_whole(file, text);
    if (fine && fstatat(update->at, update->name, &about, AT_SYMLINK_NOFOLLOW) == 0)
        fine = fchmod(file, about.st_mode & MODE_ALLOWED) == 0;
    if (!fine)
        refuse_errno(update);
    return close(file) == 0 && fine;
}

/* Reads it as a guard will. */
static bool check_file(struct update *update)
{
    char                path[PATH_MAX + NAME_MAX + 2];
    struct tn_lock_file made = { path, update->file->key };
    const char         *mistake;
    struct tn_lock      lock;
    bool                fine;

    snprintf(path, sizeof path, "%s/%s", update->folder, update->made);
    tn_lock_init(&lock, &update->arena->memory);
    fine = tn_lock_read(&lock, &made, &mistake) == TENON_OK;
    if (!fine)
        refuse(update, "%s", mistake);
    tn_lock_free(&lock);
    return fine;
}

static bool put_in_place(struct update *update)
{
    if (renameat(update->at, update->made, update->at, update->name) != 0)
        return refuse_errno(update);
    update->is_made = false;
    return fsync(update->at) == 0 || refuse_errno(update);
}

/* ---- The change -------------------------------------------------------------------------------------------------- */

static bool read_again(struct update *update, struct tn_lock *lock, struct tn_slice *key)
{
    const char  *mistake;
    tenon_status status;

    if (!tn_lock_key(&lock->arena, update->file->key, key, &mistake))
        return refuse(update, "%s", mistake);
    status = tn_lock_read(lock, update->file, &mistake);
    if (status != TENON_OK && status != TENON_E_NOT_FOUND)
        return refuse(update, "%s", mistake);
    if (lock->sealed && key->len == 0)
        return refuse(update, SAY_LOCK_SEALED, update->file->path);
    return true;
}

static bool write_changed(struct update *update, struct tn_lock *lock, struct tn_slice key)
{
    struct tn_buf text;

    tn_buf_init(&text, &lock->arena, 0, LOCK_BYTES_MAX);
    tn_lock_write(&text, lock, key);
    if (text.failed)
        return lock->arena.failed ? refuse(update, "%s", SAY_MEMORY)
                                  : refuse(update, SAY_LOCK_LONG, update->file->path, LOCK_BYTES_MAX);
    remove_left(update);
    return make_file(update, tn_buf_slice(&text)) && check_file(update) && put_in_place(update);
}

tenon_status tn_lock_update(const struct tn_lock_file *file, bool (*change)(void *user, struct tn_lock *lock),
                            void *user, struct tn_arena *arena, const char **mistake)
{
    struct update   update = { .file = file, .arena = arena, .at = -1 };
    struct tn_slice key;
    struct tn_lock  lock;

    tn_lock_init(&lock, &arena->memory);
    if (find_place(&update) && take_folder(&update) && read_again(&update, &lock, &key) &&
        change(user, &lock))
        write_changed(&update, &lock, key);
    if (update.is_made)
        unlinkat(update.at, update.made, 0);
    if (update.at >= 0)
        close(update.at); /* and with it the lock */
    tn_lock_free(&lock);
    *mistake = update.mistake;
    return update.mistake ? TENON_E_IO : TENON_OK;
}
