/* trusted.h - files that decide what the guard does: configuration, lock, tokens, secrets.
 *
 * A user who could change one would be the operator. So the file, every folder on the way to it and every
 * link that leads elsewhere belong to the user of the guard or to root, and others must not be able to write
 * to them; a sticky folder, such as /tmp, is accepted above what is owned. Links are followed, because
 * secrets of Kubernetes are links. Each step is opened from the handle of the one before, so that what was
 * checked is what is read.
 */
#ifndef CONTRACT_TRUSTED_H
#define CONTRACT_TRUSTED_H

#include "base/arena.h"
#include "base/str.h"

#define TRUSTED_LINKS_MAX 40

enum tn_trusted_mode {
    TRUSTED_SHARED, /* others may read it */
    TRUSTED_PRIVATE /* closed to group and others */
};

/* The bytes of the file at `path`, at most `max`, in the arena, with a NUL after them. On failure *mistake
 * is a sentence in the arena (or static), which names the file and never what is in it. */
tenon_status tn_trusted_read(const char *path, enum tn_trusted_mode mode, size_t max, struct tn_arena *arena,
                             struct tn_slice *text, const char **mistake);

#endif
