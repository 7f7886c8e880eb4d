/* inside.h - a request while it runs, for the sources of fetch alone. */
#ifndef FETCH_INSIDE_H
#define FETCH_INSIDE_H

#include <curl/curl.h>
#include <stdatomic.h>

#include "base/buf.h"
#include "fetch/fetch.h"

struct tn_fetch_pool {
    CURLM           *multi;
    struct tn_fetch *running; /* a list */
};

/* What came, or went out, as lines. */
struct tn_fetch_lines {
    struct tn_fetch_header *at;
    size_t                  count, room;
    size_t                  bytes; /* of all lines, those of interim answers included */
};

/* One exchange of a request. */
struct tn_fetch_exchange {
    const char           *url, *method;
    const char           *next;         /* where its answer leads, once that is known; NULL when nowhere */
    bool                  with_headers; /* of the caller; not after a redirect to another origin */
    bool                  with_body;    /* not after a redirect that turns into GET */
    struct tn_fetch_lines came;
    struct tn_buf         body;
    size_t                taken;  /* bytes of the body */
    bool                  headed; /* the head is complete */
    bool                  head_too_long, body_too_long, no_memory, refused, stopped;
};

struct tn_fetch {
    struct tn_fetch_pool    *pool;
    bool                     own_pool;
    struct tn_fetch         *next; /* that runs in the pool */
    CURL                    *easy;
    struct curl_slist       *headers; /* of the exchange that runs */
    struct tn_arena          arena;   /* of one request and its answer */
    struct tn_fetch_request  request;
    struct tn_fetch_answer   answer;
    struct tn_fetch_exchange exchange;
    struct tn_buf            sent;
    int64_t                  began;
    atomic_bool              cancelled;
    bool                     running;
    char                     error[CURL_ERROR_SIZE];
};

/* Prepares fetch->easy for fetch->exchange, which may take `left_ms` (0: as long as it likes). False without memory. */
bool tn_fetch_prepare(struct tn_fetch *fetch, long left_ms);

/* Frees the headers of the exchange, and wipes them: there may be keys in them. */
void tn_fetch_release(struct tn_fetch *fetch);

/* What it came to. */
enum tn_fetch_end tn_fetch_judge(const struct tn_fetch *fetch, CURLcode code);

/* One line of a head; false without memory. What has no name is left out. */
bool tn_fetch_add_line(struct tn_fetch *fetch, struct tn_fetch_lines *lines, struct tn_slice line);

/* Where the redirect of the answer so far leads, in the arena; NULL when it is not followed. */
const char *tn_fetch_next(struct tn_fetch *fetch);

/* A copy in the request's memory; NULL without any. */
const char *tn_fetch_copy(struct tn_fetch *fetch, const char *text);

#endif
