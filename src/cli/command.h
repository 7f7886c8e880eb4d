/* command.h - what main.c knows of a command, and how the program ends. */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include "cli/console.h"

/* How the program ends, for scripts. */
enum ending {
    ENDING_GOOD = 0, /* everything is valid; the tool did it */
    ENDING_BAD  = 1, /* something is not; the tool answered an error */
    ENDING_UNUSABLE =
        2 /* no answer: a wrong call, a file that cannot be read, a server that cannot be reached */
};

struct command {
    const char *name, *summary; /* without a summary it is hidden: the program calls it itself */
    /* Gets what stands behind the command's name. */
    enum ending (*run)(const struct console *console, int count, char **arguments);
};

/* clang-format off */
extern const struct command
    command_tools,
    command_call,
    command_inspect,
    command_check,
    command_read,
    command_prompt,
    command_complete,
    command_shell,
    command_watch,
    command_servers,
    command_new,
    command_install,
    command_guard, command_console,
    command_tee,
    command_replay,
    command_pin,
    command_verify,
    command_diff,
    command_fuzz,
    command_lint,
    command_serve,
    command_token,
    command_validate,
    command_supervise,
    command_propose;
/* clang-format on */
#ifdef TENON_SERVER_KYC
extern const struct command command_db;
#endif
#ifdef TENON_SERVER_DOCS
extern const struct command command_docs;
#endif

#endif
