/* console.c - upstreams as the console shows them. */
#define _GNU_SOURCE
#include <string.h>

#include "base/table.h"
#include "contract/offer.h"
#include "guard/catalog.h"
#include "guard/link.h"
#include "guard/phrases.h"
#include "guard/pins/pins.h"
#include "guard/report/report.h"
#include "json/writer.h"

#define TARGET_MAX ((size_t)300)
#define TEXT_MAX   ((size_t)64 << 20)

#define LISTED_SHIFT 12 /* of a hash, so that JavaScript has each bit of the rest */

/* ---- Numbers --------------------------------------------------------------------------------------------------------- */

static uint64_t count_of(const struct tn_histogram *histogram)
{
    uint64_t count = 0;

    for (size_t i = 0; i < HISTOGRAM_BUCKETS; i++)
        count += histogram->buckets[i];
    return count;
}

/* The end of the bucket that it is in, in milliseconds. */
static double p95_of(const struct tn_histogram *histogram)
{
    uint64_t rank = (count_of(histogram) * 95 + 99) / 100, sum = 0;

    for (size_t i = 0; rank > 0 && i < HISTOGRAM_BUCKETS - 1; i++) {
        sum += histogram->buckets[i];
        if (sum >= rank)
            return (double)tn_report_bucket_ends_us[i] / 1000;
    }
    return rank > 0 ? (double)tn_report_bucket_ends_us[HISTOGRAM_BUCKETS - 2] / 1000 : 0;
}

static double mean_of(const struct tn_histogram *histogram)
{
    uint64_t count = count_of(histogram);

    return count > 0 ? (double)histogram->sum_us / (double)count / 1000 : 0;
}

static uint64_t calls_of(const struct tn_standing *standing)
{
    uint64_t count = 0;

    for (size_t i = 0; i < OUTCOMES; i++)
        count += standing->other.outcomes[i];
    for (size_t t = 0; t < standing->tool_count; t++)
        for (size_t i = 0; i < OUTCOMES; i++)
            count += standing->tools[t]->outcomes[i];
    return count;
}

/* ---- One upstream ------------------------------------------------------------------------------------------------------ */

/* What it calls itself: a name and a version, or nothing before it was spoken with. */
static void write_server(tenon_writer *to, struct tn_arena *arena, const tenon_client *client)
{
    const tenon_json *about   = client ? tn_offer_server_info(tenon_client_server(client)) : NULL;
    tenon_str         name    = tenon_json_str(tenon_json_get(about, "name"));
    tenon_str         version = tenon_json_str(tenon_json_get(about, "version"));
    struct tn_buf     out;

    tn_buf_init(&out, arena, 0, TARGET_MAX);
    if (name.len > 0 && name.len + version.len < TARGET_MAX) {
        tn_buf_add(&out, name.at, name.len);
        tn_buf_text(&out, version.len > 0 ? " " : "");
        tn_buf_add(&out, version.at, version.len);
    }
    tenon_write_bytes(to, "server", tn_buf_slice(&out).at, tn_buf_slice(&out).len);
}

static void write_state(tenon_writer *to, struct tn_arena *arena, const struct tn_guard *guard,
                        const struct tn_upstream *upstream, const struct tn_catalog **catalog)
{
    const char           *state = GUARD_STATE_IDLE, *era = "", *words = GUARD_STATE_IDLE_WORDS;
    const struct tn_link *best = NULL;

    for (const struct tn_link *link = guard->links; link; link = link->next) {
        if (link->upstream != upstream)
            continue;
        if (!best || (link->ready && !best->ready))
            best = link;
        *catalog = *catalog ? *catalog : link->catalog;
    }
    if (best && best->ready) {
        state = GUARD_STATE_READY;
        words = "";
    } else if (best && best->client) {
        state = GUARD_STATE_STARTING;
        words = "";
    } else if (best && best->upkeep.why[0]) {
        state = GUARD_STATE_ENDED;
        words = best->upkeep.why;
    }
    if (best && best->client)
        era = tenon_client_revision(best->client);
    tenon_write_str(to, "state", state);
    tenon_write_bytes(to, "words", words, strlen(words));
    tenon_write_str(to, "era", era);
    write_server(to, arena, best ? best->client : NULL);
}

/* The command or the address, without what comes after '?': that may be a secret. Arguments of commands may be, too, so that only
 * the first words are shown. */
static void write_target(tenon_writer *to, struct tn_arena *arena, const struct tn_upstream *upstream)
{
    struct tn_buf out;

    tn_buf_init(&out, arena, 0, TARGET_MAX);
    if (upstream->url)
        tn_buf_add(&out, upstream->url, strcspn(upstream->url, "?#"));
    for (size_t i = 0; upstream->words && upstream->words[i] && i < 2; i++)
        tn_buf_addf(&out, "%s%s", i > 0 ? " " : "", upstream->words[i]);
    if (upstream->words && upstream->words[0] && upstream->words[1] && upstream->words[2])
        tn_buf_lit(&out, " …");
    tenon_write_bytes(to, "target", tn_buf_slice(&out).at, tn_buf_slice(&out).len);
}

static const char *reason_of(const struct tn_offered *tool)
{
    if (!tool->held)
        return "policy";
    return tool->denied && strcmp(tool->denied, GUARD_UNAPPROVED) == 0 ? "new" : "changed";
}

static void write_tools(tenon_writer *to, const struct tn_catalog *catalog)
{
    int64_t published = 0;

    tenon_write_array(to, "hidden");
    for (size_t i = 0; catalog && i < catalog->count; i++) {
        const struct tn_offered *tool = &catalog->at[i];

        if (!tool->hidden && !tool->unlisted) {
            published++;
            continue;
        }
        tenon_write_object(to, NULL);
        tenon_write_bytes(to, "tool", tool->name.at, tool->name.len);
        tenon_write_str(to, "reason", reason_of(tool));
        tenon_write_bytes(to, "words", tool->why_hidden ? tool->why_hidden : "",
                          tool->why_hidden ? strlen(tool->why_hidden) : 0);
        tenon_write_end(to);
    }
    tenon_write_end(to);
    tenon_write_int(to, "published", published);
    tenon_write_int(to, "listed", catalog ? (int64_t)(tn_table_hash(catalog->text) >> LISTED_SHIFT) : 0);
}

static void write_upstream(tenon_writer *to, struct tn_arena *arena, const struct tn_guard *guard, size_t at)
{
    const struct tn_upstream *upstream = &guard->upstreams[at];
    const struct tn_standing *standing = &guard->standings[at];
    const struct tn_catalog  *catalog  = NULL;
    struct tn_buf             prefix;

    tenon_write_object(to, NULL);
    tenon_write_str(to, "name", upstream->name);
    write_state(to, arena, guard, upstream, &catalog);
    write_target(to, arena, upstream);
    tenon_write_str(to, "transport", upstream->words ? "stdio" : "HTTP");
    tn_buf_init(&prefix, arena, 0, TARGET_MAX);
    tn_buf_addf(&prefix, "%s%s", upstream->prefix ? upstream->prefix : upstream->name,
                upstream->prefix ? "" : "_");
    tenon_write_bytes(to, "prefix", tn_buf_slice(&prefix).at, tn_buf_slice(&prefix).len);
    tenon_write_int(to, "restarts", standing->starts > 0 ? (int64_t)standing->starts - 1 : 0);
    tenon_write_int(to, "junk", (int64_t)standing->junk);
    tenon_write_int(to, "calls", (int64_t)calls_of(standing));
    tenon_write_num(to, "p95", p95_of(&standing->upstream));
    tenon_write_num(to, "overhead", mean_of(&standing->overhead));
    write_tools(to, catalog);
    tenon_write_end(to);
}

void tn_status_console(void *user, struct tn_buf *out)
{
    struct tn_guard *guard = user;
    struct tn_arena  arena;
    tenon_writer    *to;
    const char      *text;
    size_t           len;

    static const char *const changes[] = {
        [CHANGED_HIDE] = "hide", [CHANGED_KEEP] = "keep", [CHANGED_WARN] = "warn"
    };

    tn_arena_init(&arena, &guard->memory, 3 * TEXT_MAX);
    to = tn_writer_in(&arena, TEXT_MAX);
    tenon_write_object(to, NULL);
    tenon_write_array(to, "upstreams");
    for (size_t i = 0; i < guard->upstream_count; i++)
        write_upstream(to, &arena, guard, i);
    tenon_write_end(to);
    tenon_write_str(to, "lock", guard->pins ? guard->policy.lock : NULL);
    tenon_write_str(to, "onChange", changes[guard->policy.changed]);
    tn_pins_write_changes(guard, &arena, to);
    tenon_write_end(to);
    text = tenon_writer_text(to, &len);
    if (text)
        tn_buf_add(out, text, len);
    else
        out->failed = true;
    tn_arena_free(&arena);
}
