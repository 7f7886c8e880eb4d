/* scope.h - scopes of OAuth: words between spaces, in no order, none twice. */
#ifndef BASE_SCOPE_H
#define BASE_SCOPE_H

#include "base/buf.h"
#include "base/str.h"

/* Is `one` among them? */
bool tn_scope_has(struct tn_slice scopes, struct tn_slice one);

/* Adds those of `more` that are not there yet. */
void tn_scope_add(struct tn_buf *scopes, struct tn_slice more);

#endif
