/* uri_template.c - RFC 6570, section 2: literals, and expressions in braces. */
#include "text/uri_template.h"

#include <string.h>

#include "base/ascii.h"
#include "base/utf8.h"
#include "text/uri.h"

#define OPERATORS    "+#./;?&=,!@|" /* the last five are reserved, and in the grammar */
#define NOT_LITERAL  " \"%<>\\^`{|}"
#define PREFIX_MAX   4 /* digits of the longest prefix, 9999 */

static char uri_template_peek(struct tn_slice text, size_t ahead)
{
    return ahead < text.len ? text.at[ahead] : '\0';
}

static void uri_template_skip(struct tn_slice *text, size_t len)
{
    *text = (struct tn_slice){ text->at + len, text->len - len };
}

/* The length of "%41" or of one character of a name; 0 when there is neither. */
static size_t name_char_len(struct tn_slice text)
{
    char c = uri_template_peek(text, 0);

    if (c == '%')
        return tn_ascii_is_hex(uri_template_peek(text, 1)) && tn_ascii_is_hex(uri_template_peek(text, 2)) ? 3
                                                                                                          : 0;
    return tn_ascii_is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool uri_template_take_name(struct tn_slice *rest)
{
    size_t len = name_char_len(*rest);

    if (len == 0)
        return false;
    while (len > 0) {
        uri_template_skip(rest, len);
        if (uri_template_peek(*rest, 0) == '.') {
            uri_template_skip(rest, 1);
            if (name_char_len(*rest) == 0)
                return false;
        }
        len = name_char_len(*rest);
    }
    return true;
}

/* "*", or ":" and a number from 1 to 9999, or nothing. */
static bool take_modifier(struct tn_slice *rest)
{
    size_t digits = 0;

    if (uri_template_peek(*rest, 0) == '*') {
        uri_template_skip(rest, 1);
        return true;
    }
    if (uri_template_peek(*rest, 0) != ':')
        return true;
    while (tn_ascii_is_digit(uri_template_peek(*rest, 1 + digits)))
        digits++;
    if (digits == 0 || digits > PREFIX_MAX || uri_template_peek(*rest, 1) == '0')
        return false;
    uri_template_skip(rest, 1 + digits);
    return true;
}

/* What stands behind the opening brace, and the closing one. */
static bool take_expression(struct tn_slice *rest)
{
    if (uri_template_peek(*rest, 0) != '\0' && strchr(OPERATORS, uri_template_peek(*rest, 0)))
        uri_template_skip(rest, 1);
    for (;;) {
        if (!uri_template_take_name(rest) || !take_modifier(rest))
            return false;
        if (uri_template_peek(*rest, 0) != ',')
            break;
        uri_template_skip(rest, 1);
    }
    if (uri_template_peek(*rest, 0) != '}')
        return false;
    uri_template_skip(rest, 1);
    return true;
}

static bool take_literal(struct tn_slice *rest)
{
    uint32_t code = 0;
    size_t   len  = tn_utf8_read(rest->at, rest->len, &code);

    if (code == '%')
        len = tn_ascii_is_hex(uri_template_peek(*rest, 1)) && tn_ascii_is_hex(uri_template_peek(*rest, 2))
                  ? 3
                  : 0;
    else if (code < 0x80 ? code <= ' ' || code == 0x7F || strchr(NOT_LITERAL, (int)code) != NULL
                         : !tn_iri_has(code) && !tn_iri_query_has(code))
        len = 0;
    uri_template_skip(rest, len);
    return len > 0;
}

bool tn_uri_template_well_formed(struct tn_slice text)
{
    while (text.len > 0) {
        bool expression = text.at[0] == '{';

        if (expression)
            uri_template_skip(&text, 1);
        if (!(expression ? take_expression(&text) : take_literal(&text)))
            return false;
    }
    return true;
}
