/* source.c - finds an issuer's key set (RFC 8414, OpenID Connect Discovery) and reads it. */
#include "oauth/source.h"

#include <string.h>

#include "base/buf.h"
#include "base/clock.h"
#include "fetch/document.h"
#include "json/read.h"

#define SENTENCE_MAX ((size_t)4096)

TENON_PRINTF(2, 3)
static const char *source_say(struct tn_arena *arena, const char *format, ...)
{
    struct tn_buf text;
    va_list       args;

    tn_buf_init(&text, arena, 0, SENTENCE_MAX);
    va_start(args, format);
    tn_buf_addv(&text, format, args);
    va_end(args);
    return tn_buf_end(&text) ? text.at : "out of memory";
}

static bool is_url(const char *text)
{
    return strstr(text, "://") != NULL;
}

bool source_is_file(const struct source *source)
{
    return source->keys && !is_url(source->keys);
}

const char *source_mistake(const struct source *source, struct tn_arena *arena)
{
    const char *mistake = tn_document_mistake(source->issuer);

    if (mistake)
        return source_say(arena, "--oauth-issuer %s: %s", source->issuer, mistake);
    if (strlen(source->issuer) > SOURCE_URL_MAX / 2 || strpbrk(source->issuer, "?#"))
        return source_say(arena,
                          "--oauth-issuer must be a URL of at most %zu bytes, without query and fragment",
                          SOURCE_URL_MAX / 2);
    mistake = source->keys && is_url(source->keys) ? tn_document_mistake(source->keys) : NULL;
    return mistake ? source_say(arena, "--oauth-keys %s: %s", source->keys, mistake) : NULL;
}

/* ---- The issuer's metadata ----------------------------------------------------------------------------------- */

/* What stands before the issuer's path, and the path without a '/' at its end. */
static void split_issuer(const char *issuer, struct tn_slice *origin, struct tn_slice *path)
{
    const char *host = strstr(issuer, "://") + 3, *slash = strchr(host, '/');
    size_t      len = strlen(issuer);

    *origin = (struct tn_slice){ issuer, slash ? (size_t)(slash - issuer) : len };
    *path   = (struct tn_slice){ issuer + origin->len, len - origin->len };
    if (path->len > 0 && path->at[path->len - 1] == '/')
        path->len--;
}

static const struct {
    const char *name;
    bool        behind; /* the issuer's path, not before it */
} places[] = {
    { "/.well-known/oauth-authorization-server", false },
    { "/.well-known/openid-configuration", true },
    { "/.well-known/openid-configuration", false },
};

#define PLACES (sizeof places / sizeof *places)

static const char *place_url(struct tn_arena *arena, const char *issuer, size_t place)
{
    struct tn_slice origin, path;
    struct tn_buf   url;

    split_issuer(issuer, &origin, &path);
    tn_buf_init(&url, arena, 0, SOURCE_URL_MAX);
    tn_buf_add(&url, origin.at, origin.len);
    if (places[place].behind)
        tn_buf_add(&url, path.at, path.len);
    tn_buf_text(&url, places[place].name);
    if (!places[place].behind)
        tn_buf_add(&url, path.at, path.len);
    return tn_buf_end(&url) ? url.at : NULL;
}

/* "jwks_uri" of a document that is this issuer's; NULL and *why otherwise. */
static const char *keys_url(struct tn_arena *arena, const char *issuer, struct tn_slice document,
                            const char **why)
{
    static const struct tn_json_limits limits = { .bytes = DOCUMENT_BYTES_MAX, .depth = 32, .nodes = 20000 };
    struct tn_json_text                text   = tn_json_read(arena, document.at, document.len, &limits);
    struct tn_slice                    named, url;
    char                              *copy;

    *why = "it is not JSON";
    if (!text.root || text.bad_utf8)
        return NULL;
    *why = "it is of another issuer";
    if (!jwt_text(text.root, "issuer", &named) || !tn_slice_is(named, issuer))
        return NULL;
    *why = "it has no jwks_uri";
    if (!jwt_text(text.root, "jwks_uri", &url) || url.len > SOURCE_URL_MAX)
        return NULL;
    copy = tn_arena_copy(arena, url.at, url.len);
    *why = copy ? tn_document_mistake(copy) : "out of memory";
    return *why ? NULL : copy;
}

/* ---- Fetching ------------------------------------------------------------------------------------------------ */

struct errand {
    const struct source *source;
    struct tn_arena     *arena;
    struct tn_clock      clock;
    int64_t              until_ms;
    const char          *mistake;
};

static bool get(struct errand *errand, const char *url, struct tn_slice *body)
{
    int64_t left = errand->until_ms - errand->clock.now_ms(errand->clock.user);
    char    why[FETCH_WHY_MAX];

    if (left <= 0) {
        errand->mistake = source_say(errand->arena, "%s: it took too long", url);
        return false;
    }
    if (tn_document_fetch(errand->arena, url, left < SOURCE_ONE_MS ? (long)left : SOURCE_ONE_MS, body, why))
        return true;
    errand->mistake = source_say(errand->arena, "%s: %s", url, why);
    return false;
}

/* A document that is there and wrong is the better answer than one that is not there. */
static const char *discover(struct errand *errand)
{
    const char     *wrong = NULL, *first = NULL, *why, *url, *found;
    struct tn_slice document;

    for (size_t i = 0; i < PLACES; i++) {
        struct tn_slice origin, path;

        split_issuer(errand->source->issuer, &origin, &path);
        if (i == PLACES - 1 && path.len == 0)
            break; /* the same as the one before */
        url = place_url(errand->arena, errand->source->issuer, i);
        if (!url)
            return NULL;
        if (!get(errand, url, &document)) {
            first = first ? first : errand->mistake;
            continue;
        }
        found = keys_url(errand->arena, errand->source->issuer, document, &why);
        if (found)
            return found;
        wrong = source_say(errand->arena, "%s: %s", url, why);
    }
    errand->mistake = wrong ? wrong : first;
    return NULL;
}

struct keyset *source_fetch(const struct source *source, const tenon_allocator *memory,
                            struct tn_arena *arena, const char **mistake)
{
    struct errand   errand = { .source = source, .arena = arena, .clock = tn_clock_system() };
    const char     *place  = source->keys, *why;
    struct keyset  *set    = NULL;
    struct tn_slice document;
    char            words[FETCH_WHY_MAX];

    errand.until_ms = errand.clock.now_ms(errand.clock.user) + SOURCE_MS;
    if (source_is_file(source)) {
        if (!tn_document_read(arena, place, &document, words)) {
            *mistake = source_say(arena, "%s: %s", place, words);
            return NULL;
        }
    } else {
        place = place ? place : discover(&errand);
        if (!place || !get(&errand, place, &document)) {
            *mistake = errand.mistake ? errand.mistake : "out of memory";
            return NULL;
        }
    }
    set = keyset_read(memory, document, &why);
    if (!set)
        *mistake = source_say(arena, "%s: %s", place, why);
    return set;
}
