/* surrogate.c - one pass, over escapes and quotes. Outside of strings there are no escapes in JSON, and in a text that
 * is not JSON it does not matter how they are read. */
#include "json/surrogate.h"

#include <stdint.h>
#include <string.h>

#define ESCAPE_LEN ((size_t)6) /* of \\uXXXX */
#define SPELT_LEN  ((size_t)3)

/* The unit of the escape at `at`; 0 when there is none. */
static uint32_t unit_of(const char *at, size_t len)
{
    uint32_t unit = 0;

    if (len < ESCAPE_LEN || at[0] != '\\' || at[1] != 'u')
        return 0;
    for (size_t i = 2; i < ESCAPE_LEN; i++) {
        char c = at[i];

        if (c >= '0' && c <= '9')
            unit = unit << 4 | (uint32_t)(c - '0');
        else if ((c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'))
            unit = unit << 4 | (uint32_t)((c | 0x20) - 'a' + 10);
        else
            return 0;
    }
    return unit;
}

static int is_high(uint32_t unit)
{
    return unit >= 0xD800 && unit <= 0xDBFF;
}

static int is_low(uint32_t unit)
{
    return unit >= 0xDC00 && unit <= 0xDFFF;
}

/* How long is what stands at `at`: an escape, a pair of them, or one byte? *lone is the unit of a half alone, or 0. */
static size_t surrogate_step(const char *at, size_t len, uint32_t *lone)
{
    uint32_t unit;

    *lone = 0;
    if (at[0] != '\\')
        return 1;
    unit = unit_of(at, len);
    if (is_high(unit) && is_low(unit_of(at + ESCAPE_LEN, len - ESCAPE_LEN)))
        return 2 * ESCAPE_LEN;
    if (is_high(unit) || is_low(unit))
        *lone = unit;
    return unit ? ESCAPE_LEN : len < 2 ? len : 2;
}

size_t tn_surrogate_find(const char *at, size_t len)
{
    uint32_t lone;

    for (size_t i = 0; i < len;) {
        size_t len_here;

        if (at[i] != '\\') { /* most of it */
            const char *escape = memchr(at + i, '\\', len - i);

            i = escape ? (size_t)(escape - at) : len;
            continue;
        }
        len_here = surrogate_step(at + i, len - i, &lone);
        if (lone)
            return i;
        i += len_here;
    }
    return len;
}

size_t tn_surrogate_spell(const char *at, size_t len, char *to)
{
    size_t   written = 0;
    uint32_t lone;

    for (size_t i = 0; i < len;) {
        size_t taken = surrogate_step(at + i, len - i, &lone);

        if (lone) {
            to[written++] = (char)(0xE0 | lone >> 12);
            to[written++] = (char)(0x80 | (lone >> 6 & 0x3F));
            to[written++] = (char)(0x80 | (lone & 0x3F));
        } else {
            memcpy(to + written, at + i, taken);
            written += taken;
        }
        i += taken;
    }
    return written;
}

size_t tn_surrogate_place(const char *at, size_t len, size_t spelt)
{
    size_t   written = 0, i = 0;
    uint32_t lone;

    while (i < len) {
        size_t taken = surrogate_step(at + i, len - i, &lone), more = lone ? SPELT_LEN : taken;

        if (written + more > spelt)
            return lone ? i : i + (spelt - written);
        written += more;
        i += taken;
    }
    return len;
}
