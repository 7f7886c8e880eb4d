/* port.h - the way out for the messages of one exchange: what a transport implements and src/mcp calls.
 *
 * `send` may be called by any thread, and by several one after the other; a transport whose connection belongs to a
 * loop carries the bytes there. Code that keeps a port holds a reference; its connection may be closed long before, and
 * what is then sent is dropped.
 */
#ifndef MCP_PORT_H
#define MCP_PORT_H

#include "base/str.h"

enum tn_out_kind {
    OUT_NOTE,    /* a notification */
    OUT_REQUEST, /* a request to the client, on legacy sessions */
    OUT_FINAL    /* the response: nothing follows */
};

/*   status   HTTP's, of a final one
 *   json     one line, valid during the call only; empty: cancelled, and nothing to be answered
 *   session  the id of a session that begins with this response, or nothing
 *   scopes   that the call needs and its token lacks, of a final one with status 403; else NULL */
struct tn_out {
    enum tn_out_kind kind;
    int              status;
    struct tn_slice  json, session;
    const char      *scopes;
};

struct tn_port {
    void (*send)(struct tn_port *port, const struct tn_out *out);
    void (*hold)(struct tn_port *port);
    void (*release)(struct tn_port *port);
    void (*detach)(struct tn_port *port, int retry_ms); /* tenon_release_stream(); may be NULL */
};

#endif
