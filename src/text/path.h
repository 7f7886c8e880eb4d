/* path.h - what a path's text may look like, before anything is opened (base/root opens). */
#ifndef TEXT_PATH_H
#define TEXT_PATH_H

#include "base/arena.h"
#include "base/str.h"

#define PATH_LEN_MAX  4095
#define PATH_NAME_MAX 255

/* Of several faults the first in this order is reported: what the path tries to do before how it is written. */
enum tn_path_fault {
    PATH_FINE = 0,
    PATH_TRAVERSAL, /* a ".." component, between slashes or backslashes */
    PATH_DRIVE,     /* C:... */
    PATH_UNC,       /* two slashes or backslashes in front of a host: \\host\share (and //host/share) */
    PATH_ABSOLUTE,  /* a relative one is wanted */
    PATH_RELATIVE,  /* an absolute one is wanted */
    PATH_BACKSLASH,
    PATH_CONTROL, /* NUL or a control character */
    PATH_ENCODED, /* a percent-encoded dot, slash or backslash, also encoded twice or more */
    PATH_LONG,    /* the whole or one name */
    PATH_NOTHING, /* empty; or "." where an extension, that is, a file, is wanted */
    PATH_EXTENSION
};

struct tn_path_wanted {
    bool        absolute;
    const char *ext; /* ".md,.txt", or NULL; compared without case; the name is longer than it */
};

/* Checks `text` and sets *normal to it without "//" and "." segments and without a slash at the end (in the arena
 * when it had to change, with a NUL behind it; the same bytes when not). Only "." and "/" themselves stay as they
 * are. Normalising twice gives the same. On a fault, or when the arena fails, *normal is empty. */
enum tn_path_fault tn_path_check(struct tn_arena *arena, struct tn_slice text,
                                 const struct tn_path_wanted *wanted, struct tn_slice *normal);

#endif
