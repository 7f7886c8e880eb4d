/* relay.h - one request of a client on its way to the server behind, and its answer on the way back. */
#ifndef GUARD_RELAY_H
#define GUARD_RELAY_H

#include "guard/link.h"

struct tn_offered;

/* Lives in the memory of its exchange, which it holds. */
struct tn_relay {
    struct tn_ring              ring; /* first: of the link's `waiting` or `sent` */
    struct tn_link             *link;
    struct tn_exchange         *x;
    const struct tn_way        *way;
    struct tn_slice             method, message; /* the transport's; copies once it waits */
    const struct tn_http_facts *http;            /* until it waits; or NULL */
    tenon_request              *request;         /* NULL before it is sent */
    struct tn_catalog          *catalog;         /* of a call: held, for `tool` */
    const struct tn_offered    *tool;
    struct tn_slice             said; /* messages of the guard's own: a JSON array of strings; or empty */
};

/* A request has come. */
void tn_relay_begin(struct tn_link *link, struct tn_exchange *x, const struct tn_sourced *request);

/* Its client does not want it any more. */
void tn_relay_cancel(struct tn_relay *relay);

/* Goes on with those that wait, as far as the link has come. */
void tn_relays_go_on(struct tn_link *link);

/* The server is gone, or could not be reached: answers all that wait. */
void tn_relays_fail(struct tn_link *link, const char *why);

/* The link ends: answers all that wait, and all that were sent. */
void tn_relays_end(struct tn_link *link);

#endif
