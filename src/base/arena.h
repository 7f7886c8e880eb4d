/* arena.h - memory that is freed all at once.
 *
 * A call allocates from its arena and nothing inside it is freed alone. arena_reset() keeps what the last round
 * needed as one block (up to ARENA_KEEP_MAX), so that a call that is like the one before allocates nothing.
 * A refusal is sticky: `failed` stays true until the reset, and every later allocation returns NULL.
 */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stdalign.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tenon/base.h>

#define ARENA_BLOCK_MIN ((size_t)4096)
#define ARENA_KEEP_MAX  ((size_t)1 << 20)

struct arena_block; /* a header, then its bytes */

struct arena {
    char               *next, *end; /* what is free in the newest block */
    struct arena_block *newest;
    tenon_allocator     memory;
    size_t              used; /* bytes in older blocks and this one */
    size_t              max;  /* of all blocks together */
    bool                failed;
};

/* An arena that never holds more than `max` bytes (0: no bound of its own). It allocates nothing yet. */
void arena_init(struct arena *arena, const tenon_allocator *memory, size_t max);
void arena_reset(struct arena *arena);
void arena_free(struct arena *arena);

void *arena_grow_(struct arena *arena, size_t len, size_t align);

/* Uninitialised bytes, aligned for `align` (a power of two up to alignof(max_align_t)); NULL when refused. */
static inline void *arena_take(struct arena *arena, size_t len, size_t align)
{
    size_t pad = (size_t)(-(uintptr_t)arena->next & (align - 1));

    if (pad + len <= (size_t)(arena->end - arena->next) && len <= SIZE_MAX - pad && arena->next) {
        char *at    = arena->next + pad;
        arena->next = at + len;
        return at;
    }
    return arena_grow_(arena, len, align);
}

/* Like arena_take for an array, zeroed; refuses when count * len overflows. */
void *arena_zero(struct arena *arena, size_t count, size_t len, size_t align);

#define arena_new(arena, T)          ((T *)arena_zero((arena), 1, sizeof(T), alignof(T)))
#define arena_array(arena, count, T) ((T *)arena_zero((arena), (count), sizeof(T), alignof(T)))

/* Makes `block`, of `old_len` bytes, `new_len` bytes long: in place when it is the newest, else as a copy. */
void *arena_resize(struct arena *arena, void *block, size_t old_len, size_t new_len);

/* A copy with a NUL behind it. */
char *arena_copy(struct arena *arena, const char *at, size_t len);

#endif
