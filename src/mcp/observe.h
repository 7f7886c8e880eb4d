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

#define CALL_ISSUES_MAX 8 /* of a report */

/* One thing that was wrong with the arguments of a call. */
struct tn_call_issue {
    struct tn_slice parameter; /* a declared name, a pointer, or what the caller sent, when it is unknown */
    const char     *code;      /* a static text, or of the tool */
    struct tn_slice
        text; /* the sentence that the caller got; of values only the type, unless arguments are asked for */
    struct tn_slice nearest; /* the name that was meant, of an unknown one; or empty */
    bool            unknown;
};

#define CALL_WIRE_MAX ((size_t)16 << 10) /* bytes that are kept of a message; the rest is cut */

/* A call as it was on the wire (wire.h). */
struct tn_call_wire {
    const char     *revision;
    struct tn_slice head;            /* of HTTP: "Name: value" a line, credentials hidden; or empty */
    struct tn_slice request, answer; /* the messages, byte for byte ... */
    bool            hidden;   /* ... but for the request, when it holds secrets: written anew without them */
    bool            withheld; /* the answer is left out, because it may repeat secrets, or names some */
    bool            request_cut, answer_cut;
    int             status; /* of HTTP, or 0 */
};

/* One call of a tool that has ended, as seen when its answer was sent. */
struct tn_call_report {
    const char        *tool;       /* its declared name, never what a caller sent */
    const char        *code;       /* of the error, or NULL */
    int64_t            started_ms; /* wall clock */
    int64_t            took_us;
    int64_t            waited_us; /* of them, for what is outside of the program, as the handler says */
    size_t             coerced, reformed, clamped, issues;
    const size_t      *forms;       /* how often each of FORMS was taken, or NULL (model/form.h) */
    const char *const *issue_codes; /* of `issues`, at most ISSUE_CODES_MAX of them; static texts */
    size_t             issue_code_count;
    const struct tn_call_issue   *found; /* the first of `issues`, where the observer asks for them */
    size_t                        found_count;
    size_t                        bytes_in, bytes_out;
    struct tn_slice               caller, trace; /* may be empty */
    struct tn_slice               arguments; /* JSON without secrets; empty unless the observer asks for it */
    const struct tn_call_guarded *guarded;   /* or NULL */
    const struct tn_call_wire    *wire;      /* or NULL */
    bool overrun; /* an inline handler that took longer than its deadline, or TIMEOUT */
};

struct tn_observer {
    void (*called)(void *user, const struct tn_call_report *report); /* by any thread */
    void (*message)(void *user, const char *method,
                    int error); /* a known method, else "unknown"; 0 or the code */
    void *user;
    bool  arguments; /* reports should have them */
    bool  hashes;    /* and guarded ones their hash */
    bool  wire;      /* and their messages */
    bool  found;     /* and what was wrong with arguments, one by one */
};

struct tn_arena;
struct tn_issues;

/* What a report has of `issues`, in the arena; *count of them. NULL when there is nothing, or no memory. */
const struct tn_call_issue *tn_observe_issues(const struct tn_observer *observer, struct tn_arena *arena,
                                              const struct tn_issues *issues, size_t *count);

#endif
