/* module_test.c - access tokens are judged by what they say and who signed them; keys come, go and are rarely asked for. */
#define _POSIX_C_SOURCE 200809L
#include "oauth/module.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cjose/cjose.h>
#include <sodium.h>

#include <cmocka.h>

#include "base/memory.h"
#include "oauth/words.h"
#include "support/fault.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))
#define ISSUER          "https://as.example/tenant"
#define AUDIENCE        "https://tools.example/mcp"
#define NOW_S           1794787200
#define TOKEN_ROOM      8192

/* Signers: what is in the key set, and what is not. */
enum { RSA_A, RSA_B, RSA_C /* too short */, P256, P384, ED, SIGNERS };

static cjose_jwk_t  *signers[SIGNERS];
static unsigned char ed_public[crypto_sign_PUBLICKEYBYTES], ed_secret[crypto_sign_SECRETKEYBYTES];

struct fixture {
    char                         folder[64], path[96];
    tenon_allocator              memory;
    struct tn_arena              arena;
    int64_t                      now_ms, wall_ms;
    char                         log[2000];
    struct tn_log                log_to;
    const struct tn_auth_module *module;
    struct oauth                *oauth;
};

static int64_t fake_now(void *user)
{
    return ((struct fixture *)user)->now_ms;
}

static int64_t fake_wall(void *user)
{
    return ((struct fixture *)user)->wall_ms;
}

static void keep(void *user, int level, const char *text)
{
    struct fixture *fixture = user;

    (void)level;
    snprintf(fixture->log, sizeof fixture->log, "%s", text);
}

/* ---- Making keys and tokens ---------------------------------------------------------------------------------- */

static int make_signers(void **state)
{
    static const unsigned char exponent[] = { 1, 0, 1 };
    cjose_err                  err;

    (void)state;
    if (sodium_init() < 0)
        return -1;
    signers[RSA_A] = cjose_jwk_create_RSA_random(2048, exponent, sizeof exponent, &err);
    signers[RSA_B] = cjose_jwk_create_RSA_random(2048, exponent, sizeof exponent, &err);
    signers[RSA_C] = cjose_jwk_create_RSA_random(1024, exponent, sizeof exponent, &err);
    signers[P256]  = cjose_jwk_create_EC_random(CJOSE_JWK_EC_P_256, &err);
    signers[P384]  = cjose_jwk_create_EC_random(CJOSE_JWK_EC_P_384, &err);
    crypto_sign_keypair(ed_public, ed_secret);
    return 0;
}

static int free_signers(void **state)
{
    (void)state;
    for (size_t i = 0; i < SIGNERS; i++)
        if (signers[i])
            cjose_jwk_release(signers[i]);
    return 0;
}

static void encode(char *to, size_t room, const void *at, size_t len)
{
    sodium_bin2base64(to, room, at, len, sodium_base64_VARIANT_URLSAFE_NO_PADDING);
}

/* A public key as its document, with `more` members (",\"kid\":...") in it. */
static void write_jwk(FILE *file, int signer, const char *more)
{
    cjose_err err;
    char      point[64], *json;

    if (signer == ED) {
        encode(point, sizeof point, ed_public, sizeof ed_public);
        fprintf(file, "{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"x\":\"%s\"%s}", point, more);
        return;
    }
    json = cjose_jwk_to_json(signers[signer], false, &err);
    fprintf(file, "%.*s%s}", (int)strlen(json) - 1, json, more);
    cjose_get_dealloc()(json);
}

static void write_keys(const struct fixture *fixture, int rsa, const char *rsa_kid)
{
    FILE *file = fopen(fixture->path, "w");
    char  kid[64];

    assert_non_null(file);
    snprintf(kid, sizeof kid, ",\"kid\":\"%s\",\"use\":\"sig\"", rsa_kid);
    fprintf(file, "{\"keys\":[42,{\"kty\":\"oct\",\"k\":\"AAAA\",\"kid\":\"oct\"},");
    write_jwk(file, rsa, kid);
    fprintf(file, ",");
    write_jwk(file, P256, ",\"kid\":\"ec\",\"alg\":\"ES256\"");
    fprintf(file, ",");
    write_jwk(file, P384, ",\"kid\":\"ec384\"");
    fprintf(file, ",");
    write_jwk(file, ED, ",\"kid\":\"ed\",\"key_ops\":[\"verify\"]");
    fprintf(file, ",");
    write_jwk(file, RSA_C, ",\"kid\":\"small\"");
    fprintf(file, ",");
    write_jwk(file, RSA_B, ",\"kid\":\"for-encryption\",\"use\":\"enc\"");
    fprintf(file, "]}");
    assert_int_equal(fclose(file), 0);
}

/* A token with this header and these claims, whatever they are, signed by `signer` with `alg`'s way of signing. */
static void sign(char token[TOKEN_ROOM], int signer, const char *alg, const char *header, const char *claims)
{
    unsigned char   signature[crypto_sign_BYTES];
    const char     *whole;
    cjose_err       err;
    cjose_header_t *named;
    cjose_jws_t    *jws;
    size_t          len;

    encode(token, TOKEN_ROOM / 4, header, strlen(header));
    len        = strlen(token);
    token[len] = '.';
    encode(token + len + 1, TOKEN_ROOM / 2, claims, strlen(claims));
    len += strlen(token + len);
    if (signer == ED) {
        crypto_sign_detached(signature, NULL, (unsigned char *)token, len, ed_secret);
        token[len] = '.';
        encode(token + len + 1, TOKEN_ROOM / 4, signature, sizeof signature);
        return;
    }
    /* cjose writes the header itself; only one that it writes the same can be signed by it */
    named = cjose_header_new(&err);
    assert_true(cjose_header_set(named, "alg", alg, &err));
    if (strstr(header, "\"kid\"")) {
        char kid[50];

        assert_int_equal(sscanf(strstr(header, "\"kid\""), "\"kid\":\"%49[^\"]", kid), 1);
        assert_true(cjose_header_set(named, "kid", kid, &err));
    }
    if (strstr(header, "\"typ\"")) {
        char type[50];

        assert_int_equal(sscanf(strstr(header, "\"typ\""), "\"typ\":\"%49[^\"]", type), 1);
        assert_true(cjose_header_set(named, "typ", type, &err));
    }
    jws = cjose_jws_sign(signers[signer], named, (const uint8_t *)claims, strlen(claims), &err);
    assert_non_null(jws);
    assert_true(cjose_jws_export(jws, &whole, &err));
    snprintf(token, TOKEN_ROOM, "%s", whole);
    cjose_jws_release(jws);
    cjose_header_release(named);
}

#define CLAIMS(rest) "{\"iss\":\"" ISSUER "\",\"aud\":\"" AUDIENCE "\",\"sub\":\"ann\",\"exp\":1794787260" rest "}"
#define HEADER       "{\"alg\":\"RS256\",\"kid\":\"one\"}"

/* ---- The fixture --------------------------------------------------------------------------------------------- */

static struct oauth *open_with(struct fixture *fixture, const char *keys, const char *algorithms,
                               const char **mistake)
{
    struct tn_oauth_options options = { .issuer     = ISSUER,
                                        .keys       = keys,
                                        .algorithms = algorithms,
                                        .memory     = &fixture->memory,
                                        .log        = &fixture->log_to,
                                        .clock      = { fake_now, fake_wall, fixture } };

    return fixture->module->open(&options, &fixture->arena, mistake);
}

static int set_up(void **state)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);
    const char     *mistake;

    strcpy(fixture->folder, "/tmp/tenon-oauth-XXXXXX");
    if (!mkdtemp(fixture->folder))
        return -1;
    snprintf(fixture->path, sizeof fixture->path, "%s/keys.json", fixture->folder);
    fixture->memory  = tn_memory_of(NULL);
    fixture->wall_ms = (int64_t)NOW_S * 1000;
    fixture->now_ms  = 5;
    fixture->log_to  = (struct tn_log){ keep, fixture };
    fixture->module  = tenon_oauth_module();
    tn_arena_init(&fixture->arena, &fixture->memory, 0);
    write_keys(fixture, RSA_A, "one");
    fixture->oauth = open_with(fixture, fixture->path, NULL, &mistake);
    fixture->module->refresh(fixture->oauth);
    *state = fixture;
    return fixture->oauth ? 0 : -1;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;

    fixture->module->close(fixture->oauth);
    unlink(fixture->path);
    rmdir(fixture->folder);
    tn_arena_free(&fixture->arena);
    free(fixture);
    return 0;
}

static enum tn_oauth_result judge(struct fixture *fixture, const char *token,
                                  struct tn_oauth_judgement *judgement)
{
    return fixture->module->judge(fixture->oauth, &fixture->arena, tn_slice_of(AUDIENCE), tn_slice_of(token),
                                  judgement);
}

/* ---- Tests --------------------------------------------------------------------------------------------------- */

static void judges_claims(void **state)
{
#define WITH(iss, aud, rest) "{\"iss\":" iss ",\"aud\":" aud "," rest "}"
#define OUR_ISS              "\"" ISSUER "\""
#define OUR_AUD              "\"" AUDIENCE "\""
#define ANN                  "\"sub\":\"ann\",\"exp\":1794787260"
    static const struct { const char *claims, *name, *scopes, *why; } cases[] = {
        { CLAIMS(""),                                            ISSUER "|ann", "",      NULL          },
        { CLAIMS(",\"scope\":\"a  b:c \""),                      ISSUER "|ann", "a b:c", NULL          },
        { CLAIMS(",\"scp\":[\"a\",\"b\"]"),                      ISSUER "|ann", "a b",   NULL          },
        { CLAIMS(",\"scp\":\"a b\""),                            ISSUER "|ann", "a b",   NULL          },
        { CLAIMS(",\"scope\":7"),                                NULL,          NULL,    WHY_SCOPES    },
        { CLAIMS(",\"scope\":\"a\\\"b\""),                       NULL,          NULL,    WHY_SCOPES    },
        { CLAIMS(",\"scp\":[7]"),                                NULL,          NULL,    WHY_SCOPES    },
        { CLAIMS(",\"nbf\":1794787260,\"iat\":1794787260"),      ISSUER "|ann", "",      NULL          },
        { CLAIMS(",\"nbf\":1794787261"),                         NULL,          NULL,    WHY_EARLY     },
        { CLAIMS(",\"iat\":1794787261"),                         NULL,          NULL,    WHY_EARLY     },
        { CLAIMS(",\"iat\":\"now\""),                            NULL,          NULL,    WHY_EARLY     },
        { WITH(OUR_ISS, "[\"x\"," OUR_AUD "]", ANN),             ISSUER "|ann", "",      NULL          },
        { WITH(OUR_ISS, "\"" AUDIENCE "/#part\"", ANN),          ISSUER "|ann", "",      NULL          },
        { WITH(OUR_ISS, "\"" AUDIENCE "//\"", ANN),              NULL,          NULL,    WHY_AUDIENCE  },
        { WITH(OUR_ISS, "\"https://tools.example\"", ANN),       NULL,          NULL,    WHY_AUDIENCE  },
        { WITH(OUR_ISS, "\"https://tools.example/mcp2\"", ANN),  NULL,          NULL,    WHY_AUDIENCE  },
        { WITH(OUR_ISS, "\"\"", ANN),                            NULL,          NULL,    WHY_AUDIENCE  },
        { WITH(OUR_ISS, "[]", ANN),                              NULL,          NULL,    WHY_AUDIENCE  },
        { WITH(OUR_ISS, "[[" OUR_AUD "]]", ANN),                 NULL,          NULL,    WHY_AUDIENCE  },
        { WITH(OUR_ISS, "7", ANN),                               NULL,          NULL,    WHY_AUDIENCE  },
        { "{\"iss\":" OUR_ISS "," ANN "}",                       NULL,          NULL,    WHY_AUDIENCE  },
        { WITH("\"" ISSUER "/\"", OUR_AUD, ANN),                 NULL,          NULL,    WHY_ISSUER    },
        { WITH("\"https://as.example\"", OUR_AUD, ANN),          NULL,          NULL,    WHY_ISSUER    },
        { WITH("[" OUR_ISS "]", OUR_AUD, ANN),                   NULL,          NULL,    WHY_ISSUER    },
        { "{\"aud\":" OUR_AUD "," ANN "}",                       NULL,          NULL,    WHY_ISSUER    },
        { WITH(OUR_ISS, OUR_AUD, "\"sub\":\"a\",\"exp\":1794787200"),      NULL, NULL,   WHY_EXPIRED   },
        { WITH(OUR_ISS, OUR_AUD, "\"sub\":\"a\",\"exp\":1794787200.5"),    ISSUER "|a", "", NULL       },
        { WITH(OUR_ISS, OUR_AUD, "\"sub\":\"a\",\"exp\":0"),               NULL, NULL,   WHY_EXPIRED   },
        { WITH(OUR_ISS, OUR_AUD, "\"sub\":\"a\",\"exp\":-1"),              NULL, NULL,   WHY_NO_EXPIRY },
        { WITH(OUR_ISS, OUR_AUD, "\"sub\":\"a\",\"exp\":1e300"),           NULL, NULL,   WHY_NO_EXPIRY },
        { WITH(OUR_ISS, OUR_AUD, "\"sub\":\"a\",\"exp\":1e400"),           NULL, NULL,   WHY_NO_EXPIRY },
        { WITH(OUR_ISS, OUR_AUD, "\"sub\":\"a\",\"exp\":\"1794787260\""),  NULL, NULL,   WHY_NO_EXPIRY },
        { WITH(OUR_ISS, OUR_AUD, "\"sub\":\"a\",\"exp\":null"),            NULL, NULL,   WHY_NO_EXPIRY },
        { WITH(OUR_ISS, OUR_AUD, "\"sub\":\"a\""),                         NULL, NULL,   WHY_NO_EXPIRY },
        { WITH(OUR_ISS, OUR_AUD, "\"client_id\":\"c\",\"exp\":1794787260"),            ISSUER "|c", "", NULL },
        { WITH(OUR_ISS, OUR_AUD, "\"sub\":\"\",\"client_id\":\"c\",\"exp\":1794787260"), ISSUER "|c", "", NULL },
        { WITH(OUR_ISS, OUR_AUD, "\"exp\":1794787260"),                                NULL, NULL, WHY_NOBODY },
        { WITH(OUR_ISS, OUR_AUD, "\"sub\":\"a\\nb\",\"exp\":1794787260"),              NULL, NULL, WHY_NOBODY },
        { WITH(OUR_ISS, OUR_AUD, "\"sub\":\"a\\u0000b\",\"exp\":1794787260"),          NULL, NULL, WHY_NOBODY },
    };
    struct fixture *fixture = *state;
    char            token[TOKEN_ROOM];

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct tn_oauth_judgement judgement;
        enum tn_oauth_result      result;

        sign(token, RSA_A, "RS256", HEADER, cases[i].claims);
        for (int again = 0; again < 2; again++) { /* the second time from what was kept, if it was good */
            result = judge(fixture, token, &judgement);
            if (cases[i].why) {
                assert_int_equal(result, OAUTH_BAD);
                assert_string_equal(judgement.why, cases[i].why);
                continue;
            }
            assert_int_equal(result, OAUTH_GOOD);
            assert_true(tn_slice_is(judgement.name, cases[i].name));
            assert_true(tn_slice_is(judgement.scopes, cases[i].scopes));
        }
    }
}

static void judges_signatures(void **state)
{
    static const struct { int signer; const char *alg, *header; enum tn_oauth_result result; const char *why; } cases[] = {
        { RSA_A,       "RS256", HEADER,                                                 OAUTH_GOOD, NULL          },
        { RSA_A,       "RS256", "{\"alg\":\"RS256\",\"kid\":\"one\",\"typ\":\"at+JWT\"}", OAUTH_GOOD, NULL        },
        { RSA_A,       "RS256", "{\"alg\":\"RS256\",\"kid\":\"one\",\"typ\":\"logout+jwt\"}", OAUTH_BAD, WHY_KIND },
        { RSA_A,       "RS256", "{\"alg\":\"RS256\"}",                                  OAUTH_GOOD, NULL          },
        { RSA_A,       "RS384", "{\"alg\":\"RS384\",\"kid\":\"one\"}",                  OAUTH_BAD,  WHY_ALGORITHM },
        { RSA_A,       "PS256", "{\"alg\":\"PS256\",\"kid\":\"one\"}",                  OAUTH_BAD,  WHY_ALGORITHM },
        { RSA_B, "RS256", HEADER,                                                 OAUTH_BAD,  WHY_SIGNATURE },
        { RSA_B, "RS256", "{\"alg\":\"RS256\"}",                                  OAUTH_BAD,  WHY_KEY       },
        { RSA_B, "RS256", "{\"alg\":\"RS256\",\"kid\":\"for-encryption\"}",       OAUTH_BAD,  WHY_KEY       },
        { RSA_C, "RS256", "{\"alg\":\"RS256\",\"kid\":\"small\"}",                OAUTH_BAD,  WHY_KEY       },
        { RSA_A,       "RS256", "{\"alg\":\"RS256\",\"kid\":\"ec\"}",                   OAUTH_BAD,  WHY_KEY       },
        { P256,      "ES256", "{\"alg\":\"ES256\",\"kid\":\"ec\"}",                   OAUTH_GOOD, NULL          },
        { P256,      "ES256", "{\"alg\":\"ES256\"}",                                  OAUTH_GOOD, NULL          },
        { P384,      "ES256", "{\"alg\":\"ES256\",\"kid\":\"ec384\"}",                OAUTH_BAD,  WHY_KEY       },
        { P384,      "ES256", "{\"alg\":\"ES256\",\"kid\":\"ec\"}",                   OAUTH_BAD,  WHY_SIGNATURE },
        { ED,        "EdDSA", "{\"alg\":\"EdDSA\",\"kid\":\"ed\"}",                   OAUTH_GOOD, NULL          },
        { ED,        "EdDSA", "{\"alg\":\"EdDSA\"}",                                  OAUTH_GOOD, NULL          },
        { ED,        "EdDSA", "{\"alg\":\"EdDSA\",\"kid\":\"one\"}",                  OAUTH_BAD,  WHY_KEY       },
        { ED,        "EdDSA", "{\"alg\":\"none\",\"kid\":\"ed\"}",                    OAUTH_BAD,  WHY_ALGORITHM },
        { ED,        "EdDSA", "{\"alg\":\"HS256\",\"kid\":\"oct\"}",                  OAUTH_BAD,  WHY_ALGORITHM },
        { ED,        "EdDSA", "{\"alg\":\"RS256\",\"kid\":\"one\"}",                  OAUTH_BAD,  WHY_SIGNATURE },
        { ED,        "EdDSA", "{\"alg\":\"ES256\",\"kid\":\"ec\"}",                   OAUTH_BAD,  WHY_SIGNATURE },
        { ED,        "EdDSA", "{\"alg\":\"EdDSA\",\"kid\":\"ed\",\"crit\":[\"b64\"],\"b64\":false}", OAUTH_BAD, WHY_HEADER },
        { ED,        "EdDSA", "{\"alg\":\"EdDSA\",\"kid\":7}",                        OAUTH_BAD,  WHY_HEADER    },
        { ED,        "EdDSA", "{\"alg\":[\"EdDSA\"]}",                                OAUTH_BAD,  WHY_HEADER    },
        { ED,        "EdDSA", "{\"kid\":\"ed\"}",                                     OAUTH_BAD,  WHY_HEADER    },
        { ED,        "EdDSA", "{\"alg\":\"EdDSA\\u0000\",\"kid\":\"ed\"}",            OAUTH_BAD,  WHY_HEADER    },
        { ED,        "EdDSA", "[\"alg\"]",                                            OAUTH_BAD,  WHY_NOT_JWT   },
        { ED,        "EdDSA", "alg",                                                  OAUTH_BAD,  WHY_NOT_JWT   },
    };
    struct fixture *fixture = *state;
    char            token[TOKEN_ROOM];

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct tn_oauth_judgement judgement;
        enum tn_oauth_result      result;

        sign(token, cases[i].signer, cases[i].alg, cases[i].header, CLAIMS(""));
        result = judge(fixture, token, &judgement);
        if (result != cases[i].result)
            print_error("case %zu: %s\n", i, cases[i].header);
        assert_int_equal(result, cases[i].result);
        if (cases[i].why)
            assert_string_equal(judgement.why, cases[i].why);
    }
}

/* Every byte counts: of the header, the claims and the signature. */
static void refuses_what_was_changed(void **state)
{
    static const struct { int signer; const char *alg, *header; } ways[] = {
        { RSA_A,  "RS256", HEADER                                },
        { P256, "ES256", "{\"alg\":\"ES256\",\"kid\":\"ec\"}"  },
        { ED,   "EdDSA", "{\"alg\":\"EdDSA\",\"kid\":\"ed\"}"  },
    };
    struct fixture           *fixture = *state;
    struct tn_oauth_judgement judgement;
    char                      token[TOKEN_ROOM], changed[TOKEN_ROOM];

    for (size_t way = 0; way < COUNT_OF(ways); way++) {
        sign(token, ways[way].signer, ways[way].alg, ways[way].header, CLAIMS(""));
        for (size_t i = 0; i < strlen(token); i++) {
            strcpy(changed, token);
            changed[i] = token[i] == 'A' ? 'B' : 'A';
            assert_int_not_equal(judge(fixture, changed, &judgement), OAUTH_GOOD);
            strcpy(changed, token);
            changed[i] = '\0';
            assert_int_not_equal(judge(fixture, changed, &judgement), OAUTH_GOOD);
        }
        for (const char *tail = "A.="; *tail; tail++) {
            snprintf(changed, sizeof changed, "%.8000s%c", token, *tail);
            assert_int_not_equal(judge(fixture, changed, &judgement), OAUTH_GOOD);
        }
        assert_int_equal(judge(fixture, token, &judgement), OAUTH_GOOD);
    }
}

static void refuses_what_is_no_jwt(void **state)
{
    static const char *const  cases[] = { "",
                                          ".",
                                          "..",
                                          "...",
                                          "a.b.c",
                                          "e30.e30.",
                                          "e30.e30.AA",
                                          ".e30.AA",
                                          "e30..AA",
                                          "eyJhbGciOiJub25lIn0.e30.",
                                          "e30.e30.AA.AA.AA",
                                          "ZQ==.e30.AA" };
    struct fixture           *fixture = *state;
    struct tn_oauth_judgement judgement;
    char                     *text = malloc(20000);

    for (size_t i = 0; i < COUNT_OF(cases); i++)
        assert_int_equal(judge(fixture, cases[i], &judgement), OAUTH_BAD);
    memset(text, 'A', 19999);
    text[19999] = '\0';
    text[5000] = text[10000] = '.';
    assert_int_equal(judge(fixture, text, &judgement), OAUTH_BAD);
    free(text);
}

static void accepts_other_algorithms_when_told(void **state)
{
    struct fixture           *fixture = *state;
    struct tn_oauth_judgement judgement;
    const char               *mistake;
    char                      token[TOKEN_ROOM];

    fixture->module->close(fixture->oauth);
    fixture->oauth = open_with(fixture, fixture->path, "PS256,ES384", &mistake);
    assert_non_null(fixture->oauth);
    fixture->module->refresh(fixture->oauth);
    sign(token, RSA_A, "PS256", "{\"alg\":\"PS256\",\"kid\":\"one\"}", CLAIMS(""));
    assert_int_equal(judge(fixture, token, &judgement), OAUTH_GOOD);
    sign(token, P384, "ES384", "{\"alg\":\"ES384\",\"kid\":\"ec384\"}", CLAIMS(""));
    assert_int_equal(judge(fixture, token, &judgement), OAUTH_GOOD);
    sign(token, RSA_A, "RS256", HEADER, CLAIMS(""));
    assert_int_equal(judge(fixture, token, &judgement), OAUTH_BAD);
    assert_string_equal(judgement.why, WHY_ALGORITHM);
}

static void says_what_cannot_work(void **state)
{
    static const struct { const char *keys, *algorithms, *says; } cases[] = {
        { NULL, "none", "--oauth-algorithms: none is not accepted; choose among RS256, " },
        { NULL, "RS256 HS256", "--oauth-algorithms: HS256 is not accepted; choose among RS256, " },
        { NULL, " , ", "--oauth-algorithms: choose among RS256, " },
        { "/nowhere/keys.json", NULL, "/nowhere/keys.json: No such file or directory" },
        { "/dev/null", NULL, "/dev/null: it is not JSON" },
        { "http://as.example/keys", NULL, "--oauth-keys http://as.example/keys: it must begin with https://; http:// is for "
                                          "this machine only" },
        { "http://127.0.0.1.example/keys", NULL, "--oauth-keys http://127.0.0.1.example/keys: it must begin with https://" },
        { "ftp://as.example/keys", NULL, "--oauth-keys ftp://as.example/keys: it must begin with https://" },
        { "https://a:b@as.example/keys", NULL, "--oauth-keys https://a:b@as.example/keys: it has a user name in it" },
    };
    struct fixture *fixture = *state;

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const char *mistake;

        assert_null(open_with(fixture, cases[i].keys, cases[i].algorithms, &mistake));
        if (strncmp(mistake, cases[i].says, strlen(cases[i].says)) != 0)
            print_error("said: %s\n", mistake);
        assert_int_equal(strncmp(mistake, cases[i].says, strlen(cases[i].says)), 0);
    }
}

/* What was kept ends with the token, and with the minute. */
static void forgets_in_time(void **state)
{
    struct fixture           *fixture = *state;
    struct tn_oauth_judgement judgement;
    char                      token[TOKEN_ROOM];

    sign(token, RSA_A, "RS256", HEADER, CLAIMS(""));
    assert_int_equal(judge(fixture, token, &judgement), OAUTH_GOOD);
    fixture->wall_ms += 59999;
    assert_int_equal(judge(fixture, token, &judgement), OAUTH_GOOD);
    fixture->wall_ms += 1;
    assert_int_equal(judge(fixture, token, &judgement), OAUTH_BAD);
    assert_string_equal(judgement.why, WHY_EXPIRED);
}

static void rotates_keys(void **state)
{
    struct fixture           *fixture = *state;
    struct tn_oauth_judgement judgement;
    char                      old[TOKEN_ROOM], new[TOKEN_ROOM];

    sign(old, RSA_A, "RS256", HEADER, CLAIMS(""));
    sign(new, RSA_B, "RS256", "{\"alg\":\"RS256\",\"kid\":\"two\"}", CLAIMS(""));
    assert_int_equal(judge(fixture, old, &judgement), OAUTH_GOOD);
    write_keys(fixture, RSA_B, "two");
    assert_int_equal(judge(fixture, new, &judgement), OAUTH_BAD); /* asked for a moment ago */
    fixture->module->refresh(fixture->oauth); /* which does nothing, for the same reason */
    assert_int_equal(judge(fixture, new, &judgement), OAUTH_BAD);
    fixture->now_ms += SPACING_MS;
    assert_int_equal(judge(fixture, new, &judgement), OAUTH_WAIT);
    assert_int_equal(judge(fixture, old, &judgement), OAUTH_GOOD); /* others do not wait */
    fixture->module->refresh(fixture->oauth);
    assert_int_equal(judge(fixture, new, &judgement), OAUTH_GOOD);
    assert_int_equal(judge(fixture, old, &judgement), OAUTH_BAD); /* not even from what was kept */
    assert_string_equal(judgement.why, WHY_KEY);
}

/* However it ended: whoever fails to give keys is not asked at each request. */
static void asks_rarely(void **state)
{
    struct fixture           *fixture = *state;
    struct tn_oauth_judgement judgement;
    char                      token[TOKEN_ROOM];
    int                       waits = 0;

    sign(token, RSA_A, "RS256", "{\"alg\":\"RS256\",\"kid\":\"unknown\"}", CLAIMS(""));
    unlink(fixture->path);
    for (int i = 0; i < 1000; i++) {
        if (judge(fixture, token, &judgement) == OAUTH_WAIT) {
            waits++;
            fixture->module->refresh(fixture->oauth);
        }
        fixture->now_ms += 100;
    }
    assert_int_equal(waits, 9); /* in 100 seconds, of which the first 10 follow the first one */
    assert_non_null(strstr(fixture->log, "cannot load the keys of " ISSUER ": "));
    sign(token, RSA_A, "RS256", HEADER, CLAIMS(""));
    assert_int_equal(judge(fixture, token, &judgement), OAUTH_GOOD); /* those that are here go on */
}

static void looks_for_new_keys_when_they_are_old(void **state)
{
    struct fixture           *fixture = *state;
    struct tn_oauth_judgement judgement;
    char                      token[TOKEN_ROOM];

    sign(token, RSA_A, "RS256", "{\"alg\":\"RS256\",\"kid\":\"one\"}",
         "{\"iss\":\"" ISSUER "\",\"aud\":\"" AUDIENCE "\",\"sub\":\"ann\",\"exp\":1894787260}");
    fixture->now_ms += FRESH_MS;
    assert_int_equal(judge(fixture, token, &judgement), OAUTH_WAIT);
    unlink(fixture->path);
    fixture->module->refresh(fixture->oauth);
    assert_int_equal(judge(fixture, token, &judgement),
                     OAUTH_GOOD); /* the issuer is away; the keys are not */
    fixture->now_ms += TRUSTED_MS;
    fixture->wall_ms += TRUSTED_MS;
    assert_int_equal(judge(fixture, token, &judgement), OAUTH_WAIT);
    fixture->module->refresh(fixture->oauth);
    assert_int_equal(judge(fixture, token, &judgement), OAUTH_NO_KEYS);
}

/* ---- Threads ------------------------------------------------------------------------------------------------- */

struct crowd {
    struct fixture *fixture;
    char            good[TOKEN_ROOM], bad[TOKEN_ROOM];
};

static void *judge_often(void *user)
{
    struct crowd             *crowd = user;
    struct tn_oauth_judgement judgement;
    tenon_allocator           memory = tn_memory_of(NULL);
    struct tn_arena           arena;

    tn_arena_init(&arena, &memory, 0);
    for (int i = 0; i < 200; i++) {
        struct oauth *oauth = crowd->fixture->oauth;

        tn_arena_reset(&arena);
        assert_int_equal(crowd->fixture->module->judge(oauth, &arena, tn_slice_of(AUDIENCE),
                                                       tn_slice_of(crowd->good), &judgement),
                         OAUTH_GOOD);
        assert_true(tn_slice_is(judgement.name, ISSUER "|ann"));
        assert_int_not_equal(crowd->fixture->module->judge(oauth, &arena, tn_slice_of(AUDIENCE),
                                                           tn_slice_of(crowd->bad), &judgement),
                             OAUTH_GOOD);
    }
    tn_arena_free(&arena);
    return NULL;
}

static atomic_llong racing_ms; /* moved by those who refresh: each time one is due, and keys are never old */

static int64_t racing_now(void *user)
{
    (void)user;
    return atomic_load(&racing_ms);
}

static int64_t still_wall(void *user)
{
    (void)user;
    return (int64_t)NOW_S * 1000;
}

static void *refresh_often(void *user)
{
    struct crowd *crowd = user;

    for (int i = 0; i < 50; i++) {
        atomic_fetch_add(&racing_ms, SPACING_MS);
        crowd->fixture->module->refresh(crowd->fixture->oauth);
    }
    return NULL;
}

static void lets_many_judge_while_keys_change(void **state)
{
    enum { JUDGES = 4, REFRESHERS = 3 };
    struct fixture         *fixture = *state;
    struct crowd            crowd   = { .fixture = fixture };
    pthread_t               threads[JUDGES + REFRESHERS];
    const char             *mistake;
    struct tn_log           silent  = { keep, calloc(1, sizeof(struct fixture)) };
    struct tn_oauth_options options = { .issuer = ISSUER,
                                        .keys   = fixture->path,
                                        .memory = &fixture->memory,
                                        .log    = &silent,
                                        .clock  = { racing_now, still_wall, NULL } };

    fixture->module->close(fixture->oauth);
    fixture->oauth = fixture->module->open(&options, &fixture->arena, &mistake);
    fixture->module->refresh(fixture->oauth);
    sign(crowd.good, RSA_A, "RS256", HEADER, CLAIMS(""));
    sign(crowd.bad, RSA_B, "RS256", HEADER, CLAIMS(""));
    for (int i = 0; i < JUDGES + REFRESHERS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, i < JUDGES ? judge_often : refresh_often, &crowd),
                         0);
    for (int i = 0; i < JUDGES + REFRESHERS; i++)
        pthread_join(threads[i], NULL);
    fixture->module->close(fixture->oauth);
    fixture->oauth = NULL;
    free(silent.user);
}

static size_t run_everything(const struct fixture *made, const char *token, size_t refuse_at)
{
    struct tn_fault           fault   = { .refuse_at = refuse_at };
    struct fixture            fixture = *made;
    struct tn_oauth_judgement judgement;
    const char               *mistake = NULL;

    fixture.memory = tn_fault_allocator(&fault);
    fixture.log_to = (struct tn_log){ keep, &fixture };
    tn_arena_init(&fixture.arena, &fixture.memory, 0);
    fixture.oauth = open_with(&fixture, fixture.path, NULL, &mistake);
    if (fixture.oauth) {
        fixture.module->refresh(fixture.oauth);
        for (int i = 0; i < 2; i++) {
            enum tn_oauth_result result = judge(&fixture, token, &judgement);

            assert_true(result == OAUTH_GOOD || fault.refused);
        }
    } else
        assert_non_null(mistake);
    fixture.module->close(fixture.oauth);
    tn_arena_free(&fixture.arena);
    assert_int_equal(fault.blocks, 0);
    assert_int_equal(fault.bytes, 0);
    return fault.requests;
}

static void survives_every_refusal(void **state)
{
    struct fixture *fixture = *state;
    char            token[TOKEN_ROOM];
    size_t          most;

    sign(token, ED, "EdDSA", "{\"alg\":\"EdDSA\",\"kid\":\"ed\"}", CLAIMS(",\"scope\":\"a b\""));
    most = run_everything(fixture, token, 0);
    for (size_t i = 1; i <= most; i++)
        run_everything(fixture, token, i);
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(judges_claims),
        TEST(judges_signatures),
        TEST(refuses_what_was_changed),
        TEST(refuses_what_is_no_jwt),
        TEST(accepts_other_algorithms_when_told),
        TEST(says_what_cannot_work),
        TEST(forgets_in_time),
        TEST(rotates_keys),
        TEST(asks_rarely),
        TEST(looks_for_new_keys_when_they_are_old),
        TEST(lets_many_judge_while_keys_change),
        TEST(survives_every_refusal),
    };

    return cmocka_run_group_tests(tests, make_signers, free_signers);
}
