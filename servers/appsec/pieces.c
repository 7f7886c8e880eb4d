/* pieces.c - see pieces.h. */
#include "appsec/pieces.h"

#include <string.h>

/* ---- Walking --------------------------------------------------------------------------------------------------- */

static const char *skip_spaces(const char *at, const char *end)
{
    while (at < end && strchr(" \t\r\n", *at) && *at)
        at++;
    return at;
}

/* Past the closing quote. */
static const char *skip_string(const char *at, const char *end)
{
    for (at++; at < end && *at != '"'; at++)
        at += *at == '\\';
    return at < end ? at + 1 : end;
}

static const char *skip_value(const char *at, const char *end)
{
    size_t depth = 0;

    for (; at < end; at++) {
        if (*at == '"') {
            at = skip_string(at, end) - 1;
        } else if (*at == '{' || *at == '[') {
            depth++;
            continue;
        } else if (*at == '}' || *at == ']') {
            if (depth == 0)
                return at; /* of what is around a number or a word */
            depth--;
        } else if (depth > 0 || !strchr(", \t\r\n", *at)) {
            continue;
        } else {
            return at;
        }
        if (depth == 0)
            return at + 1;
    }
    return end;
}

static struct piece take_value(const char **at, const char *end)
{
    struct piece value = { *at, 0 };

    *at       = skip_value(*at, end);
    value.len = (size_t)(*at - value.at);
    return value;
}

/* To the next member or element, past the bracket or the comma before it; `end` when there is none. */
static const char *step(const char *at, const char *end)
{
    at = skip_spaces(at, end);
    if (at < end && (*at == ',' || *at == '{' || *at == '['))
        at = skip_spaces(at + 1, end);
    return at < end && *at != '}' && *at != ']' ? at : end;
}

bool piece_next(struct piece *rest, struct piece *element)
{
    const char *end = rest->at + rest->len, *at;

    if (rest->len == 0 || (*rest->at != '[' && *rest->at != ','))
        return false;
    at = step(rest->at, end);
    if (at == end)
        return false;
    *element = take_value(&at, end);
    at       = skip_spaces(at, end);
    *rest    = (struct piece){ at, (size_t)(end - at) };
    return element->len > 0;
}

/* The same of an object; the name is without its quotes. */
static bool next_member(struct piece *rest, struct piece *name, struct piece *value)
{
    const char *end = rest->at + rest->len, *at, *from;

    if (rest->len == 0 || (*rest->at != '{' && *rest->at != ','))
        return false;
    from = step(rest->at, end);
    if (from == end || *from != '"')
        return false;
    at    = skip_string(from, end);
    *name = (struct piece){ from + 1, (size_t)(at - from) - (at - from > 1 ? 2 : 1) };
    at    = skip_spaces(at, end);
    if (at == end || *at != ':')
        return false;
    at     = skip_spaces(at + 1, end);
    *value = take_value(&at, end);
    at     = skip_spaces(at, end);
    *rest  = (struct piece){ at, (size_t)(end - at) };
    return value->len > 0;
}

static bool is_named(struct piece name, const char *wanted)
{
    return name.len == strlen(wanted) && memcmp(name.at, wanted, name.len) == 0;
}

struct piece piece_member(struct piece object, const char *wanted)
{
    const char  *end = object.at + object.len, *at = skip_spaces(object.at, end);
    struct piece rest = { at, (size_t)(end - at) }, name, value;

    while (next_member(&rest, &name, &value))
        if (is_named(name, wanted))
            return value;
    return (struct piece){ end, 0 };
}

/* ---- Keeping --------------------------------------------------------------------------------------------------- */

static void keep_elements(struct text *out, struct piece array, const struct keep *keep)
{
    struct piece element;
    size_t       count = 0;

    text_char(out, '[');
    while ((keep->most == 0 || count < keep->most) && piece_next(&array, &element)) {
        if (count++ > 0)
            text_char(out, ',');
        piece_keep(out, element, keep->inside);
    }
    text_char(out, ']');
}

static void keep_members(struct text *out, struct piece object, const struct keep *keeps)
{
    struct piece name, value;
    bool         first = true;

    text_char(out, '{');
    while (next_member(&object, &name, &value)) {
        const struct keep *keep = keeps;

        while (keep->name && !is_named(name, keep->name))
            keep++;
        if (!keep->name || (!keep->inside && value.len > PIECE_KEPT_MAX))
            continue;
        text_addf(out, "%s\"%s\":", first ? "" : ",", keep->name);
        if (*value.at == '[' && (keep->inside || keep->most))
            keep_elements(out, value, keep);
        else
            piece_keep(out, value, keep->inside);
        first = false;
    }
    text_char(out, '}');
}

void piece_keep(struct text *out, struct piece value, const struct keep *keeps)
{
    if (keeps && value.len > 0 && *value.at == '{')
        keep_members(out, value, keeps);
    else if (value.len <= PIECE_KEPT_MAX)
        text_add(out, value.at, value.len);
    else
        text_put(out, "null");
}
