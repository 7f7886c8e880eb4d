/* servers.c - `tenon servers`: the servers that clients on this machine are set up with, which are targets by name. */
#include <string.h>

#include "base/memory.h"
#include "cli/client/known.h"
#include "cli/command.h"
#include "cli/options.h"

#define ARENA_MAX   ((size_t)64 << 20)
#define COLUMN_MAX  24
#define NAME_COLUMN 20

enum { OPTION_HELP, OPTIONS };

static const struct option table[] = { [OPTION_HELP] = { "help", 'h', NULL, "print this" } };

static void print_help(FILE *to)
{
    fputs("Usage: tenon servers\n\n"
          "Lists the servers that clients are set up with: those of this folder (.mcp.json,\n"
          ".cursor/mcp.json, .vscode/mcp.json), then the person's own (Claude Code, Cursor, VS Code,\n"
          "Claude Desktop). Each name is a TARGET of tenon tools, call, inspect, shell and others; a\n"
          "guarded one is reached through its guard.\n\n",
          to);
    options_help(to, table, OPTIONS);
}

/* How many of the words begin a guard: "tenon guard --"; 0 when it is not one, or has options, which are shown. */
static size_t guard_words(const char *const *words)
{
    const char *slash = words && words[0] ? strrchr(words[0], '/') : NULL;

    return words && words[0] && strcmp(slash ? slash + 1 : words[0], "tenon") == 0 && words[1] &&
                   strcmp(words[1], "guard") == 0 && words[2] && strcmp(words[2], "--") == 0
               ? 3
               : 0;
}

static void print_way(FILE *to, const struct tn_upstream *upstream)
{
    size_t guard = guard_words(upstream->words);

    if (guard > 0)
        fputs("guarded: ", to);
    if (upstream->url)
        console_text(to, (struct tn_slice){ upstream->url, strcspn(upstream->url, "?") });
    for (size_t i = guard; upstream->words && upstream->words[i]; i++) {
        fputs(i > guard ? " " : "", to);
        console_text(to, tn_slice_of(upstream->words[i]));
    }
    fputc('\n', to);
}

/* How many servers it has. */
static size_t print_file(const struct console *console, const struct known_file *file)
{
    struct tn_config *config = known_read(file);
    size_t            count  = config ? config->upstream_count : 0;

    if (count > 0) {
        console_text(console->out, tn_slice_of(file->path));
        fprintf(console->out, " (%s)\n", file->client);
    }
    for (size_t i = 0; i < count; i++) {
        fputs("  ", console->out);
        console_text(console->out, tn_slice_of(config->upstreams[i].name));
        fprintf(console->out, "%*s",
                (int)(strlen(config->upstreams[i].name) < NAME_COLUMN
                          ? NAME_COLUMN - strlen(config->upstreams[i].name)
                          : 1),
                "");
        print_way(console->out, &config->upstreams[i]);
    }
    for (size_t i = 0; config && i < config->mistakes.count; i++)
        console_warn(console, "%s:%zu:%zu: %s", file->path, config->mistakes.at[i].at.line,
                     config->mistakes.at[i].at.column, config->mistakes.at[i].text);
    tn_config_free(config);
    return count;
}

static enum ending servers_run(const struct console *console, int count, char **arguments)
{
    struct options options = {
        .table = table, .table_count = OPTIONS, .arguments = arguments, .count = count
    };
    tenon_allocator   memory = tn_memory_of(NULL);
    struct known_file files[KNOWN_FILES_MAX];
    struct tn_arena   arena;
    size_t            file_count, found = 0;
    int               row = options_next(&options);

    if (row == OPTION_HELP) {
        print_help(console->out);
        return ENDING_GOOD;
    }
    if (row != OPTION_END) {
        console_error(console, "%s; see tenon servers --help",
                      row == OPTION_WRONG ? options.why : "servers takes no operands");
        return ENDING_UNUSABLE;
    }
    tn_arena_init(&arena, &memory, ARENA_MAX);
    file_count = known_files(&arena, files);
    for (size_t i = 0; i < file_count; i++)
        found += print_file(console, &files[i]);
    tn_arena_free(&arena);
    if (found == 0)
        console_warn(console, "no client is set up with a server; tenon help install shows how");
    return ENDING_GOOD;
}

const struct command command_servers = { "servers", "the servers of clients' files, by name", servers_run };
