/* messages.h - the messages of a prompt, for people. */
#ifndef CLI_INSPECT_MESSAGES_H
#define CLI_INSPECT_MESSAGES_H

#include <yyjson.h>

#include "cli/console.h"

void messages_show(const struct console *console, yyjson_val *messages);

#endif
