/* conn.h - the inside of the HTTP server: a connection's life, shared by the files that serve it.
 *
 *   http.c        the server: accepting, sweeping, stopping      socket.c  the address that it listens on
 *   conn.c   bytes in, what waits, closing                  parse.c   bytes to requests (llhttp)
 *   head.c   the head of one request                        write.c   answers and streams to bytes
 *   account.c  who pays for what it holds
 *
 * No function of http.h calls the handler: what follows from an answer happens after `request`, or in the loop's next
 * iteration when the answer came later. `done` for a client that is gone comes when its handle is closed.
 *
 * A connection has one request handled in a turn of the loop, however many it sent at once. When more wait, it goes to
 * the end of a queue, of which each turn handles one request of each connection, and new bytes of all others are read
 * between two turns.
 */
#ifndef NET_HTTP_CONN_H
#define NET_HTTP_CONN_H

#include <llhttp.h>

#include "net/http/http.h"

#define HTTP_READ_BYTES   ((size_t)64 << 10) /* of the buffer that all connections read into */
#define HTTP_LINGER_BYTES ((size_t)1 << 20)  /* thrown away behind a last answer, so that it can be read */
#define HTTP_LINGER_MS    2000
#define HTTP_SURPLUS      64 /* connections over the limit that are answered so; more are just closed */
#define HTTP_SPARE_HEADS  64 /* kept for the next requests: 2 % of a call */

enum tn_phase {
    PHASE_IDLE, /* between requests */
    PHASE_HEAD,
    PHASE_ADMIT, /* `head` is on the stack */
    PHASE_BODY,
    PHASE_RUNNING, /* `request` was called, and nothing answered yet */
    PHASE_STREAM,
    PHASE_OVER,   /* answered; what follows from it is due */
    PHASE_FLUSH,  /* the answer is not sent whole: the next request waits */
    PHASE_LAST,   /* the same, and the connection is closed then */
    PHASE_LINGER, /* sent; what still comes in is thrown away */
    PHASE_CLOSED
};

/* What the handler is owed: `done` of a request that its `head` let in. */
enum tn_done_due {
    DONE_NOT_DUE = 0,
    DONE_GONE, /* as long as it is not answered */
    DONE_ANSWERED
};

/* A piece of a head: where it begins among the bytes that came. */
struct tn_head_span {
    uint32_t at, len;
};

struct tn_head_field {
    struct tn_head_span name, value;
};

/* One request's head as it came; the table of fields grows down from the block's end. While a piece of it is parsed, its
 * spans already count from where its bytes will be. */
struct tn_http_head {
    struct tn_http_head *next;                  /* when it is spare */
    size_t               room, len, count, end; /* bytes kept, fields, and where the last span ends */
    struct tn_head_span  target;
    struct tn_http_value known[FIELD_COUNT]; /* when it is complete */
    _Alignas(8) char bytes[];
};

struct tn_http_conn {
    uv_tcp_t               tcp;
    llhttp_t               parser;
    struct tn_http_server *server;
    struct tn_http_conn   *prev, *next;
    struct tn_http_conn   *prev_turn, *next_turn; /* in the queue */

    enum tn_phase    phase;
    enum tn_done_due done_due;
    int  failed; /* status of what a callback of the parser refused; 0 for what the parser itself did */
    bool keep;   /* use the connection on behind this answer */
    bool linger; /* there may be unread bytes: closing at once would take the answer away from the client */
    bool eof;    /* the client sends nothing more */
    bool old;    /* HTTP/1.0 */
    bool has_body, reading, surplus;

    uint64_t deadline;             /* of the phase, in the loop's time; 0 for none */
    uint64_t handed, taken;        /* bytes given to the client so far, and taken by it when last looked */
    uint64_t write_deadline;       /* for it to take more of what waits */
    size_t   head_seen, body_seen; /* bytes as they came, with all that the parser skips */
    size_t   thrown_away;

    const char            *piece; /* what the parser has now */
    struct tn_http_head   *head;  /* only while a request is under way; so are the next two */
    struct tn_http_request request;
    char  *body; /* unless the body is whole in what was read: request.body then points there */
    size_t body_room;
    char  *stash;                              /* read ahead of the answer, or of its turn */
    size_t stash_begin, stash_len, stash_room; /* what waits: stash_len bytes from stash_begin on */
    void  *data;

    struct tn_account *peer, *caller; /* held, or NULL: the address, and the last caller that paid */
    struct tn_account *payer;         /* one of them */
    struct tn_account *streamer;      /* held: whose stream it is */
    struct tn_account *body_payer;    /* of `body`: one of them, too */
};

/* Counts are changed by the loop's thread and read by any: as cheap as plain ones, since there is only one writer. */
#define COUNT_NOW(count)       __atomic_load_n(&(count), __ATOMIC_RELAXED)
#define COUNT_ADD(count, more) __atomic_store_n(&(count), COUNT_NOW(count) + (more), __ATOMIC_RELAXED)
#define COUNT_SUB(count, less) __atomic_store_n(&(count), COUNT_NOW(count) - (less), __ATOMIC_RELAXED)

struct tn_http_server {
    struct tn_loop        *loop;
    struct tn_http_handler handler;
    struct tn_http_limits  limits;
    struct tn_http_counts  counts;
    llhttp_settings_t      callbacks;

    uv_poll_t  listener;
    uv_timer_t sweep;
    uv_idle_t  turn; /* works off the queue */
    int        socket, handles;
    unsigned   port;
    size_t     surplus;
    bool       stopping, accepting, ending;
    void (*closed)(void *user);
    void *closed_user;

    struct tn_http_conn *conns;
    struct tn_http_conn *handling;               /* whose `head` or `request` is on the stack; else NULL */
    struct tn_http_conn *turn_first, *turn_last; /* the queue of those with something to do */
    size_t               turn_count;
    struct tn_http_head *spare_heads;
    size_t               spare_count;
    char                 buffer[HTTP_READ_BYTES];
};

/* socket.c: a listening, non-blocking socket, or -1 and *error. */
int tn_http_socket(struct tn_loop *loop, const char *host, const char *port, bool shared, unsigned *bound,
                   tenon_status *status, const char **error);

/* http.c */
void tn_http_server_conn_gone(struct tn_http_server *server); /* one less in the list */
void tn_http_server_enqueue(struct tn_http_conn *conn);       /* tn_conn_continue() in the next iteration */
void tn_http_server_dequeue(struct tn_http_conn *conn);       /* if it is in the queue */
/* Takes over a connected socket, as if it had been accepted. */
void tn_http_adopt(struct tn_http_server *server, int socket);

/* account.c: the accounts of a connection. */
struct tn_account *tn_peer_account(struct ledger *ledger, int socket);
void               tn_conn_begin_request(struct tn_http_conn *conn); /* whose caller is not known yet */
void               tn_conn_settle(struct tn_http_conn *conn);        /* at its end */

/* conn.c: the peer's account, of which it is one connection unless it is surplus, is the connection's then, and
 * released with it. The socket is closed if NULL. */
struct tn_http_conn *tn_conn_open(struct tn_http_server *server, int socket, bool surplus,
                                  struct tn_account *peer);
void                 tn_conn_close(struct tn_http_conn *conn);
void                 tn_conn_sweep(struct tn_http_conn *conn, uint64_t now);
void                 tn_conn_release_body(struct tn_http_conn *conn);
void                 tn_conn_flushed(struct tn_http_conn *conn);
/* The request was answered: `done`, and the next one, or the end. */
void               tn_conn_over(struct tn_http_conn *conn);
void               tn_conn_continue(struct tn_http_conn *conn);
static inline bool tn_conn_waits_turn(const struct tn_http_conn *conn) /* in the queue */
{
    return conn->prev_turn || conn->server->turn_first == conn;
}
static inline bool tn_conn_takes_input(const struct tn_http_conn *conn)
{
    return conn->phase <= PHASE_BODY;
}
/* What a callback of the parser returns for a status; 0 is none. */
static inline int tn_conn_fail(struct tn_http_conn *conn, int status)
{
    if (status)
        conn->failed = status;
    return status ? HPE_USER : 0;
}
static inline uint64_t tn_conn_due(const struct tn_http_conn *conn, int ms)
{
    return uv_now(&conn->server->loop->uv) + (uint64_t)ms;
}

/* parse.c */
void tn_parse_callbacks(llhttp_settings_t *settings);
/* One request at most. Returns how much was used; the rest waits for its turn, or is of no interest any more. */
size_t tn_parse_bytes(struct tn_http_conn *conn, const char *at, size_t len);

/* head.c: the functions return 0, or the status of what went wrong. */
int  tn_head_begin(struct tn_http_conn *conn);
void tn_head_end(struct tn_http_conn *conn);
void tn_head_free_spares(struct tn_http_server *server);
void tn_head_callbacks(llhttp_settings_t *settings);      /* those of the target and the fields */
int  tn_head_keep(struct tn_http_conn *conn, size_t len); /* the first bytes of the piece, which is parsed */
/* Fills the request; *expects whether the client waits to be told to go on. */
int tn_head_complete(struct tn_http_conn *conn, bool *expects);

/* write.c */
bool tn_write_parts(struct tn_http_conn *conn, uv_buf_t *parts,
                    unsigned count); /* false when the connection is closed */
bool tn_write_continue(struct tn_http_conn *conn);
/* The server's own refusal: a status, a line of text, and the end of the connection. */
void   tn_write_refusal(struct tn_http_conn *conn, int status);
size_t tn_write_unsent(const struct tn_http_conn *conn);
void   tn_stream_over(struct tn_http_conn *conn); /* counts it out */

#endif
