/* jwt_fuzz.c - tokens from strangers: taken apart within their bounds, and whatever passes is what was wanted.
 *
 * Input that begins with '!' is a token; of any other, the lines are encoded as a token's parts.
 */
#include <assert.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/memory.h"
#include "oauth/claims.h"
#include "oauth/jwt.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

#define ISSUER  "https://as.example"
#define NOW_S   1794787200
#define VARIANT sodium_base64_VARIANT_URLSAFE_NO_PADDING

static struct tn_slice encode(struct tn_arena *arena, struct tn_slice rest)
{
    struct tn_slice line;
    struct tn_buf   out;
    size_t          room;
    char           *text;

    tn_buf_init(&out, arena, 0, (size_t)1 << 20);
    while (tn_slice_split(&rest, '\n', &line)) {
        room = sodium_base64_encoded_len(line.len, VARIANT);
        text = tn_arena_take(arena, room, 1);
        assert(text);
        sodium_bin2base64(text, room, (const unsigned char *)line.at, line.len, VARIANT);
        if (out.len > 0)
            tn_buf_char(&out, '.');
        tn_buf_add(&out, text, room - 1);
    }
    return tn_buf_slice(&out);
}

static void check_good(const struct tn_oauth_judgement *judgement, int64_t expires_s)
{
    (void)expires_s;
    assert(expires_s >= NOW_S);
    assert(judgement->name.len > sizeof ISSUER && memcmp(judgement->name.at, ISSUER "|", sizeof ISSUER) == 0);
    for (size_t i = 0; i < judgement->name.len; i++)
        assert((unsigned char)judgement->name.at[i] >= 0x20);
    for (size_t i = 0; i < judgement->scopes.len; i++)
        assert(judgement->scopes.at[i] >= 0x20 && judgement->scopes.at[i] < 0x7F &&
               judgement->scopes.at[i] != '"');
}

static void check(struct tn_arena *arena, struct tn_slice token)
{
    static const struct claims_wanted wanted    = { { ISSUER, sizeof ISSUER - 1 },
                                                    { "https://h/mcp", 13 },
                                                    NOW_S };
    struct tn_oauth_judgement         judgement = { .why = NULL };
    int64_t                           expires_s = 0;
    struct jwt                        jwt;

    if (jwt_read(&jwt, arena, token))
        return;
    assert(token.len <= JWT_LEN_MAX && jwt.alg.at && jwt.claims && jwt.signature_len > 0);
    assert(jwt.signed_part.at == token.at && jwt.signed_part.len < token.len - 1);
    assert(token.at[jwt.signed_part.len] == '.');
    assert(!memchr(token.at + jwt.signed_part.len + 1, '.', token.len - jwt.signed_part.len - 1));
    if (!claims_judge(jwt.claims, &wanted, arena, &judgement, &expires_s))
        check_good(&judgement, expires_s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    tenon_allocator memory = tn_memory_of(NULL);
    struct tn_slice input  = { (const char *)data, len };
    struct tn_arena arena;

    tn_arena_init(&arena, &memory, 0);
    if (len > 0 && data[0] == '!')
        check(&arena, (struct tn_slice){ input.at + 1, len - 1 });
    else
        check(&arena, encode(&arena, input));
    tn_arena_free(&arena);
    return 0;
}
