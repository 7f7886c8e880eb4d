/* send.h - `tenon call --send`: a message as it is, and what comes back. */
#ifndef CLI_CONTRACT_SEND_H
#define CLI_CONTRACT_SEND_H

#include "cli/remote.h"

/* Sends the text, or standard input when it is "-", to the server of a remote that is open, and prints every message that
 * comes until an answer has come, or will not come any more. */
enum ending send_message(struct remote *remote, const char *text);

#endif
