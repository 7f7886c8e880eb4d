/* endpoint.h - MCP over HTTP: the one path, /mcp, on one loop, for all eras. */
#ifndef NET_ENDPOINT_ENDPOINT_H
#define NET_ENDPOINT_ENDPOINT_H

#include "mcp/core.h"
#include "net/auth/auth.h"
#include "net/http/http.h"
#include "net/settings.h"
#include "net/worker.h"

struct tn_metrics_gauges;
struct tn_rates;

/* Shared by all loops of a server. */
struct tn_serving {
    tenon_server       *server;
    struct tn_settings *settings;
    struct auth        *auth;
    struct workers     *workers; /* NULL when handlers run on the loop: polled */
    struct runner      *runner;  /* of the workers (runner.h) */
    struct metrics     *metrics;
    struct tn_rates    *rates;     /* NULL when there are none */
    struct replays     *replays;   /* legacy streams that may be resumed (replay.h) */
    atomic_size_t       in_flight; /* calls */
    atomic_bool         begun;     /* everything is there that calls need, and its loops run */
    atomic_bool         stopping;

    /* Adds what /metrics cannot see from here (`http` of all loops, `sessions`); called on the admin's loop. May be NULL. */
    void (*gauges)(struct tn_serving *serving, struct tn_metrics_gauges *gauges);
};

struct tn_endpoint;

/* Listens at the settings' address (`port` instead of its port, unless NULL). */
tenon_status tn_endpoint_new(struct tn_endpoint **endpoint, struct tn_serving *serving, struct tn_loop *loop,
                             const char *port, const char **error);
unsigned     tn_endpoint_port(const struct tn_endpoint *endpoint);

/* Running calls are finished and listening streams closed with their responses, then `closed` is called. */
void tn_endpoint_stop(struct tn_endpoint *endpoint, void (*closed)(void *user), void *user);
void tn_endpoint_abort(struct tn_endpoint *endpoint);
void tn_endpoint_free(struct tn_endpoint *endpoint);

/* ---- Inside another address ------------------------------------------------------------------------------------ */

/* An endpoint that does not listen: requests are handed to it by the owner of another address, which has admitted them. `name` is
 * the caller that all of them are of; it outlives the endpoint. The owner passes on the three steps of each request (http.h), stops
 * the endpoint before its own address, and frees it after that has closed. */
tenon_status tn_endpoint_new_inside(struct tn_endpoint **endpoint, struct tn_serving *serving,
                                    struct tn_loop *loop, const char *name);
int          tn_endpoint_head(struct tn_endpoint *endpoint, struct tn_http_conn *conn);
void         tn_endpoint_body(struct tn_http_conn *conn);
void         tn_endpoint_done(struct tn_http_conn *conn);

struct tn_http_counts tn_endpoint_counts(const struct tn_endpoint *endpoint);

#endif
