/* locate.h - where a value stands in a JSON text: from a JSON Pointer to a byte, from a byte to a line and column.
 *
 * For texts that people edit and tools that point into them. The text may be anything; the result is only correct for
 * valid JSON.
 */
#ifndef JSON_LOCATE_H
#define JSON_LOCATE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

/* The byte at which the value begins that `pointer` (RFC 6901) leads to. Where it leads nowhere the answer is false,
 * and the byte that of the innermost value on the way. Of members with one name the first counts. Reads the text
 * once, from the front; depth costs nothing. */
bool tn_json_locate(struct tn_slice text, struct tn_slice pointer, size_t *byte);

/* From the value that begins at `byte` of a valid JSON text to its end. */
struct tn_slice tn_json_span(struct tn_slice text, size_t byte);

/* From 1; lines end with a line feed, columns are code points. */
struct tn_json_position {
    size_t line, column;
};

/* `byte` may be the length of the text, and no more counts. */
struct tn_json_position tn_json_position(struct tn_slice text, size_t byte);

#endif
