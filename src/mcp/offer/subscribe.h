/* subscribe.h - notifying clients of changes: lists, and resources they watch. */
#ifndef MCP_OFFER_SUBSCRIBE_H
#define MCP_OFFER_SUBSCRIBE_H

#include "mcp/exchange.h"

#define LISTENERS_MAX     ((size_t)1024)
#define LISTENED_URIS_MAX  ((size_t)256)
#define LISTENED_BYTES_MAX ((size_t)64 << 10) /* of them, in one listener */

struct tn_listener;

/* Notifies every subscriber, of every era. */
void tn_subscribe_list_changed(tenon_server *server, enum tn_list list);

/* Takes the listening exchange off the list. */
void tn_subscribe_end(struct tn_exchange *x);
void tn_subscribe_free(tenon_server *server);

#endif
