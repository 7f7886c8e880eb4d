/* module.h - what libtenon and libtenon-oauth agree on: access tokens of OAuth 2.1, validated in a module of its own.
 *
 * The module brings a TLS client and JOSE with it; a program that does not ask for OAuth never loads it. Structs of the
 * inside cross the border, so that both must come from one build: `tenon` is compared with tenon_version().
 */
#ifndef NET_AUTH_MODULE_H
#define NET_AUTH_MODULE_H

#include "base/arena.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/str.h"

#define AUTH_MODULE_VERSION 1
#define AUTH_MODULE_FILE    "libtenon-oauth.so"
#define AUTH_MODULE_ENTRY   "tenon_oauth_module"

#define OAUTH_ALGORITHMS "RS256 ES256 EdDSA" /* by default */

struct oauth;

/* All texts are borrowed and must outlive what is opened.
 *   issuer      whose tokens are believed; its metadata says where the keys are, unless
 *   keys        a URL or a file of a key set (RFC 7517) does; or NULL
 *   algorithms  of signatures, separated by spaces or commas; NULL for OAUTH_ALGORITHMS
 *   log         may be NULL */
struct tn_oauth_options {
    const char            *issuer, *keys, *algorithms;
    const tenon_allocator *memory;
    const struct tn_log   *log;
    struct tn_clock        clock;
};

enum tn_oauth_result {
    OAUTH_GOOD,
    OAUTH_BAD,    /* `why` says what is wrong with it */
    OAUTH_WAIT,   /* its key is not here: refresh, then judge it once more */
    OAUTH_NO_KEYS /* none are here, and none can be had now */
};

struct tn_oauth_judgement {
    struct tn_slice name;   /* "ISSUER|SUBJECT" */
    struct tn_slice scopes; /* separated by single spaces */
    const char     *why;    /* static, fit for a quoted string */
};

struct tn_auth_module {
    unsigned    version;
    const char *tenon;

    /* NULL, with a sentence (static or in the arena), when the options cannot work. Fetches nothing yet. */
    struct oauth *(*open)(const struct tn_oauth_options *options, struct tn_arena *arena,
                          const char **mistake);
    void (*close)(struct oauth *oauth);

    /* By any thread; never waits. What is found lives in the arena. */
    enum tn_oauth_result (*judge)(struct oauth *oauth, struct tn_arena *arena, struct tn_slice audience,
                                  struct tn_slice token, struct tn_oauth_judgement *judgement);

    /* Fetches keys, or does nothing when that was tried moments ago or enough threads wait for it already. */
    void (*refresh)(struct oauth *oauth);
};

/* The module's one exported function. */
typedef const struct tn_auth_module *(*auth_module_fn)(void);

#endif
