/* inside.h - what the files of a login share. */
#ifndef LOGIN_INSIDE_H
#define LOGIN_INSIDE_H

#include <stdint.h>

#include <yyjson.h>

#include "base/arena.h"
#include "base/buf.h"
#include "fetch/document.h"
#include "login/login.h"

#define LOGIN_FETCH_MS  15000L             /* for one document; less with a shorter timeout */
#define LOGIN_TEXT_MAX  ((size_t)16 << 10) /* of a token, an address, a secret */
#define LOGIN_FORM_MAX  ((size_t)64 << 10) /* of what is sent */
#define LOGIN_SCOPE_MAX ((size_t)4096)

#define KNOWN_ISSUERS_MAX 16 /* client ids of one server whose issuer is remembered */

#define CODE_GRANT   "authorization_code"
#define BEARER_GRANT "urn:ietf:params:oauth:grant-type:jwt-bearer"

/* What the server says of itself. */
struct resource {
    const char *name;   /* the resource, exactly as it was published */
    const char *issuer; /* of the authorization server */
    yyjson_val *scopes; /* scopes_supported, or NULL */
    bool        old; /* it publishes nothing: the revision of 2025-03-26, and the server is its own issuer */
};

/* What an authorization server says of itself. */
struct authority {
    const char *issuer;
    const char *authorize, *token, *registration; /* registration may be NULL */
    yyjson_val *methods, *scopes, *algorithms;    /* lists, or NULL */
    bool        says_issuer;                      /* in its answers (RFC 9207) */
    bool        documents;                        /* takes URLs as client ids */
    bool        proofs;                           /* tokens may be bound to a key (DPoP, ES256) */
};

/* Who we are to one authorization server. */
struct client_identity {
    const char *id, *secret; /* secret may be NULL */
    const char *method;      /* token_endpoint_auth_method */
    const char *redirect;    /* that it was registered with, or NULL */
};

/* The issuer that a client's secret went to. */
struct known_issuer {
    const char *client; /* its id, or "" */
    const char *issuer;
};

/* What is kept of a login. */
struct login_kept {
    const char            *issuer, *access, *refresh, *scope; /* NULL where there is none */
    const char            *key;                               /* PEM, that the token is bound to; or NULL */
    int64_t                ends;   /* of the access token; seconds since 1970, 0: unknown */
    struct client_identity client; /* that was registered; id is NULL when none was */
    struct known_issuer    known[KNOWN_ISSUERS_MAX];
    size_t                 known_count;
};

struct login {
    const struct login_options *options;
    struct tn_arena             arena; /* of the answer that is being made; what is kept moves to a new one */
    struct tn_arena             proofs; /* of the proof that was made last */
    struct login_kept           kept;
    enum tn_nearness            nearest; /* that documents may be fetched from */
    const char                 *authorization;
    const char                 *server_nonce, *issuer_nonce; /* of DPoP, or NULL */
    int                         rounds;                      /* answers since a request worked */
    bool                        fresh; /* the token is of a login just now, and has not worked yet */
    bool  stored; /* that token is the one in the file, unless another program was there since */
    char *why;    /* of the answer that is being made */
};

/* Says why, and is false. */
bool login_fail(struct login *login, const char *format, ...) TENON_PRINTF(2, 3);

/* For one document or one token. */
long login_fetch_ms(const struct login *login);

/* Text of a member, copied into the arena and printable ASCII; NULL when it is missing, too long or something else. */
const char *login_text(struct login *login, yyjson_val *object, const char *key);

/* A JSON object from a body; NULL when it is not one. */
yyjson_val *login_object(struct login *login, struct tn_slice body);

bool list_has(yyjson_val *list, const char *word);

/* Gives back all memory but that of what is kept, so that a long run does not grow. */
void login_settle(struct login *login);

/* ---- urls.c --------------------------------------------------------------------------------------------------- */

void urls_encode(struct tn_buf *to, struct tn_slice text); /* %XX for all that is reserved */
void urls_add(struct tn_buf *form, const char *name,
              struct tn_slice text); /* "&name=text"; without "&" at the front */

/* "https://host:port" with its port always written; NULL when it is no URL. */
const char *urls_origin(struct tn_arena *arena, const char *url);
const char *urls_path(struct tn_arena *arena, const char *url); /* without a slash at its end: "" for "/" */

/* The origin as it was written, without what follows. */
struct tn_slice urls_root(const char *url);

/* Is `resource` the server at `url`, or a place above it on the same origin? */
bool urls_cover(struct tn_arena *arena, const char *resource, const char *url);

/* `len` random bytes in the letters of base64url. */
const char *urls_random(struct tn_arena *arena, size_t len);
const char *urls_base64(struct tn_arena *arena, const void *bytes, size_t len);

/* ---- challenge.c ---------------------------------------------------------------------------------------------- */

/* A parameter of a challenge of the schemes Bearer or DPoP, in the arena; NULL when there is none. */
const char *challenge_text(struct tn_arena *arena, const char *header, const char *name);
bool        challenge_has_scheme(struct tn_arena *arena, const char *header, const char *scheme);

/* ---- discover.c ----------------------------------------------------------------------------------------------- */

bool discover_resource(struct login *login, const char *header, struct resource *found);
bool discover_authority(struct login *login, const struct resource *resource, struct authority *found);

/* ---- issuer.c ------------------------------------------------------------------------------------------------- */

/* May this issuer see what the caller gave us? Asked before anything goes there. */
bool issuer_is_allowed(struct login *login, const char *issuer);
void issuer_remember(struct login *login); /* of the login that is kept now */
void issuer_note(struct login *login, const char *client,
                 const char *issuer); /* both live as long as the login */

/* ---- identity.c ----------------------------------------------------------------------------------------------- */

/* Who we are there; registers us where nothing else is left. */
bool identity_find(struct login *login, const struct authority *authority, const char *redirect,
                   struct client_identity *identity);

/* ---- redirect.c ----------------------------------------------------------------------------------------------- */

struct redirect {
    int         fd;
    const char *address; /* "http://127.0.0.1:PORT/callback" */
};

bool redirect_open(struct login *login, int port, struct redirect *redirect);

/* Waits for a browser that brings the state; its query is in the arena then, without "?". */
const char *redirect_wait(struct login *login, const struct redirect *redirect, const char *state);
void        redirect_close(struct redirect *redirect);

/* ---- query.c -------------------------------------------------------------------------------------------------- */

/* A parameter of a query, decoded and in the arena; NULL when it is missing, twice there, or not printable. */
const char *query_text(struct tn_arena *arena, const char *query, const char *name);

/* ---- reason.c ------------------------------------------------------------------------------------------------- */

#define REASON_ERROR_MAX ((size_t)60)  /* that words.h shows of an error */
#define REASON_MORE_MAX  ((size_t)200) /* and of its description */

/* What an answer must not repeat. */
struct sent {
    const char     *form;
    struct tn_slice secret,
        header; /* of the client, plain and as a header has it; empty where there is none */
};

/* "error: error_description" in three parts, each printable and never with a secret. */
struct reason {
    const char *error, *mark, *more;
};

struct reason reason_of(struct login *login, yyjson_val *object, const struct sent *sent);
bool          reason_reveals(struct login *login, struct tn_slice text, const struct sent *sent);

/* ---- grant.c -------------------------------------------------------------------------------------------------- */

/* Sends a form to the token endpoint as `identity`, and keeps the token that comes back. */
bool grant_token(struct login *login, const struct authority *authority,
                 const struct client_identity *identity, struct tn_buf *form);

/* ---- agree.c -------------------------------------------------------------------------------------------------- */

bool agree(struct login *login, const struct resource *resource, const struct authority *authority,
           const char *scope);

/* ---- service.c ------------------------------------------------------------------------------------------------ */

bool service_token(struct login *login, const struct resource *resource, const struct authority *authority,
                   const char *scope);

/* ---- key.c ---------------------------------------------------------------------------------------------------- */

/* A JWT of two objects as JSON, signed with a private key in PEM; `header` is given without "alg". NULL with `why`. */
const char *key_sign(struct login *login, struct tn_slice pem, const char *header, const char *claims);
const char *key_algorithm(struct tn_slice pem);                      /* "ES256", "RS256", or NULL */
const char *key_new(struct tn_arena *arena);                         /* a key for ES256 in PEM, or NULL */
const char *key_public(struct tn_arena *arena, struct tn_slice pem); /* as JWK, members sorted; or NULL */

/* ---- keep.c --------------------------------------------------------------------------------------------------- */

/* Reads what is kept; leaves all as it is when there is nothing, or when others could have written it. */
void keep_read(struct login *login);
bool keep_write(struct login *login);
int  keep_lock(struct login *login); /* one login at a time; -1 when there is no folder */
void keep_unlock(int lock);

#endif
