/* late_crypto.c - stands in for libcrypto, which is loaded when the first key is read or made. Without it there is no key, and
 * without a key nothing is signed. */
#include <openssl/bn.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <stdarg.h>

#include "fetch/late.h"

static struct tn_late library = { .file = TENON_LATE_CRYPTO };

/* clang-format off */
LATE(library, NULL, BIO *, BIO_new, (const BIO_METHOD *method), (method))
LATE(library, NULL, BIO *, BIO_new_mem_buf, (const void *at, int len), (at, len))
LATE(library, NULL, const BIO_METHOD *, BIO_s_secmem, (void), ())
LATE(library, -1, long, BIO_ctrl, (BIO *bio, int command, long number, void *at), (bio, command, number, at))
LATE(library, 0, int, BIO_free, (BIO *bio), (bio))

LATE(library, -1, int, BN_bn2binpad, (const BIGNUM *number, unsigned char *to, int len), (number, to, len))
LATE_VOID(library, BN_free, (BIGNUM *number), (number))

LATE(library, NULL, ECDSA_SIG *, d2i_ECDSA_SIG, (ECDSA_SIG **pair, const unsigned char **at, long len), (pair, at, len))
LATE(library, NULL, const BIGNUM *, ECDSA_SIG_get0_r, (const ECDSA_SIG *pair), (pair))
LATE(library, NULL, const BIGNUM *, ECDSA_SIG_get0_s, (const ECDSA_SIG *pair), (pair))
LATE_VOID(library, ECDSA_SIG_free, (ECDSA_SIG *pair), (pair))

LATE_VOID(library, ERR_clear_error, (void), ())

LATE(library, NULL, const EVP_MD *, EVP_sha256, (void), ())
LATE(library, NULL, EVP_MD_CTX *, EVP_MD_CTX_new, (void), ())
LATE_VOID(library, EVP_MD_CTX_free, (EVP_MD_CTX *context), (context))
LATE(library, 0, int, EVP_DigestSignInit,
     (EVP_MD_CTX *context, EVP_PKEY_CTX **with, const EVP_MD *type, ENGINE *engine, EVP_PKEY *key),
     (context, with, type, engine, key))
LATE(library, 0, int, EVP_DigestSign,
     (EVP_MD_CTX *context, unsigned char *to, size_t *room, const unsigned char *at, size_t len), (context, to, room, at, len))

LATE_VOID(library, EVP_PKEY_free, (EVP_PKEY *key), (key))
LATE(library, 0, int, EVP_PKEY_get_bits, (const EVP_PKEY *key), (key))
LATE(library, 0, int, EVP_PKEY_is_a, (const EVP_PKEY *key, const char *name), (key, name))
LATE(library, 0, int, EVP_PKEY_get_bn_param, (const EVP_PKEY *key, const char *name, BIGNUM **number), (key, name, number))
LATE(library, 0, int, EVP_PKEY_get_group_name, (const EVP_PKEY *key, char *to, size_t room, size_t *len), (key, to, room, len))

LATE(library, NULL, EVP_PKEY *, PEM_read_bio_PrivateKey,
     (BIO *bio, EVP_PKEY **key, pem_password_cb *ask, void *user), (bio, key, ask, user))
LATE(library, 0, int, PEM_write_bio_PrivateKey,
     (BIO *bio, const EVP_PKEY *key, const EVP_CIPHER *cipher, const unsigned char *password, int len, pem_password_cb *ask,
      void *user), (bio, key, cipher, password, len, ask, user))
/* clang-format on */

/* Of curves, as EVP_EC_gen() calls it: with the name of one. */
EVP_PKEY *EVP_PKEY_Q_keygen(OSSL_LIB_CTX *context, const char *query, const char *type, ...)
{
    static _Atomic(void *) known;
    void                  *found = tn_late_find(&library, &known, "EVP_PKEY_Q_keygen");
    EVP_PKEY *(*function)(OSSL_LIB_CTX *, const char *, const char *, ...);
    EVP_PKEY *key;
    va_list   list;

    memcpy(&function, &found, sizeof function);
    if (!function)
        return NULL;
    va_start(list, type);
    key = function(context, query, type, va_arg(list, char *));
    va_end(list);
    return key;
}
