/* watch.h - the resources that a legacy session has subscribed to. */
#ifndef MCP_OFFER_WATCH_H
#define MCP_OFFER_WATCH_H

#include "mcp/session.h"

/* False when there are too many, or no memory. Watching twice is watching once. */
bool watch_add(struct session *session, struct slice uri);
void watch_drop(struct session *session, struct slice uri);
bool watch_has(struct session *session, struct slice uri);
void watch_clear(struct session *session);

#endif
