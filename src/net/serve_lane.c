/* serve_lane.c - a loop, its endpoint and its thread. */
#define _GNU_SOURCE
#include <signal.h>
#include <time.h>

#include "net/admin.h"
#include "net/serve.h"

/* ---- Signals of writing ---------------------------------------------------------------------------------- */

/* A client that has gone away, and a file that has grown to its limit, must be errors of the write, not the end of the
 * process. Both signals are the thread's own, so that blocking them here is enough, and the program's handlers stay as they
 * are. */
static const int guarded[GUARDED_SIGNALS] = { SIGPIPE, SIGXFSZ };

struct pipe_guard pipe_guard_begin(void)
{
    struct pipe_guard guard;
    sigset_t          all, before, pending;

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

void pipe_guard_end(struct pipe_guard guard)
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

static struct lane *first_of(struct service *service)
{
    return &service->lanes[0];
}

void service_part_closed(struct service *service)
{
    if (atomic_fetch_sub(&service->open_parts, 1) == 1)
        loop_post(&first_of(service)->loop, &service->closed);
}

static void on_endpoint_closed(void *user)
{
    struct lane *lane = user;

    lane->closed = true;
    service_part_closed(lane->service);
}

static void on_grace_over(uv_timer_t *handle)
{
    service_stop(handle->data, true);
}

/* What the first lane has beside its endpoint. */
static void stop_shared(struct service *service)
{
    if (service->ticking && !service->winding_down)
        uv_timer_start(&service->grace, on_grace_over, (uint64_t)service->serving.settings->grace_ms, 0);
    if (service->stdio)
        stdio_stop(service->stdio, false);
    service_part_closed(service); /* the service itself, so that there is a last one in any case */
}

static void on_stop(struct letter *letter)
{
    struct lane    *lane    = (struct lane *)(void *)((char *)letter - offsetof(struct lane, stop));
    struct service *service = lane->service;

    if (lane == first_of(service))
        stop_shared(service);
    if (lane->endpoint)
        endpoint_stop(lane->endpoint, on_endpoint_closed, lane);
}

static void on_abort(struct letter *letter)
{
    struct lane    *lane    = (struct lane *)(void *)((char *)letter - offsetof(struct lane, abort));
    struct service *service = lane->service;

    if (lane == first_of(service) && service->stdio)
        stdio_stop(service->stdio, true);
    if (lane == first_of(service) && service->admin_stopped && !service->admin_closed)
        admin_abort(service->admin);
    if (lane == first_of(service))
        service_hurry(service);
    if (lane->endpoint && !lane->closed)
        endpoint_abort(lane->endpoint);
}

void service_stop(struct service *service, bool now)
{
    if (!atomic_exchange(&service->serving.stopping, true))
        for (size_t i = 0; i < service->lane_count && service->lanes[i].made; i++)
            loop_post(&service->lanes[i].loop, &service->lanes[i].stop);
    if (now && !atomic_exchange(&service->aborting, true))
        for (size_t i = 0; i < service->lane_count && service->lanes[i].made; i++)
            loop_post(&service->lanes[i].loop, &service->lanes[i].abort);
}

/* ---- Lanes ----------------------------------------------------------------------------------------------- */

tenon_status lane_new(struct lane *lane, struct service *service, const char *port, const char **error)
{
    tenon_status status;

    *lane  = (struct lane){ .service = service, .stop.open = on_stop, .abort.open = on_abort };
    *error = "The system has no event loop to give";
    status = loop_init(&lane->loop, &service->serving.server->memory);
    if (status != TENON_OK)
        return status;
    lane->made = true;
    if (!service->serving.settings->http)
        return TENON_OK;
    status = endpoint_new(&lane->endpoint, &service->serving, &lane->loop, port, error);
    if (status != TENON_OK)
        lane->endpoint = NULL;
    else
        atomic_fetch_add(&service->open_parts, 1);
    return status;
}

static void *run_lane(void *argument)
{
    struct lane *lane = argument;

    loop_run(&lane->loop, UV_RUN_DEFAULT);
    return NULL;
}

/* Signals are the business of the program's own threads. */
bool lane_start(struct lane *lane)
{
    sigset_t all, before;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    lane->threaded = pthread_create(&lane->thread, NULL, run_lane, lane) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return lane->threaded;
}

void lane_free(struct lane *lane)
{
    if (!lane->made)
        return;
    if (lane->endpoint)
        endpoint_free(lane->endpoint);
    lane->endpoint = NULL;
    loop_free(&lane->loop);
    lane->made = false;
}
