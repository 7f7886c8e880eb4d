/* supervise.h - the process between the guard and a server of its: ends everything below it, whatever
 * happens to the guard. */
#ifndef GUARD_PROCESS_SUPERVISE_H
#define GUARD_PROCESS_SUPERVISE_H

#include <stdbool.h>

#define SUPERVISE_COMMAND "supervise" /* the hidden command, which child.c starts */

/* How long the end of a child may take: after its input was closed, and after SIGTERM. Then it is killed. */
#define SUPERVISE_LEAVE_MS 2000
#define SUPERVISE_TERM_MS  1000

/* The whole life of a supervisor: waits for an order, runs it, and returns when no process below is left.
 * Its pipes to the guard are 0, 1 and 2, its socket is CONTROL_HANDLE. False when there is no such socket: a
 * person has called it. */
bool tn_supervise(void);

#endif
