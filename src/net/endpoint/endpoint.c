/* endpoint.c - MCP over HTTP on one loop: listening, the steps of a request, time, and stopping.
 *
 * A request is admitted when its head is there; its message is received when its body is. Usually nothing happens between
 * the two, and one visit serves for both. Should another request's head come between, the checks are made again: a request
 * that never gets its body leaves nothing behind.
 */
#define _GNU_SOURCE
#include "net/endpoint/endpoint.h"

#include <assert.h>

#include "base/memory.h"
#include "net/endpoint/visit.h"
#include "net/http/sse.h"
#include "net/rate.h"
#include "net/runner.h"

#define TICK_MS_MAX       1000
#define TICK_MS_MIN       20
#define KEEPALIVE_DEFAULT 15000

/* ---- One message ----------------------------------------------------------------------------------------------- */

static bool any_header(const void *user, struct slice name, struct slice *value)
{
    struct http_value found = http_header(user, name);

    *value = found.value;
    return found.count == 1;
}

/* A stream that stays open needs a client that takes one, and room for it. */
static void refuse_listening(struct visit *visit)
{
    exchange_cancel(visit->exchange);
    if (visit->takes_stream)
        refuse(visit, 503, "Retry-After: 5\r\n", "Too many streams are open.");
    else
        refuse(visit, 406, NULL,
               "This is answered with text/event-stream, which Accept does not allow, "
               "or for which there is no room now.");
}

/* Its client can come back, and does not know yet how: it is told before a call that may take long. */
static void prime(struct visit *visit)
{
    const struct serving *serving = visit->endpoint->serving;

    if (serving->workers && visit->session.len > 0 && !visit->modern &&
        mcp_session_primes(serving->server, visit->session,
                           auth_is_on(serving->auth) ? &visit->caller : NULL))
        reply_keep(visit);
}

/* The rest of a message that was not answered at once. */
static void go_on(struct visit *visit, enum heed heed, struct exchange *exchange)
{
    visit_enlist(visit);
    visit->exchange = exchange;
    if (heed == HEED_RUN) {
        prime(visit);
        runner_start(visit->endpoint->serving, exchange);
    } else if (exchange && exchange_is_listening(exchange)) {
        if (visit->state == VISIT_WAITS)
            refuse_listening(visit);
        else if (visit->endpoint->stopping)
            exchange_close(exchange);
    }
}

/* Nobody will send anything: what is taken is acknowledged. */
static void acknowledge(struct visit *visit, enum heed heed)
{
    if (visit->state != VISIT_WAITS)
        return;
    if (heed == HEED_ANSWER) {
        refuse(visit, 500, NULL, "The message could not be answered.");
        return;
    }
    visit->state = VISIT_ANSWERED;
    http_answer(visit->conn, 202, visit->cors, NULL, (struct slice){ "", 0 });
}

static void receive(struct visit *visit, struct slice body)
{
    struct serving          *serving = visit->endpoint->serving;
    const struct http_value *known   = http_known(visit->conn);
    struct http_facts        facts   = { .version = visit->version,
                                         .method  = known[FIELD_MCP_METHOD].value,
                                         .name    = known[FIELD_MCP_NAME].value,
                                         .session = visit->session,
                                         .header  = any_header,
                                         .user    = visit->conn };
    struct message_in        in      = { .bytes   = body,
                                         .http    = &facts,
                                         .caller  = auth_is_on(serving->auth) ? &visit->caller : NULL,
                                         .account = http_payer(visit->conn),
                                         .port    = &visit->port };
    struct exchange         *exchange;
    enum heed                heed;

    visit->receiving = true;
    heed             = mcp_receive(serving->server, &in, &exchange);
    if (atomic_load(&visit->refs) > 1) { /* somebody keeps the port: this request has an answer to come */
        go_on(visit, heed, exchange);
        exchange = NULL;
    } else if (heed == HEED_RUN) { /* a response, which lets the call of another request go on */
        runner_start(serving, exchange);
    }
    visit->receiving = false;
    exchange_release(exchange);
    if (!visit->link)
        acknowledge(visit, heed);
}

static void serve(struct visit *visit, struct slice body)
{
    struct rates *rates = visit->endpoint->serving->rates;

    visit->account = http_payer(visit->conn);
    account_hold(visit->account);
    if (rates && http_request_of(visit->conn)->body_announced == 0) /* in chunks: only now known */
        rates_owe(rates, visit->account, body.len, clock_now_us());
    switch (http_request_of(visit->conn)->method) {
    case HTTP_IS_POST: receive(visit, body); break;
    case HTTP_IS_GET: legacy_get(visit); break;
    default: legacy_delete(visit); break;
    }
}

/* ---- Waiting for keys ------------------------------------------------------------------------------------------ */

static struct visit *of_refresh(struct job *job)
{
    return (struct visit *)((char *)job - offsetof(struct visit, refresh));
}

static void run_refresh(struct job *job)
{
    auth_refresh(of_refresh(job)->endpoint->serving->auth);
}

static void open_refreshed(struct letter *letter)
{
    struct visit *visit = (struct visit *)((char *)letter - offsetof(struct visit, refreshed));

    if (visit->hub->loop && visit->conn && admit_again(visit))
        serve(visit, visit->body);
    visit_release(visit);
}

static void end_refresh(struct job *job)
{
    struct visit *visit = of_refresh(job);

    visit->refreshed.open = open_refreshed;
    if (!visit_post(visit, &visit->refreshed))
        visit_release(visit);
}

/* The keys for this token are not here: the request waits until a worker has looked for them. */
static void wait_for_keys(struct visit *visit, struct slice body)
{
    struct serving *serving = visit->endpoint->serving;
    char           *copy    = arena_copy(&visit->arena, body.at, body.len);

    if (!serving->workers) {
        auth_refresh(serving->auth);
        if (admit_again(visit))
            serve(visit, body);
        return;
    }
    visit->body    = (struct slice){ copy, body.len };
    visit->refresh = (struct job){ .owner = serving, .run = run_refresh, .end = end_refresh };
    visit_hold(visit);
    if (copy && workers_post(serving->workers, &visit->refresh) == WORKER_TAKEN) {
        visit_enlist(visit);
        return;
    }
    visit_release(visit);
    refuse(visit, 503, "Retry-After: 5\r\n", "Access tokens cannot be checked now; try again later.");
}

/* ---- The steps of a request ------------------------------------------------------------------------------------ */

static const char no_memory[] = "Retry-After: 5\r\n";

static int on_head(void *user, struct http_conn *conn)
{
    struct endpoint *endpoint = user;
    struct visit    *visit    = endpoint->headed ? endpoint->headed : visit_new(endpoint);

    if (!visit) {
        http_answer(conn, 503, no_memory, NULL, (struct slice){ "", 0 });
        return -1;
    }
    endpoint->headed = visit;
    visit_clear(visit, conn);
    if (!admit(visit)) {
        visit->conn = NULL;
        return -1;
    }
    *http_data(conn) = visit;
    return 0;
}

/* The visit of the head, if it is still that. */
static struct visit *take_headed(struct endpoint *endpoint, struct http_conn *conn)
{
    struct visit *visit = endpoint->headed;

    if (!visit || *http_data(conn) != visit || visit->conn != conn)
        return NULL;
    endpoint->headed = NULL;
    return visit;
}

static void on_request(void *user, struct http_conn *conn)
{
    struct endpoint *endpoint = user;
    struct visit    *visit    = take_headed(endpoint, conn);
    struct slice     body     = http_request_of(conn)->body;
    bool             admitted = visit != NULL;

    if (!visit)
        visit = visit_new(endpoint);
    *http_data(conn) = visit;
    if (!visit) {
        http_answer(conn, 503, no_memory, NULL, (struct slice){ "", 0 });
        return;
    }
    if (!admitted) {
        visit_clear(visit, conn);
        if (!admit(visit))
            return;
    }
    if (visit->auth == AUTH_WAIT)
        wait_for_keys(visit, body);
    else
        serve(visit, body);
}

/* In the newer era a client that goes cancels its request; in the older ones it may come back. */
static void on_done(void *user, struct http_conn *conn, bool gone)
{
    struct visit    *visit = *http_data(conn);
    struct exchange *exchange;

    (void)user;
    (void)gone;
    if (!visit)
        return;
    exchange        = visit->exchange;
    visit->exchange = NULL;
    visit->conn     = NULL;
    reply_leave_source(visit);
    if (exchange && exchange_is_modern(exchange)) /* nothing happens to one that is answered */
        exchange_cancel(exchange);
    exchange_release(exchange);
    if (!visit->kept)
        legacy_unlisten(visit);
    visit_leave(visit);
    visit_release(visit);
}

/* ---- Time ------------------------------------------------------------------------------------------------------ */

static void look_after(struct visit *visit, int64_t now_ms, int64_t keepalive_ms)
{
    if (visit->listens_to && mcp_session_is_over(visit->listens_to)) { /* at another process, perhaps */
        visit_hold(visit);
        reply_end_stream(visit);
        legacy_unlisten(visit);
        visit_release(visit);
        return;
    }
    if (visit->conn && visit->state == VISIT_STREAMS && now_ms - visit->spoke_ms >= keepalive_ms)
        reply_send(visit, SLICE_LIT(SSE_KEEPALIVE));
    if (visit->conn || !visit->kept || !replay_is_lost(visit->kept))
        return;
    if (visit->listens_to) {
        legacy_unlisten(visit);
        return;
    }
    replay_release(visit->kept);
    visit->kept = NULL;
    visit_leave(visit);
}

static int keepalive_of(const struct endpoint *endpoint)
{
    int ms = endpoint->serving->settings->keepalive_ms;

    return ms > 0 ? ms : KEEPALIVE_DEFAULT;
}

static void on_tick(uv_timer_t *timer)
{
    struct endpoint *endpoint = timer->data;
    int64_t          now_ms   = (int64_t)uv_now(&endpoint->loop->uv);
    struct visit    *next;

    for (struct visit *visit = endpoint->going; visit; visit = next) {
        next = visit->next;
        look_after(visit, now_ms, keepalive_of(endpoint));
    }
    if (endpoint->serving->replays)
        replays_tick(endpoint->serving->replays);
}

static void start_timer(struct endpoint *endpoint)
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

tenon_status endpoint_new(struct endpoint **out, struct serving *serving, struct loop *loop, const char *port,
                          const char **error)
{
    const struct settings *settings = serving->settings;
    tenon_allocator        memory   = serving->server->memory;
    struct endpoint       *endpoint = memory_new(&memory, sizeof *endpoint);
    struct http_handler    handler  = { on_head, on_request, on_done, endpoint, serving->server->ledger };
    tenon_status           status;

    *out   = NULL;
    *error = tenon_status_text(TENON_E_NOMEM);
    if (!endpoint)
        return TENON_E_NOMEM;
    *endpoint     = (struct endpoint){ .serving = serving,
                                       .loop    = loop,
                                       .path    = slice_of(settings->path),
                                       .address = settings_address(settings->http) };
    endpoint->hub = hub_new(loop, &memory);
    if (!endpoint->hub) {
        memory_free(&memory, endpoint, sizeof *endpoint);
        return TENON_E_NOMEM;
    }
    arena_init(&endpoint->scratch, &memory, 0);
    guardrail_init(&endpoint->guardrail, settings, slice_of(endpoint->address.host));
    status = http_listen(&endpoint->http, loop, endpoint->address.host, port ? port : endpoint->address.port,
                         settings->loops > 1, &settings->limits, &handler, error);
    if (status != TENON_OK) {
        hub_close(endpoint->hub);
        memory_free(&memory, endpoint, sizeof *endpoint);
        return status;
    }
    start_timer(endpoint);
    *out = endpoint;
    return TENON_OK;
}

unsigned endpoint_port(const struct endpoint *endpoint)
{
    return http_port(endpoint->http);
}

struct http_counts endpoint_counts(const struct endpoint *endpoint)
{
    return http_counts_of(endpoint->http);
}

static void on_timer_closed(uv_handle_t *timer)
{
    struct endpoint *endpoint = timer->data;

    if (endpoint->closed)
        endpoint->closed(endpoint->closed_user);
}

static void on_http_closed(void *user)
{
    struct endpoint *endpoint = user;

    uv_close((uv_handle_t *)&endpoint->timer, on_timer_closed);
}

void endpoint_stop(struct endpoint *endpoint, void (*closed)(void *user), void *user)
{
    struct visit *next;

    assert(!endpoint->stopping);
    endpoint->stopping    = true;
    endpoint->closed      = closed;
    endpoint->closed_user = user;
    for (struct visit *visit = endpoint->going; visit; visit = next) {
        next = visit->next;
        visit_hold(visit);
        if (visit->exchange && exchange_is_listening(visit->exchange))
            exchange_close(visit->exchange);
        if (visit->listens_to) {
            reply_end_stream(visit);
            legacy_unlisten(visit);
        }
        visit_release(visit);
    }
    http_stop(endpoint->http, on_http_closed, endpoint);
}

void endpoint_abort(struct endpoint *endpoint)
{
    if (!endpoint->stopping)
        endpoint_stop(endpoint, NULL, NULL);
    http_abort(endpoint->http);
}

void endpoint_free(struct endpoint *endpoint)
{
    tenon_allocator memory;

    if (!endpoint)
        return;
    memory = endpoint->hub->memory;
    while (endpoint->going) { /* calls that still run, of clients that have gone */
        struct visit *visit = endpoint->going;

        assert(!visit->conn);
        visit_hold(visit);
        legacy_unlisten(visit);
        replay_release(visit->kept);
        visit->kept = NULL;
        visit_leave(visit);
        visit_release(visit);
    }
    if (endpoint->headed)
        visit_release(endpoint->headed);
    endpoint->headed = NULL;
    visit_free_idle(endpoint);
    hub_close(endpoint->hub);
    http_free(endpoint->http);
    arena_free(&endpoint->scratch);
    memory_free(&memory, endpoint, sizeof *endpoint);
}
