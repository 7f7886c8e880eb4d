/* access.c - tokens, cookies and keys of the console. */
#define _GNU_SOURCE
#include "net/console/access.h"

#include <sodium.h>
#include <stdio.h>

#include "net/auth/inside.h"

_Static_assert(ACCESS_HASH == crypto_hash_sha256_BYTES && ACCESS_HASH == AUTH_HASH_LEN, "a hash fits");

#define COOKIE_NAME "tenon_console_"

static void hash(unsigned char to[ACCESS_HASH], struct tn_slice text)
{
    crypto_hash_sha256(to, (const unsigned char *)text.at, text.len);
}

static void make_random(char text[ACCESS_TEXT])
{
    unsigned char bytes[32];

    randombytes_buf(bytes, sizeof bytes);
    sodium_bin2base64(text, ACCESS_TEXT, bytes, sizeof bytes, sodium_base64_VARIANT_URLSAFE_NO_PADDING);
    sodium_memzero(bytes, sizeof bytes);
}

bool tn_access_init(struct tn_access *access, const struct tn_settings *settings, const char **mistake)
{
    struct tn_auth_entry entry;

    *access = (struct tn_access){ .has_once = false };
    for (size_t i = 0; i < settings->console_tokens.count; i++) {
        if (!tn_auth_entry_read(tn_slice_of(settings->console_tokens.at[i]), &entry)) {
            *mistake = "--console-token is not NAME:sha256:HASH as `tenon token` prints it";
            return false;
        }
        memcpy(access->tokens[access->token_count++], entry.hash, ACCESS_HASH);
    }
    return true;
}

void tn_access_listens(struct tn_access *access, unsigned port)
{
    snprintf(access->name, sizeof access->name, COOKIE_NAME "%u", port);
}

void tn_access_once(struct tn_access *access, char token[ACCESS_TEXT])
{
    make_random(token);
    hash(access->once, tn_slice_of(token));
    access->has_once = true;
}

/* ---- Trading ----------------------------------------------------------------------------------------------------- */

static bool is_token(struct tn_access *access, struct tn_slice token, bool *once)
{
    unsigned char given[ACCESS_HASH];
    bool          found = false;

    hash(given, token);
    *once = access->has_once && sodium_memcmp(given, access->once, sizeof given) == 0;
    for (size_t i = 0; i < access->token_count; i++) /* all of them, whichever it is */
        found |= sodium_memcmp(given, access->tokens[i], sizeof given) == 0;
    if (*once)
        access->has_once = false;
    return found || *once;
}

const struct tn_access_session *tn_access_redeem(struct tn_access *access, struct tn_slice token,
                                                 int64_t now_ms, char cookie[ACCESS_TEXT], bool *once)
{
    struct tn_access_session *session = access->sessions;

    if (!is_token(access, token, once))
        return NULL;
    for (size_t i = 1; i < ACCESS_SESSIONS; i++)
        if (access->sessions[i].used_ms < session->used_ms)
            session = &access->sessions[i];
    make_random(cookie);
    make_random(session->key);
    hash(session->cookie, tn_slice_of(cookie));
    session->used_ms = now_ms;
    return session;
}

/* ---- Finding ------------------------------------------------------------------------------------------------------ */

/* The value of our cookie among those of a header; `at` NULL without it. */
static struct tn_slice cookie_of(const struct tn_access *access, struct tn_slice cookies)
{
    size_t          len = strlen(access->name);
    struct tn_slice one;

    while (tn_slice_split(&cookies, ';', &one)) {
        one = tn_slice_trim(one);
        if (one.len > len && one.at[len] == '=' && memcmp(one.at, access->name, len) == 0)
            return (struct tn_slice){ one.at + len + 1, one.len - len - 1 };
    }
    return (struct tn_slice){ NULL, 0 };
}

const struct tn_access_session *tn_access_find(struct tn_access *access, struct tn_slice cookies,
                                               int64_t now_ms)
{
    struct tn_access_session *found = NULL;
    struct tn_slice           value = cookie_of(access, cookies);
    unsigned char             given[ACCESS_HASH];

    if (!value.at)
        return NULL;
    hash(given, value);
    for (size_t i = 0; i < ACCESS_SESSIONS; i++) {
        struct tn_access_session *one = &access->sessions[i];

        if (one->used_ms > 0 && sodium_memcmp(given, one->cookie, sizeof given) == 0)
            found = one;
    }
    if (!found || now_ms - found->used_ms > ACCESS_IDLE_MS)
        return NULL;
    found->used_ms = now_ms;
    return found;
}

bool tn_access_has_key(const struct tn_access_session *session, struct tn_slice key)
{
    return key.len == ACCESS_TEXT - 1 && sodium_memcmp(session->key, key.at, key.len) == 0;
}
