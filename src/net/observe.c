/* observe.c - passes reports on. */
#define _GNU_SOURCE
#include "net/observe.h"

static void called(void *user, const struct call_report *report)
{
    const struct observing *observing = user;
    enum log_level          level     = report->overrun ? LOG_WARN : LOG_DEBUG;

    if (observing->metrics)
        metrics_call(observing->metrics, report);
    if (observing->audit)
        audit_call(observing->audit, report);
    if (observing->log && observing->log_level >= (int)level)
        log_line(observing->log, level, "%s: %s%s after %lld.%03lld ms", report->tool,
                 report->code ? report->code : "OK", report->overrun ? ", overrun," : "",
                 (long long)(report->took_us / 1000), (long long)(report->took_us % 1000));
}

static void message(void *user, const char *method, int error)
{
    const struct observing *observing = user;

    if (observing->metrics)
        metrics_message(observing->metrics, method, error);
    if (observing->log && error && observing->log_level >= LOG_DEBUG)
        log_line(observing->log, LOG_DEBUG, "%s: error %d", method, error);
}

struct observer observer_of(struct observing *observing)
{
    int  level    = observing->log ? observing->log_level : 0;
    bool calls    = observing->metrics || observing->audit || level >= LOG_WARN;
    bool messages = observing->metrics || level >= LOG_DEBUG;

    return (struct observer){ .called    = calls ? called : NULL,
                              .message   = messages ? message : NULL,
                              .user      = observing,
                              .arguments = observing->audit && observing->arguments };
}
