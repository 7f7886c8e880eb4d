/* wire.h - messages as they are, right or wrong, and what comes back.
 *
 * After each of them the server is asked something that it must answer: a server that still answers has survived.
 */
#ifndef CONTRACT_FUZZ_WIRE_H
#define CONTRACT_FUZZ_WIRE_H

#include "base/buf.h"
#include "net/client/client.h"

#define WIRE_HEARD_MAX ((size_t)4 << 20)
#define WIRE_GRACE_MS  500 /* for an answer that is overtaken by a later one */

enum tn_wire_end {
    WIRE_ANSWERED,   /* a message with the id has come */
    WIRE_UNANSWERED, /* it has not, and the server goes on */
    WIRE_STUCK,      /* the server answers nothing any more */
    WIRE_LOST        /* the server ended: tenon_client_error() */
};

struct tn_wire {
    tenon_client *client;     /* that is ready; it must have no request open */
    void (*step)(void *user); /* between waits; or NULL */
    void         *user;
    struct tn_buf heard; /* messages that came, a line each, but for the answer to our own question */
    int64_t       probe; /* the id of that question */
};

/* `arena` is for what comes. */
void tn_wire_init(struct tn_wire *wire, tenon_client *client, struct tn_arena *arena);

/* Sends the bytes, and a line end where messages are lines. `id` is that of an answer, as JSON; NULL: none is waited for. */
enum tn_wire_end tn_wire_send(struct tn_wire *wire, struct tn_slice message, const char *id, int timeout_ms);

/* A question that every server of its era must answer. */
const char *tn_wire_probe_method(const tenon_client *client);

#endif
