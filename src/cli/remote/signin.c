/* signin.c - from options to a login. */
#define _POSIX_C_SOURCE 200809L
#include "cli/remote/signin.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/file.h"
#include "cli/words.h"

#define SECRET_LEN_MAX ((size_t)16 << 10)
#define WORDS_MAX      32 /* of BROWSER */

extern char **environ;

static bool read_secret(const struct signin *signin, const char *path, struct tn_slice *to)
{
    struct file file;
    char       *copy;

    *to = (struct tn_slice){ NULL, 0 };
    if (!path)
        return true;
    file = file_read(signin->arena, path);
    if (file.why) {
        console_error(signin->console, "%s: %s", path, file.why);
        return false;
    }
    file.text = tn_slice_trim(file.text);
    if (file.text.len == 0 || file.text.len > SECRET_LEN_MAX || memchr(file.text.at, '\0', file.text.len)) {
        console_error(signin->console, "%s: %s", path,
                      file.text.len == 0 ? "it is empty" : "it is not a secret");
        return false;
    }
    copy = tn_arena_copy(signin->arena, file.text.at, file.text.len);
    if (!copy)
        console_error(signin->console, "out of memory");
    *to = (struct tn_slice){ copy, file.text.len };
    return copy != NULL;
}

/* ---- The browser ----------------------------------------------------------------------------------------------- */

/* Runs what BROWSER says with the address; what it prints is not ours to show. */
static void start_browser(const struct signin *signin, const char *address)
{
    const char                *browser = getenv("BROWSER"), *why;
    char                     **words = browser && *browser ? words_split(signin->arena, browser, &why) : NULL;
    char                      *command[WORDS_MAX + 2];
    size_t                     count = 0;
    posix_spawn_file_actions_t actions;
    pid_t                      child;

    for (; words && words[count] && count < WORDS_MAX; count++)
        command[count] = words[count];
    if (count == 0 || posix_spawn_file_actions_init(&actions) != 0)
        return;
    command[count++] = (char *)address; /* argv is not const, and not written to */
    command[count]   = NULL;
    if (posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0) == 0 &&
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0) == 0 &&
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0) == 0 &&
        posix_spawnp(&child, command[0], &actions, NULL, command, environ) != 0)
        console_warn(signin->console, "BROWSER cannot be run: open the page yourself");
    posix_spawn_file_actions_destroy(&actions);
}

static void signin_show(void *user, const char *address)
{
    const struct signin *signin = user;

    fflush(signin->console->out);
    fputs("Open this page to log in: ", signin->console->err);
    console_text(signin->console->err, tn_slice_of(address));
    fputc('\n', signin->console->err);
    fflush(signin->console->err);
    start_browser(signin, address);
}

/* ---- Opening --------------------------------------------------------------------------------------------------- */

static bool read_files(struct signin *signin)
{
    struct login_options *options = &signin->options;

    return read_secret(signin, signin->secret_file, &options->client_secret) &&
           read_secret(signin, signin->key_file, &options->client_key) &&
           read_secret(signin, signin->assertion_file, &options->assertion) &&
           read_secret(signin, signin->provider_token_file, &options->provider_token);
}

static bool is_whole(const struct signin *signin)
{
    if ((signin->secret_file || signin->key_file || signin->service) && !signin->client_id)
        console_error(signin->console,
                      "--client-id is needed with --client-secret-file, --client-key-file and --service");
    else if (!signin->provider_url != !signin->provider_token_file)
        console_error(signin->console, "--provider and --provider-token-file belong together");
    else if (signin->service && !signin->secret_file && !signin->key_file)
        console_error(signin->console, "--service needs --client-secret-file or --client-key-file");
    else
        return true;
    return false;
}

bool signin_open(struct signin *signin, const struct console *console, struct tn_arena *arena,
                 const char *server, bool person)
{
    signin->console = console;
    signin->arena   = arena;
    if (!is_whole(signin) || !read_files(signin))
        return false;
    signin->options.server          = server;
    signin->options.issuer          = signin->issuer;
    signin->options.client_id       = signin->client_id;
    signin->options.service         = signin->service;
    signin->options.keeps_client    = signin->keeps;
    signin->options.provider_url    = signin->provider_url;
    signin->options.provider_client = signin->provider_client;
    signin->options.port            = signin->port;
    signin->options.timeout_ms      = signin->timeout_ms;
    signin->options.show            = person || signin->asked_for ? signin_show : NULL;
    signin->options.user            = signin;
#ifdef TENON_CURL
    signin->options.folder = login_folder(arena);
    signin->login          = login_new(&signin->options);
    if (!signin->login) {
        console_error(console, "out of memory");
        return false;
    }
#endif
    return true;
}

void signin_close(struct signin *signin)
{
#ifdef TENON_CURL
    login_free(signin->login);
#endif
    signin->login = NULL;
}
