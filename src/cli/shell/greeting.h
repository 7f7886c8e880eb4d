/* greeting.h - what a shell shows first: the server, and its tools by name. */
#ifndef CLI_SHELL_GREETING_H
#define CLI_SHELL_GREETING_H

#include "cli/remote.h"

/* `tools` is their list, or NULL. */
void greeting_show(const struct remote *remote, yyjson_val *tools);

#endif
