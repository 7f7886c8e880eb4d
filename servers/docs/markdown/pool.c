/* pool.c - memory for cmark. */
#include "docs/markdown/pool.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK_ROOM ((size_t)256 << 10)
#define ALIGNMENT  _Alignof(max_align_t)

struct block {
    struct block *next;
    size_t        room, used;
    max_align_t   at[];
};

/* In front of everything given out, for realloc. */
union header {
    size_t      len;
    max_align_t aligned;
};

struct pool {
    struct block *blocks;
    size_t        taken;
    jmp_buf       refused;
};

static _Thread_local struct pool *pool;

static _Noreturn void refuse(void)
{
    longjmp(pool->refused, 1);
}

static void *take(size_t len)
{
    struct block *block = pool->blocks;
    union header *header;
    size_t        whole;

    if (len > MDPOOL_MAX)
        refuse();
    whole = (sizeof *header + len + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (!block || block->room - block->used < whole) {
        size_t room = whole > BLOCK_ROOM ? whole : BLOCK_ROOM;

        if (room > MDPOOL_MAX - pool->taken)
            refuse();
        block = malloc(sizeof *block + room);
        if (!block)
            refuse();
        *block       = (struct block){ .next = pool->blocks, .room = room };
        pool->blocks = block;
        pool->taken += room;
    }
    header      = (union header *)((char *)block->at + block->used);
    header->len = len;
    block->used += whole;
    return header + 1;
}

static void *pool_calloc(size_t count, size_t len)
{
    void *block;

    if (len > 0 && count > MDPOOL_MAX / len)
        refuse();
    block = take(count * len);
    memset(block, 0, count * len);
    return block;
}

static void *pool_realloc(void *old, size_t len)
{
    size_t old_len = old ? ((union header *)old - 1)->len : 0;
    void  *block;

    if (len <= old_len)
        return old;
    block = take(len);
    if (old_len > 0)
        memcpy(block, old, old_len);
    return block;
}

static void pool_free(void *block)
{
    (void)block; /* with all others, at the end */
}

bool mdpool_run(void (*work)(void *user, cmark_mem *memory), void *user)
{
    cmark_mem     memory = { pool_calloc, pool_realloc, pool_free };
    struct pool   own    = { 0 };
    struct block *next;
    volatile bool done = false;

    pool = &own;
    if (setjmp(own.refused) == 0) {
        work(user, &memory);
        done = true;
    }
    pool = NULL;
    for (struct block *block = own.blocks; block; block = next) {
        next = block->next;
        free(block);
    }
    return done;
}
