/* place.h - where in the arguments the judge is, and reporting what is wrong there.
 *
 * Places live on the stack and point up. A caller can address everything that it sent as JSON; what came out of a
 * text (JSON text, a comma list) it can only replace whole, so that issues below are reported at the text.
 */
#ifndef SCHEMA_PLACE_H
#define SCHEMA_PLACE_H

#include "schema/bind.h"

struct place {
    const struct place *up;
    const struct node  *node;
    struct slice        name;  /* of a member; `at` is NULL for an item */
    size_t              index; /* of an item */
    bool                required;
    bool                from_text; /* its content was read out of text */
    bool                from_comma;
};

/* The name of a parameter at the top, a JSON Pointer below it. */
struct slice place_path(struct arena *arena, const struct place *place);

/* A JSON Pointer always: "" for NULL. */
struct slice place_pointer(struct arena *arena, const struct place *place);

/* An issue at `place`; NULL when it is only counted. */
struct issue *place_report(struct judge *judge, const struct place *place, enum issue_code code, yyjson_val *received);

/* A copy of `buf` as a suggestion. */
void place_suggest(struct issue *issue, struct buf *json);

#endif
