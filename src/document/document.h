/* document.h - a compiled schema document, from the inside. */
#ifndef DOCUMENT_DOCUMENT_H
#define DOCUMENT_DOCUMENT_H

#include <tenon/schema.h>

#include "document/compile.h"
#include "document/verdict.h"

struct tenon_schema {
    tenon_shape        shape; /* its arena, its patterns, its memory */
    struct library     library;
    struct reading     reading;
    const struct node *node; /* NULL when there is a mistake */
};

/* A verdict by the document, reported to `judge`; `root` is what sentences call the whole value, and a look has so many
 * `steps`. */
struct verdict document_verdict(const tenon_schema *schema, struct judge *judge, struct slice root,
                                size_t steps);

#endif
