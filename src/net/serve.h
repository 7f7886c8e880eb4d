/* serve.h - a server while it serves: its loops and all that runs on them.
 *
 * Everything is made by the thread that starts it, before any loop runs; a loop with its endpoint is a lane. From then on
 * each lane is touched by its own thread only, and reached by messages. The first lane has what there is once: standard
 * input and output, the admin's address, signals, and the clock.
 *
 * It ends in parts: every endpoint and stdio reports when it is closed. After the last of them the admin's address
 * closes, and the first lane runs out of things to wait for.
 */
#ifndef NET_SERVE_H
#define NET_SERVE_H

#include "base/os.h"
#include "net/endpoint/endpoint.h"
#include "net/logging.h"
#include "net/loop.h"
#include "net/observe.h"
#include "net/rate.h"
#include "net/stdio/stdio.h"

#define SERVE_URL_MAX 512

enum tn_serve_mode {
    SERVE_MAIN,    /* the first lane on the caller's thread, with signals */
    SERVE_THREADS, /* all lanes on threads of their own */
    SERVE_POLLED   /* one lane, on the caller's thread and only while it polls; no workers */
};

struct tn_lane {
    struct tn_service     *service;
    struct tn_loop         loop;
    struct tn_endpoint    *endpoint; /* NULL without HTTP */
    pthread_t              thread;
    bool                   made, threaded;
    bool                   closed; /* its endpoint is */
    struct tn_loop_message stop, abort;
};

struct tn_service {
    struct tn_serving  serving;
    enum tn_serve_mode mode;
    struct tn_lane    *lanes;
    size_t             lane_count;

    struct stdio       *stdio;
    struct admin       *admin;
    bool                admin_stopped, admin_closed;
    struct audit       *audit;
    struct tn_feed     *feed; /* of the console; or NULL */
    struct tn_rates     rates;
    struct ended_file  *ended;                /* of the key file; or NULL */
    struct tn_sharing  *sharing;              /* with other replicas; or NULL */
    struct tn_observing observing;            /* metrics, audit and log */
    struct tn_observer  watcher;              /* of them */
    uv_timer_t          tick, grace, waiting; /* the last for a poll that ends */
    uv_signal_t         signals[2];
    bool                ticking, signalled, winding_down, polling;
    int                 signal; /* that stopped it, or 0 */

    atomic_size_t          open_parts;
    atomic_bool            aborting;
    struct tn_loop_message closed; /* the last part has: opened on the first lane */
    struct tn_loop_message idle;   /* and no call runs any more: tasks, and calls of clients that have gone */
    bool                   idling; /* that is waited for */
    bool                   source_ended; /* it has answered what still ran */
    atomic_size_t          answered;     /* messages, when it is polled */
    struct tn_watch   watch; /* when it is polled: what is watched from outside, and its alarm; else -1 */
    int               alarm_fd;
    bool              left; /* workers are left behind, that use all of this */
    struct tn_logging logging;
    char              url[SERVE_URL_MAX];
};

/* The owner of a server: what serving it keeps there from the first setting to its end. */
struct tn_server_owner {
    struct tn_settings *settings;
    struct tn_service  *service; /* while it is served; else NULL */
};

/* What serves it, or NULL. */
struct tn_service *tn_service_of(const tenon_server *server);

/* The settings of a server, made when first asked for; NULL without memory. */
struct tn_settings *tn_serve_settings(tenon_server *server);

/* What the operator decides about things that are compiled, before they are. */
void tn_serve_decide(tenon_server *server, const struct tn_settings *settings);

/* Makes everything for the server's settings, which are there, and listens. On failure the server has the mistake. */
tenon_status tn_service_new(struct tn_service **service, tenon_server *server, enum tn_serve_mode mode);

/* Checks the settings, makes the service and starts its threads: all of tenon_server_start(). */
tenon_status tn_serve_begin(tenon_server *server, enum tn_serve_mode mode);

/* Starts the threads: of all lanes, but for the one that is the caller's own. */
tenon_status tn_service_start(struct tn_service *service);

/* Serves the first lane on this thread, until it is stopped. */
void tn_service_run(struct tn_service *service);

/* From any thread: lets running calls finish; with `now`, does not. */
void tn_service_stop(struct tn_service *service, bool now);

/* On the first lane: calls that still run are not waited for any more. */
void tn_service_abandon_calls(struct tn_service *service);

/* Waits for the threads of lanes, and for workers, `grace_ms` at most; frees everything unless a worker is left behind,
 * and returns whether one is. */
bool tn_service_free(struct tn_service *service, int grace_ms);

/* For what is left behind: waits for as long as it takes, then frees it. */
void tn_service_free_left(struct tn_service *service);

/* ---- Polling (serve_poll.c) ---- */

/* The descriptor that becomes readable when the first lane has something to do: events, or time. */
bool tn_poll_watch_new(struct tn_service *service);
void tn_poll_watch_free(struct tn_service *service);

/* ---- Lanes (serve_lane.c) ---- */

tenon_status tn_lane_new(struct tn_lane *lane, struct tn_service *service, const char *port,
                         const char **error);
bool         tn_lane_start(struct tn_lane *lane); /* its thread */
void         tn_lane_free(struct tn_lane *lane);  /* after its loop has run out */

/* A part has closed: on any lane. */
void tn_service_part_closed(struct tn_service *service);

#define GUARDED_SIGNALS 2

/* Keeps SIGPIPE and SIGXFSZ from this thread while it serves, and forgets those that came meanwhile. */
struct tn_pipe_guard {
    bool was_blocked[GUARDED_SIGNALS], was_pending[GUARDED_SIGNALS];
};
struct tn_pipe_guard tn_pipe_guard_begin(void);
void                 tn_pipe_guard_end(struct tn_pipe_guard guard);

#endif
