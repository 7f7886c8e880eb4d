/* subscribe.h - notifying clients of changes: lists, and resources they watch. */
#ifndef MCP_OFFER_SUBSCRIBE_H
#define MCP_OFFER_SUBSCRIBE_H

#include "mcp/exchange.h"

#define LISTENERS_MAX      ((size_t)1024)
#define LISTENED_URIS_MAX  ((size_t)256)
#define LISTENED_BYTES_MAX ((size_t)64 << 10) /* of them, in one listener */

struct tn_listener;

/* Notifies every subscriber, of every era. */
void tn_subscribe_list_changed(tenon_server *server, enum tn_list list);

/* Notifies those that `concerns` is true for: a session, or a stream that listens without one (then `session` is NULL). */
typedef bool (*tn_subscribe_concerns)(void *user, const struct tn_session *session,
                                      const struct tn_exchange *x);
void tn_subscribe_list_changed_for(tenon_server *server, enum tn_list list, tn_subscribe_concerns concerns,
                                   void *user);

/* Notifies those of them that follow `followed` of a change of `uri`, which may be a part of it. */
void tn_subscribe_updated_for(tenon_server *server, struct tn_slice uri, struct tn_slice followed,
                              tn_subscribe_concerns concerns, void *user);

/* Takes the listening exchange off the list. */
void tn_subscribe_end(struct tn_exchange *x);
void tn_subscribe_free(tenon_server *server);

#endif
