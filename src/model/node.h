/* node.h - one model of a value's shape and rules.
 *
 * Rows are lowered into it once (rows.c), and then it is only read: emit.c writes it as JSON Schema, bind.c validates
 * JSON by it and fills structs, unbind.c writes structs by it. A node is one value; an object is a set of named nodes
 * over a struct; nodes point to nodes, so shapes nest to any depth and may be shared. Which rules of a node count is
 * decided by its kind. All of it lives in the arena of its shape and is immutable once compiled.
 */
#ifndef MODEL_NODE_H
#define MODEL_NODE_H

#include <tenon/rows.h>
#include <tenon/tool.h>

#include "base/arena.h"
#include "base/str.h"

struct tn_format;
struct pattern;
struct tn_object;
struct tn_plan;

struct tn_text_rules {
    size_t                  min, max; /* code points; SIZE_MAX is no maximum */
    const struct pattern   *pattern;
    const char             *pattern_text;
    const char             *pattern_words; /* what the pattern asks for, or NULL */
    const struct tn_format *format;
    const char             *ext, *schemes; /* as the row says them, or NULL */
    bool                    blank_ok;
};

/* The bounds that are enforced: what the row says, and what the field can hold. */
struct tn_int_rules {
    int64_t     min, max;
    int64_t     def; /* for low_default */
    bool        clamp, low_default;
    const char *low_text, *high_text;
};

struct tn_num_rules {
    double min, max; /* infinities are no bounds */
    double tolerance;
    bool   clamp;
};

struct tn_choice {
    const struct tn_slice *names; /* by value; a hole has a NULL `at` */
    size_t                 count;
    bool                   exact;
    const char            *noun; /* or NULL */
};

struct tn_list_rules {
    size_t                min, max; /* items; SIZE_MAX is no maximum */
    bool                  unique, comma;
    const struct tn_node *item; /* of a list or a map */
};

struct tn_node {
    uint8_t                 kind;    /* enum tenon_kind */
    uint8_t                 flavour; /* which field type, as in the row */
    bool                    strict, secret, json_text, end_of_day, calendar;
    uint32_t                size; /* of the field, or of one item */
    struct tn_text_rules    text;
    struct tn_int_rules     integer;
    struct tn_num_rules     number;
    struct tn_list_rules    list;
    const struct tn_choice *choice;
    const struct tn_object *object; /* of an object, and of each item of a list of objects */
    const struct tn_schema *schema; /* of a node that a JSON Schema document declares (schema.h) */
    const tenon_with       *check;  /* rules of the program's own, or NULL */
    size_t                  check_count;
    tenon_lookup_fn         lookup; /* of the program's live values, or NULL */
    struct tn_slice
        expected; /* what is wanted, as a JSON Schema fragment, for issues; not of a shape that is only tried */
    struct tn_slice example; /* a good value, as JSON */
    bool            made_up; /* the example is the library's, not the row's own or its default */
};

/* A named node over a field. */
struct tn_param {
    const char           *name;
    uint32_t              len; /* of the name */
    uint32_t              offset;
    const struct tn_node *node;
    bool                  required, has_default;
    const char           *doc, *note, *default_note;
    const char           *header; /* x-mcp-header, or NULL */
    struct tn_slice       def;    /* the default as JSON, when there is one */
    const tenon_row      *row;
    const char           *group; /* the name of the group's table, or NULL */
};

/* A rule over several parameters, by their index. */
struct tn_rule {
    uint8_t  kind; /* TENON_KIND_ORDERED and its kin */
    uint8_t  count;
    uint32_t param[TENON_RULE_FIELDS_MAX];
};

/* A function over the struct, or over one of its groups. */
struct tn_hook {
    uint32_t       offset;
    tenon_check_fn check; /* one of the two */
    void (*derive)(void *group);
    const void *argument; /* of the check */
};

/* Where a name leads: a slot of an open-addressing table. Aliases have slots of their own. */
struct tn_name_slot {
    const char *name; /* NULL is a free slot */
    uint32_t    len, param;
};

struct tn_object {
    const char            *name; /* of the table in the source */
    const struct tn_param *params;
    size_t                 count;
    struct tn_name_slot   *slots;
    uint32_t               slot_mask;
    const struct tn_rule  *rules;
    size_t                 rule_count;
    const struct tn_hook  *hooks;
    size_t                 hook_count;
    size_t                 size;     /* of the struct */
    const void            *defaults; /* a struct with every default bound */
    bool                   guarded;  /* some row is secret, here or inside its objects */
    const struct tn_plan  *plan;     /* what is done with a good call (rows/plan/plan.h) */
    bool                   speaks;   /* some default has a note */
    bool                   looks;    /* some row has a lookup, */
    bool                   looks_in; /* or one inside its objects */
    struct tn_slice        example;  /* a whole good object, as JSON */
};

#define PARAM_NONE UINT32_MAX

/* The index of the parameter with that name or alias, or PARAM_NONE. */
uint32_t tn_object_find(const struct tn_object *object, const char *name, size_t len);

/* Is that one of its names, whatever the case of its letters? */
static inline bool tn_choice_has(const struct tn_choice *choice, struct tn_slice name)
{
    for (size_t i = 0; i < choice->count; i++)
        if (choice->names[i].at && tn_slice_fold_equal(choice->names[i], name))
            return true;
    return false;
}

/* A copy of which nothing is repeated, or NULL when memory is refused. */
static inline const struct tn_node *tn_node_secret(struct tn_arena *arena, const struct tn_node *node)
{
    struct tn_node *secret = tn_arena_new(arena, struct tn_node);

    if (secret) {
        *secret        = *node;
        secret->secret = true;
    }
    return secret;
}

static inline bool tn_kind_is_text(unsigned kind)
{
    return kind >= TENON_KIND_STR && kind <= TENON_KIND_ID;
}

/* A list of texts whose field is a pointer to them, the last of which is NULL. */
static inline bool tn_node_ends_with_null(const struct tn_node *node)
{
    return node->flavour == 1 && (node->kind == TENON_KIND_STRS || node->kind == TENON_KIND_PATHS);
}

static inline bool tn_kind_is_list(unsigned kind)
{
    return (kind >= TENON_KIND_STRS && kind <= TENON_KIND_ENUMS) || kind == TENON_KIND_OBJECTS;
}

#endif
