/* format.h - what the formats of JSON Schema accept; each a pure function of text. */
#ifndef TEXT_FORMAT_H
#define TEXT_FORMAT_H

#include <stdbool.h>

#include "base/str.h"

struct tn_format {
    const char *name;    /* "email", "date-time", ...: those of JSON Schema 2020-12 */
    const char *article; /* for a sentence: "an email address", "a URI", ... */
    const char *example; /* passes */
    bool (*accepts)(struct tn_slice text);
};

/* NULL when there is none of that name; without libidn2 there is no "idn-hostname". */
const struct tn_format *tn_format_find(const char *name);

/* The one that a misspelt name may mean; NULL when none is near. */
const struct tn_format *tn_format_near(const char *name);

/* The scheme of an absolute URI ("https"), empty when there is none. */
struct tn_slice tn_format_scheme(struct tn_slice uri);

/* Is that scheme one of a list, "https,http"? */
bool tn_format_has_scheme(struct tn_slice uri, const char *schemes);

/* What TENON_ID takes: letters, digits and _ . - after a letter, a digit or _. */
bool tn_format_is_identifier(struct tn_slice text);

#endif
