/* name_table.h - things by name, each name in something: members of an object, anchors of a resource. Without a name it is
 * what belongs to an address, and in NULL what is known by its name alone. */
#ifndef MODEL_NAME_TABLE_H
#define MODEL_NAME_TABLE_H

#include "base/arena.h"
#include "base/str.h"

#define NAMED_NOTHING SLICE_LIT("")

struct named {
    struct named_slot *slots;
    size_t             count, mask;
};

/* NULL when there is none. */
void *named_find(const struct named *named, const void *in, struct slice name);

/* Adds what is not there yet. False: memory was refused, or the name was made to share its slot with many others. */
bool named_put(struct named *named, struct arena *arena, const void *in, struct slice name, void *thing);

#endif
