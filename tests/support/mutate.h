/* mutate.h - every single fault of a good call, made from the declarations.
 *
 * A mutation is one change at one place. Most are faults, and must be refused; some the boundary takes all the same,
 * and then the mutation says how that must show.
 */
#ifndef SUPPORT_MUTATE_H
#define SUPPORT_MUTATE_H

#include <yyjson.h>

#include "model/node.h"

/* How a mutated call may be taken at the first try, and how the library must show that it noticed. */
enum leniency {
    REFUSED,       /* it may not */
    TAKEN_AS_IS,   /* the value is good, too */
    TAKEN_ABSENT,  /* as if it had not been sent */
    TAKEN_FORM,    /* counted as another form */
    TAKEN_TYPE,    /* counted as another type, and told */
    TAKEN_MESSAGE, /* told */
};

struct mutation {
    const char   *kind;
    char          where[300]; /* JSON Pointer */
    enum leniency leniency;
    bool          must; /* be taken; a rule or another constraint cannot be in the way */
    const char   *json;
    size_t        len;
};

typedef void mutation_fn(void *user, const struct mutation *mutation);

struct mutate_how {
    bool          strict, destructive;
    tenon_unknown unknown; /* resolved */
};

/* Visits every single-fault mutation of the good call `doc`, which is as before when this returns. */
void mutate_call(yyjson_mut_doc *doc, const struct tn_object *object, const struct mutate_how *how,
                 mutation_fn *visit, void *user);

#endif
