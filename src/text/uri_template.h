/* uri_template.h - templates of RFC 6570: are they well-formed, and, backwards, which values make this URI out of that template?
 *
 * Of its expressions those can be matched that have one name and no operator but '+': {name} stands for text without '/',
 * '?' and '#', {+name} for any text, each for at least one character. Where several values are possible the first
 * variables are the longest. Time is linear in the length of the URI for each variable, whatever either of them is.
 */
#ifndef TEXT_URI_TEMPLATE_H
#define TEXT_URI_TEMPLATE_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/str.h"

#define URI_VARIABLES_MAX 16
#define URI_NAME_MAX      64
#define URI_LEN_MAX       4096 /* of a URI that is matched */

/* A value that was chosen by name. Once decoded it is followed by a NUL. */
struct tn_variable {
    struct tn_slice name, value;
};

/* All levels: "/a{/b*}{?c,d:3}". The empty text is a template too. */
bool tn_uri_template_well_formed(struct tn_slice text);

/* Why the template cannot be matched, or NULL. */
const char *tn_uri_template_mistake(struct tn_slice text);

/* The values as they stand in the URI. False when it is not of this template, which has no mistake. */
bool tn_uri_template_match(struct tn_slice text, struct tn_slice uri,
                           struct tn_variable variables[URI_VARIABLES_MAX], size_t *count);

/* Undoes the percent-encoding of values, each ended with a NUL in the arena. False when one is malformed, not UTF-8 or
 * has a NUL inside, or when memory is refused (arena->failed). */
bool tn_uri_template_decode(struct tn_arena *arena, struct tn_variable *variables, size_t count);

/* Is `name` one of its variables? */
bool tn_uri_template_has(struct tn_slice text, struct tn_slice name);

#endif
