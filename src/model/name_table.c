/* name_table.c - an open-addressing table whose keys are a name and what it stands in. */
#include "model/name_table.h"

#include "model/property.h"

#define ROOM_FIRST 8

struct named_slot {
    const void     *in;
    struct tn_slice name;
    void           *thing; /* NULL is a free slot */
};

static size_t slot_of(const struct tn_name_table *named, const void *in, struct tn_slice name)
{
    uint64_t place = (uint64_t)(uintptr_t)in;

    return (size_t)tn_property_mix(place, tn_property_hash(name.at, name.len)) & named->mask;
}

static bool is(const struct named_slot *slot, const void *in, struct tn_slice name)
{
    return slot->in == in && slot->name.len == name.len && tn_str_same(slot->name.at, name.at, name.len);
}

void *tn_name_table_find(const struct tn_name_table *named, const void *in, struct tn_slice name)
{
    if (!named->slots)
        return NULL;
    for (size_t i = slot_of(named, in, name); named->slots[i].thing; i = (i + 1) & named->mask)
        if (is(&named->slots[i], in, name))
            return named->slots[i].thing;
    return NULL;
}

static bool name_table_put(struct tn_name_table *named, const struct named_slot *what)
{
    size_t i = slot_of(named, what->in, what->name);

    for (unsigned probes = 0; named->slots[i].thing; i = (i + 1) & named->mask)
        if (++probes > PROPERTY_PROBES_MAX)
            return false;
    named->slots[i] = *what;
    named->count++;
    return true;
}

static bool widen(struct tn_name_table *named, struct tn_arena *arena)
{
    struct tn_name_table old  = *named;
    size_t               room = old.slots ? (old.mask + 1) * 2 : ROOM_FIRST;

    named->slots = tn_arena_array(arena, room, struct named_slot);
    if (!named->slots) {
        *named = old;
        return false;
    }
    named->mask  = room - 1;
    named->count = 0;
    for (size_t i = 0; old.slots && i <= old.mask; i++)
        if (old.slots[i].thing && !name_table_put(named, &old.slots[i]))
            return false;
    return true;
}

bool tn_name_table_put(struct tn_name_table *named, struct tn_arena *arena, const void *in,
                       struct tn_slice name, void *thing)
{
    struct named_slot what = { in, name, thing };

    if ((!named->slots || named->count * 2 > named->mask) && !widen(named, arena))
        return false;
    return name_table_put(named, &what);
}
