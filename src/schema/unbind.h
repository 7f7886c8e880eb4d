/* unbind.h - structs to JSON, by the rows that declare them, checked on the way out. */
#ifndef SCHEMA_UNBIND_H
#define SCHEMA_UNBIND_H

#include "base/buf.h"
#include "schema/model.h"
#include "schema/pattern.h"

/* Why a struct cannot be sent: a bug of the program, for its log. */
struct unbind_fault {
    const char *param; /* NULL when there is none */
    const char *why;   /* static: "is missing", "is out of range", "is not valid UTF-8", ... */
};

struct unbind {
    struct buf         *out;
    struct matcher    **matcher;
    const tenon_allocator *memory;
    struct unbind_fault fault;
};

/* Writes one JSON object. False, with `fault` set, when a value breaks its own row. What is absent (a NULL text or
 * JSON, a moment that is not set) is left out; when its row is required, that is a fault. */
bool unbind_object(struct unbind *unbind, const struct object *object, const void *data);

#endif
