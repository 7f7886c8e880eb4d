/* exchange.h - one request of HTTP and what comes back for it; all of them share a way. */
#ifndef HTTP_EXCHANGE_H
#define HTTP_EXCHANGE_H

#include <curl/curl.h>

#include "base/buf.h"
#include "http/http.h"
#include "http/sse_reader.h"

#define SESSION_MAX  256
#define LOCATION_MAX 200

enum exchange_kind {
    EXCHANGE_REQUEST, /* waits for its answer */
    EXCHANGE_NOTE,    /* a message that is not answered */
    EXCHANGE_LISTEN /* the stream of a legacy server for what belongs to no request: some put their questions there */
};

enum exchange_phase {
    PHASE_WAITING, /* until `due_ms` */
    PHASE_LOGIN,   /* until there is a token */
    PHASE_RUNNING,
    PHASE_ENDED, /* with `code` */
    PHASE_OVER   /* nothing of it matters any more */
};

struct http_way {
    struct tn_transport      base;
    tenon_allocator          memory;
    struct tn_watch         *watch;
    struct tn_arena          arena;
    size_t                   max;
    long                     note_ms; /* for the response to a message that is not answered */
    const char              *url, *token;
    struct http_login        own;
    const struct http_login *login; /* the same; NULL when there is none */
    CURLM                   *multi;
    int64_t                  timer_ms; /* when curl needs to be called; TRANSPORT_NEVER */
    struct exchange         *first, **last;
    struct exchange         *listener; /* NULL when it has ended, or the server has none */
    bool                     listened; /* it was tried */
    bool                     watches;  /* the login's descriptor */
    char                     session[SESSION_MAX];
};

struct exchange {
    struct exchange    *next;
    struct http_way    *way;
    struct tn_arena     arena;
    enum exchange_kind  kind;
    enum exchange_phase phase;
    int64_t             key, due_ms;
    struct tn_slice     json;
    struct tn_header   *own; /* headers of this message */
    size_t              own_count;
    bool                resumes; /* the stream is taken up again, after its last event */
    bool                brought; /* something came since it was taken up */
    int                 barren;  /* times in a row that nothing did */
    const char         *shown;   /* its Authorization, or "" */
    CURL               *easy;
    struct curl_slist  *headers;
    CURLcode            code;

    /* What comes back. */
    struct tn_buf     body; /* received and not taken yet */
    struct sse_reader sse;
    char              location[LOCATION_MAX], session[SESSION_MAX], nonce[SESSION_MAX];
    bool              headed, streams; /* headers are complete; it is a stream of events */
    bool              too_long;
    struct tn_buf     challenge; /* WWW-Authenticate, several of them with commas in between */
    char              error[CURL_ERROR_SIZE];
};

/* A copy of the parcel, at the end of the way's; NULL when out of memory. */
struct exchange *exchange_new(struct http_way *way, enum exchange_kind kind, const struct tn_parcel *parcel);
void             exchange_free(struct exchange *exchange);

/* Sends it, or asks for the rest of its stream. False when out of memory. */
bool exchange_start(struct exchange *exchange);
void exchange_stop(struct exchange *exchange);

/* Takes what has come so far; may end it. */
void exchange_take(struct exchange *exchange);

/* Ends the session, if there is one; that is not waited for long. */
void exchange_end_session(struct http_way *way);

int64_t http_now_ms(void);

#endif
