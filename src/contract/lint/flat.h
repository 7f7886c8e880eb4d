/* flat.h - the arguments of a tool in a form that clients accept, and the way back.
 *
 * A flat schema has one type a place, no references and no unions, and every rule that the form has no keyword for in the
 * description. It is for models: what it accepts may still be refused by the server's own schema, which stays the one that
 * decides. But whatever it accepts can be turned back: each place has a plan that says how.
 */
#ifndef CONTRACT_LINT_FLAT_H
#define CONTRACT_LINT_FLAT_H

#include "base/table.h"
#include "contract/lint/flat_form.h"

#define FLAT_NODES_MAX ((size_t)1000) /* places of one tool; what is beyond is JSON text */
#define FLAT_LEN_MAX   ((size_t)1 << 20)
#define FLAT_WORD      "not_given" /* sent for what is left out, where nothing else of the type can say so */

enum tn_flat_kind {
    FLAT_AS_IS,
    FLAT_OBJECT, /* members have plans */
    FLAT_ARRAY,  /* items have one */
    FLAT_TEXT,   /* a text that is JSON, or the value itself */
    FLAT_CHOICE, /* a text that stands for a value of an enum */
};

/* What a member that need not be there is sent as, where every member is sent. */
enum tn_flat_absence { FLAT_LEFT_OUT, FLAT_NULL, FLAT_BLANK, FLAT_EMPTY, FLAT_WORDED };

struct tn_flat;

struct tn_flat_member {
    struct tn_slice      name, own; /* as published, and the server's */
    struct tn_flat      *plan;
    enum tn_flat_absence absence;
    bool                 optional; /* for the server */
    bool                 to_null;  /* the server needs it, and takes null for nothing */
};

struct tn_flat {
    enum tn_flat_kind      kind;
    struct tn_flat_member *members;
    size_t                 count;
    struct tn_table        by_name; /* members, as published */
    struct tn_flat        *item;    /* of an array; of an object: members that have no name here */
    yyjson_val            *choices; /* values of the enum */
    bool                   plain;   /* of a text: what is not JSON is the text itself */
};

/* Writes the flat form of a schema, and makes the plan; all in the arena, which must outlive it, as the schema must. NULL without
 * memory, or when it is too long. */
struct tn_flat *tn_flat_write(struct tn_buf *out, struct tn_arena *arena, const struct tn_flat_form *form,
                              yyjson_val *schema, bool destructive);

/* Arguments in the server's own form. False: they are the same already. */
bool tn_flat_back(struct tn_buf *out, struct tn_arena *arena, const struct tn_flat *plan,
                  yyjson_val *arguments);

/* A definition for a form. */
struct tn_flat_tool {
    struct tn_slice text;         /* the definition that is published */
    struct tn_flat *plan;         /* of its arguments; NULL: they are the server's own */
    bool            moves_header; /* it is as it was: a header repeats one of its parameters */
};

/* Of a definition that keeps all rules, the definition itself. `name` is published in the place of its own; empty: its own. False without memory. */
bool tn_flat_tool(struct tn_flat_tool *tool, struct tn_arena *arena, const struct tn_flat_form *form,
                  yyjson_val *definition, struct tn_slice name);

#endif
