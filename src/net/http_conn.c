/* http_conn.c - a connection's life: bytes in, what waits for an answer, the phases, and closing. */
#define _GNU_SOURCE
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/memory.h"
#include "net/http_conn.h"

static void release_stash(struct http_conn *conn)
{
    if (conn->stash)
        memory_scrub(conn->stash, conn->stash_len);
    memory_free(&conn->server->loop->memory, conn->stash, conn->stash_room);
    conn_unhold(conn, conn->stash_room);
    conn->stash     = NULL;
    conn->stash_len = conn->stash_room = 0;
}

void conn_release_body(struct http_conn *conn)
{
    if (conn->body) {
        memory_scrub(conn->body, conn->request.body.len); /* it may have brought a secret */
        memory_free(&conn->server->loop->memory, conn->body, conn->body_room);
        conn_unhold(conn, conn->body_room);
    }
    conn->body         = NULL;
    conn->body_room    = 0;
    conn->request.body = (struct slice){ "", 0 };
}

static void on_closed(uv_handle_t *handle)
{
    struct http_conn          *conn    = handle->data;
    struct http_server        *server  = conn->server;
    const tenon_allocator     *memory  = &server->loop->memory;
    const struct http_handler *handler = &server->handler;

    if (conn->told)
        handler->done(handler->user, conn, !conn->answered);
    head_end(conn);
    release_stash(conn);
    conn_release_body(conn);
    if (conn->prev)
        conn->prev->next = conn->next;
    else
        server->conns = conn->next;
    if (conn->next)
        conn->next->prev = conn->prev;
    if (conn->surplus)
        server->surplus--;
    else
        COUNT_SUB(server->counts.connections, 1);
    conn_settle(conn);
    memory_free(memory, conn, sizeof *conn);
    http_server_conn_gone(server);
}

static void forget_over(struct http_conn *conn)
{
    struct http_conn **at = &conn->server->overs;

    if (!conn->waits_over)
        return;
    while (*at != conn)
        at = &(*at)->next_over;
    *at              = conn->next_over;
    conn->waits_over = false;
}

void conn_close(struct http_conn *conn)
{
    if (conn->phase == PHASE_CLOSED)
        return;
    if (conn->phase == PHASE_STREAM)
        stream_over(conn);
    conn->phase = PHASE_CLOSED;
    forget_over(conn);
    uv_close((uv_handle_t *)&conn->tcp, on_closed);
}

/* Keeps what came ahead of the answer. */
static bool stash(struct http_conn *conn, const char *at, size_t len)
{
    const tenon_allocator *memory = &conn->server->loop->memory;
    size_t                 needed = conn->stash_len + len, room = conn->stash_room ? conn->stash_room : 1024;
    char                  *bytes;

    if (len == 0)
        return true;
    if (needed > conn->stash_room) {
        while (room < needed)
            room *= 2;
        bytes = conn_hold(conn, room) ? memory_new(memory, room) : NULL;
        if (!bytes)
            return false; /* and the connection ends, which gives back what it held */
        if (conn->stash_len)
            memcpy(bytes, conn->stash, conn->stash_len);
        memory_free(memory, conn->stash, conn->stash_room);
        conn_unhold(conn, conn->stash_room);
        conn->stash      = bytes;
        conn->stash_room = room;
    }
    memcpy(conn->stash + conn->stash_len, at, len);
    conn->stash_len += len;
    return true;
}

static void give_buffer(uv_handle_t *handle, size_t suggested, uv_buf_t *buffer)
{
    struct http_conn *conn = handle->data;

    (void)suggested;
    *buffer = uv_buf_init(conn->server->buffer, sizeof conn->server->buffer);
}

/* Nobody waits for the end of an answer that cannot be received; but half a connection is enough to receive one that is
 * under way already. */
static void on_end(struct http_conn *conn, ssize_t error)
{
    bool sending = conn->phase == PHASE_OVER || conn->phase == PHASE_FLUSH || conn->phase == PHASE_LAST;

    if (error != UV_EOF || !sending) {
        conn_close(conn);
        return;
    }
    conn->eof     = true;
    conn->reading = false;
    uv_read_stop((uv_stream_t *)&conn->tcp);
}

/* While the last answer is still being sent, its own deadline is the bound. */
static void throw_away(struct http_conn *conn, size_t len)
{
    if (conn->phase == PHASE_LINGER)
        conn->thrown_away += len;
    if (conn->thrown_away > HTTP_LINGER_BYTES)
        conn_close(conn);
}

static void set_reading(struct http_conn *conn);

static void take_bytes(struct http_conn *conn, const uv_buf_t *buffer, size_t len);

/* All connections read into one buffer: nothing of this one stays there. */
static void on_read(uv_stream_t *stream, ssize_t len, const uv_buf_t *buffer)
{
    if (len < 0) {
        on_end(stream->data, len);
        return;
    }
    take_bytes(stream->data, buffer, (size_t)len);
    memory_scrub(buffer->base, (size_t)len);
}

static void take_bytes(struct http_conn *conn, const uv_buf_t *buffer, size_t len)
{
    size_t used = 0;

    COUNT_ADD(conn->server->counts.bytes_in, len);
    if (conn_takes_input(conn))
        used = parse_bytes(conn, buffer->base, len);
    if (conn->phase == PHASE_CLOSED)
        return;
    if (conn->phase >= PHASE_LAST) {
        throw_away(conn, len);
        return;
    }
    if (!stash(conn, buffer->base + used, len - used)) {
        conn_close(conn);
        return;
    }
    set_reading(conn);
}

/* Reading goes on while a request is worked on, to notice when the client goes; but what is read then is bounded. */
static void set_reading(struct http_conn *conn)
{
    bool wanted = !conn->eof &&
                  (conn->phase >= PHASE_LAST || conn->stash_len < conn->server->limits.pipeline_bytes);

    if (conn->phase == PHASE_CLOSED || wanted == conn->reading)
        return;
    conn->reading = wanted;
    if (!wanted)
        uv_read_stop((uv_stream_t *)&conn->tcp);
    else if (uv_read_start((uv_stream_t *)&conn->tcp, give_buffer, on_read) != 0)
        conn_close(conn);
}

/* Between requests, with nothing waiting to be sent. */
static void become_idle(struct http_conn *conn)
{
    conn->phase    = PHASE_IDLE;
    conn->deadline = conn_due(conn, conn->server->limits.idle_ms);
}

struct http_conn *conn_open(struct http_server *server, int socket, bool surplus, struct account *peer)
{
    struct http_conn *conn = memory_new(&server->loop->memory, sizeof *conn);

    if (conn)
        *conn = (struct http_conn){
            .server = server, .surplus = surplus, .next = server->conns, .peer = peer, .payer = peer
        };
    if (!conn || uv_tcp_init(&server->loop->uv, &conn->tcp) != 0) {
        if (!surplus)
            account_give(peer, HELD_CONNECTIONS, 1);
        account_release(peer);
        memory_free(&server->loop->memory, conn, sizeof *conn);
        close(socket);
        return NULL;
    }
    account_hold(peer); /* as the payer */
    conn->tcp.data = conn;
    if (server->conns)
        server->conns->prev = conn;
    server->conns = conn;
    if (surplus)
        server->surplus++;
    else
        COUNT_ADD(server->counts.connections, 1);
    llhttp_init(&conn->parser, HTTP_REQUEST, &server->callbacks);
    conn->parser.data = conn;
    become_idle(conn);
    if (uv_tcp_open(&conn->tcp, socket) != 0) {
        close(socket);
        conn_close(conn);
        return NULL;
    }
    uv_tcp_nodelay(&conn->tcp, 1); /* fails on what is not TCP, and need not succeed there */
    set_reading(conn);
    return conn;
}

/* The last answer is sent: closed at once, or when the client has read it. */
static void part_ways(struct http_conn *conn)
{
    uv_os_fd_t socket;

    if ((!conn->linger && conn->stash_len == 0) || conn->eof ||
        uv_fileno((uv_handle_t *)&conn->tcp, &socket) != 0 || shutdown(socket, SHUT_WR) != 0) {
        conn_close(conn);
        return;
    }
    conn->phase    = PHASE_LINGER;
    conn->deadline = conn_due(conn, HTTP_LINGER_MS);
    release_stash(conn);
    conn_release_body(conn);
    set_reading(conn);
}

void conn_over(struct http_conn *conn)
{
    const struct http_handler *handler = &conn->server->handler;

    if (conn->told) {
        conn->told = false;
        handler->done(handler->user, conn, false);
    }
    if (conn->phase == PHASE_CLOSED)
        return;
    head_end(conn);
    conn->data     = NULL;
    conn->deadline = 0;
    if (conn->server->stopping)
        conn->keep = false;
    conn->phase = conn->keep ? PHASE_FLUSH : PHASE_LAST;
    if (write_unsent(conn) > 0)
        return;
    if (conn->keep)
        become_idle(conn);
    else
        part_ways(conn);
}

/* The next request, if it has been read ahead. What is parsed is nobody else's meanwhile. */
static void use_stash(struct http_conn *conn)
{
    const tenon_allocator *memory = &conn->server->loop->memory;
    char                  *bytes  = conn->stash;
    size_t                 len = conn->stash_len, room = conn->stash_room, used;

    if (conn->phase == PHASE_IDLE && len > 0) {
        conn->stash     = NULL;
        conn->stash_len = conn->stash_room = 0;
        used                               = parse_bytes(conn, bytes, len);
        if (used < len && conn->phase < PHASE_LAST) {
            memmove(bytes, bytes + used, len - used);
            conn->stash      = bytes;
            conn->stash_len  = len - used;
            conn->stash_room = room;
        } else {
            memory_scrub(bytes, len);
            memory_free(memory, bytes, room);
            conn_unhold(conn, room);
        }
    }
    if (conn->eof && conn_takes_input(conn))
        conn_close(conn);
    else
        set_reading(conn);
}

void conn_go_on(struct http_conn *conn)
{
    conn_over(conn);
    use_stash(conn);
}

void conn_flushed(struct http_conn *conn)
{
    if (conn->phase == PHASE_LAST)
        part_ways(conn);
    if (conn->phase != PHASE_FLUSH)
        return;
    if (conn->server->stopping) {
        conn_close(conn);
        return;
    }
    become_idle(conn);
    use_stash(conn);
}

/* Bytes that the system has, but the client does not: they become fewer long before there is room for more. */
static size_t held_by_system(const struct http_conn *conn)
{
    uv_os_fd_t socket;
    int        len = 0;

    if (uv_fileno((const uv_handle_t *)&conn->tcp, &socket) != 0 || ioctl(socket, TIOCOUTQ, &len) != 0 ||
        len < 0)
        return 0;
    return (size_t)len;
}

static bool is_stuck(struct http_conn *conn, uint64_t now)
{
    uint64_t waiting = write_unsent(conn) + held_by_system(conn), taken = conn->handed - waiting;
    bool     moving = waiting == 0 || taken != conn->taken;

    conn->taken = taken;
    if (moving)
        conn->write_deadline = now + (uint64_t)conn->server->limits.write_ms;
    return !moving && now >= conn->write_deadline;
}

void conn_sweep(struct http_conn *conn, uint64_t now)
{
    if (conn->phase == PHASE_CLOSED)
        return;
    /* A stream is silent for long: only what the system could not deliver shows that its client has vanished. */
    if ((write_unsent(conn) > 0 || conn->phase == PHASE_STREAM) && is_stuck(conn, now)) {
        COUNT_ADD(conn->server->counts.time_outs, 1);
        conn_close(conn);
        return;
    }
    if (conn->deadline == 0 || now < conn->deadline)
        return;
    if (conn->phase == PHASE_HEAD || conn->phase == PHASE_BODY) {
        COUNT_ADD(conn->server->counts.time_outs, 1);
        write_refusal(conn, 408);
        return;
    }
    conn_close(conn);
}
