/* scope.c - scopes of OAuth. */
#include "base/scope.h"

bool tn_scope_has(struct tn_slice scopes, struct tn_slice one)
{
    struct tn_slice part;

    while (tn_slice_split(&scopes, ' ', &part))
        if (tn_slice_same(part, one))
            return true;
    return false;
}

void tn_scope_add(struct tn_buf *scopes, struct tn_slice more)
{
    struct tn_slice part;

    while (tn_slice_split(&more, ' ', &part)) {
        if (part.len == 0 || tn_scope_has(tn_buf_slice(scopes), part))
            continue;
        if (scopes->len > 0)
            tn_buf_char(scopes, ' ');
        tn_buf_add(scopes, part.at, part.len);
    }
}
