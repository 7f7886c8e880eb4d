/* words_document.h - sentences about what only JSON Schema documents can ask for. */
#ifndef MODEL_WORDS_DOCUMENT_H
#define MODEL_WORDS_DOCUMENT_H

#include "base/buf.h"
#include "model/issue.h"

/* The sentence of an issue whose code is ISSUE_NEVER to ISSUE_NOT. */
void tn_words_document(struct tn_buf *out, const struct tn_issue *issue);

/* "a string or null", from TYPE_ bits. */
void tn_words_types(struct tn_buf *out, unsigned types);

/* The names that an object's schema knows. */
void tn_words_property_names(struct tn_buf *out, const struct tn_schema *schema);

#endif
