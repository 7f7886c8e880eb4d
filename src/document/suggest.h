/* suggest.h - what a program can send instead of a value that a schema document refuses. */
#ifndef DOCUMENT_SUGGEST_H
#define DOCUMENT_SUGGEST_H

#include <tenon/schema.h>

#include "document/verdict/verdict.h"

#define HINT_EXPECTED_MAX ((size_t)512)
#define HINT_DEPTH_MAX    4 /* objects inside each other, in an example that is put together */

/* Adds what is wanted (the schema's own text, when it is short), a value to send instead where one is near, else an
 * example that the schema accepts. The issue gets a node of its own for that. */
void tn_suggest_add(struct tn_verdict *verdict, struct tn_issue *issue);

/* The same for each parameter of a tool, ahead of its calls, as far as they are few: what is not prepared is made when an
 * issue needs it. The schema is not shared yet. */
#define PREPARED_MAX ((size_t)64)
void tn_suggest_prepare(tenon_schema *schema);

/* A value that the schema accepts, as JSON; `at` is NULL when none was found. */
struct tn_slice tn_suggest_example(struct tn_verdict *verdict, const struct tn_node *node);

#endif
