/* os_beneath.c - openat2, of Linux 5.6 and newer; a filter of system calls may refuse it. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/os.h"

#if defined(SYS_openat2) && defined(__has_include)
#if __has_include(<linux/openat2.h>)
#include <linux/openat2.h>
#define HAVE_OPENAT2 1
#endif
#endif

#define RETRIES_MAX 64 /* when a rename or a signal came in between */

int tn_os_open_beneath(int dir, const char *path, int flags, unsigned mode)
{
#ifdef HAVE_OPENAT2
    struct open_how how = {
        .flags   = (unsigned)flags,
        .mode    = flags & O_CREAT ? mode : 0,
        .resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS,
    };
    int fd = -1;

    for (int i = 0; i < RETRIES_MAX; i++) {
        fd = (int)syscall(SYS_openat2, dir, path, &how, sizeof how);
        if (fd >= 0 || (errno != EAGAIN && errno != EINTR))
            break;
    }
    return fd;
#else
    (void)dir, (void)path, (void)flags, (void)mode;
    errno = ENOSYS;
    return -1;
#endif
}
