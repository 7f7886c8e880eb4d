/* link.h - one conversation with the guarded server.
 *
 * A link is promised, once, what its client can be asked; so it belongs to one client that can be asked anything, or to all
 * that cannot. Its server is started by the first relay, and again by the next one when it ended.
 */
#ifndef GUARD_LINK_H
#define GUARD_LINK_H

#include "guard/guard.h"
#include "net/client/client.h"
#include "net/loop.h"

struct tn_catalog;
struct tn_relay;

#define LINK_STARTS_MAX 5     /* within ... */
#define LINK_STARTS_MS  60000 /* ... this time; then it rests */
#define LINK_REST_MS    1000  /* at first */
#define LINK_REST_MOST  30000

struct tn_link {
    struct tn_link  *next;
    struct tn_guard *guard;
    bool             shared; /* by all clients that cannot be asked anything */
    struct tn_session
        *owner; /* the session that it is for: of a pipe, and of a legacy client. Not held; or NULL */
    struct tn_slice      caller;  /* or the caller with a name, of modern clients */
    struct tn_account   *account; /* held: who it counts for; NULL when it is shared */
    struct tn_arena      arena;   /* of what is promised */
    tenon_client_options options;
    bool                 either;
    tenon_client        *client; /* NULL before it is started, and after it was lost */
    struct link_eye     *eye;    /* on the client's descriptor; or NULL */
    uv_timer_t           timer;
    bool                 ready;                       /* what it offers is known */
    bool                 stepping;                    /* the timer is set afterwards */
    int64_t              started_ms[LINK_STARTS_MAX]; /* the last starts, the oldest at `starts` */
    size_t               starts;
    int                  rest_ms;       /* that it rests after too many starts; doubled each time */
    struct tn_ring       waiting, sent; /* relays */
    struct tn_catalog   *catalog;       /* held; NULL before its tools are listed */
    tenon_request       *listing;       /* that asks for them, or NULL */
    bool                 stale;         /* the list has changed since it was asked for */
    struct tn_slice      raw;           /* the message that is being taken */
    uint64_t             asked;         /* questions that were put to the client, so far */
    struct tn_asked     *questions;     /* that are open (ask.c) */
};

/* The link of this request, made if there was not one yet. NULL when it answered: without memory, or when the caller has too
 * many. */
struct tn_link *tn_link_of(struct tn_guard *guard, struct tn_exchange *x);

/* A session begins, which its requests belong to from now on. */
void tn_link_own(struct tn_link *link, struct tn_session *session);

/* Starts its server, unless it runs. In how many milliseconds it may be tried again when it ended too often, or 0; -1
 * without memory. */
int tn_link_start(struct tn_link *link);

/* After requests were made, cancelled or answered outside of its own steps. */
void tn_link_arm(struct tn_link *link);

/* Asks for the list of tools, unless that is under way. */
void tn_link_list(struct tn_link *link);

/* It is not used any more: ends its server. */
void tn_link_drop(struct tn_link *link);

static inline bool tn_link_is_modern(const struct tn_link *link)
{
    return link->client && tn_client_is_modern(link->client);
}

#endif
