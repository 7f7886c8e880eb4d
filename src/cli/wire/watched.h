/* watched.h - the files of a program, and whether one of them has changed and come to rest. */
#ifndef CLI_WIRE_WATCHED_H
#define CLI_WIRE_WATCHED_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <time.h>

#define WATCHED_MAX 64

struct watched_file {
    const char     *path;
    struct timespec changed;
    off_t           size;
    ino_t           number; /* 0: it is not there */
};

struct watched {
    struct watched_file at[WATCHED_MAX];
    size_t              count;
    const char         *touched; /* what has changed since the last restart, or NULL */
};

/* Takes a path that lives as long; false when there are too many. */
bool watched_add(struct watched *watched, const char *path);

/* Looks at all of them. True once what changed has stayed the same since the look before, and is there. */
bool watched_look(struct watched *watched);

#endif
