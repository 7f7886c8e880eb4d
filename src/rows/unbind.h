/* unbind.h - structs to JSON, by the rows that declare them, checked on the way out.
 *
 * What a tool returns is held to its rows as strictly as what it takes: text, lengths, ranges, names, counts. A value
 * that breaks its row is a bug of the program, and is found here rather than by a client. Cross-field rules and checks
 * of the program's own are for arguments only.
 */
#ifndef ROWS_UNBIND_H
#define ROWS_UNBIND_H

#include "base/buf.h"
#include "model/node.h"
#include "text/pattern.h"

/* Structs below each other: more is a fault. */
#define UNBIND_DEPTH_MAX 32

/* Why a struct cannot be sent: a bug of the program, for its log. */
struct tn_unbind_fault {
    const char *
        param; /* a name, or a JSON Pointer below the top level ("/persons/3/name"); NULL when there is none */
    const char *
        why; /* static: "is missing", "is out of range", "is not valid UTF-8", ...; NULL for want of memory */
};

struct tn_unbind {
    struct tn_buf          *out;
    struct matcher        **matcher; /* made when first needed; its owner frees it */
    const tenon_allocator  *memory;
    struct tn_unbind_fault  fault;
    unsigned                depth; /* of structs; begin with 0 */
    struct tn_pattern_steps patterns;
};

/* Writes one JSON object. False when a value breaks its own row, with `fault` set, or when `out` failed; what was
 * written until then is not a whole value.
 *
 * What is absent is left out; when its row is required, that is a fault. Absent are a NULL text or JSON, a moment that
 * is not set, and the empty text of an optional row whose rules no empty text meets: a bound struct has it where
 * nothing was sent. Everything else is always written: a number is its value, a list without items is []. */
bool tn_unbind_object(struct tn_unbind *unbind, const struct tn_object *object, const void *data);

#endif
