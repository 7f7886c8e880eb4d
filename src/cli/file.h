/* file.h - a whole file as text, within a limit. */
#ifndef CLI_FILE_H
#define CLI_FILE_H

#include <sys/types.h>

#include "base/arena.h"
#include "base/str.h"

/* The longest file that is read; the schema engine reads no longer texts either. */
#define FILE_LEN_MAX      ((size_t)64 << 20)
#define FILE_LEN_MAX_TEXT "64 MiB"

struct file {
    struct tn_slice text; /* in the arena */
    dev_t           device;
    ino_t           number;
    const char     *why; /* it could not be read: "No such file or directory"; NULL when it was */
};

/* "-" is standard input. Pipes are read to their end; directories are refused. */
struct file file_read(struct tn_arena *arena, const char *path);

/* The same of an open file, which stays open. */
struct file file_read_open(struct tn_arena *arena, int fd);

#endif
