/* emit.h - the model as JSON Schema, the same bytes every time.
 *
 * Three forms of one model. The full form expresses everything in keywords. The portable form keeps to what every
 * provider's strict mode accepts, and has the rest in the descriptions. A result is what unbind.c writes. In none of
 * them is there a union, a reference or an untyped parameter.
 */
#ifndef ROWS_EMIT_H
#define ROWS_EMIT_H

#include <tenon/shape.h>

#include "base/buf.h"
#include "model/node.h"

/* Objects below each other; what is deeper is published as an object without properties. */
#define EMIT_DEPTH_MAX 32

/* The schema of a tool's arguments. `closed` says whether unknown names are refused (additionalProperties);
 * `destructive` whether blank optionals are (they then have a minLength, and in the portable form only a word leaves one
 * out). */
struct tn_emit_how {
    tenon_schema_form form;
    bool              closed, destructive;
};
void tn_emit_object(struct tn_buf *out, const struct tn_object *object, const struct tn_emit_how *how);

/* What a node wants, without descriptions and defaults, for an issue: {"type":"integer","minimum":1,"maximum":10}.
 * An object names its properties with their types, one level deep, and those that are required. A value that is
 * published as JSON text shows what the text must hold. */
void tn_emit_expected(struct tn_buf *out, const struct tn_node *node);

/* A result: the rows as they are, nothing as JSON text. Required is what is always written: the required rows, and all
 * but texts, times and any JSON, which are left out when there is none. Any JSON has a description and no type, for
 * every type is right there. The limits of the field's own type are not said, and unknown names are not excluded, so
 * that a later version may add fields. */
void tn_emit_result(struct tn_buf *out, const struct tn_object *object);

/* No schema of the object is longer than that. Nothing is written for it, so that a length can be refused before the text is
 * needed. */
size_t tn_emit_bound(const struct tn_object *object);

#endif
