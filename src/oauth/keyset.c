/* keyset.c - reads a key set and checks signatures by it, with cjose; EdDSA, which cjose does not have, with libsodium.
 *
 * Of each key only the public numbers are handed on, in a document that we write: whatever else an issuer publishes there
 * (a private part, by mistake) is not looked at. Sizes are checked here, because cjose takes any.
 */
#include "oauth/keyset.h"

#include <cjose/cjose.h>
#include <sodium.h>
#include <string.h>

#include "base/buf.h"
#include "base/memory.h"
#include "json/read.h"
#include "json/write.h"

#define VARIANT      sodium_base64_VARIANT_URLSAFE_NO_PADDING
#define RSA_BITS_MIN ((size_t)2048)
#define RSA_BITS_MAX ((size_t)8192)
#define EXPONENT_MAX ((size_t)6) /* base64 of four bytes: a longer one would only cost time */
#define NUMBER_MAX   ((size_t)2000)
#define TRIES_MAX    8 /* keys that a token without a kid is tried with */

enum kind { KIND_RSA, KIND_P256, KIND_P384, KIND_P521, KIND_ED25519, KINDS };

static const struct algorithm {
    const char *name;
    enum kind   kind;
    size_t      signature_len; /* 0: the key's */
} algorithms_known[] = {
    { "RS256", KIND_RSA, 0 },      { "RS384", KIND_RSA, 0 },   { "RS512", KIND_RSA, 0 },
    { "PS256", KIND_RSA, 0 },      { "PS384", KIND_RSA, 0 },   { "PS512", KIND_RSA, 0 },
    { "ES256", KIND_P256, 64 },    { "ES384", KIND_P384, 96 }, { "ES512", KIND_P521, 132 },
    { "EdDSA", KIND_ED25519, 64 },
};

#define ALGORITHMS (sizeof algorithms_known / sizeof *algorithms_known)

static const struct {
    const char *type, *curve; /* of the document; curve is NULL for RSA */
} kinds[KINDS] = {
    [KIND_RSA] = { "RSA", NULL },    [KIND_P256] = { "EC", "P-256" },       [KIND_P384] = { "EC", "P-384" },
    [KIND_P521] = { "EC", "P-521" }, [KIND_ED25519] = { "OKP", "Ed25519" },
};

struct keyset_key {
    struct tn_slice         kid; /* at is NULL when it has none */
    enum kind               kind;
    const struct algorithm *only; /* the key's own choice, or NULL */
    cjose_jwk_t            *jwk;  /* NULL for Ed25519 */
    unsigned char           point[crypto_sign_PUBLICKEYBYTES];
};

struct keyset {
    tenon_allocator   memory;
    struct tn_arena   arena;
    struct keyset_key at[KEYSET_KEYS_MAX];
    size_t            count;
};

/* ---- Algorithms ---------------------------------------------------------------------------------------------- */

static const struct algorithm *find_algorithm(struct tn_slice name)
{
    for (size_t i = 0; i < ALGORITHMS; i++)
        if (tn_slice_is(name, algorithms_known[i].name))
            return &algorithms_known[i];
    return NULL;
}

unsigned algorithms_read(const char *text, struct tn_slice *wrong)
{
    const char *at    = text;
    unsigned    found = 0;

    *wrong = (struct tn_slice){ "", 0 };
    while (*(at += strspn(at, " ,"))) {
        struct tn_slice         name      = { at, strcspn(at, " ,") };
        const struct algorithm *algorithm = find_algorithm(name);

        if (!algorithm) {
            *wrong = name;
            return 0;
        }
        found |= 1u << (algorithm - algorithms_known);
        at += name.len;
    }
    return found;
}

bool algorithms_have(unsigned algorithms, struct tn_slice name)
{
    const struct algorithm *algorithm = find_algorithm(name);

    return algorithm && (algorithms >> (algorithm - algorithms_known) & 1u) != 0;
}

/* ---- Reading ------------------------------------------------------------------------------------------------- */

static bool is_for_signatures(yyjson_val *jwk)
{
    yyjson_val *use = yyjson_obj_get(jwk, "use"), *deeds = yyjson_obj_get(jwk, "key_ops"), *deed;
    size_t      i, count;

    if (use && !yyjson_equals_str(use, "sig"))
        return false;
    if (!yyjson_is_arr(deeds))
        return true;
    yyjson_arr_foreach(deeds, i, count, deed) if (yyjson_equals_str(deed, "verify")) return true;
    return false;
}

static bool find_kind(yyjson_val *jwk, enum kind *kind)
{
    for (size_t i = 0; i < KINDS; i++)
        if (yyjson_equals_str(yyjson_obj_get(jwk, "kty"), kinds[i].type) &&
            (!kinds[i].curve || yyjson_equals_str(yyjson_obj_get(jwk, "crv"), kinds[i].curve))) {
            *kind = (enum kind)i;
            return true;
        }
    return false;
}

/* `,"name":"text"` of a number in base64url. */
static bool copy_number(struct tn_buf *out, yyjson_val *jwk, const char *name, size_t max)
{
    struct tn_slice text;

    if (!jwt_text(jwk, name, &text) || text.len == 0 || text.len > max)
        return false;
    tn_buf_addf(out, ",\"%s\":", name);
    tn_json_string(out, text.at, text.len);
    return true;
}

static bool import(struct keyset *set, struct keyset_key *key, yyjson_val *jwk)
{
    struct tn_buf out;
    cjose_err     err;
    size_t        bits;
    bool          whole;

    tn_buf_init(&out, &set->arena, 0, KEYSET_BYTES_MAX);
    tn_buf_addf(&out, "{\"kty\":\"%s\"", kinds[key->kind].type);
    if (key->kind == KIND_RSA)
        whole = copy_number(&out, jwk, "n", NUMBER_MAX) && copy_number(&out, jwk, "e", EXPONENT_MAX);
    else {
        tn_buf_addf(&out, ",\"crv\":\"%s\"", kinds[key->kind].curve);
        whole = copy_number(&out, jwk, "x", NUMBER_MAX) && copy_number(&out, jwk, "y", NUMBER_MAX);
    }
    tn_buf_char(&out, '}');
    if (!whole || !tn_buf_end(&out))
        return false;
    key->jwk = cjose_jwk_import(out.at, out.len, &err);
    if (!key->jwk)
        return false;
    bits = cjose_jwk_get_keysize(key->jwk, &err);
    if (key->kind != KIND_RSA || (bits >= RSA_BITS_MIN && bits <= RSA_BITS_MAX))
        return true;
    cjose_jwk_release(key->jwk);
    return false;
}

static bool read_point(struct keyset_key *key, yyjson_val *jwk)
{
    struct tn_slice text;
    size_t          len;

    return jwt_text(jwk, "x", &text) &&
           sodium_base642bin(key->point, sizeof key->point, text.at, text.len, NULL, &len, NULL, VARIANT) ==
               0 &&
           len == sizeof key->point;
}

/* False when it is none of ours to use. */
static bool read_key(struct keyset *set, struct keyset_key *key, yyjson_val *jwk)
{
    struct tn_slice text;
    char           *kid;

    *key = (struct keyset_key){ .jwk = NULL };
    if (!yyjson_is_obj(jwk) || !is_for_signatures(jwk) || !find_kind(jwk, &key->kind))
        return false;
    if (yyjson_obj_get(jwk, "alg")) {
        key->only = jwt_text(jwk, "alg", &text) ? find_algorithm(text) : NULL;
        if (!key->only || key->only->kind != key->kind)
            return false;
    }
    if (yyjson_obj_get(jwk, "kid")) {
        if (!jwt_text(jwk, "kid", &text))
            return false;
        kid = tn_arena_copy(&set->arena, text.at, text.len);
        if (!kid)
            return false;
        key->kid = (struct tn_slice){ kid, text.len };
    }
    return key->kind == KIND_ED25519 ? read_point(key, jwk) : import(set, key, jwk);
}

struct keyset *keyset_read(const tenon_allocator *memory, struct tn_slice json, const char **why)
{
    static const struct tn_json_limits limits = { .bytes = KEYSET_BYTES_MAX, .depth = 16, .nodes = 20000 };
    struct keyset                     *set    = tn_memory_new(memory, sizeof *set);
    struct tn_json_text                text;
    yyjson_val                        *keys, *one;
    size_t                             i, count;

    *why = "out of memory";
    if (!set)
        return NULL;
    *set = (struct keyset){ .memory = *memory };
    tn_arena_init(&set->arena, &set->memory, KEYSET_BYTES_MAX * 16);
    text = tn_json_read(&set->arena, json.at, json.len, &limits);
    keys = yyjson_obj_get(text.root, "keys");
    *why = !text.root || text.bad_utf8 ? "it is not JSON"
           : !yyjson_is_arr(keys)      ? "it is not a key set (RFC 7517)"
                                       : "it has no key that can check signatures";
    if (yyjson_is_arr(keys) && !text.bad_utf8)
        yyjson_arr_foreach(keys, i, count, one) if (set->count < KEYSET_KEYS_MAX &&
                                                    read_key(set, &set->at[set->count], one)) set->count++;
    if (set->count > 0)
        return set;
    keyset_free(set);
    return NULL;
}

void keyset_free(struct keyset *set)
{
    tenon_allocator memory;

    if (!set)
        return;
    for (size_t i = 0; i < set->count; i++)
        if (set->at[i].jwk)
            cjose_jwk_release(set->at[i].jwk);
    tn_arena_free(&set->arena);
    memory = set->memory;
    tn_memory_free(&memory, set, sizeof *set);
}

size_t keyset_count(const struct keyset *set)
{
    return set->count;
}

/* ---- Checking ------------------------------------------------------------------------------------------------ */

static bool may_have_signed(const struct keyset_key *key, const struct jwt *jwt,
                            const struct algorithm *algorithm)
{
    if (key->kind != algorithm->kind || (key->only && key->only != algorithm))
        return false;
    return !key->kid.at || !jwt->kid.at ||
           (key->kid.len == jwt->kid.len && memcmp(key->kid.at, jwt->kid.at, jwt->kid.len) == 0);
}

static bool check_with_cjose(const struct keyset_key *key, const struct jwt *jwt,
                             const struct algorithm *algorithm)
{
    cjose_err    err;
    cjose_jws_t *jws = cjose_jws_import(jwt->whole.at, jwt->whole.len, &err);
    const char  *named;
    bool         good;

    if (!jws)
        return false;
    /* Two readers of JSON may see two things in one header: both must have seen the same algorithm. */
    named = cjose_header_get(cjose_jws_get_protected(jws), CJOSE_HDR_ALG, &err);
    good  = named && strcmp(named, algorithm->name) == 0 && cjose_jws_verify(jws, key->jwk, &err);
    cjose_jws_release(jws);
    return good;
}

static bool check_with(const struct keyset_key *key, const struct jwt *jwt, const struct algorithm *algorithm)
{
    if (algorithm->signature_len != 0 && jwt->signature_len != algorithm->signature_len)
        return false;
    if (key->kind != KIND_ED25519)
        return check_with_cjose(key, jwt, algorithm);
    return crypto_sign_verify_detached(jwt->signature, (const unsigned char *)jwt->signed_part.at,
                                       jwt->signed_part.len, key->point) == 0;
}

enum signature keyset_check(const struct keyset *set, const struct jwt *jwt, unsigned algorithms)
{
    const struct algorithm *algorithm = find_algorithm(jwt->alg);
    int                     tries     = 0;
    bool                    named     = false;

    if (!algorithm || !algorithms_have(algorithms, jwt->alg))
        return SIGNATURE_WRONG;
    for (size_t i = 0; i < set->count && tries < TRIES_MAX; i++) {
        if (!may_have_signed(&set->at[i], jwt, algorithm))
            continue;
        tries++;
        named |= jwt->kid.at && set->at[i].kid.at;
        if (check_with(&set->at[i], jwt, algorithm))
            return SIGNATURE_GOOD;
    }
    return named ? SIGNATURE_WRONG
                 : SIGNATURE_NO_KEY; /* only of the key that it names is it known to be wrong */
}
