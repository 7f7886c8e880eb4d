/* fetch.h - one bounded HTTP request, through libcurl: everything about it is stated, nothing comes from outside.
 *
 * Zero in a request is the careful choice: no redirects, no proxy, no .netrc, no cookies, no connection and no name that
 * outlives its exchange, only http and https. What comes back is collected within bounds, or handed over as it comes.
 *
 * A struct tn_fetch runs one request at a time, and several of them share the connections of a struct tn_fetch_pool:
 *
 *     struct tn_fetch *fetch = tn_fetch_new(NULL);                  // with a pool of its own
 *     tn_fetch_run(fetch, &(struct tn_fetch_request){ .url = url }, &answer);
 *
 * or, with several requests at the same time in one thread:
 *
 *     tn_fetch_start(one, &first);
 *     tn_fetch_start(other, &second);
 *     while (!tn_fetch_is_over(one) && !tn_fetch_is_over(other))
 *         tn_fetch_step(pool, 1000);
 *
 * Only tn_fetch_cancel() and tn_fetch_wake() may be called by other threads than the one that steps. This header stands
 * alone, and the library (tenon_fetch) is linked only into what uses it.
 */
#ifndef FETCH_FETCH_H
#define FETCH_FETCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sys/socket.h>

#define FETCH_BODY_MAX ((size_t)256 << 10) /* bytes of a body that is collected, unless the request has another bound */
#define FETCH_HEAD_MAX ((size_t)128 << 10) /* bytes of the headers of one answer, likewise */
#define FETCH_HOPS_MAX 10                  /* redirects of one request */
#define FETCH_WHY_MAX  300

/* How a request ended. */
enum tn_fetch_end {
    FETCH_DONE,      /* an answer came, of whatever status */
    FETCH_STOPPED,   /* `begin` or `take` had enough: what came is in the answer */
    FETCH_CANCELLED, /* tn_fetch_cancel(), or `is_cancelled` */
    FETCH_BAD_URL,
    FETCH_BAD_SCHEME, /* of the URL, or of a redirect: neither http nor https, or http where only https is allowed */
    FETCH_BAD_HOP,     /* `approve_hop` refused it */
    FETCH_BAD_ADDRESS, /* `approve_address` refused it */
    FETCH_TOO_FAR,     /* more than FETCH_HOPS_MAX redirects */
    FETCH_LATE,
    FETCH_HEAD_TOO_LONG,
    FETCH_BODY_TOO_LONG,
    FETCH_FAILED, /* no such name, no connection, no HTTP, no good certificate: `why` has libcurl's words */
    FETCH_NO_MEMORY
};

struct tn_fetch_header {
    const char *name, *value; /* without spaces around them */
};

/* Where a request is about to go. */
struct tn_fetch_hop {
    const char *url, *host; /* an IPv6 address is in brackets */
    int         port;
    int         status; /* of the redirect that leads here; 0 for the first */
    const char *method;
    bool        with_headers; /* the caller's are sent */
};

struct tn_fetch_answer {
    enum tn_fetch_end             end;
    int                           status;  /* 0 when no head came */
    const struct tn_fetch_header *headers; /* as they came; a name may occur twice */
    size_t                        header_count;
    const struct tn_fetch_header
               *sent; /* with `keep_sent`: those that went out first, libcurl's own included */
    size_t      sent_count;
    const char *body; /* what was collected, and a NUL */
    size_t      body_len;
    bool        cut;          /* with `cut_body`: there was more */
    bool        dropped;      /* the caller's headers were not sent to another origin */
    const char *url, *method; /* of the last hop, also when that was refused */
    const char *next;         /* of FETCH_TOO_FAR and FETCH_BAD_SCHEME: where the redirect led; else NULL */
    const char *address;      /* that answered, in letters; "" when none did */
    int         retry_after;  /* seconds that the server asked for, or 0 */
    int64_t     elapsed_ms;
    struct {
        int         status;
        const char *url;
    } hops[FETCH_HOPS_MAX]; /* that were followed */
    size_t      hop_count;
    char        why[FETCH_WHY_MAX]; /* in words, unless it is FETCH_DONE */
    const char *detail;             /* libcurl's longer words of FETCH_FAILED, else "" */
};

/* All that it points to must stay until the request is over. Texts that become part of a head are without CR and LF. */
struct tn_fetch_request {
    const char *url;
    const char *method; /* NULL: GET, or POST with a body */
    const char *const *
        headers; /* whole lines, "Name: value"; "Name:" leaves libcurl's own out, "Name;" sends an empty one */
    size_t      header_count;
    const char *body; /* may be NULL when `body_len` is 0 */
    size_t      body_len;
    bool        has_body;
    const char *type;    /* Content-Type of the body, unless `headers` has one; NULL: libcurl's */
    const char *agent;   /* User-Agent; NULL: "tenon" */
    const char *ca_file; /* authorities for certificates; NULL: those that the system trusts */

    long   connect_ms, time_ms; /* 0: no limit of its own; `time_ms` is of all hops together */
    size_t head_max, body_max;  /* 0: FETCH_HEAD_MAX, FETCH_BODY_MAX (with `take`: no limit) */

    bool https_only;
    bool
        follow; /* redirects, each as a request of its own: POST becomes GET as in RFC 9110, and another origin
                     * gets the body's type but none of `headers` */
    bool use_proxy;       /* that the environment names */
    bool keep_connection; /* for the next request of the pool; not with `approve_address` */
    bool decode;          /* gzip and the like; bounds are of what comes out */
    bool cut_body;        /* a longer body is cut, and that is no failure */
    bool keep_sent;

    /* Each may be NULL, and gets `user`. They run in the thread that steps, and must not call it again. */
    void *user;
    bool (*approve_hop)(void *user, const struct tn_fetch_hop *hop); /* before each hop, the first included */
    /* The address that is really connected to: no name is looked up between this and the connection. */
    bool (*approve_address)(void *user, const struct sockaddr *address);
    bool (*is_cancelled)(void *user); /* asked several times a second */
    /* The head of the last answer is there; false stops it. */
    bool (*begin)(void *user, const struct tn_fetch_answer *answer);
    /* Bytes of the last answer's body, which is then not collected; false stops it. */
    bool (*take)(void *user, const char *at, size_t len);
};

struct tn_fetch_pool;
struct tn_fetch;

/* Connections. NULL without memory. All its requests are freed first. */
struct tn_fetch_pool *tn_fetch_pool_new(void);
void                  tn_fetch_pool_free(struct tn_fetch_pool *pool);

/* A place for requests, with a pool of its own when `pool` is NULL. NULL without memory. Freeing it ends its request. */
struct tn_fetch *tn_fetch_new(struct tn_fetch_pool *pool);
void             tn_fetch_free(struct tn_fetch *fetch);

/* Runs a request to its end. The answer's texts are valid until the next one, or until it is freed. True when its end is
 * FETCH_DONE. */
bool tn_fetch_run(struct tn_fetch *fetch, const struct tn_fetch_request *request,
                  struct tn_fetch_answer *answer);

/* Begins a request, which moves in tn_fetch_step(). Whatever is wrong with it is found in its answer. */
void tn_fetch_start(struct tn_fetch *fetch, const struct tn_fetch_request *request);

/* Moves all requests of a pool, and waits at most `wait_ms` for something to move. */
void tn_fetch_step(struct tn_fetch_pool *pool, int wait_ms);

bool tn_fetch_is_over(const struct tn_fetch *fetch);

/* What is known of the answer so far; it is complete when the request is over. */
const struct tn_fetch_answer *tn_fetch_answer_of(const struct tn_fetch *fetch);

/* Any thread: ends the request that runs, or the next one when none does. */
void tn_fetch_cancel(struct tn_fetch *fetch);

/* Any thread: lets a tn_fetch_step() that waits return. */
void tn_fetch_wake(struct tn_fetch_pool *pool);

/* The value of a header, or NULL. */
const char *tn_fetch_header_of(const struct tn_fetch_answer *answer, const char *name);

#endif
