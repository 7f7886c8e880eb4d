/* logging.h - the operator's log: one line at a time to standard error, as text or as JSON.
 *
 *     2026-07-28T09:30:00.123Z info: listening at http://127.0.0.1:8080/mcp
 *     {"time":"2026-07-28T09:30:00.123Z","level":"info","message":"listening at http://127.0.0.1:8080/mcp"}
 *
 * What tn_log_line() hands over, for a program that takes no log of its own. Nothing is allocated, and each line is one
 * write, so that those of several threads and processes do not mix.
 */
#ifndef NET_LOGGING_H
#define NET_LOGGING_H

#include "base/clock.h"
#include "base/log.h"
#include "net/settings.h"

struct tn_logging {
    int              fd;
    int              level; /* lines beyond it are left out */
    enum tn_log_form form;
    struct tn_clock  clock;
};

/* By the settings, to standard error. */
void tn_logging_init(struct tn_logging *logging, const struct tn_settings *settings);

/* A log that writes there; `logging` outlives it. By any thread. */
struct tn_log tn_logging_log(struct tn_logging *logging);

#endif
