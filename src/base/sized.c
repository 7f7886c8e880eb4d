/* sized.c - reading structs up to the smaller size. */
#include "base/sized.h"

#include <stdalign.h>
#include <stddef.h>
#include <string.h>

bool tn_sized_zero(const void *at, size_t len)
{
    const unsigned char *byte = at;

    return len == 0 ||
           (byte[0] == 0 && memcmp(byte, byte + 1, len - 1) == 0); /* each is as the one before it */
}

bool tn_sized_read(void *own, size_t own_size, const void *given, size_t given_size)
{
    size_t both = given_size < own_size ? given_size : own_size;

    memset(own, 0, own_size);
    memcpy(own, given, both);
    return tn_sized_zero((const char *)given + both, given_size - both);
}

const void *tn_sized_table(struct tn_arena *arena, const void *given, size_t count, size_t given_size,
                           size_t own_size, const void **unknown)
{
    const char *from = given;
    char       *own;

    *unknown = NULL;
    if (given_size == own_size)
        return given;
    own = tn_arena_zero(arena, count, own_size, alignof(max_align_t));
    for (size_t i = 0; own && i < count; i++)
        if (!tn_sized_read(own + i * own_size, own_size, from + i * given_size, given_size)) {
            *unknown = from + i * given_size;
            return NULL;
        }
    return own;
}
