/* endpoint.h - MCP over HTTP: the one path, /mcp, on one loop, for all eras. */
#ifndef NET_ENDPOINT_ENDPOINT_H
#define NET_ENDPOINT_ENDPOINT_H

#include "mcp/core.h"
#include "net/auth/auth.h"
#include "net/http/http.h"
#include "net/settings.h"
#include "net/worker.h"

struct metrics_gauges;
struct rates;

/* Shared by all loops of a server. */
struct serving {
    tenon_server    *server;
    struct settings *settings;
    struct auth     *auth;
    struct workers  *workers; /* NULL when handlers run on the loop: polled */
    struct runner   *runner;  /* of the workers (runner.h) */
    struct metrics  *metrics;
    struct rates    *rates;     /* NULL when there are none */
    struct replays  *replays;   /* legacy streams that may be resumed (replay.h) */
    atomic_size_t    in_flight; /* calls */
    atomic_bool      begun;     /* everything is there that calls need, and its loops run */
    atomic_bool      stopping;
    void            *rest; /* of serve.c */

    /* Adds what /metrics cannot see from here (`http` of all loops, `sessions`); called on the admin's loop. May be NULL. */
    void (*gauges)(struct serving *serving, struct metrics_gauges *gauges);
};

struct endpoint;

/* Listens at the settings' address (`port` instead of its port, unless NULL). */
tenon_status endpoint_new(struct endpoint **endpoint, struct serving *serving, struct loop *loop,
                          const char *port, const char **error);
unsigned     endpoint_port(const struct endpoint *endpoint);

/* Running calls are finished and listening streams closed with their responses, then `closed` is called. */
void endpoint_stop(struct endpoint *endpoint, void (*closed)(void *user), void *user);
void endpoint_abort(struct endpoint *endpoint);
void endpoint_free(struct endpoint *endpoint);

struct http_counts endpoint_counts(const struct endpoint *endpoint);

#endif
