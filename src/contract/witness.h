/* witness.h - a value that one schema accepts and another refuses. */
#ifndef CONTRACT_WITNESS_H
#define CONTRACT_WITNESS_H

#include <tenon/schema.h>

#include "base/arena.h"
#include "base/str.h"

struct tn_witness {
    struct tn_slice value; /* JSON, in the arena; empty when none was found */
    struct tn_slice why;   /* what the other says of it, its first issue */
};

/* Looks at the edges of both, then at mixtures of them by chance: the same ones each time. Both were compiled without a mistake.
 * Schemas can make each look take long: no more than `work` steps are made, and it gets what is left of them. */
bool tn_witness_find(const tenon_schema *accepts, const tenon_schema *refuses, struct tn_arena *arena,
                     size_t *work, struct tn_witness *witness);

/* The plainest value that the schema accepts, as JSON in the arena; empty when none was found. */
struct tn_slice tn_witness_plain(const tenon_schema *schema, struct tn_arena *arena, size_t *work);

#endif
