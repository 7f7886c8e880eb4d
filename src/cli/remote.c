/* remote.c - reading the call. */
#define _GNU_SOURCE
#include "cli/remote.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/memory.h"
#include "cli/file.h"
#include "net/client/client.h"
#include "rows/headers.h"

#define TIMEOUT_S         60
#define TIMEOUT_S_MAX     86400
#define PORT_MAX          65535
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
    remote->timed      = true;
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

/* ---- Headers ------------------------------------------------------------------------------------------------ */

/* Those of the protocol and of the connection are made by the client. */
static bool is_own_header(struct tn_slice name)
{
    static const char *const own[] = {
        "accept",       "authorization", "connection",    "content-length",
        "content-type", "host",          "last-event-id", "transfer-encoding"
    };

    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (strlen(own[i]) == name.len && strncasecmp(name.at, own[i], name.len) == 0)
            return true;
    return name.len >= 4 && strncasecmp(name.at, "mcp-", 4) == 0;
}

/* "NAME:VALUE", or "NAME:FILE" with its value in that file, which is never printed. */
static bool add_header(struct remote *remote, const char *given, bool in_file)
{
    const char      *flag  = in_file ? "--header-file" : "--header";
    struct tn_slice  name  = { given, strcspn(given, ":") };
    struct tn_slice  value = tn_slice_trim(tn_slice_of(given + name.len + (given[name.len] == ':')));
    struct tn_header made;

    if (given[name.len] != ':' || !tn_header_is_name(name) || value.len == 0) {
        console_error(remote->console, "%s must be NAME:%s; see tenon %s --help", flag,
                      in_file ? "FILE" : "VALUE", remote->command);
        return false;
    }
    if (is_own_header(name)) {
        console_error(remote->console, "the header %.*s is made by the client%s", (int)name.len, name.at,
                      strncasecmp(name.at, "authorization", 13) == 0 ? "; see --token-file" : "");
        return false;
    }
    if (in_file) {
        struct file file = file_read(&remote->arena, value.at);

        if (file.why) {
            console_error(remote->console, "%s: %s", value.at, file.why);
            return false;
        }
        value = tn_slice_trim(file.text);
    }
    for (size_t i = 0; i < value.len; i++)
        if ((unsigned char)value.at[i] < ' ' || value.at[i] == 0x7F || value.len > REMOTE_SECRET_MAX)
            return remote_wrong(remote, "the value of a header must be one line");
    made = (struct tn_header){ tn_arena_copy(&remote->arena, name.at, name.len),
                               tn_arena_copy(&remote->arena, value.at, value.len) };
    if (!made.name || !made.value)
        return remote_out_of_memory(remote);
    remote->headers[remote->header_count++] = made;
    return true;
}

/* ---- The call ----------------------------------------------------------------------------------------------- */

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
    case REMOTE_HEADER:
    case REMOTE_HEADER_FILE: return add_header(remote, value, row == REMOTE_HEADER_FILE);
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

/* An option behind a word that is no address may well be one of the server's command. */
static bool remote_wrong_option(const struct remote *remote, const struct options *options)
{
    char text[OPTION_WHY_MAX + 200];

    if (remote->operand_count == 0 || remote_is_address(remote->operands[0]) || options->value)
        return remote_wrong(remote, options->why);
    snprintf(text, sizeof text, "%s; a command with options of its own goes after --, as in -- %.100s ...",
             options->why, remote->operands[0]);
    return remote_wrong(remote, text);
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
    remote->headers     = tn_arena_array(&remote->arena, (size_t)count + 1, struct tn_header);
    if (!remote->operands || !remote->words || !remote->own || !remote->headers)
        return remote_out_of_memory(remote);
    while ((row = options_next(&options)) != OPTION_END && !remote->told) {
        if (row == OPTION_WRONG)
            return remote_wrong_option(remote, &options);
        if (!remote_take_option(remote, row, options.value, options.ended))
            return false;
    }
    if (options.ended && !remote->told && remote->word_count == 0)
        return remote_wrong(remote, "a command must follow --");
    return true;
}

bool remote_is_address(const char *target)
{
    return strncmp(target, "http://", 7) == 0 || strncmp(target, "https://", 8) == 0;
}
