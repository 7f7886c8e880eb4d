/* guard_call.h - a call of `tenon guard`: its options, and what is guarded. */
#ifndef CLI_GUARD_CALL_H
#define CLI_GUARD_CALL_H

#include <tenon/setting.h>

#include "cli/command.h"
#include "guard/config/config.h"

struct tn_settings;

struct guard_values {
    const char *config, *import, *lock, *lock_key, *token_file;
    tenon_strs  header_files; /* NAME=FILE */
    tenon_strs  env_from;
    bool        check, list, json, dry_run, pin;
    int         results, unknown, repair, changed;
    const char *publish;
};

#define GUARD_ADDRESS_MAX 256

struct guard_call {
    const struct console *console;
    const char           *program; /* that complains; NULL: the guard */
    struct tn_settings   *settings;
    struct guard_values   values;
    const char *const    *words;                      /* of a command, or NULL */
    const char           *url;                        /* or NULL */
    char                  address[GUARD_ADDRESS_MAX]; /* as it is shown */
    struct tn_config     *config;                     /* or NULL */
    struct tn_upstream    plain;                      /* of a command or an address */
    tenon_pair            headers[TENON_SETTING_TEXTS_MAX];
    struct tn_upstream   *upstreams;
    size_t                upstream_count;
    struct tn_policy      policy;
};

/* Reads flags, environment and file. False when there is nothing more to do: help, or mistakes, which are printed; then *ending
 * is how the program ends. */
bool guard_call_read(struct guard_call *call, int count, char **arguments, enum ending *ending);
void guard_call_free(struct guard_call *call);

/* guard.c: serves what was read, until it is stopped; how the program ends. */
int guard_serve(struct guard_call *call);

/* guard_list.c: what is published, and what not; by a guard that `serve` runs. */
enum ending guard_list(struct guard_call *call, int (*serve)(struct guard_call *));

#endif
