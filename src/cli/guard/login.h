/* login.h - `tenon guard login NAME|URL`: a person logs in to a server that a guard then uses. */
#ifndef CLI_GUARD_LOGIN_H
#define CLI_GUARD_LOGIN_H

#include "cli/command.h"

enum ending guard_login(const struct console *console, int count, char **arguments);

#endif
