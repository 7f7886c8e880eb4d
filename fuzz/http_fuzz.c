/* http_fuzz.c - two bytes, then what a client sends: the answers do not depend on how it is cut, every request that began
 * ends once, and nothing is left behind. The first byte chooses tight or ample limits, the second how to cut. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "net/http/conn.h"
#include "support/fault.h"

#define INPUT_MAX  ((size_t)4096) /* ample limits are beyond it */
#define OUTPUT_MAX ((size_t)1 << 20)
#define ROUNDS     4 /* without any progress, then nothing more happens */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

static const struct tn_http_limits tight = {
    .head_bytes = 128, .headers = 5, .body_bytes = 32, .pipeline_bytes = 64, .streams = 1
};
static const struct tn_http_limits ample = { .head_bytes = 2 * INPUT_MAX, .headers = 2000 };

struct bench {
    struct tn_fault        fault;
    struct tn_loop         loop;
    struct tn_http_server *server;
    struct tn_http_conn   *waiting;
    size_t                 begun, over, progress;
    bool                   closed;
};

static void demand(bool holds)
{
    if (!holds)
        abort();
}

static int on_head(void *user, struct tn_http_conn *conn)
{
    const struct tn_http_request *request = tn_http_request_of(conn);
    struct tn_http_value          coding  = tn_http_header(conn, SLICE_LIT("Transfer-Encoding"));

    demand(request->path.len > 0 && (request->path.at[0] == '/' || tn_slice_is(request->path, "*")));
    demand(!memchr(request->path.at, '?', request->path.len));
    demand(tn_http_header(conn, SLICE_LIT("Host")).count <= 1);
    demand(tn_http_header(conn, SLICE_LIT("Content-Length")).count <= 1);
    demand(coding.count == 0 || tn_slice_fold_equal(coding.value, SLICE_LIT("chunked")));
    if (!tn_slice_is(request->path, "/n")) {
        ((struct bench *)user)->begun++;
        return 0;
    }
    tn_http_answer(conn, 401, "WWW-Authenticate: Bearer\r\n", NULL, SLICE_LIT("no"));
    return -1;
}

static void on_request(void *user, struct tn_http_conn *conn)
{
    struct bench                 *bench   = user;
    const struct tn_http_request *request = tn_http_request_of(conn);

    bench->progress++;
    demand(request->body.len <= conn->server->limits.body_bytes);
    demand(!conn->request.body_announced || request->body.len == request->body_announced);
    if (tn_slice_is(request->path, "/l")) {
        demand(!bench->waiting);
        bench->waiting = conn;
    } else if (tn_slice_is(request->path, "/s") && tn_http_stream_begin(conn, NULL)) {
        tn_http_stream_send(conn, request->body);
        tn_http_stream_end(conn);
    } else {
        tn_http_answer(conn, 200, NULL, "text/plain", request->body);
    }
}

static void on_done(void *user, struct tn_http_conn *conn, bool gone)
{
    struct bench *bench = user;

    (void)gone;
    bench->over++;
    bench->progress++;
    if (bench->waiting == conn)
        bench->waiting = NULL;
}

static void on_closed(void *user)
{
    ((struct bench *)user)->closed = true;
}

static void begin(struct bench *bench, const struct tn_http_limits *limits)
{
    const struct tn_http_handler handler = { on_head, on_request, on_done, bench, NULL };
    tenon_allocator              memory  = tn_fault_allocator(&bench->fault);
    const char                  *error;

    signal(SIGPIPE, SIG_IGN);
    demand(tn_loop_init(&bench->loop, &memory) == TENON_OK);
    demand(tn_http_listen(&bench->server, &bench->loop, "127.0.0.1", "0", false, limits, &handler, &error) ==
           TENON_OK);
}

/* Until nothing happens any more. What waits for its answer gets it meanwhile. */
static size_t settle(struct bench *bench, int fd, char *out, size_t got)
{
    for (int quiet = 0; quiet < ROUNDS; quiet++) {
        size_t  before = bench->progress + (size_t)tn_http_counts_of(bench->server).bytes_in;
        ssize_t len;

        tn_loop_run(&bench->loop, UV_RUN_NOWAIT);
        len = recv(fd, out + got, OUTPUT_MAX - got, MSG_DONTWAIT);
        got += len > 0 ? (size_t)len : 0;
        if (bench->waiting) {
            struct tn_http_conn *conn = bench->waiting;

            bench->waiting = NULL;
            tn_http_answer(conn, 202, NULL, NULL, SLICE_LIT(""));
            quiet = 0;
        }
        if (len > 0 || before != bench->progress + (size_t)tn_http_counts_of(bench->server).bytes_in)
            quiet = 0;
    }
    return got;
}

/* Sends all, in pieces when `seed` is not 0, and returns how much came back. */
static size_t talk(struct bench *bench, const char *at, size_t len, unsigned seed, char *out)
{
    int    ends[2];
    size_t got = 0;

    demand(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    tn_http_adopt(bench->server, ends[0]);
    while (len > 0) {
        size_t  piece = seed ? 1 + (seed >> 8) % (1 + seed % 37) : len;
        ssize_t sent  = send(ends[1], at, piece < len ? piece : len, MSG_NOSIGNAL | MSG_DONTWAIT);

        seed = seed ? seed * 1103515245u + 12345u : 0;
        if (sent <= 0)
            break; /* the server is not interested any more */
        at += sent;
        len -= (size_t)sent;
        if (seed)
            tn_loop_run(&bench->loop, UV_RUN_NOWAIT);
    }
    got = settle(bench, ends[1], out, got);
    close(ends[1]);
    while (tn_http_counts_of(bench->server).connections > 0)
        tn_loop_run(&bench->loop, UV_RUN_NOWAIT);
    demand(bench->begun == bench->over && !bench->waiting && tn_http_counts_of(bench->server).streams == 0);
    return got;
}

static void end(struct bench *bench)
{
    tn_http_stop(bench->server, on_closed, bench);
    tn_loop_run(&bench->loop, UV_RUN_DEFAULT);
    demand(bench->closed);
    tn_http_free(bench->server);
    tn_loop_free(&bench->loop);
    demand(bench->fault.blocks == 0 && bench->fault.bytes == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    static char  whole[OUTPUT_MAX], pieces[OUTPUT_MAX];
    struct bench bench = { .closed = false };
    size_t       first, second;

    if (len < 2 || len > INPUT_MAX)
        return 0;
    begin(&bench, data[0] & 1 ? &tight : &ample);
    first  = talk(&bench, (const char *)data + 2, len - 2, 0, whole);
    second = talk(&bench, (const char *)data + 2, len - 2, data[1] + 1u, pieces);
    if (!(data[0] & 1))
        demand(first == second && memcmp(whole, pieces, first) == 0);
    end(&bench);
    return 0;
}
