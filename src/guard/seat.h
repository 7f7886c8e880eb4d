/* seat.h - one client's place at the guard: who it is, what it can be asked, and its conversations with the upstreams.
 *
 * A seat belongs to a session (a pipe, or a legacy client over HTTP), to a caller with a name whose modern clients promise the
 * same, or to all modern clients without a name. Those of them that can be asked questions are not known from each other by
 * anything but what they are at: each has a seat alone for as long as a request of it runs or waits to be asked for again. Its links are made when they are first needed; what is behind a link may be
 * the seat's own or be shared with others, as the upstream's `share` says (link.h).
 */
#ifndef GUARD_SEAT_H
#define GUARD_SEAT_H

#include "guard/link.h"
#include "guard/route/mentions.h"

#define SEATS_CALLERS_MAX ((size_t)1024) /* of callers; the one that was not used for longest makes room ... */
#define SEATS_EACH        ((size_t)16)   /* ... but one of its own for a caller whose clients promise this many things */

#define SEATS_ALONE       ((size_t)8)    /* of clients without a name at one address; the others are seated with everyone */

enum tn_seat_kind { SEAT_SESSION, SEAT_CALLER, SEAT_ALONE, SEAT_EVERYONE };

struct tn_seat {
    struct tn_seat    *next;
    struct tn_guard   *guard;
    enum tn_seat_kind  kind;
    bool               on_pipe;
    bool               left;  /* it is given up as soon as nothing runs on the loop */
    struct tn_session *owner; /* of a session: not held. NULL until an HTTP client's initialize is answered */
    struct tn_slice    caller;
    struct tn_account *account; /* held: who its links count for; NULL for everyone */
    struct tn_arena    arena;
    const char        *name, *version; /* of the client's program; or NULL */
    const char        *capabilities;   /* as it named them */
    unsigned           abilities;      /* that questions can ask for */
    bool               modern;
    enum tn_version    revision;  /* of a legacy one */
    const char        *log_level; /* that it asked for; or NULL */
    size_t             relays;    /* of this seat, and its streams of changes; ... */
    size_t             streams;   /* ... of which so many are streams */
    int64_t            began_ms, used_ms;
    struct tn_mentions mentions;    /* of its answers, where there are several upstreams */
    struct tn_seat_follow *follows; /* resources that its client follows (follow.h) */
    struct tn_ring         waiting; /* relays that cannot be led to one upstream yet */
    struct tn_link        *links[]; /* one for each upstream; NULL before it is needed */
};

/* The seat of a request, made if there was not one yet. NULL when it answered, for want of memory. */
struct tn_seat *tn_seat_of(struct tn_guard *guard, struct tn_exchange *x);

/* A session begins, which its requests belong to from now on. */
void tn_seat_own(struct tn_seat *seat, struct tn_session *session);

/* The link to an upstream, made if there was not one yet and started if its server does not run. NULL when it cannot be:
 * `rest_ms` says why. */
enum { SEAT_NO_MEMORY = -1, SEAT_NO_ROOM = -2 };
struct tn_link *tn_seat_link(struct tn_seat *seat, const struct tn_upstream *upstream, int *rest_ms);

/* Its session is over. */
void tn_seat_leave(struct tn_seat *seat);

/* Ends it, and what is behind it alone; it has no relays. Never from within a step of a link. */
void tn_seat_drop(struct tn_seat *seat);

/* Gives up those that were left. */
void tn_seats_sweep(struct tn_guard *guard);

/* Something has changed on a link: goes on with what waits at the seats that have it. */
void tn_seats_go_on(struct tn_link *link);

#endif
