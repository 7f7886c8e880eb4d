/* seal.h - tokens that travel through clients: nobody there can read or change them, and a time is in each.
 *
 * A token is base64url of a nonce and the payload, encrypted and authenticated (XChaCha20-Poly1305) with `purpose` and
 * `bound` (the caller, the request: whatever it must not be used with otherwise) as additional data. Made with the first
 * key; opened with either, so that keys can be rotated and replicas share them.
 */
#ifndef MCP_SEAL_H
#define MCP_SEAL_H

#include "base/arena.h"
#include "base/str.h"

#define SEAL_KEY_LEN 32

struct seal_keys {
    unsigned char at[2][SEAL_KEY_LEN];
    size_t        count; /* 1 or 2 */
};

/* A random first key. False when the system has no randomness. */
bool seal_keys_draw(struct seal_keys *keys);

/* Empty when memory is refused. */
struct slice seal(const struct seal_keys *keys, struct arena *arena, const char *purpose, struct slice bound,
                  int64_t expires_ms, struct slice payload);

/* False for anything that is not ours, was changed, is bound otherwise or whose time is over. */
bool seal_open(const struct seal_keys *keys, struct arena *arena, const char *purpose, struct slice bound,
               int64_t now_ms, struct slice token, struct slice *payload);

#endif
