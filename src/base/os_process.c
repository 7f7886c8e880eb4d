/* os_process.c - what /proc says about this process, and glibc's allocator. */
#define _GNU_SOURCE
#include <limits.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/os.h"

bool tn_os_program(char *path, size_t size)
{
    char whole[PATH_MAX];

    if (!realpath("/proc/self/exe", whole) || strlen(whole) >= size)
        return false;
    memcpy(path, whole, strlen(whole) + 1);
    return true;
}

uint32_t tn_os_memory_kib(void)
{
    unsigned long pages = 0;
    FILE         *file  = fopen("/proc/self/statm", "re");

    if (!file)
        return 0;
    if (fscanf(file, "%*u %lu", &pages) != 1)
        pages = 0;
    fclose(file);
    return (uint32_t)(pages * (unsigned long)sysconf(_SC_PAGESIZE) / 1024);
}

void tn_os_memory_trim(void)
{
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}
