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

static struct slice encode(struct arena *arena, struct slice rest)
{
    struct slice line;
    struct buf   out;
    size_t       room;
    char        *text;

    buf_init(&out, arena, 0, (size_t)1 << 20);
    while (slice_split(&rest, '\n', &line)) {
        room = sodium_base64_encoded_len(line.len, VARIANT);
        text = arena_take(arena, room, 1);
        assert(text);
        sodium_bin2base64(text, room, (const unsigned char *)line.at, line.len, VARIANT);
        if (out.len > 0)
            buf_char(&out, '.');
        buf_add(&out, text, room - 1);
    }
    return buf_slice(&out);
}

static void check_good(const struct oauth_judgement *judgement, int64_t expires_s)
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

static void check(struct arena *arena, struct slice token)
{
    static const struct claims_wanted wanted    = { { ISSUER, sizeof ISSUER - 1 },
                                                    { "https://h/mcp", 13 },
                                                    NOW_S };
    struct oauth_judgement            judgement = { .why = NULL };
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
    tenon_allocator memory = memory_of(NULL);
    struct slice    input  = { (const char *)data, len };
    struct arena    arena;

    arena_init(&arena, &memory, 0);
    if (len > 0 && data[0] == '!')
        check(&arena, (struct slice){ input.at + 1, len - 1 });
    else
        check(&arena, encode(&arena, input));
    arena_free(&arena);
    return 0;
}
