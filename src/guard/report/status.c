/* status.c - how the upstreams stand, in the forms that operators read: metrics and a page. */
#define _GNU_SOURCE
#include <string.h>

#include "guard/catalog.h"
#include "guard/link.h"
#include "guard/question/park.h"
#include "guard/report/report.h"
#include "guard/upkeep/upkeep.h"
#include "json/write.h"
#include "net/metrics.h"

static const char *const bucket_texts[HISTOGRAM_BUCKETS] = { "0.0001", "0.0005", "0.001", "0.005", "0.01",
                                                             "0.05",   "0.1",    "0.5",   "1",     "5",
                                                             "10",     "50",     "+Inf" };

/* ---- Metrics ---------------------------------------------------------------------------------------------------- */

/* NAME{upstream="..." */
static void begin_series(struct tn_buf *out, const char *name, const struct tn_upstream *upstream)
{
    tn_buf_addf(out, "%s{upstream=\"", name);
    tn_metrics_label(out, upstream->name);
    tn_buf_char(out, '"');
}

static void end_series(struct tn_buf *out, uint64_t value)
{
    tn_buf_lit(out, "} ");
    tn_buf_uint(out, value);
    tn_buf_char(out, '\n');
}

static void write_tool(struct tn_buf *out, const struct tn_upstream *upstream,
                       const struct tn_standing_tool *tool, const char *name)
{
    for (size_t i = 0; i < OUTCOMES; i++) {
        if (tool->outcomes[i] == 0)
            continue;
        begin_series(out, "tenon_guard_calls_total", upstream);
        tn_buf_lit(out, ",tool=\"");
        tn_metrics_label(out, name);
        tn_buf_addf(out, "\",outcome=\"%s\"", tn_outcome_name((enum tn_outcome)i));
        end_series(out, tool->outcomes[i]);
    }
}

static void write_calls(struct tn_buf *out, const struct tn_guard *guard)
{
    tn_metrics_begin(out, "tenon_guard_calls_total", "counter",
                     "Ended calls, by upstream, tool and outcome.");
    for (size_t i = 0; i < guard->upstream_count; i++) {
        const struct tn_standing *standing = &guard->standings[i];

        for (size_t t = 0; t < standing->tool_count; t++)
            write_tool(out, &guard->upstreams[i], standing->tools[t], standing->tools[t]->name.at);
        write_tool(out, &guard->upstreams[i], &standing->other, "other");
    }
}

static void write_histogram(struct tn_buf *out, const struct tn_guard *guard, const char *name,
                            const char *help, size_t offset)
{
    char series[100];

    tn_metrics_begin(out, name, "histogram", help);
    for (size_t i = 0; i < guard->upstream_count; i++) {
        const struct tn_histogram *histogram = (const void *)((const char *)&guard->standings[i] + offset);
        uint64_t                   sum       = 0;

        for (size_t b = 0; b < HISTOGRAM_BUCKETS; b++) {
            sum += histogram->buckets[b];
            snprintf(series, sizeof series, "%s_bucket", name);
            begin_series(out, series, &guard->upstreams[i]);
            tn_buf_addf(out, ",le=\"%s\"", bucket_texts[b]);
            end_series(out, sum);
        }
        snprintf(series, sizeof series, "%s_sum", name);
        begin_series(out, series, &guard->upstreams[i]);
        tn_buf_addf(out, "} %llu.%06llu\n", (unsigned long long)(histogram->sum_us / 1000000),
                    (unsigned long long)(histogram->sum_us % 1000000));
        snprintf(series, sizeof series, "%s_count", name);
        begin_series(out, series, &guard->upstreams[i]);
        end_series(out, sum);
    }
}

static void write_counters(struct tn_buf *out, const struct tn_guard *guard)
{
    static const struct {
        const char *name, *help;
        size_t      offset;
    } families[] = {
        { "tenon_guard_starts_total", "Commands that were started, and addresses that were connected to.",
          offsetof(struct tn_standing, starts) },
        { "tenon_guard_losses_total", "Conversations that ended by themselves.",
          offsetof(struct tn_standing, losses) },
        { "tenon_guard_junk_lines_total", "Lines that were not messages.",
          offsetof(struct tn_standing, junk) },
        { "tenon_guard_changed_definitions_total", "Definitions that differ from the approved ones.",
          offsetof(struct tn_standing, changed) },
    };

    for (size_t f = 0; f < sizeof families / sizeof *families; f++) {
        tn_metrics_begin(out, families[f].name, "counter", families[f].help);
        for (size_t i = 0; i < guard->upstream_count; i++) {
            uint64_t value;

            memcpy(&value, (const char *)&guard->standings[i] + families[f].offset, sizeof value);
            begin_series(out, families[f].name, &guard->upstreams[i]);
            end_series(out, value);
        }
    }
}

/* Of the clients that are there, and of those that were. */
static uint64_t late_of(const struct tn_guard *guard, size_t at)
{
    uint64_t late = guard->standings[at].late;

    for (const struct tn_link *link = guard->links; link; link = link->next)
        if (link->upstream == &guard->upstreams[at] && link->client)
            late += link->client->late;
    return late;
}

static void write_looked_up(struct tn_buf *out, const struct tn_guard *guard)
{
    tn_metrics_begin(out, "tenon_guard_late_answers_total", "counter",
                     "Answers of servers that nothing waited for any more.");
    for (size_t i = 0; i < guard->upstream_count; i++) {
        begin_series(out, "tenon_guard_late_answers_total", &guard->upstreams[i]);
        end_series(out, late_of(guard, i));
    }
    tn_metrics_begin(out, "tenon_guard_parked_calls", "gauge",
                     "Calls that wait for answers of their clients to questions.");
    for (size_t i = 0; i < guard->upstream_count; i++) {
        begin_series(out, "tenon_guard_parked_calls", &guard->upstreams[i]);
        end_series(out, tn_park_count(guard, &guard->upstreams[i]));
    }
}

/* The breaker that is worst: of the address, or of the commands that run for it. */
static enum tn_breaker_state breaker_of(const struct tn_guard *guard, size_t at)
{
    enum tn_breaker_state state = guard->standings[at].breaker.state;

    for (const struct tn_link *link = guard->links; link; link = link->next)
        if (link->upstream == &guard->upstreams[at] && link->upkeep.starts.state != BREAKER_CLOSED &&
            state != BREAKER_OPEN)
            state = link->upkeep.starts.state;
    return state;
}

void tn_status_metrics(void *user, struct tn_buf *out)
{
    const struct tn_guard *guard = user;

    write_calls(out, guard);
    write_histogram(out, guard, "tenon_guard_overhead_seconds", "The guard's own time of a call.",
                    offsetof(struct tn_standing, overhead));
    write_histogram(out, guard, "tenon_guard_upstream_seconds",
                    "The time that the guarded server had a call.", offsetof(struct tn_standing, upstream));
    write_counters(out, guard);
    write_looked_up(out, guard);
    tn_metrics_begin(out, "tenon_guard_breaker_open", "gauge",
                     "1 while calls are refused, 0.5 while it is tried.");
    for (size_t i = 0; i < guard->upstream_count; i++) {
        static const char *const values[] = { "0", "1", "0.5" };

        begin_series(out, "tenon_guard_breaker_open", &guard->upstreams[i]);
        tn_buf_addf(out, "} %s\n", values[breaker_of(guard, i)]);
    }
}

/* ---- The page ------------------------------------------------------------------------------------------------- */

static void add_string(struct tn_buf *out, const char *key, const char *text)
{
    tn_buf_addf(out, "\"%s\":", key);
    tn_json_string(out, text, strlen(text));
}

static const char *state_of(const struct tn_link *link)
{
    if (link->ready)
        return "ready";
    return link->client ? "starting" : link->upkeep.idle ? "idle" : "ended";
}

/* One object for each conversation. */
static const struct tn_catalog *write_links(struct tn_buf *out, const struct tn_guard *guard, size_t at)
{
    const struct tn_catalog *catalog = NULL;
    bool                     more    = false;

    tn_buf_lit(out, ",\"conversations\":[");
    for (const struct tn_link *link = guard->links; link; link = link->next) {
        if (link->upstream != &guard->upstreams[at])
            continue;
        if (more)
            tn_buf_char(out, ',');
        more = true;
        tn_buf_char(out, '{');
        add_string(out, "state", state_of(link));
        if (link->client && tenon_client_revision(link->client)[0]) {
            tn_buf_char(out, ',');
            add_string(out, "era", tenon_client_revision(link->client));
        }
        if (link->upkeep.why[0]) {
            tn_buf_char(out, ',');
            add_string(out, "lost", link->upkeep.why);
        }
        tn_buf_char(out, '}');
        catalog = catalog ? catalog : link->catalog;
    }
    tn_buf_char(out, ']');
    return catalog;
}

static bool is_hidden(const struct tn_offered *tool)
{
    return tool->hidden || tool->unlisted;
}

/* Tools as the first conversation that has a list knows them. */
static void write_tools(struct tn_buf *out, const struct tn_catalog *catalog)
{
    bool more = false;

    tn_buf_lit(out, ",\"published\":[");
    for (size_t i = 0; catalog && i < catalog->count; i++) {
        if (is_hidden(&catalog->at[i]))
            continue;
        if (more)
            tn_buf_char(out, ',');
        more = true;
        tn_json_string(out, catalog->at[i].name.at, catalog->at[i].name.len);
    }
    tn_buf_lit(out, "],\"hidden\":[");
    more = false;
    for (size_t i = 0; catalog && i < catalog->count; i++) {
        if (!is_hidden(&catalog->at[i]))
            continue;
        tn_buf_text(out, more ? ",{\"name\":" : "{\"name\":");
        more = true;
        tn_json_string(out, catalog->at[i].name.at, catalog->at[i].name.len);
        tn_buf_char(out, ',');
        add_string(out, "reason", catalog->at[i].why_hidden ? catalog->at[i].why_hidden : "");
        tn_buf_char(out, '}');
    }
    tn_buf_char(out, ']');
}

void tn_status_page(void *user, struct tn_buf *out)
{
    const struct tn_guard *guard = user;

    tn_buf_lit(out, "{\"upstreams\":[");
    for (size_t i = 0; i < guard->upstream_count; i++) {
        const struct tn_standing *standing = &guard->standings[i];

        tn_buf_text(out, i > 0 ? ",{" : "{");
        add_string(out, "name", guard->upstreams[i].name);
        tn_buf_char(out, ',');
        add_string(out, "kind", guard->upstreams[i].words ? "command" : "address");
        tn_buf_char(out, ',');
        add_string(out, "breaker", tn_breaker_name(breaker_of(guard, i)));
        tn_buf_addf(out, ",\"starts\":%llu,\"losses\":%llu,\"junkLines\":%llu",
                    (unsigned long long)standing->starts, (unsigned long long)standing->losses,
                    (unsigned long long)standing->junk);
        write_tools(out, write_links(out, guard, i));
        tn_buf_char(out, '}');
    }
    tn_buf_lit(out, "]}\n");
}
