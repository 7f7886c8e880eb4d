/* ended.c - entries in the order of their coming, over and over the same room, and chains to find them. */
#include "mcp/ended.h"

#include <string.h>

#include "base/memory.h"

#define BUCKETS    4096
#define ROOM_FIRST ((size_t)64)
#define NONE       UINT32_MAX

struct ended_key {
    unsigned char key[ENDED_KEY_LEN];
    uint32_t      next;    /* in its bucket */
    uint32_t      ended_s; /* since 1970: good until 2106 */
};

struct ended {
    struct ended_key *entries;
    size_t            count, room;
    size_t            oldest; /* once it is full: what is replaced next */
    int64_t           lost_s;
    uint32_t          buckets[BUCKETS];
};

/* Keys are random: any part of one is a hash. */
static uint32_t *ended_bucket_of(struct ended *set, const unsigned char *key)
{
    return &set->buckets[(key[0] | (unsigned)key[1] << 8) % BUCKETS];
}

bool tn_ended_has(const struct ended *set, const unsigned char *key)
{
    uint32_t at;

    if (!set)
        return false;
    at = set->buckets[(key[0] | (unsigned)key[1] << 8) % BUCKETS];
    while (at != NONE && memcmp(set->entries[at].key, key, ENDED_KEY_LEN) != 0)
        at = set->entries[at].next;
    return at != NONE;
}

static bool ended_make(struct ended **set, const tenon_allocator *memory)
{
    struct ended *made = tn_memory_new(memory, sizeof *made);

    if (!made)
        return false;
    *made         = (struct ended){ .room = ROOM_FIRST };
    made->entries = tn_memory_new(memory, ROOM_FIRST * sizeof *made->entries);
    if (!made->entries) {
        tn_memory_free(memory, made, sizeof *made);
        return false;
    }
    memset(made->buckets, 0xFF, sizeof made->buckets);
    *set = made;
    return true;
}

static bool ended_grow(struct ended *set, const tenon_allocator *memory)
{
    size_t            room = set->room * 2;
    struct ended_key *entries;

    entries = memory->resize(memory->user, set->entries, set->room * sizeof *entries, room * sizeof *entries);
    if (!entries)
        return false;
    set->entries = entries;
    set->room    = room;
    return true;
}

/* The place of the oldest, which is taken out of its chain. */
static uint32_t take_oldest(struct ended *set)
{
    uint32_t  index = (uint32_t)set->oldest;
    uint32_t *at    = ended_bucket_of(set, set->entries[index].key);

    while (*at != index)
        at = &set->entries[*at].next;
    *at         = set->entries[index].next;
    set->oldest = (set->oldest + 1) % ENDED_MAX;
    if (set->entries[index].ended_s > set->lost_s)
        set->lost_s = set->entries[index].ended_s;
    return index;
}

int64_t tn_ended_lost_s(const struct ended *set)
{
    return set ? set->lost_s : 0;
}

bool tn_ended_forget(struct ended **set, const tenon_allocator *memory, int64_t until_s)
{
    if (!*set && !ended_make(set, memory))
        return false;
    if (until_s > (*set)->lost_s)
        (*set)->lost_s = until_s;
    return true;
}

bool tn_ended_add(struct ended **set, const tenon_allocator *memory, const unsigned char *key, int64_t now_s)
{
    uint32_t index, *bucket;

    if (tn_ended_has(*set, key))
        return true;
    if (!*set && !ended_make(set, memory))
        return false;
    if ((*set)->count == (*set)->room && (*set)->room < ENDED_MAX && !ended_grow(*set, memory))
        return false;
    index  = (*set)->count < ENDED_MAX ? (uint32_t)(*set)->count++ : take_oldest(*set);
    bucket = ended_bucket_of(*set, key);
    memcpy((*set)->entries[index].key, key, ENDED_KEY_LEN);
    (*set)->entries[index].next    = *bucket;
    (*set)->entries[index].ended_s = (uint32_t)now_s;
    *bucket                        = index;
    return true;
}

void tn_ended_free(struct ended *set, const tenon_allocator *memory)
{
    if (!set)
        return;
    tn_memory_free(memory, set->entries, set->room * sizeof *set->entries);
    tn_memory_free(memory, set, sizeof *set);
}
