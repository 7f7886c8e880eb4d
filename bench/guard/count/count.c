/* count.c - loaded before a program (LD_PRELOAD), counts what it allocates; COUNT_FILE gets the number at its end.
 *
 * bench/guard/run builds it as a library of its own, and takes the difference of two runs.
 */
#include <stdio.h>
#include <stdlib.h>

extern void *__libc_malloc(size_t len);
extern void *__libc_calloc(size_t count, size_t len);
extern void *__libc_realloc(void *block, size_t len);

static unsigned long count;

void *malloc(size_t len)
{
    count++;
    return __libc_malloc(len);
}

void *calloc(size_t items, size_t len)
{
    count++;
    return __libc_calloc(items, len);
}

void *realloc(void *block, size_t len)
{
    count++;
    return __libc_realloc(block, len);
}

__attribute__((destructor)) static void write_count(void)
{
    const char *path = getenv(
        "COUNT_FILE"); /* of the guard's children it is not: they have another environment */
    FILE *file = path ? fopen(path, "a") : NULL;

    if (!file)
        return;
    fprintf(file, "%lu\n", count);
    fclose(file);
}
