/* scan.c - going forward through JSON text that may be anything. */
#include "json/scan.h"

#include <string.h>

#define BYTE_ORDER_MARK "\xEF\xBB\xBF"
#define NEAR_LEN        ((size_t)16)

struct tn_scan tn_scan_of(struct tn_slice text)
{
    struct tn_scan scan = { text.at, text.len, 0 };

    if (text.len >= 3 && memcmp(text.at, BYTE_ORDER_MARK, 3) == 0)
        scan.next = 3;
    tn_scan_skip_spaces(&scan);
    return scan;
}

/* Is the byte at `at` after an odd number of backslashes, none of them before `first`? */
static bool is_escaped(const char *text, size_t first, size_t at)
{
    size_t from = at;

    while (from > first && text[from - 1] == '\\')
        from--;
    return (at - from) % 2 == 1;
}

/* The rest of a string that begins at `first`, from a byte that no backslash stands before. */
static struct tn_slice take_long(struct tn_scan *scan, size_t first, size_t from)
{
    size_t      end = from;
    const char *quote;

    while (end < scan->len && (quote = memchr(scan->at + end, '"', scan->len - end))) {
        end = (size_t)(quote - scan->at);
        if (!is_escaped(scan->at, from, end)) {
            scan->next = end + 1;
            return (struct tn_slice){ scan->at + first, end - first };
        }
        end++;
    }
    scan->next = scan->len;
    return (struct tn_slice){ scan->at + first, scan->len - first };
}

/* Names and most values are shorter than a call of memchr() is worth. */
struct tn_slice tn_scan_take_string(struct tn_scan *scan)
{
    size_t      first = scan->next + 1, left = scan->len - first, len = 0;
    const char *at = scan->at + first;

    if (left > NEAR_LEN)
        left = NEAR_LEN;
    while (len < left && at[len] != '"' && at[len] != '\\')
        len++;
    if (len == left || at[len] != '"')
        return take_long(scan, first, first + len);
    scan->next = first + len + 1;
    return (struct tn_slice){ at, len };
}

static void skip_container(struct tn_scan *scan)
{
    size_t depth = 0;

    while (scan->next < scan->len) {
        char c = tn_scan_peek(scan);

        if (c == '"') {
            tn_scan_take_string(scan);
            continue;
        }
        scan->next++;
        if (c == '{' || c == '[')
            depth++;
        else if ((c == '}' || c == ']') && --depth == 0)
            return;
    }
}

void tn_scan_skip_value(struct tn_scan *scan)
{
    char c = tn_scan_peek(scan);

    if (c == '"') {
        tn_scan_take_string(scan);
        return;
    }
    if (c == '{' || c == '[') {
        skip_container(scan);
        return;
    }
    while (scan->next < scan->len && !tn_scan_is_space(c) && c != ',' && c != ']' && c != '}') {
        scan->next++;
        c = tn_scan_peek(scan);
    }
}

void tn_scan_skip_last(struct tn_scan *scan)
{
    size_t end = scan->len;

    while (end > scan->next && tn_scan_is_space(scan->at[end - 1]))
        end--;
    if (end > scan->next) /* the bracket of the container */
        end--;
    while (end > scan->next && tn_scan_is_space(scan->at[end - 1]))
        end--;
    scan->next = end;
}
