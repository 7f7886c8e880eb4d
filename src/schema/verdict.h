/* verdict.h - judging a JSON value by a schema that a document declares.
 *
 * Twice, if need be: first only whether it is valid, which stops at the first fault; then, when it is not, once more
 * for all of them. Cost is bounded: every schema that is applied to a value is a step, and steps and depth have
 * limits.
 */
#ifndef SCHEMA_VERDICT_H
#define SCHEMA_VERDICT_H

#include "schema/bind.h"
#include "schema/schema.h"

#define VERDICT_STEPS_MAX ((size_t)20000000)
#define VERDICT_DEPTH_MAX 600

/* Where the judgement is, in the value and in the schema at once; on the stack. */
struct at {
    const struct at *up;
    const char      *keyword; /* that led here; NULL at the root */
    struct slice     key;     /* and its name or index below the keyword */
    size_t           key_index;
    uint8_t          moves; /* AT_SAME, AT_MEMBER or AT_ITEM: what it did in the value */
    struct slice     name;
    size_t           index;
    bool             required;
};

enum { AT_SAME, AT_MEMBER, AT_ITEM };

/* Which members or items were evaluated, for unevaluatedProperties and unevaluatedItems. */
struct seen {
    uint64_t *bits;
    size_t    count;
};

struct scope;

struct verdict {
    struct judge       *judge;
    const struct node *(*dynamic)(void *user, const struct resource *resource, const char *name);
    void               *user;
    const struct scope *scope; /* resources on the way here */
    struct slice        root;  /* what sentences call the whole value */
    bool                all;   /* find every fault, and report them */
    bool                trace; /* with the way through the schema */
    bool                gave_up;
    size_t              steps;
    unsigned            depth;
};

/* Is `value` valid? With `all`, faults are reported to the judge. */
bool verdict_of(struct verdict *verdict, const struct node *node, yyjson_val *value);

/* Between the files of the verdict. `seen` may be NULL. */
bool verdict_step(struct verdict *verdict, const struct node *node, yyjson_val *value, const struct at *at,
                  struct seen *seen);
bool verdict_scalar(struct verdict *verdict, const struct node *node, yyjson_val *value, unsigned type,
                    const struct at *at);
bool verdict_array(struct verdict *verdict, const struct node *node, yyjson_val *value, const struct at *at,
                   struct seen *seen);
bool verdict_object(struct verdict *verdict, const struct node *node, yyjson_val *value, const struct at *at,
                    struct seen *seen);
bool verdict_in_place(struct verdict *verdict, const struct node *node, yyjson_val *value, const struct at *at,
                      struct seen *seen);

/* Reports a fault when all are wanted; always false, to be returned. *issue may be NULL. */
bool verdict_fault(struct verdict *verdict, const struct node *node, const struct at *at, const char *keyword,
                   enum issue_code code, yyjson_val *received, struct issue **issue);

/* Sets of what was seen. */
bool seen_init(struct verdict *verdict, struct seen *seen, size_t count);
void seen_merge(struct seen *into, const struct seen *from);

static inline void seen_add(struct seen *seen, size_t index)
{
    if (seen)
        seen->bits[index / 64] |= UINT64_C(1) << index % 64;
}

static inline bool seen_has(const struct seen *seen, size_t index)
{
    return (seen->bits[index / 64] >> index % 64 & 1) != 0;
}

#endif
