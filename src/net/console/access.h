/* access.h - who may use the console: a link that works once, tokens of the operator's, and then a cookie.
 *
 * The link's token stands behind the '#' of an address, which browsers do not send: it is in no log of a proxy and in no
 * Referer. The page trades it for a cookie that no script can read (HttpOnly) and that no other site's page can send
 * (SameSite=Strict), and for a key that every POST carries in a header, which a form of another page cannot do. Cookies do not
 * know ports, so that the cookie's name has the port in it. All of them are random, 256 bits, and kept as hashes: they need no
 * limit for guesses. By one thread.
 */
#ifndef NET_CONSOLE_ACCESS_H
#define NET_CONSOLE_ACCESS_H

#include "base/arena.h"
#include "base/str.h"
#include "net/settings.h"

#define ACCESS_HASH     32
#define ACCESS_TEXT     44                               /* base64url of 32 bytes, and a NUL */
#define ACCESS_SESSIONS 32                               /* browsers at once; the one that was idle longest makes room */
#define ACCESS_TOKENS   SETTINGS_LIST_MAX                /* of the operator's */
#define ACCESS_IDLE_MS  ((int64_t)12 * 60 * 60 * 1000)   /* after which a cookie is forgotten */

struct tn_access_session {
    unsigned char cookie[ACCESS_HASH]; /* hash */
    char          key[ACCESS_TEXT];    /* that a POST carries */
    int64_t       used_ms;             /* 0: free */
};

struct tn_access {
    unsigned char            once[ACCESS_HASH]; /* hash of the link's token */
    bool                     has_once;
    unsigned char            tokens[ACCESS_TOKENS][ACCESS_HASH];
    size_t                   token_count;
    struct tn_access_session sessions[ACCESS_SESSIONS];
    char                     name[32]; /* of the cookie */
};

/* False, and *mistake, when a token of the settings cannot be read. */
bool tn_access_init(struct tn_access *access, const struct tn_settings *settings, const char **mistake);
void tn_access_listens(struct tn_access *access, unsigned port);

/* A new link's token; the one before it is void. */
void tn_access_once(struct tn_access *access, char token[ACCESS_TEXT]);

/* Trades a token for a session, whose cookie is written; NULL when it is not one. *once says that the link was used. */
const struct tn_access_session *tn_access_redeem(struct tn_access *access, struct tn_slice token,
                                                 int64_t now_ms, char cookie[ACCESS_TEXT], bool *once);

/* The session of a Cookie header, or NULL. */
const struct tn_access_session *tn_access_find(struct tn_access *access, struct tn_slice cookies,
                                               int64_t now_ms);

/* Is this the key of the session? */
bool tn_access_has_key(const struct tn_access_session *session, struct tn_slice key);

#endif
