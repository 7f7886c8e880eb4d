/* identity.c - who we are to an authorization server: an id that was agreed on, a metadata document, or a registration
 * that is made now and kept with the login. */
#include <string.h>

#include "json/write.h"
#include "login/inside.h"
#include "login/words.h"

static bool is_document(const char *id)
{
    return strncmp(id, "https://", 8) == 0;
}

/* How a client with a secret shows it. Without a list the first one is meant (RFC 8414, 2). */
static const char *method_of_secret(yyjson_val *methods)
{
    if (!methods || list_has(methods, "client_secret_basic"))
        return "client_secret_basic";
    return list_has(methods, "client_secret_post") ? "client_secret_post" : NULL;
}

static bool be_known(struct login *login, const struct authority *authority, struct client_identity *identity)
{
    const struct login_options *options = login->options;

    identity->id = options->client_id;
    if (options->client_key.len > 0) {
        identity->method = "private_key_jwt";
        return true;
    }
    if (options->client_secret.len == 0) {
        identity->method = "none";
        return true;
    }
    identity->secret = options->client_secret.at;
    identity->method = method_of_secret(authority->methods);
    return identity->method || login_fail(login, SAY_NO_METHOD);
}

/* A program on a person's machine keeps no secret, so none is asked for where that is possible. */
static const char *method_to_ask_for(yyjson_val *methods)
{
    if (!methods || list_has(methods, "none"))
        return "none";
    return method_of_secret(methods);
}

static const char *write_registration(struct login *login, const char *redirect, const char *method)
{
    struct tn_buf out;

    tn_buf_init(&out, &login->arena, 512, LOGIN_FORM_MAX);
    tn_buf_lit(&out, "{\"client_name\":\"Tenon\",\"application_type\":\"native\",\"redirect_uris\":[");
    tn_json_string(&out, redirect, strlen(redirect));
    tn_buf_lit(&out,
               "],\"grant_types\":[\"authorization_code\",\"refresh_token\"],\"response_types\":[\"code\"],"
               "\"token_endpoint_auth_method\":");
    tn_json_string(&out, method, strlen(method));
    tn_buf_char(&out, '}');
    return tn_buf_end(&out);
}

static bool is_method(const char *method)
{
    return strcmp(method, "none") == 0 || strcmp(method, "client_secret_basic") == 0 ||
           strcmp(method, "client_secret_post") == 0;
}

static bool take_registration(struct login *login, const struct authority *authority, yyjson_val *object,
                              const char *asked, long status, struct client_identity *identity)
{
    identity->id     = login_text(login, object, "client_id");
    identity->secret = login_text(login, object, "client_secret");
    identity->method = login_text(login, object, "token_endpoint_auth_method");
    if (!identity->id)
        return login_fail(login, SAY_REGISTER, status, ": ", "its answer has no client_id that can be used");
    if (!identity->method && identity->secret && !authority->methods)
        identity->method = "client_secret_basic";
    if (!identity->method)
        identity->method = asked;
    if (!is_method(identity->method) || (!identity->secret && strcmp(identity->method, "none") != 0))
        return login_fail(login, SAY_NO_METHOD);
    return true;
}

static bool register_now(struct login *login, const struct authority *authority, const char *redirect,
                         struct client_identity *identity)
{
    const char                *method  = method_to_ask_for(authority->methods);
    const char                *body    = method ? write_registration(login, redirect, method) : NULL;
    struct tn_document_request request = { .url        = authority->registration,
                                           .type       = "application/json",
                                           .nearest    = login->nearest,
                                           .timeout_ms = login_fetch_ms(login) };
    struct tn_document_answer  answer;
    yyjson_val                *object;
    char                       why[FETCH_WHY_MAX];

    if (!body)
        return login_fail(login, method ? SAY_MEMORY : SAY_NO_METHOD);
    request.body = tn_slice_of(body);
    if (!tn_document_send(&login->arena, &request, &answer, why))
        return login_fail(login, SAY_FETCH, "a registration", authority->registration, why);
    object = login_object(login, answer.body);
    if ((answer.status != 200 && answer.status != 201) || !object) {
        const char *error = object ? login_text(login, object, "error") : NULL;

        return login_fail(login, SAY_REGISTER, answer.status, error ? ": " : "", error ? error : "");
    }
    if (!take_registration(login, authority, object, method, answer.status, identity))
        return false;
    identity->redirect = redirect;
    login->kept.client = *identity;
    return true;
}

/* Who we are is kept where others renew the login; a key is not. */
static bool keep_known(struct login *login, const struct client_identity *identity)
{
    if (login->options->keeps_client && is_method(identity->method))
        login->kept.client = *identity;
    return true;
}

bool identity_find(struct login *login, const struct authority *authority, const char *redirect,
                   struct client_identity *identity)
{
    const char                   *id   = login->options->client_id;
    const struct client_identity *kept = &login->kept.client;

    *identity = (struct client_identity){ 0 };
    if (id && (!is_document(id) || authority->documents))
        return be_known(login, authority, identity) && keep_known(login, identity);
    if (kept->id && (!redirect || (kept->redirect && strcmp(kept->redirect, redirect) == 0))) {
        *identity = *kept;
        return true;
    }
    if (!authority->registration || !redirect)
        return login_fail(login, SAY_NO_CLIENT);
    return register_now(login, authority, redirect, identity);
}
