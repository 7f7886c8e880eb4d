/* openat2.c - the system call that a root opens with, put between by the linker. */
#include "support/openat2.h"

#include <errno.h>
#include <stdarg.h>
#include <stddef.h>

bool openat2_is_missing;

long __wrap_syscall(long number, ...);

/* The library makes no other call in this way. */
long __wrap_syscall(long number, ...)
{
    va_list     list;
    const char *path;
    void       *how;
    size_t      how_len;
    int         dir;

    if (openat2_is_missing) {
        errno = ENOSYS;
        return -1;
    }
    va_start(list, number);
    dir     = va_arg(list, int);
    path    = va_arg(list, const char *);
    how     = va_arg(list, void *);
    how_len = va_arg(list, size_t);
    va_end(list);
    return __real_syscall(number, dir, path, how, how_len);
}
