/* pointer.c - JSON Pointers by RFC 6901. */
#include "json/pointer.h"

#include <string.h>

void pointer_add(struct buf *out, struct slice name)
{
    buf_char(out, '/');
    for (size_t i = 0; i < name.len; i++) {
        if (name.at[i] == '~')
            buf_lit(out, "~0");
        else if (name.at[i] == '/')
            buf_lit(out, "~1");
        else
            buf_char(out, name.at[i]);
    }
}

void pointer_add_index(struct buf *out, size_t index)
{
    buf_char(out, '/');
    buf_uint(out, index);
}

/* The token with ~1 as / and ~0 as ~; `at` is NULL when another ~ stands in it. */
static struct slice unescape(struct arena *arena, struct slice token)
{
    char  *out;
    size_t len = 0;

    if (token.len == 0 || !memchr(token.at, '~', token.len))
        return token;
    out = arena_copy(arena, token.at, token.len);
    if (!out)
        return (struct slice){ NULL, 0 };
    for (size_t i = 0; i < token.len; i++) {
        char next = i + 1 < token.len ? token.at[i + 1] : '\0';

        if (token.at[i] != '~') {
            out[len++] = token.at[i];
            continue;
        }
        if (next != '0' && next != '1')
            return (struct slice){ NULL, 0 };
        out[len++] = next == '0' ? '~' : '/';
        i++;
    }
    out[len] = '\0';
    return (struct slice){ out, len };
}

bool pointer_step(struct arena *arena, struct slice *rest, struct slice *token, bool *bad)
{
    const char *end;
    size_t      len;

    *bad = rest->len > 0 && rest->at[0] != '/';
    if (rest->len == 0 || *bad)
        return false;
    end    = memchr(rest->at + 1, '/', rest->len - 1);
    len    = end ? (size_t)(end - rest->at) - 1 : rest->len - 1;
    *token = unescape(arena, (struct slice){ rest->at + 1, len });
    *rest  = (struct slice){ rest->at + 1 + len, rest->len - 1 - len };
    *bad   = token->at == NULL;
    return !*bad;
}

bool pointer_index(struct slice token, size_t *index)
{
    *index = 0;
    for (size_t i = 0; i < token.len; i++) {
        if (token.at[i] < '0' || token.at[i] > '9' || *index > (SIZE_MAX - 9) / 10)
            return false;
        *index = *index * 10 + (size_t)(token.at[i] - '0');
    }
    return token.len > 0 && (token.len == 1 || token.at[0] != '0');
}

yyjson_val *pointer_child(yyjson_val *value, struct slice token)
{
    size_t index;

    if (yyjson_is_arr(value))
        return pointer_index(token, &index) ? yyjson_arr_get(value, index) : NULL;
    return yyjson_obj_getn(value, token.at ? token.at : "", token.len);
}

bool pointer_well_formed(struct slice text)
{
    if (text.len > 0 && text.at[0] != '/')
        return false;
    for (size_t i = 0; i < text.len; i++)
        if (text.at[i] == '~' && (i + 1 == text.len || (text.at[i + 1] != '0' && text.at[i + 1] != '1')))
            return false;
    return true;
}

bool pointer_relative_well_formed(struct slice text)
{
    struct slice rest;
    size_t       len = 0;

    while (len < text.len && text.at[len] >= '0' && text.at[len] <= '9')
        len++;
    if (len == 0 || (len > 1 && text.at[0] == '0'))
        return false;
    rest = (struct slice){ text.at + len, text.len - len };
    return slice_is(rest, "#") || pointer_well_formed(rest);
}
