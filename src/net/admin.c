/* admin.c - three paths, two methods. */
#define _GNU_SOURCE
#include "net/admin.h"

#include "base/memory.h"
#include "net/auth/guardrail.h"
#include "net/metrics.h"
#include "net/settings_value.h"
#include "text/host.h"

#define METRICS_MAX  ((size_t)64 << 20) /* bytes of the text */
#define METRICS_TYPE "text/plain; version=0.0.4; charset=utf-8"
#define JSON_TYPE    "application/json"
#define NO_STORE     "Cache-Control: no-store\r\n"

static const struct http_limits limits = {
    .head_bytes = (size_t)8 << 10, .body_bytes = 1024, .connections = 64, .streams = 1
};

struct admin {
    struct serving        *serving;
    struct http_server    *http;
    tenon_allocator        memory;
    struct arena           arena; /* of one answer */
    struct setting_address address;
    struct guardrail       guardrail;
    bool                   loopback;
};

bool admin_is_healthy(struct serving *serving)
{
    return !atomic_load(&serving->stopping) && (!serving->workers || workers_healthy(serving->workers));
}

static void answer_health(struct admin *admin, struct http_conn *conn)
{
    if (atomic_load(&admin->serving->stopping))
        http_answer(conn, 503, NO_STORE, JSON_TYPE, SLICE_LIT("{\"status\":\"stopping\"}"));
    else if (!admin_is_healthy(admin->serving))
        http_answer(conn, 503, NO_STORE, JSON_TYPE,
                    SLICE_LIT("{\"status\":\"unhealthy\",\"reason\":\"workers are lost\"}"));
    else
        http_answer(conn, 200, NO_STORE, JSON_TYPE, SLICE_LIT("{\"status\":\"ok\"}"));
}

bool admin_is_ready(struct serving *serving)
{
    return atomic_load(&serving->begun) && !atomic_load(&serving->stopping);
}

static void answer_ready(struct admin *admin, struct http_conn *conn)
{
    if (admin_is_ready(admin->serving))
        http_answer(conn, 200, NO_STORE, JSON_TYPE, SLICE_LIT("{\"status\":\"ready\"}"));
    else if (atomic_load(&admin->serving->stopping))
        http_answer(conn, 503, NO_STORE, JSON_TYPE, SLICE_LIT("{\"status\":\"stopping\"}"));
    else
        http_answer(conn, 503, NO_STORE, JSON_TYPE, SLICE_LIT("{\"status\":\"starting\"}"));
}

static void answer_metrics(struct admin *admin, struct http_conn *conn)
{
    struct serving       *serving = admin->serving;
    struct metrics_gauges gauges  = { .in_flight = atomic_load(&serving->in_flight),
                                      .healthy   = admin_is_healthy(serving) };
    struct buf            out;

    if (serving->workers) {
        workers_counts(serving->workers, &gauges.busy, &gauges.queued, &gauges.lost);
        gauges.spare = workers_spare(serving->workers);
    }
    if (serving->gauges)
        serving->gauges(serving, &gauges);
    buf_init(&out, &admin->arena, (size_t)16 << 10, METRICS_MAX);
    if (serving->metrics)
        metrics_write(&out, serving->metrics, &gauges);
    if (out.failed)
        http_answer(conn, 503, NULL, NULL, (struct slice){ "", 0 });
    else
        http_answer(conn, 200, NO_STORE, METRICS_TYPE, buf_slice(&out));
    arena_reset(&admin->arena);
}

static const struct page {
    const char *path;
    void (*answer)(struct admin *admin, struct http_conn *conn);
} pages[] = { { "/healthz", answer_health }, { "/readyz", answer_ready }, { "/metrics", answer_metrics } };

static const struct page *page_of(struct slice path)
{
    for (size_t i = 0; i < sizeof pages / sizeof *pages; i++)
        if (slice_is(path, pages[i].path))
            return &pages[i];
    return NULL;
}

static bool is_allowed(struct admin *admin, struct slice host)
{
    struct slice name, port;

    if (guardrail_allows_host(&admin->guardrail, host))
        return true;
    return !admin->loopback && settings_split_host(host, &name, &port) &&
           (host_is_ipv4(name) || host_is_ipv6(name));
}

static int on_head(void *user, struct http_conn *conn)
{
    struct admin              *admin   = user;
    const struct http_request *request = http_request_of(conn);
    struct slice               nothing = { "", 0 };

    if (!is_allowed(admin, request->host))
        http_answer(conn, 403, NULL, NULL, nothing);
    else if (!page_of(request->path))
        http_answer(conn, 404, NULL, NULL, nothing);
    else if (request->method != HTTP_IS_GET && request->method != HTTP_IS_HEAD)
        http_answer(conn, 405, "Allow: GET, HEAD\r\n", NULL, nothing);
    else
        return 0;
    return -1;
}

static void on_request(void *user, struct http_conn *conn)
{
    page_of(http_request_of(conn)->path)->answer(user, conn);
}

static void on_done(void *user, struct http_conn *conn, bool gone)
{
    (void)user, (void)conn, (void)gone;
}

tenon_status admin_new(struct admin **to, struct serving *serving, struct loop *loop, const char **error)
{
    struct admin *admin = memory_new(&loop->memory, sizeof *admin);
    tenon_status  status;

    *to    = NULL;
    *error = tenon_status_text(TENON_E_NOMEM);
    if (!admin)
        return TENON_E_NOMEM;
    *admin          = (struct admin){ .serving = serving,
                                      .memory  = loop->memory,
                                      .address = settings_address(serving->settings->admin) };
    admin->loopback = settings_is_loopback(slice_of(admin->address.host));
    guardrail_init(&admin->guardrail, serving->settings, slice_of(admin->address.host));
    arena_init(&admin->arena, &loop->memory, 2 * METRICS_MAX);
    status = http_listen(&admin->http, loop, admin->address.host, admin->address.port, false, &limits,
                         &(struct http_handler){ on_head, on_request, on_done, admin, NULL }, error);
    if (status != TENON_OK) {
        memory_free(&admin->memory, admin, sizeof *admin);
        return status;
    }
    *to = admin;
    return TENON_OK;
}

unsigned admin_port(const struct admin *admin)
{
    return http_port(admin->http);
}

void admin_stop(struct admin *admin, void (*closed)(void *user), void *user)
{
    http_stop(admin->http, closed, user);
}

void admin_abort(struct admin *admin)
{
    http_abort(admin->http);
}

void admin_free(struct admin *admin)
{
    tenon_allocator memory;

    if (!admin)
        return;
    memory = admin->memory;
    http_free(admin->http);
    arena_free(&admin->arena);
    memory_free(&memory, admin, sizeof *admin);
}
