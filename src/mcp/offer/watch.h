/* watch.h - the resources that a legacy session has subscribed to. */
#ifndef MCP_OFFER_WATCH_H
#define MCP_OFFER_WATCH_H

#include "mcp/session.h"

/* False when there are too many, or no memory. Watching twice is watching once. */
bool tn_watch_add(struct tn_session *session, struct tn_slice uri);
void tn_watch_drop(struct tn_session *session, struct tn_slice uri);
bool tn_watch_has(struct tn_session *session, struct tn_slice uri);
/* Drops all but these. */
void tn_watch_keep(struct tn_session *session, const struct tn_slice *uris, size_t count);
void tn_watch_clear(struct tn_session *session);

#endif
