/* request.h - the inside of the endpoint: one request of HTTP, and the port for what is sent back.
 *
 *   endpoint.c  listening, the three steps of a request, time, stopping
 *   admit.c     what is checked before a body is read, and the words of refusals
 *   request.c   the life of a request, and the way from other threads to its loop
 *   reply.c     messages to answers and streams
 *   legacy.c    GET and DELETE: streams of sessions, and coming back to them
 *
 * A request belongs to its loop: everything but `port`, `refs` and `wake` is used by that thread only. What others send is
 * posted to the loop. A request outlives its connection while its port is held.
 */
#ifndef NET_ENDPOINT_REQUEST_H
#define NET_ENDPOINT_REQUEST_H

#include "net/auth/guardrail.h"
#include "net/endpoint/endpoint.h"
#include "net/http/replay.h"

#define PRIMING_RETRY_MS 1000 /* after which a client that lost a stream should come back */

/* What ports need of a loop, after the endpoint is gone too: they cannot know. */
struct tn_loop_link {
    atomic_uint     refs;
    pthread_mutex_t lock;
    struct tn_loop *loop; /* NULL when the endpoint is gone */
    tenon_allocator memory;
};

enum tn_endpoint_request_state {
    REQUEST_WAITS, /* nothing is sent yet */
    REQUEST_STREAMS,
    REQUEST_ANSWERED
};

struct tn_endpoint_request {
    struct tn_port       port;
    atomic_uint          refs;
    bool                 receiving; /* tn_mcp_receive() is on the stack: what is sent now goes out directly */
    struct tn_loop_link *loop_link; /* held */
    struct tn_endpoint  *endpoint;
    struct tn_endpoint_request *next,
        **link; /* in the endpoint's list of those that go on; link is NULL outside of it */
    struct tn_arena arena;
    pthread_t       thread; /* of the loop */

    struct tn_http_conn           *conn; /* NULL when the request is over */
    enum tn_endpoint_request_state state;
    enum tn_auth_result            auth;
    struct tn_caller               caller;
    struct tn_account
                   *account; /* held, from when its message is received: of what is on its way to the loop */
    const char     *cors;    /* header lines, or NULL */
    struct tn_slice version, session; /* of headers; `at` NULL without */
    bool            modern, takes_json, takes_stream;
    struct tn_exchange *exchange;   /* held, while its final message is to come */
    struct tn_session  *listens_to; /* held: a GET stream, with or without a connection */
    int64_t             written_ms; /* when the stream was last written to */

    struct replay          *kept;   /* held: where messages go that may be asked for again */
    struct replay          *source; /* held: where this connection's events come from */
    struct tn_replay_reader reader;
    struct tn_loop_message  wake;     /* of the reader */
    struct tn_loop_message  failure;  /* when there is no memory for a message */
    atomic_size_t           underway; /* bytes on their way to the loop */
    atomic_bool             woken, failed;

    struct tn_job          refresh; /* of keys, or of a session; then the request goes on */
    struct tn_loop_message refreshed;
    struct tn_slice        body;   /* a copy, while it waits for that */
    int                    status; /* of a GET or DELETE that waited */
};

struct tn_endpoint {
    struct tn_serving          *serving;
    struct tn_loop             *loop;
    struct tn_http_server      *http;   /* NULL inside another address ... */
    struct tn_slice             caller; /* ... where all requests are of this one, */
    struct tn_account          *payer;  /* which pays for them; held */
    struct tn_guardrail         guardrail;
    struct tn_slice             path; /* of the settings */
    struct tn_setting_address   address;
    struct tn_loop_link        *loop_link;
    struct tn_endpoint_request *idle; /* to be used again */
    size_t                      idle_count;
    struct tn_endpoint_request *active;  /* with an answer to come, a stream, or messages to keep */
    struct tn_arena             scratch; /* of events on their way out */
    uv_timer_t                  timer;
    bool                        stopping;
    int                         open; /* what must close before `closed`: the server, the timer */
    void (*closed)(void *user);
    void *closed_user;
};

/* ---- request.c */

struct tn_loop_link *tn_loop_link_new(struct tn_loop *loop, const tenon_allocator *memory);
void                 tn_loop_link_close(struct tn_loop_link *loop_link);
void                 tn_loop_link_release(struct tn_loop_link *loop_link);

/* The present request of a connection, held once; NULL without memory. */
struct tn_endpoint_request *tn_endpoint_request_new(struct tn_endpoint *endpoint, struct tn_http_conn *conn);
void                        tn_endpoint_request_hold(struct tn_endpoint_request *request);
void                        tn_endpoint_request_release(struct tn_endpoint_request *request);
void                        tn_endpoint_request_free_idle(struct tn_endpoint *endpoint);
/* In the list of those that go on, which holds them. Leaving it is for those that are over in every way. */
void tn_endpoint_request_enlist(struct tn_endpoint_request *request);
void tn_endpoint_request_leave(struct tn_endpoint_request *request);
/* A message to the request's loop. False when the endpoint is gone. */
bool tn_endpoint_request_post(struct tn_endpoint_request *request, struct tn_loop_message *message);

/* ---- reply.c */

/* One message of the exchange, or of the session that a GET listens to; on the loop. */
void tn_reply_take(struct tn_endpoint_request *request, const struct tn_out *out);
/* Begins a stream to be resumed, and lets the client go: tenon_release_stream(). */
void tn_reply_detach(struct tn_endpoint_request *request, int retry_ms);
/* A message was lost for want of memory: ends the request as far as that is possible. */
void tn_reply_fail(struct tn_endpoint_request *request);
/* Begins the stream; false when it cannot be. */
bool tn_reply_begin_stream(struct tn_endpoint_request *request);
/* Sends bytes of events. */
void tn_reply_send(struct tn_endpoint_request *request, struct tn_slice bytes);
void tn_reply_end_stream(struct tn_endpoint_request *request);
/* Events come from there no longer. Nothing happens without a source. */
void tn_reply_leave_source(struct tn_endpoint_request *request);
/* Keeps what follows so that it may be resumed, with a priming event for those who know it. False when that cannot be. */
bool tn_reply_keep(struct tn_endpoint_request *request);
/* What the reader's source has for it. */
void tn_reply_pump(struct tn_endpoint_request *request);

/* ---- admit.c */

/* The checks before the body; false when it was answered. With `auth` AUTH_WAIT it is to be asked again. */
bool tn_endpoint_admit(struct tn_endpoint_request *request);
/* The same inside another address, whose owner has checked its caller. */
bool tn_endpoint_admit_inside(struct tn_endpoint_request *request);
/* The same as the first, after keys were fetched. */
bool tn_endpoint_admit_again(struct tn_endpoint_request *request);
/* A refusal with a body of JSON-RPC; `headers` may be NULL, else whole lines. */
void tn_endpoint_refuse(struct tn_endpoint_request *request, int status, const char *headers,
                        const char *message);
/* Header lines one behind the other with those of CORS; NULL when there are none. */
const char *tn_endpoint_with_cors(struct tn_endpoint_request *request, const char *headers);

/* ---- legacy.c */

void tn_legacy_get(struct tn_endpoint_request *request);
void tn_legacy_delete(struct tn_endpoint_request *request);
/* Ends a GET stream's listening, if it is one. */
void tn_legacy_unlisten(struct tn_endpoint_request *request);
/* Wakes the reader of a request: any thread. */
void tn_legacy_wake(struct tn_replay_reader *reader);

#endif
