/* json_equal.c - equality of JSON values.
 *
 * Where a hash alone would do for honest values, hostile ones could share it and make every pair be compared. So
 * values are ordered by their hash and then by an order of their own that is total, and sorting puts equals side by
 * side whatever the hash does. The order of two objects is that of their members, sorted in the same way.
 */
#include "model/json_equal.h"

#include <string.h>

#include "text/decimal.h"

#define HASH_MULTIPLIER UINT64_C(0x9E3779B97F4A7C15)
#define FEW             16 /* entries that need no arena */

struct entry {
    uint64_t    hash;
    yyjson_val *value;
};

static int compare_values(struct tn_arena *arena, yyjson_val *a, yyjson_val *b);

static uint64_t json_equal_mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * HASH_MULTIPLIER;
    return hash ^ hash >> 29;
}

static uint64_t hash_text(const char *at, size_t len)
{
    uint64_t hash = json_equal_mix(YYJSON_TYPE_STR, len), word;

    for (; len >= sizeof word; at += sizeof word, len -= sizeof word) {
        memcpy(&word, at, sizeof word);
        hash = json_equal_mix(hash, word);
    }
    word = 0;
    memcpy(&word, at, len);
    return json_equal_mix(hash, word);
}

static uint64_t hash_array(yyjson_val *array)
{
    yyjson_arr_iter items = yyjson_arr_iter_with(array);
    uint64_t        hash  = YYJSON_TYPE_ARR;
    yyjson_val     *item;

    while ((item = yyjson_arr_iter_next(&items)))
        hash = json_equal_mix(hash, tn_json_equal_hash(item));
    return json_equal_mix(hash, yyjson_arr_size(array));
}

/* A sum, so that the order of the members does not count. */
static uint64_t hash_object(yyjson_val *object)
{
    yyjson_obj_iter members = yyjson_obj_iter_with(object);
    uint64_t        sum     = 0;
    yyjson_val     *key;

    while ((key = yyjson_obj_iter_next(&members)))
        sum += json_equal_mix(tn_json_equal_hash(key), tn_json_equal_hash(yyjson_obj_iter_get_val(key)));
    return json_equal_mix(json_equal_mix(YYJSON_TYPE_OBJ, sum), yyjson_obj_size(object));
}

uint64_t tn_json_equal_hash(yyjson_val *value)
{
    switch (yyjson_get_type(value)) {
    case YYJSON_TYPE_NUM:
    case YYJSON_TYPE_RAW: return json_equal_mix(YYJSON_TYPE_NUM, tn_decimal_hash(value));
    case YYJSON_TYPE_STR: return hash_text(unsafe_yyjson_get_str(value), unsafe_yyjson_get_len(value));
    case YYJSON_TYPE_ARR: return hash_array(value);
    case YYJSON_TYPE_OBJ: return hash_object(value);
    case YYJSON_TYPE_BOOL: return json_equal_mix(YYJSON_TYPE_BOOL, unsafe_yyjson_get_bool(value));
    default: return json_equal_mix(YYJSON_TYPE_NULL, 0);
    }
}

/* Never 0 of two different entries: equals lie as in their document. */
static int compare_entries(struct tn_arena *arena, const struct entry *a, const struct entry *b)
{
    int order;

    if (a->hash != b->hash)
        return a->hash < b->hash ? -1 : 1;
    order = compare_values(arena, a->value, b->value);
    return order ? order : (a->value > b->value) - (a->value < b->value);
}

/* Lets the entry at `top` sink to its place in a heap whose largest is first. */
static void json_equal_sink(struct tn_arena *arena, struct entry *entries, size_t count, size_t top)
{
    struct entry sinking = entries[top];

    for (size_t child; (child = 2 * top + 1) < count; top = child) {
        if (child + 1 < count && compare_entries(arena, &entries[child], &entries[child + 1]) < 0)
            child++;
        if (compare_entries(arena, &sinking, &entries[child]) >= 0)
            break;
        entries[top] = entries[child];
    }
    entries[top] = sinking;
}

/* Heapsort: n log n whatever comes, in place. */
static void sort(struct tn_arena *arena, struct entry *entries, size_t count)
{
    for (size_t top = count / 2; top-- > 0;)
        json_equal_sink(arena, entries, count, top);
    while (count > 1) {
        struct entry largest = entries[0];

        entries[0]     = entries[--count];
        entries[count] = largest;
        json_equal_sink(arena, entries, count, 0);
    }
}

/* `few`, or memory from the arena when there are more. */
static struct entry *take_entries(struct tn_arena *arena, struct entry few[], size_t count)
{
    return count <= FEW ? few : tn_arena_array(arena, count, struct entry);
}

/* Gives back what only this comparison needed. */
static void drop_entries(struct tn_arena *arena, struct entry *entries, size_t count)
{
    if (count > FEW)
        tn_arena_resize(arena, entries, count * sizeof *entries, 0);
}

/* `key` and the keys behind it, in the order of same entries. */
static void sort_keys(struct tn_arena *arena, struct entry *entries, size_t count, yyjson_val *key)
{
    for (size_t i = 0; i < count; i++) {
        entries[i] = (struct entry){ tn_json_equal_hash(key), key };
        key        = unsafe_yyjson_get_next(key + 1);
    }
    sort(arena, entries, count);
}

static int compare_members(struct tn_arena *arena, yyjson_val *a, yyjson_val *b, size_t count)
{
    struct entry  few[FEW];
    struct entry *x = take_entries(arena, few, count * 2);
    struct entry *y;
    int           order = 0;

    if (!x)
        return 1; /* the arena has failed, which the caller sees */
    y = x + count;
    sort_keys(arena, x, count, a);
    sort_keys(arena, y, count, b);
    for (size_t i = 0; i < count && order == 0; i++) {
        order = (x[i].hash > y[i].hash) - (x[i].hash < y[i].hash);
        if (order == 0)
            order = compare_values(arena, x[i].value, y[i].value);
    }
    for (size_t i = 0; i < count && order == 0; i++)
        order = compare_values(arena, x[i].value + 1, y[i].value + 1);
    drop_entries(arena, x, count * 2);
    return order;
}

static int compare_arrays(struct tn_arena *arena, yyjson_val *a, yyjson_val *b)
{
    yyjson_arr_iter x = yyjson_arr_iter_with(a), y = yyjson_arr_iter_with(b);
    int             order = 0;

    while (order == 0 && yyjson_arr_iter_has_next(&x))
        order = compare_values(arena, yyjson_arr_iter_next(&x), yyjson_arr_iter_next(&y));
    return order;
}

static int compare_texts(yyjson_val *a, yyjson_val *b)
{
    size_t x = unsafe_yyjson_get_len(a), y = unsafe_yyjson_get_len(b);

    if (x != y)
        return x < y ? -1 : 1;
    return memcmp(unsafe_yyjson_get_str(a), unsafe_yyjson_get_str(b), x);
}

static yyjson_type kind_of(yyjson_val *value)
{
    yyjson_type type = yyjson_get_type(value);

    return type == YYJSON_TYPE_RAW ? YYJSON_TYPE_NUM : type;
}

/* A total order of all values, of no other meaning than that equals compare as 0. */
static int compare_values(struct tn_arena *arena, yyjson_val *a, yyjson_val *b)
{
    yyjson_type x = kind_of(a), y = kind_of(b);

    if (x != y)
        return x < y ? -1 : 1;
    if (x == YYJSON_TYPE_NUM)
        return tn_decimal_compare(a, b);
    if (x == YYJSON_TYPE_STR)
        return compare_texts(a, b);
    if (x == YYJSON_TYPE_BOOL)
        return unsafe_yyjson_get_bool(a) - unsafe_yyjson_get_bool(b);
    if (x != YYJSON_TYPE_ARR && x != YYJSON_TYPE_OBJ)
        return 0;
    if (unsafe_yyjson_get_len(a) != unsafe_yyjson_get_len(b))
        return unsafe_yyjson_get_len(a) < unsafe_yyjson_get_len(b) ? -1 : 1;
    if (x == YYJSON_TYPE_ARR)
        return compare_arrays(arena, a, b);
    return compare_members(arena, unsafe_yyjson_get_first(a), unsafe_yyjson_get_first(b),
                           unsafe_yyjson_get_len(a));
}

/* Members in the same order, which is how most equal objects come, need no sorting. */
static bool same_members(struct tn_arena *arena, yyjson_val *a, yyjson_val *b)
{
    size_t      count = unsafe_yyjson_get_len(a);
    yyjson_val *x = unsafe_yyjson_get_first(a), *y = unsafe_yyjson_get_first(b);

    if (count != unsafe_yyjson_get_len(b))
        return false;
    for (; count > 0 && compare_texts(x, y) == 0; count--) {
        if (!tn_json_equal(arena, x + 1, y + 1))
            return false;
        x = unsafe_yyjson_get_next(x + 1);
        y = unsafe_yyjson_get_next(y + 1);
    }
    return count == 0 || compare_members(arena, x, y, count) == 0;
}

static bool same_items(struct tn_arena *arena, yyjson_val *a, yyjson_val *b)
{
    yyjson_arr_iter x = yyjson_arr_iter_with(a), y = yyjson_arr_iter_with(b);

    if (yyjson_arr_size(a) != yyjson_arr_size(b))
        return false;
    while (yyjson_arr_iter_has_next(&x))
        if (!tn_json_equal(arena, yyjson_arr_iter_next(&x), yyjson_arr_iter_next(&y)))
            return false;
    return true;
}

bool tn_json_equal(struct tn_arena *arena, yyjson_val *a, yyjson_val *b)
{
    if (yyjson_is_obj(a) && yyjson_is_obj(b))
        return same_members(arena, a, b);
    if (yyjson_is_arr(a) && yyjson_is_arr(b))
        return same_items(arena, a, b);
    return compare_values(arena, a, b) == 0;
}

/* Every item of a run of equals but its first repeats one before it. */
size_t tn_json_equal_repeated(struct tn_arena *arena, yyjson_val *array)
{
    size_t        count = yyjson_arr_size(array), first = count, index, max;
    struct entry  few[FEW];
    struct entry *entries = take_entries(arena, few, count);
    yyjson_val   *item, *found = NULL;

    if (!entries)
        return count;
    yyjson_arr_foreach(array, index, max, item)
        entries[index] = (struct entry){ tn_json_equal_hash(item), item };
    sort(arena, entries, count);
    for (size_t i = 1; i < count; i++)
        if (entries[i].hash == entries[i - 1].hash && (!found || entries[i].value < found) &&
            compare_values(arena, entries[i - 1].value, entries[i].value) == 0)
            found = entries[i].value;
    drop_entries(arena, entries, count);
    if (!found)
        return count;
    yyjson_arr_foreach(array, index, max, item) if (item == found) first = index;
    return first;
}
