/* locate.c - follows a JSON Pointer through the text itself, since a parsed value no longer knows where it stood.
 *
 * The scan only goes forward: a member that is not on the way is skipped by counting brackets, and the one that is
 * gets entered. So the work is at most one pass, however deep the way leads.
 */
#include "json/locate.h"

#include <stdint.h>
#include <string.h>

#include "json/pointer.h"
#include "json/scan.h"

#define UTF8_MAX 4 /* bytes of a code point */

/* ---- Names -------------------------------------------------------------------------------------------------- */

static size_t put_utf8(uint32_t code, char out[UTF8_MAX])
{
    static const unsigned char marks[] = { 0, 0, 0xC0, 0xE0, 0xF0 };
    size_t                     len     = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;

    for (size_t i = len; i-- > 1; code >>= 6)
        out[i] = (char)(0x80 | (code & 0x3F));
    out[0] = (char)(len == 1 ? code : marks[len] | code);
    return len;
}

/* Four hexadecimal digits at `from`; anything else counts as zeros. */
static uint32_t read_unit(struct tn_slice raw, size_t from)
{
    uint32_t unit = 0;

    for (size_t i = from; i < from + 4 && i < raw.len; i++) {
        char c = raw.at[i];

        unit = unit << 4 | (uint32_t)(c >= '0' && c <= '9'   ? c - '0'
                                      : c >= 'a' && c <= 'f' ? c - 'a' + 10
                                      : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                                             : 0);
    }
    return unit;
}

/* What "\u...." at *next stands for, two of them when they are a pair; moves behind it. */
static uint32_t take_unicode(struct tn_slice raw, size_t *next)
{
    uint32_t high = read_unit(raw, *next + 2), low;

    *next += 6;
    if (high < 0xD800 || high > 0xDBFF || *next + 6 > raw.len || raw.at[*next] != '\\' ||
        raw.at[*next + 1] != 'u')
        return high;
    low = read_unit(raw, *next + 2);
    if (low < 0xDC00 || low > 0xDFFF)
        return high;
    *next += 6;
    return 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00);
}

/* The bytes of the next character of a string, escaped or not (of a plain one only its next byte). */
static size_t take_piece(struct tn_slice raw, size_t *next, char out[UTF8_MAX])
{
    static const char escaped[] = "bfnrt", meant[] = "\b\f\n\r\t";
    const char       *known;

    out[0] = raw.at[*next];
    if (out[0] != '\\' || *next + 1 == raw.len) {
        ++*next;
        return 1;
    }
    if (raw.at[*next + 1] == 'u')
        return put_utf8(take_unicode(raw, next), out);
    out[0] = raw.at[*next + 1];
    known  = out[0] ? strchr(escaped, out[0]) : NULL;
    if (known)
        out[0] = meant[known - escaped];
    *next += 2;
    return 1;
}

/* The next byte of a pointer's token, with ~0 and ~1 read. */
static bool take_token_byte(struct tn_slice *token, char *out)
{
    size_t taken = 1;

    if (token->len == 0)
        return false;
    *out = token->at[0];
    if (*out == '~' && token->len > 1) {
        *out  = token->at[1] == '1' ? '/' : '~';
        taken = 2;
    }
    token->at += taken;
    token->len -= taken;
    return true;
}

/* Is the inside of a JSON string the name that a token means? */
static bool is_named(struct tn_slice raw, struct tn_slice token)
{
    char piece[UTF8_MAX], wanted;

    for (size_t next = 0; next < raw.len;) {
        size_t len = take_piece(raw, &next, piece);

        for (size_t i = 0; i < len; i++)
            if (!take_token_byte(&token, &wanted) || wanted != piece[i])
                return false;
    }
    return token.len == 0;
}

/* ---- The way ------------------------------------------------------------------------------------------------ */

/* Goes to the member of the object whose bracket was taken. */
static bool enter_member(struct tn_scan *scan, struct tn_slice token)
{
    do {
        struct tn_slice raw;

        tn_scan_skip_spaces(scan);
        if (tn_scan_peek(scan) != '"')
            return false;
        raw = tn_scan_take_string(scan);
        if (!tn_scan_take(scan, ':'))
            return false;
        tn_scan_skip_spaces(scan);
        if (is_named(raw, token))
            return true;
        tn_scan_skip_value(scan);
    } while (tn_scan_take(scan, ','));
    return false;
}

static bool enter_item(struct tn_scan *scan, struct tn_slice token)
{
    size_t index;

    if (!tn_pointer_index(token, &index))
        return false;
    do {
        tn_scan_skip_spaces(scan);
        if (scan->next == scan->len || tn_scan_peek(scan) == ']')
            return false;
        if (index == 0)
            return true;
        tn_scan_skip_value(scan);
        index--;
    } while (tn_scan_take(scan, ','));
    return false;
}

static bool locate_enter(struct tn_scan *scan, struct tn_slice token)
{
    char c = tn_scan_peek(scan);

    if (c != '{' && c != '[')
        return false;
    scan->next++;
    return c == '{' ? enter_member(scan, token) : enter_item(scan, token);
}

bool tn_json_locate(struct tn_slice text, struct tn_slice pointer, size_t *byte)
{
    struct tn_scan scan = tn_scan_of(text);
    size_t         end;

    *byte = scan.next;
    for (size_t i = 0; i < pointer.len; i = end) {
        if (pointer.at[i++] != '/')
            return false;
        for (end = i; end < pointer.len && pointer.at[end] != '/';)
            end++;
        if (!locate_enter(&scan, (struct tn_slice){ pointer.at + i, end - i }))
            return false;
        *byte = scan.next;
    }
    return true;
}

struct tn_json_position tn_json_position(struct tn_slice text, size_t byte)
{
    struct tn_json_position position = { 1, 1 };
    size_t                  line     = 0;

    if (byte > text.len)
        byte = text.len;
    for (size_t i = 0; i < byte; i++)
        if (text.at[i] == '\n') {
            position.line++;
            line = i + 1;
        }
    for (size_t i = line; i < byte; i++)
        if (((unsigned char)text.at[i] & 0xC0) != 0x80)
            position.column++;
    return position;
}

struct tn_slice tn_json_span(struct tn_slice text, size_t byte)
{
    struct tn_scan scan = { text.at, text.len, byte };

    tn_scan_skip_value(&scan);
    return (struct tn_slice){ text.at + byte, scan.next - byte };
}
