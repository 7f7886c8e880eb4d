/* table.c - open addressing, at most half full. */
#include "base/table.h"

#include <pthread.h>
#include <string.h>

#include <sodium.h>

#define ROOM_FIRST 8
#define MULTIPLIER UINT64_C(0x9E3779B97F4A7C15)

struct tn_table_slot {
    const void     *in;
    struct tn_slice name;
    void           *thing; /* NULL is a free slot */
};

static unsigned char  secret[crypto_shorthash_KEYBYTES];
static pthread_once_t secret_once = PTHREAD_ONCE_INIT;

/* Where libsodium does not begin, nothing is served. */
static void make_secret(void)
{
    if (sodium_init() >= 0)
        randombytes_buf(secret, sizeof secret);
}

uint64_t tn_table_hash(struct tn_slice key)
{
    unsigned char out[crypto_shorthash_BYTES];
    uint64_t      bits;

    pthread_once(&secret_once, make_secret);
    crypto_shorthash(out, (const unsigned char *)(key.len ? key.at : ""), key.len, secret);
    memcpy(&bits, out, sizeof bits);
    return bits;
}

/* Addresses are not a caller's to choose. They differ in their middle bits most: a multiplication carries those to the top. */
static size_t slot_of(const struct tn_table *table, const void *in, struct tn_slice name)
{
    uint64_t place = (uint64_t)(uintptr_t)in * MULTIPLIER >> 32;

    return (size_t)(name.len > 0 ? tn_table_hash(name) ^ place : place) & table->mask;
}

/* The slot of the name, or the free one where it belongs. */
static struct tn_table_slot *table_find(const struct tn_table *table, const void *in, struct tn_slice name)
{
    size_t i = slot_of(table, in, name);

    for (;; i = (i + 1) & table->mask) {
        struct tn_table_slot *slot = &table->slots[i];

        if (!slot->thing || (slot->in == in && slot->name.len == name.len &&
                             (name.len == 0 || tn_str_same(slot->name.at, name.at, name.len))))
            return slot;
    }
}

void *tn_table_find(const struct tn_table *table, const void *in, struct tn_slice name)
{
    return table->slots ? table_find(table, in, name)->thing : NULL;
}

/* Makes it `room` slots wide, a power of two. */
static bool table_widen(struct tn_table *table, struct tn_arena *arena, size_t room)
{
    struct tn_table wider = { tn_arena_array(arena, room, struct tn_table_slot), table->count, room - 1 };

    if (!wider.slots)
        return false;
    for (size_t i = 0; table->slots && i <= table->mask; i++)
        if (table->slots[i].thing)
            *table_find(&wider, table->slots[i].in, table->slots[i].name) = table->slots[i];
    *table = wider;
    return true;
}

static bool table_grow(struct tn_table *table, struct tn_arena *arena)
{
    return table_widen(table, arena, table->slots ? (table->mask + 1) * 2 : ROOM_FIRST);
}

bool tn_table_room(struct tn_table *table, struct tn_arena *arena, size_t count)
{
    size_t room = table->slots ? table->mask + 1 : ROOM_FIRST;

    while (room / 2 < table->count + count)
        room *= 2;
    return (table->slots && room == table->mask + 1) || table_widen(table, arena, room);
}

void *tn_table_add(struct tn_table *table, struct tn_arena *arena, const void *in, struct tn_slice name,
                   void *thing)
{
    struct tn_table_slot *slot;

    if ((!table->slots || table->count * 2 > table->mask) && !table_grow(table, arena))
        return NULL;
    slot = table_find(table, in, name);
    if (!slot->thing) {
        *slot = (struct tn_table_slot){ in, name, thing };
        table->count++;
    }
    return slot->thing;
}
