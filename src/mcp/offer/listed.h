/* listed.h - tools as they stand in tools/list. */
#ifndef MCP_OFFER_LISTED_H
#define MCP_OFFER_LISTED_H

#include "base/buf.h"
#include "mcp/core.h"

/* The tool of an entry, as it is published; `old` is before 2025-06-18, which knows neither titles nor schemas of results. By
 * any thread. `out` fails when memory is refused, and the next one that asks tries again. */
void tn_listed_write(tenon_server *server, struct tn_buf *out, struct tn_entry *entry, bool old);

void tn_listed_free(tenon_server *server);

#endif
