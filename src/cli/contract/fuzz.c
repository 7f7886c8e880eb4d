/* fuzz.c - `tenon fuzz`: calls the tools of a server wrongly in every way, and looks at the answers. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "cli/contract/fuzz_choice.h"
#include "cli/contract/fuzz_plan.h"
#include "cli/contract/fuzz_server.h"
#include "cli/contract/report.h"
#include "contract/fuzz/report.h"
#include "json/echo.h"

#define TIME_S        30
#define TIME_S_MAX    86400
#define TIMEOUT_MS    5000
#define SUMMARY_MAX   ((size_t)1000)
#define LEFT_SHOWN    ((size_t)10)
#define TABLE_MAX     ((size_t)4 << 20)
#define GUARD_WORDS   ((size_t)10) /* those before the server's own */

enum {
    FUZZ_ALL = REPORT_STRICT + 1, /* another than that of reports: all tools */
    FUZZ_TRUST,
    FUZZ_READ_ONLY,
    FUZZ_TOOL,
    FUZZ_SEED,
    FUZZ_TIME,
    FUZZ_GUARDED,
    FUZZ_DRY_RUN,
    FUZZ_OPTIONS
};

/* clang-format off */
static const struct option table[] = {
    TARGET_TABLE,
    [FUZZ_ALL]       = { "all", '\0', NULL, "call every tool, also those that may change something" },
    [FUZZ_TRUST]     = { "trust-hints", '\0', NULL, "call tools that the server itself says are read-only" },
    [FUZZ_READ_ONLY] = { "read-only", '\0', "NAME", "this tool changes nothing: call it; * and ? stand for others; may be repeated" },
    [FUZZ_TOOL]      = { "tool", '\0', "NAME", "only this tool; * and ? stand for others; may be repeated" },
    [FUZZ_SEED]      = { "seed", '\0', "NUMBER", "which calls are made by chance; 1 by default" },
    [FUZZ_TIME]      = { "time", '\0', "TIME", "for all calls, such as 90s or 5m; 30s by default" },
    [FUZZ_GUARDED]   = { "guarded", '\0', NULL, "then the same through tenon guard, to compare" },
    [REPORT_STRICT]  = { "strict", '\0', NULL, "end with 1 for vague answers and errors of the protocol, too" },
    [FUZZ_DRY_RUN]   = { "dry-run", '\0', NULL, "print the calls, a line of JSON each, and make none" },
};
/* clang-format on */

struct fuzz {
    struct targets         targets;
    struct fuzz_choice     choice;
    struct tn_fuzz_options options;
    size_t                 room; /* of texts of options: those of --tool stand at the end of it */
    bool                   guarded, dry_run;
};

static void print_help(FILE *to)
{
    fputs("Usage: tenon fuzz [OPTION]... TARGET\n"
          "       tenon fuzz [OPTION]... -- COMMAND [ARGUMENT]...\n"
          "       tenon fuzz [OPTION]... --config FILE NAME\n\n"
          "Calls the tools of an MCP server as models do when they are wrong, by the schemas of its tools, "
          "and\n"
          "looks at every answer: does it name the parameter and the reason? Only tools that are known to\n"
          "change nothing are called, unless --all is given. Run it where nothing can be damaged.\n\n"
          "  named           refused: the answer names the parameter and the reason\n"
          "  vague           refused: it does not\n"
          "  protocol error  refused by an error of the protocol, which clients rarely show to a model\n"
          "  accepted        a call that the schema refuses succeeded\n"
          "  wrong result    the result is not what the tool promises\n"
          "  hang, crash     there was no answer; the server ended\n"
          "  leak            the server's memory grows with each call\n\n",
          to);
    options_help(to, table, FUZZ_OPTIONS);
    fputs("\nEnds with 0, with 1 when something was found, and with 2 when the call is wrong, the server\n"
          "cannot be used, or no tool may be called.\n",
          to);
}

static bool read_seed(struct fuzz *fuzz, const char *value)
{
    char              *end;
    unsigned long long seed = strtoull(value, &end, 10);

    if (*value < '0' || *value > '9' || *end)
        return remote_wrong(&fuzz->targets.remote, "--seed must be a number");
    fuzz->options.seed = seed;
    return true;
}

static bool read_time(struct fuzz *fuzz, const char *value)
{
    char *end;
    long  time = strtol(value, &end, 10);

    if (*value < '0' || *value > '9' || (*end && strcmp(end, "s") != 0 && strcmp(end, "m") != 0) ||
        time > TIME_S_MAX || time < 1)
        return remote_wrong(&fuzz->targets.remote,
                            "--time must be a time from 1s to 86400s, such as 90s or 5m");
    fuzz->options.time_ms = (int64_t)time * (*end == 'm' ? 60000 : 1000);
    return true;
}

static bool fuzz_option(void *user, int row, const char *value)
{
    struct fuzz *fuzz = user;

    switch (row) {
    case FUZZ_ALL: fuzz->choice.all = true; return true;
    case FUZZ_TRUST: fuzz->choice.trust_hints = true; return true;
    case FUZZ_READ_ONLY: fuzz->targets.remote.own[fuzz->choice.read_only_count++] = value; return true;
    case FUZZ_TOOL: fuzz->targets.remote.own[fuzz->room - ++fuzz->choice.only_count] = value; return true;
    case FUZZ_SEED: return read_seed(fuzz, value);
    case FUZZ_TIME: return read_time(fuzz, value);
    case FUZZ_GUARDED: fuzz->guarded = true; return true;
    case FUZZ_DRY_RUN: fuzz->dry_run = true; return true;
    default: return targets_option(&fuzz->targets, row, value);
    }
}

/* ---- The server -------------------------------------------------------------------------------------------------------- */

/* The environment that a configuration has for it. */
static const char *const *environment_of(struct fuzz *fuzz)
{
    return fuzz->targets.remote.environment;
}

/* `tenon guard` before the command, with the variables that the server has without it, or before the address. */
static const char **guard_words(struct fuzz *fuzz, const struct target *target, const char *program)
{
    struct remote *remote = &fuzz->targets.remote;
    size_t         count = 0, own = 0;
    const char   **words;

    while (target->words && target->words[own])
        own++;
    words = tn_arena_array(&remote->arena, GUARD_WORDS + own, const char *);
    if (!words)
        return NULL;
    words[count++] = program;
    words[count++] = "guard";
    words[count++] = "--results";
    words[count++] = "check";
    if (target->words) {
        words[count++] = "--env-from";
        words[count++] = "*";
        words[count++] = "--";
    }
    for (size_t i = 0; i < own; i++)
        words[count++] = target->words[i];
    if (target->url && remote->token_file) {
        words[count++] = "--token-file";
        words[count++] = remote->token_file;
    }
    if (target->url)
        words[count++] = target->url;
    return words;
}

/* How the lines that repeat a finding reach the server, through the guard or without it. */
static struct tn_repeat repeat_of(struct fuzz *fuzz, const struct target *target, bool guarded)
{
    const struct remote *remote = &fuzz->targets.remote;

    return (struct tn_repeat){ .words      = guarded ? (const char *const *)guard_words(fuzz, target, "tenon")
                                                     : target->words,
                               .url        = guarded || target->words ? NULL : target->url,
                               .era        = !remote->revision                               ? NULL
                                             : strcmp(remote->revision, MODERN_VERSION) == 0 ? "modern"
                                                                                             : "legacy",
                               .token_file = guarded ? NULL : remote->token_file,
                               .timeout_s  = (fuzz->options.timeout_ms + 999) / 1000 };
}

/* ---- A run ------------------------------------------------------------------------------------------------------------- */

static bool run_once(struct fuzz *fuzz, struct tn_fuzz *run, const struct fuzz_chosen *chosen,
                     const struct target *target, bool guarded)
{
    struct remote     *remote = &fuzz->targets.remote;
    tenon_allocator    memory = tn_memory_of(NULL);
    struct fuzz_server server;
    const char *const *words = target->words;
    char               self[4096];
    ssize_t            len = readlink("/proc/self/exe", self, sizeof self - 1);
    bool               reached;

    self[len > 0 ? len : 0] = '\0';
    if (guarded)
        words = guard_words(fuzz, target, self);
    if ((guarded && !words) || !fuzz_server_init(&server, remote, words, target->url))
        return false;
    server.environment = environment_of(fuzz);
    server.directory   = remote->directory;
    *run               = (struct tn_fuzz){ .options = fuzz->options,
                                           .server  = &server.way,
                                           .tools = tn_arena_array(&remote->arena, chosen->count + 1, struct tn_fuzz_tool),
                                           .tool_count = chosen->count,
                                           .repeat     = repeat_of(fuzz, target, guarded) };
    if (run->tools)
        memcpy(run->tools, chosen->tools, chosen->count * sizeof *run->tools);
    reached = run->tools && tn_fuzz_run(run, &memory);
    if (!reached)
        console_error(remote->console, "%s%s", guarded ? "through the guard: " : "", run->why);
    else if (run->stopped)
        console_warn(remote->console, "the run ended early: %s", run->why);
    if (run->failed)
        console_error(remote->console, "out of memory");
    reached &= !run->failed;
    tn_session_stop(&run->session);
    fuzz_server_free(&server);
    run->server = NULL;
    return reached;
}

/* ---- Showing ----------------------------------------------------------------------------------------------------------- */

static void say_left(const struct fuzz *fuzz, const struct fuzz_chosen *chosen)
{
    const struct console *console = fuzz->targets.remote.console;
    struct tn_buf         names;
    struct tn_arena      *arena = (struct tn_arena *)(uintptr_t)&fuzz->targets.remote.arena;

    if (chosen->left_count == 0)
        return;
    tn_buf_init(&names, arena, 256, SUMMARY_MAX);
    for (size_t i = 0; i < chosen->left_count && i < LEFT_SHOWN; i++) {
        tn_buf_text(&names, i > 0 ? ", " : "");
        tn_echo_text(&names, chosen->left[i].at, chosen->left[i].len);
    }
    if (chosen->left_count > LEFT_SHOWN)
        tn_buf_addf(&names, " and %zu more", chosen->left_count - LEFT_SHOWN);
    console_warn(
        console,
        "left out, because %s not known to be read-only: %s (see --read-only, --trust-hints and --all)",
        chosen->left_count == 1 ? "it is" : "they are", tn_buf_end(&names) ? names.at : "");
}

/* "3 tools, 512 calls, seed 1: 2 errors, 1 warning" */
static struct tn_slice summary(struct fuzz *fuzz, const struct tn_fuzz *run,
                               const struct tn_findings *findings, const struct tn_fuzz *before)
{
    size_t        calls = run->protocol.calls;
    struct tn_buf out;

    for (size_t i = 0; i < run->tool_count; i++)
        calls += run->tools[i].score.calls;
    tn_buf_init(&out, &fuzz->targets.remote.arena, 128, SUMMARY_MAX);
    tn_buf_addf(&out, "%zu %s, %zu calls, seed %llu", run->tool_count,
                run->tool_count == 1 ? "tool" : "tools", calls, (unsigned long long)run->options.seed);
    if (run->left > 0)
        tn_buf_addf(&out, " (%zu more or so need a longer --time)", run->left);
    tn_buf_addf(&out, ": %zu %s, %zu %s", findings->counts[LEVEL_ERROR],
                findings->counts[LEVEL_ERROR] == 1 ? "error" : "errors", findings->counts[LEVEL_WARNING],
                findings->counts[LEVEL_WARNING] == 1 ? "warning" : "warnings");
    if (before)
        tn_buf_addf(&out, " through the guard; %zu findings without it", before->found_count);
    return tn_buf_slice(&out);
}

static void say_tools_left(const struct fuzz *fuzz, const struct tn_fuzz *run)
{
    for (size_t i = 0; i < run->tool_count; i++)
        if (run->tools[i].left)
            console_warn(fuzz->targets.remote.console, "%.*s: %s", (int)run->tools[i].name.len,
                         run->tools[i].name.at, run->tools[i].left);
}

static enum ending show(struct fuzz *fuzz, const struct target *target, const struct tn_fuzz *first,
                        const struct tn_fuzz *guarded)
{
    const struct tn_fuzz *run = guarded ? guarded : first;
    struct tn_findings    findings;
    struct tn_buf         marks, text;

    tn_fuzz_findings(&findings, &fuzz->targets.remote.arena, run);
    findings.target = target->name;
    findings.fails  = fuzz->targets.strict ? LEVEL_WARNING : LEVEL_ERROR;
    tn_buf_init(&marks, findings.arena, 1024, TABLE_MAX);
    tn_fuzz_marks(&marks, first, guarded);
    findings.more      = tn_buf_slice(&marks);
    findings.more_name = "tools";
    findings.summary   = summary(fuzz, run, &findings, guarded ? first : NULL);
    say_tools_left(fuzz, run);
    if (fuzz->targets.format == FINDINGS_TEXT) {
        tn_buf_init(&text, findings.arena, 1024, TABLE_MAX);
        tn_fuzz_table(&text, first, guarded);
        fwrite(text.at ? text.at : "", 1, text.len, fuzz->targets.remote.console->out);
        fputc('\n', fuzz->targets.remote.console->out);
    }
    if (!report_print(&fuzz->targets, &findings))
        return ENDING_UNUSABLE;
    return tn_findings_fail(&findings) ? ENDING_BAD : ENDING_GOOD;
}

/* ---- The command --------------------------------------------------------------------------------------------------------- */

static enum ending run_all(struct fuzz *fuzz, const struct target *target, const struct fuzz_chosen *chosen)
{
    struct tn_fuzz first = { .tool_count = 0 }, guarded = { .tool_count = 0 };
    enum ending    ending = ENDING_UNUSABLE;
    bool           ran    = run_once(fuzz, &first, chosen, target, false);

    if (ran && fuzz->guarded)
        ran = run_once(fuzz, &guarded, chosen, target, true);
    if (ran)
        ending = show(fuzz, target, &first, fuzz->guarded ? &guarded : NULL);
    if (first.server != NULL || first.tools)
        tn_fuzz_free(&first);
    if (guarded.tools)
        tn_fuzz_free(&guarded);
    return ending;
}

/* What the server offers to the client that will call it. */
static bool list_tools(struct fuzz *fuzz, struct target *target)
{
    struct remote              *remote = &fuzz->targets.remote;
    const struct tn_lock_entry *entry  = target_entry(target, &fuzz->targets.lock);
    struct fuzz_server          server;

    if (!target->words && !target->url)
        return remote_wrong(remote, "the lock has neither a command nor an address of it");
    if (!target_prepare(&fuzz->targets, target) ||
        !fuzz_server_init(&server, remote, target->words, target->url))
        return false;
    server.environment = environment_of(fuzz);
    server.directory   = remote->directory;
    target->reached    = fuzz_server_list(&server, &target->offer, entry ? &entry->unpinned : NULL);
    fuzz_server_free(&server);
    return target->reached;
}

static enum ending fuzz_target(void *user)
{
    struct fuzz       *fuzz    = user;
    struct targets    *targets = &fuzz->targets;
    struct fuzz_chosen chosen;
    struct target     *target;

    fuzz->choice.read_only   = targets->remote.own;
    fuzz->choice.only        = targets->remote.own + fuzz->room - fuzz->choice.only_count;
    fuzz->options.timeout_ms = targets->remote.timed ? targets->remote.timeout_ms : TIMEOUT_MS;
    if (!targets_find(targets))
        return ENDING_UNUSABLE;
    if (targets->count != 1) {
        remote_wrong(&targets->remote, "one server at a time; name it");
        return ENDING_UNUSABLE;
    }
    target = &targets->at[0];
    if (target->file && !fuzz->dry_run) {
        remote_wrong(&targets->remote, "a saved list cannot be called; --dry-run prints the calls");
        return ENDING_UNUSABLE;
    }
    if ((!target->reached && !list_tools(fuzz, target)) || !target_ask(targets, target))
        return ENDING_UNUSABLE;
    if (targets->remote.raw)
        targets->format = FINDINGS_JSON;
    if (!fuzz_choose(&chosen, targets, target, &fuzz->choice)) {
        console_error(targets->remote.console, "out of memory");
        return ENDING_UNUSABLE;
    }
    say_left(fuzz, &chosen);
    if (chosen.count == 0) {
        console_error(targets->remote.console, "no tool may be called");
        return ENDING_UNUSABLE;
    }
    if (fuzz->dry_run)
        return fuzz_plan_print(targets->remote.console, &chosen, fuzz->options.seed) ? ENDING_GOOD
                                                                                     : ENDING_UNUSABLE;
    return run_all(fuzz, target, &chosen);
}

static enum ending fuzz_run(const struct console *console, int count, char **arguments)
{
    struct fuzz fuzz = { .targets.remote = { .console = console,
                                             .command = "fuzz",
                                             .help    = print_help,
                                             .option  = fuzz_option,
                                             .user    = &fuzz },
                         .options        = { .seed = 1, .time_ms = TIME_S * 1000 },
                         .room           = (size_t)count + 1 };

    return targets_run(&fuzz.targets, table, FUZZ_OPTIONS, count, arguments, fuzz_target);
}

const struct command command_fuzz = { "fuzz", "call an MCP server's tools wrongly, and look at the answers",
                                      fuzz_run };
