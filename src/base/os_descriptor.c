/* os_descriptor.c - pipe2, and the files behind descriptors in /proc. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "base/os.h"

bool tn_os_pipe(int ends[2])
{
    return pipe2(ends, O_CLOEXEC) == 0;
}

int tn_os_reopen(int fd, int flags)
{
    char path[sizeof "/proc/self/fd/" + 11];

    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    return open(path, flags);
}
