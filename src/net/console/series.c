/* series.c - a quarter of an hour by seconds. */
#define _GNU_SOURCE
#include <stddef.h>

#include "base/os.h"
#include "net/console/feed_inside.h"

/* ---- How long calls took ---------------------------------------------------------------------------------------- */

/* Four buckets for each power of two: a percentile is at most a fifth too high. */
static size_t bucket_of(int64_t us)
{
    uint32_t value = us <= 0 ? 0 : us > UINT32_MAX ? UINT32_MAX : (uint32_t)us;
    unsigned power;

    if (value < 4)
        return value;
    power = 31 - (unsigned)__builtin_clz(value);
    return (power - 1) * 4 + ((value >> (power - 2)) & 3);
}

/* The largest value of a bucket. */
static uint32_t end_of(size_t bucket)
{
    unsigned power = (unsigned)bucket / 4 + 1;

    if (bucket < 4)
        return (uint32_t)bucket;
    return (uint32_t)(((uint64_t)(bucket % 4 + 5) << (power - 2)) - 1);
}

void tn_feed_took(struct tn_feed_histogram *histogram, int64_t us)
{
    histogram->counts[bucket_of(us)]++;
    histogram->total++;
}

uint32_t tn_feed_percentile(const struct tn_feed_histogram *histogram, unsigned percent)
{
    uint64_t rank = ((uint64_t)histogram->total * percent + 99) / 100, sum = 0;

    if (histogram->total == 0)
        return 0;
    for (size_t i = 0; i < FEED_BUCKETS; i++) {
        sum += histogram->counts[i];
        if (sum >= rank)
            return end_of(i);
    }
    return end_of(FEED_BUCKETS - 1);
}

/* ---- Seconds ---------------------------------------------------------------------------------------------------- */

void tn_feed_count_second(struct tn_feed *feed, const struct tn_call_report *report, enum tn_feed_kind kind)
{
    feed->now.calls++;
    feed->now.refused += kind == FEED_REFUSED;
    feed->now.failed += kind == FEED_FAILED;
    tn_feed_took(&feed->took, report->took_us);
}

static void close_second(struct tn_feed *feed, const struct tn_feed_gauges *gauges, uint32_t memory)
{
    feed->now.p50_us     = tn_feed_percentile(&feed->took, 50);
    feed->now.p95_us     = tn_feed_percentile(&feed->took, 95);
    feed->now.p99_us     = tn_feed_percentile(&feed->took, 99);
    feed->now.in_flight  = (uint32_t)gauges->in_flight;
    feed->now.busy       = (uint32_t)gauges->busy;
    feed->now.queued     = (uint32_t)gauges->queued;
    feed->now.memory_kib = memory;

    feed->seconds[feed->next] = feed->now;
    feed->next                = (feed->next + 1) % FEED_SECONDS;
    feed->now                 = (struct tn_feed_second){ 0 };
    feed->took                = (struct tn_feed_histogram){ .total = 0 };
}

void tn_feed_tick(struct tn_feed *feed, const struct tn_feed_gauges *gauges, int64_t now_ms)
{
    int64_t  second = now_ms / 1000, passed;
    uint32_t memory = tn_os_memory_kib();

    pthread_mutex_lock(&feed->lock);
    passed = second - feed->second;
    if (passed > FEED_SECONDS)
        passed = FEED_SECONDS;
    for (int64_t i = 0; i < passed; i++)
        close_second(feed, gauges, memory);
    if (passed != 0) /* a clock that was set back begins anew */
        feed->second = second;
    pthread_mutex_unlock(&feed->lock);
}

/* ---- What is shown ---------------------------------------------------------------------------------------------- */

static const struct {
    const char *key;
    size_t      offset;
    double      per; /* how many of the unit that is kept make one that is shown */
} lines[] = {
    { "calls", offsetof(struct tn_feed_second, calls), 1 },
    { "refused", offsetof(struct tn_feed_second, refused), 1 },
    { "failed", offsetof(struct tn_feed_second, failed), 1 },
    { "p50", offsetof(struct tn_feed_second, p50_us), 1000 },
    { "p95", offsetof(struct tn_feed_second, p95_us), 1000 },
    { "p99", offsetof(struct tn_feed_second, p99_us), 1000 },
    { "inFlight", offsetof(struct tn_feed_second, in_flight), 1 },
    { "workersBusy", offsetof(struct tn_feed_second, busy), 1 },
    { "workersQueued", offsetof(struct tn_feed_second, queued), 1 },
    { "memory", offsetof(struct tn_feed_second, memory_kib), 1024 },
};

void tn_feed_write_series(struct tn_feed *feed, tenon_writer *to)
{
    pthread_mutex_lock(&feed->lock);
    tenon_write_int(to, "end", feed->second * 1000);
    tenon_write_int(to, "step", 1000);
    for (size_t k = 0; k < sizeof lines / sizeof *lines; k++) {
        tenon_write_array(to, lines[k].key);
        for (size_t i = 0; i < FEED_SECONDS; i++) {
            const struct tn_feed_second *second = &feed->seconds[(feed->next + i) % FEED_SECONDS];
            uint32_t                     value;

            memcpy(&value, (const char *)second + lines[k].offset, sizeof value);
            if (lines[k].per == 1)
                tenon_write_int(to, NULL, value);
            else
                tenon_write_num(to, NULL, (double)value / lines[k].per);
        }
        tenon_write_end(to);
    }
    pthread_mutex_unlock(&feed->lock);
}
