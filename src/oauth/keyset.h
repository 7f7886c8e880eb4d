/* keyset.h - the public keys of an issuer, and the algorithms that are accepted of them. */
#ifndef OAUTH_KEYSET_H
#define OAUTH_KEYSET_H

#include "oauth/jwt.h"

#define KEYSET_KEYS_MAX  64
#define KEYSET_BYTES_MAX ((size_t)256 << 10)

/* The names in `text`, separated by spaces or commas, as bits. 0, and the name that is none of ours (or "none", or one
 * with a shared secret, which anybody who checks could forge), in *wrong. */
unsigned algorithms_read(const char *text, struct tn_slice *wrong);

/* All that are known, for a sentence. */
#define ALGORITHMS_KNOWN "RS256, RS384, RS512, PS256, PS384, PS512, ES256, ES384, ES512 and EdDSA"

struct keyset;

/* Of a document of RFC 7517. Keys that cannot check our signatures are passed over. NULL when none is left, or it is no
 * such document: *why is static. */
struct keyset *keyset_read(const tenon_allocator *memory, struct tn_slice json, const char **why);
void           keyset_free(struct keyset *set);
size_t         keyset_count(const struct keyset *set);

enum signature { SIGNATURE_GOOD, SIGNATURE_WRONG, SIGNATURE_NO_KEY };

/* By any thread. jwt->alg must be among `algorithms`, or it is wrong. */
enum signature keyset_check(const struct keyset *set, const struct jwt *jwt, unsigned algorithms);

/* Is the name one of `algorithms`? */
bool algorithms_have(unsigned algorithms, struct tn_slice name);

#endif
