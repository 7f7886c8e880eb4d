/* serve_lane.c - a loop, its endpoint and its thread. */
#define _GNU_SOURCE
#include <signal.h>
#include <time.h>

#include "mcp/source.h"
#include "net/admin.h"
#include "net/serve.h"

/* ---- Signals of writing ---------------------------------------------------------------------------------- */

/* A client that has gone away, and a file that has grown to its limit, must be errors of the write, not the end of the
 * process. Both signals are the thread's own, so that blocking them here is enough, and the program's handlers stay as they
 * are. */
static const int guarded[GUARDED_SIGNALS] = { SIGPIPE, SIGXFSZ };

struct tn_pipe_guard tn_pipe_guard_begin(void)
{
    struct tn_pipe_guard guard;
    sigset_t             all, before, pending;

    sigemptyset(&all);
    for (size_t i = 0; i < GUARDED_SIGNALS; i++)
        sigaddset(&all, guarded[i]);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    if (sigpending(&pending) != 0)
        sigemptyset(&pending);
    for (size_t i = 0; i < GUARDED_SIGNALS; i++) {
        guard.was_blocked[i] = sigismember(&before, guarded[i]) == 1;
        guard.was_pending[i] = sigismember(&pending, guarded[i]) == 1;
    }
    return guard;
}

void tn_pipe_guard_end(struct tn_pipe_guard guard)
{
    struct timespec at_once = { 0 };

    for (size_t i = 0; i < GUARDED_SIGNALS; i++) {
        sigset_t one;

        sigemptyset(&one);
        sigaddset(&one, guarded[i]);
        if (!guard.was_pending[i])
            while (sigtimedwait(&one, NULL, &at_once) == guarded[i]) {}
        if (!guard.was_blocked[i])
            pthread_sigmask(SIG_UNBLOCK, &one, NULL);
    }
}

/* ---- Stopping -------------------------------------------------------------------------------------------- */

static struct tn_lane *first_of(struct tn_service *service)
{
    return &service->lanes[0];
}

void tn_service_part_closed(struct tn_service *service)
{
    if (atomic_fetch_sub(&service->open_parts, 1) == 1)
        tn_loop_post(&first_of(service)->loop, &service->closed);
}

static void on_endpoint_closed(void *user)
{
    struct tn_lane *lane = user;

    lane->closed = true;
    tn_service_part_closed(lane->service);
}

static void on_grace_over(uv_timer_t *handle)
{
    tn_service_stop(handle->data, true);
}

/* What the first lane has beside its endpoint. */
static void stop_shared(struct tn_service *service)
{
    if (service->ticking && !service->winding_down)
        uv_timer_start(&service->grace, on_grace_over, (uint64_t)service->serving.settings->grace_ms, 0);
    if (service->stdio)
        tn_stdio_stop(service->stdio, false);
    tn_service_part_closed(service); /* the service itself, so that there is a last one in any case */
}

static void on_stop(struct tn_loop_message *message)
{
    struct tn_lane    *lane    = (struct tn_lane *)(void *)((char *)message - offsetof(struct tn_lane, stop));
    struct tn_service *service = lane->service;

    if (lane == first_of(service))
        stop_shared(service);
    if (lane->endpoint)
        tn_endpoint_stop(lane->endpoint, on_endpoint_closed, lane);
}

/* What a source answers now comes to its connections by messages of this loop: they are closed after those. */
static bool source_ends(struct tn_service *service)
{
    const struct tn_source *source = service->serving.server->source;

    if (!source || !source->ending || service->source_ended)
        return false;
    service->source_ended = true;
    source->ending(source->user);
    return true;
}

static void on_abort(struct tn_loop_message *message)
{
    struct tn_lane    *lane = (struct tn_lane *)(void *)((char *)message - offsetof(struct tn_lane, abort));
    struct tn_service *service = lane->service;

    if (lane == first_of(service) && source_ends(service)) {
        tn_loop_post(&lane->loop, message);
        return;
    }
    if (lane == first_of(service) && service->stdio)
        tn_stdio_stop(service->stdio, true);
    if (lane == first_of(service) && service->admin_stopped && !service->admin_closed)
        tn_admin_abort(service->admin);
    if (lane == first_of(service))
        tn_service_abandon_calls(service);
    if (lane->endpoint && !lane->closed)
        tn_endpoint_abort(lane->endpoint);
}

void tn_service_stop(struct tn_service *service, bool now)
{
    if (!atomic_exchange(&service->serving.stopping, true))
        for (size_t i = 0; i < service->lane_count && service->lanes[i].made; i++)
            tn_loop_post(&service->lanes[i].loop, &service->lanes[i].stop);
    if (now && !atomic_exchange(&service->aborting, true))
        for (size_t i = 0; i < service->lane_count && service->lanes[i].made; i++)
            tn_loop_post(&service->lanes[i].loop, &service->lanes[i].abort);
}

/* ---- Lanes ----------------------------------------------------------------------------------------------- */

tenon_status tn_lane_new(struct tn_lane *lane, struct tn_service *service, const char *port,
                         const char **error)
{
    tenon_status status;

    *lane  = (struct tn_lane){ .service = service, .stop.open = on_stop, .abort.open = on_abort };
    *error = "The system cannot create an event loop";
    status = tn_loop_init(&lane->loop, &service->serving.server->memory);
    if (status != TENON_OK)
        return status;
    lane->made = true;
    if (!service->serving.settings->http)
        return TENON_OK;
    status = tn_endpoint_new(&lane->endpoint, &service->serving, &lane->loop, port, error);
    if (status != TENON_OK)
        lane->endpoint = NULL;
    else
        atomic_fetch_add(&service->open_parts, 1);
    return status;
}

static void *run_lane(void *argument)
{
    struct tn_lane *lane = argument;

    tn_loop_run(&lane->loop, UV_RUN_DEFAULT);
    return NULL;
}

/* Signals are the business of the program's own threads. */
bool tn_lane_start(struct tn_lane *lane)
{
    sigset_t all, before;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    lane->threaded = pthread_create(&lane->thread, NULL, run_lane, lane) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return lane->threaded;
}

void tn_lane_free(struct tn_lane *lane)
{
    if (!lane->made)
        return;
    if (lane->endpoint)
        tn_endpoint_free(lane->endpoint);
    lane->endpoint = NULL;
    tn_loop_free(&lane->loop);
    lane->made = false;
}
