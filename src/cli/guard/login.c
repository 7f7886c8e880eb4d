/* login.c - logging in for a guard: what comes of it is kept where the guard looks for it. */
#include "cli/guard/login.h"

#include <stdio.h>
#include <string.h>

#include "cli/remote.h"
#include "guard/config/config.h"
#include "guard/phrases.h"

enum { LOGIN_CONFIG = REMOTE_OPTIONS, LOGIN_OPTIONS };

/* clang-format off */
static const struct option table[] = {
    REMOTE_TABLE,
    [LOGIN_CONFIG] = { "config", '\0', "FILE", "where NAME is a server's name: the file of the guard" },
};
/* clang-format on */

struct guard_login {
    const char       *file;
    struct tn_config *config; /* or NULL */
};

static void print_help(FILE *to)
{
    fputs("Usage: tenon guard login [OPTION]... URL\n"
          "       tenon guard login [OPTION]... --config FILE NAME\n\n"
          "Logs in to a server at an address, in a browser. The login is kept for this user, in a file of "
          "mode 0600\n"
          "below XDG_STATE_HOME/tenon, where a guard of this server finds and renews it.\n\n",
          to);
    options_help(to, table, LOGIN_OPTIONS);
}

static bool take_option(void *user, int row, const char *value)
{
    struct guard_login *login = user;

    if (row == LOGIN_CONFIG)
        login->file = value;
    return true;
}

static const struct tn_upstream *find_upstream(const struct tn_config *config, const char *name)
{
    for (size_t i = 0; i < config->upstream_count; i++)
        if (strcmp(config->upstreams[i].name, name) == 0)
            return &config->upstreams[i];
    return NULL;
}

/* The address that is meant; NULL, and that is reported, when there is none. */
static const char *address_of(struct guard_login *login, const struct remote *remote)
{
    const char               *word = remote->operand_count == 1 ? remote->operands[0] : NULL;
    const struct tn_upstream *upstream;

    if (!word || remote->word_count > 0) {
        remote_wrong(remote,
                     "tenon guard login needs the address of a server, or --config FILE and its name");
        return NULL;
    }
    if (!login->file && (strncmp(word, "http://", 7) == 0 || strncmp(word, "https://", 8) == 0))
        return word;
    if (!login->file) {
        remote_wrong(remote, "a name needs --config FILE");
        return NULL;
    }
    login->config = tn_config_read(login->file, NULL);
    upstream      = login->config ? find_upstream(login->config, word) : NULL;
    if (!upstream || !upstream->url)
        console_error(remote->console, SAY_LOGIN_NAME, login->file, word);
    else if (upstream->token_file || upstream->token_command)
        console_error(remote->console, SAY_LOGIN_OWN, word);
    else
        return upstream->url;
    return NULL;
}

/* A server may ask for the login when it is first spoken to, or only when something is asked of it. */
static bool log_in(struct remote *remote, const char *url)
{
    tenon_request *list;
    bool           done;

    if (!remote_open(remote, url))
        return false;
    list = tenon_client_list(remote->client, "tools");
    done = tenon_client_wait(list) != NULL;
    if (!done)
        remote_complain(remote, list, url);
    tenon_request_free(list);
    return done;
}

static enum ending finish(const struct remote *remote, const char *url)
{
#ifdef TENON_CURL
    if (remote->signin.login && login_authorization(remote->signin.login)) {
        fprintf(remote->console->out, "Logged in to %s\n", url);
        return ENDING_GOOD;
    }
#endif
    fprintf(remote->console->out, "%s does not ask for a login\n", url);
    return ENDING_GOOD;
}

enum ending guard_login(const struct console *console, int count, char **arguments)
{
    struct guard_login login  = { 0 };
    struct remote      remote = { .console = console,
                                  .command = "guard login",
                                  .help    = print_help,
                                  .option  = take_option,
                                  .user    = &login };
    enum ending        ending = ENDING_UNUSABLE;
    const char        *url;

    remote.signin.asked_for = remote.signin.keeps = true;
    if (remote_read(&remote, table, LOGIN_OPTIONS, count, arguments)) {
        if (remote.told)
            ending = ENDING_GOOD;
        else if ((url = address_of(&login, &remote)) && log_in(&remote, url))
            ending = finish(&remote, url);
    }
    remote_close(&remote);
    if (login.config)
        tn_config_free(login.config);
    return ending;
}
