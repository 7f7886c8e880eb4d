/* observe.c - passes reports on. */
#define _GNU_SOURCE
#include "net/observe.h"

#define REFUSED_LINES_MAX 20 /* lines a second about refused calls: one caller must not fill the log */
#define SECOND_MS         1000

/* True when this second still has room for a line; *skipped is then how many of an earlier second had none. */
static bool may_log(struct tn_observing *observing, int64_t now_ms, unsigned *skipped)
{
    long long second = now_ms / SECOND_MS, last = atomic_load(&observing->refused.second);
    unsigned  said;

    *skipped = 0;
    if (second > last && atomic_compare_exchange_strong(&observing->refused.second, &last, second)) {
        said     = atomic_exchange(&observing->refused.said, 0);
        *skipped = said > REFUSED_LINES_MAX ? said - REFUSED_LINES_MAX : 0;
    }
    return atomic_fetch_add(&observing->refused.said, 1) < REFUSED_LINES_MAX;
}

/* Which tool was called wrongly, and how wrongly; never with what. */
static void say_refused(struct tn_observing *observing, const struct tn_call_report *report)
{
    unsigned skipped;

    if (!may_log(observing, report->started_ms, &skipped))
        return;
    if (skipped > 0)
        tn_log_line(observing->log, LOG_INFO, "%u more refused calls were not logged", skipped);
    tn_log_line(observing->log, LOG_INFO, "%s: %s, %zu error%s", report->tool, report->code, report->issues,
                report->issues == 1 ? "" : "s");
}

static void called(void *user, const struct tn_call_report *report)
{
    struct tn_observing *observing = user;
    enum tn_log_level    level     = report->overrun ? LOG_WARN : LOG_DEBUG;

    if (observing->metrics)
        tn_metrics_call(observing->metrics, report);
    if (observing->audit)
        tn_audit_call(observing->audit, report);
    if (observing->feed)
        tn_feed_call(observing->feed, report);
    if (observing->log && observing->refusals && observing->log_level >= LOG_INFO && report->issues > 0 &&
        report->code)
        say_refused(observing, report);
    if (observing->log && observing->log_level >= (int)level)
        tn_log_line(observing->log, level, "%s: %s%s after %lld.%03lld ms", report->tool,
                    report->code ? report->code : "OK", report->overrun ? ", overrun," : "",
                    (long long)(report->took_us / 1000), (long long)(report->took_us % 1000));
}

static void message(void *user, const char *method, int error)
{
    const struct tn_observing *observing = user;

    if (observing->metrics)
        tn_metrics_message(observing->metrics, method, error);
    if (observing->log && error && observing->log_level >= LOG_DEBUG)
        tn_log_line(observing->log, LOG_DEBUG, "%s: error %d", method, error);
}

struct tn_observer tn_observer_of(struct tn_observing *observing)
{
    int  level    = observing->log ? observing->log_level : 0;
    bool calls    = observing->metrics || observing->audit || observing->feed || level >= LOG_WARN;
    bool messages = observing->metrics || level >= LOG_DEBUG;

    return (struct tn_observer){ .called    = calls ? called : NULL,
                                 .message   = messages ? message : NULL,
                                 .user      = observing,
                                 .arguments = (observing->audit || observing->feed) && observing->arguments,
                                 .hashes    = observing->audit || (observing->feed && observing->arguments),
                                 .wire      = observing->feed && observing->arguments,
                                 .found     = observing->feed != NULL };
}
