/* valid.h - calls that are good, made from the declarations. */
#ifndef SUPPORT_VALID_H
#define SUPPORT_VALID_H

#include <yyjson.h>

#include "model/node.h"

enum valid {
    VALID_LEAST, /* what is required, and what the rules ask for because of it */
    VALID_MOST,  /* everything that may go together; of alternatives the first */
    VALID_LAST,  /* the same with the last of alternatives */
    VALID_KINDS
};

/* The arguments of a good call, which belong to `doc`. */
yyjson_mut_val *valid_object(yyjson_mut_doc *doc, const struct tn_object *object, enum valid how);

/* A good value; the nth of several that differ, where the rules allow that. */
yyjson_mut_val *valid_value(yyjson_mut_doc *doc, const struct tn_node *node, enum valid how, size_t nth);

#endif
