/* portable.h - the part of JSON Schema that every provider's strict mode accepts, and what its callers send. */
#ifndef ROWS_PORTABLE_H
#define ROWS_PORTABLE_H

#include "rows/bind.h"
#include "rows/emit.h"

#define PORTABLE_LEVELS 2 /* of objects below each other; deeper ones are strings of JSON */

/* Sent in place of a value that is left out, where nothing else of the type can say so. */
#define PORTABLE_WORD "not_given"

/* How an optional parameter is left out, where every property must be sent. */
enum tn_absence {
    ABSENCE_NONE,      /* it is required */
    ABSENCE_DEFAULT,   /* its default is sent */
    ABSENCE_BLANK,     /* "" */
    ABSENCE_EMPTY,     /* [] */
    ABSENCE_WORD,      /* the word */
    ABSENCE_LIST_WORD, /* a list with the word in it */
};

void tn_portable_object(struct tn_buf *out, const struct tn_object *object, const struct tn_emit_how *how);

/* leave_out.c: what was sent for each parameter by a caller of this form. What means "left out" becomes NULL, and a
 * number or a truth value that is published as text becomes that value. */
void tn_portable_given(struct tn_judge *judge, const struct tn_object *object, yyjson_val **given);

#endif
