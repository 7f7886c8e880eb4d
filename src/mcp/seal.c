/* seal.c - tokens that travel through clients.
 *
 *     base64url( nonce 24 | encrypted( expiry 8, big-endian | payload ) | tag 16 )
 *
 * The key of a purpose is derived from the key of the file, so that a token of one purpose is noise to every other;
 * `bound` is the additional data. A nonce of 24 random bytes never repeats, whichever replica generates it.
 */
#include "mcp/seal.h"

#include <sodium.h>
#include <string.h>

#define NONCE_LEN  crypto_aead_xchacha20poly1305_ietf_NPUBBYTES
#define TAG_LEN    crypto_aead_xchacha20poly1305_ietf_ABYTES
#define EXPIRY_LEN ((size_t)8)
#define FRAME_LEN  (NONCE_LEN + EXPIRY_LEN + TAG_LEN)
#define VARIANT    sodium_base64_VARIANT_URLSAFE_NO_PADDING

_Static_assert(SEAL_KEY_LEN == crypto_aead_xchacha20poly1305_ietf_KEYBYTES, "a derived key opens and seals");
_Static_assert(SEAL_KEY_LEN >= crypto_generichash_KEYBYTES_MIN &&
                   SEAL_KEY_LEN <= crypto_generichash_KEYBYTES_MAX,
               "a key derives others");
_Static_assert(SEAL_TOKEN_MAX >= (FRAME_LEN + SEAL_PAYLOAD_MAX) / 3 * 4 + 4, "the longest payload fits");
_Static_assert(SEAL_LONG_TOKEN_MAX >= (FRAME_LEN + SEAL_LONG_MAX) / 3 * 4 + 4, "the longest long one fits");

bool tn_seal_keys_draw(struct tn_seal_keys *keys)
{
    if (sodium_init() < 0)
        return false;
    sodium_memzero(keys, sizeof *keys);
    randombytes_buf(keys->at[0], SEAL_KEY_LEN);
    keys->count = 1;
    return true;
}

static void derive(unsigned char key[SEAL_KEY_LEN], const unsigned char from[SEAL_KEY_LEN],
                   const char *purpose)
{
    crypto_generichash(key, SEAL_KEY_LEN, (const unsigned char *)purpose, strlen(purpose), from,
                       SEAL_KEY_LEN);
}

static void seal_write_time(unsigned char to[EXPIRY_LEN], int64_t time_ms)
{
    for (size_t i = 0; i < EXPIRY_LEN; i++)
        to[i] = (unsigned char)((uint64_t)time_ms >> (8 * (EXPIRY_LEN - 1 - i)));
}

static int64_t read_time(const unsigned char from[EXPIRY_LEN])
{
    uint64_t time = 0;

    for (size_t i = 0; i < EXPIRY_LEN; i++)
        time = time << 8 | from[i];
    return (int64_t)time;
}

static struct tn_slice seal_write(const struct tn_seal_keys *keys, struct tn_arena *arena,
                                  const char *purpose, struct tn_slice bound, int64_t expires_ms,
                                  struct tn_slice payload)
{
    struct tn_slice nothing = { "", 0 };
    unsigned char   key[SEAL_KEY_LEN], *raw, *clear;
    size_t          len, room;
    char           *text;

    if (keys->count == 0)
        return nothing;
    len  = FRAME_LEN + payload.len;
    room = sodium_base64_encoded_len(len, VARIANT);
    text = tn_arena_take(arena, room, 1);
    raw  = tn_arena_take(arena, len, 1);
    if (!text || !raw)
        return nothing;
    clear = raw + NONCE_LEN;
    randombytes_buf(raw, NONCE_LEN);
    seal_write_time(clear, expires_ms);
    if (payload.len)
        memcpy(clear + EXPIRY_LEN, payload.at, payload.len);
    derive(key, keys->at[0], purpose);
    crypto_aead_xchacha20poly1305_ietf_encrypt(clear, NULL, clear, EXPIRY_LEN + payload.len,
                                               (const unsigned char *)bound.at, bound.len, NULL, raw, key);
    sodium_memzero(key, sizeof key);
    sodium_bin2base64(text, room, raw, len, VARIANT);
    return (struct tn_slice){ text, room - 1 };
}

struct tn_slice tn_seal_text(const struct tn_seal_keys *keys, struct tn_arena *arena, const char *purpose,
                             struct tn_slice bound, int64_t expires_ms, struct tn_slice payload)
{
    return payload.len > SEAL_PAYLOAD_MAX ? (struct tn_slice){ "", 0 }
                                          : seal_write(keys, arena, purpose, bound, expires_ms, payload);
}

struct tn_slice tn_seal_long_text(const struct tn_seal_keys *keys, struct tn_arena *arena,
                                  const char *purpose, struct tn_slice bound, int64_t expires_ms,
                                  struct tn_slice payload)
{
    return payload.len > SEAL_LONG_MAX ? (struct tn_slice){ "", 0 }
                                       : seal_write(keys, arena, purpose, bound, expires_ms, payload);
}

/* libsodium clears `clear` when the token is not authentic, so that it must not be `raw`: another key may be tried. */
static bool open_with(const unsigned char from[SEAL_KEY_LEN], const char *purpose, struct tn_slice bound,
                      const unsigned char *raw, size_t len, unsigned char *clear)
{
    unsigned char key[SEAL_KEY_LEN];
    int           status;

    derive(key, from, purpose);
    status = crypto_aead_xchacha20poly1305_ietf_decrypt(clear, NULL, NULL, raw + NONCE_LEN, len - NONCE_LEN,
                                                        (const unsigned char *)bound.at, bound.len, raw, key);
    sodium_memzero(key, sizeof key);
    return status == 0;
}

/* A digit of base64url and one more; 0 for what is not one. */
/* clang-format off */
static const unsigned char digits[256] = {
    ['A'] = 1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26,
    ['a'] = 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52,
    ['0'] = 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, ['-'] = 63, ['_'] = 64
};
/* clang-format on */

/* Digits of base64url to bytes, in the one way there is. Tokens are no secret to who sends them: libsodium's decoder,
 * which takes the same time for all, costs more than all the cryptography that follows. */
static bool seal_decode(unsigned char *to, struct tn_slice token, size_t *len)
{
    unsigned bits = 0, held = 0;
    size_t   out = 0;

    for (size_t i = 0; i < token.len; i++) {
        unsigned digit = digits[(unsigned char)token.at[i]];

        if (digit == 0)
            return false;
        bits = bits << 6 | (digit - 1);
        held += 6;
        if (held >= 8) {
            held -= 8;
            to[out++] = (unsigned char)(bits >> held);
        }
    }
    *len = out;
    return held < 6 && (bits & ((1U << held) - 1)) == 0;
}

static bool seal_read(const struct tn_seal_keys *keys, struct tn_arena *arena, const char *purpose,
                      struct tn_slice bound, int64_t now_ms, struct tn_slice token, struct tn_slice *payload)
{
    unsigned char *raw, *clear;
    size_t         len, room;
    bool           ours = false;

    *payload = (struct tn_slice){ "", 0 };
    if (token.len < (FRAME_LEN * 4 + 2) / 3)
        return false;
    room  = token.len / 4 * 3 + 3;
    raw   = tn_arena_take(arena, room, 1);
    clear = tn_arena_take(arena, room, 1);
    if (!raw || !clear)
        return false;
    if (!seal_decode(raw, token, &len) || len < FRAME_LEN)
        return false;
    for (size_t i = 0; i < keys->count && !ours; i++)
        ours = open_with(keys->at[i], purpose, bound, raw, len, clear);
    if (!ours || read_time(clear) <= now_ms)
        return false;
    len -= FRAME_LEN;
    clear[EXPIRY_LEN + len] = '\0';
    *payload                = (struct tn_slice){ (const char *)clear + EXPIRY_LEN, len };
    return true;
}

bool tn_seal_open(const struct tn_seal_keys *keys, struct tn_arena *arena, const char *purpose,
                  struct tn_slice bound, int64_t now_ms, struct tn_slice token, struct tn_slice *payload)
{
    *payload = (struct tn_slice){ "", 0 };
    return token.len <= SEAL_TOKEN_MAX && seal_read(keys, arena, purpose, bound, now_ms, token, payload);
}

bool tn_seal_long_open(const struct tn_seal_keys *keys, struct tn_arena *arena, const char *purpose,
                       struct tn_slice bound, int64_t now_ms, struct tn_slice token, struct tn_slice *payload)
{
    *payload = (struct tn_slice){ "", 0 };
    return token.len <= SEAL_LONG_TOKEN_MAX && seal_read(keys, arena, purpose, bound, now_ms, token, payload);
}

/* ---- Marks --------------------------------------------------------------------------------------------------- */

#define MARK_LEN  ((size_t)24)
#define MARK_TEXT ((size_t)32) /* of base64url */

_Static_assert(MARK_LEN >= crypto_generichash_BYTES_MIN && MARK_LEN % 3 == 0 && MARK_TEXT == MARK_LEN / 3 * 4,
               "a mark has no padding");

/* Of both, with the length of the first, so that nothing of one can pass for a part of the other. */
static void make_mark(char out[MARK_TEXT + 1], const unsigned char from[SEAL_KEY_LEN], const char *purpose,
                      struct tn_slice bound, struct tn_slice text)
{
    crypto_generichash_state state;
    unsigned char            key[SEAL_KEY_LEN], mark[MARK_LEN], len[EXPIRY_LEN];

    derive(key, from, purpose);
    seal_write_time(len, (int64_t)bound.len);
    crypto_generichash_init(&state, key, sizeof key, MARK_LEN);
    crypto_generichash_update(&state, len, sizeof len);
    crypto_generichash_update(&state, (const unsigned char *)bound.at, bound.len);
    crypto_generichash_update(&state, (const unsigned char *)text.at, text.len);
    crypto_generichash_final(&state, mark, sizeof mark);
    sodium_memzero(key, sizeof key);
    sodium_bin2base64(out, MARK_TEXT + 1, mark, sizeof mark, VARIANT);
}

struct tn_slice tn_seal_mark(const struct tn_seal_keys *keys, struct tn_arena *arena, const char *purpose,
                             struct tn_slice bound, struct tn_slice text)
{
    char *token = keys->count > 0 ? tn_arena_take(arena, MARK_TEXT + text.len + 1, 1) : NULL;

    if (!token)
        return (struct tn_slice){ "", 0 };
    make_mark(token, keys->at[0], purpose, bound, text);
    if (text.len > 0)
        memcpy(token + MARK_TEXT, text.at, text.len);
    token[MARK_TEXT + text.len] = '\0';
    return (struct tn_slice){ token, MARK_TEXT + text.len };
}

bool tn_seal_marked(const struct tn_seal_keys *keys, const char *purpose, struct tn_slice bound,
                    struct tn_slice token, struct tn_slice *text)
{
    char mark[MARK_TEXT + 1];

    if (token.len < MARK_TEXT)
        return false;
    *text = (struct tn_slice){ token.at + MARK_TEXT, token.len - MARK_TEXT };
    for (size_t i = 0; i < keys->count; i++) {
        make_mark(mark, keys->at[i], purpose, bound, *text);
        if (sodium_memcmp(mark, token.at, MARK_TEXT) == 0)
            return true;
    }
    return false;
}
