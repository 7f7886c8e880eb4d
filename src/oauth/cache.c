/* cache.c - good tokens, by hash: one slot each, and the newest has it. */
#include "oauth/cache.h"

#include <sodium.h>
#include <string.h>

#include "base/memory.h"

struct cache_entry {
    unsigned char hash[CACHE_HASH_LEN];
    int64_t       until_ms;
    size_t        len, name_len, scopes_len;
    char          text[]; /* name, then scopes */
};

bool cache_init(struct cache *cache, const tenon_allocator *memory)
{
    memset(cache, 0, sizeof *cache);
    cache->memory = *memory;
    randombytes_buf(cache->salt, sizeof cache->salt);
    return pthread_mutex_init(&cache->lock, NULL) == 0;
}

static void cache_drop(struct cache *cache, size_t slot)
{
    struct cache_entry *entry = cache->slots[slot];

    cache->slots[slot] = NULL;
    tn_memory_free(&cache->memory, entry, entry ? entry->len : 0);
}

void cache_clear(struct cache *cache)
{
    pthread_mutex_lock(&cache->lock);
    for (size_t i = 0; i < CACHE_SLOTS; i++)
        cache_drop(cache, i);
    pthread_mutex_unlock(&cache->lock);
}

void cache_free(struct cache *cache)
{
    cache_clear(cache);
    pthread_mutex_destroy(&cache->lock);
}

void cache_hash(const struct cache *cache, struct tn_slice token, unsigned char hash[CACHE_HASH_LEN])
{
    crypto_generichash(hash, CACHE_HASH_LEN, (const unsigned char *)token.at, token.len, cache->salt,
                       sizeof cache->salt);
}

static size_t slot_of(const unsigned char hash[CACHE_HASH_LEN])
{
    return ((size_t)hash[0] << 8 | hash[1]) % CACHE_SLOTS;
}

bool cache_find(struct cache *cache, const unsigned char hash[CACHE_HASH_LEN], int64_t now_ms,
                struct tn_arena *arena, struct tn_oauth_judgement *judgement)
{
    const struct cache_entry *entry;
    char                     *copy = NULL;

    pthread_mutex_lock(&cache->lock);
    entry = cache->slots[slot_of(hash)];
    if (entry && now_ms < entry->until_ms && sodium_memcmp(entry->hash, hash, CACHE_HASH_LEN) == 0)
        copy = tn_arena_copy(arena, entry->text, entry->name_len + entry->scopes_len);
    if (copy) {
        judgement->name   = (struct tn_slice){ copy, entry->name_len };
        judgement->scopes = (struct tn_slice){ copy + entry->name_len, entry->scopes_len };
    }
    pthread_mutex_unlock(&cache->lock);
    return copy != NULL;
}

void cache_keep(struct cache *cache, const unsigned char hash[CACHE_HASH_LEN], int64_t now_ms,
                int64_t expires_ms, const struct tn_oauth_judgement *judgement)
{
    size_t              len   = sizeof(struct cache_entry) + judgement->name.len + judgement->scopes.len;
    struct cache_entry *entry = tn_memory_new(&cache->memory, len);

    if (!entry)
        return;
    memcpy(entry->hash, hash, CACHE_HASH_LEN);
    entry->until_ms   = expires_ms < now_ms + CACHE_MS ? expires_ms : now_ms + CACHE_MS;
    entry->len        = len;
    entry->name_len   = judgement->name.len;
    entry->scopes_len = judgement->scopes.len;
    memcpy(entry->text, judgement->name.at, entry->name_len);
    memcpy(entry->text + entry->name_len, judgement->scopes.at, entry->scopes_len);
    pthread_mutex_lock(&cache->lock);
    cache_drop(cache, slot_of(hash));
    cache->slots[slot_of(hash)] = entry;
    pthread_mutex_unlock(&cache->lock);
}
