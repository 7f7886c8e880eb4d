/* cache.h - tokens that were found valid a moment ago, so that not every request costs the check of a signature.
 *
 * Only hashes of tokens are kept, of a bounded number of tokens, for CACHE_MS at most and never beyond their expiry.
 */
#ifndef OAUTH_CACHE_H
#define OAUTH_CACHE_H

#include <pthread.h>

#include "net/auth/module.h"

#define CACHE_SLOTS    1024
#define CACHE_MS       60000
#define CACHE_HASH_LEN 32

struct cache_entry;

struct cache {
    tenon_allocator     memory;
    pthread_mutex_t     lock;
    unsigned char       salt[CACHE_HASH_LEN]; /* nobody outside knows which tokens share a slot */
    struct cache_entry *slots[CACHE_SLOTS];
};

bool cache_init(struct cache *cache, const tenon_allocator *memory);
void cache_free(struct cache *cache);
void cache_clear(struct cache *cache);

void cache_hash(const struct cache *cache, struct tn_slice token, unsigned char hash[CACHE_HASH_LEN]);
bool cache_find(struct cache *cache, const unsigned char hash[CACHE_HASH_LEN], int64_t now_ms,
                struct tn_arena *arena, struct tn_oauth_judgement *judgement);

/* Forgets whatever had its slot. Without memory nothing is kept. */
void cache_keep(struct cache *cache, const unsigned char hash[CACHE_HASH_LEN], int64_t now_ms,
                int64_t expires_ms, const struct tn_oauth_judgement *judgement);

#endif
