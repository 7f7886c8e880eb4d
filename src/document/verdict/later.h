/* later.h - members of an object that are put off, as a fault may be found sooner without them. */
#ifndef DOCUMENT_VERDICT_LATER_H
#define DOCUMENT_VERDICT_LATER_H

#include "document/verdict/facts.h"

#define LATER_MAX    4
#define LIGHT_VALUES 8 /* in a member that is judged at once */

/* A member, and one schema that is asked of it. */
struct asked_member {
    yyjson_val            *key;
    const struct tn_check *check;
    const struct tn_node  *node;
};

/* Some that have a little in them, as they came; and those that are heavy, of which only the first one is kept. */
struct later {
    struct asked_member some[LATER_MAX], heavy;
    size_t              count, heavy_count;
};

/* There is room, unless it is heavy. */
static inline void tn_later_add(struct later *later, struct asked_member one, const yyjson_val *after)
{
    if (!tn_member_is_heavy(one.key, after))
        later->some[later->count++] = one;
    else if (later->heavy_count++ == 0)
        later->heavy = one;
}

/* Where an object is refused at `key` before they were judged: what is known to be valid ends there (facts.h). */
static inline const yyjson_val *tn_later_light(const struct later *later, const yyjson_val *key)
{
    return later->count > 0 ? later->some[0].key - 1 : key;
}

#endif
