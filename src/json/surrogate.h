/* surrogate.h - halves of surrogate pairs: "\\ud83d" without its other half, as programs write that cut text by UTF-16 units.
 *
 * They are not Unicode, and no parser accepts them; but the text around them may be a message that needs an answer.
 */
#ifndef JSON_SURROGATE_H
#define JSON_SURROGATE_H

#include <stddef.h>

/* The first escape of a half that stands alone, inside a string of the text; `len` for none. */
size_t tn_surrogate_find(const char *at, size_t len);

/* The text with each of them as the three bytes that it would be in UTF-8, which does not allow them; into `to`, which is not
 * shorter than the text. How many bytes that is. */
size_t tn_surrogate_spell(const char *at, size_t len, char *to);

/* The byte of the text that byte `spelt` of what tn_surrogate_spell() wrote came from. */
size_t tn_surrogate_place(const char *at, size_t len, size_t spelt);

#endif
