/* places.h - the values inside a call's arguments: what the schemas say of each, and where it stands in the text.
 *
 * Faults are edits of that text, so that a call can have what no document can hold: a name twice, half a surrogate pair.
 */
#ifndef CONTRACT_FUZZ_PLACES_H
#define CONTRACT_FUZZ_PLACES_H

#include <tenon/schema.h>

#include "base/arena.h"
#include "base/str.h"
#include "contract/view.h"

#define PLACES_MAX   ((size_t)200) /* of one call; further ones are left alone */
#define PLACES_ITEMS ((size_t)2)   /* of one list */
#define PLACES_DEPTH ((size_t)12)

struct tn_place {
    struct tn_slice pointer; /* within the arguments */
    struct tn_slice name;    /* of a member; `at` is NULL for all arguments, and for items */
    struct tn_view  view;
    yyjson_val     *value;
    size_t          key, from, to; /* bytes of the text: the member's name, the value, and after it */
    size_t          parent;        /* which place it is part of; of all arguments, itself */
    size_t          index;         /* of an item */
};

struct tn_places {
    struct tn_slice  text; /* the arguments */
    size_t           way;  /* of alternatives, that the text takes */
    struct tn_place *at;   /* all arguments first */
    size_t           count;
};

/* False without memory, or when the text is not an object. */
bool tn_places_find(struct tn_places *places, struct tn_arena *arena, const tenon_schema *schema,
                    struct tn_slice text, size_t way);

/* Is the place a member that its object must have, as far as one schema says so? */
bool tn_place_is_required(const struct tn_places *places, const struct tn_place *place);

#endif
