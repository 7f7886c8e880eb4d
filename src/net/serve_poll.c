/* serve_poll.c - a server that is polled by the program's own loop.
 *
 * libuv's descriptor reports events only. So that nothing is forgotten which is due at a time, the one that is given
 * out watches it together with an alarm, which is set again after each poll.
 */
#define _GNU_SOURCE
#include <unistd.h>

#include "net/serve.h"

/* ---- The descriptor -------------------------------------------------------------------------------------- */

bool tn_poll_watch_new(struct tn_service *service)
{
    service->alarm_fd = tn_os_alarm_new();
    return tn_watch_init(&service->watch) && service->alarm_fd >= 0 &&
           tn_watch_set(&service->watch, service->alarm_fd, WATCH_READ) &&
           tn_watch_set(&service->watch, uv_backend_fd(&service->lanes[0].loop.uv), WATCH_READ);
}

void tn_poll_watch_free(struct tn_service *service)
{
    tn_watch_free(&service->watch);
    if (service->alarm_fd >= 0)
        close(service->alarm_fd);
    service->alarm_fd = -1;
}

/* ---- Turns ----------------------------------------------------------------------------------------------- */

/* Grows whenever something came in. */
static uint64_t taken_in(const struct tn_service *service)
{
    const struct tn_endpoint *endpoint = service->lanes[0].endpoint;
    struct tn_http_counts     counts   = { 0 };

    if (endpoint)
        counts = tn_endpoint_counts(endpoint);
    return counts.accepted + counts.bytes_in + (service->stdio ? tn_stdio_bytes(service->stdio) : 0);
}

/* libuv begins to watch a descriptor at the beginning of a turn. Turns that do not wait follow until one of them did
 * nothing, so that all there is can be seen from outside. */
static void serve_poll_settle(struct tn_service *service)
{
    enum { TURNS_MAX = 16 };
    struct tn_lane *lane    = &service->lanes[0];
    bool            settled = false;

    for (int i = 0; i < TURNS_MAX && !settled; i++) {
        uint64_t before = taken_in(service);

        tn_loop_run(&lane->loop, UV_RUN_NOWAIT);
        settled = taken_in(service) == before;
    }
    tn_os_alarm_set(service->alarm_fd, settled ? uv_backend_timeout(&lane->loop.uv) : 0);
}

static void on_time_over(uv_timer_t *timer)
{
    *(bool *)timer->data = true;
}

/* Turns of the loop until something was answered, or the time is over. */
static void turn(struct tn_service *service, int timeout_ms)
{
    struct tn_loop *loop = &service->lanes[0].loop;
    bool            over = timeout_ms == 0;

    if (timeout_ms > 0) {
        uv_update_time(&loop->uv);
        service->waiting.data = &over;
        uv_timer_start(&service->waiting, on_time_over, (uint64_t)timeout_ms, 0);
    }
    do
        tn_loop_run(loop, timeout_ms == 0 ? UV_RUN_NOWAIT : UV_RUN_ONCE);
    while (!over && atomic_load(&service->answered) == 0 && !atomic_load(&service->serving.stopping));
    uv_timer_stop(&service->waiting);
    serve_poll_settle(service);
}

/* ---- The interface --------------------------------------------------------------------------------------- */

tenon_status tenon_server_open(tenon_server *server)
{
    tenon_status status = tn_serve_begin(server, SERVE_POLLED);

    if (status == TENON_OK)
        serve_poll_settle(tn_service_of(server));
    return status;
}

int tenon_server_poll(tenon_server *server, int timeout_ms)
{
    struct tn_service   *service = tn_service_of(server);
    struct tn_pipe_guard guard;
    int                  answered;

    if (!service || service->mode != SERVE_POLLED || service->polling)
        return -1;
    guard            = tn_pipe_guard_begin();
    service->polling = true;
    atomic_store(&service->answered, 0);
    turn(service, timeout_ms);
    service->polling = false;
    answered         = (int)atomic_load(&service->answered);
    if (atomic_load(&service->serving.stopping)) { /* by a handler: the rest of it is done here */
        tn_service_free(service, 0);
        answered = -1;
    }
    tn_pipe_guard_end(guard);
    return answered;
}

int tenon_server_fd(const tenon_server *server)
{
    const struct tn_service *service = tn_service_of(server);

    return service ? service->watch.fd : -1;
}
