/* report.c - counting, and the line of the audit. */
#define _GNU_SOURCE
#include "guard/report/report.h"

#include <sodium.h>
#include <string.h>

#include "answer/audit.h"
#include "answer/call.h"
#include "base/clock.h"
#include "base/memory.h"
#include "guard/catalog.h"
#include "guard/phrases.h"
#include "guard/relay.h"
#include "guard/seat.h"
#include "json/member.h"
#include "mcp/observe.h"
#include "mcp/wire.h"
#include "model/taken.h"
#include "text/secret.h"

#define JUNK_LINES_MAX 5 /* that are logged in a minute */
#define JUNK_SHOWN_MAX 100
#define MINUTE_MS      60000

const int64_t tn_report_bucket_ends_us[HISTOGRAM_BUCKETS - 1] = { 100,     500,     1000,     5000,
                                                                  10000,   50000,   100000,   500000,
                                                                  1000000, 5000000, 10000000, 50000000 };

const char *tn_outcome_name(enum tn_outcome outcome)
{
    static const char *const names[OUTCOMES] = { "OK",
                                                 "TOOL_ERROR",
                                                 "RPC_ERROR",
                                                 TENON_CODE_VALIDATION_ERROR,
                                                 TENON_CODE_DENIED,
                                                 TENON_CODE_LIMIT_EXCEEDED,
                                                 TENON_CODE_UNAVAILABLE,
                                                 TENON_CODE_TIMEOUT,
                                                 TENON_CODE_CANCELLED,
                                                 GUARD_CODE_UPSTREAM_INVALID,
                                                 TENON_CODE_INTERNAL_ERROR,
                                                 "other" };

    return names[outcome];
}

static enum tn_outcome outcome_of(const char *code)
{
    enum tn_outcome outcome = OUTCOME_OK;

    while (outcome < OUTCOME_OTHER && strcmp(tn_outcome_name(outcome), code) != 0)
        outcome++;
    return outcome;
}

/* ---- Upstreams ------------------------------------------------------------------------------------------------ */

bool tn_standings_open(struct tn_guard *guard)
{
    size_t size = guard->upstream_count * sizeof *guard->standings;

    guard->standings = size > 0 ? tn_memory_new(&guard->memory, size) : NULL;
    if (!guard->standings)
        return false;
    memset(guard->standings, 0, size);
    for (size_t i = 0; i < guard->upstream_count; i++) {
        const struct tn_upstream *upstream = &guard->upstreams[i];

        tn_arena_init(&guard->standings[i].arena, &guard->memory, 0);
        tn_breaker_init(&guard->standings[i].breaker, upstream->failures, upstream->failures_ms,
                        upstream->failure_pause);
    }
    return true;
}

void tn_standings_close(struct tn_guard *guard)
{
    for (size_t i = 0; guard->standings && i < guard->upstream_count; i++)
        tn_arena_free(&guard->standings[i].arena);
    if (guard->standings)
        tn_memory_free(&guard->memory, guard->standings, guard->upstream_count * sizeof *guard->standings);
    guard->standings = NULL;
}

struct tn_standing *tn_standing_of(const struct tn_link *link)
{
    return &link->guard->standings[link->upstream->at];
}

void tn_report_started(struct tn_link *link)
{
    tn_standing_of(link)->starts++;
}

/* What a server prints beside its messages. The first lines of a minute are logged, shortened; the log makes them harmless. */
void tn_report_junk(struct tn_link *link, struct tn_slice bytes)
{
    struct tn_standing *standing = tn_standing_of(link);
    int64_t             minute   = tn_client_now_ms() / MINUTE_MS;
    int                 shown    = (int)(bytes.len < JUNK_SHOWN_MAX ? bytes.len : JUNK_SHOWN_MAX);

    standing->junk++;
    if (standing->junk_minute != minute) {
        standing->junk_minute = minute;
        standing->junk_logged = 0;
    }
    if (standing->junk_logged++ < JUNK_LINES_MAX)
        tn_log_line(&link->guard->server->log, LOG_WARN, GUARD_LOG_JUNK, link->upstream->name, shown,
                    bytes.at);
}

void tn_report_ended(struct tn_link *link)
{
    if (link->client)
        tn_standing_of(link)->late += link->client->late;
}

void tn_report_changed(struct tn_guard *guard, const struct tn_upstream *upstream)
{
    guard->standings[upstream->at].changed++;
}

/* ---- A call --------------------------------------------------------------------------------------------------- */

/* As they came; or written anew, when their name is spelled with escapes. */
static struct tn_slice arguments_of(const struct tn_relay *relay)
{
    struct tn_slice came  = tn_member_of(tn_member_of(relay->message, "params"), "arguments");
    yyjson_val     *value = tn_rpc_get(relay->x->params, "arguments");
    struct tn_buf   out;

    if (came.len > 0 || !value)
        return came;
    tn_buf_init(&out, &relay->x->arena, 256, RESULT_LEN_MAX);
    tn_json_value(&out, value);
    return tn_buf_slice(&out);
}

/* As they came, but for members that hold a credential by their name, or something in them that does. */
static struct tn_slice without_secrets(const struct tn_relay *relay, struct tn_slice came)
{
    yyjson_val     *value = tn_rpc_get(relay->x->params, "arguments");
    yyjson_obj_iter members;
    yyjson_val     *key;
    struct tn_buf   out;

    tn_buf_init(&out, &relay->x->arena, came.len + 16, RESULT_LEN_MAX);
    if (!tn_secret_is_in(value, SIZE_MAX)) {
        tn_buf_add(&out, came.at, came.len);
        return tn_buf_slice(&out);
    }
    if (!yyjson_is_obj(value))
        return SLICE_LIT(AUDIT_HIDDEN);
    tn_buf_char(&out, '{');
    yyjson_obj_iter_init(value, &members);
    while ((key = yyjson_obj_iter_next(&members))) {
        yyjson_val     *member = yyjson_obj_iter_get_val(key);
        struct tn_slice name   = { yyjson_get_str(key), yyjson_get_len(key) };

        if (out.len > 1)
            tn_buf_char(&out, ',');
        tn_json_string(&out, name.at, name.len);
        tn_buf_char(&out, ':');
        if (tn_secret_is_key(name) || tn_secret_is_in(member, SIZE_MAX))
            tn_buf_lit(&out, AUDIT_HIDDEN);
        else
            tn_json_value(&out, member);
    }
    tn_buf_char(&out, '}');
    return tn_buf_slice(&out);
}

/* What was sent is recognized by its hash; what it was stays with the caller, unless the operator asks for it. */
static void keep_arguments(struct tn_relay *relay)
{
    const struct tn_observer *observer  = &relay->x->server->observer;
    struct tn_slice           arguments = arguments_of(relay);
    unsigned char             hash[crypto_hash_sha256_BYTES];
    char                     *text = tn_arena_take(&relay->x->arena, 2 * sizeof hash + 1, 1);

    if (!text || arguments.len == 0)
        return;
    crypto_hash_sha256(hash, (const unsigned char *)arguments.at, arguments.len);
    relay->report.hash = sodium_bin2hex(text, 2 * sizeof hash + 1, hash, sizeof hash);
    if (observer->arguments)
        relay->report.arguments = without_secrets(relay, arguments);
}

void tn_report_begin(struct tn_relay *relay)
{
    relay->report = (struct tn_report){ .is_call  = tn_slice_is(relay->method, "tools/call"),
                                        .begun_us = tn_clock_now_us(),
                                        .hash     = "" };
    if (relay->report.is_call && relay->x->server->observer.hashes)
        keep_arguments(relay);
}

void tn_report_sent(struct tn_relay *relay)
{
    struct tn_report *report = &relay->report;

    report->sent_us = tn_clock_now_us();
    if (report->attempt++ == 0)
        report->waited_us = report->sent_us - report->begun_us;
}

void tn_report_answered(struct tn_relay *relay)
{
    struct tn_report *report = &relay->report;

    if (report->sent_us)
        report->upstream_us += tn_clock_now_us() - report->sent_us;
    report->sent_us = 0;
}

void tn_report_outcome(struct tn_relay *relay, enum tn_outcome outcome)
{
    relay->report.code    = NULL;
    relay->report.outcome = outcome;
    relay->report.ended   = true;
}

void tn_report_code(struct tn_relay *relay, const char *code)
{
    relay->report.code    = code;
    relay->report.outcome = outcome_of(code);
    relay->report.ended   = true;
}

void tn_report_denied(struct tn_relay *relay, const char *reason)
{
    relay->report.denied = reason;
}

void tn_report_pinned(struct tn_relay *relay, const char *what)
{
    relay->report.pinned = what;
}

/* The judge is the guard's one, and the next call's soon: what is reported is copied. */
void tn_report_judged(struct tn_relay *relay, size_t issues, size_t repaired, const struct tn_judge *judge)
{
    const struct tn_observer *observer = &relay->x->server->observer;
    struct tn_report         *report   = &relay->report;
    size_t                   *forms;

    report->issues   = issues;
    report->repaired = repaired;
    if (!observer->found)
        return;
    report->coerced  = judge->coerced;
    report->reformed = judge->reformed;
    report->clamped  = judge->clamped;
    report->found    = tn_observe_issues(observer, &relay->x->arena, &judge->issues, &report->found_count);
    forms            = judge->taken ? tn_arena_array(&relay->x->arena, FORMS, size_t) : NULL;
    if (forms)
        report->forms = memcpy(forms, judge->taken->counts, sizeof judge->taken->counts);
}

/* ---- Its end ---------------------------------------------------------------------------------------------------- */

static void histogram_add(struct tn_histogram *histogram, int64_t us)
{
    size_t at = 0;

    while (at < HISTOGRAM_BUCKETS - 1 && us > tn_report_bucket_ends_us[at])
        at++;
    histogram->buckets[at]++;
    histogram->sum_us += us > 0 ? (uint64_t)us : 0;
}

/* The counters of a tool of a definition; those beyond the bound share one. */
static struct tn_standing_tool *tool_of(struct tn_standing *standing, const struct tn_offered *offered)
{
    struct tn_standing_tool *tool = tn_table_find(&standing->names, NULL, offered->name);

    if (tool || standing->tool_count == STANDING_TOOLS_MAX)
        return tool ? tool : &standing->other;
    tool = tn_arena_new(&standing->arena, struct tn_standing_tool);
    if (!tool)
        return &standing->other;
    memset(tool, 0, sizeof *tool);
    tool->name = (struct tn_slice){ tn_arena_copy(&standing->arena, offered->name.at, offered->name.len),
                                    offered->name.len };
    if (!tool->name.at || !tn_table_add(&standing->names, &standing->arena, NULL, tool->name, tool))
        return &standing->other;
    standing->tools[standing->tool_count++] = tool;
    return tool;
}

/* They are looked for once: a catalog is of one upstream, whose counters stay where they are. */
static struct tn_standing_tool *counters_of(struct tn_standing *standing, const struct tn_relay *relay)
{
    struct tn_offered *offered = relay->tool ? &relay->catalog->at[relay->tool - relay->catalog->at] : NULL;

    if (!offered)
        return &standing->other;
    if (!offered->standing)
        offered->standing = tool_of(standing, offered);
    return offered->standing;
}

static void write_audit(const struct tn_relay *relay)
{
    const struct tn_exchange *x       = relay->x;
    const struct tn_report   *report  = &relay->report;
    struct tn_call_guarded    guarded = { .upstream      = report->upstream ? report->upstream->name : "",
                                          .upstream_tool = relay->tool ? relay->tool->name
                                                                       : (struct tn_slice){ "", 0 },
                                          .denied        = report->denied,
                                          .pinned        = report->pinned,
                                          .repaired      = report->repaired,
                                          .attempt       = report->attempt,
                                          .wait_us       = report->waited_us,
                                          .upstream_us   = report->upstream_us,
                                          .hash          = report->hash };
    struct tn_call_report     said    = { .tool        = relay->tool ? relay->tool->published.at : "",
                                          .code        = report->outcome == OUTCOME_OK ? NULL
                                                                                       : tn_outcome_name(report->outcome),
                                          .started_ms  = x->started_ms,
                                          .took_us     = tn_clock_now_us() - report->begun_us,
                                          .issues      = report->issues,
                                          .coerced     = report->coerced,
                                          .reformed    = report->reformed,
                                          .clamped     = report->clamped,
                                          .forms       = report->forms,
                                          .found       = report->found,
                                          .found_count = report->found_count,
                                          .bytes_in    = x->bytes_in,
                                          .bytes_out   = report->bytes_out,
                                          .caller      = x->caller.name,
                                          .trace       = x->trace,
                                          .arguments   = report->arguments,
                                          .wire        = tn_wire_report(x, report->arguments),
                                          .guarded     = &guarded };

    if (x->server->observer.called)
        x->server->observer.called(x->server->observer.user, &said);
}

void tn_report_end(struct tn_relay *relay)
{
    struct tn_report   *report = &relay->report;
    struct tn_standing *standing;
    int64_t             took_us = tn_clock_now_us() - report->begun_us;

    if (!report->is_call)
        return;
    standing = report->upstream ? &relay->seat->guard->standings[report->upstream->at] : NULL;
    tn_report_answered(relay);
    if (!report->ended && tn_exchange_is_open(relay->x))
        tn_report_code(relay, TENON_CODE_CANCELLED);
    else if (!report->ended)
        tn_report_outcome(relay, OUTCOME_RPC_ERROR);
    if (standing) {
        counters_of(standing, relay)->outcomes[report->outcome]++;
        histogram_add(&standing->overhead, took_us - report->upstream_us - report->waited_us);
    }
    if (standing && report->attempt > 0)
        histogram_add(&standing->upstream, report->upstream_us);
    write_audit(relay);
}
