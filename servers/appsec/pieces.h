/* pieces.h - parts of a long JSON text, found where they are: nothing of it is copied but what is kept.
 *
 * The text must be validated before. On any other text nothing outside of it is read, and the result means nothing.
 */
#ifndef APPSEC_PIECES_H
#define APPSEC_PIECES_H

#include <stdbool.h>
#include <stddef.h>

#include "kit/text.h"

/* A value inside a text, or none. */
struct piece {
    const char *at;
    size_t      len;
};

/* A value that is kept whole has no more bytes than this; a longer one is left out. What a scanner means to be read is far
 * shorter, and SQLite takes many times the size of JSON to read it. */
#define PIECE_KEPT_MAX ((size_t)64 << 10)

/* What is kept of an object, by its members' names: all of a value, or what `inside` says of it. A list of them ends with a
 * row without a name. */
struct keep {
    const char        *name;
    const struct keep *inside; /* of the object, or of each object of the array */
    size_t             most;   /* elements of an array, the first ones; 0 is all */
};

#define KEEP_ALL(name)                { name, NULL, 0 }
#define KEEP_INSIDE(name, keeps)      { name, keeps, 0 }
#define KEEP_FIRST(name, keeps, most) { name, keeps, most }
#define KEEP_END                      { NULL, NULL, 0 }

/* The first member of that name, as it is written: names with escapes are not found. */
struct piece piece_member(struct piece object, const char *name);

/* The elements of an array one by one: `rest` begins as the array. False at the end, and for what is no array. */
bool piece_next(struct piece *rest, struct piece *element);

/* Adds the value with what is to be kept of it. */
void piece_keep(struct text *out, struct piece value, const struct keep *keeps);

#endif
