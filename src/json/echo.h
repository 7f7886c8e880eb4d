/* echo.h - a value that a caller sent, repeated back to it in a sentence: short, escaped, on one line.
 *
 * What is echoed is untrusted text inside our own: control characters, and bytes that are not UTF-8, are written as
 * \n, \t, \xNN or \u{NN}; a value longer than ECHO_MAX code points ends in "...".
 */
#ifndef JSON_ECHO_H
#define JSON_ECHO_H

#include <yyjson.h>

#include "base/buf.h"
#include "base/str.h"

#define ECHO_MAX 100

/* Text without quotes around it. It is plain text, not JSON: the caller escapes it again where it becomes JSON. */
void tn_echo_text(struct tn_buf *buf, const char *at, size_t len);

/* The same of all of it, however long: for people who must see the whole. */
void tn_echo_whole(struct tn_buf *buf, const char *at, size_t len);

/* The same as a text of its own; `name` itself when it is short and of printable ASCII, as most are. */
struct tn_slice tn_echo_name(struct tn_arena *arena, struct tn_slice name);

/* Any value, as JSON on one line (strings in double quotes), cut the same way. */
void tn_echo_value(struct tn_buf *buf, yyjson_val *value);

/* "a string", "a number", "an object", "null": all that is said of a secret. */
const char *tn_echo_type(yyjson_val *value);

#endif
