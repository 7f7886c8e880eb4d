/* source.h - a server whose answers come from elsewhere: from the servers that a guard stands for.
 *
 * Frames, eras, sessions, callers, rates and the gate of each exchange stay the server's. What a client asks goes to the
 * source, which answers through the exchange, now or later. A server has one source or none, set before it is prepared.
 */
#ifndef MCP_SOURCE_H
#define MCP_SOURCE_H

#include "base/buf.h"
#include "mcp/receive.h"

/* What came, valid during the call. */
struct tn_sourced {
    struct tn_slice             method, message;
    size_t                      members; /* of the message */
    const struct tn_http_facts *http;    /* may be NULL */
};

/* What a stream of subscriptions/listen follows beside lists. */
struct tn_listened {
    const struct tn_slice *uris, *tasks;
    size_t                 uri_count, task_count;
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
    /* A stream of subscriptions/listen begins, or ends: what it follows. May be NULL. */
    void (*listens)(void *user, struct tn_exchange *x, const struct tn_listened *what, bool begins);
    /* May this client follow that task? May be NULL: it may follow none. */
    bool (*knows_task)(void *user, struct tn_exchange *x, struct tn_slice id);
    /* This session is over. */
    void (*left)(void *user, struct tn_session *session);
    /* Messages may come from now on: on the first loop, before it runs. May be NULL. */
    void (*started)(void *user);
    /* Calls that still run are not waited for any more: what can be answered is answered now. On the first loop. May be NULL. */
    void (*ending)(void *user);
    /* No message comes any more; what still runs on the loop is closed now. */
    void (*stopped)(void *user);
    /* For the operator, on the first loop: further series of metrics, and a page about what the answers come from, as JSON. Each
     * may be NULL. */
    void (*metrics)(void *user, struct tn_buf *out);
    void (*page)(void *user, struct tn_buf *out);
    /* The same for the console: upstreams, and definitions that wait to be approved. */
    void (*console)(void *user, struct tn_buf *out);
    /* Settles the change `id`, if its definition still has this hash: approves it, or keeps what was approved before. NULL, or why
     * not: a static sentence. */
    const char *(*settle)(void *user, struct tn_slice id, struct tn_slice hash, bool keeps);
    void *user;
};

#endif
