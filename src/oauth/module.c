/* module.c - validates access tokens: the table that libtenon gets, and the keys that are fetched and replaced for it.
 *
 * A token is validated by whichever thread has it. What can be refused without a key is refused first. The keys are a set
 * that never changes; a refresh puts another in its place, and a thread that still uses the old one holds it until done.
 *
 * An unknown caller can name keys that do not exist, and so ask for a refresh with each request. Refreshes are therefore
 * SPACING_MS apart, however they end, and no more than WAITING_MAX threads ever wait for one.
 */
#include <pthread.h>
#include <sodium.h>
#include <stdatomic.h>
#include <string.h>

#include "base/buf.h"
#include "base/memory.h"
#include "net/auth/module.h"
#include "oauth/cache.h"
#include "oauth/claims.h"
#include "oauth/module.h"
#include "oauth/source.h"
#include "oauth/words.h"

struct held_keys {
    struct keyset *set;
    size_t         holders; /* behind `lock` */
    int64_t        since_ms;
};

struct oauth {
    tenon_allocator   memory;
    struct source     source;
    struct tn_log     log;
    bool              has_log;
    struct tn_clock   clock;
    unsigned          algorithms;
    struct cache      cache;
    pthread_mutex_t   fetch_lock; /* one fetches, and others wait for it */
    pthread_mutex_t   lock;       /* of what follows */
    struct held_keys *keys;
    int64_t           tried_ms; /* when the last refresh ended */
    bool              tried, fetching;
    unsigned          waiting;
};

static int64_t module_now_ms(const struct oauth *oauth)
{
    return oauth->clock.now_ms(oauth->clock.user);
}

/* ---- Keys ---------------------------------------------------------------------------------------------------- */

static void release_keys(struct oauth *oauth, struct held_keys *keys)
{
    bool last;

    if (!keys)
        return;
    pthread_mutex_lock(&oauth->lock);
    last = --keys->holders == 0;
    pthread_mutex_unlock(&oauth->lock);
    if (!last)
        return;
    keyset_free(keys->set);
    tn_memory_free(&oauth->memory, keys, sizeof *keys);
}

static void replace_keys(struct oauth *oauth, struct keyset *set)
{
    struct held_keys *keys = tn_memory_new(&oauth->memory, sizeof *keys), *old;

    if (!keys) {
        keyset_free(set);
        return;
    }
    *keys = (struct held_keys){ .set = set, .holders = 1, .since_ms = module_now_ms(oauth) };
    pthread_mutex_lock(&oauth->lock);
    old         = oauth->keys;
    oauth->keys = keys;
    pthread_mutex_unlock(&oauth->lock);
    release_keys(oauth, old);
    cache_clear(&oauth->cache); /* a key may be gone because it was stolen */
}

static void fetch_keys(struct oauth *oauth)
{
    const struct tn_log *log = oauth->has_log ? &oauth->log : NULL;
    struct keyset       *set;
    struct tn_arena      arena;
    const char          *mistake = "";

    tn_arena_init(&arena, &oauth->memory, FETCH_ARENA_MAX);
    set = source_fetch(&oauth->source, &oauth->memory, &arena, &mistake);
    if (set) {
        tn_log_line(log, LOG_INFO, "loaded %zu keys of %s", keyset_count(set), oauth->source.issuer);
        replace_keys(oauth, set);
    } else
        tn_log_line(log, LOG_WARN, "cannot load the keys of %s: %s", oauth->source.issuer, mistake);
    tn_arena_free(&arena);
}

/* May it be tried (again)? With the lock held. */
static bool is_due(const struct oauth *oauth, int64_t spacing_ms)
{
    return !oauth->tried || module_now_ms(oauth) - oauth->tried_ms >= spacing_ms;
}

static void oauth_refresh(struct oauth *oauth)
{
    bool due;

    pthread_mutex_lock(&oauth->lock);
    if (oauth->waiting >= WAITING_MAX) {
        pthread_mutex_unlock(&oauth->lock);
        return;
    }
    oauth->waiting++;
    pthread_mutex_unlock(&oauth->lock);

    pthread_mutex_lock(&oauth->fetch_lock);
    pthread_mutex_lock(&oauth->lock);
    due             = is_due(oauth, SPACING_MS);
    oauth->fetching = due;
    pthread_mutex_unlock(&oauth->lock);
    if (due)
        fetch_keys(oauth);
    pthread_mutex_lock(&oauth->lock);
    if (due) {
        oauth->tried    = true;
        oauth->tried_ms = module_now_ms(oauth);
    }
    oauth->fetching = false;
    oauth->waiting--;
    pthread_mutex_unlock(&oauth->lock);
    pthread_mutex_unlock(&oauth->fetch_lock);
}

/* ---- Judging ------------------------------------------------------------------------------------------------- */

/* What can be done about a key that is not here. */
enum remedy { REMEDY_NONE, REMEDY_WAIT, REMEDY_LATER };

struct look {
    struct held_keys *keys; /* to be released; NULL when there are none that can be trusted still */
    enum remedy       remedy;
    bool              stale; /* they are old enough that one request should wait for new ones */
};

static struct look look_at_keys(struct oauth *oauth)
{
    struct look look = { .keys = NULL };
    int64_t     age;

    pthread_mutex_lock(&oauth->lock);
    if (oauth->keys) {
        age = module_now_ms(oauth) - oauth->keys->since_ms;
        if (age < TRUSTED_MS) {
            look.keys = oauth->keys;
            look.keys->holders++;
        }
        look.stale = age >= FRESH_MS && oauth->waiting == 0 && is_due(oauth, STALE_SPACING_MS);
    }
    if (oauth->waiting < WAITING_MAX && (oauth->fetching || is_due(oauth, SPACING_MS)))
        look.remedy = REMEDY_WAIT;
    else if (oauth->fetching)
        look.remedy = REMEDY_LATER;
    pthread_mutex_unlock(&oauth->lock);
    return look;
}

static enum tn_oauth_result judge_signature(struct oauth *oauth, const struct jwt *jwt, const char **why)
{
    struct look    look = look_at_keys(oauth);
    enum signature signature;

    if (look.stale) {
        release_keys(oauth, look.keys);
        return OAUTH_WAIT;
    }
    if (!look.keys)
        return look.remedy == REMEDY_WAIT ? OAUTH_WAIT : OAUTH_NO_KEYS;
    signature = keyset_check(look.keys->set, jwt, oauth->algorithms);
    release_keys(oauth, look.keys);
    if (signature == SIGNATURE_GOOD)
        return OAUTH_GOOD;
    *why = signature == SIGNATURE_WRONG ? WHY_SIGNATURE : WHY_KEY;
    if (signature == SIGNATURE_WRONG || look.remedy == REMEDY_NONE)
        return OAUTH_BAD;
    return look.remedy == REMEDY_WAIT ? OAUTH_WAIT : OAUTH_NO_KEYS;
}

static enum tn_oauth_result judge_afresh(struct oauth *oauth, struct tn_arena *arena,
                                         const struct claims_wanted *wanted, struct tn_slice token,
                                         struct tn_oauth_judgement *judgement, int64_t *expires_s)
{
    struct jwt jwt;

    judgement->why = jwt_read(&jwt, arena, token);
    if (!judgement->why && !algorithms_have(oauth->algorithms, jwt.alg))
        judgement->why = WHY_ALGORITHM;
    if (!judgement->why)
        judgement->why = claims_judge(jwt.claims, wanted, arena, judgement, expires_s);
    return judgement->why ? OAUTH_BAD : judge_signature(oauth, &jwt, &judgement->why);
}

static enum tn_oauth_result oauth_judge(struct oauth *oauth, struct tn_arena *arena, struct tn_slice audience,
                                        struct tn_slice token, struct tn_oauth_judgement *judgement)
{
    int64_t              wall_ms = oauth->clock.wall_ms(oauth->clock.user), expires_s = 0;
    struct claims_wanted wanted = { tn_slice_of(oauth->source.issuer), audience, wall_ms / 1000 };
    enum tn_oauth_result result;
    unsigned char        hash[CACHE_HASH_LEN];

    *judgement = (struct tn_oauth_judgement){ .name = { "", 0 }, .scopes = { "", 0 } };
    cache_hash(&oauth->cache, token, hash);
    if (cache_find(&oauth->cache, hash, wall_ms, arena, judgement))
        return OAUTH_GOOD;
    result = judge_afresh(oauth, arena, &wanted, token, judgement, &expires_s);
    if (result == OAUTH_GOOD)
        cache_keep(&oauth->cache, hash, wall_ms, expires_s * 1000, judgement);
    return result;
}

/* ---- Opening and closing ------------------------------------------------------------------------------------- */

static bool read_algorithms(struct oauth *oauth, const char *text, struct tn_arena *arena,
                            const char **mistake)
{
    struct tn_slice wrong;
    struct tn_buf   words;

    oauth->algorithms = algorithms_read(text ? text : OAUTH_ALGORITHMS, &wrong);
    if (oauth->algorithms != 0)
        return true;
    tn_buf_init(&words, arena, 0, 1000);
    tn_buf_lit(&words, "--oauth-algorithms: ");
    if (wrong.len > 0 && wrong.len < 100) {
        tn_buf_add(&words, wrong.at, wrong.len);
        tn_buf_lit(&words, " is not accepted; ");
    }
    tn_buf_lit(&words, "choose among " ALGORITHMS_KNOWN);
    *mistake = tn_buf_end(&words) ? words.at : "out of memory";
    return false;
}

static void oauth_close(struct oauth *oauth)
{
    tenon_allocator memory;

    if (!oauth)
        return;
    release_keys(oauth, oauth->keys);
    cache_free(&oauth->cache);
    pthread_mutex_destroy(&oauth->fetch_lock);
    pthread_mutex_destroy(&oauth->lock);
    memory = oauth->memory;
    tn_memory_free(&memory, oauth, sizeof *oauth);
}

/* A file that cannot be read is a mistake of the settings; an issuer that does not answer may do so later. */
static bool check_options(struct oauth *oauth, const struct tn_oauth_options *options, struct tn_arena *arena,
                          const char **mistake)
{
    struct keyset *set;

    if (!read_algorithms(oauth, options->algorithms, arena, mistake))
        return false;
    *mistake = source_mistake(&oauth->source, arena);
    if (*mistake || !source_is_file(&oauth->source))
        return !*mistake;
    set = source_fetch(&oauth->source, &oauth->memory, arena, mistake);
    keyset_free(set);
    return set != NULL;
}

static struct oauth *oauth_open(const struct tn_oauth_options *options, struct tn_arena *arena,
                                const char **mistake)
{
    tenon_allocator memory = tn_memory_of(options->memory);
    struct oauth   *oauth  = sodium_init() < 0 ? NULL : tn_memory_new(&memory, sizeof *oauth);

    *mistake = "out of memory";
    if (!oauth)
        return NULL;
    *oauth = (struct oauth){ .memory  = memory,
                             .source  = { options->issuer, options->keys },
                             .has_log = options->log != NULL,
                             .clock   = options->clock };
    if (options->log)
        oauth->log = *options->log;
    pthread_mutex_init(&oauth->lock, NULL); /* of the default kind: cannot fail on Linux */
    pthread_mutex_init(&oauth->fetch_lock, NULL);
    cache_init(&oauth->cache, &memory);
    if (check_options(oauth, options, arena, mistake)) {
        *mistake = NULL;
        return oauth;
    }
    oauth_close(oauth);
    return NULL;
}

const struct tn_auth_module *tenon_oauth_module(void)
{
    static const struct tn_auth_module module = {
        .version = AUTH_MODULE_VERSION,
        .tenon   = OAUTH_TENON_VERSION,
        .open    = oauth_open,
        .close   = oauth_close,
        .judge   = oauth_judge,
        .refresh = oauth_refresh,
    };

    return &module;
}
