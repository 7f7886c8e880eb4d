/* ask.h - a server's questions, asked at the terminal. */
#ifndef CLI_REMOTE_ASK_H
#define CLI_REMOTE_ASK_H

#include <yyjson.h>

#include "cli/remote.h"

/* The result for an elicitation/create as JSON; NULL for any other question, and when
 * nobody can be asked. */
const char *ask_person(struct remote *remote, const char *method, yyjson_val *params);

#endif
