/* document_node.h - the part of the model that only JSON Schema documents need.
 *
 * A node read from a document has kind NODE_SCHEMA: it is not bound to a field, and its `schema` holds what rows have
 * no words for. Lengths, counts, patterns and formats stand in the node itself, as they do for rows, so that one set
 * of sentences serves both. Nodes refer to nodes and may do so in circles.
 */
#ifndef MODEL_DOCUMENT_NODE_H
#define MODEL_DOCUMENT_NODE_H

#include <yyjson.h>

#include "model/node.h"

#define NODE_SCHEMA 0 /* no kind of row */

/* JSON types as bits. "number" is both of its two. */
enum {
    TYPE_NULL     = 1,
    TYPE_BOOLEAN  = 2,
    TYPE_INTEGER  = 4,
    TYPE_FRACTION = 8, /* a number that is no integer */
    TYPE_STRING   = 16,
    TYPE_ARRAY    = 32,
    TYPE_OBJECT   = 64,
    TYPE_NUMBER   = TYPE_INTEGER | TYPE_FRACTION,
    TYPE_ANY      = 127
};

struct resource;

struct nodes {
    const struct node *const *at;
    size_t                    count;
};

/* A bound of numbers; `value` is NULL when there is none. */
struct bound {
    yyjson_val *value;
    bool        is_int; /* fits `integer` */
    int64_t     integer;
};

struct number_rules {
    struct bound min, max, above, below; /* the last two exclusive */
    yyjson_val  *multiple;
};

/* Values of an enum, or the one of a const. */
struct values {
    yyjson_val *const *at;
    size_t             count;
    bool               all_strings;
    uint32_t          *slots; /* by same_hash, an index plus one, for larger ones; NULL when there are few */
    uint32_t           slot_mask;
};

struct property {
    const char        *name;
    uint32_t           len;
    bool               required;
    const struct node *node; /* NULL when only its presence is asked for */
};

struct pattern_property {
    const struct pattern *pattern;
    const char           *text;
    const struct node    *node;
};

struct dependent {
    struct slice       name;
    const struct node *node;  /* dependentSchemas */
    struct slice      *names; /* dependentRequired */
    size_t             count;
};

struct array_rules {
    struct nodes       prefix;
    const struct node *items;
    const struct node *contains;
    size_t             min_contains, max_contains;
    const struct node *unevaluated;
    bool               contains_marks;          /* what it finds counts as evaluated */
    const char *items_keyword, *prefix_keyword; /* "items" or "additionalItems"; "prefixItems" or "items" */
};

struct object_rules {
    struct property         *properties;
    size_t                   count, required;
    struct name_slot        *slots;
    uint32_t                 slot_mask;
    struct pattern_property *patterns;
    size_t                   pattern_count;
    const struct node       *additional, *names, *unevaluated;
    struct dependent        *dependents;
    size_t                   dependent_count;
    size_t                   min, max;      /* members */
    uint64_t                 required_bits; /* of the first 64 properties */
    bool                     by_member;     /* something is asked of single members */
};

/* Schemas that judge the same value. */
struct in_place {
    const struct node *ref;
    const struct node *dynamic;         /* where $dynamicRef leads when nothing overrides it */
    const char        *dynamic_name;    /* NULL when it behaves like $ref */
    const char        *dynamic_keyword; /* "$dynamicRef" or "$recursiveRef" */
    struct nodes       all_of, any_of, one_of;
    const struct node *not_, *if_, *then_, *else_;
};

struct schema {
    uint8_t types;  /* allowed */
    uint8_t alone;  /* of which there is more to check than the type */
    uint8_t inside; /* of which there are schemas to apply, or members and items to look at */
    uint8_t counts; /* of which it must know what was seen, for unevaluated* */
    bool    never;  /* `false` */
    bool    typed;  /* there is a "type" */
    bool    format_asserted;
    const struct number_rules *number;
    const struct values       *values; /* enum */
    yyjson_val                *constant;
    const struct array_rules  *array;
    const struct object_rules *object;
    const struct in_place     *in_place;
    const struct node         *alias; /* that it refers to and says nothing beside, in the same resource */
    struct resource           *resource;
    struct slice               pointer; /* where it stands in its document (read_location) */
    yyjson_val                *source;
    const char                *title, *description;
    yyjson_val                *def;
};

#endif
