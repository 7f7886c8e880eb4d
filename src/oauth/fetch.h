/* fetch.h - a document from a URL: over https (or http, on this machine), within bounds, without detours. */
#ifndef OAUTH_FETCH_H
#define OAUTH_FETCH_H

#include "base/arena.h"
#include "base/str.h"

#define FETCH_BYTES_MAX ((size_t)256 << 10)
#define FETCH_WHY_MAX   300

/* NULL when it may be fetched: https, or http to a loopback address, and no user or password in it. Otherwise what is
 * wrong, a static text. */
const char *fetch_mistake(const char *url);

/* How near an address is: what a server names may not be nearer to us than the server itself, or it could make us reach
 * into a network that it cannot reach. Link-local addresses are only for a server that has one itself, not even for one on
 * this machine: in a cloud they are where a machine finds its credentials. NEAR_ANY is for addresses of the caller's own. */
enum fetch_nearness { NEAR_PUBLIC = 0, NEAR_PRIVATE, NEAR_LINK, NEAR_LOOPBACK, NEAR_ANY };

/* Of an IP address in letters; what is none is public. */
enum fetch_nearness fetch_nearness_of(const char *address);

#define FETCH_HEADERS_MAX 4
#define FETCH_NONCE_MAX   256

struct fetch_request {
    const char         *url;
    const char         *type; /* of the body; NULL: a GET without one */
    struct tn_slice     body;
    const char         *headers[FETCH_HEADERS_MAX]; /* "Name: value", NULL where there is none */
    enum fetch_nearness nearest;                    /* that may be connected to */
    long                timeout_ms;
};

struct fetch_answer {
    long            status;
    struct tn_slice body;                   /* in the arena */
    char            nonce[FETCH_NONCE_MAX]; /* of the header DPoP-Nonce, or empty */
};

/* False, and `why` in words, when no answer of at most FETCH_BYTES_MAX came. Redirects are not followed. */
bool fetch_send(struct tn_arena *arena, const struct fetch_request *request, struct fetch_answer *answer,
                char why[FETCH_WHY_MAX]);

/* False, and `why` in words, when there is no document of status 200 within `timeout_ms`. Redirects are not followed. */
bool fetch_url(struct tn_arena *arena, const char *url, long timeout_ms, struct tn_slice *body,
               char why[FETCH_WHY_MAX]);

/* The same of a file. */
bool fetch_file(struct tn_arena *arena, const char *path, struct tn_slice *body, char why[FETCH_WHY_MAX]);

#endif
