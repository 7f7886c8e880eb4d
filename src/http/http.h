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
    const char *shown;  /* the Authorization that it does not accept, or "" */
};

enum http_login_state {
    HTTP_LOGIN_READY, /* there is a token to try, or none is needed */
    HTTP_LOGIN_LATER, /* one is being made: `fd` becomes readable when that is over */
    HTTP_LOGIN_NONE   /* `why` */
};

/* How a request shows who sends it, where that is more than one token. `user` must outlive the transport; several may share it. */
struct http_login {
    /* May requests go out now? NULL: always. */
    enum http_login_state (*state)(void *user, char why[TRANSPORT_WHY_MAX]);
    const char *(*authorization)(void *user);             /* the header's value, or NULL */
    const char *(*proof)(void *user, const char *method); /* of "DPoP", or NULL */
    /* Further headers, or NULL. */
    const struct tn_header *(*headers)(void *user, size_t *count);
    /* READY when there is a new token to try; may take as long as a person does, unless it is LATER. */
    enum http_login_state (*answer)(void *user, const struct http_challenge *challenge,
                                    char why[TRANSPORT_WHY_MAX]);
    /* A request was neither answered 401 nor 403 by the server at this address. */
    void (*worked)(void *user, const char *peer);
    void *user;
    int   fd;     /* of LATER; else it is not looked at */
    bool  leaves; /* the end of a session is not waited for (leave.h) */
};

/* `token` may be NULL, and so may `login`; all are copied. */
struct tn_transport *http_transport_new(const struct tn_transport_frame *frame, const char *url,
                                        const char *token, const struct http_login *login);

/* Waits for the ends of sessions that were not waited for. */
void http_leaves_wait(void);

#endif
