/* openat2.h - a kernel without openat2, for programs that are linked with -Wl,--wrap=syscall. */
#ifndef SUPPORT_OPENAT2_H
#define SUPPORT_OPENAT2_H

#include <stdbool.h>

extern bool openat2_is_missing;

/* The linker's name for syscall() itself: such a program's own calls, which are not openat2, go through it. */
long __real_syscall(long number, ...);

#endif
