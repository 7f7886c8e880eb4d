/* unique.c - is anything in a list twice? All with all when there are few, else a table that is half empty.
 * The keys are a caller's: their hash is the one that cannot be aimed at. */
#include "model/unique.h"

#include "base/table.h"

#define FEW ((size_t)16)

static size_t find_among_few(const struct tn_slice *keys, size_t count)
{
    for (size_t i = 1; i < count; i++)
        for (size_t k = 0; k < i; k++)
            if (tn_slice_same(keys[i], keys[k]))
                return i;
    return count;
}

size_t tn_unique_find(struct tn_arena *arena, const struct tn_slice *keys, size_t count)
{
    size_t    room = FEW * 4;
    uint32_t *slots; /* an index plus one, or 0 */

    if (count <= FEW)
        return find_among_few(keys, count);
    while (room / 2 < count && room <= UINT32_MAX / 2)
        room *= 2;
    slots = room / 2 < count ? NULL : tn_arena_array(arena, room, uint32_t);
    if (!slots) {
        arena->failed = true;
        return count;
    }
    for (size_t i = 0; i < count; i++) {
        size_t at = (size_t)tn_table_hash(keys[i]) & (room - 1);

        for (; slots[at]; at = (at + 1) & (room - 1))
            if (tn_slice_same(keys[i], keys[slots[at] - 1]))
                return i;
        slots[at] = (uint32_t)(i + 1);
    }
    return count;
}

/* Do they differ in their lengths, or at their ends? Then they need not be compared; most objects have few names, all of
 * which do. */
static bool differ_at_a_glance(yyjson_val *object)
{
    yyjson_obj_iter iter = yyjson_obj_iter_with(object);
    uint64_t        seen = 0;
    yyjson_val     *key;

    while ((key = yyjson_obj_iter_next(&iter))) {
        size_t               len  = unsafe_yyjson_get_len(key);
        const unsigned char *text = (const unsigned char *)unsafe_yyjson_get_str(key);
        uint64_t             mark = UINT64_C(1) << (len > 0 ? 7 * len + 3 * text[0] + text[len - 1] : 0) % 64;

        if (seen & mark)
            return false;
        seen |= mark;
    }
    return true;
}

yyjson_val *tn_unique_key(struct tn_arena *arena, yyjson_val *object)
{
    size_t           count = yyjson_obj_size(object), i = 0;
    struct tn_slice *keys;
    yyjson_obj_iter  iter;
    yyjson_val      *key;

    if (count <= FEW && differ_at_a_glance(object))
        return NULL;
    keys = tn_arena_take(arena, count * sizeof *keys, alignof(struct tn_slice));
    if (!keys)
        return NULL;
    yyjson_obj_iter_init(object, &iter);
    while ((key = yyjson_obj_iter_next(&iter)))
        keys[i++] = (struct tn_slice){ yyjson_get_str(key), yyjson_get_len(key) };
    i = tn_unique_find(arena, keys, count);
    yyjson_obj_iter_init(object, &iter);
    key = NULL;
    for (size_t j = 0; i < count && j <= i; j++)
        key = yyjson_obj_iter_next(&iter);
    return key;
}

/* The values of a document follow each other, so that one pass sees every object. */
yyjson_val *tn_unique_key_within(struct tn_arena *arena, yyjson_val *root)
{
    yyjson_val *end = unsafe_yyjson_get_next(root), *key = NULL;

    for (yyjson_val *at = root; at < end && !key; at++)
        if (unsafe_yyjson_is_obj(at) && unsafe_yyjson_get_len(at) > 1)
            key = tn_unique_key(arena, at);
    return key;
}
