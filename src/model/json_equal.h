/* json_equal.h - are two JSON values the same? Numbers by value (1 is 1.0), objects whatever the order of their members. */
#ifndef MODEL_JSON_EQUAL_H
#define MODEL_JSON_EQUAL_H

#include <yyjson.h>

#include "base/arena.h"

/* Depth is bounded by the readers of both. Objects cost no more than their members times the logarithm or a hash;
 * never quadratic in the members of one object. Memory for that comes from `arena` (whose `failed` is then set when
 * refused). */
bool tn_json_equal(struct tn_arena *arena, yyjson_val *a, yyjson_val *b);

/* Equal values have equal hashes. */
uint64_t tn_json_equal_hash(yyjson_val *value);

/* The index of the first item of an array that is the same as one before it, or its size. Not quadratic. */
size_t tn_json_equal_repeated(struct tn_arena *arena, yyjson_val *array);

#endif
