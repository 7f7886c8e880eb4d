/* uri_template.h - URI templates by the grammar of RFC 6570, as text. */
#ifndef TEXT_URI_TEMPLATE_H
#define TEXT_URI_TEMPLATE_H

#include <stdbool.h>

#include "base/str.h"

/* All levels: "/a{/b*}{?c,d:3}". The empty text is a template too. */
bool tn_uri_template_well_formed(struct tn_slice text);

#endif
