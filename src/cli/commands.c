/* commands.c - the table of commands. */
#include "cli/commands.h"

#include <string.h>

/* clang-format off */
const struct command *const commands_all[] = {
    &command_tools,
    &command_call,
    &command_inspect,
    &command_check,
    &command_read,
    &command_prompt,
    &command_complete,
    &command_shell,
    &command_watch,
    &command_servers,
    &command_new,
    &command_install,
    &command_guard,
    &command_console,
    &command_tee,
    &command_replay,
    &command_pin,
    &command_verify,
    &command_diff,
    &command_fuzz,
    &command_lint,
    &command_serve,
    &command_token,
    &command_validate,
#ifdef TENON_SERVER_DOCS
    &command_docs,
#endif
#ifdef TENON_SERVER_KYC
    &command_db,
#endif
    &command_supervise,
    &command_propose,
    NULL,
};
/* clang-format on */

_Static_assert(sizeof commands_all / sizeof *commands_all <= COMMANDS_MAX, "there is room for all");

const struct command *commands_find(const char *name)
{
    for (size_t i = 0; commands_all[i]; i++)
        if (strcmp(name, commands_all[i]->name) == 0)
            return commands_all[i];
    return NULL;
}
