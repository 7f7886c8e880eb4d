/* sharing.h - the two threads by which replicas share: one listens to the others, one saves and sends. */
#ifndef NET_SHARING_H
#define NET_SHARING_H

#include "mcp/core.h"

struct tn_sharing;

/* Begins to share, if the server has a store; *sharing stays NULL where it has none. TENON_E_DECLARATION and a mistake of
 * the server's when the store cannot be used. */
tenon_status tn_sharing_begin(struct tn_sharing **sharing, tenon_server *server, bool has_keys);

/* Saves what is not saved yet, and leaves the replicas. After it nothing is shared: calls that are left behind may still
 * use it until tn_sharing_free(). */
void tn_sharing_end(struct tn_sharing *sharing);
void tn_sharing_free(struct tn_sharing *sharing);

#endif
