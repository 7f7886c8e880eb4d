/* watch.c - `tenon watch -- COMMAND`: a server that is started again when its program changes, under a client that stays.
 *
 * What the client began with is sent again to the fresh server, requests that were open are answered with an error, and the
 * client learns that the lists have changed. Everything else passes as it came.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/wire/open.h"
#include "cli/wire/relay.h"
#include "cli/wire/watched.h"
#include "cli/words.h"
#include "json/write.h"

#define TICK_MS   250
#define LEAVE_MS  2000 /* for the server, once its client is gone */
#define GREET_MAX 40 /* ticks in which a fresh server answers initialize */
#define ARENA_MAX ((size_t)16 << 20)
#define PATH_LEN  ((size_t)4096)
#define LINE_LEN  ((size_t)8192)

enum { OPTION_PATH, OPTION_HELP, OPTIONS };

static const struct option table[] = {
    [OPTION_PATH] = { "path", '\0', "FILE", "watch this file too; repeatable" },
    [OPTION_HELP] = { "help", 'h', NULL, "print this" },
};

static void print_help(FILE *to)
{
    fputs("Usage: tenon watch [OPTION]... -- COMMAND [ARGUMENT]...\n"
          "       tenon watch [OPTION]... TARGET\n\n"
          "Runs an MCP server over stdio, and starts it again when its program changes, or a file among its\n"
          "arguments: the client stays connected, and is informed that the lists have changed. Put it before "
          "the\n"
          "command in a client while you write a server. TARGET is a command line in one word.\n\n",
          to);
    options_help(to, table, OPTIONS);
    fputs("\nEnds with 0 when the client is gone, with 2 when the command cannot be run.\n", to);
}

struct watch {
    struct relay         relay;
    struct tn_arena      arena;
    struct watched       watched;
    struct open_requests open;
    bool                 greets;  /* `initialize` was sent again, and its answer is kept back */
    int                  greeted; /* ticks since then */
    bool                 down;    /* the program has ended by itself, which was reported */
};

/* ---- To the client ---------------------------------------------------------------------------------------------- */

static void to_client(struct watch *watch, const char *format, const char *id, const char *why)
{
    tenon_allocator memory = tn_memory_of(NULL);
    struct tn_arena arena;
    struct tn_buf   text, line;

    tn_arena_init(&arena, &memory, LINE_LEN * 2);
    tn_buf_init(&text, &arena, 0, LINE_LEN / 2);
    tn_json_escaped(&text, why, strlen(why));
    tn_buf_init(&line, &arena, 0, LINE_LEN);
    tn_buf_addf(&line, format, id, text.failed ? "" : tn_buf_end(&text));
    if (!line.failed)
        relay_send(&watch->relay, FROM_SERVER, tn_buf_slice(&line));
    tn_arena_free(&arena);
}

#define ERROR_LINE "{\"jsonrpc\":\"2.0\",\"id\":%s,\"error\":{\"code\":-32603,\"message\":\"%s\"}}"

/* What was asked of the program that is gone has no answer; streams of news are asked for again. */
static void answer_open(struct watch *watch, const char *why)
{
    for (size_t i = 0; i < watch->open.count; i++)
        if (!watch->open.at[i].again.at)
            to_client(watch, ERROR_LINE, watch->open.at[i].id, why);
    open_forget(&watch->open);
}

static const char *const lists[] = { "tools", "prompts", "resources" };

/* A legacy client gets it at once, a modern one on each of its streams. */
static void tell_changes(struct watch *watch)
{
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        if (watch->open.initialized.at)
            to_client(watch, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/%s/list_changed\"%s}", lists[i],
                      "");
        for (size_t k = 0; k < watch->open.count; k++) {
            char line[LINE_LEN / 4];

            if (!watch->open.at[k].listens)
                continue;
            snprintf(
                line, sizeof line,
                "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/%s/list_changed\",\"params\":{\"_meta\":"
                "{\"io.modelcontextprotocol/subscriptionId\":%s}}}",
                lists[i], watch->open.at[k].id);
            relay_send(&watch->relay, FROM_SERVER, tn_slice_of(line));
        }
    }
}

/* ---- To the server ---------------------------------------------------------------------------------------------- */

static struct tn_slice slice_of(struct open_line line)
{
    return (struct tn_slice){ line.at, line.len };
}

/* The fresh server knows the session: the client goes on. */
static void go_on(struct watch *watch)
{
    watch->greets = watch->relay.client_waits = false;
    if (watch->open.initialized.at)
        relay_send(&watch->relay, FROM_CLIENT, slice_of(watch->open.initialized));
    for (size_t i = 0; i < watch->open.count; i++)
        if (watch->open.at[i].again.at)
            relay_send(&watch->relay, FROM_CLIENT, slice_of(watch->open.at[i].again));
    tell_changes(watch);
}

static void greet(struct watch *watch)
{
    watch->greets             = watch->open.initialize.at && !open_has(&watch->open, watch->open.session);
    watch->greeted            = 0;
    watch->relay.client_waits = watch->greets;
    if (watch->greets)
        relay_send(&watch->relay, FROM_CLIENT, slice_of(watch->open.initialize));
    else
        go_on(watch);
}

static bool take_line(void *user, enum relay_side from, struct tn_slice line)
{
    struct watch *watch = user;
    char          id[OPEN_ID_LEN];

    if (from == FROM_SERVER) {
        if (!open_note_answer(&watch->open, line, id) || !watch->greets ||
            strcmp(id, watch->open.session) != 0)
            return true;
        go_on(watch);
        return false;
    }
    if (open_note_sent(&watch->open, line, id) && watch->down)
        answer_open(watch, "the server has ended; it is started again when its program changes");
    return !watch->down;
}

/* ---- Time ------------------------------------------------------------------------------------------------------- */

static void restart(struct watch *watch)
{
    char why[PATH_LEN + 100];

    snprintf(why, sizeof why,
             "the server was started again, because %s has changed; send the request once more",
             watch->watched.touched);
    console_warn(watch->relay.console, "%s has changed: the server is started again", watch->watched.touched);
    watch->watched.touched = NULL;
    answer_open(watch, why);
    watch->down = !relay_restart(&watch->relay);
    if (!watch->down)
        greet(watch);
}

static void tick(void *user)
{
    struct watch *watch = user;
    bool          ended = watch->relay.channels[FROM_SERVER].in < 0;

    if (watched_look(&watch->watched)) {
        restart(watch);
        return;
    }
    if (watch->greets && (ended || ++watch->greeted > GREET_MAX)) {
        console_warn(watch->relay.console, "the server did not answer initialize after its start");
        go_on(watch);
    }
    if (ended && !watch->down && watch->relay.channels[FROM_CLIENT].in >= 0) {
        watch->down = true;
        console_warn(watch->relay.console,
                     "the server has ended; it is started again when its program changes");
        answer_open(watch,
                    "the server ended without an answer; it is started again when its program changes");
    }
}

/* ---- The call --------------------------------------------------------------------------------------------------- */

/* Where the command is found, as a shell would find it; NULL when it is not. */
static const char *find_program(struct watch *watch, const char *name)
{
    struct tn_slice path = tn_slice_of(getenv("PATH")), folder;

    if (strchr(name, '/'))
        return name;
    while (tn_slice_split(&path, ':', &folder)) {
        struct tn_buf file;

        tn_buf_init(&file, &watch->arena, 0, PATH_LEN);
        tn_buf_addf(&file, "%.*s/%s", (int)folder.len, folder.at, name);
        if (tn_buf_end(&file) && access(file.at, X_OK) == 0)
            return file.at;
    }
    return NULL;
}

/* The program, and its arguments that are files: scripts, in most cases. */
static void watch_words(struct watch *watch)
{
    const char *program = find_program(watch, watch->relay.words[0]);
    struct stat about;

    if (program)
        watched_add(&watch->watched, program);
    for (size_t i = 1; watch->relay.words[i]; i++)
        if (stat(watch->relay.words[i], &about) == 0 && S_ISREG(about.st_mode))
            watched_add(&watch->watched, watch->relay.words[i]);
}

static enum ending watch_start(struct watch *watch)
{
    bool fine;

    watch_words(watch);
    if (!relay_open(&watch->relay))
        return ENDING_UNUSABLE;
    fine = relay_run(&watch->relay);
    relay_close(&watch->relay);
    open_free(&watch->open);
    return fine ? ENDING_GOOD : ENDING_UNUSABLE;
}

static bool watch_wrong(const struct console *console, const char *text)
{
    console_error(console, "%s; see tenon watch --help", text);
    return false;
}

/* The command, from the words after "--" or from one word. */
static bool watch_read(struct watch *watch, struct options *options, bool *told)
{
    const struct console *console = watch->relay.console;
    const char           *line    = NULL, *why;
    int                   row;

    while ((row = options_next(options)) != OPTION_END) {
        if (row == OPTION_WRONG)
            return watch_wrong(console, options->why);
        if (row == OPTION_HELP) {
            print_help(console->out);
            *told = true;
            return true;
        }
        if (row == OPTION_PATH) {
            if (!watched_add(&watch->watched, options->value))
                return watch_wrong(console, "too many files to watch");
            continue;
        }
        if (options->ended) {
            watch->relay.words = options->arguments + options->next - 1;
            return line ? watch_wrong(console, "one TARGET only; quote a command line, or put it after --")
                        : true;
        }
        if (line)
            return watch_wrong(console, "one TARGET only; quote a command line, or put it after --");
        line = options->value;
    }
    if (!line)
        return watch_wrong(console, "a command is needed after --");
    if (strncmp(line, "http://", 7) == 0 || strncmp(line, "https://", 8) == 0)
        return watch_wrong(console, "only a command can be started again, not an address");
    watch->relay.words = words_split(&watch->arena, line, &why);
    return watch->relay.words || watch_wrong(console, why);
}

static enum ending watch_run(const struct console *console, int count, char **arguments)
{
    static struct watch watch; /* too large for the stack */
    struct options      options = {
             .table = table, .table_count = OPTIONS, .arguments = arguments, .count = count
    };
    tenon_allocator memory = tn_memory_of(NULL);
    enum ending     ending = ENDING_UNUSABLE;
    bool            told   = false;

    watch            = (struct watch){ .relay = { .console     = console,
                                                  .line        = take_line,
                                                  .tick        = tick,
                                                  .patience_ms = LEAVE_MS,
                                                  .tick_ms     = TICK_MS } };
    watch.relay.user = &watch;
    tn_arena_init(&watch.arena, &memory, ARENA_MAX);
    if (watch_read(&watch, &options, &told))
        ending = told ? ENDING_GOOD : watch_start(&watch);
    tn_arena_free(&watch.arena);
    return ending;
}

const struct command command_watch = { "watch", "start a server again when its program changes", watch_run };
