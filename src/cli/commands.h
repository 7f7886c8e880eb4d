/* commands.h - all commands, in the order of `tenon --help`. */
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

#include "cli/command.h"

#define COMMANDS_MAX 64

/* With a final NULL. */
extern const struct command *const commands_all[];

/* NULL when there is none of that name. */
const struct command *commands_find(const char *name);

#endif
