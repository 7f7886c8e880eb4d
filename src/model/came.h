/* came.h - structs that did not come plainly: out of JSON text, out of a wrapper, or under other spellings of names.
 *
 * What is found wrong once they are bound, by a rule, a check, a lookup or the handler, is reported where the caller
 * can correct it: at the text, or under the name that was sent.
 */
#ifndef MODEL_CAME_H
#define MODEL_CAME_H

#include "model/location.h"

struct tn_came {
    const uint8_t            *presence; /* of the struct, which it is found by */
    const struct tn_location *up;       /* the struct's place, kept; NULL for the arguments */
    yyjson_val *const        *keys;     /* that were taken under another name */
    size_t                    count;
    struct tn_came           *next;
};

/* Keeps how the struct came that is about to be bound. */
void tn_came_add(struct tn_judge *judge, const uint8_t *presence, const struct tn_location *up,
                 yyjson_val *const *keys, size_t count);

/* The name that a parameter of the struct was sent under, or its own. */
struct tn_slice tn_came_name(const struct tn_judge *judge, const struct tn_object *object,
                             const uint8_t *presence, const struct tn_param *param);

/* Makes it an issue of the parameter that was found. */
void tn_came_move(struct tn_judge *judge, const struct tn_found *found, struct tn_issue *issue);

#endif
