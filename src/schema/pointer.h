/* pointer.h - is a text a JSON Pointer? Those that lead somewhere are followed by reference.h. */
#ifndef SCHEMA_POINTER_H
#define SCHEMA_POINTER_H

#include <stdbool.h>

#include "base/str.h"

/* RFC 6901: "" or tokens that each begin with "/"; "~" only as "~0" and "~1". Not in the form of a fragment. */
bool pointer_well_formed(struct slice text);

/* A number of levels up without leading zeros, then a JSON Pointer or "#". */
bool pointer_relative_well_formed(struct slice text);

#endif
