/* client.h - a naive client: it repairs a call by nothing but the issues of the answer. */
#ifndef SUPPORT_CLIENT_H
#define SUPPORT_CLIENT_H

#include <stddef.h>

/* The call `json` after what `answer` says in error.details.issues, in memory from malloc. For an unknown name it renames
 * the member to the suggestion, unless that is there already, or drops it; for everything else it takes the suggestion,
 * else the example, else a value of its own that is as the issue expects (a value of the enum, words of the length); without
 * any it leaves out what is not required. The first issue of a parameter is the one that it follows. "arguments" is the whole call. NULL, with *why,
 * when an issue cannot be followed. */
char *client_repair(const char *json, size_t len, const char *answer, size_t answer_len, size_t *out_len,
                    const char **why);

#endif
