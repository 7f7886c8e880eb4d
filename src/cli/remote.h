/* remote.h - which server a command uses: its operands and the options that `tools` and `call` share.
 *
 *     tenon tools TARGET              an address (http:// or https://), a command line in one word, or the name that
 *                                     a server has in a client's file
 *     tenon tools -- COMMAND...       a command, word by word
 */
#ifndef CLI_REMOTE_H
#define CLI_REMOTE_H

#include <tenon/client.h>

#include <yyjson.h>

#include "cli/command.h"
#include "cli/console.h"
#include "cli/options.h"
#include "cli/remote/signin.h"
#include "http/http.h"

#define REMOTE_SECRET_MAX ((size_t)16 << 10) /* bytes of a token, or of a header's value */

/* Rows that begin a command's table; its own follow. */
enum {
    REMOTE_ERA,
    REMOTE_TIMEOUT,
    REMOTE_TOKEN_FILE,
    REMOTE_HEADER,
    REMOTE_HEADER_FILE,
    REMOTE_LOGIN,
    REMOTE_LOGIN_PORT,
    REMOTE_ISSUER,
    REMOTE_CLIENT_ID,
    REMOTE_CLIENT_SECRET_FILE,
    REMOTE_CLIENT_KEY_FILE,
    REMOTE_SERVICE,
    REMOTE_ASSERTION_FILE,
    REMOTE_PROVIDER,
    REMOTE_PROVIDER_CLIENT,
    REMOTE_PROVIDER_TOKEN_FILE,
    REMOTE_RAW,
    REMOTE_VERBOSE,
    REMOTE_HELP,
    REMOTE_VERSION,
    REMOTE_OPTIONS
};

/* clang-format off */
#define REMOTE_TABLE                                                                                                               \
    [REMOTE_ERA]                 = { "era", '\0', "modern|legacy", "2026-07-28, or a revision before it; detected by default" },                  \
    [REMOTE_TIMEOUT]             = { "timeout", '\0', "SECONDS", "for each answer; 60 by default" },                               \
    [REMOTE_TOKEN_FILE]          = { "token-file", '\0', "FILE", "bearer token for an address; also TENON_TOKEN" },                \
    [REMOTE_HEADER]              = { "header", '\0', "NAME:VALUE", "a further header for an address; repeatable" },                   \
    [REMOTE_HEADER_FILE]         = { "header-file", '\0', "NAME:FILE", "the same, with its value in a file" },                      \
    [REMOTE_LOGIN]               = { "login", '\0', NULL, "log in where the server asks for it; the default on a terminal" },    \
    [REMOTE_LOGIN_PORT]          = { "login-port", '\0', "PORT", "of this machine, that the browser returns to; any by default" }, \
    [REMOTE_ISSUER]              = { "issuer", '\0', "URL", "of the authorization server; another one is refused" },               \
    [REMOTE_CLIENT_ID]           = { "client-id", '\0', "ID", "that the authorization server knows, or the URL of its document" }, \
    [REMOTE_CLIENT_SECRET_FILE]  = { "client-secret-file", '\0', "FILE", "the secret of that client" },                            \
    [REMOTE_CLIENT_KEY_FILE]     = { "client-key-file", '\0', "FILE", "or its private key, in PEM" },                              \
    [REMOTE_SERVICE]             = { "service", '\0', NULL, "log in as that client itself; no person is asked" },                  \
    [REMOTE_ASSERTION_FILE]      = { "assertion-file", '\0', "FILE", "log in with a JWT that identifies this program" },           \
    [REMOTE_PROVIDER]            = { "provider", '\0', "URL", "token endpoint of a company's identity provider" },                 \
    [REMOTE_PROVIDER_CLIENT]     = { "provider-client", '\0', "ID", "this program's client id there" },                                     \
    [REMOTE_PROVIDER_TOKEN_FILE] = { "provider-token-file", '\0', "FILE", "a person's identity token of that provider" },          \
    [REMOTE_RAW]                 = { "raw", '\0', NULL, "print the server's JSON as it is" },                                      \
    [REMOTE_VERBOSE]             = { "verbose", 'v', NULL, "show progress and log lines, as on a terminal" },                      \
    [REMOTE_HELP]                = { "help", 'h', NULL, "print this" },                                                            \
    [REMOTE_VERSION]             = { "version", '\0', NULL, "print the version" }
/* clang-format on */

struct tn_config;
struct tn_upstream;

struct remote {
    const struct console *console;
    const char           *command; /* the name of ours, for messages */
    struct tn_arena       arena;
    tenon_client         *client;
    const char           *revision;    /* that is asked for, or NULL */
    int                   timeout_ms;  /* of each request */
    bool                  timed;       /* the call names that time */
    bool                  verbose;     /* shows progress and log lines */
    bool                  interactive; /* a person can be asked */
    bool                  is_address;
    bool                  is_apart;   /* a command is not reached by Ctrl-C, which cancels a call */
    size_t                strays;     /* lines of the server that were not messages */
    const char           *unanswered; /* a question of a call that no one could answer, or NULL */
    const char          **operands;   /* before "--" */
    size_t                operand_count;
    char                **words; /* after it */
    size_t                word_count;
    const char          **own; /* room for as many texts as there are arguments, for the command */
    const char           *token_file;
    struct tn_header     *headers; /* for an address, beside the protocol's */
    size_t                header_count;
    const tenon_map      *more_headers; /* those of a configuration, or NULL */
    struct tn_header     *sent;         /* both, to the address that is reached */
    size_t                sent_count;
    struct tn_config     *config;      /* of a client, that the target has its name from; or NULL */
    const char *const    *environment; /* of a command, and where it works; NULL: ours */
    const char           *directory;
    const char           *capabilities; /* that are promised; NULL: what a person can be asked */
    struct signin         signin;
    struct http_login     login; /* the same, as the transport uses it */
    bool                  raw, told;
    void (*help)(FILE *to);
    /* Takes a row of the command's own. */
    bool (*option)(void *user, int row, const char *value);
    void *user;
};

/* Reads the call; false when it is wrong, which was said. `remote` brings the fields that are no result. */
bool remote_read(struct remote *remote, const struct option *table, int table_count, int count,
                 char **arguments);

bool remote_wrong(const struct remote *remote, const char *text);

/* Reaches the server at `target`, or that of the words after "--" when it is NULL. False when it cannot be, which was
 * said. */
bool remote_open(struct remote *remote, const char *target);

/* The same for commands whose only operand is TARGET. */
bool remote_open_only(struct remote *remote);

/* Takes the way to a server, and what its process or its address needs, from a configuration; false when that cannot be
 * had, which was reported. remote_open() with its URL, or NULL, is next. */
bool remote_set_upstream(struct remote *remote, const struct tn_upstream *upstream);

/* The same again, for a command whose process has ended, or is to end: false when it cannot be, which was reported. */
bool remote_reopen(struct remote *remote);

/* The name and version of the server, once it is reached: one of 2026-07-28 names itself beside its answers, those before it in
 * their own. NULL when it does not say. */
yyjson_val *remote_server_info(const struct remote *remote);

/* Is it an address, and not a command line? */
bool remote_is_address(const char *target);
void remote_close(struct remote *remote);

/* Says why there is no result, for people. */
void remote_complain(const struct remote *remote, const tenon_request *request, const char *doing);

#endif
