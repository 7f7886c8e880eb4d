/* auth.c - judges the Authorization header, and words the challenge for who is refused (RFC 6750, RFC 9728). */
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
    tenon_allocator           memory;
    struct settings          *settings;
    bool                      on;
    struct auth_tokens        tokens;
    struct auth_resource      resource;
    const struct auth_module *module; /* NULL without OAuth */
    struct oauth             *oauth;
    struct slice              audience, scopes; /* that a token must be issued for, and must have */
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
static void add_parameter(struct buf *out, bool *first, const char *name, struct slice text)
{
    buf_text(out, *first ? " " : ", ");
    *first = false;
    buf_text(out, name);
    buf_lit(out, "=\"");
    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.at[i];

        if (c == '"' || c == '\\')
            buf_char(out, '\\');
        buf_char(out, c < 0x20 || c >= 0x7F ? '?' : (char)c);
    }
    buf_char(out, '"');
}

static enum auth_result refuse(const struct auth *auth, struct arena *arena, struct auth_refusal *refusal,
                               int status, const char *error, const char *why, struct slice scopes)
{
    bool       first = true;
    struct buf out;

    buf_init(&out, arena, 0, CHALLENGE_MAX);
    buf_lit(&out, "WWW-Authenticate: Bearer");
    if (error) {
        add_parameter(&out, &first, "error", slice_of(error));
        add_parameter(&out, &first, "error_description", slice_of(why));
    }
    if (auth->module && scopes.len > 0)
        add_parameter(&out, &first, "scope", scopes);
    if (auth->module)
        add_parameter(&out, &first, "resource_metadata", slice_of(auth->resource.metadata_url));
    if (first) /* the scheme never stands alone */
        add_parameter(&out, &first, "realm", SLICE_LIT("mcp"));
    buf_lit(&out, "\r\n");
    refusal->status    = status;
    refusal->challenge = buf_end(&out) ? out.at : plain;
    return AUTH_REFUSED;
}

static enum auth_result refuse_malformed(const struct auth *auth, struct arena *arena,
                                         struct auth_refusal *refusal, const char *why)
{
    return refuse(auth, arena, refusal, 400, "invalid_request", why, (struct slice){ "", 0 });
}

/* ---- Scopes -------------------------------------------------------------------------------------------------- */

static bool has_scopes(struct slice have, struct slice need)
{
    struct slice one;

    while (slice_split(&need, ' ', &one))
        if (one.len > 0 && !scope_has(have, one))
            return false;
    return true;
}

/* All that the operation needs in one challenge, so that a client asks its user once. */
void auth_needs_scopes(struct auth *auth, struct arena *arena, const char *scopes,
                       struct auth_refusal *refusal)
{
    struct buf all;

    buf_init(&all, arena, 0, CHALLENGE_MAX);
    scope_add(&all, auth->scopes);
    scope_add(&all, slice_of(scopes));
    refuse(auth, arena, refusal, 403, "insufficient_scope", WHY_SCOPE, buf_slice(&all));
}

/* ---- The header ---------------------------------------------------------------------------------------------- */

enum header { HEADER_BEARER, HEADER_OTHER, HEADER_MALFORMED };

static bool is_token_char(char c)
{
    return ascii_is_letter(c) || ascii_is_digit(c) || (c && strchr("-._~+/", c));
}

/* "Bearer" 1*SP b64token; any other scheme is somebody else's. */
static enum header read_header(struct slice value, struct slice *token)
{
    struct slice scheme;
    size_t       len = 0;

    if (!slice_split(&value, ' ', &scheme) || !slice_fold_equal(scheme, SLICE_LIT("bearer")))
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

static enum auth_result judge_oauth(struct auth *auth, struct arena *arena, struct slice token,
                                    struct caller *caller, struct auth_refusal *refusal)
{
    struct oauth_judgement judgement = { .why = WHY_UNKNOWN };

    switch (auth->module->judge(auth->oauth, arena, auth->audience, token, &judgement)) {
    case OAUTH_GOOD: break;
    case OAUTH_WAIT: return AUTH_WAIT;
    case OAUTH_NO_KEYS: *refusal = (struct auth_refusal){ 503, retry_later }; return AUTH_REFUSED;
    default: return refuse(auth, arena, refusal, 401, "invalid_token", judgement.why, auth->scopes);
    }
    if (!has_scopes(judgement.scopes, auth->scopes))
        return refuse(auth, arena, refusal, 403, "insufficient_scope", WHY_SCOPE, auth->scopes);
    *caller = (struct caller){ .name = judgement.name, .scopes = judgement.scopes, .scoped = true };
    return AUTH_OK;
}

enum auth_result auth_check(struct auth *auth, struct arena *arena, struct slice authorization, size_t count,
                            struct caller *caller, struct auth_refusal *refusal)
{
    const struct auth_entry *entry;
    struct slice             token = { "", 0 };

    *caller  = (struct caller){ .name = { "", 0 }, .scopes = { "", 0 } };
    *refusal = (struct auth_refusal){ 0 };
    if (!auth->on)
        return AUTH_OK;
    if (count > 1)
        return refuse_malformed(auth, arena, refusal, WHY_SEVERAL);
    if (!authorization.at || count == 0)
        return refuse(auth, arena, refusal, 401, NULL, NULL, auth->scopes);
    switch (read_header(authorization, &token)) {
    case HEADER_BEARER: break;
    case HEADER_OTHER: return refuse(auth, arena, refusal, 401, NULL, NULL, auth->scopes);
    default: return refuse_malformed(auth, arena, refusal, WHY_MALFORMED);
    }
    entry = auth_tokens_find(&auth->tokens, token);
    if (entry) {
        caller->name = entry->name;
        return AUTH_OK;
    }
    if (!auth->module)
        return refuse(auth, arena, refusal, 401, "invalid_token", WHY_UNKNOWN, auth->scopes);
    return judge_oauth(auth, arena, token, caller, refusal);
}

void auth_refresh(struct auth *auth)
{
    if (auth->module)
        auth->module->refresh(auth->oauth);
}

/* ---- Making it ----------------------------------------------------------------------------------------------- */

/* Keys are fetched at once, so that whatever is wrong with the settings is in the log before the first call. */
static bool open_module(struct auth *auth, const struct log *log, const char **mistake)
{
    struct settings     *settings = auth->settings;
    struct oauth_options options  = { .issuer     = settings->oauth_issuer,
                                      .keys       = settings->oauth_keys,
                                      .algorithms = settings->oauth_algorithms,
                                      .memory     = &auth->memory,
                                      .log        = log,
                                      .clock      = clock_system() };

    const struct auth_module *module = auth_load(&settings->arena, mistake);

    if (!module)
        return false;
    auth->oauth = module->open(&options, &settings->arena, mistake);
    if (!auth->oauth)
        return false;
    auth->module = module;
    auth->scopes = slice_trim(slice_of(settings->oauth_scopes));
    module->refresh(auth->oauth);
    return true;
}

static bool read_settings(struct auth *auth, const struct log *log, const char **mistake)
{
    struct settings *settings = auth->settings;

    if (!auth_tokens_read(&auth->tokens, settings, mistake))
        return false;
    auth->on = auth->tokens.count > 0 || settings->oauth_issuer;
    if (!auth_listens(auth, 0)) {
        *mistake = "out of memory";
        return false;
    }
    return !settings->oauth_issuer || open_module(auth, log, mistake);
}

struct auth *auth_new(struct settings *settings, const tenon_allocator *memory, const struct log *log,
                      const char **mistake)
{
    tenon_allocator from = memory_of(memory);
    struct auth    *auth = sodium_init() < 0 ? NULL : memory_new(&from, sizeof *auth);

    *mistake = NULL;
    if (!auth) {
        *mistake = "out of memory";
        return NULL;
    }
    *auth = (struct auth){ .memory = from, .settings = settings, .scopes = { "", 0 } };
    if (read_settings(auth, log, mistake))
        return auth;
    auth_free(auth);
    return NULL;
}

void auth_free(struct auth *auth)
{
    tenon_allocator memory;

    if (!auth)
        return;
    if (auth->module)
        auth->module->close(auth->oauth);
    memory = auth->memory;
    memory_free(&memory, auth, sizeof *auth);
}

bool auth_is_on(const struct auth *auth)
{
    return auth->on;
}

bool auth_listens(struct auth *auth, unsigned port)
{
    const char *audience = auth->settings->oauth_audience;

    if (!auth_resource_name(&auth->resource, auth->settings, port))
        return false;
    auth->audience = slice_of(audience ? audience : auth->resource.url);
    return true;
}

const char *auth_metadata(const struct auth *auth)
{
    return auth->resource.metadata;
}

bool auth_is_metadata_path(const struct auth *auth, struct slice path)
{
    static const struct slice prefix = { AUTH_METADATA_PATH, sizeof AUTH_METADATA_PATH - 1 };
    struct slice              rest;

    if (!auth->resource.metadata || path.len < prefix.len || memcmp(path.at, prefix.at, prefix.len) != 0)
        return false;
    rest = (struct slice){ path.at + prefix.len, path.len - prefix.len };
    if (rest.len == 0)
        return true;
    for (size_t i = 0; i < AUTH_METADATA_PATHS; i++)
        if (rest.len == auth->resource.endings[i].len &&
            memcmp(rest.at, auth->resource.endings[i].at, rest.len) == 0)
            return true;
    return false;
}
