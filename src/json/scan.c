/* scan.c - going forward through JSON text that may be anything. */
#include "json/scan.h"

#include <string.h>

#define BYTE_ORDER_MARK "\xEF\xBB\xBF"

struct scan scan_of(struct slice text)
{
    struct scan scan = { text.at, text.len, 0 };

    if (text.len >= 3 && memcmp(text.at, BYTE_ORDER_MARK, 3) == 0)
        scan.next = 3;
    scan_skip_blanks(&scan);
    return scan;
}

char scan_peek(const struct scan *scan)
{
    return scan->next < scan->len ? scan->at[scan->next] : '\0';
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

void scan_skip_blanks(struct scan *scan)
{
    while (is_blank(scan_peek(scan)))
        scan->next++;
}

bool scan_take(struct scan *scan, char wanted)
{
    scan_skip_blanks(scan);
    if (scan_peek(scan) != wanted)
        return false;
    scan->next++;
    return true;
}

struct slice scan_take_string(struct scan *scan)
{
    size_t first = ++scan->next;

    while (scan->next < scan->len && scan->at[scan->next] != '"')
        scan->next += scan->at[scan->next] == '\\' ? 2 : 1;
    if (scan->next > scan->len)
        scan->next = scan->len;
    return (struct slice){ scan->at + first, (scan->next < scan->len ? scan->next++ : scan->len) - first };
}

static void skip_container(struct scan *scan)
{
    size_t depth = 0;

    while (scan->next < scan->len) {
        char c = scan_peek(scan);

        if (c == '"') {
            scan_take_string(scan);
            continue;
        }
        scan->next++;
        if (c == '{' || c == '[')
            depth++;
        else if ((c == '}' || c == ']') && --depth == 0)
            return;
    }
}

void scan_skip_value(struct scan *scan)
{
    char c = scan_peek(scan);

    if (c == '"') {
        scan_take_string(scan);
        return;
    }
    if (c == '{' || c == '[') {
        skip_container(scan);
        return;
    }
    while (scan->next < scan->len && !is_blank(c) && c != ',' && c != ']' && c != '}') {
        scan->next++;
        c = scan_peek(scan);
    }
}
