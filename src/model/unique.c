/* unique.c - is anything in a list twice? All with all when there are few, else a table that is half empty.
 *
 * The keys are a caller's, who could choose them to fall into one place of a table whose hash is known. So the hash
 * has a key of its own each time.
 */
#include "model/unique.h"

#include <string.h>

#include <sodium.h>

#define FEW ((size_t)16)

static size_t find_among_few(const struct tn_slice *keys, size_t count)
{
    for (size_t i = 1; i < count; i++)
        for (size_t k = 0; k < i; k++)
            if (tn_slice_same(keys[i], keys[k]))
                return i;
    return count;
}

static size_t hash(const unsigned char *secret, struct tn_slice key)
{
    unsigned char out[crypto_shorthash_BYTES];
    uint64_t      bits;

    crypto_shorthash(out, (const unsigned char *)key.at, key.len, secret);
    memcpy(&bits, out, sizeof bits);
    return (size_t)bits;
}

size_t tn_unique_find(struct tn_arena *arena, const struct tn_slice *keys, size_t count)
{
    size_t        room = FEW * 4;
    uint32_t     *slots; /* an index plus one, or 0 */
    unsigned char secret[crypto_shorthash_KEYBYTES];

    if (count <= FEW)
        return find_among_few(keys, count);
    while (room / 2 < count && room <= UINT32_MAX / 2)
        room *= 2;
    slots = room / 2 < count ? NULL : tn_arena_array(arena, room, uint32_t);
    if (!slots) {
        arena->failed = true;
        return count;
    }
    randombytes_buf(secret, sizeof secret);
    for (size_t i = 0; i < count; i++) {
        size_t at = hash(secret, keys[i]) & (room - 1);

        for (; slots[at]; at = (at + 1) & (room - 1))
            if (tn_slice_same(keys[i], keys[slots[at] - 1]))
                return i;
        slots[at] = (uint32_t)(i + 1);
    }
    return count;
}
