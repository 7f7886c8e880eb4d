/* auth_test.c - who may call: static tokens, the exact words for who may not, and where clients are sent. */
#define _POSIX_C_SOURCE 200809L
#include "net/auth/auth.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/memory.h"
#include "net/auth/inside.h"
#include "support/fault.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

/* Of "test" and "another". */
#define HASH_1 "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
#define HASH_2 "sha256:AE448AC86C4E8E4DEC645729708EF41873AE79C6DFF84EFF73360989487F08E5"

struct fixture {
    tenon_allocator    memory;
    struct tn_settings settings;
    struct auth       *auth;
    struct tn_arena    arena;
    char               log[1000];
};

static void keep(void *user, int level, const char *text)
{
    struct fixture *fixture = user;

    (void)level;
    snprintf(fixture->log, sizeof fixture->log, "%s", text);
}

static int set_up(void **state)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);

    fixture->memory        = tn_memory_of(NULL);
    fixture->settings.http = "127.0.0.1:8080";
    fixture->settings.path = "/mcp";
    tn_arena_init(&fixture->settings.arena, &fixture->memory, 0);
    tn_arena_init(&fixture->arena, &fixture->memory, 0);
    *state = fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;

    tn_auth_free(fixture->auth);
    tn_arena_free(&fixture->settings.arena);
    tn_arena_free(&fixture->arena);
    free(fixture);
    return 0;
}

static const char *make(struct fixture *fixture)
{
    struct tn_log log = { keep, fixture };
    const char   *mistake;

    tn_auth_free(fixture->auth);
    fixture->auth = tn_auth_new(&fixture->settings, &fixture->memory, &log, &mistake);
    assert_true((fixture->auth == NULL) == (mistake != NULL));
    return mistake;
}

static void add_token(struct fixture *fixture, const char *entry)
{
    fixture->settings.tokens.at[fixture->settings.tokens.count++] = entry;
}

static enum tn_auth_result check(struct fixture *fixture, const char *header, struct tn_caller *caller,
                                 struct tn_auth_refusal *refusal)
{
    struct tn_slice value = { header, header ? strlen(header) : 0 };

    return tn_auth_check(fixture->auth, &fixture->arena, value, header ? 1 : 0, caller, refusal);
}

static void lets_everybody_in_when_off(void **state)
{
    struct fixture        *fixture = *state;
    struct tn_caller       caller;
    struct tn_auth_refusal refusal;

    assert_null(make(fixture));
    assert_false(tn_auth_is_on(fixture->auth));
    assert_int_equal(check(fixture, NULL, &caller, &refusal), AUTH_OK);
    assert_int_equal(check(fixture, "Basic x", &caller, &refusal), AUTH_OK);
    assert_int_equal(caller.name.len, 0);
    assert_false(caller.scoped);
    assert_null(tn_auth_metadata(fixture->auth));
    assert_false(tn_auth_is_metadata_path(fixture->auth, SLICE_LIT(AUTH_METADATA_PATH)));
}

static void knows_static_tokens(void **state)
{
#define NO_TOKEN  "WWW-Authenticate: Bearer realm=\"mcp\"\r\n"
#define UNKNOWN   "WWW-Authenticate: Bearer error=\"invalid_token\", error_description=\"the token is not known here\"\r\n"
#define MALFORMED "WWW-Authenticate: Bearer error=\"invalid_request\", error_description=\"the Authorization header is not " \
                  "Bearer and a token\"\r\n"
    static const struct { const char *header, *name; int status; const char *challenge; } cases[] = {
        { "Bearer test",            "ann", 0,   NULL      },
        { "bearer test",            "ann", 0,   NULL      },
        { "BEARER   test",          "ann", 0,   NULL      },
        { "Bearer another",         "bob", 0,   NULL      },
        { NULL,                     NULL,  401, NO_TOKEN  },
        { "",                       NULL,  401, NO_TOKEN  },
        { "Basic dGVzdA==",         NULL,  401, NO_TOKEN  },
        { "Bearertest",             NULL,  401, NO_TOKEN  },
        { "test",                   NULL,  401, NO_TOKEN  },
        { "Bearer tesT",            NULL,  401, UNKNOWN   },
        { "Bearer test=",           NULL,  401, UNKNOWN   },
        { "Bearer a.b-c_d~e+f/g==", NULL,  401, UNKNOWN   },
        { "Bearer",                 NULL,  400, MALFORMED },
        { "Bearer ",                NULL,  400, MALFORMED },
        { "Bearer =",               NULL,  400, MALFORMED },
        { "Bearer te=st",           NULL,  400, MALFORMED },
        { "Bearer test test",       NULL,  400, MALFORMED },
        { "Bearer test,",           NULL,  400, MALFORMED },
        { "Bearer \"test\"",        NULL,  400, MALFORMED },
        { "Bearer t\xc3\xa9st",     NULL,  400, MALFORMED },
        { "Bearer\ttest",           NULL,  401, NO_TOKEN  },
    };
    struct fixture *fixture = *state;

    add_token(fixture, "ann:" HASH_1);
    add_token(fixture, "bob:" HASH_2);
    assert_null(make(fixture));
    assert_true(tn_auth_is_on(fixture->auth));
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct tn_caller       caller;
        struct tn_auth_refusal refusal;
        enum tn_auth_result    result = check(fixture, cases[i].header, &caller, &refusal);

        assert_int_equal(result, cases[i].name ? AUTH_OK : AUTH_REFUSED);
        assert_int_equal(refusal.status, cases[i].status);
        if (cases[i].name) {
            assert_true(tn_slice_is(caller.name, cases[i].name));
            assert_false(caller.scoped);
            continue;
        }
        assert_string_equal(refusal.challenge, cases[i].challenge);
    }
}

static void bounds_headers(void **state)
{
    struct fixture        *fixture = *state;
    struct tn_caller       caller;
    struct tn_auth_refusal refusal;
    char                  *text = malloc(AUTH_TOKEN_MAX + 20);

    add_token(fixture, "ann:" HASH_1);
    assert_null(make(fixture));
    for (size_t more = 0; more < 2; more++) {
        strcpy(text, "Bearer ");
        memset(text + 7, 'x', AUTH_TOKEN_MAX + more);
        text[7 + AUTH_TOKEN_MAX + more] = '\0';
        assert_int_equal(check(fixture, text, &caller, &refusal), AUTH_REFUSED);
        assert_int_equal(refusal.status, more ? 400 : 401);
    }
    free(text);
    assert_int_equal(tn_auth_check(fixture->auth, &fixture->arena, SLICE_LIT("Bearer test"), 2, &caller,
                                   &refusal),
                     AUTH_REFUSED);
    assert_int_equal(refusal.status, 400);
    assert_string_equal(refusal.challenge,
                        "WWW-Authenticate: Bearer error=\"invalid_request\", error_description=\"there is "
                        "more than one Authorization header\"\r\n");
    assert_int_equal(tn_auth_check(fixture->auth, &fixture->arena, SLICE_LIT("Bearer te\0st"), 1, &caller,
                                   &refusal),
                     AUTH_REFUSED);
}

static void refuses_entries(void **state)
{
    static const char *const cases[] = {
        "ann",
        "ann:",
        ":" HASH_1,
        "ann:test",
        "ann:sha256:00",
        "ann:" HASH_1 "0",
        "ann:md5:" HASH_1,
        "a b:" HASH_1,
        "a|b:" HASH_1,
        "ann:sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a0g",
        "a123456789012345678901234567890123456789012345678901234567890123x:" HASH_1,
    };
    struct fixture *fixture = *state;

    add_token(fixture, "ann@example.com:" HASH_1);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        fixture->settings.tokens.count = 1;
        add_token(fixture, cases[i]);
        assert_string_equal(make(fixture),
                            "--token number 2 is not NAME:sha256:HASH as `tenon token` prints it");
    }
}

static void reads_files(void **state)
{
    static const struct { const char *text; mode_t mode; const char *says; } cases[] = {
        { "# who\n\n  ann:" HASH_1 "  \r\nbob:" HASH_2, 0600, NULL },
        { "ann:" HASH_1,      0644, "the tokens file must be closed to group and others; chmod 600 it: " },
        { "ann:" HASH_1 "\nx", 0600, "in the tokens file, line 2 is not NAME:sha256:HASH as `tenon token` prints it: " },
        { "# nobody\n",       0600, "the tokens file has no token, so that no caller could be accepted" },
    };
    struct fixture        *fixture = *state;
    char                   path[]  = "/tmp/tenon-tokens-XXXXXX";
    int                    fd      = mkstemp(path);
    struct tn_caller       caller;
    struct tn_auth_refusal refusal;

    assert_true(fd >= 0);
    fixture->settings.tokens_file = path;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const char *mistake;

        assert_int_equal(ftruncate(fd, 0), 0);
        assert_true(pwrite(fd, cases[i].text, strlen(cases[i].text), 0) == (ssize_t)strlen(cases[i].text));
        assert_int_equal(fchmod(fd, cases[i].mode), 0);
        mistake = make(fixture);
        if (cases[i].says) {
            assert_non_null(mistake);
            assert_int_equal(strncmp(mistake, cases[i].says, strlen(cases[i].says)), 0);
            continue;
        }
        assert_null(mistake);
        assert_int_equal(check(fixture, "Bearer another", &caller, &refusal), AUTH_OK);
        assert_true(tn_slice_is(caller.name, "bob"));
    }
    close(fd);
    unlink(path);
    assert_non_null(strstr(make(fixture), "the tokens file cannot be opened (No such file or directory): "));
}

/* ---- The resource -------------------------------------------------------------------------------------------- */

static void names_the_resource(void **state)
{
#define WELL "/.well-known/oauth-protected-resource"
    static const struct { const char *http, *public_url, *path; unsigned port; const char *url, *metadata_url; } cases[] = {
        { "127.0.0.1:8080", NULL, "/mcp", 0, "http://127.0.0.1:8080/mcp", "http://127.0.0.1:8080" WELL "/mcp" },
        { "127.0.0.1:0", NULL, "/mcp", 4321, "http://127.0.0.1:4321/mcp", "http://127.0.0.1:4321" WELL "/mcp" },
        { "[::1]:0", NULL, "/a/b", 4321, "http://[::1]:4321/a/b", "http://[::1]:4321" WELL "/a/b" },
        { "127.0.0.1:80", NULL, "/", 4321, "http://127.0.0.1:80", "http://127.0.0.1:80" WELL },
        { ":8080", NULL, "/mcp", 0, "http://localhost:8080/mcp", "http://localhost:8080" WELL "/mcp" },
        { "0.0.0.0:1", "https://h.example", "/mcp", 5, "https://h.example/mcp", "https://h.example" WELL "/mcp" },
        { "0.0.0.0:1", "https://h.example/", "/mcp", 5, "https://h.example/mcp", "https://h.example" WELL "/mcp" },
        { "0.0.0.0:1", "https://h.example/x/mcp/", "/mcp", 5, "https://h.example/x/mcp", "https://h.example" WELL "/x/mcp" },
        { "0.0.0.0:1", "https://h.example:8/x?q#f", "/mcp", 5, "https://h.example:8/x", "https://h.example:8" WELL "/x" },
    };
    struct fixture *fixture = *state;

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct tn_auth_resource resource;

        fixture->settings.http       = cases[i].http;
        fixture->settings.public_url = cases[i].public_url;
        fixture->settings.path       = cases[i].path;
        assert_true(tn_auth_resource_name(&resource, &fixture->settings, cases[i].port));
        assert_string_equal(resource.url, cases[i].url);
        assert_string_equal(resource.metadata_url, cases[i].metadata_url);
        assert_null(resource.metadata);
    }
}

static void writes_metadata(void **state)
{
    static const struct { const char *scopes, *json; } cases[] = {
        { NULL, "{\"resource\":\"https://h.example/x/mcp\",\"authorization_servers\":[\"https://as.example\"],"
                "\"bearer_methods_supported\":[\"header\"]}" },
        { " a  b:c", "{\"resource\":\"https://h.example/x/mcp\",\"authorization_servers\":[\"https://as.example\"],"
                     "\"scopes_supported\":[\"a\",\"b:c\"],\"bearer_methods_supported\":[\"header\"]}" },
    };
    struct fixture         *fixture = *state;
    struct tn_auth_resource resource;

    fixture->settings.public_url   = "https://h.example/x/mcp";
    fixture->settings.oauth_issuer = "https://as.example";
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        fixture->settings.oauth_scopes = cases[i].scopes;
        assert_true(tn_auth_resource_name(&resource, &fixture->settings, 0));
        assert_string_equal(resource.metadata, cases[i].json);
    }
}

static void says_that_the_module_is_missing_or_works(void **state)
{
    struct fixture *fixture = *state;
    const char     *mistake;

    fixture->settings.oauth_issuer = "https://as.invalid";
    fixture->settings.oauth_keys   = "/nowhere/keys.json";
    mistake                        = make(fixture);
    assert_non_null(mistake);
    if (strncmp(mistake, "/nowhere", 8) != 0) /* built without it */
        assert_non_null(strstr(mistake, "the settings ask for OAuth, but libtenon-oauth.so was not found ("));
    else
        assert_string_equal(mistake, "/nowhere/keys.json: No such file or directory");
}

static void survives_every_refusal(void **state)
{
    size_t most = 1;

    (void)state;
    for (size_t i = 1; i <= most; i++) {
        struct tn_fault        fault    = { .refuse_at = i };
        tenon_allocator        memory   = tn_fault_allocator(&fault);
        struct tn_settings     settings = { .http = "127.0.0.1:1", .path = "/mcp" };
        struct tn_caller       caller;
        struct tn_auth_refusal refusal;
        struct tn_arena        arena;
        const char            *mistake;
        struct auth           *auth;

        settings.tokens = (struct tn_setting_list){ { "ann:" HASH_1 }, 1 };
        tn_arena_init(&settings.arena, &memory, 0);
        tn_arena_init(&arena, &memory, 0);
        auth = tn_auth_new(&settings, &memory, NULL, &mistake);
        assert_true(auth || mistake);
        if (auth) {
            assert_int_equal(tn_auth_check(auth, &arena, SLICE_LIT("Bearer wrong"), 1, &caller, &refusal),
                             AUTH_REFUSED);
            assert_non_null(refusal.challenge);
            tn_auth_needs_scopes(auth, &arena, "a b", &refusal);
            assert_int_equal(refusal.status, 403);
            assert_non_null(refusal.challenge);
        }
        tn_auth_free(auth);
        tn_arena_free(&arena);
        tn_arena_free(&settings.arena);
        assert_int_equal(fault.blocks, 0);
        most = fault.requests > most ? fault.requests : most;
    }
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(lets_everybody_in_when_off),
        TEST(knows_static_tokens),
        TEST(bounds_headers),
        TEST(refuses_entries),
        TEST(reads_files),
        TEST(names_the_resource),
        TEST(writes_metadata),
        TEST(says_that_the_module_is_missing_or_works),
        cmocka_unit_test(survives_every_refusal),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
