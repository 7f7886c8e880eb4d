/* port.h - the way out for the messages of one exchange: what a transport implements and src/mcp calls.
 *
 * `send` may be called by any thread, and by several one after the other; a transport whose connection belongs to a loop
 * carries the bytes there. Whoever keeps a port holds it; the connection behind it may be gone long before, and what is
 * then sent is dropped.
 */
#ifndef MCP_PORT_H
#define MCP_PORT_H

#include "base/str.h"

enum out_kind {
    OUT_NOTE,    /* a notification */
    OUT_REQUEST, /* a request to the client, on legacy sessions */
    OUT_FINAL    /* the response: nothing follows */
};

/*   status   HTTP's, of a final one
 *   json     one line, valid during the call only; empty: cancelled, and nothing to be answered
 *   session  the id of a session that begins with this response, or nothing
 *   scopes   that the call needs and its token lacks, of a final one with status 403; else NULL */
struct out {
    enum out_kind kind;
    int           status;
    struct slice  json, session;
    const char   *scopes;
};

struct port {
    void (*send)(struct port *port, const struct out *out);
    void (*hold)(struct port *port);
    void (*release)(struct port *port);
    void (*detach)(struct port *port, int retry_ms); /* tenon_release_stream(); may be NULL */
};

#endif
