/* guard.h - the boundary in front of a server of others: what all its parts share.
 *
 * A guard is a server without tools of its own (mcp/source.h). Each request of a client becomes a relay; relays go over a
 * link, which is one conversation with the server behind: a child process or an address. What the link's server offers,
 * and the schemas that its calls must keep, are its catalog. Everything happens on the thread of one loop.
 */
#ifndef GUARD_GUARD_H
#define GUARD_GUARD_H

#include "mcp/exchange.h"
#include "mcp/source.h"

struct tn_link;
struct tn_loop;
struct tn_transport;
struct tn_transport_frame;

enum tn_guard_results { RESULTS_WARN, RESULTS_OFF };

/* What is guarded: the words of a command, or an address. */
struct tn_upstream {
    const char        *name;  /* for people */
    const char *const *words; /* with a final NULL; or NULL */
    const char        *url;
    const char        *token; /* for the address; or NULL */
    const char        *directory;
    /* The way to an address: HTTP is no part of the library, and the command gives it. */
    struct tn_transport *(*connect)(const struct tn_upstream        *upstream,
                                    const struct tn_transport_frame *frame);
};

struct tn_guard {
    tenon_server         *server;
    struct tn_source      source;
    struct tn_loop       *loop;
    tenon_allocator       memory;
    struct tn_upstream    upstream;
    enum tn_guard_results results;
    tenon_toolbox        *box;  /* of no tools: what calls are judged with ... */
    tenon_call           *call; /* ... one at a time */
    struct tn_link       *links;
    size_t                link_count;
};

/* Makes a server that has all its answers from the upstream. What `upstream` points to must outlive it. NULL without
 * memory; a mistake is the server's. */
struct tn_guard *tn_guard_new(const struct tn_upstream *upstream, const tenon_server_options *options);

/* Serves until it is stopped, or its standard input ends: the exit status. Frees it. */
int tn_guard_run(struct tn_guard *guard, tenon_settings *settings);

#endif
