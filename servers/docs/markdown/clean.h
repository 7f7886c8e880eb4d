/* clean.h - untrusted text made safe to show: nothing in it that hides, reorders or controls a terminal.
 *
 * Left out are
 *
 *     controls       U+0000-U+0008, U+000B-U+001F, U+007F-U+009F; CRLF and CR become LF
 *     escapes        ESC or U+009B and what belongs to it (colours, titles, links of terminals)
 *     directions     U+061C, U+200E, U+200F, U+202A-U+202E, U+2066-U+2069
 *     the invisible  U+00AD, U+034F, U+115F, U+1160, U+17B4, U+17B5, U+180B-U+180F, U+200B, U+2060-U+2065, U+206A-U+206F,
 *                    U+3164, U+FE00-U+FE0D, U+FEFF, U+FFA0, U+FFF0-U+FFFB, U+1BCA0-U+1BCA3, U+1D173-U+1D17A,
 *                    U+E0000-U+E0FFF
 *     no characters  U+FDD0-U+FDEF, U+nFFFE, U+nFFFF, bytes that are not UTF-8
 *
 * U+2028 and U+2029 become LF. Joiners (U+200C, U+200D) stay between two characters from U+0600 on, which some
 * languages and emoji need; a variation selector (U+FE0E, U+FE0F) stays after a character from U+00A9 on, one of them.
 */
#ifndef DOCS_MARKDOWN_CLEAN_H
#define DOCS_MARKDOWN_CLEAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define POINT_NONE UINT32_MAX /* a byte that is not UTF-8 */

/* The code point at *at (which is before `end`); *at moves behind it, by one byte for POINT_NONE. */
uint32_t clean_point(const char **at, const char *end);
bool     clean_is_utf8(const char *at, size_t len);

/* At most `most` characters into `out`, which has room for len + 1 bytes; how many bytes. A NUL follows. */
size_t clean_text(char *out, const char *text, size_t len, size_t most);

#endif
