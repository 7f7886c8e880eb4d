/* verdict.h - validating a JSON value by a schema that a document declares.
 *
 * Twice, if need be: first only whether it is valid, which stops at the first fault; then, when it is not, once more
 * for those parts that are not known to be. Cost is bounded: every schema that is applied to a value is a step, and so
 * is each turn of a pattern, a comparison of names, a stretch of text. Each look has so many of them as the length of
 * the value gives it; to report and to mend, there are twice as many.
 */
#ifndef DOCUMENT_VERDICT_H
#define DOCUMENT_VERDICT_H

#include "document/verdict/facts.h"
#include "model/document_node.h"
#include "model/location.h"
#include "model/property.h"

/* Steps of one look at the arguments or at the data of a tool, which others wait for: a small one ends in some
 * milliseconds, whatever the schema. And of a document that is judged for its own sake. */
#define VERDICT_STEPS_MIN      ((size_t)100000)
#define VERDICT_STEPS_PER_BYTE ((size_t)32)
#define VERDICT_STEPS_MAX      ((size_t)20000000)
#define VERDICT_STEPS_ALONE    ((size_t)16) /* for each byte, beyond VERDICT_STEPS_MAX */
#define VERDICT_DEPTH_MAX      600
#define VERDICT_BYTES_OF_STEP  256 /* of text, that take as long as a step */

static inline size_t tn_verdict_steps_of(size_t bytes)
{
    return bytes < (VERDICT_STEPS_MAX - VERDICT_STEPS_MIN) / VERDICT_STEPS_PER_BYTE
               ? VERDICT_STEPS_MIN + bytes * VERDICT_STEPS_PER_BYTE
               : VERDICT_STEPS_MAX;
}

static inline size_t tn_verdict_steps_alone(size_t bytes)
{
    return VERDICT_STEPS_MAX + bytes * VERDICT_STEPS_ALONE;
}

/* Which members or items were evaluated, for unevaluatedProperties and unevaluatedItems. */
struct tn_seen {
    uint64_t             *bits;
    size_t                count;
    uint64_t              few; /* what `bits` is when one word is enough */
    const struct tn_node *by;  /* who counts, or NULL */
};

/* Resources on the way to a schema, innermost first; on the stack. */
struct tn_scope {
    const struct tn_scope    *up;
    const struct tn_resource *resource;
};

struct tn_verdict {
    struct tn_judge *judge;
    const struct tn_node *(*dynamic)(void *user, const struct tn_resource *resource, const char *name);
    void                  *user;
    const struct tn_scope *scope;   /* resources on the way here */
    const char            *member;  /* what sentences call a member; NULL is "parameter" */
    bool                   all;     /* find every fault, and report them */
    bool                   every;   /* of alternatives that all fail, report each and not only the nearest */
    bool                   guarded; /* some schema is secret: no container is repeated */
    bool             presence;     /* the value is a tool's arguments: what stands for nothing is not there */
    bool             unfilled;     /* defaults are not filled in here */
    bool             careful;      /* some text or name in it is refused by itself: every part is looked at */
    bool             gave_up;      /* a limit was met: nothing more is known */
    bool             slow_pattern; /* because of a pattern */
    bool             scoped;       /* a $dynamicRef was met: what holds here may not hold elsewhere */
    struct tn_facts *facts;        /* known so far; NULL when nobody wants to know */
    unsigned         unsure;       /* patterns that took too long and were told */
    size_t           allowed;      /* steps of one look */
    size_t           steps;        /* that are left of it */
    unsigned         depth;
    unsigned         secret; /* schemas around that say so */
    unsigned         level;  /* of the value in the whole */
    size_t           width;  /* alternatives in alternatives that are being explained */

    const struct tn_location *base;  /* what stands around the whole value, or NULL */
    const struct tn_members  *found; /* by the first look at the whole (members.h), or NULL */
    struct tn_roll_space     *rolls; /* to use again (object.c) */
};

/* The type of a value as a TYPE_ bit, by its tag; of a number that is not known from that, by the number
 * (flag_alone.c). */
extern const uint8_t tn_verdict_types[32];
unsigned             tn_verdict_number_type(yyjson_val *value);

static inline unsigned tn_verdict_type(yyjson_val *value)
{
    unsigned type = tn_verdict_types[unsafe_yyjson_get_tag(value) & 31];

    return type ? type : tn_verdict_number_type(value);
}

/* Is `value` valid? With `all`, faults are reported to the judge. */
bool tn_verdict_of(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value);

/* First without `all`; then, unless it is valid or a limit is all there is to tell, with it. The issues have no names of
 * places yet: tn_verdict_places() is for who wants to read them. */
bool tn_verdict_full(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value);

/* The report of a value that a look without `all` refused: what is wrong with it, or that it cannot be judged. */
void tn_verdict_report(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value);

/* twice.c: reports names that stand twice in an object of a tool's arguments, at any depth, where no issue speaks of
 * them yet: the schema need not say anything of the object. `repaired` is what became of `sent`: it has in it what texts say,
 * and lacks what stands for nothing. */
void tn_verdict_twice(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *sent,
                      yyjson_val *repaired);

/* flag.c: only whether it is valid. `seen` may be NULL; what the schema saw is added if it holds. */
bool tn_verdict_flag(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value,
                     struct tn_seen *seen);

/* flag_alone.c: the same, as far as no other schema is needed. The type is right. */
bool tn_verdict_flag_alone(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value,
                           unsigned type);

/* What a schema with unevaluated* saw of a container before those; false when something else of it does not hold. */
bool tn_verdict_sees(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value,
                     struct tn_seen *seen);

/* The same as the first in the midst of a report, to which nothing is added. */
bool tn_verdict_quiet(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value,
                      struct tn_seen *seen);

/* Notes a fact, where facts are kept; always false, to be returned. Behind a $dynamicRef may be another schema the
 * next time, and a look that gave up knows nothing. */
static inline bool tn_verdict_refuse(struct tn_verdict *verdict, const struct tn_node *node,
                                     const yyjson_val *value, const yyjson_val *light,
                                     const yyjson_val *heavy)
{
    if (verdict->facts && !verdict->gave_up && !verdict->scoped)
        tn_facts_add(verdict->facts, (struct tn_fact){ node, value, light, heavy });
    return false;
}

/* Between the files of the verdict: with `all`, faults are reported. `seen` and `fact` may be NULL. */
bool tn_verdict_step(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value,
                     const struct tn_location *at, struct tn_seen *seen);
bool tn_verdict_scalar(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value,
                       unsigned type, const struct tn_location *at);
bool tn_verdict_array(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value,
                      const struct tn_location *at, const struct tn_fact *fact, struct tn_seen *seen);
bool tn_verdict_object(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value,
                       const struct tn_location *at, const struct tn_fact *fact, struct tn_seen *seen);
bool tn_verdict_in_place(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value,
                         const struct tn_location *at, struct tn_seen *seen);

/* The location of a member of an object that is at `up`; `property` is what it is there. Without one it is a member that nothing
 * names, of an object that `node` judges. */
struct tn_location tn_verdict_member_at(const struct tn_node *node, const struct tn_property *property,
                                        yyjson_val *key, const struct tn_location *up);

/* plain.c: the code of an issue that is only noted: its place has a `key`; and all that it says. */
enum tn_issue_code tn_plain_code(const struct tn_issue *issue);
void               tn_plain_settle(struct tn_judge *judge, struct tn_issue *issue);

/* Takes `count` steps for work on one value that grows with it; false when there are no more. */
static inline bool tn_verdict_spend(struct tn_verdict *verdict, size_t count)
{
    bool enough = count <= verdict->steps;

    verdict->steps -= enough ? count : verdict->steps;
    verdict->gave_up |= !enough;
    return enough;
}

/* What is known of a container that is refused, or NULL. */
#define FACT_STEPS 4 /* of a look through all facts */
static inline const struct tn_fact *tn_verdict_fact(struct tn_verdict *verdict, const struct tn_node *node,
                                                    const yyjson_val *value)
{
    return verdict->facts && tn_verdict_spend(verdict, FACT_STEPS)
               ? tn_facts_find(verdict->facts, node, value)
               : NULL;
}

#define MATCH_STEPS 1 /* of each name and each pattern that it is matched with, beside the match's own */

/* A member by name. Each look may pass all members, so it takes steps by their number; NULL also when there are no
 * more, which the verdict knows. */
#define MEMBERS_OF_STEP 8
static inline yyjson_val *tn_verdict_member(struct tn_verdict *verdict, yyjson_val *object, const char *name,
                                            size_t len)
{
    return tn_verdict_spend(verdict, 1 + unsafe_yyjson_get_len(object) / MEMBERS_OF_STEP)
               ? yyjson_obj_getn(object, name, len)
               : NULL;
}

/* Without its steps, which the caller takes for all members. */
static inline bool tn_verdict_has_name(yyjson_val *object, const char *name, size_t len)
{
    yyjson_val *end = unsafe_yyjson_get_next(object), *key = unsafe_yyjson_get_first(object);

    for (; key != end; key = unsafe_yyjson_get_next(key + 1))
        if (unsafe_yyjson_get_len(key) == len && tn_str_same(unsafe_yyjson_get_str(key), name, len))
            return true;
    return false;
}

/* Each look may pass all members, so it takes steps by their number. */
static inline bool tn_verdict_has_member(struct tn_verdict *verdict, yyjson_val *object, struct tn_slice name)
{
    return tn_verdict_spend(verdict, 1 + unsafe_yyjson_get_len(object) / MEMBERS_OF_STEP) &&
           tn_verdict_has_name(object, name.at, name.len);
}

/* What looking at all items takes; comparing them takes longer, with all that is in them. */
#define SORT_STEPS 8 /* of each item */
static inline size_t tn_verdict_array_steps(const struct tn_node *node, yyjson_val *array)
{
    size_t count = unsafe_yyjson_get_len(array);

    return node->list.unique ? count * SORT_STEPS + (size_t)(unsafe_yyjson_get_next(array) - array) : count;
}

/* A number that is kept as its text may be as long as the whole. */
static inline bool tn_verdict_spend_number(struct tn_verdict *verdict, yyjson_val *value)
{
    return !yyjson_is_raw(value) ||
           tn_verdict_spend(verdict, unsafe_yyjson_get_len(value) / VERDICT_BYTES_OF_STEP);
}

/* The keyword whose bound a number breaks, or NULL. */
const char *tn_verdict_bound(const struct tn_number_rules *rules, yyjson_val *value);

/* -1, 0, 1, as decimal_compare. */
int tn_verdict_compare(yyjson_val *value, const struct tn_bound *bound);

/* One that takes too long makes the whole verdict unsure, whatever it says of the pattern. */
enum tn_pattern_result tn_verdict_match(struct tn_verdict *verdict, const struct pattern *pattern,
                                        struct tn_slice text);

bool tn_verdict_is_constant(struct tn_verdict *verdict, const struct tn_schema *schema, yyjson_val *value);
bool tn_verdict_is_among(struct tn_verdict *verdict, const struct tn_values *values, yyjson_val *value);

/* Reports a fault when all are wanted; always false, to be returned. *issue may be NULL. */
bool tn_verdict_fault(struct tn_verdict *verdict, const struct tn_node *node, const struct tn_location *at,
                      const char *keyword, enum tn_issue_code code, yyjson_val *received,
                      struct tn_issue **issue);

/* A value that is no date or timestamp, where a text is to be one: has that words of its own? Then it is reported with them. */
bool tn_verdict_says_time(const struct tn_verdict *verdict, const struct tn_node *node);
bool tn_verdict_refuse_time(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value,
                            const struct tn_location *at, const char *keyword);

/* Does a member that tells the kinds of alternatives apart tell another kind? */
bool tn_verdict_is_another_kind(struct tn_verdict *verdict, const struct tn_schema *schema,
                                yyjson_val *value);

/* The declared property that a name in `object` probably means, unless that one is there, too; or NULL. */
const struct tn_property *tn_verdict_nearest(struct tn_judge *judge, const struct tn_object_rules *rules,
                                             yyjson_val *object, struct tn_slice name);

/* The name that a member was sent under (repair/name.c). */
struct tn_slice tn_repair_sent(const yyjson_val *key);

/* Must a value not be repeated? By the names of members on the way to it, or in it. */
bool tn_verdict_is_secret(const struct tn_location *at, yyjson_val *value);

/* Names the places of all issues: `parameter`, `label`, `suggestion`; and hides what is secret. */
void tn_verdict_places(struct tn_judge *judge);

/* The JSON Pointer of what the caller can replace. */
struct tn_slice tn_verdict_place(struct tn_arena *arena, const struct tn_issue *issue);

/* JSON Pointers of a place: the way through the schema to it, or to a keyword there, and through the value. */
void tn_verdict_keyword_path(struct tn_buf *out, const struct tn_location *at, const char *keyword);
void tn_verdict_instance_path(struct tn_buf *out, const struct tn_location *at);

/* Between the verdict and what mends a value by it (repair/repair.c): before the first step of a look that has `steps`, and after
 * the last;
 * where a $dynamicRef leads from here; the name of a place; the index of a property, or NO_PROPERTY. */
void                  tn_verdict_begin(struct tn_verdict *verdict, size_t steps);
void                  tn_verdict_end(struct tn_verdict *verdict, size_t steps);
const struct tn_node *tn_verdict_dynamic(struct tn_verdict *verdict, const struct tn_in_place *place);
struct tn_slice       tn_verdict_label(struct tn_verdict *verdict, const struct tn_location *at);
uint32_t              tn_verdict_property(const struct tn_object_rules *rules, const char *name, size_t len);

/* Does a member count as seen? `known` is its property, or NULL. */
bool tn_verdict_evaluates(struct tn_verdict *verdict, const struct tn_object_rules *rules,
                          const struct tn_property *known, yyjson_val *key);

/* Sets of what was seen. */
bool tn_seen_init(struct tn_verdict *verdict, struct tn_seen *seen, size_t count);
void tn_seen_merge(struct tn_seen *into, const struct tn_seen *from);

static inline void tn_seen_add(struct tn_seen *seen, size_t index)
{
    if (seen)
        seen->bits[index / 64] |= UINT64_C(1) << index % 64;
}

static inline bool tn_seen_has(const struct tn_seen *seen, size_t index)
{
    return (seen->bits[index / 64] >> index % 64 & 1) != 0;
}

#endif
