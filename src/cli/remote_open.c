/* remote_open.c - reaching the server: at its address, by its command, by the name that it has in a client's file. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/client/known.h"
#include "cli/file.h"
#include "cli/remote.h"
#include "cli/remote/ask.h"
#include "cli/remote/notes.h"
#include "cli/remote/wait.h"
#include "cli/value.h"
#include "cli/words.h"
#include "contract/offer.h"
#include "guard/process/environment.h"
#include "net/client/client.h"

#define MESSAGE_SHOWN_MAX ((size_t)2000)
#define PATH_LEN_MAX      ((size_t)4096)
#define STRAYS_SHOWN      3
#define STRAY_SHOWN_MAX   ((size_t)200)

static bool no_memory(const struct remote *remote)
{
    console_error(remote->console, "out of memory");
    return false;
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
        if (text.at[i] <= ' ' || text.at[i] > '~' || text.len > REMOTE_SECRET_MAX)
            return remote_wrong(remote, "the token must be one word of ASCII");
    if (text.len > 0 && !(*token = tn_arena_copy(&remote->arena, text.at, text.len)))
        return no_memory(remote);
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

/* Most clients end a server, or show it as broken, when it prints anything else than messages. */
static void take_stray(void *user, struct tn_slice line)
{
    struct remote  *remote = user;
    struct tn_slice text   = tn_slice_trim(line);

    if (text.len == 0 || remote->is_address || remote->strays++ >= STRAYS_SHOWN)
        return;
    console_warn(remote->console,
                 "the server printed a line that is not a message, at which many clients stop (print to "
                 "standard error "
                 "instead): %.*s%s",
                 (int)(text.len < STRAY_SHOWN_MAX ? text.len : STRAY_SHOWN_MAX), text.at,
                 text.len > STRAY_SHOWN_MAX ? "..." : "");
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
    const struct remote *remote = user;

    return remote->signin.login ? login_authorization(remote->signin.login) : NULL;
}

static const char *give_proof(void *user, const char *method)
{
    const struct remote *remote = user;

    return remote->signin.login ? login_proof(remote->signin.login, method) : NULL;
}

static const struct tn_header *give_headers(void *user, size_t *count)
{
    const struct remote *remote = user;

    *count = remote->sent_count;
    return remote->sent;
}

/* Those of the call, then those of the configuration. */
static bool join_headers(struct remote *remote)
{
    const tenon_map *more  = remote->more_headers;
    size_t           count = more ? more->count : 0;

    remote->sent       = tn_arena_array(&remote->arena, remote->header_count + count + 1, struct tn_header);
    remote->sent_count = 0;
    if (!remote->sent)
        return no_memory(remote);
    for (size_t i = 0; i < remote->header_count; i++)
        remote->sent[remote->sent_count++] = remote->headers[i];
    for (size_t i = 0; i < count; i++)
        remote->sent[remote->sent_count++] = (struct tn_header){ more->at[i].key, more->at[i].value };
    return true;
}

static enum http_login_state answer_challenge(void *user, const struct http_challenge *asked,
                                              char why[TRANSPORT_WHY_MAX])
{
    struct login_challenge challenge = {
        .status = asked->status, .header = asked->header, .peer = asked->peer, .nonce = asked->nonce
    };

    struct login *login = ((struct remote *)user)->signin.login;

    _Static_assert(TRANSPORT_WHY_MAX >= LOGIN_WHY_MAX, "a login's words fit");
    if (login)
        return login_answer(login, &challenge, why) ? HTTP_LOGIN_READY : HTTP_LOGIN_NONE;
    snprintf(why, TRANSPORT_WHY_MAX, "the server does not accept the credentials (HTTP %d)", asked->status);
    return HTTP_LOGIN_NONE;
}

static void note_success(void *user, const char *peer)
{
    struct login *login = ((struct remote *)user)->signin.login;

    (void)peer;
    if (login)
        login_worked(login);
}

static bool reach_address(struct remote *remote, const char *url, const char *token)
{
    tenon_client_options      options = client_options(remote);
    struct tn_transport_frame frame;

    if (!join_headers(remote))
        return false;
    remote->login  = (struct http_login){ .authorization = give_authorization,
                                          .proof         = give_proof,
                                          .headers       = give_headers,
                                          .answer        = answer_challenge,
                                          .worked        = note_success,
                                          .user          = remote };
    remote->client = tn_client_new(&options);
    if (!remote->client)
        return true;
    tn_client_frame(remote->client, &frame);
    remote->client = tn_client_attach(
        remote->client,
        http_transport_new(&frame, url, token,
                           remote->signin.login || remote->sent_count ? &remote->login : NULL));
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
    if ((token || remote->header_count) && url[4] == ':' && !is_near(url))
        console_warn(remote->console, "the %s %s without encryption",
                     token ? "token goes to" : "headers go to", url);
    remote->signin.timeout_ms = remote->timeout_ms;
    if (!token && !signin_open(&remote->signin, remote->console, &remote->arena, url, remote->interactive))
        return false;
    remote->is_address = true;
    return reach_address(remote, url, token);
}

static bool open_command(struct remote *remote, const char *line)
{
    tenon_client_options      options = client_options(remote);
    struct tn_transport_frame frame;
    char                    **words = remote->words;
    const char               *why;

    if (remote->token_file || remote->header_count)
        return remote_wrong(remote, remote->token_file ? "--token-file is for addresses"
                                                       : "--header is for addresses");
    if (line && !(words = words_split(&remote->arena, line, &why))) {
        console_error(remote->console, "the command line '%s' cannot be read: %s", line, why);
        return false;
    }
    remote->client = tn_client_new(&options);
    if (!remote->client)
        return true;
    tn_client_frame(remote->client, &frame);
    frame.is_apart = remote->is_apart;
    remote->client = tn_client_attach(remote->client,
                                      tn_pipe_transport_new(&frame, (const char *const *)words,
                                                            options.environment, options.directory));
    return true;
}

/* ---- Names -------------------------------------------------------------------------------------------------- */

static void take_mistake(void *user, const char *where, const char *text)
{
    console_error(((struct remote *)user)->console, "%s: %s", where, text);
}

bool remote_set_upstream(struct remote *remote, const struct tn_upstream *upstream)
{
    const struct tn_environment_sink sink = { take_mistake, remote };

    remote->directory = upstream->directory;
    if (upstream->url) {
        remote->token_file   = upstream->token_file;
        remote->more_headers = &upstream->headers;
        return true;
    }
    remote->words       = (char **)(uintptr_t)upstream->words;
    remote->environment = tn_environment_new((const char *const *)environ, &upstream->environment, &sink,
                                             &remote->arena);
    return remote->environment != NULL;
}

/* Is it one word that could be a name, and no program that can be started? */
static bool is_name(struct remote *remote, const char *word)
{
    struct tn_slice path = tn_slice_of(getenv("PATH")), folder;
    struct tn_buf   file;

    if (!*word || strpbrk(word, "/ \t'\"\\"))
        return false;
    while (tn_slice_split(&path, ':', &folder)) {
        tn_buf_init(&file, &remote->arena, 0, PATH_LEN_MAX);
        tn_buf_addf(&file, "%.*s/%s", (int)folder.len, folder.at, word);
        if (tn_buf_end(&file) && access(file.at, X_OK) == 0)
            return false;
    }
    return true;
}

/* A name of a client's file stands for what it says there. */
static bool open_named(struct remote *remote, const char *name, const struct tn_upstream *upstream,
                       const struct known_file *file)
{
    if (remote->verbose)
        fprintf(remote->console->err, "%s is the server of %s\n", name, file->path);
    if (!remote_set_upstream(remote, upstream))
        return false;
    return upstream->url ? open_address(remote, upstream->url) : open_command(remote, NULL);
}

static bool open_target(struct remote *remote, const char *target)
{
    const struct tn_upstream *upstream;
    struct known_file         file;

    if (target && remote_is_address(target))
        return open_address(remote, target);
    if (target && is_name(remote, target) &&
        (upstream = known_find(&remote->arena, target, &remote->config, &file)))
        return open_named(remote, target, upstream, &file);
    return open_command(remote, target);
}

bool remote_open(struct remote *remote, const char *target)
{
    if (!open_target(remote, target))
        return false;
    if (!remote->client)
        return no_memory(remote);
    remote->client->junk     = take_stray;
    remote->client->tap_user = remote;
    if (wait_ready(remote))
        return true;
    if (!wait_interrupted())
        console_error(remote->console, "%s", tenon_client_error(remote->client));
    return false;
}

bool remote_open_only(struct remote *remote)
{
    size_t needed = remote->word_count ? 0 : 1;

    if (remote->operand_count == needed)
        return remote_open(remote, needed ? remote->operands[0] : NULL);
    return remote_wrong(remote, remote->operand_count
                                    ? "one TARGET only; quote a command line, or put it after --"
                                    : "a TARGET is needed: an address, a name or a command");
}

bool remote_reopen(struct remote *remote)
{
    tenon_client_free(remote->client);
    tn_config_free(remote->config);
    remote->client       = NULL;
    remote->config       = NULL;
    remote->environment  = NULL; /* these were in it */
    remote->directory    = NULL;
    remote->more_headers = NULL;
    remote->strays       = 0;
    return remote_open_only(remote);
}

yyjson_val *remote_server_info(const struct remote *remote)
{
    return value_of(tn_offer_server_info(tenon_client_server(remote->client)));
}

void remote_close(struct remote *remote)
{
    tenon_client_free(remote->client);
    tn_config_free(remote->config);
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
