/* memory.h - where all memory comes from: an allocator of the caller's, or malloc. */
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include <tenon/base.h>

/* The allocator to use for `wanted`, which may be NULL or zero: malloc then. */
tenon_allocator tn_memory_of(const tenon_allocator *wanted);

/* `from` comes from tn_memory_of(). NULL when refused. A zero `len` is asked for as one byte, so that NULL always
 * means refusal. Freeing NULL does nothing. */
void *tn_memory_new(const tenon_allocator *from, size_t len);
void  tn_memory_free(const tenon_allocator *from, void *block, size_t len);

/* Of a length that is known where it is called, compilers make one instruction for it, which takes long to begin. */
void tn_memory_zero(void *at, size_t len);

/* Overwrites what may have been a secret. */
void tn_memory_scrub(void *at, size_t len);

/* A block of `new_len` bytes with the first `used` of the old one, which is overwritten and freed; NULL when refused, and the
 * old one then stays as it was. For what may hold a secret: an allocator that moves a block leaves a copy behind. */
void *tn_memory_move(const tenon_allocator *from, void *block, size_t old_len, size_t used, size_t new_len);

#endif
