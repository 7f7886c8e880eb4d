/* verify.c - `tenon verify`: does a server offer what was approved? For scripts. */
#include <string.h>

#include "cli/contract/pin.h"

static const struct option table[] = { TARGET_TABLE };

static void print_help(FILE *to)
{
    fputs("Usage: tenon verify [OPTION]... TARGET\n"
          "       tenon verify [OPTION]... -- COMMAND [ARGUMENT]...\n"
          "       tenon verify [OPTION]... --config FILE [NAME]\n\n"
          "Compares what an MCP server offers with what was approved in tenon.lock (see tenon pin,\n"
          "also for what a TARGET is). Nothing is written.\n\n",
          to);
    options_help(to, table, TARGET_OPTIONS);
    fputs("\nEnds with 0 when it is the same, with 1 when something has changed, and with 2 when the call\n"
          "is wrong, the server cannot be reached, or nothing was approved.\n",
          to);
}

static bool verify_option(void *user, int row, const char *value)
{
    return targets_option(&((struct pin *)user)->targets, row, value);
}

/* There must be something to compare with. */
static bool is_approved(struct pin *pin)
{
    const struct targets *targets = &pin->targets;

    for (size_t i = 0; i < targets->count; i++)
        if (!target_entry(&targets->at[i], &targets->lock)) {
            console_error(targets->remote.console, "nothing of %.*s is approved in %s; see tenon pin",
                          (int)targets->at[i].name.len, targets->at[i].name.at, targets->lock_file.path);
            return false;
        }
    return true;
}

static enum ending compare(void *user)
{
    struct pin *pin = user;

    return targets_find(&pin->targets) && pin_review(pin) && is_approved(pin) ? pin_show(pin)
                                                                              : ENDING_UNUSABLE;
}

static enum ending verify_run(const struct console *console, int count, char **arguments)
{
    struct pin pin = { .targets.remote = { .console = console,
                                           .command = "verify",
                                           .help    = print_help,
                                           .option  = verify_option,
                                           .user    = &pin } };

    return targets_run(&pin.targets, table, TARGET_OPTIONS, count, arguments, compare);
}

const struct command command_verify = { "verify", "compare an MCP server with what was approved",
                                        verify_run };
