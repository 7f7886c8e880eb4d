/* remote.c - reading the call and reaching the server. */
#define _POSIX_C_SOURCE 200809L
#include "cli/remote.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "cli/ask.h"
#include "cli/file.h"
#include "cli/notes.h"
#include "cli/value.h"
#include "cli/words.h"
#include "net/client/client.h"

#define TIMEOUT_S         60
#define TIMEOUT_S_MAX     86400
#define PORT_MAX          65535
#define TOKEN_LEN_MAX     ((size_t)16 << 10)
#define MESSAGE_SHOWN_MAX ((size_t)2000)
#define ARENA_MAX         ((size_t)1 << 30) /* of all that a server may make us keep */

bool remote_wrong(const struct remote *remote, const char *text)
{
    console_error(remote->console, "%s; see tenon %s --help", text, remote->command);
    return false;
}

static bool remote_out_of_memory(const struct remote *remote)
{
    console_error(remote->console, "out of memory");
    return false;
}

static bool set_era(struct remote *remote, const char *value)
{
    if (strcmp(value, "modern") == 0)
        remote->revision = MODERN_VERSION;
    else if (strcmp(value, "legacy") == 0)
        remote->revision = LEGACY_VERSION;
    else
        return remote_wrong(remote, "--era must be modern or legacy");
    return true;
}

static bool set_timeout(struct remote *remote, const char *value)
{
    char *end;
    long  seconds = strtol(value, &end, 10);

    if (end == value || *end || seconds < 1 || seconds > TIMEOUT_S_MAX)
        return remote_wrong(remote, "--timeout must be a number of seconds from 1 to 86400");
    remote->timeout_ms = (int)seconds * 1000;
    return true;
}

static bool set_port(struct remote *remote, const char *value)
{
    char *end;
    long  port = strtol(value, &end, 10);

    if (end == value || *end || port < 1 || port > PORT_MAX)
        return remote_wrong(remote, "--login-port must be a port from 1 to 65535");
    remote->signin.port = (int)port;
    return true;
}

static bool remote_take_option(struct remote *remote, int row, const char *value, bool ended)
{
    switch (row) {
    case OPTION_OPERAND:
        if (ended)
            remote->words[remote->word_count++] = (char *)value; /* an argument of main, which is not const */
        else
            remote->operands[remote->operand_count++] = value;
        return true;
    case REMOTE_ERA: return set_era(remote, value);
    case REMOTE_TIMEOUT: return set_timeout(remote, value);
    case REMOTE_TOKEN_FILE: remote->token_file = value; return true;
    case REMOTE_LOGIN: remote->signin.asked_for = true; return true;
    case REMOTE_LOGIN_PORT: return set_port(remote, value);
    case REMOTE_ISSUER: remote->signin.issuer = value; return true;
    case REMOTE_CLIENT_ID: remote->signin.client_id = value; return true;
    case REMOTE_CLIENT_SECRET_FILE: remote->signin.secret_file = value; return true;
    case REMOTE_CLIENT_KEY_FILE: remote->signin.key_file = value; return true;
    case REMOTE_SERVICE: remote->signin.service = true; return true;
    case REMOTE_ASSERTION_FILE: remote->signin.assertion_file = value; return true;
    case REMOTE_PROVIDER: remote->signin.provider_url = value; return true;
    case REMOTE_PROVIDER_CLIENT: remote->signin.provider_client = value; return true;
    case REMOTE_PROVIDER_TOKEN_FILE: remote->signin.provider_token_file = value; return true;
    case REMOTE_RAW: remote->raw = true; return true;
    case REMOTE_VERBOSE: remote->verbose = true; return true;
    case REMOTE_HELP:
        remote->help(remote->console->out);
        remote->told = true;
        return true;
    case REMOTE_VERSION:
        fprintf(remote->console->out, "tenon %s\n", tenon_version());
        remote->told = true;
        return true;
    default: return remote->option(remote->user, row, value);
    }
}

bool remote_read(struct remote *remote, const struct option *table, int table_count, int count,
                 char **arguments)
{
    struct options options = {
        .table = table, .table_count = table_count, .arguments = arguments, .count = count
    };
    tenon_allocator memory = tn_memory_of(NULL);
    int             row;

    tn_arena_init(&remote->arena, &memory, ARENA_MAX);
    remote->timeout_ms  = TIMEOUT_S * 1000;
    remote->verbose     = isatty(STDERR_FILENO);
    remote->interactive = isatty(STDIN_FILENO) && isatty(STDERR_FILENO);
    remote->login       = (struct http_login){ .user = remote };
    remote->operands    = tn_arena_array(&remote->arena, (size_t)count + 1, const char *);
    remote->words       = tn_arena_array(&remote->arena, (size_t)count + 1, char *);
    remote->own         = tn_arena_array(&remote->arena, (size_t)count + 1, const char *);
    if (!remote->operands || !remote->words || !remote->own)
        return remote_out_of_memory(remote);
    while ((row = options_next(&options)) != OPTION_END && !remote->told) {
        if (row == OPTION_WRONG)
            return remote_wrong(remote, options.why);
        if (!remote_take_option(remote, row, options.value, options.ended))
            return false;
    }
    if (options.ended && !remote->told && remote->word_count == 0)
        return remote_wrong(remote, "a command must follow --");
    return true;
}

/* ---- Reaching it -------------------------------------------------------------------------------------------- */

bool remote_is_address(const char *target)
{
    return strncmp(target, "http://", 7) == 0 || strncmp(target, "https://", 8) == 0;
}

/* Does what is sent there stay on this machine? */
static bool is_near(const char *url)
{
    static const char *const hosts[] = { "localhost", "127.0.0.1", "[::1]" };
    const char              *host    = strstr(url, "://") + 3;

    for (size_t i = 0; i < sizeof hosts / sizeof *hosts; i++) {
        size_t len = strlen(hosts[i]);

        if (strncmp(host, hosts[i], len) == 0 && (!host[len] || strchr(":/?#", host[len])))
            return true;
    }
    return false;
}

/* *token stays NULL when there is none. What stands in it is never printed. */
static bool read_token(struct remote *remote, const char **token)
{
    const char     *given = getenv("TENON_TOKEN");
    struct tn_slice text  = tn_slice_of(given);
    struct file     file;

    if (remote->token_file) {
        file = file_read(&remote->arena, remote->token_file);
        if (file.why) {
            console_error(remote->console, "%s: %s", remote->token_file, file.why);
            return false;
        }
        text = file.text;
    }
    text = tn_slice_trim(text);
    if (text.len == 0 && remote->token_file)
        return remote_wrong(remote, "the token file is empty");
    for (size_t i = 0; i < text.len; i++)
        if (text.at[i] <= ' ' || text.at[i] > '~' || text.len > TOKEN_LEN_MAX)
            return remote_wrong(remote, "the token must be one word of ASCII");
    if (text.len > 0 && !(*token = tn_arena_copy(&remote->arena, text.at, text.len)))
        return remote_out_of_memory(remote);
    return true;
}

/* ---- The client's side -------------------------------------------------------------------------------------- */

static void take_note(void *user, const char *method, const tenon_json *params)
{
    const struct remote *remote = user;

    if (remote->verbose)
        notes_show(remote->console, method, params);
}

static void take_question(void *user, tenon_question *question)
{
    struct remote  *remote  = user;
    yyjson_val     *params  = value_of(tenon_question_params(question));
    struct tn_slice message = value_text(params, "message");
    const char     *answer  = ask_person(remote, tenon_question_method(question), params);

    if (answer && tenon_question_answer(question, answer) == TENON_OK)
        return;
    if (tenon_question_request(question))
        remote->unanswered = tn_arena_copy(&remote->arena, message.at,
                                           message.len < MESSAGE_SHOWN_MAX ? message.len : MESSAGE_SHOWN_MAX);
    tenon_question_refuse(question, NULL);
}

static tenon_client_options client_options(struct remote *remote)
{
    const char *asked = remote->interactive ? "{\"elicitation\":{\"form\":{},\"url\":{}}}" : "{}";

    return (tenon_client_options){ .size         = sizeof(tenon_client_options),
                                   .revision     = remote->revision,
                                   .capabilities = remote->capabilities ? remote->capabilities : asked,
                                   .environment  = remote->environment,
                                   .directory    = remote->directory,
                                   .ask          = take_question,
                                   .note         = take_note,
                                   .user         = remote,
                                   .log_level    = remote->verbose ? "info" : NULL,
                                   .timeout_ms   = remote->timeout_ms };
}

#ifdef TENON_CURL

static const char *give_authorization(void *user)
{
    return login_authorization(((struct remote *)user)->signin.login);
}

static const char *give_proof(void *user, const char *method)
{
    return login_proof(((struct remote *)user)->signin.login, method);
}

static enum http_login_state answer_challenge(void *user, const struct http_challenge *asked,
                                              char why[TRANSPORT_WHY_MAX])
{
    struct login_challenge challenge = {
        .status = asked->status, .header = asked->header, .peer = asked->peer, .nonce = asked->nonce
    };

    _Static_assert(TRANSPORT_WHY_MAX >= LOGIN_WHY_MAX, "a login's words fit");
    return login_answer(((struct remote *)user)->signin.login, &challenge, why) ? HTTP_LOGIN_READY
                                                                                : HTTP_LOGIN_NONE;
}

static void note_success(void *user, const char *peer)
{
    (void)peer;
    login_worked(((struct remote *)user)->signin.login);
}

static bool reach_address(struct remote *remote, const char *url, const char *token)
{
    tenon_client_options      options = client_options(remote);
    struct tn_transport_frame frame;

    remote->login  = (struct http_login){ .authorization = give_authorization,
                                          .proof         = give_proof,
                                          .answer        = answer_challenge,
                                          .worked        = note_success,
                                          .user          = remote };
    remote->client = tn_client_new(&options);
    if (!remote->client)
        return true;
    tn_client_frame(remote->client, &frame);
    remote->client = tn_client_attach(
        remote->client, http_transport_new(&frame, url, token, remote->signin.login ? &remote->login : NULL));
    return true;
}

#else

static bool reach_address(struct remote *remote, const char *url, const char *token)
{
    (void)url, (void)token;
    console_error(remote->console, "this tenon was built without libcurl and reaches no addresses");
    return false;
}

#endif

static bool open_address(struct remote *remote, const char *url)
{
    const char *token = NULL;

    if (!read_token(remote, &token))
        return false;
    if (token && url[4] == ':' && !is_near(url))
        console_warn(remote->console, "the token goes to %s without encryption", url);
    remote->signin.timeout_ms = remote->timeout_ms;
    if (!token && !signin_open(&remote->signin, remote->console, &remote->arena, url, remote->interactive))
        return false;
    remote->is_address = true;
    return reach_address(remote, url, token);
}

static bool open_command(struct remote *remote, const char *line)
{
    tenon_client_options options = client_options(remote);
    char               **words   = remote->words;
    const char          *why;

    if (remote->token_file)
        return remote_wrong(remote, "--token-file is for addresses");
    if (line && !(words = words_split(&remote->arena, line, &why))) {
        console_error(remote->console, "the command line '%s' cannot be read: %s", line, why);
        return false;
    }
    remote->client = tenon_client_command_((const char *const *)words, &options);
    return true;
}

bool remote_open(struct remote *remote, const char *target)
{
    if (!(target && remote_is_address(target) ? open_address(remote, target) : open_command(remote, target)))
        return false;
    if (!remote->client)
        return remote_out_of_memory(remote);
    if (!tenon_client_ready(remote->client))
        console_error(remote->console, "%s", tenon_client_error(remote->client));
    return tenon_client_revision(remote->client)[0] != '\0';
}

void remote_close(struct remote *remote)
{
    tenon_client_free(remote->client);
    signin_close(&remote->signin);
    tn_arena_rest(&remote->arena, 0); /* tokens, and what they opened */
    tn_arena_free(&remote->arena);
}

void remote_complain(const struct remote *remote, const tenon_request *request, const char *doing)
{
    yyjson_val     *error   = value_of(tenon_request_error(request));
    struct tn_slice message = value_text(error, "message");
    long long       code    = yyjson_get_sint(yyjson_obj_get(error, "code"));
    yyjson_val     *needed  = yyjson_obj_get(yyjson_obj_get(error, "data"), "requiredCapabilities");

    if (!request)
        console_error(remote->console, "%s", tenon_client_error(remote->client));
    else if (tenon_request_state_of(request) != TENON_REQUEST_REFUSED)
        console_error(remote->console, "%s", tenon_request_why(request));
    else if (code == RPC_NO_CAPABILITY && yyjson_obj_get(needed, "elicitation") && !remote->interactive)
        console_error(remote->console, "%s: it asks for input; call it on a terminal to answer", doing);
    else
        console_error(remote->console, "%s: %.*s (%lld)", doing,
                      (int)(message.len < 4000 ? message.len : 4000), message.at, code);
}
