/* inside.h - the parts of authentication: the list of static tokens, what the resource is called, the module. */
#ifndef NET_AUTH_INSIDE_H
#define NET_AUTH_INSIDE_H

#include "net/auth/auth.h"
#include "net/auth/module.h"

#define AUTH_TOKEN_MAX       ((size_t)8192) /* bytes of a token that is looked at */
#define AUTH_NAME_MAX        ((size_t)64)   /* of a static token's owner */
#define AUTH_ENTRIES_MAX     ((size_t)1024)
#define AUTH_FILE_BYTES      ((size_t)256 << 10)
#define AUTH_HASH_LEN        32
#define AUTH_METADATA_PATH   "/.well-known/oauth-protected-resource"
#define AUTH_METADATA_PATHS  2

/* ---- Static tokens (auth_tokens.c) --------------------------------------------------------------------------- */

/* A token is 32 random bytes or more, as `tenon token` draws them: no list of likely ones can be tried, so that a plain
 * hash keeps it as well as a slow one would, at a cost that every request can pay. The configuration has the hash only:
 *
 *     ann:sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
 */
struct tn_auth_entry {
    struct tn_slice name;
    unsigned char   hash[AUTH_HASH_LEN];
};

struct tn_auth_tokens {
    struct tn_auth_entry *at;
    size_t                count;
};

/* From --token and --tokens-file. False, and *mistake, when one cannot be read. */
bool tn_auth_tokens_read(struct tn_auth_tokens *tokens, struct tn_settings *settings, const char **mistake);

/* Whose it is, in a time that does not depend on it; NULL when nobody's. */
const struct tn_auth_entry *tn_auth_tokens_find(const struct tn_auth_tokens *tokens, struct tn_slice token);

/* NAME:HASH of one entry. The name is of letters, digits and "._@-". */
bool tn_auth_entry_read(struct tn_slice text, struct tn_auth_entry *entry);
void tn_auth_entry_hash(struct tn_slice token, unsigned char hash[AUTH_HASH_LEN]);

/* ---- The resource (auth_resource.c) -------------------------------------------------------------------------- */

struct tn_auth_resource {
    const char     *url;          /* "https://tools.example.com/mcp" */
    const char     *metadata_url; /* "https://tools.example.com/.well-known/oauth-protected-resource/mcp" */
    const char     *metadata;     /* JSON */
    struct tn_slice endings[AUTH_METADATA_PATHS]; /* of paths that the metadata is served at */
};

/* `port` in the place of the settings' port when that is 0. False without memory. */
bool tn_auth_resource_name(struct tn_auth_resource *resource, struct tn_settings *settings, unsigned port);

/* ---- The module (auth_load.c) -------------------------------------------------------------------------------- */

/* NULL and *mistake when there is none, or it is another build's. It stays loaded until the process ends. */
const struct tn_auth_module *tn_auth_load(struct tn_arena *arena, const char **mistake);

#endif
