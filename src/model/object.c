/* object.c - finding a parameter by its name. */
#include "model/object.h"

#include "model/property.h"

uint32_t tn_object_find(const struct tn_object *object, const char *name, size_t len)
{
    if (!object->slots)
        return PARAM_NONE;
    for (uint32_t i = tn_property_hash(name, len) & object->slot_mask;; i = (i + 1) & object->slot_mask) {
        const struct tn_name_slot *slot = &object->slots[i];

        if (!slot->name)
            return PARAM_NONE;
        if (slot->len == len && tn_str_same(slot->name, name, len))
            return slot->param;
    }
}

bool tn_object_index_init(struct tn_object *object, struct tn_arena *arena, size_t names)
{
    uint32_t room = 8;

    while (room < names * 2)
        room *= 2;
    object->slots     = tn_arena_array(arena, room, struct tn_name_slot);
    object->slot_mask = room - 1;
    return object->slots != NULL;
}

bool tn_object_index_add(struct tn_object *object, const char *name, size_t len, uint32_t param)
{
    uint32_t i = tn_property_hash(name, len) & object->slot_mask;

    if (tn_object_find(object, name, len) != PARAM_NONE)
        return false;
    while (object->slots[i].name)
        i = (i + 1) & object->slot_mask;
    object->slots[i] = (struct tn_name_slot){ name, (uint32_t)len, param };
    return true;
}
