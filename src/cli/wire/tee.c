/* tee.c - `tenon tee FILE -- COMMAND`: a client and a server as without it, and a file of what they say. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/wire/recording.h"
#include "cli/wire/relay.h"

enum { OPTION_HELP, OPTIONS };

static const struct option table[] = { [OPTION_HELP] = { "help", 'h', NULL, "print this" } };

static void print_help(FILE *to)
{
    fputs("Usage: tenon tee FILE -- COMMAND [ARGUMENT]...\n\n"
          "Runs an MCP server over stdio as COMMAND alone would, and adds each message of both sides to\n"
          "FILE, a JSON object a line. Put it before a server's command in a client to see what they say.\n"
          "tenon replay FILE -- COMMAND sends the same messages again. FILE may hold secrets: it is\n"
          "made for this user alone (mode 0600).\n\n",
          to);
    options_help(to, table, OPTIONS);
    fputs("\nEnds with 0 when the client is gone, with 2 when the command or FILE cannot be used.\n", to);
}

struct tee {
    struct relay relay;
    const char  *path;
    int          file;
    int64_t      began_ms;
    bool         failed; /* the file is not written any more, which was reported */
};

static void tee_write(struct tee *tee, struct tn_slice line)
{
    size_t done = 0;

    while (!tee->failed && done < line.len) {
        ssize_t put = write(tee->file, line.at + done, line.len - done);

        if (put > 0)
            done += (size_t)put;
        else if (put == 0 || errno != EINTR) {
            console_error(tee->relay.console, "%s: %s; the rest is not recorded", tee->path,
                          put == 0 ? "nothing more is written" : strerror(errno));
            tee->failed = true;
        }
    }
}

static int64_t now_ms(void)
{
    struct tn_clock clock = tn_clock_system();

    return clock.now_ms(clock.user);
}

static bool take_line(void *user, enum relay_side from, struct tn_slice line)
{
    struct tee     *tee    = user;
    tenon_allocator memory = tn_memory_of(NULL);
    struct tn_arena arena;

    tn_arena_init(&arena, &memory, RELAY_LINE_MAX * 8);
    tee_write(tee, recording_line(&arena, from, now_ms() - tee->began_ms, line));
    tn_arena_free(&arena);
    return true;
}

static bool begin_file(struct tee *tee)
{
    tenon_allocator memory = tn_memory_of(NULL);
    struct tn_arena arena;

    tee->file = open(tee->path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (tee->file < 0) {
        console_error(tee->relay.console, "cannot write %s: %s", tee->path, strerror(errno));
        return false;
    }
    tee->began_ms = now_ms();
    tn_arena_init(&arena, &memory, RELAY_LINE_MAX);
    tee_write(tee, recording_head(&arena, tee->relay.words));
    tn_arena_free(&arena);
    return !tee->failed;
}

static enum ending tee_start(struct tee *tee)
{
    enum ending ending = ENDING_UNUSABLE;

    if (!begin_file(tee))
        return ending;
    if (relay_open(&tee->relay)) {
        ending = relay_run(&tee->relay) && !tee->failed ? ENDING_GOOD : ENDING_UNUSABLE;
        relay_close(&tee->relay);
    }
    close(tee->file);
    return ending;
}

static enum ending tee_run(const struct console *console, int count, char **arguments)
{
    struct options options = {
        .table = table, .table_count = OPTIONS, .arguments = arguments, .count = count
    };
    struct tee tee = { .relay = { .console = console, .line = take_line } };
    int        row = options_next(&options);

    if (row == OPTION_HELP) {
        print_help(console->out);
        return ENDING_GOOD;
    }
    tee.relay.user = &tee;
    tee.path       = row == OPTION_OPERAND && !options.ended ? options.value : NULL;
    if (tee.path && options.next + 1 < count && strcmp(arguments[options.next], "--") == 0) {
        tee.relay.words = arguments + options.next + 1;
        return tee_start(&tee);
    }
    console_error(console, "%s; see tenon tee --help",
                  row == OPTION_WRONG ? options.why : "a FILE is needed, and a command after --");
    return ENDING_UNUSABLE;
}

const struct command command_tee = { "tee", "run a server, and record what it and its client say", tee_run };
