/* scope.h - scopes of OAuth: words between spaces, in no order, none twice. */
#ifndef BASE_SCOPE_H
#define BASE_SCOPE_H

#include "base/buf.h"
#include "base/str.h"

/* Is `one` among them? */
bool scope_has(struct slice scopes, struct slice one);

/* Adds those of `more` that are not there yet. */
void scope_add(struct buf *scopes, struct slice more);

#endif
