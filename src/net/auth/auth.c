/* auth.c - checks the Authorization header, and writes the challenge of a refusal (RFC 6750, RFC 9728). */
#define _POSIX_C_SOURCE 200809L
#include "net/auth/auth.h"

#include <sodium.h>
#include <string.h>

#include "base/ascii.h"
#include "base/buf.h"
#include "base/memory.h"
#include "base/scope.h"
#include "net/auth/inside.h"

#define CHALLENGE_MAX ((size_t)16 << 10)

struct auth {
    tenon_allocator              memory;
    struct tn_settings          *settings;
    bool                         on;
    struct tn_auth_tokens        tokens;
    struct tn_auth_resource      resource;
    const struct tn_auth_module *module; /* NULL without OAuth */
    struct oauth                *oauth;
    struct tn_slice              audience, scopes; /* that a token must be issued for, and must have */
};

/* ---- Words --------------------------------------------------------------------------------------------------- */

#define WHY_SEVERAL   "there is more than one Authorization header"
#define WHY_MALFORMED "the Authorization header is not Bearer and a token"
#define WHY_UNKNOWN   "the token is not known here"
#define WHY_SCOPE     "the token does not have every scope that is needed"

static const char retry_later[] = "Retry-After: 10\r\n";
static const char plain[] = "WWW-Authenticate: Bearer realm=\"mcp\"\r\n"; /* also when memory is refused */

/* ---- Challenges ---------------------------------------------------------------------------------------------- */

/* ` name="text"`, with a comma before it if something stands there already. What a quoted string cannot hold becomes '?':
 * it could only be the operator's, and must not end the header. */
static void add_parameter(struct tn_buf *out, bool *first, const char *name, struct tn_slice text)
{
    tn_buf_text(out, *first ? " " : ", ");
    *first = false;
    tn_buf_text(out, name);
    tn_buf_lit(out, "=\"");
    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.at[i];

        if (c == '"' || c == '\\')
            tn_buf_char(out, '\\');
        tn_buf_char(out, c < 0x20 || c >= 0x7F ? '?' : (char)c);
    }
    tn_buf_char(out, '"');
}

static enum tn_auth_result auth_refuse(const struct auth *auth, struct tn_arena *arena,
                                       struct tn_auth_refusal *refusal, int status, const char *error,
                                       const char *why, struct tn_slice scopes)
{
    bool          first = true;
    struct tn_buf out;

    tn_buf_init(&out, arena, 0, CHALLENGE_MAX);
    tn_buf_lit(&out, "WWW-Authenticate: Bearer");
    if (error) {
        add_parameter(&out, &first, "error", tn_slice_of(error));
        add_parameter(&out, &first, "error_description", tn_slice_of(why));
    }
    if (auth->module && scopes.len > 0)
        add_parameter(&out, &first, "scope", scopes);
    if (auth->module)
        add_parameter(&out, &first, "resource_metadata", tn_slice_of(auth->resource.metadata_url));
    if (first) /* the scheme never stands alone */
        add_parameter(&out, &first, "realm", SLICE_LIT("mcp"));
    tn_buf_lit(&out, "\r\n");
    refusal->status    = status;
    refusal->challenge = tn_buf_end(&out) ? out.at : plain;
    return AUTH_REFUSED;
}

static enum tn_auth_result refuse_malformed(const struct auth *auth, struct tn_arena *arena,
                                            struct tn_auth_refusal *refusal, const char *why)
{
    return auth_refuse(auth, arena, refusal, 400, "invalid_request", why, (struct tn_slice){ "", 0 });
}

/* ---- Scopes -------------------------------------------------------------------------------------------------- */

static bool has_scopes(struct tn_slice have, struct tn_slice need)
{
    struct tn_slice one;

    while (tn_slice_split(&need, ' ', &one))
        if (one.len > 0 && !tn_scope_has(have, one))
            return false;
    return true;
}

/* All that the operation needs in one challenge, so that a client asks its user once. */
void tn_auth_needs_scopes(struct auth *auth, struct tn_arena *arena, const char *scopes,
                          struct tn_auth_refusal *refusal)
{
    struct tn_buf all;

    tn_buf_init(&all, arena, 0, CHALLENGE_MAX);
    tn_scope_add(&all, auth->scopes);
    tn_scope_add(&all, tn_slice_of(scopes));
    auth_refuse(auth, arena, refusal, 403, "insufficient_scope", WHY_SCOPE, tn_buf_slice(&all));
}

/* ---- The header ---------------------------------------------------------------------------------------------- */

enum header { HEADER_BEARER, HEADER_OTHER, HEADER_MALFORMED };

static bool is_token_char(char c)
{
    return tn_ascii_is_letter(c) || tn_ascii_is_digit(c) || (c && strchr("-._~+/", c));
}

/* "Bearer" 1*SP b64token; any other scheme is somebody else's. */
static enum header read_header(struct tn_slice value, struct tn_slice *token)
{
    struct tn_slice scheme;
    size_t          len = 0;

    if (!tn_slice_split(&value, ' ', &scheme) || !tn_slice_fold_equal(scheme, SLICE_LIT("bearer")))
        return HEADER_OTHER;
    while (value.len > 0 && value.at[0] == ' ')
        value.at++, value.len--;
    while (len < value.len && is_token_char(value.at[len]))
        len++;
    *token = value;
    if (len == 0 || value.len > AUTH_TOKEN_MAX)
        return HEADER_MALFORMED;
    while (len < value.len && value.at[len] == '=')
        len++;
    return len == value.len ? HEADER_BEARER : HEADER_MALFORMED;
}

/* ---- Judging ------------------------------------------------------------------------------------------------- */

static enum tn_auth_result judge_oauth(struct auth *auth, struct tn_arena *arena, struct tn_slice token,
                                       struct tn_caller *caller, struct tn_auth_refusal *refusal)
{
    struct tn_oauth_judgement judgement = { .why = WHY_UNKNOWN };

    switch (auth->module->judge(auth->oauth, arena, auth->audience, token, &judgement)) {
    case OAUTH_GOOD: break;
    case OAUTH_WAIT: return AUTH_WAIT;
    case OAUTH_NO_KEYS: *refusal = (struct tn_auth_refusal){ 503, retry_later }; return AUTH_REFUSED;
    default: return auth_refuse(auth, arena, refusal, 401, "invalid_token", judgement.why, auth->scopes);
    }
    if (!has_scopes(judgement.scopes, auth->scopes))
        return auth_refuse(auth, arena, refusal, 403, "insufficient_scope", WHY_SCOPE, auth->scopes);
    *caller = (struct tn_caller){ .name = judgement.name, .scopes = judgement.scopes, .scoped = true };
    return AUTH_OK;
}

enum tn_auth_result tn_auth_check(struct auth *auth, struct tn_arena *arena, struct tn_slice authorization,
                                  size_t count, struct tn_caller *caller, struct tn_auth_refusal *refusal)
{
    const struct tn_auth_entry *entry;
    struct tn_slice             token = { "", 0 };

    *caller  = (struct tn_caller){ .name = { "", 0 }, .scopes = { "", 0 } };
    *refusal = (struct tn_auth_refusal){ 0 };
    if (!auth->on)
        return AUTH_OK;
    if (count > 1)
        return refuse_malformed(auth, arena, refusal, WHY_SEVERAL);
    if (!authorization.at || count == 0)
        return auth_refuse(auth, arena, refusal, 401, NULL, NULL, auth->scopes);
    switch (read_header(authorization, &token)) {
    case HEADER_BEARER: break;
    case HEADER_OTHER: return auth_refuse(auth, arena, refusal, 401, NULL, NULL, auth->scopes);
    default: return refuse_malformed(auth, arena, refusal, WHY_MALFORMED);
    }
    entry = tn_auth_tokens_find(&auth->tokens, token);
    if (entry) {
        caller->name = entry->name;
        return AUTH_OK;
    }
    if (!auth->module)
        return auth_refuse(auth, arena, refusal, 401, "invalid_token", WHY_UNKNOWN, auth->scopes);
    return judge_oauth(auth, arena, token, caller, refusal);
}

void tn_auth_refresh(struct auth *auth)
{
    if (auth->module)
        auth->module->refresh(auth->oauth);
}

/* ---- Making it ----------------------------------------------------------------------------------------------- */

/* Keys are fetched at once, so that whatever is wrong with the settings is in the log before the first call. */
static bool open_module(struct auth *auth, const struct tn_log *log, const char **mistake)
{
    struct tn_settings     *settings = auth->settings;
    struct tn_oauth_options options  = { .issuer     = settings->oauth_issuer,
                                         .keys       = settings->oauth_keys,
                                         .algorithms = settings->oauth_algorithms,
                                         .memory     = &auth->memory,
                                         .log        = log,
                                         .clock      = tn_clock_system() };

    const struct tn_auth_module *module = tn_auth_load(&settings->arena, mistake);

    if (!module)
        return false;
    auth->oauth = module->open(&options, &settings->arena, mistake);
    if (!auth->oauth)
        return false;
    auth->module = module;
    auth->scopes = tn_slice_trim(tn_slice_of(settings->oauth_scopes));
    module->refresh(auth->oauth);
    return true;
}

static bool read_settings(struct auth *auth, const struct tn_log *log, const char **mistake)
{
    struct tn_settings *settings = auth->settings;

    if (!tn_auth_tokens_read(&auth->tokens, settings, mistake))
        return false;
    auth->on = auth->tokens.count > 0 || settings->oauth_issuer;
    if (!tn_auth_listens(auth, 0)) {
        *mistake = "out of memory";
        return false;
    }
    return !settings->oauth_issuer || open_module(auth, log, mistake);
}

struct auth *tn_auth_new(struct tn_settings *settings, const tenon_allocator *memory,
                         const struct tn_log *log, const char **mistake)
{
    tenon_allocator from = tn_memory_of(memory);
    struct auth    *auth = sodium_init() < 0 ? NULL : tn_memory_new(&from, sizeof *auth);

    *mistake = NULL;
    if (!auth) {
        *mistake = "out of memory";
        return NULL;
    }
    *auth = (struct auth){ .memory = from, .settings = settings, .scopes = { "", 0 } };
    if (read_settings(auth, log, mistake))
        return auth;
    tn_auth_free(auth);
    return NULL;
}

void tn_auth_free(struct auth *auth)
{
    tenon_allocator memory;

    if (!auth)
        return;
    if (auth->module)
        auth->module->close(auth->oauth);
    memory = auth->memory;
    tn_memory_free(&memory, auth, sizeof *auth);
}

bool tn_auth_is_on(const struct auth *auth)
{
    return auth->on;
}

bool tn_auth_listens(struct auth *auth, unsigned port)
{
    const char *audience = auth->settings->oauth_audience;

    if (!tn_auth_resource_name(&auth->resource, auth->settings, port))
        return false;
    auth->audience = tn_slice_of(audience ? audience : auth->resource.url);
    return true;
}

const char *tn_auth_metadata(const struct auth *auth)
{
    return auth->resource.metadata;
}

bool tn_auth_is_metadata_path(const struct auth *auth, struct tn_slice path)
{
    static const struct tn_slice prefix = { AUTH_METADATA_PATH, sizeof AUTH_METADATA_PATH - 1 };
    struct tn_slice              rest;

    if (!auth->resource.metadata || path.len < prefix.len || memcmp(path.at, prefix.at, prefix.len) != 0)
        return false;
    rest = (struct tn_slice){ path.at + prefix.len, path.len - prefix.len };
    if (rest.len == 0)
        return true;
    for (size_t i = 0; i < AUTH_METADATA_PATHS; i++)
        if (rest.len == auth->resource.endings[i].len &&
            memcmp(rest.at, auth->resource.endings[i].at, rest.len) == 0)
            return true;
    return false;
}
