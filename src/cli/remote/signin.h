/* signin.h - logging in to a server at an address: the options of the command line for it, and the person's browser. */
#ifndef CLI_REMOTE_SIGNIN_H
#define CLI_REMOTE_SIGNIN_H

#include "cli/console.h"
#include "login/login.h"

/* What the command line says of it. */
struct signin {
    const char *issuer, *client_id, *secret_file, *key_file, *assertion_file;
    const char *provider_url, *provider_client, *provider_token_file;
    bool        asked_for; /* --login */
    bool        service;
    bool        keeps; /* who we are is kept with the login, for a guard to renew it */
    int         port;
    long        timeout_ms;

    struct login_options  options;
    struct login         *login; /* NULL before signin_open(), and in a build that reaches no addresses */
    const struct console *console;
    struct tn_arena      *arena;
};

/* Reads the files; false when that does not go, which was said. `person` is there to be asked. Everything lives in the
 * arena, until signin_close(). */
bool signin_open(struct signin *signin, const struct console *console, struct tn_arena *arena,
                 const char *server, bool person);
void signin_close(struct signin *signin);

#endif
