/* uri.h - absolute URIs by the grammar of RFC 3986, as text. */
#ifndef SCHEMA_URI_H
#define SCHEMA_URI_H

#include <stdbool.h>

#include "base/str.h"

/* A scheme and what follows it, with or without a fragment; not a relative reference. */
bool uri_is_absolute(struct slice text);

/* "https" of "https://..."; empty when the text does not begin with a scheme and a colon. */
struct slice uri_scheme(struct slice text);

#endif
