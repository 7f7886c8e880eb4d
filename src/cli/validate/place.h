/* place.h - "file:line:column", as compilers and editors write it. */
#ifndef CLI_VALIDATE_PLACE_H
#define CLI_VALIDATE_PLACE_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/str.h"

/* A text and the name that it is spoken of by. */
struct validate_source {
    const char     *name;
    struct tn_slice text;
};

/* What a path is called: "-" is "<stdin>", an empty one ''. */
const char *source_name(const char *path);

/* In the arena; NULL when out of memory. Of a pointer that leads nowhere it is the place of the innermost
 * value on its way: the object, for a property that is missing. */
const char *place_of_byte(struct tn_arena *arena, const struct validate_source *source, size_t byte);
const char *place_of_pointer(struct tn_arena *arena, const struct validate_source *source,
                             struct tn_slice pointer);

/* Is the text no JSON, or not UTF-8? Then where its first fault stands, and what it is. */
bool place_of_fault(struct tn_arena *arena, const struct validate_source *source, const char **place,
                    const char **what);

#endif
