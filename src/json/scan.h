/* scan.h - JSON text read by its marks only: strings, brackets, commas. For code that looks for one place in it, or whose
 * text may be broken. Nothing is checked, every step ends, and nothing is read twice.
 */
#ifndef JSON_SCAN_H
#define JSON_SCAN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

struct tn_scan {
    const char *at;
    size_t      len, next;
};

/* At the first byte of the value: after a byte order mark and spaces. */
struct tn_scan tn_scan_of(struct tn_slice text);

/* The next byte, or NUL at the end; a NUL of the text ends a scan as well as anything that is no JSON does. */
static inline char tn_scan_peek(const struct tn_scan *scan)
{
    return scan->next < scan->len ? scan->at[scan->next] : '\0';
}

static inline bool tn_scan_is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static inline void tn_scan_skip_spaces(struct tn_scan *scan)
{
    while (tn_scan_is_space(tn_scan_peek(scan)))
        scan->next++;
}

/* Takes `wanted`, after spaces; false when something else is next. */
static inline bool tn_scan_take(struct tn_scan *scan, char wanted)
{
    tn_scan_skip_spaces(scan);
    if (tn_scan_peek(scan) != wanted)
        return false;
    scan->next++;
    return true;
}

/* Moves past a string whose opening quote is next, and gives what stands between the quotes. */
struct tn_slice tn_scan_take_string(struct tn_scan *scan);

/* Moves past the value that is next, whatever stands in it. One that has no end takes all the rest. */
void tn_scan_skip_value(struct tn_scan *scan);

/* The same for the last value in the one container that the text is, without looking at it: it ends where that does. Only for
 * a text that was found to be JSON. */
void tn_scan_skip_last(struct tn_scan *scan);

#endif
