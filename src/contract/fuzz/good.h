/* good.h - calls that a schema accepts: the plainest, one with as many members as there may be, and some by chance. */
#ifndef CONTRACT_FUZZ_GOOD_H
#define CONTRACT_FUZZ_GOOD_H

#include <tenon/schema.h>

#include "base/arena.h"
#include "base/str.h"

#define GOOD_MIXED_MAX ((size_t)8)

struct tn_good {
    struct tn_slice plain, full; /* objects, as JSON */
    size_t          way;         /* of alternatives, that the full one takes */
    struct tn_slice mixed[GOOD_MIXED_MAX];
    size_t          mixed_count;
};

/* False when none was found, or without memory. All is in the arena. */
bool tn_good_find(struct tn_good *good, struct tn_arena *arena, const tenon_schema *schema, uint64_t *seed);

#endif
