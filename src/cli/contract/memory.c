/* memory.c - reads /proc: resident pages that are not shared, down a tree of processes that has a bound. */
#define _GNU_SOURCE
#include "cli/contract/memory.h"

#include <stdio.h>
#include <unistd.h>

#define TREE_MAX   64 /* processes */
#define TREE_DEPTH 8

static int64_t resident(int process)
{
    char      path[64];
    FILE     *file;
    long long size, pages = 0, shared = 0;

    snprintf(path, sizeof path, "/proc/%d/statm", process);
    file = fopen(path, "re");
    if (!file)
        return 0;
    if (fscanf(file, "%lld %lld %lld", &size, &pages, &shared) != 3)
        pages = shared = 0;
    fclose(file);
    return (int64_t)(pages - shared) * sysconf(_SC_PAGESIZE);
}

static int64_t add_children(int process, int depth, int *left)
{
    char    path[64];
    FILE   *file;
    int64_t sum = 0;
    int     child;

    snprintf(path, sizeof path, "/proc/%d/task/%d/children", process, process);
    file = depth<TREE_DEPTH && * left> 0 ? fopen(path, "re") : NULL;
    while (file && --*left > 0 && fscanf(file, "%d", &child) == 1)
        sum += resident(child) + add_children(child, depth + 1, left);
    if (file)
        fclose(file);
    return sum;
}

int64_t memory_of_tree(int process)
{
    int left = TREE_MAX;

    return resident(process) + add_children(process, 0, &left);
}

int64_t memory_of_children(void)
{
    int left = TREE_MAX;

    return add_children(getpid(), 0, &left);
}
