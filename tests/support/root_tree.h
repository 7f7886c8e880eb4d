/* root_tree.h - a directory with all that a root may meet, for programs that are linked with -Wl,--wrap=syscall. */
#ifndef SUPPORT_ROOT_TREE_H
#define SUPPORT_ROOT_TREE_H

#include <limits.h>

#include "base/root.h"

/* How the root opens: through the kernel's openat2, where there is one, or through its own walk. */
enum root_way { KERNEL, WALK, WAYS };

/* A temporary directory with a root in it, docs, and with things beside the root that must stay as they are. */
struct root_tree {
    char        base[PATH_MAX / 4];
    tenon_root *root;
};

void root_tree_set_up(struct root_tree *tree, enum root_way way);
void root_tree_tear_down(struct root_tree *tree);

/* `path` in the temporary directory; until the next call. */
const char *root_tree_join(const struct root_tree *tree, const char *path);

/* The beginning of an open file; until the next call. */
const char *root_tree_text(int fd);

#endif
