/* http_rig.c - an HTTP server and its clients in one thread. */
#define _GNU_SOURCE
#include "support/http_rig.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int on_head(void *user, struct tn_http_conn *conn)
{
    struct rig *rig = user;

    rig->heads++;
    if (tn_slice_is(tn_http_request_of(conn)->path, "/silent"))
        return -1;
    if (!tn_slice_is(tn_http_request_of(conn)->path, "/refused")) {
        rig->admitted++;
        return 0;
    }
    tn_http_answer(conn, 401, "WWW-Authenticate: Bearer\r\n", "text/plain", SLICE_LIT("who are you?"));
    return -1;
}

static void answer_large(struct tn_http_conn *conn)
{
    char *large = malloc(RIG_LARGE);

    memset(large, 'L', RIG_LARGE);
    tn_http_answer(conn, 200, NULL, "text/plain", (struct tn_slice){ large, RIG_LARGE });
    free(large);
}

static void answer_echo(struct tn_http_conn *conn)
{
    const struct tn_http_request *request = tn_http_request_of(conn);
    static char                   text[1 << 20];
    int                           len;

    len = snprintf(text, sizeof text, "%d|%.*s|%.*s|%.*s|%.*s", (int)request->method, (int)request->path.len,
                   request->path.at, (int)request->query.len, request->query.at, (int)request->host.len,
                   request->host.at, (int)request->body.len, request->body.at);
    tn_http_answer(conn, 200, NULL, "text/plain", (struct tn_slice){ text, (size_t)len });
}

/* A header that is known, and one that is not. */
static void answer_fields(struct tn_http_conn *conn)
{
    const struct tn_http_value *known = &tn_http_known(conn)[FIELD_MCP_PROTOCOL_VERSION];
    struct tn_http_value        other = tn_http_header(conn, SLICE_LIT("X-Other"));
    char                        text[256];
    int                         len;

    assert_true((known->count > 0) == (known->value.at != NULL));
    assert_int_equal(tn_http_header(conn, SLICE_LIT("MCP-Protocol-Version")).count, known->count);
    len = snprintf(text, sizeof text, "%zu:%.*s|%zu:%.*s|%zu", known->count, (int)known->value.len,
                   known->value.at, other.count, (int)other.value.len, other.value.at,
                   tn_http_known(conn)[FIELD_ORIGIN].count);
    tn_http_answer(conn, 200, NULL, "text/plain", (struct tn_slice){ text, (size_t)len });
}

static void on_request(void *user, struct tn_http_conn *conn)
{
    struct rig     *rig  = user;
    struct tn_slice path = tn_http_request_of(conn)->path;

    rig->requests++;
    assert_null(*tn_http_data(conn));
    if (tn_slice_is(path, "/later") || tn_slice_is(path, "/stream")) {
        assert_true(rig->waiting_count < RIG_WAITING);
        *tn_http_data(conn)                = &rig->waiting[rig->waiting_count];
        rig->waiting[rig->waiting_count++] = conn;
        if (tn_slice_is(path, "/stream"))
            rig->streamed = tn_http_stream_begin(conn, "X-Stream: yes\r\n");
        if (tn_slice_is(path, "/stream") && !rig->streamed)
            tn_http_answer(conn, 503, NULL, NULL, SLICE_LIT(""));
    } else if (tn_slice_is(path, "/large")) {
        answer_large(conn);
    } else if (tn_slice_is(path, "/fields")) {
        answer_fields(conn);
    } else if (tn_slice_is(path, "/empty")) {
        tn_http_answer(conn, 202, NULL, NULL, SLICE_LIT(""));
    } else if (tn_slice_is(path, "/none")) {
        tn_http_answer(conn, 204, NULL, NULL, SLICE_LIT(""));
    } else if (tn_slice_is(path, "/abort")) {
        tn_http_abort(rig->server);
        tn_http_answer(conn, 200, NULL, NULL, SLICE_LIT(""));
    } else if (tn_slice_is(path, "/echo") || tn_slice_is(path, "*") || tn_slice_is(path, "/")) {
        answer_echo(conn);
    } else {
        tn_http_answer(conn, 404, NULL, NULL, SLICE_LIT(""));
    }
}

static void on_done(void *user, struct tn_http_conn *conn, bool gone)
{
    struct rig *rig = user;

    if (gone)
        rig->gone++;
    else
        rig->answered++;
    if (*tn_http_data(conn))
        *(struct tn_http_conn **)*tn_http_data(conn) = NULL;
}

static void on_stopped(void *user)
{
    ((struct rig *)user)->closed = true;
}

void rig_start(struct rig *rig, const struct tn_http_limits *limits)
{
    const struct tn_http_handler handler = { on_head, on_request, on_done, rig, NULL };
    tenon_allocator              memory;
    const char                  *error = NULL;

    signal(SIGPIPE, SIG_IGN);
    memset(rig, 0, sizeof *rig);
    memory = tn_fault_allocator(&rig->fault);
    assert_int_equal(tn_loop_init(&rig->loop, &memory), TENON_OK);
    assert_int_equal(tn_http_listen(&rig->server, &rig->loop, "127.0.0.1", "0", false, limits, &handler,
                                    &error),
                     TENON_OK);
    assert_null(error);
    assert_int_not_equal(tn_http_port(rig->server), 0);
}

void rig_pump(struct rig *rig)
{
    tn_loop_run(&rig->loop, UV_RUN_NOWAIT);
}

bool rig_patience(struct rig *rig, uint64_t *since)
{
    rig_pump(rig);
    if (*since == 0)
        *since = uv_hrtime();
    if (uv_hrtime() - *since > 2000000)
        usleep(500);
    return uv_hrtime() - *since < (uint64_t)RIG_PATIENCE_MS * 1000000;
}

void rig_stop(struct rig *rig)
{
    if (!rig->closed) {
        tn_http_stop(rig->server, on_stopped, rig);
        RIG_UNTIL(rig, rig->closed);
    }
    assert_int_equal(tn_http_counts_of(rig->server).connections, 0);
    assert_int_equal(tn_http_counts_of(rig->server).streams, 0);
    assert_int_equal(rig->admitted, rig->answered + rig->gone);
    tn_http_free(rig->server);
    tn_loop_free(&rig->loop);
    assert_int_equal(rig->fault.blocks, 0);
    assert_int_equal(rig->fault.bytes, 0);
}

void peer_open(struct peer *client, struct rig *rig)
{
    struct sockaddr_in address = { .sin_family      = AF_INET,
                                   .sin_port        = htons((uint16_t)tn_http_port(rig->server)),
                                   .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };

    *client = (struct peer){ .rig = rig, .fd = socket(AF_INET, SOCK_STREAM, 0) };
    assert_true(client->fd >= 0);
    assert_int_equal(connect(client->fd, (struct sockaddr *)&address, sizeof address), 0);
    assert_int_equal(fcntl(client->fd, F_SETFL, O_NONBLOCK), 0);
}

void peer_send(struct peer *client, const char *bytes, size_t len)
{
    uint64_t since = 0;

    while (len > 0) {
        ssize_t sent = send(client->fd, bytes, len, MSG_NOSIGNAL);

        if (sent < 0 && errno != EAGAIN)
            return;
        if (sent > 0) {
            bytes += sent;
            len -= (size_t)sent;
        }
        assert_true(rig_patience(client->rig, &since));
    }
}

void peer_say(struct peer *client, const char *text)
{
    peer_send(client, text, strlen(text));
}

void peer_read(struct peer *client)
{
    ssize_t len;

    if (client->eof)
        return;
    if (client->room - client->len < 65536) {
        client->room = client->room ? client->room * 2 : 131072;
        client->in   = realloc(client->in, client->room);
    }
    len = recv(client->fd, client->in + client->len, client->room - client->len - 1, 0);
    if (len > 0)
        client->len += (size_t)len;
    else if (len == 0 || errno != EAGAIN)
        client->eof = true;
    client->in[client->len] = '\0';
}

void peer_close(struct peer *client)
{
    free(client->in);
    close(client->fd);
    *client = (struct peer){ .fd = -1 };
}

bool peer_has(struct peer *client, const char *text)
{
    peer_read(client);
    return client->len >= strlen(text) && memmem(client->in, client->len, text, strlen(text)) != NULL;
}

/* The end of a response that begins at `at`, or NULL. */
static const char *response_end(const char *at, const char *end, int status, bool eof)
{
    const char *blank = memmem(at, (size_t)(end - at), "\r\n\r\n", 4), *length, *body;

    if (!blank)
        return NULL;
    body = blank + 4;
    if (status < 200 || status == 204)
        return body;
    if (memmem(at, (size_t)(blank - at), "Transfer-Encoding: chunked", 26)) {
        const char *last = memmem(blank, (size_t)(end - blank), "\r\n0\r\n\r\n", 7);
        return last ? last + 7 : NULL;
    }
    length = memmem(at, (size_t)(body - at), "Content-Length: ", 16);
    if (!length)
        return eof ? end : NULL;
    return (size_t)(end - body) >= (size_t)atol(length + 16) ? body + atol(length + 16) : NULL;
}

const char *peer_summary(struct peer *client)
{
    static char text[65536];
    size_t      len = 0;
    const char *at, *end;

    peer_read(client);
    at  = client->in;
    end = client->in + client->len;
    while (at < end) {
        int         status = end - at > 12 && !strncmp(at, "HTTP/1.1 ", 9) ? atoi(at + 9) : -1;
        const char *next   = response_end(at, end, status, client->eof);

        assert_true(len < sizeof text - 64);
        len += (size_t)snprintf(text + len, sizeof text - len, next ? "%d " : "%d... ", status);
        if (!next)
            break;
        at = next;
    }
    snprintf(text + len, sizeof text - len, "%s", client->eof ? "closed" : "open");
    return text;
}

void peer_expect(struct peer *client, const char *want)
{
    uint64_t since = 0;

    while (strcmp(peer_summary(client), want) != 0)
        if (!rig_patience(client->rig, &since)) {
            print_message("%.2000s\n", client->in);
            assert_string_equal(peer_summary(client), want);
        }
}
