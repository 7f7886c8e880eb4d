/* pointer.h - JSON Pointers (RFC 6901): writing them, following them, and recognising them. */
#ifndef JSON_POINTER_H
#define JSON_POINTER_H

#include <yyjson.h>

#include "base/buf.h"
#include "base/str.h"

/* One more step at the end of a pointer: a member's name, with '~' and '/' escaped, or an item's index. */
void tn_pointer_add(struct tn_buf *out, struct tn_slice name);
void tn_pointer_add_index(struct tn_buf *out, size_t index);

/* Moves `rest` ("/a~1b/0") behind its first token and gives the token with ~0 and ~1 undone, in the arena when it had
 * any. False at the end, or when the pointer is malformed or memory is refused (*bad is then set). */
bool tn_pointer_step(struct tn_arena *arena, struct tn_slice *rest, struct tn_slice *token, bool *bad);

/* The index that a token says, without leading zeros. */
bool tn_pointer_index(struct tn_slice token, size_t *index);

/* The member or item of `value` that `token` names, or NULL. */
yyjson_val *tn_pointer_child(yyjson_val *value, struct tn_slice token);

/* "" or tokens that each begin with "/"; "~" only as "~0" and "~1". Not in the form of a fragment. */
bool tn_pointer_well_formed(struct tn_slice text);

/* A number of levels up without leading zeros, then a JSON Pointer or "#". */
bool tn_pointer_relative_well_formed(struct tn_slice text);

#endif
