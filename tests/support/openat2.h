/* openat2.h - a kernel without openat2, for programs that are linked with -Wl,--wrap=syscall. */
#ifndef SUPPORT_OPENAT2_H
#define SUPPORT_OPENAT2_H

#include <stdbool.h>

extern bool openat2_is_missing;

#endif
