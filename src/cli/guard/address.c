/* address.c - the transport of http, with what an upstream's credential knows. */
#include "cli/guard/address.h"

#include <stdio.h>
#include <string.h>

#ifdef TENON_CURL

#include "fetch/document.h"
#include "guard/phrases.h"
#include "guard/upkeep/credential.h"
#include "http/http.h"

_Static_assert((int)CREDENTIAL_READY == (int)HTTP_LOGIN_READY &&
                   (int)CREDENTIAL_LATER == (int)HTTP_LOGIN_LATER &&
                   (int)CREDENTIAL_NONE == (int)HTTP_LOGIN_NONE,
               "states have the same order");

static enum http_login_state give_state(void *user, char why[TRANSPORT_WHY_MAX])
{
    return (enum http_login_state)tn_credential_state_of(user, why);
}

static const char *give_authorization(void *user)
{
    return tn_credential_authorization(user);
}

static const char *give_proof(void *user, const char *method)
{
    return tn_credential_proof(user, method);
}

static const struct tn_header *give_headers(void *user, size_t *count)
{
    return tn_credential_headers(user, count);
}

static enum http_login_state take_challenge(void *user, const struct http_challenge *asked,
                                            char why[TRANSPORT_WHY_MAX])
{
    const struct tn_credential_challenge challenge = { .status = asked->status,
                                                       .header = asked->header,
                                                       .peer   = asked->peer,
                                                       .nonce  = asked->nonce,
                                                       .shown  = asked->shown };

    return (enum http_login_state)tn_credential_refused(user, &challenge, why);
}

static void take_success(void *user, const char *peer)
{
    tn_credential_accepted(user, peer);
}

/* Without https, whatever is sent could be read on the way; on this machine there is no way. */
static const char *mistake_of(const struct tn_upstream *upstream)
{
    const char *mistake = tn_document_mistake(upstream->url);

    if (!mistake || strncmp(upstream->url, "http://", 7) != 0 || strchr(upstream->url, '@'))
        return mistake;
    return upstream->plain ? NULL : SAY_NO_HTTPS;
}

static struct tn_transport *connect_address(const struct tn_upstream        *upstream,
                                            const struct tn_transport_frame *frame)
{
    const struct http_login login     = { .state         = give_state,
                                          .authorization = give_authorization,
                                          .proof         = give_proof,
                                          .headers       = give_headers,
                                          .answer        = take_challenge,
                                          .worked        = take_success,
                                          .user          = upstream->credential,
                                          .fd            = tn_credential_fd(upstream->credential),
                                          .leaves        = true };
    struct tn_transport    *transport = http_transport_new(frame, upstream->url, NULL, &login);
    const char             *mistake   = mistake_of(upstream);

    if (transport && mistake)
        snprintf(transport->why, sizeof transport->why, SAY_ADDRESS, (int)strcspn(upstream->url, "?"),
                 upstream->url, mistake);
    return transport;
}

const address_fn address_connect = connect_address;

void address_end(void)
{
    http_leaves_wait();
}

#else

const address_fn address_connect = NULL;

void address_end(void)
{
}

#endif
