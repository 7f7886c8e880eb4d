/* grant.c - the token endpoint: a form goes there, a token comes back. */
#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "json/write.h"
#include "login/inside.h"
#include "login/words.h"

#define ASSERTION_TYPE "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
#define ASSERTION_S    60 /* that one is good for */
#define EXPIRES_S_MAX  ((int64_t)10 * 365 * 86400)

/* "Authorization: Basic ..." of RFC 6749, 2.3.1: both encoded as a form is, then base64. NULL when out of memory. */
static const char *basic_header(struct login *login, const struct client_identity *identity)
{
    struct tn_buf pair, out;
    size_t        len;
    char         *room;

    tn_buf_init(&pair, &login->arena, 128, LOGIN_FORM_MAX);
    urls_encode(&pair, tn_slice_of(identity->id));
    tn_buf_char(&pair, ':');
    urls_encode(&pair, tn_slice_of(identity->secret));
    len = sodium_base64_encoded_len(pair.len, sodium_base64_VARIANT_ORIGINAL);
    tn_buf_init(&out, &login->arena, len + 32, LOGIN_FORM_MAX * 2);
    tn_buf_lit(&out, "Authorization: Basic ");
    room = pair.failed ? NULL : tn_buf_room(&out, len);
    if (!room)
        return NULL;
    sodium_bin2base64(room, len, (const unsigned char *)pair.at, pair.len, sodium_base64_VARIANT_ORIGINAL);
    out.len += len - 1;
    return tn_buf_end(&out);
}

/* A JWT that says who we are, signed with the client's key. */
static bool add_assertion(struct login *login, const struct authority *authority,
                          const struct client_identity *identity, struct tn_buf *form)
{
    const char   *algorithm = key_algorithm(login->options->client_key);
    const char   *id        = urls_random(&login->arena, 16), *token;
    int64_t       now = (int64_t)time(NULL), end = now + ASSERTION_S;
    struct tn_buf claims;

    if (!identity->id)
        return login_fail(login, SAY_NO_ID);
    if (algorithm && authority->algorithms && !list_has(authority->algorithms, algorithm))
        return login_fail(login, SAY_ALGORITHM, algorithm);
    tn_buf_init(&claims, &login->arena, 256, LOGIN_FORM_MAX);
    tn_buf_lit(&claims, "{\"iss\":");
    tn_json_string(&claims, identity->id, strlen(identity->id));
    tn_buf_lit(&claims, ",\"sub\":");
    tn_json_string(&claims, identity->id, strlen(identity->id));
    tn_buf_lit(&claims, ",\"aud\":");
    tn_json_string(&claims, authority->issuer, strlen(authority->issuer));
    tn_buf_addf(&claims, ",\"iat\":%lld,\"exp\":%lld,\"jti\":\"%s\"}", (long long)now, (long long)end,
                id ? id : "");
    if (!id || !tn_buf_end(&claims))
        return login_fail(login, SAY_MEMORY);
    token = key_sign(login, login->options->client_key, "\"typ\":\"JWT\"", claims.at);
    if (!token)
        return false;
    urls_add(form, "client_assertion_type", tn_slice_of(ASSERTION_TYPE));
    urls_add(form, "client_assertion", tn_slice_of(token));
    return true;
}

/* Adds to the form who we are; a header is set when it says so instead. */
static bool add_identity(struct login *login, const struct authority *authority,
                         const struct client_identity *identity, struct tn_buf *form, const char **header)
{
    *header = NULL;
    if (strcmp(identity->method, "client_secret_basic") == 0) {
        *header = basic_header(login, identity);
        return *header || login_fail(login, SAY_MEMORY);
    }
    if (identity->id)
        urls_add(form, "client_id", tn_slice_of(identity->id));
    if (strcmp(identity->method, "private_key_jwt") == 0)
        return add_assertion(login, authority, identity, form);
    if (strcmp(identity->method, "client_secret_post") == 0)
        urls_add(form, "client_secret", tn_slice_of(identity->secret));
    return true;
}

/* ---- Proofs (DPoP, RFC 9449) ----------------------------------------------------------------------------------- */

/* A proof that we hold the key: for one request, and for `access` where there is one. NULL with `why`. */
static const char *write_proof(struct login *login, const char *method, const char *url, const char *access,
                               const char *nonce)
{
    struct tn_slice pem = tn_slice_of(login->kept.key);
    const char *public = key_public(&login->arena, pem), *id = urls_random(&login->arena, 16), *hash;
    unsigned char digest[crypto_hash_sha256_BYTES];
    struct tn_buf header, claims;

    tn_buf_init(&header, &login->arena, 256, LOGIN_TEXT_MAX);
    tn_buf_lit(&header, "\"typ\":\"dpop+jwt\",\"jwk\":");
    tn_buf_text(&header, public ? public : "{}");
    tn_buf_init(&claims, &login->arena, 256, LOGIN_TEXT_MAX);
    tn_buf_addf(&claims, "{\"jti\":\"%s\",\"htm\":\"%s\",\"iat\":%lld,\"htu\":", id ? id : "", method,
                (long long)time(NULL));
    tn_json_string(&claims, url, strcspn(url, "?#"));
    if (access) {
        crypto_hash_sha256(digest, (const unsigned char *)access, strlen(access));
        hash = urls_base64(&login->arena, digest, sizeof digest);
        tn_buf_lit(&claims, ",\"ath\":");
        tn_json_string(&claims, hash ? hash : "", hash ? strlen(hash) : 0);
    }
    if (nonce) {
        tn_buf_lit(&claims, ",\"nonce\":");
        tn_json_string(&claims, nonce, strlen(nonce));
    }
    tn_buf_char(&claims, '}');
    if (!public || !id || !tn_buf_end(&header) || !tn_buf_end(&claims)) {
        login_fail(login, SAY_MEMORY);
        return NULL;
    }
    return key_sign(login, pem, header.at, claims.at);
}

const char *login_proof(struct login *login, const char *method)
{
    struct tn_arena held = login->arena;
    const char     *proof;
    char            why[LOGIN_WHY_MAX];

    if (!login->kept.key || !login->kept.access)
        return NULL;
    login->why = why;
    tn_arena_reset(&login->proofs);
    login->arena = login->proofs; /* every request has one: they must not add up */
    proof = write_proof(login, method, login->options->server, login->kept.access, login->server_nonce);
    login->proofs = login->arena;
    login->arena  = held;
    return proof;
}

/* ---- The answer ------------------------------------------------------------------------------------------------ */

static bool is_one_word(const char *text)
{
    for (; *text; text++)
        if (*text <= ' ' || *text > '~')
            return false;
    return true;
}

static bool take_token(struct login *login, yyjson_val *object)
{
    const char *access  = login_text(login, object, "access_token"),
               *type    = login_text(login, object, "token_type"),
               *refresh = login_text(login, object, "refresh_token");
    yyjson_val *lasts   = yyjson_obj_get(object, "expires_in");
    int64_t     seconds = yyjson_is_int(lasts) ? yyjson_get_sint(lasts) : 0;
    bool        bound   = type && tn_slice_fold_equal(tn_slice_of(type), SLICE_LIT("dpop"));

    if (!access || !*access || !is_one_word(access))
        return login_fail(login, SAY_TOKEN_BAD, "it is missing, or not one word of ASCII");
    if (!bound && !(type && tn_slice_fold_equal(tn_slice_of(type), SLICE_LIT("bearer"))))
        return login_fail(login, SAY_TOKEN_BAD, "it is of an unknown type");
    if (bound && !login->kept.key)
        return login_fail(login, SAY_TOKEN_BAD, "it is bound to a key that is not ours");
    if (!bound)
        login->kept.key = NULL;
    login->kept.access = access;
    if (refresh)
        login->kept.refresh = refresh;
    login->kept.ends = seconds > 0 && seconds < EXPIRES_S_MAX ? (int64_t)time(NULL) + seconds : 0;
    return true;
}

/* Sends it once. *again is set when the server only wanted a nonce in the proof, which is kept now. */
static bool send_once(struct login *login, const struct authority *authority, const struct sent *sent,
                      const char *header, bool *again)
{
    struct tn_document_request request = { .url        = authority->token,
                                           .type       = "application/x-www-form-urlencoded",
                                           .body       = tn_slice_of(sent->form),
                                           .headers    = { header },
                                           .nearest    = login->nearest,
                                           .timeout_ms = login_fetch_ms(login) };
    struct tn_document_answer  answer;
    yyjson_val                *object;
    struct reason              reason;
    char                       why[FETCH_WHY_MAX];
    struct tn_buf              proof;

    if (login->kept.key) {
        const char *text = write_proof(login, "POST", authority->token, NULL, login->issuer_nonce);

        tn_buf_init(&proof, &login->arena, 1024, LOGIN_TEXT_MAX);
        tn_buf_lit(&proof, "DPoP: ");
        tn_buf_text(&proof, text ? text : "");
        request.headers[header ? 1 : 0] = tn_buf_end(&proof);
        if (!text || proof.failed)
            return false;
    }
    if (!tn_document_send(&login->arena, &request, &answer, why))
        return login_fail(login, SAY_FETCH, "a token", authority->token, why);
    if (answer.nonce[0])
        login->issuer_nonce = tn_arena_copy(&login->arena, answer.nonce, strlen(answer.nonce));
    object = login_object(login, answer.body);
    if (answer.status == 200 && object)
        return take_token(login, object);
    *again = login->kept.key && answer.nonce[0] && login->issuer_nonce && object &&
             yyjson_equals_str(yyjson_obj_get(object, "error"), "use_dpop_nonce");
    reason = reason_of(login, object, sent);
    return login_fail(login, SAY_TOKEN, answer.status, reason.error, reason.mark, reason.more);
}

bool grant_token(struct login *login, const struct authority *authority,
                 const struct client_identity *identity, struct tn_buf *form)
{
    const char *header = NULL;
    bool        again  = false;
    struct sent sent;

    if (!add_identity(login, authority, identity, form, &header))
        return false;
    if (!tn_buf_end(form))
        return login_fail(login, SAY_MEMORY);
    sent = (struct sent){ form->at, tn_slice_of(identity->secret),
                          tn_slice_of(header ? strrchr(header, ' ') + 1 : NULL) };
    if (send_once(login, authority, &sent, header, &again))
        return true;
    return again && send_once(login, authority, &sent, header, &again);
}
