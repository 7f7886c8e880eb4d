/* name_table.c - an open-addressing table whose keys are a name and what it stands in. */
#include "model/name_table.h"

#include "model/property.h"

#define ROOM_FIRST 8

struct named_slot {
    const void  *in;
    struct slice name;
    void        *thing; /* NULL is a free slot */
};

static size_t slot_of(const struct named *named, const void *in, struct slice name)
{
    uint64_t place = (uint64_t)(uintptr_t)in;

    return (size_t)property_mix(place, property_hash(name.at, name.len)) & named->mask;
}

static bool is(const struct named_slot *slot, const void *in, struct slice name)
{
    return slot->in == in && slot->name.len == name.len && str_same(slot->name.at, name.at, name.len);
}

void *named_find(const struct named *named, const void *in, struct slice name)
{
    if (!named->slots)
        return NULL;
    for (size_t i = slot_of(named, in, name); named->slots[i].thing; i = (i + 1) & named->mask)
        if (is(&named->slots[i], in, name))
            return named->slots[i].thing;
    return NULL;
}

static bool put(struct named *named, const struct named_slot *what)
{
    size_t i = slot_of(named, what->in, what->name);

    for (unsigned probes = 0; named->slots[i].thing; i = (i + 1) & named->mask)
        if (++probes > PROPERTY_PROBES_MAX)
            return false;
    named->slots[i] = *what;
    named->count++;
    return true;
}

static bool widen(struct named *named, struct arena *arena)
{
    struct named old  = *named;
    size_t       room = old.slots ? (old.mask + 1) * 2 : ROOM_FIRST;

    named->slots = arena_array(arena, room, struct named_slot);
    if (!named->slots) {
        *named = old;
        return false;
    }
    named->mask  = room - 1;
    named->count = 0;
    for (size_t i = 0; old.slots && i <= old.mask; i++)
        if (old.slots[i].thing && !put(named, &old.slots[i]))
            return false;
    return true;
}

bool named_put(struct named *named, struct arena *arena, const void *in, struct slice name, void *thing)
{
    struct named_slot what = { in, name, thing };

    if ((!named->slots || named->count * 2 > named->mask) && !widen(named, arena))
        return false;
    return put(named, &what);
}
