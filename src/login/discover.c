/* discover.c - which authorization server protects a server: its own metadata (RFC 9728), and that of its authorization
 * server (RFC 8414). */
#include <string.h>

#include "login/inside.h"
#include "login/words.h"

#define PLACES_MAX 3
#define PROTECTED  "/.well-known/oauth-protected-resource"
#define OAUTH      "/.well-known/oauth-authorization-server"
#define OPENID     "/.well-known/openid-configuration"

enum found { FOUND, NOT_THERE, BROKEN };

/* Fetches an object. NOT_THERE when the server answers, and has none; all else that goes wrong is said. */
static enum found fetch(struct login *login, const char *url, const char *what, yyjson_val **object)
{
    struct tn_document_request request = { .url        = url,
                                           .nearest    = login->nearest,
                                           .timeout_ms = login_fetch_ms(login) };
    struct tn_document_answer  answer;
    char                       why[FETCH_WHY_MAX];

    if (!tn_document_send(&login->arena, &request, &answer, why)) {
        login_fail(login, SAY_FETCH, what, url, why);
        return BROKEN;
    }
    if (answer.status >= 400 && answer.status < 500)
        return NOT_THERE;
    *object = answer.status == 200 ? login_object(login, answer.body) : NULL;
    if (*object)
        return FOUND;
    if (answer.status == 200)
        login_fail(login, SAY_NO_OBJECT, what, url);
    else
        login_fail(login, SAY_STATUS, what, url, answer.status);
    return BROKEN;
}

static const char *discover_joined(struct tn_arena *arena, struct tn_slice root, const char *middle,
                                   const char *end)
{
    struct tn_buf out;

    tn_buf_init(&out, arena, 128, LOGIN_TEXT_MAX);
    tn_buf_add(&out, root.at, root.len);
    tn_buf_text(&out, middle);
    tn_buf_text(&out, end);
    return tn_buf_end(&out);
}

static enum found fetch_first(struct login *login, const char *const places[PLACES_MAX], const char *what,
                              yyjson_val **object)
{
    enum found found = NOT_THERE;

    for (int i = 0; i < PLACES_MAX && places[i] && found == NOT_THERE; i++)
        found = fetch(login, places[i], what, object);
    return found;
}

/* ---- The server ------------------------------------------------------------------------------------------------ */

/* A server of 2025-03-26 says nothing: it is its own authorization server, or that stands at its root. */
static bool be_old(struct login *login, struct resource *found)
{
    struct tn_slice root = urls_root(login->options->server);

    found->old    = true;
    found->name   = login->options->server;
    found->issuer = tn_arena_copy(&login->arena, root.at, root.len);
    return found->issuer || login_fail(login, SAY_MEMORY);
}

bool discover_resource(struct login *login, const char *header, struct resource *found)
{
    const char     *server             = login->options->server;
    const char     *named              = challenge_text(&login->arena, header, "resource_metadata");
    const char     *path               = urls_path(&login->arena, server);
    const char     *places[PLACES_MAX] = { named };
    yyjson_val     *object             = NULL, *first;
    struct tn_slice root               = urls_root(server);
    enum found      how;

    *found = (struct resource){ 0 };
    if (!path)
        return login_fail(login, SAY_MEMORY);
    if (!named) {
        places[0] = discover_joined(&login->arena, root, PROTECTED, path);
        places[1] = *path ? discover_joined(&login->arena, root, PROTECTED, "") : NULL;
    }
    how = fetch_first(login, places, "the server's metadata", &object);
    if (how == NOT_THERE && named)
        return login_fail(login, SAY_STATUS, "the server's metadata", named, 404L);
    if (how != FOUND)
        return how == NOT_THERE && be_old(login, found);
    found->name   = login_text(login, object, "resource");
    found->scopes = yyjson_obj_get(object, "scopes_supported");
    if (!found->name || !urls_cover(&login->arena, found->name, server))
        return login_fail(login, SAY_RESOURCE, found->name ? found->name : "", server);
    first         = yyjson_arr_get_first(yyjson_obj_get(object, "authorization_servers"));
    found->issuer = yyjson_is_str(first)
                        ? tn_arena_copy(&login->arena, yyjson_get_str(first), yyjson_get_len(first))
                        : NULL;
    return found->issuer || login_fail(login, SAY_NO_ISSUER);
}

/* ---- Its authorization server ---------------------------------------------------------------------------------- */

/* Where 2025-03-26 lets endpoints be when nothing is said of them. */
static bool be_default(struct login *login, const struct resource *resource, struct authority *found)
{
    struct tn_slice root = tn_slice_of(resource->issuer);

    found->issuer       = resource->issuer;
    found->authorize    = discover_joined(&login->arena, root, "/authorize", "");
    found->token        = discover_joined(&login->arena, root, "/token", "");
    found->registration = discover_joined(&login->arena, root, "/register", "");
    return (found->authorize && found->token && found->registration) || login_fail(login, SAY_MEMORY);
}

/* An endpoint must be as safe as the issuer. */
static bool take_endpoint(struct login *login, yyjson_val *object, const char *key, const char **to)
{
    const char *mistake;

    *to     = login_text(login, object, key);
    mistake = *to ? tn_document_mistake(*to) : NULL;
    return !mistake || login_fail(login, SAY_ENDPOINT, key, *to, mistake);
}

static bool read_authority(struct login *login, const struct resource *resource, yyjson_val *object,
                           struct authority *found)
{
    found->issuer = login_text(login, object, "issuer");
    if (!found->issuer || strcmp(found->issuer, resource->issuer) != 0)
        return login_fail(login, SAY_OTHER_ISSUER, found->issuer ? found->issuer : "", resource->issuer);
    if (!take_endpoint(login, object, "authorization_endpoint", &found->authorize) ||
        !take_endpoint(login, object, "token_endpoint", &found->token) ||
        !take_endpoint(login, object, "registration_endpoint", &found->registration))
        return false;
    if (!found->token)
        return login_fail(login, SAY_NO_ENDPOINT, "token_endpoint");
    found->methods     = yyjson_obj_get(object, "token_endpoint_auth_methods_supported");
    found->algorithms  = yyjson_obj_get(object, "token_endpoint_auth_signing_alg_values_supported");
    found->scopes      = yyjson_obj_get(object, "scopes_supported");
    found->says_issuer = yyjson_is_true(
        yyjson_obj_get(object, "authorization_response_iss_parameter_supported"));
    found->documents = yyjson_is_true(yyjson_obj_get(object, "client_id_metadata_document_supported"));
    found->proofs    = list_has(yyjson_obj_get(object, "dpop_signing_alg_values_supported"), "ES256");
    if (found->authorize && !list_has(yyjson_obj_get(object, "code_challenge_methods_supported"), "S256"))
        found->authorize = NULL; /* without PKCE no person is sent there */
    return true;
}

bool discover_authority(struct login *login, const struct resource *resource, struct authority *found)
{
    const char     *path               = urls_path(&login->arena, resource->issuer);
    struct tn_slice root               = urls_root(resource->issuer);
    yyjson_val     *object             = NULL;
    const char     *places[PLACES_MAX] = { NULL };
    const char     *mistake            = tn_document_mistake(resource->issuer);
    enum found      how;

    *found = (struct authority){ 0 };
    if (mistake)
        return login_fail(login, SAY_ENDPOINT, "issuer", resource->issuer, mistake);
    if (!path)
        return login_fail(login, SAY_MEMORY);
    places[0] = discover_joined(&login->arena, root, OAUTH, path);
    places[1] = discover_joined(&login->arena, root, OPENID, path);
    places[2] = *path ? discover_joined(&login->arena, root, path, OPENID) : NULL;
    how       = fetch_first(login, places, "the authorization server's metadata", &object);
    if (how == FOUND)
        return read_authority(login, resource, object, found);
    if (how == NOT_THERE && resource->old)
        return be_default(login, resource, found);
    return how == NOT_THERE && login_fail(login, SAY_NO_AUTHORITY, resource->issuer);
}
