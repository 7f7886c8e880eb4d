/* feed.h - what the console shows of calls: the last ones, counts by tool, what callers get wrong, and a quarter of an hour by
 * seconds. There is one with --console only.
 *
 * Everything has a fixed size: a caller that sends ten thousand names, or a server with ten thousand tools, does not make it
 * grow. A call costs one lock and one record; what is shown is written when a page asks. By any thread.
 */
#ifndef NET_CONSOLE_FEED_H
#define NET_CONSOLE_FEED_H

#include <tenon/json.h>

#include "base/arena.h"
#include "mcp/observe.h"

#define FEED_CALLS   500 /* that are kept */
#define FEED_SECONDS 900
#define FEED_TOOLS   2000 /* that are counted by name */
#define FEED_ROWS    512  /* of tool, parameter and code */
#define FEED_UNKNOWN 256  /* of tool and unknown name */
#define FEED_NAME    64   /* bytes of a name that are kept */

/* Of the server, for the second that ends. */
struct tn_feed_gauges {
    size_t in_flight, busy, queued;
};

struct tn_feed;

/* NULL without memory. */
struct tn_feed *tn_feed_new(const tenon_allocator *memory, int64_t now_ms);
void            tn_feed_free(struct tn_feed *feed);

void tn_feed_call(struct tn_feed *feed, const struct tn_call_report *report);

/* A second has passed, or several: `now_ms` is of the wall clock. */
void tn_feed_tick(struct tn_feed *feed, const struct tn_feed_gauges *gauges, int64_t now_ms);

/* ---- What is shown: members of an object that is open in the writer ---- */

void tn_feed_write_tools(struct tn_feed *feed, tenon_writer *to);
void tn_feed_write_series(struct tn_feed *feed, tenon_writer *to);
void tn_feed_write_wrong(struct tn_feed *feed, tenon_writer *to);

/* One call by its number, `whole` with its arguments and messages; false when it is not kept any more. */
bool tn_feed_write_call(struct tn_feed *feed, tenon_writer *to, uint64_t id, bool whole);

/* The number of the latest call, and of the oldest that is kept; 0 when there is none. */
uint64_t tn_feed_latest(struct tn_feed *feed, uint64_t *oldest);

#endif
