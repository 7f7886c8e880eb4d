/* uri_reference.h - URI references: RFC 3986 resolution, fragments. Text only, nothing is fetched. */
#ifndef TEXT_URI_REFERENCE_H
#define TEXT_URI_REFERENCE_H

#include "base/arena.h"
#include "base/str.h"

#define REFERENCE_LEN_MAX 4096

/* `reference` against `base` (absolute, or empty), by RFC 3986 5.2 with dot segments removed; urn: and other opaque
 * bases keep their path for "#fragment" references. Lives in the arena; `at` is NULL when refused or too long. */
struct tn_slice tn_uri_reference_resolve(struct tn_arena *arena, struct tn_slice base,
                                         struct tn_slice reference);

/* Splits "uri#fragment"; the fragment is empty when there is none. */
void tn_uri_reference_split(struct tn_slice uri, struct tn_slice *without, struct tn_slice *fragment);

/* A fragment with its percent-encoding undone; `at` is NULL when it is malformed or memory is refused. */
struct tn_slice tn_uri_reference_decode(struct tn_arena *arena, struct tn_slice fragment);

#endif
