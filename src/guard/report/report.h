/* report.h - what is counted of upstreams and their calls, for audit, metrics and the operator.
 *
 * A call's report is filled in as it goes: each part of the guard adds what it alone knows, with one of the functions below, and
 * the end of its relay writes the line of the audit and counts. Labels are names of the operator's and of definitions, never
 * what a caller sent, and there is a bound to how many. Everything happens on the guard's loop.
 */
#ifndef GUARD_REPORT_REPORT_H
#define GUARD_REPORT_REPORT_H

#include <stdint.h>

#include "base/buf.h"
#include "base/table.h"
#include "guard/upkeep/breaker.h"

struct tn_call_issue;
struct tn_guard;
struct tn_judge;
struct tn_link;
struct tn_relay;
struct tn_upstream;

#define STANDING_TOOLS_MAX                                                                                   \
    ((size_t)2000) /* of one upstream that are counted by their name; the rest is "other" */

enum tn_outcome {
    OUTCOME_OK,
    OUTCOME_TOOL_ERROR, /* a result with isError, of the server's own */
    OUTCOME_RPC_ERROR,  /* an error of the protocol */
    OUTCOME_VALIDATION_ERROR,
    OUTCOME_DENIED,
    OUTCOME_LIMIT_EXCEEDED,
    OUTCOME_UNAVAILABLE,
    OUTCOME_TIMEOUT,
    OUTCOME_CANCELLED,
    OUTCOME_UPSTREAM_INVALID,
    OUTCOME_INTERNAL_ERROR,
    OUTCOME_OTHER,
    OUTCOMES
};

#define HISTOGRAM_BUCKETS 13

struct tn_histogram {
    uint64_t buckets[HISTOGRAM_BUCKETS]; /* the last one: longer than all */
    uint64_t sum_us;
};

struct tn_standing_tool {
    struct tn_slice name;
    uint64_t        outcomes[OUTCOMES];
};

/* How one upstream stands, for as long as the guard lives. */
struct tn_standing {
    struct tn_breaker        breaker; /* of an address; commands have one for each that runs */
    uint64_t                 starts, restarts, losses, junk, changed, questions;
    uint64_t                 late;        /* answers that nothing waited for, of clients that are freed */
    int64_t                  junk_minute; /* whose first lines are logged */
    unsigned                 junk_logged;
    struct tn_histogram      overhead, upstream; /* of calls: the guard's own time, and the server's */
    struct tn_arena          arena;
    struct tn_table          names;
    struct tn_standing_tool *tools[STANDING_TOOLS_MAX];
    size_t                   tool_count;
    struct tn_standing_tool  other;
    int64_t                  lists_us,
        listed_us; /* what its lists have cost of late, and when that was counted (lists/lists.c) */
};

/* What becomes of a tool that is not as it was approved, in the audit. */
#define REPORT_HIDDEN "hidden"
#define REPORT_KEPT   "kept"
#define REPORT_WARNED "warned"

/* Of one call. */
struct tn_report {
    bool                      is_call;
    const struct tn_upstream *upstream; /* NULL before that is known */
    bool                      ended;
    int64_t                   begun_us, sent_us; /* 0: not yet */
    int64_t                   waited_us;         /* until it was sent the first time */
    int64_t                   upstream_us;       /* that the server had it */
    unsigned                  attempt;           /* how often it was sent */
    const char               *code;              /* of the guard's own answer; NULL: the server's */
    enum tn_outcome           outcome;
    const char               *denied; /* the reason: policy, caller, read-only, pinned, question; or NULL */
    const char   *pinned; /* what became of a definition that changed: hidden, kept, warned; or NULL */
    size_t        issues, repaired, bytes_out;
    size_t        coerced, reformed, clamped;
    const size_t *forms;               /* a copy, or NULL */
    const struct tn_call_issue *found; /* where the observer asks for them */
    size_t                      found_count;
    const char                 *hash;      /* of its arguments as they came, where there is an audit; or "" */
    struct tn_slice             arguments; /* a copy, where the audit has them; or empty */
};

/* One for each upstream. False without memory. */
bool tn_standings_open(struct tn_guard *guard);
void tn_standings_close(struct tn_guard *guard);

struct tn_standing *tn_standing_of(const struct tn_link *link);

/* ---- Calls: by those that know ------------------------------------------------------------------------------- */

void tn_report_begin(struct tn_relay *relay);
void tn_report_sent(struct tn_relay *relay);
void tn_report_answered(struct tn_relay *relay);                         /* the server did, or is lost */
void tn_report_outcome(struct tn_relay *relay, enum tn_outcome outcome); /* of the server's answer */
void tn_report_code(struct tn_relay *relay, const char *code);           /* of the guard's own answer */
void tn_report_denied(struct tn_relay *relay, const char *reason);       /* a static text */
void tn_report_pinned(struct tn_relay *relay, const char *what);         /* a static text */
void tn_report_judged(struct tn_relay *relay, size_t issues, size_t repaired, const struct tn_judge *judge);
void tn_report_end(struct tn_relay *relay); /* once, when it has ended */

/* ---- Upstreams ----------------------------------------------------------------------------------------------- */

void tn_report_started(struct tn_link *link);
void tn_report_junk(struct tn_link *link, struct tn_slice bytes);
void tn_report_ended(struct tn_link *link); /* before its client is freed */
/* A definition differs from what was approved, and this difference was not seen before. */
void tn_report_changed(struct tn_guard *guard, const struct tn_upstream *upstream);

/* ---- For the operator (status.c) -------------------------------------------------------------------------------- */

/* For the admin address: series of Prometheus, and a page about each upstream as JSON. */
void tn_status_metrics(void *user, struct tn_buf *out);
void tn_status_page(void *user, struct tn_buf *out);
/* And for the console (console.c): the same for people, with definitions that wait to be approved. */
void tn_status_console(void *user, struct tn_buf *out);

/* Ends of the buckets of a histogram, in microseconds; the last has none. */
extern const int64_t tn_report_bucket_ends_us[HISTOGRAM_BUCKETS - 1];

const char *tn_outcome_name(enum tn_outcome outcome);

#endif
