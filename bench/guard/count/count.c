/* count.c - loaded before a program (LD_PRELOAD), counts what it allocates, and what of that is alive. COUNT_FILE has both numbers,
 * at any time; others may read it while the program runs.
 *
 * bench/guard/run and tests/guard_lean build it as a library of its own. The servers of a guard have another environment, and are
 * not counted.
 */
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

extern void *__libc_malloc(size_t len);
extern void *__libc_calloc(size_t count, size_t len);
extern void *__libc_realloc(void *block, size_t len);
extern void  __libc_free(void *block);

struct counts {
    atomic_ulong allocations, alive;
};

static struct counts  early; /* before there is a file */
static struct counts *counts = &early;

static void *counted(void *block, int born)
{
    atomic_fetch_add_explicit(&counts->allocations, 1, memory_order_relaxed);
    if (block && born)
        atomic_fetch_add_explicit(&counts->alive, 1, memory_order_relaxed);
    return block;
}

void *malloc(size_t len)
{
    return counted(__libc_malloc(len), 1);
}

void *calloc(size_t items, size_t len)
{
    return counted(__libc_calloc(items, len), 1);
}

void *realloc(void *block, size_t len)
{
    return counted(__libc_realloc(block, len), block == NULL);
}

void free(void *block)
{
    if (block)
        atomic_fetch_sub_explicit(&counts->alive, 1, memory_order_relaxed);
    __libc_free(block);
}

__attribute__((constructor)) static void open_file(void)
{
    const char *path = getenv("COUNT_FILE");
    int         fd   = path ? open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600) : -1;
    void       *at;

    if (fd < 0)
        return;
    at = ftruncate(fd, sizeof *counts)
             ? MAP_FAILED
             : mmap(NULL, sizeof *counts, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if (at == MAP_FAILED)
        return;
    ((struct counts *)at)->allocations = early.allocations;
    ((struct counts *)at)->alive       = early.alive;
    counts                             = at;
}
