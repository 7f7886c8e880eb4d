/* relay.h - between a client at our standard input and output, and a server that is a program: lines pass as they came.
 *
 * Each direction holds one line at a time: while its reader does not take it, no more is read from its writer.
 */
#ifndef CLI_WIRE_RELAY_H
#define CLI_WIRE_RELAY_H

#include "base/buf.h"
#include "cli/console.h"
#include "cli/wire/program.h"
#include "net/stdio/lines.h"

#define RELAY_LINE_MAX ((size_t)64 << 20)

enum relay_side { FROM_CLIENT, FROM_SERVER, RELAY_SIDES };

struct channel {
    int             in, out; /* -1: the end was seen; nothing goes there */
    struct tn_lines lines;
    struct tn_arena arena;
    struct tn_buf   pending; /* read and not written yet, from `written` on */
    size_t          written;
};

struct relay {
    const struct console *console;
    char *const          *words;
    struct program        program;
    struct channel        channels[RELAY_SIDES];
    /* Sees each line before it is passed on; false keeps it back. */
    bool (*line)(void *user, enum relay_side from, struct tn_slice line);
    /* Called about each `tick_ms`, and after what was waiting was looked at; or NULL. */
    void (*tick)(void *user);
    int     tick_ms;
    void   *user;
    bool    client_waits; /* nothing is read from it */
    int     patience_ms;  /* for a program to end once the client is gone; 0: as long as it takes */
    int64_t gone_ms;      /* since when it is; 0 before that */
};

/* Starts the program; false when it cannot be, which was reported. `console`, `words` and callbacks are set. */
bool relay_open(struct relay *relay);
void relay_close(struct relay *relay);

/* Until the client is gone, or the program without a tick that could start it again. False when a line was too long. */
bool relay_run(struct relay *relay);

/* A line of our own, after those that wait. */
void relay_send(struct relay *relay, enum relay_side from, struct tn_slice line);

/* Ends the program, and starts it anew; false when that cannot be, which was reported. */
bool relay_restart(struct relay *relay);

#endif
