/* emit.h - the model as JSON Schema, the same bytes every time. */
#ifndef SCHEMA_EMIT_H
#define SCHEMA_EMIT_H

#include <tenon/shape.h>

#include "base/buf.h"
#include "schema/model.h"

/* The schema of a tool's arguments. `closed` says whether unknown names are refused (additionalProperties);
 * `destructive` whether blank optionals are (the portable form then has no way to leave one out but leaving it out). */
struct emit_how {
    tenon_schema_form form;
    bool              closed, destructive;
};
void emit_object(struct buf *out, const struct object *object, const struct emit_how *how);

/* What a node wants, without descriptions and defaults, for an issue: {"type":"integer","minimum":1,"maximum":10}. */
void emit_expected(struct buf *out, const struct node *node);

/* A result: the rows as they are, nothing as JSON text. */
void emit_result(struct buf *out, const struct object *object);

#endif
