/* uri_reference.h - URI references: RFC 3986 resolution, fragments. Text only, nothing is fetched. */
#ifndef TEXT_URI_REFERENCE_H
#define TEXT_URI_REFERENCE_H

#include "base/arena.h"
#include "base/str.h"

#define REFERENCE_LEN_MAX 4096

/* `reference` against `base` (absolute, or empty), by RFC 3986 5.2 with dot segments removed; urn: and other opaque
 * bases keep their path for "#fragment" references. Lives in the arena; `at` is NULL when refused or too long. */
struct slice reference_resolve(struct arena *arena, struct slice base, struct slice reference);

/* Splits "uri#fragment"; the fragment is empty when there is none. */
void reference_split(struct slice uri, struct slice *without, struct slice *fragment);

/* A fragment with its percent-encoding undone; `at` is NULL when it is malformed or memory is refused. */
struct slice reference_decode(struct arena *arena, struct slice fragment);

#endif
