/* credential.h - how the guard shows an upstream at an address who it is: the operator's own, never a caller's.
 *
 *     token-file     one bearer token, read again when the file changes
 *     header-files   further headers, likewise
 *     token-command  a program that prints a token; run when there is none yet, and when the server refuses it
 *     otherwise      what `tenon guard login` has kept, renewed before it ends
 *
 * Whatever takes time is done by a thread, one at a time for an upstream; requests wait for it without holding anything up.
 * Nothing of it is ever logged. All functions are for the loop's thread.
 */
#ifndef GUARD_UPKEEP_CREDENTIAL_H
#define GUARD_UPKEEP_CREDENTIAL_H

#include "guard/upstream.h"
#include "net/client/transport.h"

struct tn_credential;
struct tn_log;

enum tn_credential_state {
    CREDENTIAL_READY, /* requests may go out, with what there is */
    CREDENTIAL_LATER, /* something new is under way: until then the descriptor is not readable */
    CREDENTIAL_NONE   /* `why` */
};

/* A server answered 401, or 403 with a challenge. */
struct tn_credential_challenge {
    int         status;
    const char *header, *peer, *nonce; /* "" where there is none */
    const char *shown;                 /* the Authorization that it does not accept */
};

/* NULL without memory. The upstream and the log outlive it. */
struct tn_credential *tn_credential_new(const struct tn_upstream *upstream, const struct tn_log *log);
void                  tn_credential_free(struct tn_credential *credential);

/* Before a request goes out. */
enum tn_credential_state tn_credential_state_of(struct tn_credential *credential,
                                                char                  why[TRANSPORT_WHY_MAX]);

/* What it carries; valid until the next call of another function. */
const char             *tn_credential_authorization(struct tn_credential *credential);
const char             *tn_credential_proof(struct tn_credential *credential, const char *method);
const struct tn_header *tn_credential_headers(struct tn_credential *credential, size_t *count);

/* READY: there is something new to try. */
enum tn_credential_state tn_credential_refused(struct tn_credential                 *credential,
                                               const struct tn_credential_challenge *challenge,
                                               char                                  why[TRANSPORT_WHY_MAX]);

/* It was accepted, by the server at this address. */
void tn_credential_accepted(struct tn_credential *credential, const char *peer);

/* Readable when nothing is under way any more. */
int tn_credential_fd(const struct tn_credential *credential);

/* ---- A token that takes time (token_job.c) ------------------------------------------------------------------------- */

#define TOKEN_LEN_MAX ((size_t)16 << 10)

/* Done by a thread. The one that began it looks at `token`, `good` and `why` when it is done. */
struct tn_token_job;

struct tn_token_wish {
    const char *const             *words; /* of a program; or NULL: the kept login */
    const char                    *url;
    bool                           private_;
    struct tn_credential_challenge challenge;
};

/* Copies the wish, but for its words. `fd` gets a signal when it is done. NULL without memory or threads. */
struct tn_token_job *tn_token_job_begin(const struct tn_token_wish *wish, int fd);
bool                 tn_token_job_is_done(const struct tn_token_job *job);

/* Once it is done: the token that a program printed, or the Authorization of a login, which is kept in its file. NULL when it
 * failed. */
const char *tn_token_job_token(const struct tn_token_job *job);
const char *tn_token_job_why(const struct tn_token_job *job);

/* Also before it is done. */
void tn_token_job_forget(struct tn_token_job *job);

#endif
