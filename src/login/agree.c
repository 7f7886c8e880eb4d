/* agree.c - a person agrees: a page in the browser, a redirect to this machine with a code, and a token for the code. */
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/scope.h"
#include "login/inside.h"
#include "login/words.h"

#define SECRET_LEN 32 /* random bytes of a state and of a verifier: 43 letters */

/* What only this login knows. */
struct secret {
    const char *state, *verifier, *challenge;
};

static bool make_secret(struct login *login, struct secret *secret)
{
    unsigned char digest[crypto_hash_sha256_BYTES];

    secret->state    = urls_random(&login->arena, SECRET_LEN);
    secret->verifier = urls_random(&login->arena, SECRET_LEN);
    if (!secret->state || !secret->verifier)
        return login_fail(login, SAY_MEMORY);
    crypto_hash_sha256(digest, (const unsigned char *)secret->verifier, strlen(secret->verifier));
    secret->challenge = urls_base64(&login->arena, digest, sizeof digest);
    return secret->challenge || login_fail(login, SAY_MEMORY);
}

static const char *write_address(struct login *login, const struct resource *resource,
                                 const struct authority *authority, const struct client_identity *identity,
                                 const struct secret *secret, const char *redirect, const char *scope)
{
    struct tn_buf out;

    tn_buf_init(&out, &login->arena, 1024, LOGIN_FORM_MAX);
    tn_buf_text(&out, authority->authorize);
    if (!strchr(authority->authorize, '?'))
        tn_buf_char(&out, '?');
    urls_add(&out, "response_type", SLICE_LIT("code"));
    urls_add(&out, "client_id", tn_slice_of(identity->id));
    urls_add(&out, "redirect_uri", tn_slice_of(redirect));
    urls_add(&out, "state", tn_slice_of(secret->state));
    urls_add(&out, "code_challenge", tn_slice_of(secret->challenge));
    urls_add(&out, "code_challenge_method", SLICE_LIT("S256"));
    urls_add(&out, "resource", tn_slice_of(resource->name));
    if (*scope)
        urls_add(&out, "scope", tn_slice_of(scope));
    if (tn_scope_has(tn_slice_of(scope),
                     SLICE_LIT("offline_access"))) /* OpenID gives it only to those who were asked */
        urls_add(&out, "prompt", SLICE_LIT("consent"));
    if (!tn_buf_end(&out))
        login_fail(login, SAY_MEMORY);
    return tn_buf_end(&out);
}

/* Whose answer it is comes first: an error of another's is not for us either (RFC 9207). */
static const char *take_code(struct login *login, const struct authority *authority, const char *query)
{
    const char *issuer = query_text(&login->arena, query, "iss"),
               *error  = query_text(&login->arena, query, "error"),
               *more   = query_text(&login->arena, query, "error_description"),
               *code   = query_text(&login->arena, query, "code");

    if (issuer && strcmp(issuer, authority->issuer) != 0)
        login_fail(login, SAY_ISS, issuer, authority->issuer);
    else if (!issuer && authority->says_issuer)
        login_fail(login, SAY_NO_ISS, authority->issuer);
    else if (error)
        login_fail(login, SAY_REFUSED, error, more ? ": " : "", more ? more : "");
    else if (!code)
        login_fail(login, SAY_NO_CODE);
    else
        return code;
    return NULL;
}

static bool take_token(struct login *login, const struct resource *resource,
                       const struct authority *authority, const struct client_identity *identity,
                       const struct secret *secret, const char *redirect, const char *code)
{
    struct tn_buf form;

    tn_buf_init(&form, &login->arena, 512, LOGIN_FORM_MAX);
    urls_add(&form, "grant_type", SLICE_LIT(CODE_GRANT));
    urls_add(&form, "code", tn_slice_of(code));
    urls_add(&form, "redirect_uri", tn_slice_of(redirect));
    urls_add(&form, "code_verifier", tn_slice_of(secret->verifier));
    urls_add(&form, "resource", tn_slice_of(resource->name));
    login->kept.refresh = NULL;
    return grant_token(login, authority, identity, &form);
}

/* The port that a registration names, so that the redirect is one that the server knows; 0: any. */
static int port_of(const struct login *login)
{
    const char *redirect = login->kept.client.id ? login->kept.client.redirect : NULL;
    const char *colon    = redirect ? strrchr(redirect, ':') : NULL;
    long        port     = colon ? strtol(colon + 1, NULL, 10) : 0;

    if (login->options->port)
        return login->options->port;
    return port > 0 && port < 65536 ? (int)port : 0;
}

static bool agree_at(struct login *login, const struct resource *resource, const struct authority *authority,
                     const char *scope, const struct redirect *redirect)
{
    struct client_identity identity = { 0 };
    struct secret          secret   = { 0 };
    const char            *address, *query, *code;

    if (!identity_find(login, authority, redirect->address, &identity) || !make_secret(login, &secret))
        return false;
    address = write_address(login, resource, authority, &identity, &secret, redirect->address, scope);
    if (!address)
        return false;
    login->options->show(login->options->user, address);
    query = redirect_wait(login, redirect, secret.state);
    code  = query ? take_code(login, authority, query) : NULL;
    return code && take_token(login, resource, authority, &identity, &secret, redirect->address, code);
}

bool agree(struct login *login, const struct resource *resource, const struct authority *authority,
           const char *scope)
{
    struct redirect redirect;
    int             port = port_of(login);
    bool            done;

    if (!authority->authorize)
        return login_fail(login, SAY_NO_PKCE);
    if (!redirect_open(login, port, &redirect)) {
        if (login->options->port || port == 0 || !redirect_open(login, 0, &redirect))
            return false;
    }
    done = agree_at(login, resource, authority, scope, &redirect);
    redirect_close(&redirect);
    return done;
}
