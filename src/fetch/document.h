/* document.h - a document from a URL: over https (or http, on this machine), within bounds, without detours. */
#ifndef FETCH_DOCUMENT_H
#define FETCH_DOCUMENT_H

#include "base/arena.h"
#include "base/str.h"
#include "fetch/fetch.h" /* FETCH_WHY_MAX */

#define DOCUMENT_BYTES_MAX ((size_t)256 << 10)

/* NULL when it may be fetched: https, or http to a loopback address, and no user or password in it. Otherwise what is
 * wrong, a static text. */
const char *tn_document_mistake(const char *url);

/* How near an address is: what a server names may not be nearer to us than the server itself, or it could make us reach
 * into a network that it cannot reach. Link-local addresses are only for a server that has one itself, not even for one on
 * this machine: in a cloud they are where a machine finds its credentials. NEAR_ANY is for addresses of the caller's own. */
enum tn_nearness { NEAR_PUBLIC = 0, NEAR_PRIVATE, NEAR_LINK, NEAR_LOOPBACK, NEAR_ANY };

/* Of an IP address in letters; what is not one is public. */
enum tn_nearness tn_nearness_of(const char *address);

#define DOCUMENT_HEADERS_MAX 4
#define DOCUMENT_NONCE_MAX   256

struct tn_document_request {
    const char      *url;
    const char      *type; /* of the body; NULL: a GET without one */
    struct tn_slice  body;
    const char      *headers[DOCUMENT_HEADERS_MAX]; /* "Name: value", NULL where there is none */
    enum tn_nearness nearest;                       /* that may be connected to */
    long             timeout_ms;
};

struct tn_document_answer {
    long            status;
    struct tn_slice body;                      /* in the arena */
    char            nonce[DOCUMENT_NONCE_MAX]; /* of the header DPoP-Nonce, or empty */
};

/* False, and `why` in words, when no answer of at most DOCUMENT_BYTES_MAX came. Redirects are not followed. */
bool tn_document_send(struct tn_arena *arena, const struct tn_document_request *request,
                      struct tn_document_answer *answer, char why[FETCH_WHY_MAX]);

/* False, and `why` in words, when there is no document of status 200 within `timeout_ms`. Redirects are not followed. */
bool tn_document_fetch(struct tn_arena *arena, const char *url, long timeout_ms, struct tn_slice *body,
                       char why[FETCH_WHY_MAX]);

/* The same of a file. */
bool tn_document_read(struct tn_arena *arena, const char *path, struct tn_slice *body,
                      char why[FETCH_WHY_MAX]);

#endif
