/* flags.h - the flags of the documentation server. */
#ifndef DOCS_FLAGS_H
#define DOCS_FLAGS_H

#include "docs/docs.h"
#include "kit/flags.h"

/* Into a struct docs_options, all but over_http. */
#define DOCS_FLAGS 15
extern const struct flag docs_flags[DOCS_FLAGS];

#endif
