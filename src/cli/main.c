/* main.c - the `tenon` program: finds the command and lets it run. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <signal.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/options.h"
#include "contract/lint/console_lint.h"
#include "net/console/console.h"

static enum ending print_help(FILE *to)
{
    fputs("Usage: tenon COMMAND [ARGUMENT]...\n\n", to);
    for (size_t i = 0; commands_all[i]; i++)
        if (commands_all[i]->summary)
            fprintf(to, "  %-12s %s\n", commands_all[i]->name, commands_all[i]->summary);
    fputs("\ntenon help COMMAND shows the options of a command; tenon --version prints the version.\n", to);
    return ENDING_GOOD;
}

static enum ending unknown_command(const struct console *console, const char *name)
{
    const char *names[COMMANDS_MAX], *near;
    size_t      count = 0;

    for (size_t i = 0; commands_all[i] && count + 1 < COMMANDS_MAX; i++)
        if (commands_all[i]->summary)
            names[count++] = commands_all[i]->name;
    names[count++] = "help";
    near           = options_nearest(name, strlen(name), names, count);
    console_error(console, "there is no %s %s%s%s%s; see tenon --help", name[0] == '-' ? "option" : "command",
                  name, near ? " (did you mean " : "", near ? near : "", near ? "?)" : "");
    return ENDING_UNUSABLE;
}

/* `tenon help COMMAND` is `tenon COMMAND --help`. */
static enum ending help_run(const struct console *console, int count, char **arguments)
{
    const struct command *command = count > 0 ? commands_find(arguments[0]) : NULL;
    char                  flag[] = "--help", *flags[] = { flag, NULL };

    if (command)
        return command->run(console, 1, flags);
    return count > 0 ? unknown_command(console, arguments[0]) : print_help(console->out);
}

static enum ending main_run(const struct console *console, int count, char **arguments)
{
    const char           *name    = count > 1 ? arguments[1] : NULL;
    const struct command *command = name ? commands_find(name) : NULL;

    if (!name) {
        print_help(console->err);
        return ENDING_UNUSABLE;
    }
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
        return print_help(console->out);
    if (strcmp(name, "--version") == 0) {
        fprintf(console->out, "tenon %s\n", tenon_version());
        return ENDING_GOOD;
    }
    if (strcmp(name, "help") == 0)
        return help_run(console, count - 2, arguments + 2);
    return command ? command->run(console, count - 2, arguments + 2) : unknown_command(console, name);
}

/* Results that could not be written are no results. Of a reader that has gone away nothing is said. */
static enum ending main_finish(const struct console *console, enum ending ending)
{
    bool failed = ferror(console->out) != 0;

    if (fflush(console->out) == 0 && !failed)
        return ending;
    if (errno != EPIPE)
        console_error(console, "cannot write the results: %s", strerror(errno));
    return ENDING_UNUSABLE;
}

int main(int count, char **arguments)
{
    struct console console = console_of(stdout, stderr);

    signal(SIGPIPE, SIG_IGN); /* a closed pipe is an error of writing, not the end of the program */
    tn_console_lints(tn_lint_for_console);
    return (int)main_finish(&console, main_run(&console, count, arguments));
}
