/* added.h - arguments that a client's program adds by itself, which no model meant and no tool knows. */
#ifndef GUARD_POLICY_ADDED_H
#define GUARD_POLICY_ADDED_H

#include "guard/catalog.h"

/* Are there some, which the tool's schema, as it says which names it has, does not know? */
bool tn_added_are_in(const struct tn_offered *tool, yyjson_val *arguments);

/* Leaves them out: *arguments and *text are others then, in the arena, and *said is a JSON array of sentences. How many there
 * were; 0 without memory. */
size_t tn_added_drop(struct tn_arena *arena, const struct tn_offered *tool, yyjson_val **arguments,
                     struct tn_slice *text, struct tn_slice *said);

#endif
