/* floor_http.c - the least that a server on libuv and llhttp can do: every POST gets the same bytes, of the length of a
 * real answer. No limits, no time-outs, no errors: a floor to measure from, not a server.
 *
 *     floor_http LENGTH [LOOPS]     prints the address it listens on; each loop is a thread with a listener of its own
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include <llhttp.h>
#include <uv.h>

#define LOOPS_MAX 64
#define BACKLOG   4096

static char              answer[65536];
static size_t            answer_len;
static llhttp_settings_t settings;

static _Thread_local char input[65536];

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

/* A listener on `port`, which it shares with those of the other loops; 0 takes a free one, and puts it there. It listens
 * from here on, so that a client that read the address can connect before a loop runs. */
static int listen_on(uint16_t *port)
{
    struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons(*port) };
    socklen_t          len     = sizeof address;
    int                one = 1, fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_REUSEPORT, &one, sizeof one) != 0 ||
        bind(fd, (struct sockaddr *)&address, len) != 0 || listen(fd, BACKLOG) != 0 ||
        getsockname(fd, (struct sockaddr *)&address, &len) != 0) {
        perror("floor_http");
        exit(1);
    }
    *port = ntohs(address.sin_port);
    return fd;
}

static void serve(void *fd)
{
    uv_loop_t loop;
    uv_tcp_t  listener;

    uv_loop_init(&loop);
    uv_tcp_init(&loop, &listener);
    uv_tcp_open(&listener, *(int *)fd);
    uv_listen((uv_stream_t *)&listener, BACKLOG, accept_one);
    uv_run(&loop, UV_RUN_DEFAULT);
}

int main(int argc, char **argv)
{
    size_t      len   = argc > 1 ? strtoul(argv[1], NULL, 10) : 300;
    size_t      loops = argc > 2 ? strtoul(argv[2], NULL, 10) : 1;
    int         fds[LOOPS_MAX];
    uv_thread_t thread;
    uint16_t    port = 0;

    answer_len = (size_t)snprintf(
        answer, sizeof answer,
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %zu\r\n\r\n", len);
    memset(answer + answer_len, 'x', len);
    answer_len += len;
    llhttp_settings_init(&settings);
    settings.on_message_complete = complete;
    for (size_t i = 0; i < loops && i < LOOPS_MAX; i++)
        fds[i] = listen_on(&port);
    printf("listening on http://127.0.0.1:%d/mcp\n", port);
    fflush(stdout);
    for (size_t i = 1; i < loops && i < LOOPS_MAX; i++)
        uv_thread_create(&thread, serve, &fds[i]);
    serve(&fds[0]);
    return 0;
}
