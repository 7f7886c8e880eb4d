/* service.c - tokens without a person: with the client's own credentials (RFC 6749, 4.4), with a JWT that identifies it
 * (RFC 7523), or with one that a company's identity provider gives for a person's (token exchange, RFC 8693). */
#include <string.h>

#include "login/inside.h"
#include "login/words.h"

#define EXCHANGE_GRANT "urn:ietf:params:oauth:grant-type:token-exchange"
#define ID_TOKEN       "urn:ietf:params:oauth:token-type:id_token"
#define ID_JAG         "urn:ietf:params:oauth:token-type:id-jag"

/* What the provider says for a person, to this authorization server and for this resource only; NULL with `why`. */
static const char *exchange(struct login *login, const struct resource *resource,
                            const struct authority *authority, const char *scope)
{
    const struct login_options *options = login->options;
    struct tn_document_request  request = { .url        = options->provider_url,
                                            .type       = "application/x-www-form-urlencoded",
                                            .nearest    = NEAR_ANY, /* the caller's own address */
                                            .timeout_ms = login_fetch_ms(login) };
    struct tn_document_answer   answer;
    yyjson_val                 *object;
    struct reason               reason;
    char                        why[FETCH_WHY_MAX];
    struct tn_buf               form;

    tn_buf_init(&form, &login->arena, 512, LOGIN_FORM_MAX);
    urls_add(&form, "grant_type", SLICE_LIT(EXCHANGE_GRANT));
    urls_add(&form, "requested_token_type", SLICE_LIT(ID_JAG));
    urls_add(&form, "audience", tn_slice_of(authority->issuer));
    urls_add(&form, "resource", tn_slice_of(resource->name));
    urls_add(&form, "subject_token", options->provider_token);
    urls_add(&form, "subject_token_type", SLICE_LIT(ID_TOKEN));
    if (options->provider_client)
        urls_add(&form, "client_id", tn_slice_of(options->provider_client));
    if (*scope)
        urls_add(&form, "scope", tn_slice_of(scope));
    request.body = tn_buf_slice(&form);
    if (!tn_buf_end(&form))
        return login_fail(login, SAY_MEMORY), NULL;
    if (!tn_document_send(&login->arena, &request, &answer, why))
        return login_fail(login, SAY_FETCH, "an assertion", options->provider_url, why), NULL;
    object = login_object(login, answer.body);
    if (answer.status == 200 && object &&
        yyjson_equals_str(yyjson_obj_get(object, "issued_token_type"), ID_JAG) &&
        login_text(login, object, "access_token"))
        return login_text(login, object, "access_token");
    reason = reason_of(login, object, &(struct sent){ .form = form.at });
    login_fail(login, SAY_EXCHANGE, answer.status, reason.error, reason.mark, reason.more);
    return NULL;
}

static bool begin_form(struct login *login, const struct resource *resource,
                       const struct authority *authority, const char *scope, struct tn_buf *form)
{
    const struct login_options *options   = login->options;
    struct tn_slice             assertion = options->assertion;

    if (options->provider_url) {
        const char *given = exchange(login, resource, authority, scope);

        if (!given)
            return false;
        assertion = tn_slice_of(given);
    }
    tn_buf_init(form, &login->arena, 512, LOGIN_FORM_MAX);
    if (assertion.len > 0) {
        urls_add(form, "grant_type", SLICE_LIT(BEARER_GRANT));
        urls_add(form, "assertion", assertion);
    } else
        urls_add(form, "grant_type", SLICE_LIT("client_credentials"));
    urls_add(form, "resource", tn_slice_of(resource->name));
    if (*scope)
        urls_add(form, "scope", tn_slice_of(scope));
    return true;
}

bool service_token(struct login *login, const struct resource *resource, const struct authority *authority,
                   const char *scope)
{
    struct client_identity identity = { .method = "none" };
    struct tn_buf          form     = { 0 };

    if (!login->options->client_id && login->options->assertion.len == 0)
        return login_fail(login, SAY_NO_ID);
    if (login->options->client_id && !identity_find(login, authority, NULL, &identity))
        return false;
    return begin_form(login, resource, authority, scope, &form) &&
           grant_token(login, authority, &identity, &form);
}
