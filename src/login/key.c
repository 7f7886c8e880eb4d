/* key.c - signing with private keys, by libcrypto: P-256 as ES256, RSA as RS256. */
#include <string.h>

#include "login/inside.h"
#include "login/words.h"

#ifdef TENON_CRYPTO

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>

#define COORDINATE_LEN 32
#define SIGNATURE_MAX  1024 /* RSA of 8192 bits */
#define RSA_BITS_MIN   2048

/* Keys with a password are refused: there is no person to ask. */
static int no_password(char *to, int room, int writing, void *user)
{
    (void)to, (void)room, (void)writing, (void)user;
    return -1;
}

static EVP_PKEY *read_key(struct tn_slice pem)
{
    BIO      *bio = pem.len > 0 && pem.len < LOGIN_TEXT_MAX ? BIO_new_mem_buf(pem.at, (int)pem.len) : NULL;
    EVP_PKEY *key = bio ? PEM_read_bio_PrivateKey(bio, NULL, no_password, NULL) : NULL;

    BIO_free(bio);
    ERR_clear_error();
    return key;
}

static const char *algorithm_of(EVP_PKEY *key)
{
    char group[32] = "";

    if (EVP_PKEY_is_a(key, "RSA"))
        return EVP_PKEY_get_bits(key) >= RSA_BITS_MIN ? "RS256" : NULL;
    if (!EVP_PKEY_is_a(key, "EC") || EVP_PKEY_get_group_name(key, group, sizeof group, NULL) != 1)
        return NULL;
    return strcmp(group, "prime256v1") == 0 ? "ES256" : NULL;
}

const char *key_algorithm(struct tn_slice pem)
{
    EVP_PKEY   *key       = read_key(pem);
    const char *algorithm = key ? algorithm_of(key) : NULL;

    EVP_PKEY_free(key);
    return algorithm;
}

/* DER, as libcrypto writes it, to the two numbers side by side that a JWT has. */
static bool key_flatten(unsigned char *signature, size_t *len)
{
    const unsigned char *at   = signature;
    ECDSA_SIG           *pair = d2i_ECDSA_SIG(NULL, &at, (long)*len);
    unsigned char        flat[2 * COORDINATE_LEN];
    bool                 good = pair && BN_bn2binpad(ECDSA_SIG_get0_r(pair), flat, COORDINATE_LEN) > 0 &&
                BN_bn2binpad(ECDSA_SIG_get0_s(pair), flat + COORDINATE_LEN, COORDINATE_LEN) > 0;

    ECDSA_SIG_free(pair);
    if (good) {
        memcpy(signature, flat, sizeof flat);
        *len = sizeof flat;
    }
    return good;
}

static bool sign_digest(EVP_PKEY *key, struct tn_slice text, unsigned char signature[SIGNATURE_MAX],
                        size_t *len)
{
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    bool        good;

    *len = SIGNATURE_MAX;
    good = context && EVP_DigestSignInit(context, NULL, EVP_sha256(), NULL, key) == 1 &&
           EVP_DigestSign(context, signature, len, (const unsigned char *)text.at, text.len) == 1;
    EVP_MD_CTX_free(context);
    ERR_clear_error();
    return good && (!EVP_PKEY_is_a(key, "EC") || key_flatten(signature, len));
}

/* "HEADER.CLAIMS" in base64url; false when out of memory. */
static bool begin_token(struct tn_arena *arena, const char *algorithm, const char *header, const char *claims,
                        struct tn_buf *out)
{
    struct tn_buf whole;
    const char   *first, *second = urls_base64(arena, claims, strlen(claims));

    tn_buf_init(&whole, arena, 256, LOGIN_TEXT_MAX);
    tn_buf_addf(&whole, "{\"alg\":\"%s\",", algorithm);
    tn_buf_text(&whole, header);
    tn_buf_char(&whole, '}');
    first = tn_buf_end(&whole) ? urls_base64(arena, whole.at, whole.len) : NULL;
    tn_buf_init(out, arena, 512, LOGIN_FORM_MAX);
    tn_buf_text(out, first ? first : "");
    tn_buf_char(out, '.');
    tn_buf_text(out, second ? second : "");
    return first && second && tn_buf_end(out);
}

const char *key_sign(struct login *login, struct tn_slice pem, const char *header, const char *claims)
{
    EVP_PKEY     *key       = read_key(pem);
    const char   *algorithm = key ? algorithm_of(key) : NULL, *last = NULL;
    unsigned char signature[SIGNATURE_MAX];
    size_t        len;
    struct tn_buf out;

    if (!algorithm)
        login_fail(login, SAY_KEY);
    else if (!begin_token(&login->arena, algorithm, header, claims, &out) ||
             !sign_digest(key, tn_buf_slice(&out), signature, &len) ||
             !(last = urls_base64(&login->arena, signature, len)))
        login_fail(login, SAY_MEMORY);
    EVP_PKEY_free(key);
    if (!last)
        return NULL;
    tn_buf_char(&out, '.');
    tn_buf_text(&out, last);
    return tn_buf_end(&out);
}

const char *key_new(struct tn_arena *arena)
{
    EVP_PKEY *key  = EVP_EC_gen("P-256");
    BIO      *bio  = BIO_new(BIO_s_secmem());
    char     *text = NULL, *copy = NULL;
    long      len = 0;

    if (key && bio && PEM_write_bio_PrivateKey(bio, key, NULL, NULL, 0, NULL, NULL) == 1)
        len = BIO_get_mem_data(bio, &text);
    if (len > 0)
        copy = tn_arena_copy(arena, text, (size_t)len);
    BIO_free(bio);
    EVP_PKEY_free(key);
    ERR_clear_error();
    return copy;
}

static const char *coordinate(struct tn_arena *arena, EVP_PKEY *key, const char *name)
{
    unsigned char bytes[COORDINATE_LEN];
    BIGNUM       *number = NULL;
    const char   *text   = NULL;

    if (EVP_PKEY_get_bn_param(key, name, &number) == 1 && BN_bn2binpad(number, bytes, sizeof bytes) > 0)
        text = urls_base64(arena, bytes, sizeof bytes);
    BN_free(number);
    return text;
}

const char *key_public(struct tn_arena *arena, struct tn_slice pem)
{
    EVP_PKEY   *key = read_key(pem);
    const char *x   = key ? coordinate(arena, key, OSSL_PKEY_PARAM_EC_PUB_X) : NULL,
               *y   = key ? coordinate(arena, key, OSSL_PKEY_PARAM_EC_PUB_Y) : NULL;
    struct tn_buf out;

    EVP_PKEY_free(key);
    ERR_clear_error();
    tn_buf_init(&out, arena, 200, 400);
    tn_buf_addf(&out, "{\"crv\":\"P-256\",\"kty\":\"EC\",\"x\":\"%s\",\"y\":\"%s\"}", x ? x : "", y ? y : "");
    return x && y ? tn_buf_end(&out) : NULL;
}

#else

const char *key_algorithm(struct tn_slice pem)
{
    (void)pem;
    return NULL;
}

const char *key_sign(struct login *login, struct tn_slice pem, const char *header, const char *claims)
{
    (void)pem, (void)header, (void)claims;
    login_fail(login, SAY_NO_KEYS);
    return NULL;
}

const char *key_new(struct tn_arena *arena)
{
    (void)arena;
    return NULL;
}

const char *key_public(struct tn_arena *arena, struct tn_slice pem)
{
    (void)arena, (void)pem;
    return NULL;
}

#endif
