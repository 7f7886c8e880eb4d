/* feed_inside.h - the records of a feed.
 *
 *   feed.c    calls and tools
 *   series.c  seconds
 *   wrong.c   what callers get wrong
 */
#ifndef NET_CONSOLE_FEED_INSIDE_H
#define NET_CONSOLE_FEED_INSIDE_H

#include <pthread.h>

#include "base/table.h"
#include "model/form.h"
#include "net/console/feed.h"

#define FEED_BUCKETS   128 /* four for each power of two, of microseconds */
#define FEED_FOUND     3   /* issues of a call */
#define FEED_CODE      32
#define FEED_TEXT      240
#define FEED_MINUTES   15
#define FEED_CALLERS   8                  /* of a row, that are counted */
#define FEED_ARGUMENTS ((size_t)16 << 10) /* bytes of one call; longer ones are left out */

enum tn_feed_kind { FEED_OK, FEED_REFUSED, FEED_FAILED };

struct tn_feed_found {
    char parameter[FEED_NAME + 1], code[FEED_CODE + 1], text[FEED_TEXT + 1];
};

struct tn_feed_record {
    uint64_t             id;
    int64_t              time_ms, took_us, upstream_us;
    size_t               bytes_in, bytes_out, coerced, reformed, clamped, issues, found_count;
    char                 tool[2 * FEED_NAME + 1], caller[FEED_NAME + 1], upstream[FEED_NAME + 1];
    char                 code[FEED_CODE + 1]; /* "" when it is OK */
    struct tn_feed_found found[FEED_FOUND];
    char                *arguments; /* JSON without secrets, or NULL */
    size_t               arguments_len;
    struct tn_call_wire  wire; /* its texts are in wire_text; not kept: that is NULL */
    char                *wire_text;
    size_t               wire_len;
};

struct tn_feed_histogram {
    uint32_t counts[FEED_BUCKETS], total;
};

struct tn_feed_tool {
    struct tn_slice          name;
    uint64_t                 calls, refused, failed;
    struct tn_feed_histogram took;
};

struct tn_feed_row {
    uint64_t hash, count; /* count 0: it is free */
    int64_t  last_ms, minute;
    uint32_t recent[FEED_MINUTES]; /* by minutes, the last one is `minute` */
    uint64_t callers[FEED_CALLERS];
    size_t   caller_count;
    char     tool[2 * FEED_NAME + 1], parameter[FEED_NAME + 1], code[FEED_CODE + 1];
    char     text[FEED_TEXT + 1], nearest[FEED_NAME + 1];
};

struct tn_feed_second {
    uint32_t calls, refused, failed, p50_us, p95_us, p99_us, in_flight, busy, queued, memory_kib;
};

struct tn_feed {
    pthread_mutex_t lock;
    tenon_allocator memory;
    int64_t         began_ms;

    struct tn_feed_record calls[FEED_CALLS];
    uint64_t              latest;

    struct tn_arena      arena; /* of tools */
    struct tn_table      names;
    struct tn_feed_tool *tools[FEED_TOOLS];
    size_t               tool_count;
    uint64_t             total, refused;

    struct tn_feed_second    seconds[FEED_SECONDS]; /* a ring */
    size_t                   next;
    int64_t                  second; /* that is counted now, since 1970 */
    struct tn_feed_second    now;
    struct tn_feed_histogram took;

    struct tn_feed_row rows[FEED_ROWS], unknown[FEED_UNKNOWN];
    uint64_t           coerced, clamped, forms[FORMS];
};

enum tn_feed_kind tn_feed_kind_of(const char *code);
void     tn_feed_copy(char *to, size_t room, struct tn_slice from); /* cut at a code point, with a NUL */
void     tn_feed_took(struct tn_feed_histogram *histogram, int64_t us);
uint32_t tn_feed_percentile(const struct tn_feed_histogram *histogram, unsigned percent);

/* With the lock: a report, for the second and for the rows. */
void tn_feed_count_second(struct tn_feed *feed, const struct tn_call_report *report, enum tn_feed_kind kind);
void tn_feed_count_wrong(struct tn_feed *feed, const struct tn_call_report *report);

#endif
