/* location.h - where in the arguments the judge is, and reporting what is wrong there.
 *
 * Places live on the stack and point up. A caller can address everything that it sent as JSON; what came out of a
 * text (JSON text, a comma list) it can only replace whole, so that issues below are reported at the text. The same
 * holds for items that must differ, and for what has a name that no answer repeats as it is.
 */
#ifndef MODEL_LOCATION_H
#define MODEL_LOCATION_H

#include "model/judge.h"

struct place {
    const struct place *up;
    const struct node  *node;
    struct slice        name;  /* of a member; `at` is NULL for an item */
    size_t              index; /* of an item */
    bool                required;
    bool                whole;    /* its content was read out of text: replaced only as a whole */
    bool                together; /* its items must fit together: no item is offered alone */
    bool                from_comma;
    bool                plain; /* no form but its own is taken */
    unsigned            form;  /* in which `sent` came (enum wire_form) */
    yyjson_val         *sent;  /* what the value was taken out of, or NULL */
};

/* For sentences: the name of a parameter at the top, a JSON Pointer below it, with names cut and escaped. */
struct slice place_path(struct arena *arena, const struct place *place);

/* For programs: an exact JSON Pointer, "" for NULL. */
struct slice place_pointer(struct arena *arena, const struct place *place);

/* Was it, or something around it, read out of text? */
bool place_is_in_text(const struct place *place);

/* A copy that outlives the stack; NULL for NULL, and when memory is refused. */
const struct place *place_keep(struct arena *arena, const struct place *place);

/* An issue at `place`; NULL when it is only counted. */
struct issue *place_report(struct judge *judge, const struct place *place, enum issue_code code,
                           yyjson_val *received);

/* The same for a value of the wrong type that may stand in JSON text. */
void place_report_in_text(struct judge *judge, const struct place *place, yyjson_val *received, bool in_text);

/* Makes it an issue of `place`. */
void place_move(struct judge *judge, const struct place *place, struct issue *issue);

/* Suggests the value in `json`, unless the issue is about a part of what the caller can replace. */
void place_suggest(struct issue *issue, struct buf *json);

#endif
