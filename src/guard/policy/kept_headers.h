/* kept_headers.h - what HTTP said beside a call that waits: the headers that repeat its arguments. */
#ifndef GUARD_KEPT_HEADERS_H
#define GUARD_KEPT_HEADERS_H

#include "base/arena.h"
#include "mcp/receive.h"

/* A copy of those facts that a call is compared with once its tool is known; NULL without memory. */
const struct tn_http_facts *tn_kept_headers(struct tn_arena *arena, const struct tn_http_facts *http);

#endif
