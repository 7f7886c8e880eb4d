/* root.h - the bounds of a root (tenon/root.h). */
#ifndef BASE_ROOT_H
#define BASE_ROOT_H

#include <tenon/root.h>

/* The longest path with its NUL, the most links on a way, and, where the kernel has no openat2, the most
 * directories below each other. */
#define ROOT_PATH_MAX  4096
#define ROOT_LINKS_MAX 40
#define ROOT_DEPTH_MAX 64

#endif
