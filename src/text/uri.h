/* uri.h - URIs by the grammar of RFC 3986, IRIs by that of RFC 3987, as text. */
#ifndef TEXT_URI_H
#define TEXT_URI_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

/* A scheme and what follows it, with or without a fragment; not a relative reference. */
bool tn_uri_is_absolute(struct tn_slice text);
bool tn_iri_is_absolute(struct tn_slice text);

/* Absolute or relative; "" is a reference too. */
bool tn_uri_is_reference(struct tn_slice text);
bool tn_iri_is_reference(struct tn_slice text);

/* "https" of "https://..."; empty when the text does not begin with a scheme and a colon. */
struct tn_slice tn_uri_scheme(struct tn_slice text);

/* What an IRI may contain beyond ASCII: everywhere, and in its query only. */
bool tn_iri_has(uint32_t code);
bool tn_iri_query_has(uint32_t code);

#endif
