/* scan.c - going forward through JSON text that may be anything. */
#include "json/scan.h"

#include <string.h>

#define BYTE_ORDER_MARK "\xEF\xBB\xBF"

struct tn_scan tn_scan_of(struct tn_slice text)
{
    struct tn_scan scan = { text.at, text.len, 0 };

    if (text.len >= 3 && memcmp(text.at, BYTE_ORDER_MARK, 3) == 0)
        scan.next = 3;
    tn_scan_skip_spaces(&scan);
    return scan;
}

char tn_scan_peek(const struct tn_scan *scan)
{
    return scan->next < scan->len ? scan->at[scan->next] : '\0';
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

void tn_scan_skip_spaces(struct tn_scan *scan)
{
    while (is_blank(tn_scan_peek(scan)))
        scan->next++;
}

bool tn_scan_take(struct tn_scan *scan, char wanted)
{
    tn_scan_skip_spaces(scan);
    if (tn_scan_peek(scan) != wanted)
        return false;
    scan->next++;
    return true;
}

/* Is the byte at `at` after an odd number of backslashes, none of them before `first`? */
static bool is_escaped(const char *text, size_t first, size_t at)
{
    size_t from = at;

    while (from > first && text[from - 1] == '\\')
        from--;
    return (at - from) % 2 == 1;
}

struct tn_slice tn_scan_take_string(struct tn_scan *scan)
{
    size_t      first = ++scan->next;
    const char *quote = NULL;

    while (scan->next < scan->len && (quote = memchr(scan->at + scan->next, '"', scan->len - scan->next))) {
        scan->next = (size_t)(quote - scan->at) + 1;
        if (!is_escaped(scan->at, first, scan->next - 1))
            return (struct tn_slice){ scan->at + first, scan->next - 1 - first };
    }
    scan->next = scan->len;
    return (struct tn_slice){ scan->at + (first < scan->len ? first : scan->len),
                              first < scan->len ? scan->len - first : 0 };
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
    while (scan->next < scan->len && !is_blank(c) && c != ',' && c != ']' && c != '}') {
        scan->next++;
        c = tn_scan_peek(scan);
    }
}

void tn_scan_skip_last(struct tn_scan *scan)
{
    size_t end = scan->len;

    while (end > scan->next && is_blank(scan->at[end - 1]))
        end--;
    if (end > scan->next) /* the bracket of the container */
        end--;
    while (end > scan->next && is_blank(scan->at[end - 1]))
        end--;
    scan->next = end;
}
