/* visit.h - the inside of the endpoint: one request of HTTP, and the port for what is sent back.
 *
 *   endpoint.c         listening, the three steps of a request, time, stopping
 *   endpoint_admit.c   what is checked before a body is read, and the words of refusals
 *   endpoint_visit.c   the life of a visit, and the way from other threads to its loop
 *   endpoint_reply.c   messages to answers and streams
 *   endpoint_legacy.c  GET and DELETE: streams of sessions, and coming back to them
 *
 * A visit belongs to its loop: everything but `port`, `refs` and `wake` is used by that thread only. What others send comes
 * to the loop as letters. A visit outlives its connection when somebody still holds the port.
 */
#ifndef NET_ENDPOINT_VISIT_H
#define NET_ENDPOINT_VISIT_H

#include "net/auth/guardrail.h"
#include "net/endpoint/endpoint.h"
#include "net/http/replay.h"

#define PRIMING_RETRY_MS 1000 /* after which a client that lost a stream should come back */

/* What ports need of a loop, after the endpoint is gone too: they cannot know. */
struct hub {
    atomic_uint     refs;
    pthread_mutex_t lock;
    struct loop    *loop; /* NULL when the endpoint is gone */
    tenon_allocator memory;
    struct visit   *returned; /* released by other threads, to be used again */
    size_t          returned_count;
};

enum visit_state {
    VISIT_WAITS, /* nothing is sent yet */
    VISIT_STREAMS,
    VISIT_ANSWERED
};

struct visit {
    struct port      port;
    atomic_uint      refs;
    struct hub      *hub; /* held */
    struct endpoint *endpoint;
    struct visit *next, **link; /* in the endpoint's list of those that go on; link is NULL outside of it */
    struct arena  arena;
    pthread_t     thread;    /* of the loop */
    bool          receiving; /* mcp_receive() is on the stack: what is sent now goes out directly */

    struct http_conn *conn; /* NULL when the request is over */
    enum visit_state  state;
    enum auth_result  auth;
    struct caller     caller;
    struct account  *account; /* held, from when its message is received: of what is on its way to the loop */
    const char      *cors;    /* header lines, or NULL */
    struct slice     version, session; /* of headers; `at` NULL without */
    bool             modern, takes_json, takes_stream;
    bool             counted;    /* of its caller's rate */
    struct exchange *exchange;   /* held, while its final message is to come */
    struct session  *listens_to; /* held: a GET stream, with or without a connection */
    int64_t          spoke_ms;   /* when the stream was last written to */

    struct replay *kept;   /* held: where messages go that may be asked for again */
    struct replay *source; /* held: where this connection's events come from */
    struct reader  reader;
    struct letter  wake; /* of the reader */
    atomic_bool    woken;
    atomic_size_t  underway; /* bytes of messages that are letters now */
    struct letter  failure;  /* when there is no memory for a message */
    atomic_bool    failed;

    struct job    refresh; /* of keys; then the request goes on */
    struct letter refreshed;
    struct slice  body; /* a copy, while it waits for that */
};

struct endpoint {
    struct serving        *serving;
    struct loop           *loop;
    struct http_server    *http;
    struct guardrail       guardrail;
    struct slice           path; /* of the settings */
    struct setting_address address;
    struct hub            *hub;
    struct visit          *headed; /* the latest whose head was seen; its request may never come */
    struct visit          *idle;   /* to be used again */
    size_t                 idle_count;
    struct visit          *going;   /* with an answer to come, a stream, or messages to keep */
    struct arena           scratch; /* of events on their way out */
    uv_timer_t             timer;
    bool                   stopping;
    int                    open; /* what must close before `closed`: the server, the timer */
    void (*closed)(void *user);
    void *closed_user;
};

/* ---- endpoint_visit.c */

struct hub *hub_new(struct loop *loop, const tenon_allocator *memory);
void        hub_close(struct hub *hub);
void        hub_release(struct hub *hub);

/* A visit to begin with, held once; NULL without memory. */
struct visit *visit_new(struct endpoint *endpoint);
void          visit_clear(struct visit *visit, struct http_conn *conn); /* for another request */
void          visit_hold(struct visit *visit);
void          visit_release(struct visit *visit);
void          visit_free_idle(struct endpoint *endpoint);
/* In the list of those that go on, which holds them. Leaving it is for those that are over in every way. */
void visit_enlist(struct visit *visit);
void visit_leave(struct visit *visit);
/* A letter to the visit's loop. False when the endpoint is gone. */
bool visit_post(struct visit *visit, struct letter *letter);

/* ---- endpoint_reply.c */

/* One message of the exchange, or of the session that a GET listens to; on the loop. */
void reply_take(struct visit *visit, const struct out *out);
/* Begins a stream to be resumed, and lets the client go: tenon_release_stream(). */
void reply_detach(struct visit *visit, int retry_ms);
/* A message was lost for want of memory: ends the request as far as that is possible. */
void reply_fail(struct visit *visit);
/* Begins the stream; false when it cannot be. */
bool reply_begin_stream(struct visit *visit);
/* Sends bytes of events. */
void reply_send(struct visit *visit, struct slice bytes);
void reply_end_stream(struct visit *visit);
/* Events come from there no longer. Nothing happens without a source. */
void reply_leave_source(struct visit *visit);
/* Keeps what follows so that it may be resumed, with a priming event for those who know it. False when that cannot be. */
bool reply_keep(struct visit *visit);
/* What the reader's source has for it. */
void reply_pump(struct visit *visit);

/* ---- endpoint_admit.c */

/* The checks before the body; false when it was answered. With `auth` AUTH_WAIT it is to be asked again. */
bool admit(struct visit *visit);
/* The same, after keys were fetched. */
bool admit_again(struct visit *visit);
/* A refusal with a body of JSON-RPC; `headers` may be NULL, else whole lines. */
void refuse(struct visit *visit, int status, const char *headers, const char *message);
/* Header lines one behind the other with those of CORS; NULL when there are none. */
const char *with_cors(struct visit *visit, const char *headers);

/* ---- endpoint_legacy.c */

void legacy_get(struct visit *visit);
void legacy_delete(struct visit *visit);
/* Ends a GET stream's listening, if it is one. */
void legacy_unlisten(struct visit *visit);
/* Wakes the reader of a visit: any thread. */
void legacy_wake(struct reader *reader);

#endif
