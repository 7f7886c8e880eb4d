/* guard.h - the boundary in front of a server of others: what all its parts share.
 *
 * A guard is a server without tools of its own (mcp/source.h). Each client has a seat; each request of it becomes a relay,
 * which goes over a link of that seat: one conversation with one upstream, a child process or an address. What the link's
 * server offers, and the schemas that its calls must keep, are its catalog. Everything happens on the thread of one loop.
 */
#ifndef GUARD_GUARD_H
#define GUARD_GUARD_H

#include "guard/route/names.h"
#include "guard/upstream.h"
#include "mcp/exchange.h"
#include "mcp/source.h"

#define GUARD_LISTS (LIST_TEMPLATES + 1) /* kinds of lists that upstreams have */

struct tn_link;
struct tn_loop;
struct tn_pins;
struct tn_seat;
struct tn_standing;
struct tn_timetable;
struct tn_park;

#define GUARD_UNUSABLE 2 /* exit status: it was not started */

struct tn_guard {
    tenon_server        *server;
    struct tn_source     source;
    struct tn_loop      *loop;
    tenon_allocator      memory;
    struct tn_upstream  *upstreams; /* the operator's, borrowed */
    size_t               upstream_count;
    struct tn_standing  *standings; /* one for each of them (report/report.h) */
    struct tn_policy     policy;
    bool                 inventory;      /* it is run to be looked at (inventory.h) */
    struct tn_pins      *pins;           /* what was approved; NULL without a lock */
    struct tn_clients   *clients;        /* that lists are published for; or NULL */
    tenon_toolbox       *box;            /* of no tools: what calls are judged with ... */
    tenon_call          *call;           /* ... one at a time */
    struct tn_names      tools, prompts; /* that are published */
    _Atomic(int64_t)    *tool_due_ns;    /* of tools with a rate (policy.c) */
    struct tn_seat      *seats;
    struct tn_link      *links;
    struct tn_park      *park;                    /* open questions and parked calls; NULL before the first */
    struct tn_timetable *timetable;               /* of its loop; or NULL */
    int64_t              changes_ms[GUARD_LISTS]; /* when a change of lists is reported; 0: there is none */
    int64_t              changes_most_ms[GUARD_LISTS]; /* and at the latest */
};

/* A copy. Nothing, and no length either, when memory is refused. */
static inline struct tn_slice tn_guard_keep(struct tn_arena *arena, struct tn_slice from)
{
    char *copy = tn_arena_copy(arena, from.at, from.len);

    return (struct tn_slice){ copy, copy ? from.len : 0 };
}

/* Do methods, notifications and capabilities pass that the guard does not know? */
static inline bool tn_guard_passes_unknown(const struct tn_guard *guard)
{
    return guard->upstream_count == 1 && guard->policy.pass_unknown;
}

/* Makes a server that has all its answers from the upstreams, which must outlive it. NULL without memory; a mistake is the
 * server's. */
struct tn_guard *tn_guard_new(struct tn_upstream *upstreams, size_t count, const struct tn_policy *policy,
                              const tenon_server_options *options);

/* Frees one that is not run, with its server. */
void tn_guard_free(struct tn_guard *guard);

/* Serves until it is stopped, or its standard input ends: the exit status. Frees it. */
int tn_guard_run(struct tn_guard *guard, tenon_settings *settings);

#endif
