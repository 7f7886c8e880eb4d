/* sized.h - structs of a program that was compiled with older or newer headers than this library.
 *
 * Members are only ever added at the end, and zero means that one is not given. So what only the library knows is zero,
 * and what only the program knows must be zero: else it asks for something that this library cannot do.
 */
#ifndef BASE_SIZED_H
#define BASE_SIZED_H

#include "base/arena.h"

bool tn_sized_zero(const void *at, size_t len);

/* Reads what both know into `own`. False when the program's struct has more than that. */
bool tn_sized_read(void *own, size_t own_size, const void *given, size_t given_size);

/* The same for a table, which is returned as it is when the sizes are equal, else as a copy. NULL when memory was refused,
 * and when an entry has more than this library knows, which `*unknown` then points to. */
const void *tn_sized_table(struct tn_arena *arena, const void *given, size_t count, size_t given_size,
                           size_t own_size, const void **unknown);

#endif
