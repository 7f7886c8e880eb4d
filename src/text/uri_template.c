/* uri_template.c - RFC 6570: the grammar of section 2, literals and expressions in braces; and matching from the end, first
 * where each variable can begin, then, forwards, where each ends.
 *
 * For matching a template is literals and variables in turn: literal 0, variable 0, literal 1, ... For every place in the URI
 * a set of variables is kept that can begin there so that all the rest matches; it follows from the set of the next place.
 */
#include "text/uri_template.h"

#include <string.h>

#include "base/ascii.h"
#include "base/utf8.h"
#include "text/uri.h"

#define OPERATORS    "+#./;?&=,!@|" /* the last five are reserved, and in the grammar */
#define NOT_LITERAL  " \"%<>\\^`{|}"
#define PREFIX_MAX   4 /* digits of the longest prefix, 9999 */

#define WHY_FORM     "it is not a URI template of RFC 6570"
#define WHY_SCHEME   "it does not begin with a scheme, such as \"notes:\""
#define WHY_OPERATOR "only {name} and {+name} can be matched, each with one name"
#define WHY_NAME     "the name of a variable is 1 to 64 letters, digits, '_' and '.'"
#define WHY_NONE     "it has no variable: declare it as a resource"
#define WHY_MANY     "it has more than 16 variables"
#define WHY_TWICE    "a variable stands in it twice"
#define WHY_BESIDE   "two variables are adjacent, and nothing separates them"

/* ---- The grammar ------------------------------------------------------------------------------------------- */

static char uri_template_peek(struct tn_slice text, size_t ahead)
{
    return ahead < text.len ? text.at[ahead] : '\0';
}

static void uri_template_skip(struct tn_slice *text, size_t len)
{
    *text = (struct tn_slice){ text->at + len, text->len - len };
}

/* The length of "%41" at the front; 0 when it is not one. */
static size_t encoded_len(struct tn_slice text)
{
    return uri_template_peek(text, 0) == '%' && tn_ascii_is_hex(uri_template_peek(text, 1)) &&
                   tn_ascii_is_hex(uri_template_peek(text, 2))
               ? 3
               : 0;
}

/* The length of "%41" or of one character of a name; 0 when there is neither. */
static size_t name_char_len(struct tn_slice text)
{
    char c = uri_template_peek(text, 0);

    if (c == '%')
        return encoded_len(text);
    return tn_ascii_is_digit(c) || tn_ascii_is_letter(c) || c == '_';
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

/* What stands after the opening brace, and the closing one. */
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
        len = encoded_len(*rest);
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

/* ---- Parts of a template ----------------------------------------------------------------------------------- */

/* One expression, with the literal before it. */
struct uri_part {
    struct tn_slice literal, name;
    bool            open; /* {+name} */
};

/* Takes the next expression off `rest`. False when there is none: *literal is then all that is left. */
static bool next_part(struct tn_slice *rest, struct uri_part *part)
{
    const char *begin = rest->len ? memchr(rest->at, '{', rest->len) : NULL;
    const char *end   = begin ? memchr(begin, '}', rest->len - (size_t)(begin - rest->at)) : NULL;

    part->literal = *rest;
    if (!end)
        return false;
    part->literal.len = (size_t)(begin - rest->at);
    part->open        = begin[1] == '+';
    part->name.at     = begin + 1 + part->open;
    part->name.len    = (size_t)(end - part->name.at);
    rest->len -= (size_t)(end + 1 - rest->at);
    rest->at = end + 1;
    return true;
}

/* ---- Declarations ------------------------------------------------------------------------------------------ */

static bool is_name(struct tn_slice name)
{
    for (size_t i = 0; i < name.len; i++)
        if (!tn_ascii_is_letter(name.at[i]) && !tn_ascii_is_digit(name.at[i]) && name.at[i] != '_' &&
            name.at[i] != '.')
            return false;
    return name.len > 0 && name.len <= URI_NAME_MAX;
}

static const char *part_mistake(const struct uri_part *parts, size_t index)
{
    const struct uri_part *part = &parts[index];

    if (part->name.len > 0 && strchr(OPERATORS, part->name.at[0]))
        return WHY_OPERATOR;
    if (memchr(part->name.at, ',', part->name.len) || memchr(part->name.at, ':', part->name.len) ||
        memchr(part->name.at, '*', part->name.len))
        return WHY_OPERATOR;
    if (!is_name(part->name))
        return WHY_NAME;
    if (index > 0 && part->literal.len == 0)
        return WHY_BESIDE;
    for (size_t i = 0; i < index; i++)
        if (tn_slice_same(parts[i].name, part->name))
            return WHY_TWICE;
    return NULL;
}

const char *tn_uri_template_mistake(struct tn_slice text)
{
    struct uri_part parts[URI_VARIABLES_MAX + 1];
    struct tn_slice rest  = text;
    size_t          count = 0;

    if (!tn_uri_template_well_formed(text))
        return WHY_FORM;
    if (tn_uri_scheme(text).len == 0)
        return WHY_SCHEME;
    for (; next_part(&rest, &parts[count]); count++) {
        const char *why = count == URI_VARIABLES_MAX ? WHY_MANY : part_mistake(parts, count);

        if (why)
            return why;
    }
    return count == 0 ? WHY_NONE : NULL;
}

bool tn_uri_template_has(struct tn_slice text, struct tn_slice name)
{
    struct tn_slice rest = text;
    struct uri_part part;

    while (next_part(&rest, &part))
        if (tn_slice_same(part.name, name))
            return true;
    return false;
}

/* ---- Matching ---------------------------------------------------------------------------------------------- */

struct uri_matching {
    struct uri_part parts[URI_VARIABLES_MAX + 1];
    size_t          count;
    struct tn_slice tail; /* the literal after the last variable */
    struct tn_slice uri;
    uint16_t        begins[URI_LEN_MAX + 2]; /* bit i: variable i can begin here, and all after it matches */
};

static bool stands_at(struct tn_slice literal, struct tn_slice uri, size_t at)
{
    return literal.len <= uri.len - at && memcmp(uri.at + at, literal.at, literal.len) == 0;
}

static bool may_have(const struct uri_part *part, char c)
{
    return part->open || (c != '/' && c != '?' && c != '#');
}

/* Can variable `index` end before `at`, so that all after it matches? */
static bool may_end(const struct uri_matching *matching, size_t index, size_t at)
{
    struct tn_slice literal;

    if (index + 1 == matching->count)
        return matching->uri.len - at == matching->tail.len && stands_at(matching->tail, matching->uri, at);
    literal = matching->parts[index + 1].literal;
    return stands_at(literal, matching->uri, at) &&
           (matching->begins[at + literal.len] >> (index + 1) & 1) != 0;
}

/* The sets for all places. A set needs only those after it, of its own variable and the next. */
static void find_begins(struct uri_matching *matching)
{
    memset(matching->begins, 0, (matching->uri.len + 2) * sizeof *matching->begins);
    for (size_t index = matching->count; index-- > 0;)
        for (size_t at = matching->uri.len; at-- > 0;)
            if (may_have(&matching->parts[index], matching->uri.at[at]) &&
                (may_end(matching, index, at + 1) || (matching->begins[at + 1] >> index & 1) != 0))
                matching->begins[at] |= (uint16_t)(1u << index);
}

/* The longest value of a variable that begins at `at`. */
static size_t find_end(const struct uri_matching *matching, size_t index, size_t at)
{
    size_t end = at;

    for (; at < matching->uri.len && may_have(&matching->parts[index], matching->uri.at[at]); at++)
        if (may_end(matching, index, at + 1))
            end = at + 1;
    return end;
}

bool tn_uri_template_match(struct tn_slice text, struct tn_slice uri,
                           struct tn_variable variables[URI_VARIABLES_MAX], size_t *count)
{
    struct uri_matching matching; /* most of it is never used */
    struct tn_slice     rest = text;
    size_t              at;

    *count         = 0;
    matching.count = 0;
    matching.uri   = uri;
    while (matching.count < URI_VARIABLES_MAX && next_part(&rest, &matching.parts[matching.count]))
        matching.count++;
    matching.tail = rest;
    at            = matching.parts[0].literal.len;
    if (uri.len > URI_LEN_MAX || matching.count == 0 || !stands_at(matching.parts[0].literal, uri, 0))
        return false;
    find_begins(&matching);
    if ((matching.begins[at] & 1) == 0)
        return false;
    for (size_t i = 0; i < matching.count; i++) {
        size_t end = find_end(&matching, i, at);

        variables[i] = (struct tn_variable){ matching.parts[i].name, { uri.at + at, end - at } };
        at           = end + (i + 1 < matching.count ? matching.parts[i + 1].literal.len : 0);
    }
    *count = matching.count;
    return true;
}

/* ---- Values ------------------------------------------------------------------------------------------------ */

static bool uri_template_decode(struct tn_arena *arena, struct tn_slice *value)
{
    char  *out = tn_arena_take(arena, value->len + 1, 1);
    size_t len = 0;

    if (!out)
        return false;
    for (size_t i = 0; i < value->len; i++) {
        char c = value->at[i];

        if (c == '%') {
            if (encoded_len((struct tn_slice){ value->at + i, value->len - i }) == 0)
                return false;
            c = (char)(tn_ascii_hex_value(value->at[i + 1]) * 16 + tn_ascii_hex_value(value->at[i + 2]));
            i += 2;
        }
        if (c == '\0')
            return false;
        out[len++] = c;
    }
    out[len] = '\0';
    *value   = (struct tn_slice){ out, len };
    return tn_utf8_valid(out, len);
}

bool tn_uri_template_decode(struct tn_arena *arena, struct tn_variable *variables, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!uri_template_decode(arena, &variables[i].value))
            return false;
    return true;
}
