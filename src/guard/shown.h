/* shown.h - the definition of a tool as clients see it: the server's text, with what must differ put in or left out.
 *
 * Left out is what it says of tasks that are not spoken. Put in is the operator's overlay, where models are to see it; and for
 * legacy clients an outputSchema that is not an object's stands inside one, as their results do.
 */
#ifndef GUARD_SHOWN_H
#define GUARD_SHOWN_H

#include <yyjson.h>

#include "base/buf.h"

#define SHOWN_RESULT "result" /* the member that such results stand in */

struct tn_shown {
    yyjson_val     *value;
    struct tn_slice text;
    struct tn_slice name;    /* that it is published by; empty: its own */
    struct tn_slice overlay; /* JSON Schema to be shown in an allOf; or empty */
    bool            wrapped; /* the outputSchema stands inside an object */
};

/* Writes it on one line. */
void tn_shown_write(struct tn_buf *out, const struct tn_shown *definition);

/* Does its outputSchema speak of other values than objects? */
bool tn_shown_wraps(yyjson_val *definition);

/* Can a schema stand inside another document? Not when it refers to its own root, or to places that move with it. */
bool tn_shown_moves(yyjson_val *schema);

#endif
