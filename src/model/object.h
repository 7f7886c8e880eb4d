/* object.h - building an object's table of names; object_find() itself is the model's. */
#ifndef MODEL_OBJECT_H
#define MODEL_OBJECT_H

#include "model/node.h"

/* Room for `names` names and aliases. False when memory is refused. */
bool object_index_init(struct object *object, struct arena *arena, size_t names);

/* False when the name is there already. */
bool object_index_add(struct object *object, const char *name, size_t len, uint32_t param);

#endif
