/* query.c - the parameters that a redirect brings. */
#include <string.h>

#include "base/ascii.h"
#include "login/inside.h"

static bool query_decode(struct tn_buf *to, struct tn_slice text)
{
    for (size_t i = 0; i < text.len; i++) {
        int c = (unsigned char)text.at[i];

        if (c == '+')
            c = ' ';
        else if (c == '%') {
            if (i + 2 >= text.len || !tn_ascii_is_hex(text.at[i + 1]) || !tn_ascii_is_hex(text.at[i + 2]))
                return false;
            c = tn_ascii_hex_value(text.at[i + 1]) * 16 + tn_ascii_hex_value(text.at[i + 2]);
            i += 2;
        }
        if (c < ' ' || c > '~')
            return false;
        tn_buf_char(to, (char)c);
    }
    return true;
}

const char *query_text(struct tn_arena *arena, const char *query, const char *name)
{
    struct tn_slice rest = tn_slice_of(query), part, found = { NULL, 0 };
    size_t          len = strlen(name);
    struct tn_buf   out;

    while (tn_slice_split(&rest, '&', &part)) {
        if (part.len <= len || part.at[len] != '=' || memcmp(part.at, name, len) != 0)
            continue;
        if (found.at)
            return NULL;
        found = (struct tn_slice){ part.at + len + 1, part.len - len - 1 };
    }
    tn_buf_init(&out, arena, found.len + 1, LOGIN_TEXT_MAX);
    return found.at && query_decode(&out, found) ? tn_buf_end(&out) : NULL;
}
