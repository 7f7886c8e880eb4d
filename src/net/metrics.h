/* metrics.h - what is counted, in Prometheus's text form. Counting is lock-free and by any thread; labels are declared
 * names and closed sets only, never what a caller sent.
 */
#ifndef NET_METRICS_H
#define NET_METRICS_H

#include <tenon/base.h>

#include "base/buf.h"
#include "mcp/core.h"
#include "net/http/http.h"

struct metrics;

/* For the tools of a prepared server. NULL without memory. */
struct metrics *tn_metrics_new(tenon_server *server);
void            tn_metrics_free(struct metrics *metrics);

void tn_metrics_call(struct metrics *metrics, const struct tn_call_report *report);
void tn_metrics_message(struct metrics *metrics, const char *method, int error);

/* What others know is handed in when it is asked for. */
struct tn_metrics_gauges {
    struct tn_http_counts   http; /* of all loops */
    size_t                  busy, queued, spare, lost, sessions, in_flight;
    bool                    healthy;
    struct tn_ledger_report held;
    uint64_t                rate_limited;
    uint64_t                audit_lost;
};
void tn_metrics_write(struct tn_buf *out, const struct metrics *metrics,
                      const struct tn_metrics_gauges *gauges);

/* For series that others add: the head of a family, and the inside of a label's value. */
void tn_metrics_begin(struct tn_buf *out, const char *name, const char *type, const char *help);
void tn_metrics_label(struct tn_buf *out, const char *text);

#endif
