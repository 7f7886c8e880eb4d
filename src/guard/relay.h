/* relay.h - one request of a client on its way to the server behind, and its answer on the way back. */
#ifndef GUARD_RELAY_H
#define GUARD_RELAY_H

#include "guard/link.h"
#include "guard/report/report.h"

struct tn_again;
struct tn_offered;
struct tn_parked;
struct tn_seat;
struct tn_way;

/* Lives in the memory of its exchange, which it holds. */
struct tn_relay {
    struct tn_ring              ring; /* first: of the seat's `waiting`, or the link's `waiting` or `sent` */
    struct tn_seat             *seat;
    struct tn_link             *link; /* NULL until it is known which one it goes over */
    struct tn_exchange         *x;
    const struct tn_way        *way;
    struct tn_slice             method, message; /* the transport's; copies once it waits */
    size_t                      members;         /* of the message */
    const struct tn_http_facts *http;            /* the same; or NULL */
    bool                        follows;         /* it subscribes to a resource, for others too */
    bool                        kept;            /* they are copies */
    bool                        routed;          /* it was tried to lead it to its upstream, and it waits */
    const char                 *renamed;         /* the member of params that goes on as ... */
    struct tn_slice             rename;          /* ... this JSON; or NULL */
    tenon_request              *request;         /* NULL before it is sent, and while it is a parked call's */
    struct tn_parked           *parked;          /* that it waits for, or NULL */
    struct tn_slice             state;           /* of the server's: what the guard's seal held; or empty */
    struct tn_slice             task;            /* its id, as the client sent it; or empty */
    const char                 *denied;  /* why the call ended by a question that was not answered; or NULL */
    struct tn_catalog          *catalog; /* of a call: held, for `tool` */
    const struct tn_offered    *tool;
    const struct tn_again      *again;    /* that it is asked for once more (again.c), or NULL */
    size_t                      listings; /* lists of its link that it does not wait for */
    int64_t                     sent_ms;
    struct tn_slice             said;    /* messages of the guard's own: a JSON array of strings; or empty */
    struct tn_slice             params;  /* as they were sent, to be sent again; empty before */
    size_t                      meta;    /* where their _meta begins, or 0 */
    bool                        repeats; /* it waits to be sent again */
    struct tn_report            report;
};

/* A relay of this request, which waits for nothing yet and holds its exchange. NULL without memory. */
struct tn_relay *tn_relay_new(struct tn_seat *seat, struct tn_exchange *x, const struct tn_sourced *request);

/* Answers it with what came of its request, and ends it. */
void tn_relay_finish(struct tn_relay *relay, tenon_request *request);

/* It is over. What was not answered is cancelled. */
void tn_relay_end(struct tn_relay *relay);

/* A server that makes progress has more time, up to a limit. */
void tn_relay_prolong(const struct tn_upstream *upstream, tenon_request *request, int64_t sent_ms);

/* The relay of a request, or NULL. */
struct tn_relay *tn_relay_of(const tenon_request *request);

/* May its client be asked with its answer? */
static inline bool tn_relay_may_ask(const struct tn_relay *relay)
{
    return relay->x->method->flags & METHOD_ASKS;
}

/* A request has come. */
void tn_relay_begin(struct tn_seat *seat, struct tn_exchange *x, const struct tn_sourced *request);

/* Goes on with those that wait at a seat for all of its upstreams, as far as those have come. */
void tn_relays_route(struct tn_seat *seat);

/* The guard ends: answers those that wait there. */
void tn_relays_leave(struct tn_seat *seat);

/* It goes to the server with this name in its params, not with the one that is published. */
void tn_relay_rename(struct tn_relay *relay, struct tn_slice own);

/* Sends it on; `arguments` in the place of its own, if there are any. */
void tn_relay_send(struct tn_relay *relay, struct tn_slice params, struct tn_slice arguments);

/* Its client does not want it any more. */
void tn_relay_cancel(struct tn_relay *relay);

/* Goes on with those that wait, as far as the link has come. */
void tn_relays_go_on(struct tn_link *link);

/* The server is gone, or could not be reached: answers all that wait. */
void tn_relays_fail(struct tn_link *link, const char *why);

/* The same, but for those that nothing was sent of: they start it once more. */
void tn_relays_lost(struct tn_link *link, const char *why);

/* The link ends: answers all that wait, and all that were sent. */
void tn_relays_end(struct tn_link *link);

#endif
