/* portable.h - the part of JSON Schema that every provider's strict mode accepts (emit.c calls it). */
#ifndef SCHEMA_PORTABLE_H
#define SCHEMA_PORTABLE_H

#include "schema/emit.h"

/* Objects below each other, the root included; what is deeper is sent as JSON text. */
#define PORTABLE_LEVELS 2

void portable_object(struct buf *out, const struct object *object, const struct emit_how *how);

#endif
