/* notes.h - what a server reports while it works, shown on standard error. */
#ifndef CLI_REMOTE_NOTES_H
#define CLI_REMOTE_NOTES_H

#include <tenon/client.h>

#include "cli/console.h"

/* Progress and log lines; anything else is not shown. On a terminal progress is a bar that stays on its line. */
void notes_show(const struct console *console, const char *method, const tenon_json *params);

/* Ends the progress bar of a terminal, before something else is shown. */
void notes_end(const struct console *console);

#endif
