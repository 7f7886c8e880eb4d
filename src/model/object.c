/* object.c - finding a parameter by its name. */
#include "model/object.h"

uint32_t object_find(const struct object *object, const char *name, size_t len)
{
    if (!object->slots)
        return PARAM_NONE;
    for (uint32_t i = str_hash(name, len) & object->slot_mask;; i = (i + 1) & object->slot_mask) {
        const struct name_slot *slot = &object->slots[i];

        if (!slot->name)
            return PARAM_NONE;
        if (slot->len == len && str_same(slot->name, name, len))
            return slot->param;
    }
}

bool object_index_init(struct object *object, struct arena *arena, size_t names)
{
    uint32_t room = 8;

    while (room < names * 2)
        room *= 2;
    object->slots     = arena_array(arena, room, struct name_slot);
    object->slot_mask = room - 1;
    return object->slots != NULL;
}

bool object_index_add(struct object *object, const char *name, size_t len, uint32_t param)
{
    uint32_t i = str_hash(name, len) & object->slot_mask;

    if (object_find(object, name, len) != PARAM_NONE)
        return false;
    while (object->slots[i].name)
        i = (i + 1) & object->slot_mask;
    object->slots[i] = (struct name_slot){ name, (uint32_t)len, param };
    return true;
}
