/* pointer.c - JSON Pointers by RFC 6901. */
#include "json/pointer.h"

#include <string.h>

void tn_pointer_add(struct tn_buf *out, struct tn_slice name)
{
    tn_buf_char(out, '/');
    for (size_t i = 0; i < name.len; i++) {
        if (name.at[i] == '~')
            tn_buf_lit(out, "~0");
        else if (name.at[i] == '/')
            tn_buf_lit(out, "~1");
        else
            tn_buf_char(out, name.at[i]);
    }
}

void tn_pointer_add_index(struct tn_buf *out, size_t index)
{
    tn_buf_char(out, '/');
    tn_buf_uint(out, index);
}

/* The token with ~1 as / and ~0 as ~; `at` is NULL when another ~ stands in it. */
static struct tn_slice unescape(struct tn_arena *arena, struct tn_slice token)
{
    char  *out;
    size_t len = 0;

    if (token.len == 0 || !memchr(token.at, '~', token.len))
        return token;
    out = tn_arena_copy(arena, token.at, token.len);
    if (!out)
        return (struct tn_slice){ NULL, 0 };
    for (size_t i = 0; i < token.len; i++) {
        char next = i + 1 < token.len ? token.at[i + 1] : '\0';

        if (token.at[i] != '~') {
            out[len++] = token.at[i];
            continue;
        }
        if (next != '0' && next != '1')
            return (struct tn_slice){ NULL, 0 };
        out[len++] = next == '0' ? '~' : '/';
        i++;
    }
    out[len] = '\0';
    return (struct tn_slice){ out, len };
}

bool tn_pointer_step(struct tn_arena *arena, struct tn_slice *rest, struct tn_slice *token, bool *bad)
{
    const char *end;
    size_t      len;

    *bad = rest->len > 0 && rest->at[0] != '/';
    if (rest->len == 0 || *bad)
        return false;
    end    = memchr(rest->at + 1, '/', rest->len - 1);
    len    = end ? (size_t)(end - rest->at) - 1 : rest->len - 1;
    *token = unescape(arena, (struct tn_slice){ rest->at + 1, len });
    *rest  = (struct tn_slice){ rest->at + 1 + len, rest->len - 1 - len };
    *bad   = token->at == NULL;
    return !*bad;
}

bool tn_pointer_index(struct tn_slice token, size_t *index)
{
    *index = 0;
    for (size_t i = 0; i < token.len; i++) {
        if (token.at[i] < '0' || token.at[i] > '9' || *index > (SIZE_MAX - 9) / 10)
            return false;
        *index = *index * 10 + (size_t)(token.at[i] - '0');
    }
    return token.len > 0 && (token.len == 1 || token.at[0] != '0');
}

yyjson_val *tn_pointer_child(yyjson_val *value, struct tn_slice token)
{
    size_t index;

    if (yyjson_is_arr(value))
        return tn_pointer_index(token, &index) ? yyjson_arr_get(value, index) : NULL;
    return yyjson_obj_getn(value, token.at ? token.at : "", token.len);
}

bool tn_pointer_well_formed(struct tn_slice text)
{
    if (text.len > 0 && text.at[0] != '/')
        return false;
    for (size_t i = 0; i < text.len; i++)
        if (text.at[i] == '~' && (i + 1 == text.len || (text.at[i + 1] != '0' && text.at[i + 1] != '1')))
            return false;
    return true;
}

bool tn_pointer_relative_well_formed(struct tn_slice text)
{
    struct tn_slice rest;
    size_t          len = 0;

    while (len < text.len && text.at[len] >= '0' && text.at[len] <= '9')
        len++;
    if (len == 0 || (len > 1 && text.at[0] == '0'))
        return false;
    rest = (struct tn_slice){ text.at + len, text.len - len };
    return tn_slice_is(rest, "#") || tn_pointer_well_formed(rest);
}
