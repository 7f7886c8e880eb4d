/* endpoint.c - MCP over HTTP on one loop: listening, the steps of a request, time, and stopping.
 *
 * A request is admitted when its head is there; its message is received when its body is. From its head to its end it is
 * the data of its connection.
 */
#define _GNU_SOURCE
#include "net/endpoint/endpoint.h"

#include <assert.h>

#include "base/memory.h"
#include "net/endpoint/request.h"
#include "net/http/sse.h"
#include "net/rate.h"
#include "net/runner.h"

#define TICK_MS_MAX       1000
#define TICK_MS_MIN       20
#define KEEPALIVE_DEFAULT 15000

/* ---- One message ----------------------------------------------------------------------------------------------- */

static bool any_header(const void *user, struct tn_slice name, struct tn_slice *value)
{
    struct tn_http_value found = tn_http_header(user, name);

    *value = found.value;
    return found.count == 1;
}

/* A stream that stays open needs a client that takes one, and room for it. */
static void refuse_listening(struct tn_endpoint_request *visit)
{
    tn_exchange_cancel(visit->exchange);
    if (visit->takes_stream)
        tn_endpoint_refuse(visit, 503, "Retry-After: 5\r\n", "Too many streams are open.");
    else
        tn_endpoint_refuse(visit, 406, NULL,
                           "This is answered with text/event-stream, which Accept does not allow, "
                           "or for which there is no room now.");
}

/* Its client can come back, and does not know yet how: it is told before a call that may take long. */
static void prime(struct tn_endpoint_request *visit)
{
    const struct tn_serving *serving = visit->endpoint->serving;

    if (serving->workers && visit->session.len > 0 && !visit->modern &&
        tn_mcp_session_primes(serving->server, visit->session,
                              tn_auth_is_on(serving->auth) ? &visit->caller : NULL))
        tn_reply_keep(visit);
}

/* Its final message is still to come. Takes the caller's hold of the exchange, which is NULL for a batch. */
static void endpoint_await(struct tn_endpoint_request *visit, enum tn_received received,
                           struct tn_exchange *exchange)
{
    tn_endpoint_request_enlist(visit);
    visit->exchange = exchange;
    if (received == RECEIVED_TO_RUN) {
        prime(visit);
        tn_runner_start(visit->endpoint->serving, exchange);
    } else if (exchange && tn_exchange_is_listening(exchange)) {
        if (visit->state == VISIT_WAITS)
            refuse_listening(visit);
        else if (visit->endpoint->stopping)
            tn_exchange_close(exchange);
    }
}

static void endpoint_acknowledge(struct tn_endpoint_request *visit)
{
    if (visit->state != VISIT_WAITS) /* notes of a batch made it a stream */
        return;
    visit->state = VISIT_ANSWERED;
    tn_http_answer(visit->conn, 202, visit->cors, NULL, (struct tn_slice){ "", 0 });
}

static void endpoint_receive(struct tn_endpoint_request *visit, struct tn_slice body)
{
    struct tn_serving          *serving = visit->endpoint->serving;
    const struct tn_http_value *known   = tn_http_known(visit->conn);
    struct tn_http_facts        facts   = { .version = visit->version,
                                            .method  = known[FIELD_MCP_METHOD].value,
                                            .name    = known[FIELD_MCP_NAME].value,
                                            .session = visit->session,
                                            .header  = any_header,
                                            .user    = visit->conn };
    struct tn_message_in        in      = { .bytes   = body,
                                            .http    = &facts,
                                            .caller  = tn_auth_is_on(serving->auth) ? &visit->caller : NULL,
                                            .account = tn_http_payer(visit->conn),
                                            .port    = &visit->port };
    struct tn_exchange         *exchange;
    enum tn_received            received;

    visit->receiving = true;
    received         = tn_mcp_receive(serving->server, &in, &exchange);
    switch (received) {
    case RECEIVED_PENDING:
    case RECEIVED_TO_RUN: endpoint_await(visit, received, exchange); break;
    case RECEIVED_RESUMED:
        tn_runner_start(serving, exchange);
        tn_exchange_release(exchange);
        endpoint_acknowledge(visit);
        break;
    case RECEIVED_TAKEN: endpoint_acknowledge(visit); break;
    case RECEIVED_ANSWERED: break;
    }
    visit->receiving = false;
}

static void endpoint_serve(struct tn_endpoint_request *visit, struct tn_slice body)
{
    struct tn_rates *rates = visit->endpoint->serving->rates;

    visit->account = tn_http_payer(visit->conn);
    tn_account_hold(visit->account);
    if (rates && tn_http_request_of(visit->conn)->body_announced == 0) /* in chunks: only now known */
        tn_rates_owe(rates, visit->account, body.len, tn_clock_now_us());
    switch (tn_http_request_of(visit->conn)->method) {
    case HTTP_IS_POST: endpoint_receive(visit, body); break;
    case HTTP_IS_GET: tn_legacy_get(visit); break;
    default: tn_legacy_delete(visit); break;
    }
}

/* ---- Waiting for keys ------------------------------------------------------------------------------------------ */

static struct tn_endpoint_request *of_refresh(struct tn_job *job)
{
    return (struct tn_endpoint_request *)((char *)job - offsetof(struct tn_endpoint_request, refresh));
}

static void run_refresh(struct tn_job *job)
{
    tn_auth_refresh(of_refresh(job)->endpoint->serving->auth);
}

static void open_refreshed(struct tn_loop_message *letter)
{
    struct tn_endpoint_request *visit =
        (struct tn_endpoint_request *)((char *)letter - offsetof(struct tn_endpoint_request, refreshed));

    if (visit->hub->loop && visit->conn && tn_endpoint_admit_again(visit))
        endpoint_serve(visit, visit->body);
    tn_endpoint_request_release(visit);
}

static void end_refresh(struct tn_job *job)
{
    struct tn_endpoint_request *visit = of_refresh(job);

    visit->refreshed.open = open_refreshed;
    if (!tn_endpoint_request_post(visit, &visit->refreshed))
        tn_endpoint_request_release(visit);
}

/* The keys for this token are not here: the request waits until a worker has looked for them. */
static void wait_for_keys(struct tn_endpoint_request *visit, struct tn_slice body)
{
    struct tn_serving *serving = visit->endpoint->serving;
    char              *copy    = tn_arena_copy(&visit->arena, body.at, body.len);

    if (!serving->workers) {
        tn_auth_refresh(serving->auth);
        if (tn_endpoint_admit_again(visit))
            endpoint_serve(visit, body);
        return;
    }
    visit->body    = (struct tn_slice){ copy, body.len };
    visit->refresh = (struct tn_job){ .owner = serving, .run = run_refresh, .end = end_refresh };
    tn_endpoint_request_hold(visit);
    if (copy && tn_workers_post(serving->workers, &visit->refresh) == WORKER_TAKEN) {
        tn_endpoint_request_enlist(visit);
        return;
    }
    tn_endpoint_request_release(visit);
    tn_endpoint_refuse(visit, 503, "Retry-After: 5\r\n",
                       "Access tokens cannot be checked now; try again later.");
}

/* ---- The steps of a request ------------------------------------------------------------------------------------ */

static int on_head(void *user, struct tn_http_conn *conn)
{
    struct tn_endpoint_request *visit = tn_endpoint_request_new(user, conn);

    if (!visit) {
        tn_http_answer(conn, 503, "Retry-After: 5\r\n", NULL, (struct tn_slice){ "", 0 });
        return -1;
    }
    if (!tn_endpoint_admit(visit)) {
        tn_endpoint_request_release(visit);
        return -1;
    }
    *tn_http_data(conn) = visit;
    return 0;
}

static void on_request(void *user, struct tn_http_conn *conn)
{
    struct tn_endpoint_request *visit = *tn_http_data(conn);
    struct tn_slice             body  = tn_http_request_of(conn)->body;

    (void)user;
    if (visit->auth == AUTH_WAIT)
        wait_for_keys(visit, body);
    else
        endpoint_serve(visit, body);
}

/* In the newer era a client that goes cancels its request; in the older ones it may come back. */
static void on_done(void *user, struct tn_http_conn *conn, bool gone)
{
    struct tn_endpoint_request *visit = *tn_http_data(conn);
    struct tn_exchange         *exchange;

    (void)user;
    (void)gone;
    exchange        = visit->exchange;
    visit->exchange = NULL;
    visit->conn     = NULL;
    tn_reply_leave_source(visit);
    if (exchange && tn_exchange_ends_with_connection(exchange)) /* nothing happens to one that is answered */
        tn_exchange_cancel(exchange);
    tn_exchange_release(exchange);
    if (!visit->kept)
        tn_legacy_unlisten(visit);
    tn_endpoint_request_leave(visit);
    tn_endpoint_request_release(visit);
}

/* ---- Time ------------------------------------------------------------------------------------------------------ */

static void look_after(struct tn_endpoint_request *visit, int64_t now_ms, int64_t keepalive_ms)
{
    if (visit->listens_to && tn_mcp_session_is_over(visit->listens_to)) { /* at another process, perhaps */
        tn_endpoint_request_hold(visit);
        tn_reply_end_stream(visit);
        tn_legacy_unlisten(visit);
        tn_endpoint_request_release(visit);
        return;
    }
    if (visit->conn && visit->state == VISIT_STREAMS && now_ms - visit->spoke_ms >= keepalive_ms)
        tn_reply_send(visit, SLICE_LIT(SSE_KEEPALIVE));
    if (visit->conn || !visit->kept || !tn_replay_is_lost(visit->kept))
        return;
    if (visit->listens_to) {
        tn_legacy_unlisten(visit);
        return;
    }
    tn_replay_release(visit->kept);
    visit->kept = NULL;
    tn_endpoint_request_leave(visit);
}

static int keepalive_of(const struct tn_endpoint *endpoint)
{
    int ms = endpoint->serving->settings->keepalive_ms;

    return ms > 0 ? ms : KEEPALIVE_DEFAULT;
}

static void on_tick(uv_timer_t *timer)
{
    struct tn_endpoint         *endpoint = timer->data;
    int64_t                     now_ms   = (int64_t)uv_now(&endpoint->loop->uv);
    struct tn_endpoint_request *next;

    for (struct tn_endpoint_request *visit = endpoint->going; visit; visit = next) {
        next = visit->next;
        look_after(visit, now_ms, keepalive_of(endpoint));
    }
    if (endpoint->serving->replays)
        tn_replays_tick(endpoint->serving->replays);
}

static void start_timer(struct tn_endpoint *endpoint)
{
    int every = keepalive_of(endpoint) / 4;

    if (every < TICK_MS_MIN)
        every = TICK_MS_MIN;
    if (every > TICK_MS_MAX)
        every = TICK_MS_MAX;
    uv_timer_init(&endpoint->loop->uv, &endpoint->timer);
    endpoint->timer.data = endpoint;
    uv_timer_start(&endpoint->timer, on_tick, (uint64_t)every, (uint64_t)every);
}

/* ---- Beginning and end ----------------------------------------------------------------------------------------- */

tenon_status tn_endpoint_new(struct tn_endpoint **out, struct tn_serving *serving, struct tn_loop *loop,
                             const char *port, const char **error)
{
    const struct tn_settings *settings = serving->settings;
    tenon_allocator           memory   = serving->server->memory;
    struct tn_endpoint       *endpoint = tn_memory_new(&memory, sizeof *endpoint);
    struct tn_http_handler    handler  = { on_head, on_request, on_done, endpoint, serving->server->ledger };
    tenon_status              status;

    *out   = NULL;
    *error = tenon_status_text(TENON_E_NOMEM);
    if (!endpoint)
        return TENON_E_NOMEM;
    *endpoint     = (struct tn_endpoint){ .serving = serving,
                                          .loop    = loop,
                                          .path    = tn_slice_of(settings->path),
                                          .address = tn_settings_address(settings->http) };
    endpoint->hub = tn_loop_link_new(loop, &memory);
    if (!endpoint->hub) {
        tn_memory_free(&memory, endpoint, sizeof *endpoint);
        return TENON_E_NOMEM;
    }
    tn_arena_init(&endpoint->scratch, &memory, 0);
    tn_guardrail_init(&endpoint->guardrail, settings, tn_slice_of(endpoint->address.host));
    status = tn_http_listen(&endpoint->http, loop, endpoint->address.host,
                            port ? port : endpoint->address.port, settings->loops > 1, &settings->limits,
                            &handler, error);
    if (status != TENON_OK) {
        tn_loop_link_close(endpoint->hub);
        tn_memory_free(&memory, endpoint, sizeof *endpoint);
        return status;
    }
    start_timer(endpoint);
    *out = endpoint;
    return TENON_OK;
}

unsigned tn_endpoint_port(const struct tn_endpoint *endpoint)
{
    return tn_http_port(endpoint->http);
}

struct tn_http_counts tn_endpoint_counts(const struct tn_endpoint *endpoint)
{
    return tn_http_counts_of(endpoint->http);
}

static void on_timer_closed(uv_handle_t *timer)
{
    struct tn_endpoint *endpoint = timer->data;

    if (endpoint->closed)
        endpoint->closed(endpoint->closed_user);
}

static void on_http_closed(void *user)
{
    struct tn_endpoint *endpoint = user;

    uv_close((uv_handle_t *)&endpoint->timer, on_timer_closed);
}

void tn_endpoint_stop(struct tn_endpoint *endpoint, void (*closed)(void *user), void *user)
{
    struct tn_endpoint_request *next;

    assert(!endpoint->stopping);
    endpoint->stopping    = true;
    endpoint->closed      = closed;
    endpoint->closed_user = user;
    for (struct tn_endpoint_request *visit = endpoint->going; visit; visit = next) {
        next = visit->next;
        tn_endpoint_request_hold(visit);
        if (visit->exchange && tn_exchange_is_listening(visit->exchange))
            tn_exchange_close(visit->exchange);
        if (visit->listens_to) {
            tn_reply_end_stream(visit);
            tn_legacy_unlisten(visit);
        }
        tn_endpoint_request_release(visit);
    }
    tn_http_stop(endpoint->http, on_http_closed, endpoint);
}

void tn_endpoint_abort(struct tn_endpoint *endpoint)
{
    if (!endpoint->stopping)
        tn_endpoint_stop(endpoint, NULL, NULL);
    tn_http_abort(endpoint->http);
}

void tn_endpoint_free(struct tn_endpoint *endpoint)
{
    tenon_allocator memory;

    if (!endpoint)
        return;
    memory = endpoint->hub->memory;
    while (endpoint->going) { /* calls that still run, of clients that have gone */
        struct tn_endpoint_request *visit = endpoint->going;

        assert(!visit->conn);
        tn_endpoint_request_hold(visit);
        tn_legacy_unlisten(visit);
        tn_replay_release(visit->kept);
        visit->kept = NULL;
        tn_endpoint_request_leave(visit);
        tn_endpoint_request_release(visit);
    }
    tn_endpoint_request_free_idle(endpoint);
    tn_loop_link_close(endpoint->hub);
    tn_http_free(endpoint->http);
    tn_arena_free(&endpoint->scratch);
    tn_memory_free(&memory, endpoint, sizeof *endpoint);
}
