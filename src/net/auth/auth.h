/* auth.h - who may call: static bearer tokens, or access tokens of an OAuth 2.1 authorization server.
 *
 * Checking never waits, except for keys that are not loaded yet: AUTH_WAIT asks the caller to run tn_auth_refresh() on
 * a worker and to check once more. Nothing of a token is ever logged or repeated.
 */
#ifndef NET_AUTH_AUTH_H
#define NET_AUTH_AUTH_H

#include "base/arena.h"
#include "mcp/receive.h"
#include "net/settings.h"

struct auth;

enum tn_auth_result { AUTH_OK, AUTH_REFUSED, AUTH_WAIT };

/* What to answer to who is refused: the status and a whole header line, in the arena. */
struct tn_auth_refusal {
    int         status;    /* 400, 401, 403 or 503 */
    const char *challenge; /* "WWW-Authenticate: Bearer ...\r\n"; with 503 "Retry-After: ...\r\n" */
};

/* NULL and *mistake (in the settings' arena) when the settings cannot work: a file that cannot be read, a module that is
 * not installed. Without any authentication in the settings *mistake stays NULL and callers have no names. */
struct auth *tn_auth_new(struct tn_settings *settings, const tenon_allocator *memory,
                         const struct tn_log *log, const char **mistake);
void         tn_auth_free(struct auth *auth);
bool         tn_auth_is_on(const struct auth *auth);

/* The port that was taken for a port of 0, before the first check: it is part of what tokens are issued for, unless
 * --public-url says that. False without memory. */
bool tn_auth_listens(struct auth *auth, unsigned port);

/* `authorization` is the header's value; `at` NULL when there was none, `count` how many there were. By any thread. */
enum tn_auth_result tn_auth_check(struct auth *auth, struct tn_arena *arena, struct tn_slice authorization,
                                  size_t count, struct tn_caller *caller, struct tn_auth_refusal *refusal);

/* Fetches keys; waits. Rate-limited: may do nothing. */
void tn_auth_refresh(struct auth *auth);

/* The challenge for a call that needs scopes which the token does not have: 403 insufficient_scope. */
void tn_auth_needs_scopes(struct auth *auth, struct tn_arena *arena, const char *scopes,
                          struct tn_auth_refusal *refusal);

/* The document of RFC 9728, and the two paths it is served at; NULL without OAuth. */
const char *tn_auth_metadata(const struct auth *auth);
bool        tn_auth_is_metadata_path(const struct auth *auth, struct tn_slice path);

#endif
