/* arena.c - blocks that grow geometrically, up to ARENA_KEEP_MAX at a time, and go back together. */
#include "base/arena.h"

#include <assert.h>
#include <string.h>

#include "base/memory.h"

/* Its size is a multiple of the largest alignment, so that the bytes behind it are aligned for everything. Merging
 * two blocks frees one header, which is more than a different alignment in the merged block can cost. */
struct arena_block {
    alignas(max_align_t) struct arena_block *older;
    size_t len; /* header included */
};

#define UNIT    alignof(max_align_t)
#define LEN_MAX (SIZE_MAX / 2)

static void hide(const void *at, size_t len)
{
#ifdef ARENA_ASAN
    __asan_poison_memory_region(at, len);
#else
    (void)at, (void)len;
#endif
}

static void *arena_refuse(struct tn_arena *arena)
{
    arena->failed = true;
    arena->end    = arena->next; /* so that arena_take comes here again */
    return NULL;
}

static void free_blocks(struct tn_arena *arena, struct arena_block *block)
{
    while (block) {
        struct arena_block *older = block->older;

        tn_arena_show_(block, block->len);
        tn_memory_free(&arena->memory, block, block->len);
        block = older;
    }
}

/* The only block from now on, `len` bytes long if the allocator agrees. */
static void keep_block(struct tn_arena *arena, struct arena_block *block, size_t len)
{
    if (block->len != len) {
        struct arena_block *resized;

        tn_arena_show_(block, block->len);
        resized = arena->memory.resize(arena->memory.user, block, block->len, len);
        if (resized) {
            block      = resized;
            block->len = len;
        }
    }
    block->older  = NULL;
    arena->newest = block;
    arena->used   = block->len;
    arena->next   = (char *)(block + 1);
    arena->end    = (char *)block + block->len;
    hide(arena->next, block->len - sizeof *block);
}

static size_t left_of(const struct tn_arena *arena)
{
    return (arena->max - arena->used) / UNIT * UNIT;
}

/* How long a block is that holds `len` bytes and no more; 0 when the arena may not have it. */
static size_t need_of(const struct tn_arena *arena, size_t len)
{
    size_t need;

    if (len > LEN_MAX)
        return 0;
    need = (sizeof(struct arena_block) + len + ARENA_GAP + UNIT - 1) / UNIT * UNIT;
    return need <= left_of(arena) ? need : 0;
}

/* How long a block is to be that must hold `len` bytes. */
static size_t block_len(const struct tn_arena *arena, size_t len)
{
    size_t left = left_of(arena), need = need_of(arena, len), step;

    if (need == 0)
        return 0;
    step = arena->used < ARENA_BLOCK_MIN ? ARENA_BLOCK_MIN : arena->used;
    step = step > ARENA_KEEP_MAX ? ARENA_KEEP_MAX : step;
    step = step > left ? left : step;
    return need > step ? need : step;
}

void tn_arena_init(struct tn_arena *arena, const tenon_allocator *memory, size_t max)
{
    *arena = (struct tn_arena){ .memory = tn_memory_of(memory), .max = max ? max : SIZE_MAX };
}

/* What the round needed, unless it was only the first of many small ones to find a large block there. */
static size_t worth_keeping(const struct tn_arena *arena)
{
    size_t needed = arena->used - (size_t)(arena->end - arena->next);

    if (arena->used <= ARENA_KEEP_MAX)
        return arena->used;
    if (needed < arena->used / 4)
        return ARENA_KEEP_MAX;
    return arena->used < ARENA_BUSY_MAX ? arena->used : ARENA_BUSY_MAX;
}

void tn_arena_reset(struct tn_arena *arena)
{
    struct arena_block *newest = arena->newest;
    size_t              keep;

    arena->failed = false;
    if (!newest)
        return;
    keep = worth_keeping(arena);
    free_blocks(arena, newest->older);
    keep_block(arena, newest, keep);
}

/* Of a block everything that was handed out; of the newest that ends where the next allocation begins. Only this block is
 * filled in part: an older one was left because it was full, or nearly. */
static void scrub(const struct tn_arena *arena)
{
    for (struct arena_block *block = arena->newest; block; block = block->older) {
        char  *from = (char *)(block + 1);
        size_t len  = block == arena->newest ? (size_t)(arena->next - from) : block->len - sizeof *block;

        tn_arena_show_(from, len);
        tn_memory_scrub(from, len);
    }
}

void tn_arena_rest(struct tn_arena *arena, size_t keep)
{
    scrub(arena);
    if (arena->used > keep)
        tn_arena_free(arena);
    else
        tn_arena_reset(arena);
}

void tn_arena_free(struct tn_arena *arena)
{
    free_blocks(arena, arena->newest);
    *arena = (struct tn_arena){ .memory = arena->memory, .max = arena->max };
}

/* A newest block of `size` bytes, its header included; NULL when it is refused. */
static struct arena_block *add_block(struct tn_arena *arena, size_t size)
{
    struct arena_block *block = size > 0 ? tn_memory_new(&arena->memory, size) : NULL;

    if (!block)
        return arena_refuse(arena);
    assert((uintptr_t)block % UNIT == 0);
    *block        = (struct arena_block){ .older = arena->newest, .len = size };
    arena->newest = block;
    arena->used += size;
    arena->next = (char *)(block + 1);
    arena->end  = (char *)block + size;
    return block;
}

void tn_arena_begin(struct tn_arena *arena, size_t len)
{
    size_t need = need_of(arena, len);

    assert(!arena->newest && !arena->failed);
    if (add_block(arena, need))
        hide(arena->next, need - sizeof(struct arena_block));
}

void *tn_arena_grow_(struct tn_arena *arena, size_t len, size_t align)
{
    struct arena_block *block;
    char               *at;

    assert(align > 0 && (align & (align - 1)) == 0 && align <= UNIT);
    (void)align; /* the start of a block is aligned for everything */
    if (arena->failed)
        return NULL;
    block = add_block(arena, block_len(arena, len));
    if (!block)
        return NULL;
    at          = (char *)(block + 1);
    arena->next = at + len + ARENA_GAP;
    hide(at + len, (size_t)(arena->end - at) - len);
    return at;
}

void *tn_arena_zero(struct tn_arena *arena, size_t count, size_t len, size_t align)
{
    void *at;

    if (len > 0 && count > LEN_MAX / len)
        return arena_refuse(arena);
    at = tn_arena_take(arena, count * len, align);
    return at ? memset(at, 0, count * len) : NULL;
}

void *tn_arena_resize(struct tn_arena *arena, void *block, size_t old_len, size_t new_len)
{
    char *at = block;
    char *copy;

    assert(at || old_len == 0);
    if (arena->failed)
        return NULL;
    if (at && at + old_len + ARENA_GAP == arena->next && new_len <= (size_t)(arena->end - at) - ARENA_GAP) {
        arena->next = at + new_len + ARENA_GAP;
        if (new_len > old_len)
            tn_arena_show_(at, new_len);
        else
            hide(at + new_len, old_len - new_len);
        return at;
    }
    if (at && new_len <= old_len) {
        hide(at + new_len, old_len - new_len);
        return at;
    }
    copy = tn_arena_take(arena, new_len, UNIT);
    if (copy && at) {
        memcpy(copy, at, old_len);
        hide(at, old_len);
    }
    return copy;
}

char *tn_arena_copy(struct tn_arena *arena, const char *at, size_t len)
{
    char *copy = len < LEN_MAX ? tn_arena_take(arena, len + 1, 1) : arena_refuse(arena);

    if (!copy)
        return NULL;
    if (len)
        memcpy(copy, at, len);
    copy[len] = '\0';
    return copy;
}
