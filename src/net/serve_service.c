/* serve_service.c - puts a service together, and takes it apart. */
#define _GNU_SOURCE
#include <assert.h>
#include <signal.h>
#include <stdio.h>

#include "base/memory.h"
#include "mcp/session.h"
#include "net/admin.h"
#include "net/ended_file.h"
#include "net/http/replay.h"
#include "net/keys.h"
#include "net/metrics.h"
#include "net/runner.h"
#include "net/serve.h"
#include "net/sharing.h"

#define TICK_MS 1000

static const char no_memory[]  = "out of memory";
static const char no_streams[] = "Standard input and output cannot be used";
static const char no_watch[]   = "The system has no more descriptors";
static const char no_threads[] = "The system cannot start more threads";

/* ---- What is reported ------------------------------------------------------------------------------------- */

/* Messages are counted for tenon_server_poll(); where nobody asks how many, nothing stands in between. */
static void on_message(void *user, const char *method, int error)
{
    struct tn_service *service = user;

    atomic_fetch_add_explicit(&service->answered, 1, memory_order_relaxed);
    if (service->watcher.message)
        service->watcher.message(service->watcher.user, method, error);
}

static void on_called(void *user, const struct tn_call_report *report)
{
    struct tn_service *service = user;

    service->watcher.called(service->watcher.user, report);
}

static void observe(struct tn_service *service)
{
    tenon_server *server = service->serving.server;

    service->observing = (struct tn_observing){ .metrics   = service->serving.metrics,
                                                .audit     = service->audit,
                                                .feed      = service->feed,
                                                .log       = &server->log,
                                                .log_level = service->serving.settings->log_level,
                                                .refusals  = service->serving.settings->http != NULL,
                                                .arguments = service->serving.settings->audit_arguments };
    service->watcher   = tn_observer_of(&service->observing);
    server->observer   = service->watcher;
    if (service->mode != SERVE_POLLED)
        return;
    server->observer.user    = service;
    server->observer.message = on_message;
    if (service->watcher.called)
        server->observer.called = on_called;
}

static void count_session(struct tn_session *session, void *user)
{
    *(size_t *)user += session->on_http;
}

static void add_http(struct tn_http_counts *to, const struct tn_http_counts *more)
{
    to->connections += more->connections;
    to->streams += more->streams;
    to->accepted += more->accepted;
    to->refused += more->refused;
    to->requests += more->requests;
    to->bytes_in += more->bytes_in;
    to->bytes_out += more->bytes_out;
    to->time_outs += more->time_outs;
    to->malformed += more->malformed;
}

static void add_gauges(struct tn_serving *serving, struct tn_metrics_gauges *gauges)
{
    const struct tn_service *service = tn_service_of(serving->server);

    for (size_t i = 0; i < service->lane_count; i++) {
        const struct tn_endpoint *endpoint = service->lanes[i].endpoint;
        struct tn_http_counts     counts   = { 0 };

        if (endpoint)
            counts = tn_endpoint_counts(endpoint);
        add_http(&gauges->http, &counts);
    }
    tn_sessions_each(serving->server, count_session, &gauges->sessions);
    tn_ledger_read(serving->server->ledger, &gauges->held);
    if (serving->rates)
        gauges->rate_limited = atomic_load_explicit(&serving->rates->refused, memory_order_relaxed);
    gauges->audit_lost = tn_audit_lost(service->audit);
}

/* ---- Before it listens ----------------------------------------------------------------------------------- */

void tn_serve_decide(tenon_server *server, const struct tn_settings *settings)
{
    if (settings->unknown != TENON_UNKNOWN_DEFAULT)
        server->options.unknown = settings->unknown;
    server->portable    = settings->portable;
    server->deadline_ms = settings->deadline_ms;
    server->session_ms  = settings->session_ms;
}

static tenon_status serve_service_prepare(struct tn_service *service, tenon_server *server)
{
    struct tn_settings *settings = service->serving.settings;
    const char         *mistake  = NULL;

    if (!server->prepared) {
        tn_serve_decide(server, settings);
        if (settings->key_file &&
            tn_keys_load(settings->key_file, &server->keys, &server->arena, &mistake) != TENON_OK)
            return tn_core_mistake(server, "%s", mistake);
        if (!server->options.log) {
            tn_logging_init(&service->logging, settings);
            server->log = tn_logging_log(&service->logging);
        }
    }
    return tn_mcp_prepare(server);
}

/* The most of each that all callers together may hold. */
static void limit_holders(struct tn_service *service)
{
    const struct tn_settings *settings = service->serving.settings;
    size_t                    loops    = service->lane_count;
    const struct {
        enum tn_held held;
        size_t       most;
    } limits[] = {
        { HELD_CONNECTIONS, settings->limits.connections * loops },
        { HELD_INCOMING, settings->incoming_bytes },
        { HELD_OUTGOING, settings->outgoing_bytes },
        { HELD_STREAMS, settings->limits.streams * loops },
        { HELD_CALLS, settings->calls },
        { HELD_WAITING, settings->waiting_bytes },
        { HELD_SESSIONS, settings->sessions },
        { HELD_SUBSCRIPTIONS, settings->subscription_bytes },
        { HELD_LISTENERS, settings->listeners },
        { HELD_TASKS, settings->tasks },
        { HELD_RESULTS, settings->result_bytes },
        { HELD_REPLAYS, settings->replays_bytes },
    };

    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        tn_ledger_limit(service->serving.server->ledger, limits[i].held, limits[i].most);
    tn_ledger_share(service->serving.server->ledger, (unsigned)settings->share);
    tn_ledger_forget_rates(service->serving.server->ledger);
    tn_rates_init(&service->rates, settings->rates.at, settings->rates.count);
    if (service->rates.count > 0)
        service->serving.rates = &service->rates;
}

static size_t or_none(int setting)
{
    return setting > 0 ? (size_t)setting : WORKER_NONE;
}

static tenon_status make_workers(struct tn_service *service)
{
    struct tn_serving        *serving  = &service->serving;
    const struct tn_settings *settings = serving->settings;
    struct tn_worker_options  options  = {
          .workers = (size_t)settings->workers,
          .queued  = or_none(settings->queue),
          .lost    = or_none(settings->lost),
          .spares  = or_none(settings->spares),
          .memory  = &serving->server->memory,
          .clock   = serving->server->clock,
    };

    if (service->mode != SERVE_POLLED) {
        serving->workers = tn_workers_new(&options);
        if (!serving->workers)
            return TENON_E_NOMEM;
    }
    return tn_runner_open(serving);
}

static tenon_status make_observers(struct tn_service *service)
{
    tenon_server       *server   = service->serving.server;
    struct tn_settings *settings = service->serving.settings;
    const char         *mistake  = NULL;

    if (settings->admin) {
        service->serving.metrics = tn_metrics_new(server);
        if (!service->serving.metrics)
            return tn_core_mistake(server, no_memory);
        service->serving.gauges = add_gauges;
    }
    if (settings->console) {
        service->feed = tn_feed_new(&server->memory, server->clock.wall_ms(server->clock.user));
        if (!service->feed)
            return tn_core_mistake(server, no_memory);
    }
    if (settings->audit) {
        service->audit = tn_audit_new(settings, &server->memory, &server->log, server->clock, &mistake);
        if (!service->audit)
            return tn_core_mistake(server, "%s", mistake ? mistake : no_memory);
    }
    return TENON_OK;
}

/* What only HTTP needs. */
static tenon_status make_http_parts(struct tn_service *service)
{
    struct tn_serving      *serving = &service->serving;
    tenon_server           *server  = serving->server;
    struct tn_replay_limits limits  = { .stream_bytes = serving->settings->replay_bytes,
                                        .total_bytes  = serving->settings->replays_bytes };
    const char             *mistake = NULL;

    if (!serving->settings->http)
        return TENON_OK;
    serving->auth = tn_auth_new(serving->settings, &server->memory, &server->log, &mistake);
    if (!serving->auth)
        return tn_core_mistake(server, "%s", mistake ? mistake : no_memory);
    serving->replays = tn_replays_new(&server->memory, server->clock, &limits);
    if (!serving->replays)
        return tn_core_mistake(server, no_memory);
    if (!serving->settings->key_file)
        return TENON_OK;
    service->ended = tn_ended_file_open(server, serving->settings->key_file, &mistake);
    return service->ended ? TENON_OK : tn_core_mistake(server, "%s", mistake ? mistake : no_memory);
}

/* ---- Lanes ----------------------------------------------------------------------------------------------- */

static void write_url(struct tn_service *service, unsigned port)
{
    struct tn_settings       *settings = service->serving.settings;
    struct tn_setting_address address  = tn_settings_address(settings->http);
    bool                      is_ipv6  = strchr(address.host, ':') != NULL;

    snprintf(service->url, sizeof service->url, "http://%s%s%s:%u%s", is_ipv6 ? "[" : "", address.host,
             is_ipv6 ? "]" : "", port, settings->path);
}

/* The first takes the port, the others share it. */
static tenon_status make_lanes(struct tn_service *service)
{
    tenon_server *server = service->serving.server;
    char          port[12], *taken = NULL;
    const char   *error = NULL;

    for (size_t i = 0; i < service->lane_count; i++) {
        tenon_status status = tn_lane_new(&service->lanes[i], service, taken, &error);

        if (status != TENON_OK)
            return tn_core_mistake(server, "%s", error ? error : tenon_status_text(status));
        if (i > 0 || !service->lanes[0].endpoint)
            continue;
        snprintf(port, sizeof port, "%u", tn_endpoint_port(service->lanes[0].endpoint));
        taken = port;
        write_url(service, tn_endpoint_port(service->lanes[0].endpoint));
        if (!tn_auth_listens(service->serving.auth, tn_endpoint_port(service->lanes[0].endpoint)))
            return tn_core_mistake(server, no_memory);
    }
    return TENON_OK;
}

/* ---- What there is once ---------------------------------------------------------------------------------- */

static void on_tick(uv_timer_t *handle)
{
    struct tn_service *service = handle->data;

    tn_ended_file_tick(service->ended);
    tn_mcp_tick(service->serving.server);
}

static void on_signal(uv_signal_t *handle, int number)
{
    struct tn_service *service = handle->data;

    tn_service_stop(service, service->signal != 0);
    service->signal = number;
}

static void on_stdio_over(void *user)
{
    struct tn_service *service = user;

    tn_stdio_free(service->stdio);
    service->stdio = NULL;
    tn_service_part_closed(service);
    tn_service_stop(service, false);
}

/* Nothing is left for the first lane to wait for. */
static void wind_down(struct tn_service *service)
{
    service->winding_down = true;
    if (service->ticking) {
        uv_close((uv_handle_t *)&service->tick, NULL);
        uv_close((uv_handle_t *)&service->grace, NULL);
        uv_close((uv_handle_t *)&service->waiting, NULL);
    }
    for (size_t i = 0; i < 2 && service->signalled; i++)
        uv_close((uv_handle_t *)&service->signals[i], NULL);
}

static void on_admin_closed(void *user)
{
    struct tn_service *service = user;

    service->admin_closed = true;
    wind_down(service);
}

/* The admin's address was to tell of it until now. */
static void close_admin(struct tn_service *service)
{
    if (!service->admin) {
        wind_down(service);
        return;
    }
    tn_admin_stop(service->admin, on_admin_closed, service);
    if (atomic_load(&service->aborting) && !service->admin_closed)
        tn_admin_abort(service->admin);
    service->admin_stopped = true;
}

static void on_idle(struct tn_loop_message *message)
{
    struct tn_service *service = (struct tn_service *)(void *)((char *)message -
                                                               offsetof(struct tn_service, idle));

    service->idling = false;
    close_admin(service);
}

void tn_service_abandon_calls(struct tn_service *service)
{
    if (service->idling && tn_runner_forget(&service->serving, &service->idle))
        on_idle(&service->idle);
}

/* The last part has closed. Nobody is connected any more; what runs now is finished for its own sake. Elsewhere than in a
 * program of its own tn_service_free() waits for it. */
static void on_closed(struct tn_loop_message *message)
{
    struct tn_service *service = (struct tn_service *)(void *)((char *)message -
                                                               offsetof(struct tn_service, closed));

    if (service->mode != SERVE_MAIN || atomic_load(&service->aborting)) {
        close_admin(service);
        return;
    }
    service->idling = true;
    tn_runner_notify(&service->serving, &service->lanes[0].loop, &service->idle);
}

static void start_clock(struct tn_service *service)
{
    uv_loop_t *uv = &service->lanes[0].loop.uv;

    uv_timer_init(uv, &service->tick);
    uv_timer_init(uv, &service->grace);
    uv_timer_init(uv, &service->waiting);
    service->tick.data = service->grace.data = service;
    uv_timer_start(&service->tick, on_tick, TICK_MS, TICK_MS);
    service->ticking = true;
}

static void take_signals(struct tn_service *service)
{
    static const int numbers[] = { SIGINT, SIGTERM };

    for (size_t i = 0; i < 2; i++) {
        uv_signal_init(&service->lanes[0].loop.uv, &service->signals[i]);
        service->signals[i].data = service;
        uv_signal_start(&service->signals[i], on_signal, numbers[i]);
    }
    service->signalled = true;
}

static tenon_status open_stdio(struct tn_service *service)
{
    int          in, out;
    tenon_status status = tn_stdio_claim(&in, &out);

    if (status == TENON_OK)
        status = tn_stdio_open(&service->stdio, &service->serving, &service->lanes[0].loop, in, out,
                               on_stdio_over, service);
    if (status == TENON_OK)
        atomic_fetch_add(&service->open_parts, 1);
    return status;
}

/* Does it serve the standard streams? */
static bool takes_streams(const struct tn_service *service)
{
    const struct tn_settings *settings = service->serving.settings;

    if (service->mode != SERVE_MAIN)
        return settings->stdio;
    return !settings->admin_only && (settings->stdio || !settings->http);
}

static tenon_status make_shared(struct tn_service *service)
{
    struct tn_serving *serving = &service->serving;
    const char        *error   = NULL;

    start_clock(service);
    if (serving->settings->admin) {
        if (tn_admin_new(&service->admin, serving, &service->lanes[0].loop, service->feed, &error) !=
            TENON_OK)
            return tn_core_mistake(serving->server, "%s", error ? error : no_memory);
    }
    if (service->mode == SERVE_MAIN)
        take_signals(service);
    if (!takes_streams(service) || open_stdio(service) == TENON_OK)
        return TENON_OK;
    return tn_core_mistake(serving->server, no_streams);
}

/* ---- Together -------------------------------------------------------------------------------------------- */

static struct tn_service *serve_service_make(tenon_server *server, enum tn_serve_mode mode)
{
    struct tn_settings *settings = tn_serve_settings(server);
    size_t              count    = mode == SERVE_POLLED || !settings->http ? 1 : (size_t)settings->loops;
    struct tn_service  *service  = tn_memory_new(&server->memory, sizeof *service);

    if (!service)
        return NULL;
    *service       = (struct tn_service){ .serving     = { .server = server, .settings = settings },
                                          .mode        = mode,
                                          .closed.open = on_closed,
                                          .idle.open   = on_idle,
                                          .lane_count  = count };
    service->lanes = tn_memory_new(&server->memory, count * sizeof *service->lanes);
    if (!service->lanes) {
        tn_memory_free(&server->memory, service, sizeof *service);
        return NULL;
    }
    memset(service->lanes, 0, count * sizeof *service->lanes);
    service->watch.fd = service->alarm_fd = -1;
    atomic_init(&service->open_parts, 1); /* the service itself, until it is stopped */
    return service;
}

tenon_status tn_service_new(struct tn_service **service, tenon_server *server, enum tn_serve_mode mode)
{
    struct tn_service *made = serve_service_make(server, mode);
    tenon_status       status;

    *service = NULL;
    if (!made)
        return tn_core_mistake(server, no_memory);
    ((struct tn_server_owner *)server->owner)->service = made;
    limit_holders(made);
    status = serve_service_prepare(made, server);
    if (status == TENON_OK)
        status = make_observers(made);
    if (status == TENON_OK)
        status = make_http_parts(made);
    if (status == TENON_OK && make_workers(made) != TENON_OK)
        status = tn_core_mistake(server, no_memory);
    if (status == TENON_OK && mode != SERVE_POLLED && made->serving.settings->http)
        status = tn_sharing_begin(&made->sharing, server, made->serving.settings->key_file != NULL);
    if (status == TENON_OK)
        status = make_lanes(made);
    if (status == TENON_OK)
        status = make_shared(made);
    if (status == TENON_OK && mode == SERVE_POLLED && !tn_poll_watch_new(made))
        status = tn_core_mistake(server, no_watch);
    if (status != TENON_OK) {
        tn_service_stop(made, true);
        tn_service_free(made, 0);
        return status;
    }
    observe(made);
    *service = made;
    return TENON_OK;
}

tenon_status tn_service_start(struct tn_service *service)
{
    for (size_t i = service->mode == SERVE_THREADS ? 0 : 1; i < service->lane_count; i++)
        if (!tn_lane_start(&service->lanes[i]))
            return tn_core_mistake(service->serving.server, no_threads);
    atomic_store(&service->serving.begun, true);
    return TENON_OK;
}

void tn_service_run(struct tn_service *service)
{
    tn_loop_run(&service->lanes[0].loop, UV_RUN_DEFAULT);
}

static void serve_service_give_back(struct tn_service *service)
{
    tenon_server *server = service->serving.server;

    if (service->admin)
        tn_admin_free(service->admin);
    for (size_t i = 0; i < service->lane_count; i++)
        tn_lane_free(&service->lanes[i]);
    tn_poll_watch_free(service);
    tn_runner_close(&service->serving);
    tn_auth_free(service->serving.auth);
    if (service->serving.replays)
        tn_replays_free(service->serving.replays);
    tn_ended_file_close(service->ended);
    tn_sharing_free(service->sharing);
    tn_metrics_free(service->serving.metrics);
    tn_audit_free(service->audit);
    tn_feed_free(service->feed);
    if (!server->options.log)
        server->log = (struct tn_log){ 0 };
    server->observer                                   = (struct tn_observer){ 0 };
    ((struct tn_server_owner *)server->owner)->service = NULL;
    tn_memory_free(&server->memory, service->lanes, service->lane_count * sizeof *service->lanes);
    tn_memory_free(&server->memory, service, sizeof *service);
}

/* Loops that have no thread run out here: what was made and never started, and what was polled. The first is the last,
 * since the others tell it when they have closed. */
static void run_out(struct tn_service *service)
{
    for (size_t i = service->lane_count; i-- > 0;) {
        struct tn_lane *lane = &service->lanes[i];

        if (lane->threaded)
            pthread_join(lane->thread, NULL);
        else if (lane->made)
            tn_loop_run(&lane->loop, UV_RUN_DEFAULT);
    }
}

bool tn_service_free(struct tn_service *service, int grace_ms)
{
    bool left;

    assert(atomic_load(&service->serving.stopping));
    run_out(service);
    left                     = tn_workers_free(service->serving.workers, grace_ms);
    service->serving.workers = NULL;
    service->left            = left;
    tn_sharing_end(service->sharing);
    if (!left)
        serve_service_give_back(service);
    return left;
}

void tn_service_free_left(struct tn_service *service)
{
    assert(service->left);
    tn_runner_wait(&service->serving);
    serve_service_give_back(service);
}
