/* ask.h - a server's questions, put to the person at the terminal. */
#ifndef CLI_ASK_H
#define CLI_ASK_H

#include "cli/client/client.h"

/* The result for an elicitation/create (its "params" tell what is asked) as JSON; NULL for any other question, and when
 * nobody can be asked. */
const char *ask_person(struct client *client, yyjson_val *request);

#endif
