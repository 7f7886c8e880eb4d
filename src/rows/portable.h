/* portable.h - the part of JSON Schema that every provider's strict mode accepts, and what its callers send. */
#ifndef ROWS_PORTABLE_H
#define ROWS_PORTABLE_H

#include "rows/bind.h"
#include "rows/emit.h"

#define PORTABLE_LEVELS 2 /* of objects below each other; deeper ones are strings of JSON */

/* Sent in place of a value that is left out, where nothing else of the type can say so. */
#define PORTABLE_WORD "not_given"

/* How an optional parameter is left out, where every property must be sent. */
enum absence {
    ABSENCE_NONE,      /* it is required */
    ABSENCE_DEFAULT,   /* its default is sent */
    ABSENCE_BLANK,     /* "" */
    ABSENCE_EMPTY,     /* [] */
    ABSENCE_WORD,      /* the word */
    ABSENCE_LIST_WORD, /* a list with the word in it */
};

void portable_object(struct buf *out, const struct object *object, const struct emit_how *how);

/* leave_out.c: what was sent for each parameter by a caller of this form. What means "left out" becomes NULL, and a
 * number or a truth value that is published as text becomes that value. */
void portable_given(struct judge *judge, const struct object *object, yyjson_val **given);

#endif
