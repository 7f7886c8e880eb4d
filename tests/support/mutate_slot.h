/* mutate_slot.h - what the two halves of mutate share. */
#ifndef SUPPORT_MUTATE_SLOT_H
#define SUPPORT_MUTATE_SLOT_H

#include "support/mutate.h"

struct mutator {
    yyjson_mut_doc          *doc;
    const struct mutate_how *how;
    mutation_fn             *visit;
    void                    *user;
    yyjson_mut_val          *wrap; /* a value that is sent as JSON text, or NULL */
};

/* A place in the call. */
struct spot {
    yyjson_mut_val        *slot;
    const struct tn_node  *node;  /* of the value; NULL for whole arguments */
    const struct tn_param *param; /* NULL for items */
    bool                   in_rule, in_map;
    char                   where[280];
};

/* Visits the call with `other` at the spot. */
void mutate_slot(struct mutator *run, const struct spot *spot, const char *kind, enum leniency leniency,
                 bool must, yyjson_mut_val *other);

/* mutate.c: the faults of an object's members, and of what it has beside them. */
void mutate_members(struct mutator *run, const struct spot *object, const struct tn_object *model);

/* mutate_value.c: the faults of one value, and of what is in it. */
void mutate_value(struct mutator *run, const struct spot *spot);

#endif
