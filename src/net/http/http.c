/* http.c - the server: listening, accepting, deadlines, and the ways to end. */
#define _GNU_SOURCE
#include "net/http/http.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/memory.h"
#include "net/http/conn.h"

#define ACCEPT_AT_ONCE 64  /* then others have their turn */
#define SWEEP_MS       500 /* how late a deadline may be noticed, at most */
#define SWEEP_LEAST_MS 10
#define HEAD_BYTES_MAX ((size_t)1 << 28) /* a limit beyond it would not fit into our offsets */

static void on_acceptable(uv_poll_t *listener, int problem, int events);

static void fill_limits(struct tn_http_limits *limits, const struct tn_http_limits *wanted)
{
    static const struct tn_http_limits usual = {
        .head_bytes     = (size_t)16 << 10,
        .headers        = 100,
        .body_bytes     = (size_t)4 << 20,
        .connections    = 10000,
        .streams        = 1024,
        .queue_bytes    = (size_t)1 << 20,
        .pipeline_bytes = (size_t)64 << 10,
        .head_ms        = 10000,
        .body_ms        = 30000,
        .idle_ms        = 75000,
        .write_ms       = 30000,
    };

    *limits = usual;
    if (!wanted)
        return;
#define TAKE(name) limits->name = wanted->name > 0 ? wanted->name : usual.name
    TAKE(head_bytes);
    TAKE(headers);
    TAKE(body_bytes);
    TAKE(connections);
    TAKE(streams);
    TAKE(queue_bytes);
    TAKE(pipeline_bytes);
    TAKE(head_ms);
    TAKE(body_ms);
    TAKE(idle_ms);
    TAKE(write_ms);
#undef TAKE
    if (limits->head_bytes > HEAD_BYTES_MAX)
        limits->head_bytes = HEAD_BYTES_MAX;
}

/* A quarter of the shortest deadline, so that short ones are kept as well as long ones. */
static uint64_t sweep_period(const struct tn_http_limits *limits)
{
    const int all[] = { limits->head_ms, limits->body_ms, limits->idle_ms, limits->write_ms };
    int       least = 4 * SWEEP_MS;

    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i] < least)
            least = all[i];
    return (uint64_t)(least / 4 < SWEEP_LEAST_MS ? SWEEP_LEAST_MS : least / 4);
}

static void set_accepting(struct tn_http_server *server, bool wanted)
{
    if (server->accepting == wanted || server->stopping)
        return;
    server->accepting = wanted;
    if (wanted)
        uv_poll_start(&server->listener, UV_READABLE, on_acceptable);
    else
        uv_poll_stop(&server->listener);
}

static void on_sweep(uv_timer_t *timer)
{
    struct tn_http_server *server = timer->data;
    uint64_t               now    = uv_now(&server->loop->uv);

    set_accepting(server, true);
    if (!server->conns)
        uv_timer_stop(timer);
    for (struct tn_http_conn *conn = server->conns; conn;
         conn                      = conn->next) /* none is unlinked before its handle is closed */
        tn_conn_sweep(conn, now);
}

static void need_sweep(struct tn_http_server *server)
{
    uint64_t period = sweep_period(&server->limits);

    if (!uv_is_active((uv_handle_t *)&server->sweep))
        uv_timer_start(&server->sweep, on_sweep, period, period);
}

void tn_http_adopt(struct tn_http_server *server, int socket)
{
    struct tn_account   *peer    = tn_peer_account(server->handler.ledger, socket);
    bool                 full    = !peer && server->counts.connections >= server->limits.connections;
    bool                 surplus = full || !tn_account_take(peer, HELD_CONNECTIONS, 1);
    struct tn_http_conn *conn;

    if (surplus && server->surplus >= HTTP_SURPLUS) {
        COUNT_ADD(server->counts.refused, 1);
        tn_account_release(peer);
        close(socket);
        return;
    }
    conn = tn_conn_open(server, socket, surplus, peer);
    if (!conn || surplus)
        COUNT_ADD(server->counts.refused, 1);
    else
        COUNT_ADD(server->counts.accepted, 1);
    need_sweep(server);
    if (conn && surplus)
        tn_write_refusal(conn, 503);
}

/* Without descriptors or memory the listener would be ready for ever: it rests until the next sweep. */
static void on_acceptable(uv_poll_t *listener, int problem, int events)
{
    struct tn_http_server *server = listener->data;

    (void)problem, (void)events;
    for (int i = 0; i < ACCEPT_AT_ONCE; i++) {
        int socket = accept(server->socket, NULL, NULL);

        if (socket >= 0) {
            fcntl(socket, F_SETFD, FD_CLOEXEC);
            tn_http_adopt(server, socket);
            continue;
        }
        if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) {
            COUNT_ADD(server->counts.refused, 1);
            set_accepting(server, false);
            need_sweep(server);
            return;
        }
        if (errno == EAGAIN || errno == EWOULDBLOCK)
            return;
    }
}

/* Those that come back to the queue meanwhile wait for the next turn of the loop. */
static void on_turn(uv_idle_t *idle)
{
    struct tn_http_server *server = idle->data;

    for (size_t count = server->turn_count; count > 0 && server->turn_first; count--) {
        struct tn_http_conn *conn = server->turn_first;

        tn_http_server_dequeue(conn);
        tn_conn_continue(conn);
    }
    if (!server->turn_first)
        uv_idle_stop(idle);
}

void tn_http_server_enqueue(struct tn_http_conn *conn)
{
    struct tn_http_server *server = conn->server;

    if (tn_conn_waits_turn(conn))
        return;
    conn->next_turn = NULL;
    conn->prev_turn = server->turn_last;
    if (server->turn_last)
        server->turn_last->next_turn = conn;
    else
        server->turn_first = conn;
    server->turn_last = conn;
    if (server->turn_count++ == 0)
        uv_idle_start(&server->turn, on_turn);
}

void tn_http_server_dequeue(struct tn_http_conn *conn)
{
    struct tn_http_server *server = conn->server;

    if (!tn_conn_waits_turn(conn))
        return;
    if (conn->prev_turn)
        conn->prev_turn->next_turn = conn->next_turn;
    else
        server->turn_first = conn->next_turn;
    if (conn->next_turn)
        conn->next_turn->prev_turn = conn->prev_turn;
    else
        server->turn_last = conn->prev_turn;
    conn->prev_turn = conn->next_turn = NULL;
    server->turn_count--;
}

tenon_status tn_http_listen(struct tn_http_server **server, struct tn_loop *loop, const char *host,
                            const char *port, bool shared, const struct tn_http_limits *limits,
                            const struct tn_http_handler *handler, const char **error)
{
    tenon_status           status;
    struct tn_http_server *made;
    unsigned               bound  = 0;
    int                    socket = tn_http_socket(loop, host, port, shared, &bound, &status, error);

    *server = NULL;
    if (socket < 0)
        return status;
    made   = tn_memory_new(&loop->memory, sizeof *made);
    *error = "there is no memory for a server";
    if (!made) {
        close(socket);
        return TENON_E_NOMEM;
    }
    memset(made, 0, sizeof *made);
    made->loop    = loop;
    made->handler = *handler;
    made->socket  = socket;
    made->port    = bound;
    made->handles = 3;
    fill_limits(&made->limits, limits);
    tn_parse_callbacks(&made->callbacks);
    if (uv_poll_init(&loop->uv, &made->listener, socket) != 0) {
        tn_memory_free(&loop->memory, made, sizeof *made);
        close(socket);
        *error = "the system cannot wait for connections";
        return TENON_E_IO;
    }
    uv_timer_init(&loop->uv, &made->sweep);
    uv_idle_init(&loop->uv, &made->turn);
    made->listener.data = made->sweep.data = made->turn.data = made;
    set_accepting(made, true);
    *server = made;
    *error  = NULL;
    return TENON_OK;
}

unsigned tn_http_port(const struct tn_http_server *server)
{
    return server->port;
}

static void on_handle_closed(uv_handle_t *handle)
{
    struct tn_http_server *server = handle->data;

    if (handle == (uv_handle_t *)&server->listener)
        close(server->socket);
    if (--server->handles == 0 && server->closed)
        server->closed(server->closed_user); /* may free the server */
}

/* The listener is closed when the stop begins, the rest when the last connection is gone. */
static void end_if_empty(struct tn_http_server *server)
{
    if (!server->stopping || server->conns || server->ending)
        return;
    server->ending = true;
    uv_close((uv_handle_t *)&server->sweep, on_handle_closed);
    uv_close((uv_handle_t *)&server->turn, on_handle_closed);
}

void tn_http_server_conn_gone(struct tn_http_server *server)
{
    end_if_empty(server);
}

void tn_http_stop(struct tn_http_server *server, void (*closed)(void *user), void *user)
{
    server->closed      = closed;
    server->closed_user = user;
    if (server->stopping)
        return;
    set_accepting(server, false);
    server->stopping = true;
    uv_close((uv_handle_t *)&server->listener, on_handle_closed);
    for (struct tn_http_conn *conn = server->conns; conn; conn = conn->next)
        if (conn->phase == PHASE_IDLE &&
            !tn_conn_waits_turn(conn)) /* what was read already is answered first */
            tn_conn_close(conn);
    end_if_empty(server);
}

void tn_http_abort(struct tn_http_server *server)
{
    if (!server->stopping)
        tn_http_stop(server, NULL, NULL);
    for (struct tn_http_conn *conn = server->conns; conn; conn = conn->next)
        tn_conn_close(conn);
}

void tn_http_free(struct tn_http_server *server)
{
    if (!server)
        return;
    assert(server->handles == 0 && "a server is freed when it is closed");
    tn_head_free_spares(server);
    tn_memory_free(&server->loop->memory, server, sizeof *server);
}

const struct tn_http_request *tn_http_request_of(const struct tn_http_conn *conn)
{
    return &conn->request;
}

void **tn_http_data(struct tn_http_conn *conn)
{
    return &conn->data;
}

struct tn_http_counts tn_http_counts_of(const struct tn_http_server *server)
{
    const struct tn_http_counts *counts = &server->counts;

    return (struct tn_http_counts){
        .connections = COUNT_NOW(counts->connections),
        .streams     = COUNT_NOW(counts->streams),
        .accepted    = COUNT_NOW(counts->accepted),
        .refused     = COUNT_NOW(counts->refused),
        .requests    = COUNT_NOW(counts->requests),
        .bytes_in    = COUNT_NOW(counts->bytes_in),
        .bytes_out   = COUNT_NOW(counts->bytes_out),
        .time_outs   = COUNT_NOW(counts->time_outs),
        .malformed   = COUNT_NOW(counts->malformed),
    };
}
