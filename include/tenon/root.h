/* root.h - files beneath a directory, and nowhere else.
 *
 * A root is opened once, as a handle. A file is opened beneath that handle by the system itself (openat2 with
 * RESOLVE_BENEATH, or a walk that follows no link out of the root where the kernel lacks it), so that what was
 * checked is what was opened: no symbolic link, no "..", no rename in between leads outside.
 */
#ifndef TENON_ROOT_H
#define TENON_ROOT_H

#include <tenon/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tenon_root tenon_root;

/* Opens the directory `path`. TENON_E_NOT_FOUND (also when it is not a directory), TENON_E_DENIED, TENON_E_LIMIT (the
 * path is too long), TENON_E_IO or TENON_E_NOMEM leave *root NULL. `memory` may be NULL. A root may be used by many
 * threads at once. */
TENON_API tenon_status tenon_root_new(const char *path, const tenon_allocator *memory, tenon_root **root);
TENON_API void         tenon_root_free(tenon_root *root);

/* The directory's path, as it was given; for texts. */
TENON_API const char *tenon_root_path(const tenon_root *root);

enum {
    TENON_READ      = 1,  /* open for reading */
    TENON_WRITE     = 2,  /* open for writing; an existing file keeps its content unless TENON_TRUNCATE */
    TENON_CREATE    = 4,  /* create the file (mode 0600) when it does not exist; its directory must exist */
    TENON_NEW       = 8,  /* with TENON_CREATE: refuse a file that exists (TENON_E_EXISTS), links included */
    TENON_TRUNCATE  = 16, /* with TENON_WRITE: empty it first */
    TENON_DIRECTORY = 32  /* open a directory, to list it; alone or with TENON_READ */
};

/* Opens `path` beneath the root and stores the handle, which you close, in *fd (-1 on failure). `path` is relative,
 * or absolute and beneath the path that the root was opened with. Only regular files are opened (and directories
 * with TENON_DIRECTORY): a device, a socket or a pipe is TENON_E_DENIED, and is not waited for. A link is followed
 * while it stays beneath the root; an absolute one does not. A `how` that asks for neither reading nor writing, or
 * for a combination that cannot work, is denied too. */
TENON_API tenon_status tenon_root_open(const tenon_root *root, const char *path, unsigned how, int *fd);

#ifdef __cplusplus
}
#endif
#endif
