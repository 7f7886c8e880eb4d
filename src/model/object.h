/* object.h - building an object's table of names; tn_object_find() itself is the model's. */
#ifndef MODEL_OBJECT_H
#define MODEL_OBJECT_H

#include "model/node.h"

/* Room for `names` names and aliases. False when memory is refused. */
bool tn_object_index_init(struct tn_object *object, struct tn_arena *arena, size_t names);

/* False when the name is there already. */
bool tn_object_index_add(struct tn_object *object, const char *name, size_t len, uint32_t param);

#endif
