/* wait.h - waiting for an answer at a terminal, where Ctrl-C cancels. */
#ifndef CLI_REMOTE_WAIT_H
#define CLI_REMOTE_WAIT_H

#include <tenon/client.h>

#include "cli/remote.h"

/* From now on Ctrl-C does not end the program: it cancels what wait_for() waits for. */
void wait_take_interrupts(void);

/* Did Ctrl-C come since wait_take_interrupts(), or since it was forgotten? */
bool wait_interrupted(void);
void wait_forget_interrupt(void);

/* Until the server is ready; false when it cannot be used, or was not waited for. */
bool wait_ready(struct remote *remote);

/* The result, or NULL. What is interrupted is cancelled: the server is informed. */
yyjson_val *wait_for(struct remote *remote, tenon_request *request);

/* Ends the program as Ctrl-C does; what is to be closed is closed. */
void wait_end_interrupted(void);

#endif
