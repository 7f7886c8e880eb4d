/* query.c - the parameters that a redirect brings. */
#include <string.h>

#include "base/ascii.h"
#include "login/inside.h"

static bool decode(struct buf *to, struct slice text)
{
    for (size_t i = 0; i < text.len; i++) {
        int c = (unsigned char)text.at[i];

        if (c == '+')
            c = ' ';
        else if (c == '%') {
            if (i + 2 >= text.len || !ascii_is_hex(text.at[i + 1]) || !ascii_is_hex(text.at[i + 2]))
                return false;
            c = ascii_hex_value(text.at[i + 1]) * 16 + ascii_hex_value(text.at[i + 2]);
            i += 2;
        }
        if (c < ' ' || c > '~')
            return false;
        buf_char(to, (char)c);
    }
    return true;
}

const char *query_text(struct arena *arena, const char *query, const char *name)
{
    struct slice rest = slice_of(query), part, found = { NULL, 0 };
    size_t       len = strlen(name);
    struct buf   out;

    while (slice_split(&rest, '&', &part)) {
        if (part.len <= len || part.at[len] != '=' || memcmp(part.at, name, len) != 0)
            continue;
        if (found.at)
            return NULL;
        found = (struct slice){ part.at + len + 1, part.len - len - 1 };
    }
    buf_init(&out, arena, found.len + 1, LOGIN_TEXT_MAX);
    return found.at && decode(&out, found) ? buf_end(&out) : NULL;
}
