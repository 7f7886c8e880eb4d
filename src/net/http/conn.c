/* conn.c - a connection's life: bytes in, what waits for an answer, the phases, and closing. */
#define _GNU_SOURCE
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/memory.h"
#include "net/http/conn.h"

/* Of what was read ahead, without forgetting how much it is. */
static void release_bytes(struct tn_http_conn *conn)
{
    if (!conn->stash)
        return;
    tn_memory_scrub(conn->stash + conn->stash_begin, conn->stash_len);
    tn_memory_free(&conn->server->loop->memory, conn->stash, conn->stash_room);
    tn_account_give(conn->peer, HELD_INCOMING, conn->stash_room);
}

static void release_stash(struct tn_http_conn *conn)
{
    release_bytes(conn);
    conn->stash       = NULL;
    conn->stash_begin = conn->stash_len = conn->stash_room = 0;
}

void tn_conn_release_body(struct tn_http_conn *conn)
{
    if (conn->body) {
        tn_memory_scrub(conn->body, conn->request.body.len); /* it may have brought a secret */
        tn_memory_free(&conn->server->loop->memory, conn->body, conn->body_room);
        tn_account_give(conn->body_payer, HELD_INCOMING, conn->body_room);
    }
    conn->body         = NULL;
    conn->body_room    = 0;
    conn->request.body = (struct tn_slice){ "", 0 };
}

static void conn_done(struct tn_http_conn *conn)
{
    const struct tn_http_handler *handler = &conn->server->handler;
    enum tn_done_due              due     = conn->done_due;

    conn->done_due = DONE_NOT_DUE;
    if (due != DONE_NOT_DUE)
        handler->done(handler->user, conn, due == DONE_GONE);
}

static void on_closed(uv_handle_t *handle)
{
    struct tn_http_conn   *conn   = handle->data;
    struct tn_http_server *server = conn->server;
    const tenon_allocator *memory = &server->loop->memory;

    conn_done(conn);
    tn_head_end(conn);
    release_stash(conn);
    tn_conn_release_body(conn);
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
    tn_conn_settle(conn);
    tn_memory_free(memory, conn, sizeof *conn);
    tn_http_server_conn_gone(server);
}

void tn_conn_close(struct tn_http_conn *conn)
{
    if (conn->phase == PHASE_CLOSED)
        return;
    if (conn->phase == PHASE_STREAM)
        tn_stream_over(conn);
    conn->phase = PHASE_CLOSED;
    tn_http_server_dequeue(conn);
    uv_close((uv_handle_t *)&conn->tcp, on_closed);
}

/* Room for `len` bytes more at the end of the stash. What waits there is moved only when the room is used up, and not
 * for each request that is taken from its beginning. */
static bool stash_room(struct tn_http_conn *conn, size_t len)
{
    const tenon_allocator *memory = &conn->server->loop->memory;
    size_t                 needed = conn->stash_len + len, room = conn->stash_room ? conn->stash_room : 1024;
    char                  *bytes;

    if (conn->stash_begin + needed <= conn->stash_room)
        return true;
    if (needed <= conn->stash_room) {
        size_t end = conn->stash_begin + conn->stash_len;

        memmove(conn->stash, conn->stash + conn->stash_begin, conn->stash_len);
        tn_memory_scrub(conn->stash + conn->stash_len, end - conn->stash_len);
        conn->stash_begin = 0;
        return true;
    }
    while (room < needed)
        room *= 2;
    if (!tn_account_take(conn->peer, HELD_INCOMING, room))
        return false;
    bytes = tn_memory_new(memory, room);
    if (!bytes) {
        tn_account_give(conn->peer, HELD_INCOMING, room);
        return false;
    }
    if (conn->stash_len)
        memcpy(bytes, conn->stash + conn->stash_begin, conn->stash_len);
    release_bytes(conn);
    conn->stash       = bytes;
    conn->stash_begin = 0;
    conn->stash_room  = room;
    return true;
}

/* Keeps what came ahead of the answer, or of its turn. */
static bool stash(struct tn_http_conn *conn, const char *at, size_t len)
{
    if (len == 0)
        return true;
    if (!stash_room(conn, len))
        return false;
    memcpy(conn->stash + conn->stash_begin + conn->stash_len, at, len);
    conn->stash_len += len;
    return true;
}

static void give_buffer(uv_handle_t *handle, size_t suggested, uv_buf_t *buffer)
{
    struct tn_http_conn *conn = handle->data;

    (void)suggested;
    *buffer = uv_buf_init(conn->server->buffer, sizeof conn->server->buffer);
}

/* No client waits for the end of an answer that cannot be received; but half a connection is enough to receive one that
 * is under way already, or those of requests that wait for their turn. */
static void on_end(struct tn_http_conn *conn, ssize_t error)
{
    bool sending = conn->phase == PHASE_OVER || conn->phase == PHASE_FLUSH || conn->phase == PHASE_LAST ||
                   tn_conn_waits_turn(conn);

    if (error != UV_EOF || !sending) {
        tn_conn_close(conn);
        return;
    }
    conn->eof     = true;
    conn->reading = false;
    uv_read_stop((uv_stream_t *)&conn->tcp);
}

/* While the last answer is still being sent, its own deadline is the bound. */
static void throw_away(struct tn_http_conn *conn, size_t len)
{
    if (conn->phase == PHASE_LINGER)
        conn->thrown_away += len;
    if (conn->thrown_away > HTTP_LINGER_BYTES)
        tn_conn_close(conn);
}

static void set_reading(struct tn_http_conn *conn);
static void next_request(struct tn_http_conn *conn);

static void take_bytes(struct tn_http_conn *conn, const uv_buf_t *buffer, size_t len);

/* All connections read into one buffer: nothing of this one stays there. */
static void on_read(uv_stream_t *stream, ssize_t len, const uv_buf_t *buffer)
{
    if (len < 0) {
        on_end(stream->data, len);
        return;
    }
    take_bytes(stream->data, buffer, (size_t)len);
    tn_memory_scrub(buffer->base, (size_t)len);
}

static void take_bytes(struct tn_http_conn *conn, const uv_buf_t *buffer, size_t len)
{
    size_t used = 0;

    COUNT_ADD(conn->server->counts.bytes_in, len);
    if (tn_conn_takes_input(conn) && conn->stash_len == 0)
        used = tn_parse_bytes(conn, buffer->base, len);
    if (conn->phase == PHASE_CLOSED)
        return;
    if (conn->phase >= PHASE_LAST) {
        throw_away(conn, len);
        return;
    }
    if (!stash(conn, buffer->base + used, len - used)) {
        tn_conn_close(conn);
        return;
    }
    next_request(conn);
}

/* Reading goes on while a request is worked on, to notice when the client goes; but what is read then is bounded. */
static void set_reading(struct tn_http_conn *conn)
{
    bool wanted = !conn->eof &&
                  (conn->phase >= PHASE_LAST || conn->stash_len < conn->server->limits.pipeline_bytes);

    if (conn->phase == PHASE_CLOSED || wanted == conn->reading)
        return;
    conn->reading = wanted;
    if (!wanted)
        uv_read_stop((uv_stream_t *)&conn->tcp);
    else if (uv_read_start((uv_stream_t *)&conn->tcp, give_buffer, on_read) != 0)
        tn_conn_close(conn);
}

/* Between requests, with nothing waiting to be sent. */
static void become_idle(struct tn_http_conn *conn)
{
    conn->phase    = PHASE_IDLE;
    conn->deadline = tn_conn_due(conn, conn->server->limits.idle_ms);
}

struct tn_http_conn *tn_conn_open(struct tn_http_server *server, int socket, bool surplus,
                                  struct tn_account *peer)
{
    struct tn_http_conn *conn = tn_memory_new(&server->loop->memory, sizeof *conn);

    if (conn)
        *conn = (struct tn_http_conn){
            .server = server, .surplus = surplus, .next = server->conns, .peer = peer, .payer = peer
        };
    if (!conn || uv_tcp_init(&server->loop->uv, &conn->tcp) != 0) {
        if (!surplus)
            tn_account_give(peer, HELD_CONNECTIONS, 1);
        tn_account_release(peer);
        tn_memory_free(&server->loop->memory, conn, sizeof *conn);
        close(socket);
        return NULL;
    }
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
        tn_conn_close(conn);
        return NULL;
    }
    uv_tcp_nodelay(&conn->tcp, 1); /* fails on what is not TCP, and need not succeed there */
    set_reading(conn);
    return conn;
}

/* The last answer is sent: closed at once, or when the client has read it. */
static void finish_conn(struct tn_http_conn *conn)
{
    uv_os_fd_t socket;

    if ((!conn->linger && conn->stash_len == 0) || conn->eof ||
        uv_fileno((uv_handle_t *)&conn->tcp, &socket) != 0 || shutdown(socket, SHUT_WR) != 0) {
        tn_conn_close(conn);
        return;
    }
    conn->phase    = PHASE_LINGER;
    conn->deadline = tn_conn_due(conn, HTTP_LINGER_MS);
    release_stash(conn);
    tn_conn_release_body(conn);
    set_reading(conn);
}

void tn_conn_over(struct tn_http_conn *conn)
{
    conn_done(conn);
    if (conn->phase == PHASE_CLOSED)
        return;
    tn_head_end(conn);
    conn->data     = NULL;
    conn->deadline = 0;
    if (conn->server->stopping)
        conn->keep = false;
    conn->phase = conn->keep ? PHASE_FLUSH : PHASE_LAST;
    if (tn_write_unsent(conn) > 0)
        return;
    if (conn->keep)
        become_idle(conn);
    else
        finish_conn(conn);
}

/* The connection's turn comes when more was read already. Otherwise it reads on, unless nothing more can come of it. */
static void next_request(struct tn_http_conn *conn)
{
    bool idle = conn->phase == PHASE_IDLE;

    if (idle && conn->stash_len > 0) {
        conn->deadline = 0; /* it is the server who is late */
        tn_http_server_enqueue(conn);
    } else if ((conn->eof && tn_conn_takes_input(conn)) || (conn->server->stopping && idle)) {
        tn_conn_close(conn);
    } else if (idle && conn->deadline == 0) { /* it had its turn, and there was no request in it */
        become_idle(conn);
    }
    set_reading(conn);
}

/* Parses what has been read ahead. The parsed bytes are of no one else meanwhile: an answer may close the connection. */
static void use_stash(struct tn_http_conn *conn)
{
    const tenon_allocator *memory = &conn->server->loop->memory;
    char                  *bytes  = conn->stash;
    size_t                 begin = conn->stash_begin, len = conn->stash_len, room = conn->stash_room, used;

    conn->stash       = NULL;
    conn->stash_begin = conn->stash_len = conn->stash_room = 0;
    used                                                   = tn_parse_bytes(conn, bytes + begin, len);
    tn_memory_scrub(bytes + begin, used);
    if (used == len || conn->phase >= PHASE_LAST) {
        tn_memory_free(memory, bytes, room);
        tn_account_give(conn->peer, HELD_INCOMING, room);
        return;
    }
    conn->stash       = bytes;
    conn->stash_begin = begin + used;
    conn->stash_len   = len - used;
    conn->stash_room  = room;
}

void tn_conn_continue(struct tn_http_conn *conn)
{
    if (conn->phase == PHASE_OVER)
        tn_conn_over(conn);
    if (conn->phase == PHASE_IDLE && conn->stash_len > 0)
        use_stash(conn);
    next_request(conn);
}

void tn_conn_flushed(struct tn_http_conn *conn)
{
    if (conn->phase == PHASE_LAST)
        finish_conn(conn);
    if (conn->phase != PHASE_FLUSH)
        return;
    if (conn->server->stopping) {
        tn_conn_close(conn);
        return;
    }
    become_idle(conn);
    next_request(conn);
}

/* Bytes that the system has, but the client does not: they become fewer long before there is room for more. */
static size_t held_by_system(const struct tn_http_conn *conn)
{
    uv_os_fd_t socket;
    int        len = 0;

    if (uv_fileno((const uv_handle_t *)&conn->tcp, &socket) != 0 || ioctl(socket, TIOCOUTQ, &len) != 0 ||
        len < 0)
        return 0;
    return (size_t)len;
}

static bool is_stuck(struct tn_http_conn *conn, uint64_t now)
{
    uint64_t waiting = tn_write_unsent(conn) + held_by_system(conn), taken = conn->handed - waiting;
    bool     moving = waiting == 0 || taken != conn->taken;

    conn->taken = taken;
    if (moving)
        conn->write_deadline = now + (uint64_t)conn->server->limits.write_ms;
    return !moving && now >= conn->write_deadline;
}

void tn_conn_sweep(struct tn_http_conn *conn, uint64_t now)
{
    if (conn->phase == PHASE_CLOSED)
        return;
    /* A stream is silent for long: only what the system could not deliver shows that its client has vanished. */
    if ((tn_write_unsent(conn) > 0 || conn->phase == PHASE_STREAM) && is_stuck(conn, now)) {
        COUNT_ADD(conn->server->counts.time_outs, 1);
        tn_conn_close(conn);
        return;
    }
    if (conn->deadline == 0 || now < conn->deadline)
        return;
    if (conn->phase == PHASE_HEAD || conn->phase == PHASE_BODY) {
        COUNT_ADD(conn->server->counts.time_outs, 1);
        tn_write_refusal(conn, 408);
        return;
    }
    tn_conn_close(conn);
}
