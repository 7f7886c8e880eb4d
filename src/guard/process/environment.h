/* environment.h - the environment of a server that the guard starts: what every program needs, and what the
 * operator wrote.
 *
 * The guard's own environment holds credentials of other servers and variables that change what a program
 * runs, so that a variable is passed on only when it is known to be harmless and needed, or when the
 * configuration names it.
 */
#ifndef GUARD_PROCESS_ENVIRONMENT_H
#define GUARD_PROCESS_ENVIRONMENT_H

#include <tenon/base.h>

#include "base/arena.h"

/* The files of the guards above, a line each, so that none starts itself again. */
#define GUARD_FILES_VARIABLE "TENON_GUARD_FILES"

#define ENVIRONMENT_MAX  ((size_t)1024)         /* variables of a child */
#define VARIABLE_LEN_MAX ((size_t)128 * 1024 - 1) /* NAME=VALUE; what is longer the kernel refuses */
#define SECRET_LEN_MAX   ((size_t)64 << 10)

/* The three members of an upstream. Their texts end with a NUL and have none inside. */
struct tn_environment_wishes {
    tenon_map  env;      /* name and value */
    tenon_strs env_from; /* names of variables of the guard's own environment; "AWS_*" is all that begin so */
    tenon_map
        secrets; /* name and path of a file; a line end at the end of the file is not part of the value */
};

/* Where mistakes go, all of them: `where` is the JSON pointer within the upstream, "/env-from/0". Neither
 * has a secret in it. */
struct tn_environment_sink {
    void (*mistake)(void *user, const char *where, const char *text);
    void *user;
};

/* NAME=VALUE up to NULL, in the arena. `own` is the guard's environment, whose texts are borrowed; `wishes`
 * may be NULL. Secrets are read each time. NULL when there was a mistake. */
const char *const *tn_environment_new(const char *const *own, const struct tn_environment_wishes *wishes,
                                      const struct tn_environment_sink *sink, struct tn_arena *arena);

/* What the guard does not pass on, its servers must not read from it either, in /proc. False when that cannot be had. */
bool tn_environment_hide(void);

#endif
