/* jwt.c - takes a JSON Web Token apart: strictly, and with bounds. */
#include "oauth/jwt.h"

#include <sodium.h>
#include <string.h>

#include "json/read.h"
#include "oauth/words.h"

#define VARIANT sodium_base64_VARIANT_URLSAFE_NO_PADDING

static const struct tn_json_limits limits = { .bytes = JWT_LEN_MAX, .depth = 16, .nodes = 2000 };

static bool jwt_decode(struct tn_arena *arena, struct tn_slice part, unsigned char **bytes, size_t *len)
{
    size_t room = part.len / 4 * 3 + 3;

    *bytes = tn_arena_take(arena, room, 1);
    return *bytes && sodium_base642bin(*bytes, room, part.at, part.len, NULL, len, NULL, VARIANT) == 0;
}

static yyjson_val *decode_object(struct tn_arena *arena, struct tn_slice part)
{
    unsigned char      *bytes;
    struct tn_json_text text;
    size_t              len;

    if (part.len == 0 || !jwt_decode(arena, part, &bytes, &len))
        return NULL;
    text = tn_json_read(arena, (const char *)bytes, len, &limits);
    return text.root && !text.bad_utf8 && yyjson_is_obj(text.root) ? text.root : NULL;
}

bool jwt_text(yyjson_val *object, const char *name, struct tn_slice *text)
{
    *text = tn_json_slice(yyjson_obj_get(object, name));
    for (size_t i = 0; text->at && i < text->len; i++)
        if ((unsigned char)text->at[i] < 0x20 || text->at[i] == 0x7F)
            return false;
    return text->at != NULL;
}

/* A token of another kind, such as one that logs out, must not pass for an access token; most issuers say nothing. */
static bool is_access_token(yyjson_val *header)
{
    static const struct tn_slice kinds[] = { { "JWT", 3 }, { "at+jwt", 6 }, { "application/at+jwt", 18 } };
    struct tn_slice              type;

    if (!yyjson_obj_get(header, "typ"))
        return true;
    if (!jwt_text(header, "typ", &type))
        return false;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (tn_slice_fold_equal(type, kinds[i]))
            return true;
    return false;
}

static const char *read_header(struct jwt *jwt, yyjson_val *header)
{
    if (!jwt_text(header, "alg", &jwt->alg))
        return WHY_HEADER;
    if (yyjson_obj_get(header, "crit")) /* extensions that must be understood, and are not */
        return WHY_HEADER;
    if (!is_access_token(header))
        return WHY_KIND;
    if (yyjson_obj_get(header, "kid") && !jwt_text(header, "kid", &jwt->kid))
        return WHY_HEADER;
    return NULL;
}

const char *jwt_read(struct jwt *jwt, struct tn_arena *arena, struct tn_slice token)
{
    struct tn_slice parts[3], rest = token;
    yyjson_val     *header;
    unsigned char  *signature;
    const char     *why;

    *jwt = (struct jwt){ .whole = token };
    if (token.len > JWT_LEN_MAX)
        return WHY_NOT_JWT;
    for (size_t i = 0; i < 3; i++)
        if (!tn_slice_split(&rest, '.', &parts[i]))
            return WHY_NOT_JWT;
    if (rest.len > 0 || parts[2].len == 0 || token.at[token.len - 1] == '.')
        return WHY_NOT_JWT;
    header = decode_object(arena, parts[0]);
    if (!header)
        return WHY_NOT_JWT;
    why = read_header(jwt, header);
    if (why)
        return why;
    jwt->claims = decode_object(arena, parts[1]);
    if (!jwt->claims || !jwt_decode(arena, parts[2], &signature, &jwt->signature_len))
        return WHY_NOT_JWT;
    jwt->signature   = signature;
    jwt->signed_part = (struct tn_slice){ token.at, (size_t)(parts[2].at - 1 - token.at) };
    return NULL;
}
