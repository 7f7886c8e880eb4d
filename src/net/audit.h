/* audit.h - one line of JSON for each call, added to a file.
 *
 *     {"time":"2026-07-28T09:30:00.123Z","tool":"search","outcome":"OK","ms":1.250,"received":80,"sent":312}
 *
 * and, when there is something to say, "caller", "trace", "issues", "coerced", "clamped", "overrun" and "arguments"; of a
 * guarded call also "upstream", "upstreamTool", "repaired", "denied", "pinned", "attempt", "wait" and "upstreamMs"
 * (milliseconds until it was sent, and until it was answered), and "argumentsSha256". The
 * file is opened anew when it was moved or deleted, so that it can be rotated by renaming it, without a signal. What a full
 * disk cut off stays, on a line of its own; where lines are missing, one of
 *
 *     {"time":"2026-07-28T09:31:00.000Z","lost":2497}
 *
 * says how many.
 */
#ifndef NET_AUDIT_H
#define NET_AUDIT_H

#include "base/clock.h"
#include "mcp/observe.h"
#include "net/settings.h"

#define AUDIT_ARGUMENTS_MAX ((size_t)64 << 10) /* longer ones are left out, and their length is said */
#define AUDIT_LOOK_MS       1000               /* how often the file's name is looked at */
#define AUDIT_COMPLAIN_MS   60000              /* how often a failure is logged, and that it is over */

struct audit;

/* Opens settings->audit. NULL, with *mistake in the settings' arena, when that fails; NULL and no mistake without
 * --audit. `settings` and `log` outlive it. */
struct audit *tn_audit_new(struct tn_settings *settings, const tenon_allocator *memory,
                           const struct tn_log *log, struct tn_clock clock, const char **mistake);
void          tn_audit_free(struct audit *audit);

/* By any thread. What cannot be written is counted, and reported in the log and, once it can be written, in the file. */
void tn_audit_call(struct audit *audit, const struct tn_call_report *report);

/* Lines lost since the start, by any thread; 0 for NULL. */
uint64_t tn_audit_lost(const struct audit *audit);

#endif
