/* memory.c - the allocator of the caller's, or malloc. */
#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

static void *resize_with_malloc(void *user, void *block, size_t old_len, size_t new_len)
{
    (void)user, (void)old_len;
    if (new_len == 0) {
        free(block);
        return NULL;
    }
    return realloc(block, new_len);
}

tenon_allocator memory_of(const tenon_allocator *wanted)
{
    if (wanted && wanted->resize)
        return *wanted;
    return (tenon_allocator){ .resize = resize_with_malloc };
}

void *memory_new(const tenon_allocator *from, size_t len)
{
    assert(from && from->resize);
    return from->resize(from->user, NULL, 0, len ? len : 1);
}

void memory_free(const tenon_allocator *from, void *block, size_t len)
{
    assert(from && from->resize);
    if (block)
        from->resize(from->user, block, len ? len : 1, 0);
}

void memory_trim(void)
{
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}
