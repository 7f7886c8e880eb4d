/* seal.h - tokens that travel through clients, which can neither read nor change them; each has an expiry.
 *
 * A token is base64url of a nonce and the payload, encrypted and authenticated (XChaCha20-Poly1305) with `purpose` and
 * `bound` (the caller, the request: whatever it must not be used with otherwise) as additional data. Made with the first
 * key; opened with either, so that keys can be rotated and replicas share them.
 */
#ifndef MCP_SEAL_H
#define MCP_SEAL_H

#include "base/arena.h"
#include "base/str.h"

#define SEAL_KEY_LEN     32
#define SEAL_PAYLOAD_MAX ((size_t)64 << 10)
#define SEAL_TOKEN_MAX   ((size_t)88 << 10) /* what is longer is not ours, and is not looked at */

/* Of what may be long: state of a request, which came from another server. */
#define SEAL_LONG_MAX       ((size_t)1088 << 10)
#define SEAL_LONG_TOKEN_MAX ((size_t)1452 << 10)

struct tn_seal_keys {
    unsigned char at[2][SEAL_KEY_LEN];
    size_t        count; /* 1 or 2 */
};

/* A random first key. False when the system has no randomness. */
bool tn_seal_keys_draw(struct tn_seal_keys *keys);

/* Empty when memory is refused or the payload is longer than SEAL_PAYLOAD_MAX; a token is never empty otherwise. */
struct tn_slice tn_seal_text(const struct tn_seal_keys *keys, struct tn_arena *arena, const char *purpose,
                             struct tn_slice bound, int64_t expires_ms, struct tn_slice payload);

/* False for anything that is not ours, was changed, is bound otherwise or whose time is over (expires_ms <= now_ms), and
 * when memory is refused. The payload is in the arena, with a NUL behind it. */
bool tn_seal_open(const struct tn_seal_keys *keys, struct tn_arena *arena, const char *purpose,
                  struct tn_slice bound, int64_t now_ms, struct tn_slice token, struct tn_slice *payload);

/* The same for payloads of at most SEAL_LONG_MAX. */
struct tn_slice tn_seal_long_text(const struct tn_seal_keys *keys, struct tn_arena *arena,
                                  const char *purpose, struct tn_slice bound, int64_t expires_ms,
                                  struct tn_slice payload);
bool tn_seal_long_open(const struct tn_seal_keys *keys, struct tn_arena *arena, const char *purpose,
                       struct tn_slice bound, int64_t now_ms, struct tn_slice token,
                       struct tn_slice *payload);

/* A text that is shown as it is, after a mark that only this server can make for `bound`: the same each time, and without an
 * expiry, for ids that clients compare. Empty without memory or keys. */
struct tn_slice tn_seal_mark(const struct tn_seal_keys *keys, struct tn_arena *arena, const char *purpose,
                             struct tn_slice bound, struct tn_slice text);

/* The text of such a mark, within `token`; false for anything else. */
bool tn_seal_marked(const struct tn_seal_keys *keys, const char *purpose, struct tn_slice bound,
                    struct tn_slice token, struct tn_slice *text);

#endif
