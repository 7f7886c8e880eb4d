/* observe.h - what src/mcp reports of its work, to be counted, logged and audited by the transport layer. */
#ifndef MCP_OBSERVE_H
#define MCP_OBSERVE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

/* What a guard adds: the call went on to a server of others, or would have. */
struct tn_call_guarded {
    const char     *upstream;
    struct tn_slice upstream_tool;          /* as that server calls it; empty where there is no such tool */
    const char     *denied, *pinned, *hash; /* static texts or NULL; SHA-256 of the arguments, or "" */
    size_t          repaired;               /* messages about them */
    unsigned        attempt;                /* how often it was sent */
    int64_t         wait_us, upstream_us;   /* until it was sent; that the server had it */
};

/* One call of a tool that has ended, as seen when its answer was sent. */
struct tn_call_report {
    const char        *tool;       /* its declared name, never what a caller sent */
    const char        *code;       /* of the error, or NULL */
    int64_t            started_ms; /* wall clock */
    int64_t            took_us;
    size_t             coerced, reformed, clamped, issues;
    const size_t      *forms;       /* how often each of FORMS was taken, or NULL (model/form.h) */
    const char *const *issue_codes; /* of `issues`, at most ISSUE_CODES_MAX of them; static texts */
    size_t             issue_code_count;
    size_t             bytes_in, bytes_out;
    struct tn_slice    caller, trace;      /* may be empty */
    struct tn_slice    arguments;          /* JSON without secrets; empty unless the observer asks for it */
    const struct tn_call_guarded *guarded; /* or NULL */
    bool overrun; /* an inline handler that took longer than its deadline, or TIMEOUT */
};

struct tn_observer {
    void (*called)(void *user, const struct tn_call_report *report); /* by any thread */
    void (*message)(void *user, const char *method,
                    int error); /* a known method, else "unknown"; 0 or the code */
    void *user;
    bool  arguments; /* reports should have them */
    bool  hashes;    /* and guarded ones their hash */
};

#endif
