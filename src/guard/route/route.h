/* route.h - which of several upstreams a request is for: by tables of what they have listed, never by trying. */
#ifndef GUARD_ROUTE_H
#define GUARD_ROUTE_H

#include "guard/relay.h"

enum tn_routed {
    ROUTED_TO,    /* `upstream` */
    ROUTED_WAITS, /* more must be known of the upstreams */
    ROUTED_HERE   /* it is the guard's, and is answered, or it goes on without its relay */
};

typedef enum tn_routed tn_route_fn(struct tn_relay *relay, const struct tn_upstream **upstream);

/* By names, URIs and references. */
tn_route_fn tn_route_tool, tn_route_prompt, tn_route_uri, tn_route_reference, tn_route_other;

/* Answered for all of them. */
tn_route_fn tn_route_tools, tn_route_prompts, tn_route_resources, tn_route_templates, tn_route_initialize,
    tn_route_discover, tn_route_level, tn_route_listen, tn_route_unfollow;

/* The upstream of a URI that the caller of this exchange may use, of those that are known by now; or NULL. */
const struct tn_upstream *tn_route_find_uri(const struct tn_seat *seat, const struct tn_exchange *x,
                                            struct tn_slice uri);

#endif
