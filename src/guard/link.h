/* link.h - one conversation with one upstream.
 *
 * A server is promised, once, what its client can be asked; so a link is one seat's own, or shared by the seats of one caller
 * whose clients promise the same, or by all clients, and then promises nothing. Its server is started by the first relay, and
 * again by the next one when it ended.
 */
#ifndef GUARD_LINK_H
#define GUARD_LINK_H

#include "guard/guard.h"
#include "guard/policy/withdrawn.h"
#include "guard/upkeep/upkeep.h"
#include "net/client/client.h"
#include "net/loop.h"

struct tn_catalog;
struct tn_listing;
struct tn_relay;
struct tn_seat;

enum tn_link_scope { SCOPE_SEAT, SCOPE_CALLER, SCOPE_ALL };

/* One kind of list of its server. */
struct tn_link_list {
    struct tn_listing *at;              /* held; of tools NULL: they have a catalog */
    tenon_request     *asking;          /* or NULL */
    int64_t            end_ms;          /* until when it is asked */
    bool               stale;           /* it has changed since it was asked for */
    bool               wanted;          /* it is asked for again when the server was started again */
    bool               failed;          /* it could not be had the last time */
    size_t             ended;           /* how often it was asked for, and had or not */
    bool               missed;          /* clients got a list without this one */
    bool               changed, unkept; /* a change is to be reported; of a list that is not kept */
    uint64_t           told;            /* hash of what clients know of */
    int64_t            look_ms;         /* when it is looked at again, or 0 */
    int                pause_ms;
    int64_t            taken_ms,
        fresh_ms;   /* when it came, and until when it holds by its server's word; 0 without that */
    bool is_public; /* the same for every caller, by its word */
};

struct tn_link {
    struct tn_link           *next;
    struct tn_guard          *guard;
    const struct tn_upstream *upstream;
    enum tn_link_scope        scope;
    bool                      shared; /* by all clients */
    struct tn_session
        *owner; /* of a seat's own: the session that it is for. Not held; NULL before it has begun */
    struct tn_slice        caller;  /* of a caller's */
    struct tn_account     *account; /* held: who it counts for; NULL when it is shared */
    struct tn_arena        arena;   /* of what is promised */
    tenon_client_options   options;
    bool                   either;
    tenon_client          *client; /* NULL before it is started, and after it was lost */
    struct link_eye       *eye;    /* on the client's descriptor; or NULL */
    uv_timer_t             timer;
    bool                   ready;         /* what it offers is known */
    bool                   stepping;      /* the timer is set afterwards */
    struct tn_upkeep       upkeep;        /* starts, rests, ends (upkeep/upkeep.h) */
    size_t                 renewals;      /* of its client's session, that were noticed */
    struct tn_ring         waiting, sent; /* relays */
    struct tn_withdrawns   withdrawn;     /* calls that were cancelled, and may still run */
    int64_t                due_ms;        /* until when lists of all upstreams wait for this one */
    struct tn_link_follow *follows;       /* resources that clients follow (follow.h) */
    size_t                 follow_count;
    tenon_request         *listen;      /* of a modern server: the stream of its changes; or NULL ... */
    tenon_request         *next_listen; /* ... and one that takes its place as soon as it is agreed to */
    bool                   listens;     /* its server reports changes on that stream */
    bool                   relisten;    /* what is listened to is not what clients follow any more */
    int64_t  listen_ms; /* when it is listened again after the stream has ended; 0: it has not */
    int      listen_pause_ms;
    bool     news;               /* something has come that requests for all upstreams may wait for */
    bool     reports;            /* a change of its lists is being reported */
    uint64_t runs, compared;     /* starts of its server; that whose tools were compared with the lock */
    struct tn_catalog  *catalog; /* held; NULL before its tools are listed */
    struct tn_link_list lists[GUARD_LISTS];
    struct tn_slice     raw;        /* the message that is being taken */
    unsigned            promised;   /* of enum tenon_ability: what its client may be asked */
    unsigned            sampled;    /* questions to the client's model since ... */
    int64_t             sampled_ms; /* ... this time */
};

/* The link that a seat has to an upstream: one that it may share, or a new one. NULL without memory. */
struct tn_link *tn_link_for(struct tn_seat *seat, const struct tn_upstream *upstream);

/* Starts the servers that are to run before a client needs them, and that all clients share. */
void tn_links_start(struct tn_guard *guard);

/* May its server be started beside those that run? One that rests is ended for it. */
bool tn_link_room(const struct tn_link *link);

/* Starts its server, unless it runs. In how many milliseconds it may be tried again when it ended too often, or 0; -1
 * without memory. */
int tn_link_start(struct tn_link *link);

/* Does nothing of a client run there, or wait for one? Calls that were cancelled may run on for a while. */
bool tn_link_is_free(const struct tn_link *link);

/* Is nothing under way on it? Then its server can be ended, which the next relay starts again. */
bool tn_link_rests(const struct tn_link *link);
void tn_link_sleep(struct tn_link *link);

/* After requests were made, cancelled or answered outside of its own steps. */
void tn_link_arm(struct tn_link *link);

/* The owner wants log lines from this level on: now, and when the server was started again. */
void tn_link_level(struct tn_link *link, const char *level);

/* It is not used any more: ends its server. */
void tn_link_drop(struct tn_link *link);

static inline bool tn_link_is_modern(const struct tn_link *link)
{
    return link->client && tn_client_is_modern(link->client);
}

#endif
