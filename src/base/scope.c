/* scope.c - scopes of OAuth. */
#include "base/scope.h"

bool scope_has(struct slice scopes, struct slice one)
{
    struct slice part;

    while (slice_split(&scopes, ' ', &part))
        if (slice_same(part, one))
            return true;
    return false;
}

void scope_add(struct buf *scopes, struct slice more)
{
    struct slice part;

    while (slice_split(&more, ' ', &part)) {
        if (part.len == 0 || scope_has(buf_slice(scopes), part))
            continue;
        if (scopes->len > 0)
            buf_char(scopes, ' ');
        buf_add(scopes, part.at, part.len);
    }
}
