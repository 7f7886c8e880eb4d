/* verdict.h - judging a JSON value by a schema that a document declares.
 *
 * Twice, if need be: first only whether it is valid, which stops at the first fault; then, when it is not, once more
 * for those parts that are not known to be. Cost is bounded: every schema that is applied to a value is a step, and so
 * is each turn of a pattern, a comparison of names, a stretch of text. Each look has so many of them as the length of
 * the value gives it; to report and to mend, there are twice as many.
 */
#ifndef DOCUMENT_VERDICT_H
#define DOCUMENT_VERDICT_H

#include "document/verdict_facts.h"
#include "model/document_node.h"
#include "model/judge.h"
#include "model/property.h"

/* Steps of one look at the arguments or at the data of a tool, which others wait for: a small one ends in some
 * milliseconds, whatever the schema. And of a document that is judged for its own sake. */
#define VERDICT_STEPS_MIN      ((size_t)100000)
#define VERDICT_STEPS_PER_BYTE ((size_t)32)
#define VERDICT_STEPS_MAX      ((size_t)20000000)
#define VERDICT_STEPS_ALONE    ((size_t)16) /* for each byte, beyond VERDICT_STEPS_MAX */
#define VERDICT_DEPTH_MAX      600
#define VERDICT_BYTES_OF_STEP  256 /* of text, that take as long as a step */

static inline size_t verdict_steps_of(size_t bytes)
{
    return bytes < (VERDICT_STEPS_MAX - VERDICT_STEPS_MIN) / VERDICT_STEPS_PER_BYTE
               ? VERDICT_STEPS_MIN + bytes * VERDICT_STEPS_PER_BYTE
               : VERDICT_STEPS_MAX;
}

static inline size_t verdict_steps_alone(size_t bytes)
{
    return VERDICT_STEPS_MAX + bytes * VERDICT_STEPS_ALONE;
}

/* Where the judgement is, in the value and in the schema at once; on the stack. */
struct at {
    const struct at *up;
    const char      *keyword; /* that led here; NULL at the root */
    struct slice     key;     /* and its name or index below the keyword */
    size_t           key_index;
    uint8_t          moves; /* AT_SAME, AT_MEMBER or AT_ITEM: what it did in the value */
    struct slice     name;
    size_t           index;
    enum part        part; /* what is known of it */
    bool             required;
    const struct at *kept; /* its copy in the arena, once there is one */
};

enum { AT_SAME, AT_MEMBER, AT_ITEM };

/* Which members or items were evaluated, for unevaluatedProperties and unevaluatedItems. */
struct seen {
    uint64_t          *bits;
    size_t             count;
    uint64_t           few; /* what `bits` is when one word is enough */
    const struct node *by;  /* who counts, or NULL */
};

/* Resources on the way to a schema, innermost first; on the stack. */
struct scope {
    const struct scope    *up;
    const struct resource *resource;
};

struct verdict {
    struct judge *judge;
    const struct node *(*dynamic)(void *user, const struct resource *resource, const char *name);
    void               *user;
    const struct scope *scope;        /* resources on the way here */
    struct slice        root;         /* what sentences call the whole value */
    const char         *member;       /* and a member of it; NULL is "parameter" */
    bool                all;          /* find every fault, and report them */
    bool                trace;        /* with the way through the schema */
    bool                guarded;      /* some schema is secret: no container is repeated */
    bool                gave_up;      /* a limit was met: nothing more is known */
    bool                slow_pattern; /* because of a pattern */
    bool                scoped;       /* a $dynamicRef was met: what holds here may not hold elsewhere */
    struct facts       *facts;        /* known so far; NULL when nobody wants to know */
    unsigned            unsure;       /* patterns that took too long and were told */
    size_t              allowed;      /* steps of one look */
    size_t              steps;        /* that are left of it */
    unsigned            depth;
    unsigned            secret; /* schemas around that say so */
    unsigned            level;  /* of the value in the whole */
    size_t              width;  /* alternatives in alternatives that are being explained */
};

/* Is `value` valid? With `all`, faults are reported to the judge. */
bool verdict_of(struct verdict *verdict, const struct node *node, yyjson_val *value);

/* First without `all`; then, unless it is valid or a limit is all there is to tell, with it. The issues have no names of
 * places yet: verdict_places() is for who wants to read them. */
bool verdict_full(struct verdict *verdict, const struct node *node, yyjson_val *value);

/* The report of a value that a look without `all` refused: what is wrong with it, or that it cannot be judged. */
void verdict_report(struct verdict *verdict, const struct node *node, yyjson_val *value);

/* verdict_flag.c: only whether it is valid. `seen` may be NULL; what the schema saw is added if it holds. */
bool verdict_flag(struct verdict *verdict, const struct node *node, yyjson_val *value, struct seen *seen);

/* The same in the midst of a report, to which nothing is added. */
bool verdict_quiet(struct verdict *verdict, const struct node *node, yyjson_val *value, struct seen *seen);

/* Notes a fact, where anybody wants to know; always false, to be returned. */
bool verdict_refuse(struct verdict *verdict, const struct node *node, const yyjson_val *value,
                    const yyjson_val *light, const yyjson_val *heavy);

/* Between the files of the verdict: with `all`, faults are reported. `seen` and `fact` may be NULL. */
bool verdict_step(struct verdict *verdict, const struct node *node, yyjson_val *value, const struct at *at,
                  struct seen *seen);
bool verdict_scalar(struct verdict *verdict, const struct node *node, yyjson_val *value, unsigned type,
                    const struct at *at);
bool verdict_array(struct verdict *verdict, const struct node *node, yyjson_val *value, const struct at *at,
                   const struct fact *fact, struct seen *seen);
bool verdict_object(struct verdict *verdict, const struct node *node, yyjson_val *value, const struct at *at,
                    const struct fact *fact, struct seen *seen);
bool verdict_in_place(struct verdict *verdict, const struct node *node, yyjson_val *value,
                      const struct at *at, struct seen *seen);

/* Takes `count` steps for work on one value that grows with it; false when there are no more. */
static inline bool verdict_spend(struct verdict *verdict, size_t count)
{
    bool enough = count <= verdict->steps;

    verdict->steps -= enough ? count : verdict->steps;
    verdict->gave_up |= !enough;
    return enough;
}

/* What is known of a container that is refused, or NULL. */
#define FACT_STEPS 4 /* of a look through all facts */
static inline const struct fact *verdict_fact(struct verdict *verdict, const struct node *node,
                                              const yyjson_val *value)
{
    return verdict->facts && verdict_spend(verdict, FACT_STEPS) ? facts_find(verdict->facts, node, value)
                                                                : NULL;
}

#define MATCH_STEPS 1 /* of each name and each pattern that it is matched with, beside the match's own */

/* A member by name. Each look may pass all members, so it takes steps by their number; NULL also when there are no
 * more, which the verdict knows. */
#define MEMBERS_OF_STEP 8
static inline yyjson_val *verdict_member(struct verdict *verdict, yyjson_val *object, const char *name,
                                         size_t len)
{
    return verdict_spend(verdict, 1 + unsafe_yyjson_get_len(object) / MEMBERS_OF_STEP)
               ? yyjson_obj_getn(object, name, len)
               : NULL;
}

/* What looking at all items takes; comparing them takes longer, with all that is in them. */
#define SORT_STEPS 8 /* of each item */
static inline size_t verdict_array_steps(const struct node *node, yyjson_val *array)
{
    size_t count = unsafe_yyjson_get_len(array);

    return node->list.unique ? count * SORT_STEPS + (size_t)(unsafe_yyjson_get_next(array) - array) : count;
}

/* A number that is kept as its text may be as long as the whole. */
static inline bool verdict_spend_number(struct verdict *verdict, yyjson_val *value)
{
    return !yyjson_is_raw(value) ||
           verdict_spend(verdict, unsafe_yyjson_get_len(value) / VERDICT_BYTES_OF_STEP);
}

/* -1, 0, 1, as decimal_compare. */
int verdict_compare(yyjson_val *value, const struct bound *bound);

/* One that takes too long makes the whole verdict unsure, whatever it says of the pattern. */
enum pattern_result verdict_match(struct verdict *verdict, const struct pattern *pattern, struct slice text);

bool verdict_is_constant(struct verdict *verdict, const struct schema *schema, yyjson_val *value);
bool verdict_is_among(struct verdict *verdict, const struct values *values, yyjson_val *value);

/* Do so many bytes of UTF-8 keep the bounds whatever their characters are? */
static inline bool verdict_length_is_sure(const struct text_rules *text, size_t bytes)
{
    return bytes <= text->max && (bytes / 4 >= text->min || (text->min == 1 && bytes > 0));
}

/* Reports a fault when all are wanted; always false, to be returned. *issue may be NULL. */
bool verdict_fault(struct verdict *verdict, const struct node *node, const struct at *at, const char *keyword,
                   enum issue_code code, yyjson_val *received, struct issue **issue);

/* Must a value not be repeated? By the names of members on the way to it, or in it. */
bool verdict_is_secret(const struct verdict *verdict, const struct at *at, yyjson_val *value);

/* Names the places of all issues: `parameter`, `label`, `suggestion`, and with `trace` the paths. */
void verdict_places(struct judge *judge, struct slice root, bool trace);

/* JSON Pointers of a place: the way through the schema to a keyword there, and through the value. */
void verdict_keyword_path(struct buf *out, const struct at *at, const char *keyword);
void verdict_instance_path(struct buf *out, const struct at *at);

/* Between the verdict and what mends a value by it (mend.c): before the first step of a look that has `steps`, and after
 * the last; the type of a value as a TYPE_ bit;
 * where a $dynamicRef leads from here; the name of a place; the index of a property, or NO_PROPERTY. */
void               verdict_begin(struct verdict *verdict, size_t steps);
void               verdict_end(struct verdict *verdict, size_t steps);
unsigned           verdict_type(yyjson_val *value);
const struct node *verdict_dynamic(const struct verdict *verdict, const struct in_place *place);
struct slice       verdict_label(struct verdict *verdict, const struct at *at);
uint32_t           verdict_property(const struct object_rules *rules, const char *name, size_t len);

/* Does a member count as seen? `known` is its property, or NULL. */
bool verdict_evaluates(struct verdict *verdict, const struct object_rules *rules,
                       const struct property *known, yyjson_val *key);

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
