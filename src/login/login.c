/* login.c - from a challenge to a token. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"
#include "base/scope.h"
#include "json/read.h"
#include "login/inside.h"
#include "login/words.h"

#define MEMORY_MAX ((size_t)32 << 20) /* of all that servers may make us keep */
#define ROUNDS_MAX 8                  /* challenges of one request */
#define EARLY_S    30                 /* before its end a token is renewed */

static const struct tn_json_limits limits = { DOCUMENT_BYTES_MAX, 32, 20000 };

bool login_fail(struct login *login, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(login->why, LOGIN_WHY_MAX, format, args);
    va_end(args);
    return false;
}

long login_fetch_ms(const struct login *login)
{
    long given = login->options->timeout_ms;

    return given > 0 && given < LOGIN_FETCH_MS ? given : LOGIN_FETCH_MS;
}

const char *login_text(struct login *login, yyjson_val *object, const char *key)
{
    struct tn_slice text = tn_json_slice(yyjson_obj_get(object, key));

    if (!text.at || text.len > LOGIN_TEXT_MAX)
        return NULL;
    for (size_t i = 0; i < text.len; i++)
        if (text.at[i] < ' ' || text.at[i] > '~')
            return NULL;
    return tn_arena_copy(&login->arena, text.at, text.len);
}

yyjson_val *login_object(struct login *login, struct tn_slice body)
{
    struct tn_json_text text = tn_json_read(&login->arena, body.at, body.len, &limits);

    return text.fault == JSON_FINE && !text.bad_utf8 && yyjson_is_obj(text.root) ? text.root : NULL;
}

bool list_has(yyjson_val *list, const char *word)
{
    yyjson_val *one;
    size_t      index, count;

    yyjson_arr_foreach(list, index, count, one)
    {
        if (yyjson_equals_str(one, word))
            return true;
    }
    return false;
}

/* Needs no person. */
static bool is_service(const struct login *login)
{
    return login->options->service || login->options->assertion.len > 0 || login->options->provider_url;
}

static bool can_get_one(const struct login *login)
{
    return is_service(login) || login->options->show || login->kept.refresh;
}

/* ---- Scopes ---------------------------------------------------------------------------------------------------- */

/* What the challenge names comes first, then what the server's metadata lists; nothing is made up. What was asked for
 * before is asked for again, so that a login for more does not lose what it had. */
static const char *choose_scope(struct login *login, const struct resource *resource,
                                const struct authority *authority, const char *challenged)
{
    yyjson_arr_iter listed = yyjson_arr_iter_with(resource->scopes);
    yyjson_val     *one;
    struct tn_buf   scopes;

    tn_buf_init(&scopes, &login->arena, 128, LOGIN_SCOPE_MAX);
    tn_scope_add(&scopes, tn_slice_of(login->kept.scope));
    if (challenged)
        tn_scope_add(&scopes, tn_slice_of(challenged));
    else
        while ((one = yyjson_arr_iter_next(&listed)))
            tn_scope_add(&scopes, tn_json_slice(one));
    if (!is_service(login) && list_has(authority->scopes, "offline_access"))
        tn_scope_add(&scopes, SLICE_LIT("offline_access"));
    if (tn_buf_end(&scopes))
        return scopes.at;
    if (login->arena.failed)
        login_fail(login, SAY_MEMORY);
    else
        login_fail(login, SAY_SCOPES, LOGIN_SCOPE_MAX);
    return NULL;
}

/* Did this login ask for everything already that the server needs? */
static bool asked_before(const struct login *login, const char *challenged)
{
    struct tn_slice rest = tn_slice_of(challenged), part;

    while (tn_slice_split(&rest, ' ', &part))
        if (part.len > 0 && !tn_scope_has(tn_slice_of(login->kept.scope), part))
            return false;
    return true;
}

/* ---- Tokens ---------------------------------------------------------------------------------------------------- */

static bool refresh(struct login *login, const struct resource *resource, const struct authority *authority)
{
    struct client_identity identity = { 0 };
    struct tn_buf          form;

    if (!login->kept.refresh || !identity_find(login, authority, NULL, &identity))
        return false;
    tn_buf_init(&form, &login->arena, 512, LOGIN_FORM_MAX);
    urls_add(&form, "grant_type", SLICE_LIT("refresh_token"));
    urls_add(&form, "refresh_token", tn_slice_of(login->kept.refresh));
    urls_add(&form, "resource", tn_slice_of(resource->name));
    return grant_token(login, authority, &identity, &form);
}

/* Everything that was kept belongs to its issuer; another one gets nothing of it. */
static void forget_others(struct login *login, const char *issuer)
{
    struct login_kept fresh = { 0 };

    if (login->kept.issuer && strcmp(login->kept.issuer, issuer) == 0)
        return;
    fresh.issuer      = issuer;
    fresh.known_count = login->kept.known_count;
    memcpy(fresh.known, login->kept.known, sizeof fresh.known);
    login->kept         = fresh;
    login->fresh        = false;
    login->issuer_nonce = NULL;
}

/* There is no token, and no way to a new login. Why the kept one could not be renewed was said before. */
static bool say_none(struct login *login, int status)
{
    char why[LOGIN_WHY_MAX];

    if (!login->why[0])
        return login_fail(login, SAY_NO_TOKEN, status);
    memcpy(why, login->why, strlen(login->why) + 1);
    return login_fail(login, SAY_NOT_RENEWED, status, why);
}

static bool get_token(struct login *login, const struct resource *resource, const struct authority *authority,
                      const struct login_challenge *challenge)
{
    const char *challenged = challenge_text(&login->arena, challenge->header, "scope");
    const char *scope      = choose_scope(login, resource, authority, challenged);
    bool        done;

    if (!scope)
        return false;
    if (challenge->status == 401 && refresh(login, resource, authority))
        return true;
    if (!is_service(login) && !login->options->show)
        return say_none(login, challenge->status);
    login->kept.refresh = NULL;
    if (authority->proofs && challenge_has_scheme(&login->arena, challenge->header, "DPoP"))
        login->kept.key = login->kept.key ? login->kept.key : key_new(&login->arena);
    if (is_service(login))
        done = service_token(login, resource, authority, scope);
    else
        done = agree(login, resource, authority, scope);
    if (done) {
        login->kept.scope = scope;
        login->fresh      = true;
    }
    return done;
}

static bool ends_soon(const struct login *login)
{
    return login->kept.ends && login->kept.ends <= (int64_t)time(NULL) + EARLY_S;
}

/* Another program may have logged in meanwhile, which can have ended even a token of just now. Its token is used: one
 * renewed at once could end the one that it uses. */
static bool take_from_other(struct login *login, const char *used)
{
    keep_read(login);
    return login->kept.access && !(used && strcmp(login->kept.access, used) == 0) && !ends_soon(login);
}

/* A challenge that a new token does not help against; true, and said. */
static bool is_hopeless(struct login *login, const struct login_challenge *challenge)
{
    const char *scope = challenge_text(&login->arena, challenge->header, "scope");
    const char *error = challenge_text(&login->arena, challenge->header, "error");

    if (++login->rounds > ROUNDS_MAX)
        return !login_fail(login, SAY_ROUNDS);
    if (challenge->status != 403)
        return false;
    if (!error || strcmp(error, "insufficient_scope") != 0 || !scope)
        return !login_fail(login, SAY_AGAIN, challenge->status);
    return login->kept.access && asked_before(login, scope) && !login_fail(login, SAY_SCOPE, scope);
}

static bool answer_challenge(struct login *login, const struct login_challenge *challenge)
{
    const char      *used      = login->kept.access
                                     ? tn_arena_copy(&login->arena, login->kept.access, strlen(login->kept.access))
                                     : NULL;
    struct resource  resource  = { 0 };
    struct authority authority = { 0 };

    if (challenge->status == 401 && (!login->fresh || login->stored) && take_from_other(login, used)) {
        login->fresh = false;
        return true;
    }
    if (!can_get_one(login))
        return login_fail(login, SAY_NO_TOKEN, challenge->status);
    if (!discover_resource(login, challenge->header, &resource) ||
        !issuer_is_allowed(login, resource.issuer) || !discover_authority(login, &resource, &authority))
        return false;
    forget_others(login, authority.issuer);
    if (challenge->status == 401 && login->fresh)
        return login_fail(login, SAY_AGAIN, challenge->status);
    if (!get_token(login, &resource, &authority, challenge))
        return false;
    issuer_remember(login);
    login->stored = keep_write(login); /* what cannot be kept is still good for now */
    return true;
}

/* A server that only needs its nonce in the proof gets it. */
static bool takes_nonce(struct login *login, const struct login_challenge *challenge)
{
    const char *error = challenge_text(&login->arena, challenge->header, "error");

    if (challenge->nonce[0])
        login->server_nonce = tn_arena_copy(&login->arena, challenge->nonce, strlen(challenge->nonce));
    return login->kept.key && login->kept.access && challenge->nonce[0] && login->server_nonce && error &&
           strcmp(error, "use_dpop_nonce") == 0;
}

static void write_authorization(struct login *login)
{
    struct tn_buf out;

    login->authorization = NULL;
    if (!login->kept.access)
        return;
    tn_buf_init(&out, &login->arena, 256, LOGIN_TEXT_MAX + 16);
    tn_buf_text(&out, login->kept.key ? "DPoP " : "Bearer ");
    tn_buf_text(&out, login->kept.access);
    login->authorization = tn_buf_end(&out);
}

static bool answer_alone(struct login *login, const struct login_challenge *challenge)
{
    int  lock = keep_lock(login);
    bool done = answer_challenge(login, challenge);

    keep_unlock(lock);
    write_authorization(login);
    return done && login->authorization;
}

/* Private networks are the operator's to open, whatever the server is near to. */
static enum tn_nearness nearest_of(const struct login *login, const struct login_challenge *challenge)
{
    enum tn_nearness near  = tn_nearness_of(challenge->peer);
    enum login_reach reach = login->options->reach;

    if (reach == LOGIN_REACH_PUBLIC && (near == NEAR_PRIVATE || near == NEAR_LINK))
        return NEAR_PUBLIC;
    return reach == LOGIN_REACH_PRIVATE && near < NEAR_PRIVATE ? NEAR_PRIVATE : near;
}

bool login_answer(struct login *login, const struct login_challenge *challenge, char why[LOGIN_WHY_MAX])
{
    bool done;

    why[0]         = '\0';
    login->why     = why;
    login->nearest = nearest_of(login, challenge);
    done           = !is_hopeless(login, challenge) &&
           (takes_nonce(login, challenge) || answer_alone(login, challenge));
    if (!done && !why[0])
        login_fail(login, SAY_MEMORY);
    login_settle(login);
    return done;
}

void login_worked(struct login *login)
{
    login->fresh  = false;
    login->rounds = 0;
}

const char *login_authorization(struct login *login)
{
    return login->authorization;
}

int64_t login_ends(const struct login *login)
{
    return login->kept.access ? login->kept.ends : 0;
}

bool login_renews(const struct login *login)
{
    return login->kept.refresh != NULL;
}

struct login *login_new(const struct login_options *options)
{
    tenon_allocator memory = tn_memory_of(NULL);
    struct login   *login  = tn_memory_new(&memory, sizeof *login);

    if (!login)
        return NULL;
    *login = (struct login){ .options = options };
    tn_arena_init(&login->arena, &memory, MEMORY_MAX);
    tn_arena_init(&login->proofs, &memory, MEMORY_MAX);
    keep_read(login);
    if (ends_soon(login))
        login->kept.access = NULL; /* the server will ask, and the refresh token answers */
    write_authorization(login);
    return login;
}

void login_free(struct login *login)
{
    tenon_allocator memory = tn_memory_of(NULL);

    if (!login)
        return;
    tn_arena_rest(&login->arena, 0);
    tn_arena_free(&login->arena);
    tn_arena_rest(&login->proofs, 0);
    tn_arena_free(&login->proofs);
    tn_memory_scrub(login, sizeof *login);
    tn_memory_free(&memory, login, sizeof *login);
}
