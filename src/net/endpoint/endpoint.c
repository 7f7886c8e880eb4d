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

static bool each_header(const void *user, size_t index, struct tn_slice *name, struct tn_slice *value)
{
    return tn_http_header_at(user, index, name, value);
}

/* A stream that stays open needs a client that takes one, and room for it. */
static void refuse_listening(struct tn_endpoint_request *request)
{
    tn_exchange_cancel(request->exchange);
    if (request->takes_stream)
        tn_endpoint_refuse(request, 503, "Retry-After: 5\r\n", "Too many streams are open.");
    else
        tn_endpoint_refuse(request, 406, NULL,
                           "This is answered with text/event-stream, which Accept does not allow, "
                           "or for which there is no room now.");
}

/* Its client can come back, and does not know yet how: that is sent before a call that may take long. */
static void prime(struct tn_endpoint_request *request)
{
    const struct tn_serving *serving = request->endpoint->serving;

    if (serving->workers && request->session.len > 0 && !request->modern &&
        tn_mcp_session_primes(serving->server, request->session,
                              tn_auth_is_on(serving->auth) ? &request->caller : NULL))
        tn_reply_keep(request);
}

/* Its final message is still to come. Takes the caller's hold of the exchange, which is NULL for a batch. */
static void endpoint_await(struct tn_endpoint_request *request, enum tn_received received,
                           struct tn_exchange *exchange)
{
    tn_endpoint_request_enlist(request);
    request->exchange = exchange;
    if (received == RECEIVED_TO_RUN) {
        prime(request);
        tn_runner_start(request->endpoint->serving, exchange);
    } else if (exchange && tn_exchange_is_listening(exchange)) {
        if (request->state == REQUEST_WAITS)
            refuse_listening(request);
        else if (request->endpoint->stopping)
            tn_exchange_close(exchange);
    }
}

static void endpoint_acknowledge(struct tn_endpoint_request *request)
{
    if (request->state != REQUEST_WAITS) /* notes of a batch made it a stream */
        return;
    request->state = REQUEST_ANSWERED;
    tn_http_answer(request->conn, 202, request->cors, NULL, (struct tn_slice){ "", 0 });
}

/* Is its caller known? */
static bool is_known(const struct tn_endpoint_request *request)
{
    return request->endpoint->caller.len > 0 || tn_auth_is_on(request->endpoint->serving->auth);
}

static void endpoint_receive(struct tn_endpoint_request *request, struct tn_slice body)
{
    struct tn_serving          *serving = request->endpoint->serving;
    const struct tn_http_value *known   = tn_http_known(request->conn);
    struct tn_http_facts        facts   = { .version   = request->version,
                                            .method    = known[FIELD_MCP_METHOD].value,
                                            .name      = known[FIELD_MCP_NAME].value,
                                            .session   = request->session,
                                            .header    = any_header,
                                            .header_at = each_header,
                                            .user      = request->conn };
    struct tn_message_in        in      = { .bytes   = body,
                                            .http    = &facts,
                                            .caller  = is_known(request) ? &request->caller : NULL,
                                            .account = request->account,
                                            .port    = &request->port };
    struct tn_exchange         *exchange;
    enum tn_received            received;

    request->receiving = true;
    received           = tn_mcp_receive(serving->server, &in, &exchange);
    switch (received) {
    case RECEIVED_PENDING:
    case RECEIVED_TO_RUN: endpoint_await(request, received, exchange); break;
    case RECEIVED_RESUMED:
        tn_runner_start(serving, exchange);
        tn_exchange_release(exchange);
        endpoint_acknowledge(request);
        break;
    case RECEIVED_TAKEN: endpoint_acknowledge(request); break;
    case RECEIVED_ANSWERED: break;
    }
    request->receiving = false;
}

static void endpoint_serve(struct tn_endpoint_request *request, struct tn_slice body)
{
    struct tn_rates *rates = request->endpoint->serving->rates;

    request->account = request->endpoint->payer ? request->endpoint->payer : tn_http_payer(request->conn);
    tn_account_hold(request->account);
    if (rates && tn_http_request_of(request->conn)->body_announced == 0) /* in chunks: only now known */
        tn_rates_owe(rates, request->account, body.len, tn_clock_now_us());
    switch (tn_http_request_of(request->conn)->method) {
    case HTTP_IS_POST: endpoint_receive(request, body); break;
    case HTTP_IS_GET: tn_legacy_get(request); break;
    default: tn_legacy_delete(request); break;
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

static void open_refreshed(struct tn_loop_message *message)
{
    struct tn_endpoint_request *request =
        (struct tn_endpoint_request *)((char *)message - offsetof(struct tn_endpoint_request, refreshed));

    if (request->loop_link->loop && request->conn && tn_endpoint_admit_again(request))
        endpoint_serve(request, request->body);
    tn_endpoint_request_release(request);
}

static void end_refresh(struct tn_job *job)
{
    struct tn_endpoint_request *request = of_refresh(job);

    request->refreshed.open = open_refreshed;
    if (!tn_endpoint_request_post(request, &request->refreshed))
        tn_endpoint_request_release(request);
}

/* The keys for this token are not here: the request waits until a worker has looked for them. */
static void wait_for_keys(struct tn_endpoint_request *request, struct tn_slice body)
{
    struct tn_serving *serving = request->endpoint->serving;
    char              *copy    = tn_arena_copy(&request->arena, body.at, body.len);

    if (!serving->workers) {
        tn_auth_refresh(serving->auth);
        if (tn_endpoint_admit_again(request))
            endpoint_serve(request, body);
        return;
    }
    request->body    = (struct tn_slice){ copy, body.len };
    request->refresh = (struct tn_job){ .owner = serving, .run = run_refresh, .end = end_refresh };
    tn_endpoint_request_hold(request);
    if (copy && tn_workers_post(serving->workers, &request->refresh) == WORKER_TAKEN) {
        tn_endpoint_request_enlist(request);
        return;
    }
    tn_endpoint_request_release(request);
    tn_endpoint_refuse(request, 503, "Retry-After: 5\r\n",
                       "Access tokens cannot be checked now; try again later.");
}

/* ---- The steps of a request ------------------------------------------------------------------------------------ */

int tn_endpoint_head(struct tn_endpoint *endpoint, struct tn_http_conn *conn)
{
    struct tn_endpoint_request *request = tn_endpoint_request_new(endpoint, conn);

    if (!request) {
        tn_http_answer(conn, 503, "Retry-After: 5\r\n", NULL, (struct tn_slice){ "", 0 });
        return -1;
    }
    if (!(endpoint->http ? tn_endpoint_admit(request) : tn_endpoint_admit_inside(request))) {
        tn_endpoint_request_release(request);
        return -1;
    }
    *tn_http_data(conn) = request;
    return 0;
}

void tn_endpoint_body(struct tn_http_conn *conn)
{
    struct tn_endpoint_request *request = *tn_http_data(conn);
    struct tn_slice             body    = tn_http_request_of(conn)->body;

    if (request->auth == AUTH_WAIT)
        wait_for_keys(request, body);
    else
        endpoint_serve(request, body);
}

/* In the newer era a client that goes cancels its request; in the older ones it may come back. */
void tn_endpoint_done(struct tn_http_conn *conn)
{
    struct tn_endpoint_request *request  = *tn_http_data(conn);
    struct tn_exchange         *exchange = request->exchange;

    request->exchange = NULL;
    request->conn     = NULL;
    tn_reply_leave_source(request);
    if (exchange && tn_exchange_ends_with_connection(exchange)) /* nothing happens to one that is answered */
        tn_exchange_cancel(exchange);
    tn_exchange_release(exchange);
    if (!request->kept)
        tn_legacy_unlisten(request);
    tn_endpoint_request_leave(request);
    tn_endpoint_request_release(request);
}

static int on_head(void *user, struct tn_http_conn *conn)
{
    return tn_endpoint_head(user, conn);
}

static void on_request(void *user, struct tn_http_conn *conn)
{
    (void)user;
    tn_endpoint_body(conn);
}

static void on_done(void *user, struct tn_http_conn *conn, bool gone)
{
    (void)user, (void)gone;
    tn_endpoint_done(conn);
}

/* ---- Time ------------------------------------------------------------------------------------------------------ */

static void tick_request(struct tn_endpoint_request *request, int64_t now_ms, int64_t keepalive_ms)
{
    if (request->listens_to &&
        tn_mcp_session_is_over(request->listens_to)) { /* at another process, perhaps */
        tn_endpoint_request_hold(request);
        tn_reply_end_stream(request);
        tn_legacy_unlisten(request);
        tn_endpoint_request_release(request);
        return;
    }
    if (request->conn && request->state == REQUEST_STREAMS && now_ms - request->written_ms >= keepalive_ms)
        tn_reply_send(request, SLICE_LIT(SSE_KEEPALIVE));
    if (request->conn || !request->kept || !tn_replay_is_lost(request->kept))
        return;
    if (request->listens_to) {
        tn_legacy_unlisten(request);
        return;
    }
    tn_replay_release(request->kept);
    request->kept = NULL;
    tn_endpoint_request_leave(request);
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

    for (struct tn_endpoint_request *request = endpoint->active; request; request = next) {
        next = request->next;
        tick_request(request, now_ms, keepalive_of(endpoint));
    }
    if (endpoint->http && endpoint->serving->replays)
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

/* What both kinds have. NULL without memory. */
static struct tn_endpoint *endpoint_make(struct tn_serving *serving, struct tn_loop *loop)
{
    tenon_allocator     memory   = serving->server->memory;
    struct tn_endpoint *endpoint = tn_memory_new(&memory, sizeof *endpoint);

    if (!endpoint)
        return NULL;
    *endpoint = (struct tn_endpoint){ .serving   = serving,
                                      .loop      = loop,
                                      .path      = tn_slice_of(serving->settings->path),
                                      .loop_link = tn_loop_link_new(loop, &memory) };
    if (!endpoint->loop_link) {
        tn_memory_free(&memory, endpoint, sizeof *endpoint);
        return NULL;
    }
    tn_arena_init(&endpoint->scratch, &memory, 0);
    return endpoint;
}

tenon_status tn_endpoint_new(struct tn_endpoint **out, struct tn_serving *serving, struct tn_loop *loop,
                             const char *port, const char **error)
{
    const struct tn_settings *settings = serving->settings;
    tenon_allocator           memory   = serving->server->memory;
    struct tn_endpoint       *endpoint = endpoint_make(serving, loop);
    struct tn_http_handler    handler  = { on_head, on_request, on_done, endpoint, serving->server->ledger };
    tenon_status              status;

    *out   = NULL;
    *error = tenon_status_text(TENON_E_NOMEM);
    if (!endpoint)
        return TENON_E_NOMEM;
    endpoint->address = tn_settings_address(settings->http);
    tn_guardrail_init(&endpoint->guardrail, settings, tn_slice_of(endpoint->address.host));
    status = tn_http_listen(&endpoint->http, loop, endpoint->address.host,
                            port ? port : endpoint->address.port, settings->loops > 1, &settings->limits,
                            &handler, error);
    if (status != TENON_OK) {
        tn_loop_link_close(endpoint->loop_link);
        tn_memory_free(&memory, endpoint, sizeof *endpoint);
        return status;
    }
    start_timer(endpoint);
    *out = endpoint;
    return TENON_OK;
}

tenon_status tn_endpoint_new_inside(struct tn_endpoint **out, struct tn_serving *serving,
                                    struct tn_loop *loop, const char *name)
{
    struct tn_endpoint *endpoint = endpoint_make(serving, loop);

    *out = endpoint;
    if (!endpoint)
        return TENON_E_NOMEM;
    endpoint->caller = tn_slice_of(name);
    endpoint->payer  = tn_ledger_account(serving->server->ledger, ACCOUNT_CALLER, endpoint->caller);
    start_timer(endpoint);
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
    for (struct tn_endpoint_request *request = endpoint->active; request; request = next) {
        next = request->next;
        tn_endpoint_request_hold(request);
        if (request->exchange && tn_exchange_is_listening(request->exchange))
            tn_exchange_close(request->exchange);
        if (request->listens_to) {
            tn_reply_end_stream(request);
            tn_legacy_unlisten(request);
        }
        tn_endpoint_request_release(request);
    }
    if (endpoint->http)
        tn_http_stop(endpoint->http, on_http_closed, endpoint);
    else
        on_http_closed(endpoint);
}

void tn_endpoint_abort(struct tn_endpoint *endpoint)
{
    if (!endpoint->stopping)
        tn_endpoint_stop(endpoint, NULL, NULL);
    if (endpoint->http)
        tn_http_abort(endpoint->http);
}

void tn_endpoint_free(struct tn_endpoint *endpoint)
{
    tenon_allocator memory;

    if (!endpoint)
        return;
    memory = endpoint->loop_link->memory;
    while (endpoint->active) { /* calls that still run, of clients that have gone */
        struct tn_endpoint_request *request = endpoint->active;

        assert(!request->conn);
        tn_endpoint_request_hold(request);
        tn_legacy_unlisten(request);
        tn_replay_release(request->kept);
        request->kept = NULL;
        tn_endpoint_request_leave(request);
        tn_endpoint_request_release(request);
    }
    tn_endpoint_request_free_idle(endpoint);
    tn_loop_link_close(endpoint->loop_link);
    if (endpoint->http)
        tn_http_free(endpoint->http);
    tn_account_release(endpoint->payer);
    tn_arena_free(&endpoint->scratch);
    tn_memory_free(&memory, endpoint, sizeof *endpoint);
}
