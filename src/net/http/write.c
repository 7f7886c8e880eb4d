/* write.c - answers and event streams to bytes.
 *
 * What the system takes at once is not copied, but for short answers, which are cheaper to write from one place; what is
 * left waits in a block of its own, and is counted.
 */
#define _GNU_SOURCE
#include <assert.h>
#include <string.h>

#include "base/memory.h"
#include "net/http/conn.h"

#define TYPE_MAX       100 /* of a content type */
#define HEAD_LINES_MAX 320 /* of our own lines: status, type, length, connection */
#define JOIN_MAX       2048

/* Bytes that wait for a client, and libuv's request for them. */
struct unsent {
    uv_write_t           write;
    struct tn_http_conn *conn;
    struct tn_account   *payer; /* held */
    size_t               len;
    char                 bytes[];
};

static void free_unsent(struct unsent *unsent)
{
    tn_account_give(unsent->payer, HELD_OUTGOING, unsent->len);
    tn_account_release(unsent->payer);
    tn_memory_scrub(unsent->bytes, unsent->len);
    tn_memory_free(&unsent->conn->server->loop->memory, unsent, sizeof *unsent + unsent->len);
}

/* The words of the protocol, and one line for who reads the body of a refusal. */
static const struct write_word {
    int         status;
    const char *line, *refusal;
} words[] = {
    { 200, "HTTP/1.1 200 OK\r\n", NULL },
    { 202, "HTTP/1.1 202 Accepted\r\n", NULL },
    { 204, "HTTP/1.1 204 No Content\r\n", NULL },
    { 301, "HTTP/1.1 301 Moved Permanently\r\n", NULL },
    { 302, "HTTP/1.1 302 Found\r\n", NULL },
    { 304, "HTTP/1.1 304 Not Modified\r\n", NULL },
    { 307, "HTTP/1.1 307 Temporary Redirect\r\n", NULL },
    { 308, "HTTP/1.1 308 Permanent Redirect\r\n", NULL },
    { 400, "HTTP/1.1 400 Bad Request\r\n", "This is not a well-formed HTTP/1.1 request.\n" },
    { 401, "HTTP/1.1 401 Unauthorized\r\n", NULL },
    { 403, "HTTP/1.1 403 Forbidden\r\n", NULL },
    { 404, "HTTP/1.1 404 Not Found\r\n", NULL },
    { 405, "HTTP/1.1 405 Method Not Allowed\r\n", NULL },
    { 406, "HTTP/1.1 406 Not Acceptable\r\n", NULL },
    { 408, "HTTP/1.1 408 Request Timeout\r\n", "The request was not complete in time.\n" },
    { 409, "HTTP/1.1 409 Conflict\r\n", NULL },
    { 410, "HTTP/1.1 410 Gone\r\n", NULL },
    { 413, "HTTP/1.1 413 Content Too Large\r\n",
      "The body of the request is larger than this server allows.\n" },
    { 415, "HTTP/1.1 415 Unsupported Media Type\r\n", NULL },
    { 417, "HTTP/1.1 417 Expectation Failed\r\n",
      "This server supports only the expectation 100-continue.\n" },
    { 421, "HTTP/1.1 421 Misdirected Request\r\n", NULL },
    { 422, "HTTP/1.1 422 Unprocessable Content\r\n", NULL },
    { 429, "HTTP/1.1 429 Too Many Requests\r\n", NULL },
    { 431, "HTTP/1.1 431 Request Header Fields Too Large\r\n",
      "The head of the request is larger than this server allows.\n" },
    { 500, "HTTP/1.1 500 Internal Server Error\r\n", "The server failed.\n" },
    { 501, "HTTP/1.1 501 Not Implemented\r\n",
      "This server does not know that method or transfer coding.\n" },
    { 502, "HTTP/1.1 502 Bad Gateway\r\n", NULL },
    { 503, "HTTP/1.1 503 Service Unavailable\r\n",
      "The server has no room for this now; try again later.\n" },
    { 504, "HTTP/1.1 504 Gateway Timeout\r\n", NULL },
    { 505, "HTTP/1.1 505 HTTP Version Not Supported\r\n", "This server speaks HTTP/1.1 and HTTP/1.0.\n" },
};

static const struct write_word *word_for(int status)
{
    static const struct write_word other = { 500, "HTTP/1.1 500 Internal Server Error\r\n", NULL };

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (words[i].status == status)
            return &words[i];
    assert(status == 500 && "a status that the table has no words for");
    return &other;
}

size_t tn_write_unsent(const struct tn_http_conn *conn)
{
    return uv_stream_get_write_queue_size((const uv_stream_t *)&conn->tcp);
}

static void on_written(uv_write_t *write, int status)
{
    struct unsent       *unsent = (struct unsent *)write;
    struct tn_http_conn *conn   = unsent->conn;

    free_unsent(unsent);
    if (conn->phase == PHASE_CLOSED)
        return;
    if (status < 0)
        tn_conn_close(conn);
    else if (tn_write_unsent(conn) == 0)
        tn_conn_flushed(conn);
}

/* What is left of the parts behind their first `sent` bytes. */
static bool queue_rest(struct tn_http_conn *conn, const uv_buf_t *parts, unsigned count, size_t sent,
                       size_t len)
{
    struct unsent *unsent = NULL;
    uv_buf_t       rest;
    size_t         at = 0;

    if (!tn_account_take(conn->payer, HELD_OUTGOING, len)) /* its caller leaves too much for us to keep */
        return false;
    unsent = tn_memory_new(&conn->server->loop->memory, sizeof *unsent + len);
    if (!unsent) {
        tn_account_give(conn->payer, HELD_OUTGOING, len);
        return false;
    }
    tn_account_hold(conn->payer);
    unsent->payer = conn->payer;
    unsent->conn  = conn;
    unsent->len   = len;
    for (unsigned i = 0; i < count; i++) {
        size_t skip = sent < parts[i].len ? sent : parts[i].len;

        if (parts[i].len > skip)
            memcpy(unsent->bytes + at, parts[i].base + skip, parts[i].len - skip);
        at += parts[i].len - skip;
        sent -= skip;
    }
    if (tn_write_unsent(conn) == 0)
        conn->write_deadline = tn_conn_due(conn, conn->server->limits.write_ms);
    rest.base = unsent->bytes;
    rest.len  = len;
    if (uv_write(&unsent->write, (uv_stream_t *)&conn->tcp, &rest, 1, on_written) == 0)
        return true;
    free_unsent(unsent);
    return false;
}

static void write_join(char *to, const uv_buf_t *parts, unsigned count)
{
    for (unsigned i = 0; i < count; to += parts[i++].len)
        if (parts[i].len > 0)
            memcpy(to, parts[i].base, parts[i].len);
}

/* Sends what the system takes, and keeps the rest. */
static bool send_parts(struct tn_http_conn *conn, uv_buf_t *parts, unsigned count, size_t total)
{
    int sent = uv_try_write((uv_stream_t *)&conn->tcp, parts, count); /* UV_EAGAIN while something waits */

    if (sent < 0)
        sent = sent == UV_EAGAIN ? 0 : -1;
    conn->handed += total;
    COUNT_ADD(conn->server->counts.bytes_out, total);
    if (sent >= 0 && (size_t)sent == total)
        return true;
    if (sent >= 0 && queue_rest(conn, parts, count, (size_t)sent, total - (size_t)sent))
        return true;
    tn_conn_close(conn);
    return false;
}

bool tn_write_parts(struct tn_http_conn *conn, uv_buf_t *parts, unsigned count)
{
    char     joined[JOIN_MAX];
    uv_buf_t whole = { .base = joined };
    size_t   total = 0;
    bool     open;

    if (conn->phase == PHASE_CLOSED)
        return false;
    for (unsigned i = 0; i < count; i++)
        total += parts[i].len;
    if (count == 1 || total > sizeof joined)
        return send_parts(conn, parts, count, total);
    write_join(joined, parts, count);
    whole.len = total;
    open      = send_parts(conn, &whole, 1, total);
    tn_memory_scrub(joined, total); /* an answer may repeat what only its caller should know */
    return open;
}

/* libuv does not write into what it is given. */
static uv_buf_t write_part(const char *at, size_t len)
{
    return (uv_buf_t){ .base = (char *)at, .len = len };
}

/* Our own short texts; the lines have room for all of them, and for a NUL. */
static inline char *write_put(char *to, const char *text)
{
    size_t len = strlen(text);

    memcpy(to, text, len + 1);
    return to + len;
}

static char *put_number(char *to, size_t number, unsigned base)
{
    char   digits[24];
    size_t len = 0;

    do
        digits[len++] = "0123456789abcdef"[number % base];
    while ((number /= base) > 0);
    while (len > 0)
        *to++ = digits[--len];
    return to;
}

static char *put_connection(char *to, const struct tn_http_conn *conn)
{
    if (!conn->keep)
        return write_put(to, "Connection: close\r\n");
    return conn->old ? write_put(to, "Connection: keep-alive\r\n") : to;
}

/* The answer's bytes, to the present request or to what could not be read as one. */
static void write_answer(struct tn_http_conn *conn, int status, const char *headers, const char *type,
                         struct tn_slice body)
{
    bool     empty = status == 204 || status == 304;
    char     lines[HEAD_LINES_MAX], *at = write_put(lines, word_for(status)->line);
    uv_buf_t parts[4];
    unsigned count = 0;

    assert(!type || strlen(type) <= TYPE_MAX);
    if (type && strlen(type) <= TYPE_MAX)
        at = write_put(write_put(write_put(at, "Content-Type: "), type), "\r\n");
    if (!empty)
        at = write_put(put_number(write_put(at, "Content-Length: "), body.len, 10), "\r\n");
    at = put_connection(at, conn);
    if (!headers)
        at = write_put(at, "\r\n");
    parts[count++] = write_part(lines, (size_t)(at - lines));
    if (headers) {
        parts[count++] = write_part(headers, strlen(headers));
        parts[count++] = write_part("\r\n", 2);
    }
    if (body.len > 0 && !empty && conn->request.method != HTTP_IS_HEAD)
        parts[count++] = write_part(body.at, body.len);
    tn_write_parts(conn, parts, count);
}

/* The request is answered. Within `head` and `request`, their caller goes on when they have returned. */
static void end_answer(struct tn_http_conn *conn)
{
    if (conn->done_due == DONE_GONE)
        conn->done_due = DONE_ANSWERED;
    if (conn->phase == PHASE_CLOSED)
        return;
    conn->phase    = PHASE_OVER;
    conn->deadline = 0;
    if (conn->server->handling != conn)
        tn_http_server_enqueue(conn);
}

void tn_http_answer(struct tn_http_conn *conn, int status, const char *headers, const char *type,
                    struct tn_slice body)
{
    bool leaves_body = conn->phase == PHASE_ADMIT && conn->has_body;

    if (conn->phase == PHASE_CLOSED)
        return;
    assert((conn->phase == PHASE_RUNNING || conn->phase == PHASE_ADMIT) && "a request is answered once");
    if (conn->phase != PHASE_RUNNING && conn->phase != PHASE_ADMIT)
        return;
    if (leaves_body)
        conn->linger = true;
    if (conn->server->stopping || leaves_body)
        conn->keep = false;
    write_answer(conn, status, headers, type, body);
    end_answer(conn);
}

void tn_write_refusal(struct tn_http_conn *conn, int status)
{
    const struct write_word *word = word_for(status);

    conn->keep           = false;
    conn->linger         = true;
    conn->request.method = HTTP_OTHER; /* of a head that is not complete nothing holds */
    write_answer(conn, status, NULL, "text/plain; charset=utf-8",
                 tn_slice_of(word->refusal ? word->refusal : ""));
    if (conn->phase == PHASE_CLOSED)
        return;
    conn->phase = PHASE_OVER;
    tn_conn_over(conn);
}

bool tn_write_continue(struct tn_http_conn *conn)
{
    uv_buf_t one = write_part("HTTP/1.1 100 Continue\r\n\r\n", 25);

    return tn_write_parts(conn, &one, 1);
}

void tn_stream_over(struct tn_http_conn *conn)
{
    COUNT_SUB(conn->server->counts.streams, 1);
    tn_account_give(conn->streamer, HELD_STREAMS, 1);
    tn_account_release(conn->streamer);
    conn->streamer = NULL;
}

bool tn_http_stream_begin(struct tn_http_conn *conn, const char *headers)
{
    struct tn_http_server *server = conn->server;
    char                   lines[HEAD_LINES_MAX], *at = write_put(lines, word_for(200)->line);
    uv_buf_t               parts[3];

    if (conn->phase == PHASE_CLOSED ||
        (!server->handler.ledger && server->counts.streams >= server->limits.streams) ||
        !tn_account_take(conn->payer, HELD_STREAMS, 1))
        return false;
    conn->streamer = conn->payer;
    tn_account_hold(conn->streamer);
    assert(conn->phase == PHASE_RUNNING);
    if (conn->old || server->stopping)
        conn->keep = false; /* the end of an old client's stream is the end of its connection */
    at = write_put(at, "Content-Type: text/event-stream\r\nCache-Control: no-store\r\n");
    if (!conn->old)
        at = write_put(at, "Transfer-Encoding: chunked\r\n");
    at       = put_connection(at, conn);
    parts[0] = write_part(lines, (size_t)(at - lines));
    parts[1] = write_part(headers ? headers : "", headers ? strlen(headers) : 0);
    parts[2] = write_part("\r\n", 2);
    COUNT_ADD(server->counts.streams, 1);
    if (!tn_write_parts(conn, parts, 3)) {
        tn_stream_over(conn);
        return false;
    }
    conn->phase          = PHASE_STREAM;
    conn->write_deadline = tn_conn_due(conn, server->limits.write_ms);
    return true;
}

bool tn_http_stream_send(struct tn_http_conn *conn, struct tn_slice bytes)
{
    char     size[24], *end;
    uv_buf_t parts[3];

    if (conn->phase != PHASE_STREAM)
        return false;
    if (bytes.len == 0 || conn->request.method == HTTP_IS_HEAD)
        return true;
    if (tn_write_unsent(conn) >
        conn->server->limits.queue_bytes) { /* so that a single message may be longer */
        tn_conn_close(conn);
        return false;
    }
    if (conn->old) {
        parts[0] = write_part(bytes.at, bytes.len);
        return tn_write_parts(conn, parts, 1);
    }
    end      = write_put(put_number(size, bytes.len, 16), "\r\n");
    parts[0] = write_part(size, (size_t)(end - size));
    parts[1] = write_part(bytes.at, bytes.len);
    parts[2] = write_part("\r\n", 2);
    return tn_write_parts(conn, parts, 3);
}

void tn_http_stream_end(struct tn_http_conn *conn)
{
    uv_buf_t last = write_part("0\r\n\r\n", 5);

    if (conn->phase != PHASE_STREAM)
        return;
    tn_stream_over(conn);
    conn->phase = PHASE_RUNNING; /* not a stream any more, whatever becomes of the last bytes */
    if (!conn->old && conn->request.method != HTTP_IS_HEAD)
        tn_write_parts(conn, &last, 1);
    end_answer(conn);
}
