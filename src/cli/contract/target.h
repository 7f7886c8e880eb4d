/* target.h - what a contract tool looks at: a TARGET of its call, or every upstream of a lock or a configuration.
 *
 *     tenon pin URL | 'COMMAND LINE' | -- COMMAND...    a server
 *     tenon pin LIST.json                               a saved list of tools
 *     tenon pin OTHER.lock                              what another lock has
 *     tenon pin --config FILE [NAME[/ITEM]]             the servers of a configuration, or one of them
 *     tenon pin NAME, tenon pin NAME/ITEM               an upstream of the lock itself, which has its command or address
 */
#ifndef CLI_CONTRACT_TARGET_H
#define CLI_CONTRACT_TARGET_H

#include "cli/remote.h"
#include "contract/findings/findings.h"
#include "contract/review.h"
#include "guard/config/config.h"

#define TARGETS_MAX LOCK_UPSTREAMS_MAX

struct target {
    struct tn_slice           name;     /* of the upstream; found when it was asked, if it has none before */
    const char *const        *words;    /* a command, */
    const char               *url;      /* an address, */
    const char               *file;     /* or a saved list, */
    struct tn_slice           text;     /* and what it says */
    const struct tn_upstream *upstream; /* of a configuration, or NULL */
    struct tn_slice           item;     /* the only one that matters; or empty */
    struct tn_offer           offer;
    bool                      reached; /* the offer is there */
};

struct targets {
    struct remote         remote;
    struct tn_lock        lock;        /* as it was read */
    struct tn_lock_file   lock_file;   /* where it is */
    bool                  is_locked;   /* there is such a file */
    const char           *name;        /* --name */
    enum tn_findings_form format;      /* --output */
    bool                  strict, all; /* warnings fail, too; what is only good to know is shown, too */
    const char           *config_path; /* --config */
    struct tn_config     *config;
    struct tn_lock        other; /* a lock that is a target */
    struct target        *at;
    size_t                count;
};

/* Rows of options that all of them share, after those of remote.h. */
enum {
    TARGET_CONFIG = REMOTE_OPTIONS,
    TARGET_LOCK,
    TARGET_LOCK_KEY,
    TARGET_NAME,
    TARGET_JSON,
    TARGET_OUTPUT,
    TARGET_OPTIONS,
    REPORT_STRICT = TARGET_OPTIONS, /* of those that report what they find; words of their own */
    REPORT_ALL,
    REPORT_OPTIONS
};

/* clang-format off */
#define TARGET_TABLE                                                                                                       \
    REMOTE_TABLE,                                                                                                          \
    [TARGET_CONFIG]   = { "config", '\0', "FILE", "the servers of tenon guard's file; TARGET is one of their names, or none" }, \
    [TARGET_LOCK]     = { "lock", '\0', "FILE", "the lock; tenon.lock by default" },                                       \
    [TARGET_LOCK_KEY] = { "lock-key", '\0', "FILE", "the key that seals it" },                                             \
    [TARGET_NAME]     = { "name", '\0', "NAME", "of the upstream in the lock; that of the server by default" },           \
    [TARGET_JSON]     = { "json", '\0', NULL, "print what was found as JSON" },                                            \
    [TARGET_OUTPUT]   = { "output", '\0', "text|json|sarif|junit", "how what was found is printed" }
/* clang-format on */

/* A whole call: reads it, does the tool's work with `user` of the remote, and closes. */
enum ending targets_run(struct targets *targets, const struct option *table, int table_count, int count,
                        char **arguments, enum ending (*work)(void *user));

/* Takes a row of those above; false when it is not one. */
bool targets_option(struct targets *targets, int row, const char *value);

/* Reads the lock. False when it cannot be used, which was reported; it need not be there. */
bool targets_begin(struct targets *targets);

/* Reads the lock and finds out what the call names. False when something cannot be used, which was reported. */
bool targets_find(struct targets *targets);

/* What an operand stands for, which may be several upstreams of a lock; for calls that name more than one. */
bool targets_take(struct targets *targets, const char *operand);

/* An upstream as a target. */
struct target target_of(const struct tn_upstream *upstream);

/* Asks one. False when it cannot be reached, which was reported. */
bool target_ask(struct targets *targets, struct target *target);

/* What a configuration says of its process, or of the way to it, for the remote. False when something cannot be used, which was
 * reported. target_ask() does it itself. */
bool target_prepare(struct targets *targets, const struct target *target);

/* What was approved of it, in this lock; or NULL. */
struct tn_lock_entry *target_entry(const struct target *target, const struct tn_lock *lock);

void targets_close(struct targets *targets);

#endif
