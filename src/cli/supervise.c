/* supervise.c - `tenon supervise`: hidden, because only `tenon guard` starts it, once for each server that it runs. */
#include "guard/process/supervise.h"

#include "cli/command.h"
#include "guard/phrases.h"

static enum ending supervise_run(const struct console *console, int count, char **arguments)
{
    (void)count, (void)arguments; /* the name of the server, for lists of processes */
    if (tn_supervise())
        return ENDING_GOOD;
    console_error(console, "%s", SAY_SUPERVISE_ALONE);
    return ENDING_UNUSABLE;
}

const struct command command_supervise = { SUPERVISE_COMMAND, NULL, supervise_run };
