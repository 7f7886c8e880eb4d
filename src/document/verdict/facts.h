/* facts.h - what was learned of a value that is not valid, before anything is reported of it.
 *
 * A schema that refuses an object or an array has mostly found it in good order up to the fault. That stays true, so it
 * is kept: the code that reports faults then skips what is known to be valid. As a refusal goes up from the fault to the
 * root, the facts of the way to it are the last ones. Only so many are kept; one that is lost costs a second look.
 */
#ifndef DOCUMENT_VERDICT_FACTS_H
#define DOCUMENT_VERDICT_FACTS_H

#include "model/document_node.h"

#define FACTS_MAX 128

/* `node` refuses `value`. All that it asks in place holds, and so does what it asks of members and items that stand
 * before these two: of a member that is heavy before `heavy`, of any other and of items before `light`. Either may lie
 * between two of them: then none is known to be refused. Where something is asked of the whole, that may be broken too. */
struct tn_fact {
    const struct tn_node *node;
    const yyjson_val     *value, *light, *heavy;
};

struct tn_facts {
    size_t         count; /* of all that were ever added */
    struct tn_fact at[FACTS_MAX];
};

/* A member is heavy when there is much in it: others are judged first, as they tell sooner whether all is valid. */
#define HEAVY_VALUES 64

static inline bool tn_member_is_heavy(const yyjson_val *key, const yyjson_val *after)
{
    return after - key > HEAVY_VALUES;
}

static inline void tn_facts_add(struct tn_facts *facts, struct tn_fact fact)
{
    facts->at[facts->count++ % FACTS_MAX] = fact;
}

/* What a fact says of a member or an item. */
enum tn_schema_part {
    PART_UNKNOWN, /* nothing: there is no fact */
    PART_VALID,
    PART_REFUSED, /* the first one that is */
    PART_OPEN     /* nobody came so far */
};

static inline enum tn_schema_part tn_fact_part(const yyjson_val *part, const yyjson_val *until)
{
    return part < until ? PART_VALID : part == until ? PART_REFUSED : PART_OPEN;
}

static inline enum tn_schema_part tn_fact_item(const struct tn_fact *fact, const yyjson_val *item)
{
    return fact ? tn_fact_part(item, fact->light) : PART_UNKNOWN;
}

static inline enum tn_schema_part tn_fact_member(const struct tn_fact *fact, yyjson_val *key)
{
    if (!fact)
        return PART_UNKNOWN;
    return tn_fact_part(key,
                        tn_member_is_heavy(key, unsafe_yyjson_get_next(key + 1)) ? fact->heavy : fact->light);
}

/* The newest one that says so, or NULL. */
static inline const struct tn_fact *tn_facts_find(const struct tn_facts *facts, const struct tn_node *node,
                                                  const yyjson_val *value)
{
    size_t kept = facts->count < FACTS_MAX ? facts->count : FACTS_MAX;

    for (size_t i = 1; i <= kept; i++) {
        const struct tn_fact *fact = &facts->at[(facts->count - i) % FACTS_MAX];

        if (fact->value == value && fact->node == node)
            return fact;
    }
    return NULL;
}

#endif
