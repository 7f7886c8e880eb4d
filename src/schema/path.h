/* path.h - what a path's text may look like, before anything is opened (base/root opens). */
#ifndef SCHEMA_PATH_H
#define SCHEMA_PATH_H

#include "base/arena.h"
#include "base/str.h"

#define PATH_LEN_MAX  4096
#define PATH_NAME_MAX 255

enum path_fault {
    PATH_FINE = 0,
    PATH_ABSOLUTE,  /* a relative one is wanted */
    PATH_RELATIVE,  /* an absolute one is wanted */
    PATH_TRAVERSAL, /* a ".." component */
    PATH_BACKSLASH,
    PATH_DRIVE,   /* C:... */
    PATH_UNC,     /* two slashes or backslashes in front of a host: \\host\share (and //host/share) */
    PATH_CONTROL, /* NUL or a control character */
    PATH_ENCODED, /* a percent-encoded dot, slash or backslash, also encoded twice */
    PATH_LONG,    /* the whole or one name */
    PATH_EXTENSION,
    PATH_NOTHING /* nothing is left: "." or "./" where a file is wanted */
};

struct path_wanted {
    bool        absolute;
    const char *ext; /* ".md,.txt", or NULL; compared without case */
};

/* Checks `text` and sets *normal to it without "//" and "." segments and without a slash at the end (in the arena
 * when it had to change, with a NUL behind it; the same bytes when not). Which fault is reported when there are
 * several: traversal first (the seed's tests expect it for "../../../etc/passwd"), then the order above. Normalising
 * twice gives the same. */
enum path_fault path_check(struct arena *arena, struct slice text, const struct path_wanted *wanted,
                           struct slice *normal);

#endif
