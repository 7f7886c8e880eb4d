/* notes.h - what a server reports while it works, shown on standard error. */
#ifndef CLI_NOTES_H
#define CLI_NOTES_H

#include <tenon/client.h>

#include "cli/console.h"

/* Progress and log lines; anything else is not shown. */
void notes_show(const struct console *console, const char *method, const tenon_json *params);

#endif
