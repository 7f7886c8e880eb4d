/* clock.c - loaded before the C library: monotonic time is later by as many seconds as the file of CLOCK_OFFSET has. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static long offset(void)
{
    const char *path   = getenv("CLOCK_OFFSET");
    FILE       *file   = path ? fopen(path, "r") : NULL;
    long        result = 0;

    if (!file)
        return 0;
    if (fscanf(file, "%ld", &result) != 1)
        result = 0;
    fclose(file);
    return result;
}

int clock_gettime(clockid_t clock, struct timespec *time)
{
    int status = (int)syscall(SYS_clock_gettime, clock, time);

    if (status == 0 && clock != CLOCK_REALTIME && clock != CLOCK_REALTIME_COARSE)
        time->tv_sec += offset();
    return status;
}
