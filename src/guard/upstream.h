/* upstream.h - what an operator says of the servers that are guarded, and of who may call what.
 *
 * Filled in by a configuration (guard/config/), or by the words of `tenon guard -- COMMAND` and `tenon guard URL`, which take
 * nothing away: tn_upstream_plain(), tn_policy_plain(). All texts live as long as the guard. Nothing here changes while it
 * runs.
 */
#ifndef GUARD_UPSTREAM_H
#define GUARD_UPSTREAM_H

#include <tenon/setting.h>

#include "base/str.h"
#include "guard/process/environment.h"
#include "net/rate.h"

struct tn_credential;
struct tn_transport;
struct tn_transport_frame;
struct tn_upstream;

#define UPSTREAMS_MAX 64

/* Whose a child or a session is. */
enum tn_share { SHARE_AUTO, SHARE_ALL, SHARE_CALLER, SHARE_SESSION };

enum tn_guard_results {
    RESULTS_WARN,
    RESULTS_OFF,
    RESULTS_CHECK
}; /* structured results that their outputSchema refuses */
enum tn_guard_unknown {
    UNKNOWN_NEAR,
    UNKNOWN_REJECT,
    UNKNOWN_MESSAGE,
    UNKNOWN_IGNORE
};                                                               /* names in open schemas */
enum tn_guard_repairs { REPAIRS_ON, REPAIRS_FORM, REPAIRS_OFF }; /* FORM: what keeps the value */
enum tn_guard_changed {
    CHANGED_HIDE,
    CHANGED_KEEP,
    CHANGED_WARN
}; /* definitions that differ from the approved ones */
enum tn_guard_messages {
    MESSAGES_BLOCK,
    MESSAGES_META,
    MESSAGES_OFF
}; /* where the guard's own messages go */

/* Names by pattern: `*` is any run of characters, `?` one. Without a pattern of `allow` all are allowed; `deny` wins. */
struct tn_globs {
    tenon_strs allow, deny;
};

/* A pause that doubles from `first` to `most`. */
struct tn_pause {
    int first_ms, most_ms;
};

/* What is said of one tool, by its upstream name. */
struct tn_tool_rule {
    const char           *name;
    const char           *arguments; /* JSON Schema that must hold too, as its text; or NULL */
    bool                  publish;   /* models see it: it is published in an allOf with the server's own */
    bool                  silent;    /* `say: nothing`: a refusal does not name the rule */
    bool                  read_only; /* the operator's word that it changes nothing */
    struct tn_rate_bucket rate;      /* a count of 0: none */
};

/* One server that is guarded. */
struct tn_upstream {
    const char *name; /* for people, and the beginning of its prefix */
    size_t      at;   /* its number in the guard's list */

    const char *const           *words; /* of its command, with a final NULL; NULL: it is an address */
    struct tn_environment_wishes environment;
    const char                  *directory; /* or NULL */
    bool                         starts_now;
    int                          idle_ms; /* without a call for so long, a child is ended; 0: never */
    int                          starts_most, starts_within_ms;
    struct tn_pause              start_pause;
    bool                         retry; /* calls that may have been done are repeated */

    const char           *url;
    const char           *token_file;            /* or NULL */
    tenon_map             headers;               /* name and value; none of them is the protocol's */
    tenon_map             header_files;          /* name of a header, and a file */
    const char *const    *token_command;         /* words, with a final NULL; or NULL */
    struct tn_credential *credential;            /* that these are for: the guard's own, while it runs */
    bool                  shared_credential;     /* said to be meant for all callers */
    bool                  plain, private_;       /* http is fine; what the server names may be private */
    int                   failures, failures_ms; /* that open the breaker, ... */
    struct tn_pause       failure_pause;         /* ... and for how long */
    struct tn_transport *(*connect)(const struct tn_upstream        *upstream,
                                    const struct tn_transport_frame *frame); /* HTTP is the command's */

    enum tn_share share;
    unsigned      questions; /* bits of ABILITY_*: what it may ask clients; the rest is not promised */
    const char   *roots;     /* the operator's, as a JSON array; NULL: the client's */
    size_t        memory_max, answer_max; /* bytes; 0: none, and the most that there is */
    int           time_ms, time_most_ms;  /* of a call, and with progress; 0: none */
    size_t        calls_max;              /* at once; 0: as many as a conversation bears */
    int ready_ms, refresh_ms; /* until lists do without it; how often an old server's lists are looked at */

    const char                *prefix; /* "": none; NULL: the name and "_" */
    struct tn_globs            tools, resources, prompts;
    const struct tn_tool_rule *rules;
    size_t                     rule_count;
    tenon_strs                 extensions; /* of the protocol, that pass where there are several */
};

/* What one caller may do: by the name of its token, or "scope:NAME". */
struct tn_caller_rule {
    const char           *who;
    struct tn_globs       tools; /* by published name */
    struct tn_rate_bucket rate;
};

struct tn_policy {
    bool                   read_only;        /* only tools that are known to change nothing */
    bool                   pass_bad_schemas; /* tools whose schema does not compile are published, unjudged */
    bool                   pass_unknown; /* methods that the guard does not know go to the only upstream */
    enum tn_guard_unknown  unknown;
    enum tn_guard_repairs  repairs;
    enum tn_guard_results  results;
    enum tn_guard_changed  changed;
    enum tn_guard_messages messages;
    const struct tn_caller_rule *callers; /* none: all may do all */
    size_t                       caller_count;
    size_t                       name_max;   /* of a published name; 0: 64 */
    const char                  *publish;    /* clients that lists are published for, with commas; or NULL */
    const char                  *lock;       /* its path, or NULL */
    bool                         lock_named; /* by the operator: it must be there */
    const char                  *lock_key;   /* path of the key that seals it, or NULL */
    bool dry_run;   /* calls go on as they came, and the log says what would have been done */
    bool over_http; /* clients come over HTTP, where headers repeat arguments */
};

/* What flags and files call the choices of a policy. */
extern const tenon_choice tn_policy_unknowns[], tn_policy_repairs[], tn_policy_results[], tn_policy_changes[],
    tn_policy_messages[];

/* The defaults of an upstream and a policy without a configuration, and with one. */
void tn_upstream_plain(struct tn_upstream *upstream);
void tn_policy_plain(struct tn_policy *policy);
void tn_upstream_configured(struct tn_upstream *upstream);
void tn_policy_configured(struct tn_policy *policy);

#endif
