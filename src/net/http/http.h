/* http.h - an HTTP/1.1 server on one loop: requests in, answers and event streams out. Of MCP it knows some names of
 * headers, and nothing else.
 *
 * One request of a connection is worked on at a time; pipelined ones wait. Everything here happens on the loop's thread.
 * Two steps for each request, so that an unauthenticated body is never read: `head` when the head is complete, `request` when
 * the body is. Every request that `head` let in ends with `done`, once: answered, streamed to its end, or gone.
 *
 * No function here calls the handler. `done` follows an answer given in `request` right after its return, and one given
 * later in the loop's next iteration; so does the next request. A connection that was closed, for whatever reason, may
 * still be answered until its `done`: it leads to nothing. A client that closes its sending half while it waits is
 * gone. The thread must block or ignore SIGPIPE.
 */
#ifndef NET_HTTP_HTTP_H
#define NET_HTTP_HTTP_H

#include "base/account.h"
#include "base/str.h"
#include "net/loop.h"

/* The most of each; zero is its default. */
struct tn_http_limits {
    size_t head_bytes;     /* request line and headers: 16 KiB, 431 */
    size_t headers;        /* 100, 431 */
    size_t body_bytes;     /* 4 MiB, 413 */
    size_t connections;    /* of this loop: 10,000; one more is answered 503 and closed */
    size_t streams;        /* open event streams of this loop: 1,024; tn_http_stream_begin() then refuses */
    size_t queue_bytes;    /* not taken yet by a client of a stream: 1 MiB, then it is closed */
    size_t pipeline_bytes; /* read ahead of the answer: 64 KiB, then reading pauses */
    int    head_ms, body_ms, idle_ms, write_ms; /* absolute: 10 s, 30 s, 75 s, 30 s without progress */
};

struct tn_http_conn;   /* a connection, and its present request */
struct tn_http_server; /* a listening address on one loop */

enum tn_http_method {
    HTTP_OTHER = 0,
    HTTP_IS_GET,
    HTTP_IS_POST,
    HTTP_IS_DELETE,
    HTTP_IS_HEAD,
    HTTP_IS_OPTIONS
};

struct tn_http_request {
    enum tn_http_method method;
    struct tn_slice path, query; /* as sent, without the '?'; an absolute target has been cut to its path */
    struct tn_slice host; /* of the Host header, or of an absolute target; exactly one is there in HTTP/1.1 */
    struct tn_slice body; /* complete in `request`; valid until it returns */
    size_t          body_announced; /* Content-Length, or 0 */
};

/* Headers that are found when the head is complete, and not when they are asked for. In the order of their lengths, on
 * which head.c relies. */
enum tn_http_field {
    FIELD_OTHER = 0,
    FIELD_HOST,
    FIELD_ACCEPT,
    FIELD_EXPECT,
    FIELD_ORIGIN,
    FIELD_MCP_NAME,
    FIELD_MCP_METHOD,
    FIELD_CONTENT_TYPE,
    FIELD_AUTHORIZATION,
    FIELD_LAST_EVENT_ID,
    FIELD_MCP_SESSION_ID,
    FIELD_TRANSFER_ENCODING,
    FIELD_MCP_PROTOCOL_VERSION,
    FIELD_COUNT
};

/* A header without spaces around its value: of several the first, and how many there are. `at` is NULL without one. */
struct tn_http_value {
    struct tn_slice value;
    size_t          count;
};

struct tn_http_handler {
    /* Returns 0 to read the body; or answers with tn_http_answer() and returns -1: the body is then not read, and the
     * connection closed behind the answer if there was one. */
    int (*head)(void *user, struct tn_http_conn *conn);
    void (*request)(void *user, struct tn_http_conn *conn);
    /* The request that `head` let in is over; with `gone`, before the handler answered it. `conn` must not be used after it. */
    void (*done)(void *user, struct tn_http_conn *conn, bool gone);
    void *user;

    struct ledger
        *ledger; /* of what connections hold, whose sums then bound connections and streams; or NULL */
};

/* Who pays for what a connection holds: bytes that were read and are kept, bytes that its client does not take, a stream. At
 * the beginning of each request its peer's address, from tn_http_pay() on the caller that the request was found to be of. NULL
 * without a ledger. */
struct tn_account *tn_http_payer(const struct tn_http_conn *conn);
void               tn_http_pay(struct tn_http_conn *conn, struct tn_account *account);

/* The caller that paid for the request before, who is likely to be that of this one; NULL when there was none. */
struct tn_account *tn_http_caller(const struct tn_http_conn *conn);

/* Listens on `host` (a numeric address, or a name that is resolved) and `port` ("0" for any). With `shared` several loops
 * may listen on the same address (SO_REUSEPORT). On failure *error is a sentence that names the address; static or in the
 * loop's memory until the next call. */
tenon_status tn_http_listen(struct tn_http_server **server, struct tn_loop *loop, const char *host,
                            const char *port, bool shared, const struct tn_http_limits *limits,
                            const struct tn_http_handler *handler, const char **error);
unsigned     tn_http_port(const struct tn_http_server *server);

/* Graceful: no new connections; idle ones are closed; running requests are answered with "Connection: close". `closed` is
 * called when the last connection is gone. tn_http_abort() closes what is left at once. */
void tn_http_stop(struct tn_http_server *server, void (*closed)(void *user), void *user);
void tn_http_abort(struct tn_http_server *server);
void tn_http_free(struct tn_http_server *server); /* after `closed` */

/* It and the header's values are there until `done`, but for the body. */
const struct tn_http_request *tn_http_request_of(const struct tn_http_conn *conn);

const struct tn_http_value *tn_http_known(const struct tn_http_conn *conn); /* a table: see enum http_field */
struct tn_http_value tn_http_header(const struct tn_http_conn *conn, struct tn_slice name); /* any other */
/* All of them, one after the other, as they came; false after the last. */
bool tn_http_header_at(const struct tn_http_conn *conn, size_t index, struct tn_slice *name,
                       struct tn_slice *value);

/* A place for the handler's own data about the present request; NULL when it begins. What `head` puts there, and returns 0,
 * is there until `done`. */
void **tn_http_data(struct tn_http_conn *conn);

/* Answers. `headers` are whole lines ("Allow: POST\r\n"), or NULL; `type` NULL for no Content-Type. The bytes are taken
 * before it returns. */
void tn_http_answer(struct tn_http_conn *conn, int status, const char *headers, const char *type,
                    struct tn_slice body);

/* An event stream in the place of an answer: false when there are too many (answer 503 then), or the client is gone. Bytes
 * are sent as they are (whole events); false once the client is gone or too slow. tn_http_stream_end() ends the response, and
 * the connection may be used on. */
bool tn_http_stream_begin(struct tn_http_conn *conn, const char *headers);
bool tn_http_stream_send(struct tn_http_conn *conn, struct tn_slice bytes);
void tn_http_stream_end(struct tn_http_conn *conn);

struct tn_http_counts {
    size_t   connections, streams;
    uint64_t accepted, refused, requests, bytes_in, bytes_out, time_outs, malformed;
};
struct tn_http_counts tn_http_counts_of(const struct tn_http_server *server); /* by any thread */

#endif
