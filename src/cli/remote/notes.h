/* notes.h - what a server reports while it works, shown on standard error. */
#ifndef CLI_REMOTE_NOTES_H
#define CLI_REMOTE_NOTES_H

#include <tenon/client.h>

#include "cli/console.h"

/* A log line; anything else is not shown. */
void notes_show(const struct console *console, const char *method, const tenon_json *params);

/* Of a request that is open. On a terminal it is a bar that stays on its line. */
void notes_progress(const struct console *console, const tenon_json *params);

/* Ends the progress bar of a terminal, before something else is shown. */
void notes_end(const struct console *console);

#endif
