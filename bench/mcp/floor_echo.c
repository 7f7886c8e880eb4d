/* floor_echo.c - the least that a line server on libuv can do: every line that comes is answered with one of a real
 * answer's length. A floor to measure from, not a server.
 *
 *     floor_echo LENGTH
 */
#define _GNU_SOURCE
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include <uv.h>

static char   input[65536], answer[1 << 22], output[1 << 22];
static size_t answer_len;

static uv_pipe_t from, to;

static void give_room(uv_handle_t *handle, size_t wanted, uv_buf_t *room)
{
    (void)handle, (void)wanted;
    *room = uv_buf_init(input, sizeof input);
}

/* Writes everything; what does not fit waits, so that a reader on the same core gets its turn. */
static void flush(size_t len)
{
    for (size_t at = 0; at < len;) {
        uv_buf_t out  = uv_buf_init(output + at, (unsigned)(len - at));
        int      sent = uv_try_write((uv_stream_t *)&to, &out, 1);

        if (sent > 0)
            at += (size_t)sent;
        else if (sent != UV_EAGAIN || poll(&(struct pollfd){ .fd = 1, .events = POLLOUT }, 1, -1) < 0)
            exit(1);
    }
}

static void come(uv_stream_t *stream, ssize_t len, const uv_buf_t *bytes)
{
    size_t out = 0;

    if (len < 0) {
        uv_read_stop(stream);
        uv_stop(stream->loop);
        return;
    }
    for (const char *at = bytes->base, *end = at + len; (at = memchr(at, '\n', (size_t)(end - at))); at++) {
        if (out + answer_len > sizeof output) {
            flush(out);
            out = 0;
        }
        memcpy(output + out, answer, answer_len);
        out += answer_len;
    }
    flush(out);
}

int main(int argc, char **argv)
{
    answer_len = argc > 1 ? strtoul(argv[1], NULL, 10) : 300;
    if (answer_len >= sizeof answer)
        return 2;
    memset(answer, 'x', answer_len);
    answer[answer_len++] = '\n';
    uv_pipe_init(uv_default_loop(), &from, 0);
    uv_pipe_init(uv_default_loop(), &to, 0);
    uv_pipe_open(&from, 0);
    uv_pipe_open(&to, 1);
    uv_read_start((uv_stream_t *)&from, give_room, come);
    return uv_run(uv_default_loop(), UV_RUN_DEFAULT);
}
