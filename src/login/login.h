/* login.h - a client's side of OAuth 2.1, as the Model Context Protocol asks for it: how a program gets the access token
 * that a server at an address needs.
 *
 * A server answers 401 with a challenge (or 403, when a token does not allow what is asked). From there on
 * everything is discovered: which authorization server it trusts (RFC 9728), what that one can do (RFC 8414, OpenID), who
 * we are to it (a client id of the caller's, a metadata document, or a registration of RFC 7591), and which scopes are
 * needed. Then a person agrees in a browser (PKCE, a redirect to this machine), or a service shows its own credentials.
 *
 * Nothing that a server names is trusted: https or this machine only, no redirects, no address nearer than the server's
 * own, every document bounded; the resource must be the server, the issuer must be the one that was named, PKCE must be
 * there, and state and issuer of an answer must be ours. Tokens are never written but into a file of mode 0600.
 */
#ifndef LOGIN_LOGIN_H
#define LOGIN_LOGIN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/str.h"

#define LOGIN_WHY_MAX 400

struct login;

/* Where what a server names may be: no nearer than the server itself; and not in a private network, or there too. */
enum login_reach { LOGIN_REACH_SERVER, LOGIN_REACH_PUBLIC, LOGIN_REACH_PRIVATE };

struct login_options {
    const char *server; /* its address */
    const char *folder; /* where logins are kept; NULL: nowhere */
    const char
        *issuer; /* of the only authorization server that may be used; NULL: the one that the server names */

    /* Who we are, where it was agreed on before. An id that is an https URL is a client id metadata document. */
    const char     *client_id;
    struct tn_slice client_secret;
    struct tn_slice client_key; /* PEM: signs what shows who we are (private_key_jwt) */

    /* How a token is asked for without a person: with the client's own credentials, or with a JWT that speaks for us. */
    bool            service;
    struct tn_slice assertion;

    /* A person's identity at a company's provider, whose word the authorization server takes (ID-JAG). */
    const char     *provider_url; /* token endpoint */
    const char     *provider_client;
    struct tn_slice provider_token;

    /* A person: shows the address of the page to log in at. NULL when there is no person. */
    void (*show)(void *user, const char *address);
    void *user;
    int   port; /* of the redirect to this machine; 0: any */

    enum login_reach reach;
    bool             keeps_client; /* the id, and a secret, are kept with the login: others renew it */

    long timeout_ms; /* for each answer from the network; 0: LOGIN_FETCH_MS */
};

struct login_challenge {
    int         status; /* 401 or 403 */
    const char *header; /* WWW-Authenticate, or "" */
    const char *peer;   /* the address that the server was reached at, in letters, or "" */
    const char *nonce;  /* DPoP-Nonce, or "" */
};

/* The options are borrowed until login_free(). NULL when out of memory. Reads what is kept of an earlier login. */
struct login *login_new(const struct login_options *options);
void          login_free(struct login *login);

/* The value of "Authorization" for a request, or NULL when there is no token yet. Lives until the next login_answer(). */
const char *login_authorization(struct login *login);

/* The value of "DPoP" for one request, or NULL when the token needs none. A new one each time, which lives until the
 * next. */
const char *login_proof(struct login *login, const char *method);

/* Answers a challenge: true when there is a new token to try. False when there is none, and `why` says so. */
bool login_answer(struct login *login, const struct login_challenge *challenge, char why[LOGIN_WHY_MAX]);

/* A request with the token was neither answered 401 nor 403. */
void login_worked(struct login *login);

/* When the token ends, in seconds since 1970; 0: that is not known, or there is none. And can it be renewed without a person? */
int64_t login_ends(const struct login *login);
bool    login_renews(const struct login *login);

/* Where logins are kept by default, in the arena: $XDG_STATE_HOME/tenon/logins. NULL when there is no home. */
const char *login_folder(struct tn_arena *arena);

#endif
