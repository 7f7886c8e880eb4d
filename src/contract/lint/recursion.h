/* recursion.h - references inside a schema: where they lead, and whether they lead in circles. */
#ifndef CONTRACT_LINT_RECURSION_H
#define CONTRACT_LINT_RECURSION_H

#include "contract/lint/site.h"

#define RECURSION_DEPTH_MAX 400 /* schemas below each other, references included; what is deeper counts as a circle */

#define RECURSION_REFERENCES_MAX 2000 /* of one schema; more count as a circle, too: each takes a search */

/* The schema that "#" or "#/pointer" leads to; NULL when it leads elsewhere, or nowhere. */
yyjson_val *tn_reference_target(yyjson_val *root, struct tn_arena *arena, struct tn_slice reference);

/* Does a schema stand inside itself? Memory is that of the arena. */
bool tn_recursion_found(yyjson_val *root, struct tn_arena *arena);

#endif
