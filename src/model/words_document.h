/* words_document.h - sentences about what only JSON Schema documents can ask for. */
#ifndef MODEL_WORDS_DOCUMENT_H
#define MODEL_WORDS_DOCUMENT_H

#include "base/buf.h"
#include "model/issue.h"

/* The sentence of an issue whose code is ISSUE_NEVER to ISSUE_NOT. */
void words_schema(struct buf *out, const struct issue *issue);

/* "a string or null", from TYPE_ bits. */
void words_types(struct buf *out, unsigned types);

/* The names that an object's schema knows. */
void words_property_names(struct buf *out, const struct schema *schema);

#endif
