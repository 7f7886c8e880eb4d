/* uri_template.c - RFC 6570, section 2: literals, and expressions in braces. */
#include "text/uri_template.h"

#include <string.h>

#include "base/ascii.h"
#include "base/utf8.h"
#include "text/uri.h"

#define OPERATORS    "+#./;?&=,!@|" /* the last five are reserved, and in the grammar */
#define NOT_LITERAL  " \"%<>\\^`{|}"
#define PREFIX_MAX   4 /* digits of the longest prefix, 9999 */

static char peek(struct slice text, size_t ahead)
{
    return ahead < text.len ? text.at[ahead] : '\0';
}

static void skip(struct slice *text, size_t len)
{
    *text = (struct slice){ text->at + len, text->len - len };
}

/* The length of "%41" or of one character of a name; 0 when there is neither. */
static size_t name_char_len(struct slice text)
{
    char c = peek(text, 0);

    if (c == '%')
        return ascii_is_hex(peek(text, 1)) && ascii_is_hex(peek(text, 2)) ? 3 : 0;
    return ascii_is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool take_name(struct slice *rest)
{
    size_t len = name_char_len(*rest);

    if (len == 0)
        return false;
    while (len > 0) {
        skip(rest, len);
        if (peek(*rest, 0) == '.') {
            skip(rest, 1);
            if (name_char_len(*rest) == 0)
                return false;
        }
        len = name_char_len(*rest);
    }
    return true;
}

/* "*", or ":" and a number from 1 to 9999, or nothing. */
static bool take_modifier(struct slice *rest)
{
    size_t digits = 0;

    if (peek(*rest, 0) == '*') {
        skip(rest, 1);
        return true;
    }
    if (peek(*rest, 0) != ':')
        return true;
    while (ascii_is_digit(peek(*rest, 1 + digits)))
        digits++;
    if (digits == 0 || digits > PREFIX_MAX || peek(*rest, 1) == '0')
        return false;
    skip(rest, 1 + digits);
    return true;
}

/* What stands behind the opening brace, and the closing one. */
static bool take_expression(struct slice *rest)
{
    if (peek(*rest, 0) != '\0' && strchr(OPERATORS, peek(*rest, 0)))
        skip(rest, 1);
    for (;;) {
        if (!take_name(rest) || !take_modifier(rest))
            return false;
        if (peek(*rest, 0) != ',')
            break;
        skip(rest, 1);
    }
    if (peek(*rest, 0) != '}')
        return false;
    skip(rest, 1);
    return true;
}

static bool take_literal(struct slice *rest)
{
    uint32_t code = 0;
    size_t   len  = utf8_read(rest->at, rest->len, &code);

    if (code == '%')
        len = ascii_is_hex(peek(*rest, 1)) && ascii_is_hex(peek(*rest, 2)) ? 3 : 0;
    else if (code < 0x80 ? code <= ' ' || code == 0x7F || strchr(NOT_LITERAL, (int)code) != NULL
                         : !iri_has(code) && !iri_query_has(code))
        len = 0;
    skip(rest, len);
    return len > 0;
}

bool template_well_formed(struct slice text)
{
    while (text.len > 0) {
        bool expression = text.at[0] == '{';

        if (expression)
            skip(&text, 1);
        if (!(expression ? take_expression(&text) : take_literal(&text)))
            return false;
    }
    return true;
}
