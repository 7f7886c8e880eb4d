/* floor_http.c - the least that a server on libuv and llhttp can do: every POST gets the same bytes, of the length of a
 * real answer. No limits, no time-outs, no errors: a floor to measure from, not a server.
 *
 *     floor_http LENGTH     prints the port it listens on
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <llhttp.h>
#include <uv.h>

static char              answer[65536];
static size_t            answer_len;
static char              input[65536];
static llhttp_settings_t settings;

struct conn {
    uv_tcp_t tcp;
    llhttp_t parser;
};

static void closed(uv_handle_t *handle)
{
    free(handle->data);
}

static int complete(llhttp_t *parser)
{
    struct conn *conn = parser->data;
    uv_buf_t     out  = uv_buf_init(answer, (unsigned)answer_len);

    uv_try_write((uv_stream_t *)&conn->tcp, &out, 1);
    return 0;
}

static void give_room(uv_handle_t *handle, size_t wanted, uv_buf_t *room)
{
    (void)handle, (void)wanted;
    *room = uv_buf_init(input, sizeof input);
}

static void come(uv_stream_t *stream, ssize_t len, const uv_buf_t *bytes)
{
    struct conn *conn = stream->data;

    if (len < 0 || llhttp_execute(&conn->parser, bytes->base, (size_t)len) != HPE_OK)
        uv_close((uv_handle_t *)stream, closed);
}

static void accept_one(uv_stream_t *listener, int status)
{
    struct conn *conn = calloc(1, sizeof *conn);

    (void)status;
    uv_tcp_init(listener->loop, &conn->tcp);
    conn->tcp.data = conn;
    llhttp_init(&conn->parser, HTTP_REQUEST, &settings);
    conn->parser.data = conn;
    uv_accept(listener, (uv_stream_t *)&conn->tcp);
    uv_tcp_nodelay(&conn->tcp, 1);
    uv_read_start((uv_stream_t *)&conn->tcp, give_room, come);
}

int main(int argc, char **argv)
{
    size_t             len = argc > 1 ? strtoul(argv[1], NULL, 10) : 300;
    struct sockaddr_in address;
    int                address_len = sizeof address;
    uv_tcp_t           listener;

    answer_len = (size_t)snprintf(
        answer, sizeof answer,
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %zu\r\n\r\n", len);
    memset(answer + answer_len, 'x', len);
    answer_len += len;
    llhttp_settings_init(&settings);
    settings.on_message_complete = complete;
    uv_tcp_init(uv_default_loop(), &listener);
    uv_ip4_addr("127.0.0.1", 0, &address);
    uv_tcp_bind(&listener, (const struct sockaddr *)&address, 0);
    uv_listen((uv_stream_t *)&listener, 4096, accept_one);
    uv_tcp_getsockname(&listener, (struct sockaddr *)&address, &address_len);
    printf("listening on http://127.0.0.1:%d/mcp\n", (address.sin_port & 0xff) << 8 | address.sin_port >> 8);
    fflush(stdout);
    return uv_run(uv_default_loop(), UV_RUN_DEFAULT);
}
