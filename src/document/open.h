/* open.h - names that an open schema lets in without a word of them.
 *
 * A schema that lists properties and is silent about others (no additionalProperties) accepts every name, also one that is
 * misspelt: the tool then works without the parameter that was meant. Such a name is looked at after the value was judged,
 * in objects at any depth. One that says what other names are for, be it `true`, is taken at its word.
 */
#ifndef DOCUMENT_OPEN_H
#define DOCUMENT_OPEN_H

#include "document/verdict/verdict.h"

enum tn_open {
    OPEN_NEAR,    /* refuses a name that is nearly a declared one that is absent; the others get a message */
    OPEN_REJECT,  /* refuses every one */
    OPEN_MESSAGE, /* a message for each */
    OPEN_IGNORE
};

/* Is there a value that has something of the kind? One that a schema says everything of needs no look at its names. */
bool tn_open_any(const struct tn_node *node);

/* Adds issues and messages to the verdict's judge. */
void tn_open_names(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value,
                   enum tn_open how);

#endif
