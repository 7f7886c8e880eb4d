/* memory.c - the allocator of the caller's, or malloc. */
#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static void *resize_with_malloc(void *user, void *block, size_t old_len, size_t new_len)
{
    (void)user, (void)old_len;
    if (new_len == 0) {
        free(block);
        return NULL;
    }
    return realloc(block, new_len);
}

tenon_allocator tn_memory_of(const tenon_allocator *wanted)
{
    if (wanted && wanted->resize)
        return *wanted;
    return (tenon_allocator){ .resize = resize_with_malloc };
}

void *tn_memory_new(const tenon_allocator *from, size_t len)
{
    assert(from && from->resize);
    return from->resize(from->user, NULL, 0, len ? len : 1);
}

void tn_memory_free(const tenon_allocator *from, void *block, size_t len)
{
    assert(from && from->resize);
    if (block)
        from->resize(from->user, block, len ? len : 1, 0);
}

void tn_memory_zero(void *at, size_t len)
{
    memset(at, 0, len);
}

#define SCRUB_STEP ((size_t)1024)

/* In steps that the C library clears with plain stores: a longer run begins with a string instruction, which takes its time
 * to start, and which valgrind counts byte by byte. */
void tn_memory_scrub(void *at, size_t len)
{
    char *to = at;

    for (; len > SCRUB_STEP; to += SCRUB_STEP, len -= SCRUB_STEP)
        memset(to, 0, SCRUB_STEP);
    if (len > 0)
        memset(to, 0, len);
}

void *tn_memory_move(const tenon_allocator *from, void *block, size_t old_len, size_t used, size_t new_len)
{
    void *made = tn_memory_new(from, new_len);

    assert(used <= old_len && used <= new_len);
    if (!made)
        return NULL;
    if (used > 0) {
        memcpy(made, block, used);
        tn_memory_scrub(block, used);
    }
    tn_memory_free(from, block, old_len);
    return made;
}
