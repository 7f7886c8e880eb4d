/* handles.c - closes every file handle from some number on: by one call of the kernel, or, before Linux 5.9
 * and where a filter refuses that call, one by one. */
#define _GNU_SOURCE
#include "guard/process/handles.h"

#include <dirent.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#define HANDLES_MAX ((long)1 << 20) /* that are tried where nothing tells which are open */

static void close_up_to(int first, long end)
{
    for (int fd = first; fd < end; fd++)
        close(fd);
}

/* Those that the directory of open handles names. Closing changes it, so that it is read until none is left. */
static int close_listed(DIR *folder, int first)
{
    const struct dirent *entry;
    int                  closed = 0;

    rewinddir(folder);
    while ((entry = readdir(folder)) != NULL) {
        char *end;
        long  fd = strtol(entry->d_name, &end, 10);

        if (end == entry->d_name || *end || fd < first || fd > INT_MAX || fd == dirfd(folder))
            continue;
        closed += close((int)fd) == 0;
    }
    return closed;
}

static void close_one_by_one(int first)
{
    DIR *folder = opendir("/proc/self/fd");
    long most   = sysconf(_SC_OPEN_MAX);

    if (!folder) {
        close_up_to(first, most < 0 || most > HANDLES_MAX ? HANDLES_MAX : most);
        return;
    }
    while (close_listed(folder, first) > 0)
        continue;
    closedir(folder);
}

void tn_handles_close_from(int first)
{
#ifdef SYS_close_range
    if (syscall(SYS_close_range, (unsigned)first, ~0u, 0u) == 0)
        return;
#endif
    close_one_by_one(first);
}
