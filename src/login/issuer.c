/* issuer.c - which authorization server may see a secret.
 *
 * A server names its authorization server itself, so a server that turns bad can name one of its own, and get the secret
 * that was meant for another. --issuer says which one is meant. Without it the first one that a client logged in with is
 * remembered, and a secret goes to no other.
 */
#include <string.h>

#include "login/inside.h"
#include "login/words.h"

/* What is sent as it is, so that its receiver could use it elsewhere. A key only signs, for one issuer. */
static bool sends_secret(const struct login *login)
{
    return login->options->client_secret.len > 0 || login->options->assertion.len > 0;
}

static const char *client_of(const struct login *login)
{
    return login->options->client_id ? login->options->client_id : "";
}

static struct known_issuer *issuer_find(struct login *login, const char *client)
{
    for (size_t i = 0; i < login->kept.known_count; i++)
        if (strcmp(login->kept.known[i].client, client) == 0)
            return &login->kept.known[i];
    return NULL;
}

bool issuer_is_allowed(struct login *login, const char *issuer)
{
    const char                *wanted = login->options->issuer;
    const struct known_issuer *known  = sends_secret(login) ? issuer_find(login, client_of(login)) : NULL;

    if (wanted)
        return strcmp(wanted, issuer) == 0 || login_fail(login, SAY_NOT_ISSUER, issuer, wanted);
    return !known || strcmp(known->issuer, issuer) == 0 ||
           login_fail(login, SAY_NEW_ISSUER, issuer, known->issuer);
}

void issuer_note(struct login *login, const char *client, const char *issuer)
{
    struct login_kept   *kept  = &login->kept;
    struct known_issuer *known = issuer_find(login, client);

    if (!known && kept->known_count == KNOWN_ISSUERS_MAX) /* the oldest makes room */
        memmove(kept->known, kept->known + 1, --kept->known_count * sizeof *kept->known);
    if (!known)
        known = &kept->known[kept->known_count++];
    *known = (struct known_issuer){ client, issuer };
}

void issuer_remember(struct login *login)
{
    if (sends_secret(login))
        issuer_note(login, client_of(login), login->kept.issuer);
}
