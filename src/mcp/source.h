/* source.h - a server whose answers come from elsewhere: from the servers that a guard stands for.
 *
 * Frames, eras, sessions, callers, rates and the gate of each exchange stay the server's. What a client asks goes to the
 * source, which answers through the exchange, now or later. A server has one source or none, set before it is prepared.
 */
#ifndef MCP_SOURCE_H
#define MCP_SOURCE_H

#include "mcp/receive.h"

/* What came, valid during the call. */
struct tn_sourced {
    struct tn_slice             method, message;
    const struct tn_http_facts *http; /* may be NULL */
};

struct tn_source {
    /* Any request but ping. The exchange is held for as
     * long as it is not answered, by the transport that received it; a source that keeps it holds it too. */
    void (*request)(void *user, struct tn_exchange *x, const struct tn_sourced *request);
    /* Any notification but notifications/cancelled. */
    void (*note)(void *user, struct tn_exchange *x, struct tn_slice method, struct tn_slice message);
    /* A response of the client's. False when no question is open for it. */
    bool (*response)(void *user, struct tn_exchange *x, struct tn_slice message);
    /* The client does not want it any more, or has gone. Not called for an exchange that was answered. */
    void (*cancelled)(void *user, struct tn_exchange *x);
    /* This session is over. */
    void (*left)(void *user, struct tn_session *session);
    /* No message comes any more; what still runs on the loop is closed now. */
    void (*stopped)(void *user);
    void *user;
};

#endif
