/* replay.c - `tenon replay FILE -- COMMAND`: the messages of a client, sent again, and the answers beside the recorded ones.
 *
 * A message of the client goes out once every answer that stood before it in the recording has come, so that what depends on
 * what keeps its order. Ids are the client's own and stay; those of the server's questions are matched in their order.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli/command.h"
#include "cli/file.h"
#include "cli/options.h"
#include "cli/value.h"
#include "cli/wire/conversation.h"
#include "cli/wire/differ.h"
#include "cli/wire/recording.h"

#define ARENA_MAX   ((size_t)2 << 30)
#define SECONDS_MAX 86400

enum { OPTION_IGNORE, OPTION_TIMEOUT, OPTION_HELP, OPTIONS };

static const struct option table[] = {
    [OPTION_IGNORE]  = { "ignore", '\0', "NAME",
                         "members of that name may differ, such as timestamps; repeatable" },
    [OPTION_TIMEOUT] = { "timeout", '\0', "SECONDS", "for each answer; 60 by default" },
    [OPTION_HELP]    = { "help", 'h', NULL, "print this" },
};

static void print_help(FILE *to)
{
    fputs("Usage: tenon replay [OPTION]... FILE -- COMMAND [ARGUMENT]...\n\n"
          "Sends the messages of a client that tenon tee recorded in FILE to an MCP server, in their order, "
          "and\n"
          "compares its answers with the recorded ones. The last recording of a file is played.\n\n",
          to);
    options_help(to, table, OPTIONS);
    fputs(
        "\nEnds with 0 when all answers are the same, with 1 when one differs, with 2 when the recording or\n"
        "the command cannot be used, or an answer does not come.\n",
        to);
}

struct replay {
    const struct console *console;
    struct tn_arena       arena;
    struct recording      recording;
    struct conversation   talk;
    struct differ         differ;
    size_t                answers, differing;
};

static const char *method_of(const struct replay *replay, size_t before, yyjson_val *id)
{
    while (before-- > 0) {
        const struct recorded *one = &replay->recording.at[before];

        if (one->from == FROM_CLIENT && yyjson_obj_get(one->message, "method") &&
            yyjson_equals(yyjson_obj_get(one->message, "id"), id))
            return yyjson_get_str(yyjson_obj_get(one->message, "method"));
    }
    return NULL;
}

static void report(struct replay *replay, const struct recorded *one, const char *method, const char *what)
{
    char place[64];

    replay->differing++;
    snprintf(place, sizeof place, "line %zu", one->line);
    fprintf(replay->console->out, "%s, %s: ", place, method ? method : "an answer");
    console_text(replay->console->out, tn_slice_of(what));
    fputc('\n', replay->console->out);
}

/* The answer that the recording has, and the one that comes now. False when none comes. */
static bool play_answer(struct replay *replay, size_t nth)
{
    const struct recorded *one    = &replay->recording.at[nth];
    yyjson_val            *id     = yyjson_obj_get(one->message, "id");
    const char            *method = method_of(replay, nth, id);
    yyjson_val            *now    = conversation_wait(&replay->talk, id);
    const char            *what;

    if (!now) {
        console_error(replay->console, "line %zu: %s has no answer: %s", one->line,
                      method ? method : "a request", replay->talk.why);
        return false;
    }
    replay->answers++;
    what = differ_find(&replay->differ, one->message, now);
    if (what)
        report(replay, one, method, what);
    return true;
}

/* A question of the server: the next that comes now stands for it, and its id is the one that is answered. */
static bool play_question(struct replay *replay, const struct recorded *one)
{
    const char *method = yyjson_get_str(yyjson_obj_get(one->message, "method"));
    yyjson_val *now    = conversation_wait(&replay->talk, NULL);

    if (!now) {
        console_error(replay->console, "line %zu: the server does not ask %s: %s", one->line, method,
                      replay->talk.why);
        return false;
    }
    if (!yyjson_equals_str(yyjson_obj_get(now, "method"), method))
        report(replay, one, method, "the server asks something else");
    conversation_match(&replay->talk, yyjson_obj_get(one->message, "id"), yyjson_obj_get(now, "id"));
    return true;
}

static bool play(struct replay *replay)
{
    for (size_t i = 0; i < replay->recording.count; i++) {
        const struct recorded *one       = &replay->recording.at[i];
        bool                   has_id    = yyjson_obj_get(one->message, "id") != NULL;
        bool                   is_called = yyjson_obj_get(one->message, "method") != NULL;

        if (one->from == FROM_CLIENT) {
            if (!conversation_send(&replay->talk, one->message)) {
                console_error(replay->console, "line %zu: %s", one->line, replay->talk.why);
                return false;
            }
        } else if (has_id && !(is_called ? play_question(replay, one) : play_answer(replay, i)))
            return false;
    }
    return true;
}

static enum ending replay_start(struct replay *replay, const char *path, char *const *words)
{
    struct file file = file_read(&replay->arena, path);
    char        why[200];
    bool        played;

    if (file.why || !recording_read(&replay->arena, file.text, &replay->recording, why)) {
        console_error(replay->console, "%s: %s", path, file.why ? file.why : why);
        return ENDING_UNUSABLE;
    }
    if (!conversation_open(&replay->talk, &replay->arena, words)) {
        console_error(replay->console, "%s", replay->talk.why);
        return ENDING_UNUSABLE;
    }
    played = play(replay);
    conversation_close(&replay->talk);
    if (!played)
        return ENDING_UNUSABLE;
    fprintf(replay->console->out, "%zu answers, %zu differ\n", replay->answers, replay->differing);
    return replay->differing > 0 ? ENDING_BAD : ENDING_GOOD;
}

/* The options, FILE, and where the command begins; NULL when the call is wrong, or was answered. */
static char *const *read_call(struct replay *replay, struct options *options, const char **path, bool *told)
{
    const struct console *console = replay->console;
    const char           *wrong   = NULL;
    int                   row;

    while (!wrong && (row = options_next(options)) != OPTION_END) {
        char *end;

        if (row == OPTION_HELP) {
            print_help(console->out);
            *told = true;
            return NULL;
        }
        if (row == OPTION_WRONG)
            wrong = options->why;
        else if (row == OPTION_TIMEOUT) {
            long seconds = strtol(options->value, &end, 10);

            replay->talk.timeout_ms = (int)(seconds < SECONDS_MAX ? seconds : SECONDS_MAX) * 1000;
            wrong                   = *end || seconds < 1 ? "--timeout must be a number of seconds" : NULL;
        } else if (row == OPTION_IGNORE) {
            if (replay->differ.ignored_count == DIFFER_IGNORED_MAX)
                wrong = "too many names to ignore";
            else
                replay->differ.ignored[replay->differ.ignored_count++] = options->value;
        } else if (options->ended && *path)
            return options->arguments + options->next - 1;
        else if (options->ended || *path)
            break;
        else
            *path = options->value;
    }
    console_error(console, "%s; see tenon replay --help",
                  wrong ? wrong : "a FILE is needed, and a command after --");
    return NULL;
}

static enum ending replay_run(const struct console *console, int count, char **arguments)
{
    struct options options = {
        .table = table, .table_count = OPTIONS, .arguments = arguments, .count = count
    };
    struct replay   replay = { .console = console, .talk.timeout_ms = 60000 };
    tenon_allocator memory = tn_memory_of(NULL);
    enum ending     ending = ENDING_UNUSABLE;
    const char     *path   = NULL;
    bool            told   = false;
    char *const    *words;

    tn_arena_init(&replay.arena, &memory, ARENA_MAX);
    replay.differ.arena = &replay.arena;
    words               = read_call(&replay, &options, &path, &told);
    if (words)
        ending = replay_start(&replay, path, words);
    tn_arena_free(&replay.arena);
    return told ? ENDING_GOOD : ending;
}

const struct command command_replay = { "replay", "send what was recorded again, and compare the answers",
                                        replay_run };
