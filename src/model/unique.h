/* unique.h - is anything in a list twice? */
#ifndef MODEL_UNIQUE_H
#define MODEL_UNIQUE_H

#include "base/arena.h"
#include "base/str.h"

#include <yyjson.h>

/* The index of the first key that is the same as one before it, or `count` when all differ. When memory is refused,
 * arena->failed is set and the answer means nothing. */
size_t tn_unique_find(struct tn_arena *arena, const struct tn_slice *keys, size_t count);

/* The first name of an object that stands there a second time, or NULL. */
yyjson_val *tn_unique_key(struct tn_arena *arena, yyjson_val *object);

/* The same of any object in `root`, at any depth. */
yyjson_val *tn_unique_key_within(struct tn_arena *arena, yyjson_val *root);

#endif
