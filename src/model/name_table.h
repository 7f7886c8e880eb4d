/* name_table.h - things by name, each name in something: members of an object, anchors of a resource. Without a name it is
 * what belongs to an address, and in NULL what is known by its name alone. */
#ifndef MODEL_NAME_TABLE_H
#define MODEL_NAME_TABLE_H

#include "base/arena.h"
#include "base/str.h"

#define NAMED_NOTHING SLICE_LIT("")

struct tn_name_table {
    struct named_slot *slots;
    size_t             count, mask;
};

/* NULL when there is none. */
void *tn_name_table_find(const struct tn_name_table *named, const void *in, struct tn_slice name);

/* Adds what is not there yet. False: memory was refused, or the name was made to share its slot with many others. */
bool tn_name_table_put(struct tn_name_table *named, struct tn_arena *arena, const void *in,
                       struct tn_slice name, void *thing);

#endif
