/* added.h - arguments that a client's program adds by itself, which no model meant and no tool knows. */
#ifndef GUARD_POLICY_ADDED_H
#define GUARD_POLICY_ADDED_H

#include "guard/catalog.h"

/* Leaves them out where the tool's schema says which names it has, and these are not among them: then *arguments and *text are
 * others, in the arena, and *said is a JSON array of sentences. How many there were; 0 without memory. */
size_t tn_added_drop(struct tn_arena *arena, const struct tn_offered *tool, yyjson_val **arguments,
                     struct tn_slice *text, struct tn_slice *said);

#endif
