/* watched.c - looking at them, again and again: that works on every file system, and through each way in which a linker or an
 * editor replaces a file. */
#define _POSIX_C_SOURCE 200809L
#include "cli/wire/watched.h"

#include <sys/stat.h>

/* How it is now; true when that differs from before. */
static bool look_again(struct watched_file *file)
{
    struct stat         now;
    struct watched_file was = *file;

    if (stat(file->path, &now) == 0) {
        file->changed = now.st_mtim;
        file->size    = now.st_size;
        file->number  = now.st_ino;
    } else
        file->number = 0;
    return file->number != was.number ||
           (file->number && (file->size != was.size || file->changed.tv_sec != was.changed.tv_sec ||
                             file->changed.tv_nsec != was.changed.tv_nsec));
}

bool watched_add(struct watched *watched, const char *path)
{
    if (watched->count == WATCHED_MAX)
        return false;
    watched->at[watched->count] = (struct watched_file){ .path = path };
    look_again(&watched->at[watched->count++]);
    return true;
}

bool watched_look(struct watched *watched)
{
    bool moves = false, missing = false;

    for (size_t i = 0; i < watched->count; i++) {
        if (look_again(&watched->at[i])) {
            moves            = true;
            watched->touched = watched->at[i].path;
        }
        missing = missing || watched->at[i].number == 0;
    }
    return watched->touched && !moves && !missing;
}
