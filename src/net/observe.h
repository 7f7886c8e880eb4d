/* observe.h - all that observes calls: metrics, audit and log, as one observer of src/mcp. */
#ifndef NET_OBSERVE_H
#define NET_OBSERVE_H

#include <stdatomic.h>

#include "mcp/observe.h"
#include "net/audit.h"
#include "net/console/feed.h"
#include "net/metrics.h"

/* Lines about refused calls, of which a second has so many. Any thread may say one. */
struct tn_refused_lines {
    atomic_llong second;
    atomic_uint  said;
};

/* Each may be NULL; must outlive the observer. */
struct tn_observing {
    struct metrics      *metrics;
    struct audit        *audit;
    struct tn_feed      *feed; /* of the console */
    const struct tn_log *log;
    int  log_level; /* calls are logged with LOG_DEBUG, refused ones with LOG_INFO, overruns as a warning */
    bool arguments; /* of settings->audit_arguments */
    bool refusals;  /* are logged: there are callers who do not see each other's */
    struct tn_refused_lines refused;
};

/* Asks only for what somebody looks at. */
struct tn_observer tn_observer_of(struct tn_observing *observing);

#endif
