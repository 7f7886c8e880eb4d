/* admin.c - four paths, two methods; and the console's own. */
#define _GNU_SOURCE
#include "net/admin.h"

#include <inttypes.h>

#include "base/memory.h"
#include "mcp/source.h"
#include "net/auth/guardrail.h"
#include "net/console/console.h"
#include "net/metrics.h"
#include "net/settings_value.h"
#include "text/host.h"

#define METRICS_MAX  ((size_t)64 << 20) /* bytes of the text */
#define METRICS_TYPE "text/plain; version=0.0.4; charset=utf-8"
#define JSON_TYPE    "application/json"
#define NO_STORE     "Cache-Control: no-store\r\n"

static const struct tn_http_limits limits = {
    .head_bytes = (size_t)8 << 10, .body_bytes = 1024, .connections = 64, .streams = 1
};

/* With a console: pages that stay open, and calls from them. */
#define CONSOLE_CONNECTIONS 256
#define CONSOLE_STREAMS_MAX 64

struct admin {
    struct tn_serving        *serving;
    struct tn_http_server    *http;
    tenon_allocator           memory;
    struct tn_arena           arena; /* of one answer */
    struct tn_setting_address address;
    struct tn_guardrail       guardrail;
    bool                      loopback;
    struct tn_console        *console; /* or NULL */
    int                       open;    /* what must close before `closed`: the address, the console */
    void (*closed)(void *user);
    void *closed_user;
};

bool tn_admin_is_healthy(struct tn_serving *serving)
{
    return !atomic_load(&serving->stopping) && (!serving->workers || tn_workers_healthy(serving->workers));
}

static void answer_health(struct admin *admin, struct tn_http_conn *conn)
{
    if (atomic_load(&admin->serving->stopping))
        tn_http_answer(conn, 503, NO_STORE, JSON_TYPE, SLICE_LIT("{\"status\":\"stopping\"}"));
    else if (!tn_admin_is_healthy(admin->serving))
        tn_http_answer(conn, 503, NO_STORE, JSON_TYPE,
                       SLICE_LIT("{\"status\":\"unhealthy\",\"reason\":\"workers are lost\"}"));
    else
        tn_http_answer(conn, 200, NO_STORE, JSON_TYPE, SLICE_LIT("{\"status\":\"ok\"}"));
}

/* May a proxy send calls here? Not before it serves, and not while it stops. A server that is alive and not ready must not be
 * restarted for it. */
static bool is_ready(struct tn_serving *serving)
{
    return atomic_load(&serving->begun) && !atomic_load(&serving->stopping);
}

/* While the database is away no other replica can do better, and its answers say so in words that models can act on: it is
 * ready all the same, unless the operator decides otherwise. */
static void answer_ready_with(struct admin *admin, struct tn_http_conn *conn)
{
    tenon_database_state state = { .size = sizeof state };

    admin->serving->server->database(admin->serving->server->database_user, &state);
    if (state.is_up)
        tn_http_answer(conn, 200, NO_STORE, JSON_TYPE,
                       SLICE_LIT("{\"status\":\"ready\",\"database\":\"up\"}"));
    else if (admin->serving->settings->ready_needs_db)
        tn_http_answer(conn, 503, NO_STORE, JSON_TYPE,
                       SLICE_LIT("{\"status\":\"waiting\",\"database\":\"down\"}"));
    else
        tn_http_answer(conn, 200, NO_STORE, JSON_TYPE,
                       SLICE_LIT("{\"status\":\"ready\",\"database\":\"down\"}"));
}

static void answer_ready(struct admin *admin, struct tn_http_conn *conn)
{
    if (is_ready(admin->serving) && admin->serving->server->database)
        answer_ready_with(admin, conn);
    else if (is_ready(admin->serving))
        tn_http_answer(conn, 200, NO_STORE, JSON_TYPE, SLICE_LIT("{\"status\":\"ready\"}"));
    else if (atomic_load(&admin->serving->stopping))
        tn_http_answer(conn, 503, NO_STORE, JSON_TYPE, SLICE_LIT("{\"status\":\"stopping\"}"));
    else
        tn_http_answer(conn, 503, NO_STORE, JSON_TYPE, SLICE_LIT("{\"status\":\"starting\"}"));
}

static void write_number(struct tn_buf *out, const char *name, const char *type, const char *help,
                         double value)
{
    tn_metrics_begin(out, name, type, help);
    tn_buf_addf(out, "%s %.17g\n", name, value);
}

static void write_database(struct tn_buf *out, const tenon_server *server)
{
    tenon_database_state state = { .size = sizeof state };

    server->database(server->database_user, &state);
    write_number(out, "tenon_db_up", "gauge", "The database was reached when it was last asked.",
                 state.is_up);
    tn_metrics_begin(out, "tenon_db_connections", "gauge", "Connections to the database.");
    tn_buf_addf(out, "tenon_db_connections{state=\"busy\"} %zu\ntenon_db_connections{state=\"idle\"} %zu\n",
                state.busy, state.idle);
    tn_metrics_begin(out, "tenon_db_connects_total", "counter", "Connections that were made, or failed.");
    tn_buf_addf(out,
                "tenon_db_connects_total{outcome=\"made\"} %" PRIu64
                "\ntenon_db_connects_total{outcome=\"failed\"} %" PRIu64 "\n",
                state.connects, state.refused);
    write_number(out, "tenon_db_wait_seconds_total", "counter", "Time that calls waited for connections.",
                 (double)state.waited_us / 1e6);
    tn_metrics_begin(out, "tenon_db_retries_total", "counter", "Transactions that were run again.");
    tn_buf_addf(out,
                "tenon_db_retries_total{reason=\"conflict\"} %" PRIu64
                "\ntenon_db_retries_total{reason=\"lost\"} %" PRIu64 "\n",
                state.conflicts, state.lost);
    write_number(out, "tenon_db_dead_rows", "gauge", "Rows of the server's tables that wait for a vacuum.",
                 (double)state.dead_rows);
    write_number(out, "tenon_db_oldest_transaction_seconds", "gauge",
                 "Age of the oldest transaction of the database, as far as the role may see it.",
                 (double)state.oldest_ms / 1e3);
}

static void answer_metrics(struct admin *admin, struct tn_http_conn *conn)
{
    struct tn_serving       *serving = admin->serving;
    struct tn_metrics_gauges gauges  = { .in_flight = atomic_load(&serving->in_flight),
                                         .healthy   = tn_admin_is_healthy(serving) };
    const struct tn_source  *source  = serving->server->source;
    struct tn_buf            out;

    if (serving->workers) {
        tn_workers_counts(serving->workers, &gauges.busy, &gauges.queued, &gauges.lost);
        gauges.spare = tn_workers_spare(serving->workers);
    }
    if (serving->gauges)
        serving->gauges(serving, &gauges);
    tn_buf_init(&out, &admin->arena, (size_t)16 << 10, METRICS_MAX);
    if (serving->metrics)
        tn_metrics_write(&out, serving->metrics, &gauges);
    if (serving->server->database)
        write_database(&out, serving->server);
    if (source && source->metrics)
        source->metrics(source->user, &out);
    if (out.failed)
        tn_http_answer(conn, 503, NULL, NULL, (struct tn_slice){ "", 0 });
    else
        tn_http_answer(conn, 200, NO_STORE, METRICS_TYPE, tn_buf_slice(&out));
    tn_arena_reset(&admin->arena);
}

/* What the server has its answers from, where that is elsewhere. */
static void answer_upstreams(struct admin *admin, struct tn_http_conn *conn)
{
    const struct tn_source *source = admin->serving->server->source;
    struct tn_buf           out;

    tn_buf_init(&out, &admin->arena, (size_t)16 << 10, METRICS_MAX);
    if (source) /* it is gone while the server stops */
        source->page(source->user, &out);
    if (!source || out.failed)
        tn_http_answer(conn, 503, NULL, NULL, (struct tn_slice){ "", 0 });
    else
        tn_http_answer(conn, 200, NO_STORE, JSON_TYPE, tn_buf_slice(&out));
    tn_arena_reset(&admin->arena);
}

static const struct admin_page {
    const char *path;
    void (*answer)(struct admin *admin, struct tn_http_conn *conn);
} pages[] = { { "/healthz", answer_health },
              { "/readyz", answer_ready },
              { "/metrics", answer_metrics },
              { "/upstreams", answer_upstreams } };

static const struct admin_page *page_of(const struct admin *admin, struct tn_slice path)
{
    const struct tn_source *source = admin->serving->server->source;

    for (size_t i = 0; i < sizeof pages / sizeof *pages; i++)
        if (tn_slice_is(path, pages[i].path))
            return pages[i].answer != answer_upstreams || (source && source->page) ? &pages[i] : NULL;
    return NULL;
}

static bool is_allowed(struct admin *admin, struct tn_slice host)
{
    struct tn_slice name, port;

    if (tn_guardrail_allows_host(&admin->guardrail, host))
        return true;
    return !admin->loopback && tn_settings_split_host(host, &name, &port) &&
           (tn_host_is_ipv4(name) || tn_host_is_ipv6(name));
}

static int on_head(void *user, struct tn_http_conn *conn)
{
    struct admin                 *admin   = user;
    const struct tn_http_request *request = tn_http_request_of(conn);
    struct tn_slice               nothing = { "", 0 };

    if (!is_allowed(admin, request->host))
        tn_http_answer(conn, 403, NULL, NULL, nothing);
    else if (admin->console && tn_console_has(request->path))
        return tn_console_head(admin->console, conn);
    else if (!page_of(admin, request->path))
        tn_http_answer(conn, 404, NULL, NULL, nothing);
    else if (request->method != HTTP_IS_GET && request->method != HTTP_IS_HEAD)
        tn_http_answer(conn, 405, "Allow: GET, HEAD\r\n", NULL, nothing);
    else
        return 0;
    return -1;
}

static bool is_console(const struct admin *admin, struct tn_http_conn *conn)
{
    return admin->console && tn_console_has(tn_http_request_of(conn)->path);
}

static void on_request(void *user, struct tn_http_conn *conn)
{
    struct admin            *admin = user;
    const struct admin_page *page  = page_of(admin, tn_http_request_of(conn)->path);

    if (is_console(admin, conn))
        tn_console_request(admin->console, conn);
    else if (page)
        page->answer(user, conn);
    else
        tn_http_answer(conn, 404, NULL, NULL, (struct tn_slice){ "", 0 });
}

static void on_done(void *user, struct tn_http_conn *conn, bool gone)
{
    struct admin *admin = user;

    (void)gone;
    if (is_console(admin, conn))
        tn_console_done(admin->console, conn);
}

static struct tn_http_limits limits_of(const struct admin *admin)
{
    struct tn_http_limits own = limits;

    if (admin->console) {
        own.body_bytes  = admin->serving->settings->limits.body_bytes;
        own.connections = CONSOLE_CONNECTIONS;
        own.streams     = CONSOLE_STREAMS_MAX;
    }
    return own;
}

static tenon_status listen_there(struct admin *admin, struct tn_loop *loop, const char **error)
{
    struct tn_http_limits own = limits_of(admin);
    tenon_status          status;

    status = tn_http_listen(&admin->http, loop, admin->address.host, admin->address.port, false, &own,
                            &(struct tn_http_handler){ on_head, on_request, on_done, admin, NULL }, error);
    if (status == TENON_OK && admin->console)
        tn_console_listens(admin->console, tn_http_port(admin->http));
    return status;
}

tenon_status tn_admin_new(struct admin **to, struct tn_serving *serving, struct tn_loop *loop,
                          struct tn_feed *feed, const char **error)
{
    struct admin *admin  = tn_memory_new(&loop->memory, sizeof *admin);
    tenon_status  status = TENON_OK;

    *to    = NULL;
    *error = tenon_status_text(TENON_E_NOMEM);
    if (!admin)
        return TENON_E_NOMEM;
    *admin          = (struct admin){ .serving = serving,
                                      .memory  = loop->memory,
                                      .open    = feed ? 2 : 1,
                                      .address = tn_settings_address(serving->settings->admin) };
    admin->loopback = tn_settings_is_loopback(tn_slice_of(admin->address.host));
    tn_guardrail_init(&admin->guardrail, serving->settings, tn_slice_of(admin->address.host));
    tn_arena_init(&admin->arena, &loop->memory, 2 * METRICS_MAX);
    if (feed)
        status = tn_console_new(&admin->console, serving, loop, feed, error);
    if (status == TENON_OK)
        status = listen_there(admin, loop, error);
    if (status != TENON_OK && admin->console) { /* its timers end on the loop; it is freed with the rest */
        tn_console_stop(admin->console, NULL, NULL);
        *to = admin;
        return status;
    }
    if (status != TENON_OK) {
        tn_memory_free(&admin->memory, admin, sizeof *admin);
        return status;
    }
    *to = admin;
    return TENON_OK;
}

void tn_admin_invite(struct admin *admin)
{
    if (admin->console)
        tn_console_invite(admin->console);
}

unsigned tn_admin_port(const struct admin *admin)
{
    return tn_http_port(admin->http);
}

static void on_part_closed(void *user)
{
    struct admin *admin = user;

    if (--admin->open == 0)
        admin->closed(admin->closed_user);
}

void tn_admin_stop(struct admin *admin, void (*closed)(void *user), void *user)
{
    admin->closed      = closed;
    admin->closed_user = user;
    if (admin->console && admin->http)
        tn_console_stop(admin->console, on_part_closed, admin);
    if (admin->http)
        tn_http_stop(admin->http, on_part_closed, admin);
    else /* it never listened */
        closed(user);
}

void tn_admin_abort(struct admin *admin)
{
    if (admin->http)
        tn_http_abort(admin->http);
}

void tn_admin_free(struct admin *admin)
{
    tenon_allocator memory;

    if (!admin)
        return;
    memory = admin->memory;
    tn_console_free(admin->console);
    if (admin->http)
        tn_http_free(admin->http);
    tn_arena_free(&admin->arena);
    tn_memory_free(&memory, admin, sizeof *admin);
}
