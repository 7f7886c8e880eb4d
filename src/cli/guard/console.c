/* console.c - `tenon console`: a page in the browser for the tools of any MCP server.
 *
 * It is a guard that nothing but its console talks to: the server's own process or address on one side, the page on the other.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "cli/command.h"
#include "cli/guard_call.h"
#include "cli/remote.h"
#include "cli/words.h"
#include "net/settings.h"

#define WORDS_MAX 1024

static const char help[] =
    "Usage: tenon console [SETTING]... TARGET\n"
    "       tenon console [SETTING]... -- COMMAND [ARGUMENT]...\n\n"
    "Serves a page for the browser at this machine, from which the tools, resources and prompts of an MCP\n"
    "server are tried: a form from each schema, every issue beside its field, answers, questions, calls as\n"
    "they come. TARGET is an address or a command line, as in tenon tools. The line that it prints has the\n"
    "address, which works once. Ctrl-C ends it.\n\n"
    "Settings are those of tenon guard, such as\n\n"
    "  --admin HOST:PORT       of the page; 127.0.0.1 and a free port by default\n"
    "  --token-file FILE       bearer token for an address\n"
    "  --header-file NAME=FILE a header for an address\n"
    "  --repair NAME           on, form or off: what is repaired before the server gets it\n"
    "  --lock FILE             what was approved, as tenon pin writes it\n\n"
    "Ends with 0, and with 2 when the call is wrong.\n";

/* The arguments of a guard: ours, then those that were given. */
struct console_words {
    struct tn_arena arena;
    char           *at[WORDS_MAX];
    int             count;
    bool            failed;
};

static void add(struct console_words *words, const char *word)
{
    char *copy = words->count < WORDS_MAX - 1 ? tn_arena_copy(&words->arena, word, strlen(word)) : NULL;

    words->failed |= !copy;
    if (copy)
        words->at[words->count++] = copy;
}

static bool has(int count, char **arguments, const char *name)
{
    for (int i = 0; i < count && strcmp(arguments[i], "--") != 0; i++)
        if (strncmp(arguments[i], name, strlen(name)) == 0)
            return true;
    return false;
}

/* A command line in one text becomes its words, behind "--". False with *why. */
static bool add_target(struct console_words *words, const char *target, const char **why)
{
    char **parts;

    if (remote_is_address(target)) {
        add(words, target);
        return true;
    }
    parts = words_split(&words->arena, target, why);
    if (!parts)
        return false;
    add(words, "--");
    for (; *parts; parts++)
        add(words, *parts);
    return true;
}

static bool collect(struct console_words *words, int count, char **arguments, const char **why)
{
    bool split = false;

    for (int i = 0; i < count; i++)
        split |= strcmp(arguments[i], "--") == 0;
    if (!has(count, arguments, "--admin")) {
        add(words, "--admin");
        add(words, "127.0.0.1:0");
    }
    add(words, "--console");
    add(words, "--audit-arguments");
    for (int i = 0; i < count - !split; i++)
        add(words, arguments[i]);
    if (!split && !add_target(words, arguments[count - 1], why))
        return false;
    *why = words->failed ? "there are too many words" : NULL;
    return !words->failed;
}

static enum ending console_run(const struct console *console, int count, char **arguments)
{
    static struct console_words words;
    struct guard_call           call   = { .console = console, .program = "console" };
    enum ending                 ending = ENDING_UNUSABLE;
    const char                 *why    = NULL;

    if (count == 0 || strcmp(arguments[0], "-h") == 0 || strcmp(arguments[0], "--help") == 0) {
        fputs(help, count == 0 ? console->err : console->out);
        return count == 0 ? ENDING_UNUSABLE : ENDING_GOOD;
    }
    tn_arena_init(&words.arena, NULL, 0);
    if (!collect(&words, count, arguments, &why)) {
        console_error(console, "%s; see tenon console --help", why ? why : "out of memory");
    } else if (guard_call_read(&call, words.count, words.at, &ending)) {
        call.settings->admin_only = true;
        ending                    = (enum ending)guard_serve(&call);
    }
    guard_call_free(&call);
    tn_arena_free(&words.arena);
    return ending;
}

const struct command command_console = { "console", "a page in the browser for any MCP server", console_run };
