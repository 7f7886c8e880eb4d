/* locate.h - where a value stands in a JSON text: from a JSON Pointer to a byte, from a byte to a line and column.
 *
 * For texts that people edit and tools that point into them. The text may be anything; only of valid JSON is the
 * answer promised to be right.
 */
#ifndef JSON_LOCATE_H
#define JSON_LOCATE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

/* The byte at which the value begins that `pointer` (RFC 6901) leads to. Where it leads nowhere the answer is false,
 * and the byte that of the innermost value on the way. Of members with one name the first counts. Reads the text
 * once, from the front; depth costs nothing. */
bool json_locate(struct slice text, struct slice pointer, size_t *byte);

/* From 1; lines end with a line feed, columns are code points. */
struct json_position {
    size_t line, column;
};

/* `byte` may be the length of the text, and no more counts. */
struct json_position json_position(struct slice text, size_t byte);

#endif
