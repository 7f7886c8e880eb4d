/* http.h - the way to a server at an address: each message a POST, answered by one JSON text or a stream of events.
 *
 * Redirects are not followed, so that a token goes nowhere but where it was meant to go. A stream that ends before its
 * answer is taken up again from its last event, as legacy servers may ask for.
 */
#ifndef HTTP_HTTP_H
#define HTTP_HTTP_H

#include "net/client/transport.h"

/* A server answered 401, or 403 with a challenge. */
struct http_challenge {
    int         status;
    const char *header; /* WWW-Authenticate, several of them with commas in between, or "" */
    const char *peer;   /* the address that the server was reached at, in letters, or "" */
    const char *nonce;  /* DPoP-Nonce, or "" */
};

/* How a request shows who sends it, where that is more than one token. */
struct http_login {
    const char *(*authorization)(void *user);             /* the header's value, or NULL */
    const char *(*proof)(void *user, const char *method); /* of "DPoP", or NULL */
    /* True when there is a new token to try; may take as long as a person does. Else `why` says why not. */
    bool (*answer)(void *user, const struct http_challenge *challenge, char why[TRANSPORT_WHY_MAX]);
    void (*worked)(void *user); /* a request was neither answered 401 nor 403 */
    void *user;
};

/* `token` may be NULL, and so may `login`, which must outlive the transport; both texts are copied. */
struct tn_transport *http_transport_new(const struct tn_transport_frame *frame, const char *url,
                                        const char *token, const struct http_login *login);

#endif
