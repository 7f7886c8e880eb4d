/* arena.h - memory that is freed all at once.
 *
 * A call allocates from its arena and nothing inside it is freed alone. tn_arena_reset() keeps what the last round
 * needed as one block, so that a call that is like the one before allocates nothing: up to ARENA_KEEP_MAX in any
 * case, up to ARENA_BUSY_MAX as long as rounds need a good part of it.
 * A refusal is sticky: `failed` stays true until the reset, and every later allocation returns NULL.
 *
 * With AddressSanitizer everything that is not handed out is poisoned, and a gap follows every allocation, so that
 * an overrun and a use after the reset are reported like those of malloc.
 */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stdalign.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tenon/base.h>

#if defined(__SANITIZE_ADDRESS__)
#define ARENA_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ARENA_ASAN 1
#endif
#endif

#ifdef ARENA_ASAN
#include <sanitizer/asan_interface.h>
#define ARENA_GAP ((size_t)8) /* a granule: the byte behind an allocation is always poisoned */
#else
#define ARENA_GAP ((size_t)0)
#endif

#define ARENA_BLOCK_MIN ((size_t)4096)
#define ARENA_KEEP_MAX  ((size_t)1 << 20)
#define ARENA_BUSY_MAX  ((size_t)16 << 20)

struct arena_block; /* a header, then its bytes */

struct tn_arena {
    char               *next, *end; /* what is free in the newest block; both NULL before the first */
    struct arena_block *newest;
    tenon_allocator     memory;
    size_t              used; /* bytes in all blocks, their headers included */
    size_t              max;  /* of `used` */
    bool                failed;
};

/* An arena that never holds more than `max` bytes (0: no bound of its own). It allocates nothing yet. */
void tn_arena_init(struct tn_arena *arena, const tenon_allocator *memory, size_t max);
void tn_arena_reset(struct tn_arena *arena);

/* Makes an arena that holds nothing ready for `len` bytes, in a block of that length and no longer: for what stays, and whose
 * length is known. A refusal is noted as any other. */
void tn_arena_begin(struct tn_arena *arena, size_t len);

/* As tn_arena_reset(), for an arena that now rests: what it held, secrets among it, is overwritten, and at most `keep` bytes
 * stay its own. */
void tn_arena_rest(struct tn_arena *arena, size_t keep);

/* Gives everything back. The arena may be used again, as after arena_init. */
void tn_arena_free(struct tn_arena *arena);

void *tn_arena_grow_(struct tn_arena *arena, size_t len, size_t align);

static inline void tn_arena_show_(const void *at, size_t len)
{
#ifdef ARENA_ASAN
    __asan_unpoison_memory_region(at, len);
#else
    (void)at, (void)len;
#endif
}

/* Uninitialised bytes, aligned for `align` (a power of two up to alignof(max_align_t)); NULL when refused. */
static inline void *tn_arena_take(struct tn_arena *arena, size_t len, size_t align)
{
    size_t room = (size_t)((uintptr_t)arena->end - (uintptr_t)arena->next);
    size_t lost = (size_t)(-(uintptr_t)arena->next & (align - 1)) + ARENA_GAP;

    if (lost < room && len <= room - lost) {
        char *at    = arena->next + (lost - ARENA_GAP);
        arena->next = at + len + ARENA_GAP;
        tn_arena_show_(at, len);
        return at;
    }
    return tn_arena_grow_(arena, len, align);
}

/* Like arena_take for an array, zeroed; refuses when count * len overflows. */
void *tn_arena_zero(struct tn_arena *arena, size_t count, size_t len, size_t align);

#define tn_arena_new(arena, T)          ((T *)tn_arena_zero((arena), 1, sizeof(T), alignof(T)))
#define tn_arena_array(arena, count, T) ((T *)tn_arena_zero((arena), (count), sizeof(T), alignof(T)))

/* Makes `block`, of `old_len` bytes (or NULL and 0), `new_len` bytes long: in place when it is the newest or gets
 * shorter, else as a copy that is aligned for everything. NULL when refused; `block` then stays as it was. */
void *tn_arena_resize(struct tn_arena *arena, void *block, size_t old_len, size_t new_len);

/* A copy with a NUL behind it. `at` may be NULL when `len` is 0. */
char *tn_arena_copy(struct tn_arena *arena, const char *at, size_t len);

#endif
