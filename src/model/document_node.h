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
#include "text/pattern.h"

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

struct tn_resource;

struct tn_check;

struct tn_nodes {
    const struct tn_node *const *at;
    size_t                       count;
    struct tn_check             *checks; /* one for each */
};

/* A bound of numbers; `value` is NULL when there is none. */
struct tn_bound {
    yyjson_val *value;
    bool        is_int; /* fits `integer` */
    int64_t     integer;
};

struct tn_number_rules {
    struct tn_bound min, max, above, below; /* the last two exclusive */
    yyjson_val     *multiple;
};

/* Values of an enum, or the one of a const. */
struct tn_values {
    yyjson_val *const *at;
    size_t             count;
    bool               all_strings;
    uint32_t          *slots; /* by same_hash, an index plus one, for larger ones; NULL when there are few */
    uint32_t           slot_mask;
};

/* What is enough to see that most values are valid: of one schema, as far as it can be seen by the value alone. What it does
 * not see is left to the schema itself. */
struct tn_check {
    uint32_t tags;  /* a bit for each tag of yyjson: values of others are left to the schema */
    uint8_t  code;  /* enum tn_check_code, of document/check.h: what else is asked */
    uint8_t  types; /* that the schema allows */
    uint8_t  noted; /* of which a fault needs no words but those of the check (verdict/plain.c) */
    union {
        struct {
            double min, max;
        } number;
        struct {
            size_t min, max; /* bytes of a text, items of an array */
        } count;
        struct {
            yyjson_val *const *at;
            size_t             count;
        } words;
    };
    union {
        const struct tn_check *item; /* of a list */
        const struct tn_node  *node; /* of objects and arrays that are looked into */
    };
};

/* In the order in which a look at a member needs it, and a cache line long. */
struct tn_property {
    uint64_t              word; /* of the name, for a quick look */
    uint32_t              len;
    bool                  required;
    const char           *name;
    struct tn_check       check;
    const struct tn_node *node; /* NULL when only its presence is asked for */
};

struct tn_pattern_property {
    const struct pattern  *pattern;
    const char            *text;
    const struct tn_node  *node;
    struct tn_check        check;
    struct tn_pattern_text only; /* where the pattern is only text; else there is none */
};

struct tn_dependent {
    struct tn_slice       name;
    const char           *keyword; /* that declares it */
    const struct tn_node *node;    /* dependentSchemas */
    struct tn_slice      *names;   /* dependentRequired */
    size_t                count;
};

struct tn_array_rules {
    struct tn_nodes       prefix;
    const struct tn_node *items;
    struct tn_check       items_check;
    const struct tn_node *contains;
    size_t                min_contains, max_contains;
    const struct tn_node *unevaluated;
    bool                  contains_marks;       /* what it finds counts as evaluated */
    const char *items_keyword, *prefix_keyword; /* "items" or "additionalItems"; "prefixItems" or "items" */
};

struct tn_object_rules {
    struct tn_property         *properties; /* and one more, that has no name */
    size_t                      count, required;
    struct tn_name_slot        *slots;
    uint32_t                    slot_mask;
    struct tn_pattern_property *patterns;
    size_t                      pattern_count;
    const struct tn_node       *additional, *names, *unevaluated;
    struct tn_check             additional_check;
    struct tn_dependent        *dependents;
    size_t                      dependent_count;
    size_t                      min, max;      /* members */
    uint64_t                    required_bits; /* of the first 64 properties */
    uint64_t                    default_bits;  /* of those that have a default, */
    uint64_t                    filled_bits;   /* which is good as it is */
    bool                        by_member;     /* something is asked of single members */
    bool                        by_name;       /* which is decided by properties and additional alone */
    bool                        quick;         /* and nothing of the object itself (document/quick.h) */
    bool                        only_required; /* nothing is asked but that members are there */
    bool inner_defaults; /* of a whole document: some schema inside its properties has one */
};

/* Schemas that judge the same value. */
struct tn_in_place {
    const struct tn_node *ref;
    const struct tn_node *dynamic;         /* where $dynamicRef leads when nothing overrides it */
    const char           *dynamic_name;    /* NULL when it behaves like $ref */
    const char           *dynamic_keyword; /* "$dynamicRef" or "$recursiveRef" */
    struct tn_nodes       all_of, any_of, one_of;
    const struct tn_node *not_, *if_, *then_, *else_;
};

struct tn_schema {
    uint8_t types;  /* allowed */
    uint8_t alone;  /* of which there is more to check than the type */
    uint8_t inside; /* of which there are schemas to apply, or members and items to look at */
    uint8_t counts; /* of which it must know what was seen, for unevaluated* */
    bool    never;  /* `false` */
    bool    typed;  /* there is a "type" */
    bool    format_asserted;
    bool    straight; /* of an object or an array, nothing is asked but of its parts, by name or each alike */
    const struct tn_number_rules *number;
    const struct tn_values       *values; /* enum */
    yyjson_val                   *constant;
    const struct tn_array_rules  *array;
    const struct tn_object_rules *object;
    const struct tn_in_place     *in_place;
    const struct tn_node         *alias; /* that it refers to and says nothing beside, in the same resource */
    struct tn_resource           *resource;
    struct tn_slice               pointer; /* where it stands in its document (read_location) */
    yyjson_val                   *source;
    const char                   *title, *description;
    yyjson_val                   *def;
    struct tn_node               *read_before; /* in the same document, or NULL */
};

#endif
