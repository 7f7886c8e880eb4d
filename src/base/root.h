/* root.h - the two ways in which a root opens its files (tenon/root.h), for those who test both. */
#ifndef BASE_ROOT_H
#define BASE_ROOT_H

#include <tenon/root.h>

/* The longest path with its NUL, the most links on a way, and, where the kernel has no openat2, the most
 * directories below each other. */
#define ROOT_PATH_MAX  4096
#define ROOT_LINKS_MAX 40
#define ROOT_DEPTH_MAX 64

/* From now on `root` does not use openat2, as if the kernel lacked it. */
void tn_root_force_walk(tenon_root *root);

#endif
