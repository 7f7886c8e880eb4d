/* keys.h - the one key file of a server: it signs cursors, handles, request state and session ids, and replicas share it.
 *
 *     # tenon keys: the first signs, the second is still accepted
 *     1f0c...   64 hexadecimal digits, or base64 of 32 bytes
 *     88ab...
 *
 * To rotate: put a new key on top, let the former first one follow it, restart every replica; drop the old one when what
 * it signed has run out.
 */
#ifndef NET_KEYS_H
#define NET_KEYS_H

#include "base/arena.h"
#include "base/str.h"
#include "mcp/seal.h"

#define KEYS_FILE_BYTES ((size_t)4096)

/* The keys of the file at `path`, which is made, with one random key and readable by its owner only, when it is not
 * there; two processes that start at once end up with the same. NULL draws a key that is good for this process. On failure
 * *mistake is a sentence in the arena (or static) that names the file and never what is in it. */
tenon_status tn_keys_load(const char *path, struct tn_seal_keys *keys, struct tn_arena *arena,
                          const char **mistake);

/* A file that is nobody else's business: a regular file, not a link, ours, closed to group and others, at most `max` bytes.
 * `what` it is called in a mistake: "the key file". TENON_E_NOT_FOUND leaves *mistake set as well. */
tenon_status tn_keys_read_private(const char *path, const char *what, size_t max, struct tn_arena *arena,
                                  struct tn_slice *text, const char **mistake);

#endif
