/* metrics.c - counters of calls and messages, and their text for Prometheus.
 *
 * All series exist from the start: tools by declared names, outcomes from the closed table of errors, issues from the
 * library's codes, methods and JSON-RPC errors from lists here. Anything else counts as "other". So counting is a
 * search in a sorted list and relaxed additions, and no caller can make the text grow.
 */
#define _GNU_SOURCE
#include "net/metrics.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "answer/toolbox.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "mcp/rpc.h"
#include "model/form.h"
#include "model/words/words.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

#define OTHER       "other"
#define OK          "OK"
#define ISSUE_KINDS (ISSUE_OWN + 2) /* every code, unknown_inside, other; less, because some share a name */

typedef _Atomic uint64_t counter;

/* Upper ends of the buckets. */
static const struct {
    int64_t     us;
    const char *seconds;
} buckets[] = {
    { 100, "0.0001" }, { 500, "0.0005" }, { 1000, "0.001" },  { 5000, "0.005" },
    { 10000, "0.01" }, { 50000, "0.05" }, { 100000, "0.1" },  { 500000, "0.5" },
    { 1000000, "1" },  { 5000000, "5" },  { 10000000, "10" }, { 50000000, "50" },
};
#define BUCKETS (COUNT_OF(buckets) + 1)

static const char *const library_codes[] = {
    TENON_CODE_VALIDATION_ERROR, TENON_CODE_NOT_FOUND,      TENON_CODE_CONFLICT,
    TENON_CODE_DENIED,           TENON_CODE_UNAVAILABLE,    TENON_CODE_TIMEOUT,
    TENON_CODE_CANCELLED,        TENON_CODE_LIMIT_EXCEEDED, TENON_CODE_INTERNAL_ERROR,
};

/* Sorted; the last is for all that are not here. */
static const char *const methods[] = {
    "completion/complete",
    "initialize",
    "logging/setLevel",
    "notifications/cancelled",
    "notifications/initialized",
    "notifications/progress",
    "notifications/roots/list_changed",
    "ping",
    "prompts/get",
    "prompts/list",
    "resources/directory/read",
    "resources/list",
    "resources/read",
    "resources/subscribe",
    "resources/templates/list",
    "resources/unsubscribe",
    "server/discover",
    "skills/get",
    "skills/list",
    "subscriptions/listen",
    "tasks/cancel",
    "tasks/get",
    "tasks/list",
    "tasks/result",
    "tasks/update",
    "tools/call",
    "tools/list",
    "unknown",
};

static const struct {
    int         code;
    const char *text;
} errors[] = {
    { 0, "" },
    { RPC_PARSE_ERROR, "-32700" },
    { RPC_INVALID_REQUEST, "-32600" },
    { RPC_NO_METHOD, "-32601" },
    { RPC_INVALID_PARAMS, "-32602" },
    { RPC_INTERNAL_ERROR, "-32603" },
    { RPC_NO_RESOURCE, "-32002" },
    { RPC_HEADER_MISMATCH, "-32020" },
    { RPC_NO_CAPABILITY, "-32021" },
    { RPC_NO_VERSION, "-32022" },
};
#define ERRORS (COUNT_OF(errors) + 1)

struct tool_counts {
    const char *name;
    counter     issues[ISSUE_KINDS], forms[FORMS], buckets[BUCKETS];
    counter     took_us, coerced, reformed, clamped, overruns, bytes_in, bytes_out;
    counter    *outcomes; /* OK, the codes, other */
};

struct metrics {
    tenon_allocator     memory;
    size_t              size; /* of this block, tools and outcomes included */
    const char         *name, *version;
    int64_t             started_ms;
    struct tool_counts *tools; /* sorted by name */
    size_t              tool_count;
    const tenon_error  *own;
    size_t              own_count, outcome_count;
    const char         *issues[ISSUE_KINDS]; /* each name once; the last is other */
    size_t              issue_count;
    counter             messages[COUNT_OF(methods)][ERRORS];
};

static void metrics_add(counter *to, uint64_t more)
{
    if (more)
        atomic_fetch_add_explicit(to, more, memory_order_relaxed);
}

static uint64_t metrics_now(const counter *of)
{
    return atomic_load_explicit(of, memory_order_relaxed);
}

/* ---- Making -------------------------------------------------------------------------------------------------- */

static void metrics_add_issue(struct metrics *metrics, const char *name)
{
    for (size_t i = 0; i < metrics->issue_count; i++)
        if (strcmp(metrics->issues[i], name) == 0)
            return;
    metrics->issues[metrics->issue_count++] = name;
}

static void name_issues(struct metrics *metrics)
{
    for (int code = ISSUE_REQUIRED; code < ISSUE_OWN; code++)
        metrics_add_issue(metrics, tn_words_code(&(struct tn_issue){ .code = (enum tn_issue_code)code }));
    metrics_add_issue(metrics, tn_words_code(&(struct tn_issue){ .code = ISSUE_UNKNOWN, .inside = true }));
    metrics_add_issue(metrics, OTHER);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct tool_counts *)a)->name, ((const struct tool_counts *)b)->name);
}

struct metrics *tn_metrics_new(tenon_server *server)
{
    const tenon_toolbox *box      = server->boxes[BOX_TOOLS];
    size_t               count    = tenon_toolbox_count(box);
    size_t               outcomes = COUNT_OF(library_codes) + server->options.error_count + 2;
    size_t size = sizeof(struct metrics) + count * (sizeof(struct tool_counts) + outcomes * sizeof(counter));
    struct metrics *metrics = tn_memory_new(&server->memory, size);
    counter        *next;

    if (!metrics)
        return NULL;
    memset(metrics, 0, size);
    metrics->memory        = server->memory;
    metrics->size          = size;
    metrics->name          = server->name;
    metrics->version       = server->version;
    metrics->started_ms    = server->clock.wall_ms(server->clock.user);
    metrics->tools         = (struct tool_counts *)(metrics + 1);
    metrics->tool_count    = count;
    metrics->own           = server->options.errors;
    metrics->own_count     = server->options.error_count;
    metrics->outcome_count = outcomes;
    name_issues(metrics);
    next = (counter *)(metrics->tools + count);
    for (size_t i = 0; i < count; i++, next += outcomes) {
        metrics->tools[i].name     = box->tools[i]->view.name;
        metrics->tools[i].outcomes = next;
    }
    qsort(metrics->tools, count, sizeof *metrics->tools, by_name);
    return metrics;
}

void tn_metrics_free(struct metrics *metrics)
{
    tenon_allocator memory;

    if (!metrics)
        return;
    memory = metrics->memory;
    tn_memory_free(&memory, metrics, metrics->size);
}

/* ---- Counting ------------------------------------------------------------------------------------------------ */

static const char *outcome_name(const struct metrics *metrics, size_t index)
{
    if (index == 0)
        return OK;
    if (index <= COUNT_OF(library_codes))
        return library_codes[index - 1];
    index -= COUNT_OF(library_codes) + 1;
    return index < metrics->own_count ? metrics->own[index].code : OTHER;
}

static size_t outcome_of(const struct metrics *metrics, const char *code)
{
    size_t index = code ? 1 : 0;

    while (code && index + 1 < metrics->outcome_count && strcmp(outcome_name(metrics, index), code) != 0)
        index++;
    return index;
}

static size_t issue_of(const struct metrics *metrics, const char *code)
{
    size_t index = 0;

    while (index + 1 < metrics->issue_count && strcmp(metrics->issues[index], code) != 0)
        index++;
    return index;
}

static size_t metrics_bucket_of(int64_t us)
{
    size_t index = 0;

    while (index < COUNT_OF(buckets) && us > buckets[index].us)
        index++;
    return index;
}

void tn_metrics_call(struct metrics *metrics, const struct tn_call_report *report)
{
    struct tool_counts  key   = { .name = report->tool };
    struct tool_counts *tool  = bsearch(&key, metrics->tools, metrics->tool_count, sizeof key, by_name);
    size_t              known = report->issue_code_count;

    if (!tool)
        return;
    metrics_add(&tool->outcomes[outcome_of(metrics, report->code)], 1);
    metrics_add(&tool->buckets[metrics_bucket_of(report->took_us)], 1);
    metrics_add(&tool->took_us, report->took_us > 0 ? (uint64_t)report->took_us : 0);
    metrics_add(&tool->coerced, report->coerced);
    metrics_add(&tool->reformed, report->reformed);
    metrics_add(&tool->clamped, report->clamped);
    for (size_t i = 0; report->forms && i < FORMS; i++)
        metrics_add(&tool->forms[i], report->forms[i]);
    metrics_add(&tool->overruns, report->overrun);
    metrics_add(&tool->bytes_in, report->bytes_in);
    metrics_add(&tool->bytes_out, report->bytes_out);
    for (size_t i = 0; i < known; i++)
        metrics_add(&tool->issues[issue_of(metrics, report->issue_codes[i])], 1);
    if (report->issues > known)
        metrics_add(&tool->issues[metrics->issue_count - 1], report->issues - known);
}

static int by_text(const void *key, const void *member)
{
    return strcmp(key, *(const char *const *)member);
}

void tn_metrics_message(struct metrics *metrics, const char *method, int error)
{
    const char *const *found = bsearch(method, methods, COUNT_OF(methods), sizeof *methods, by_text);
    size_t             row = found ? (size_t)(found - methods) : COUNT_OF(methods) - 1, column = 0;

    while (column < COUNT_OF(errors) && errors[column].code != error)
        column++;
    metrics_add(&metrics->messages[row][column], 1);
}

/* ---- The text ------------------------------------------------------------------------------------------------ */

void tn_metrics_begin(struct tn_buf *out, const char *name, const char *type, const char *help)
{
    tn_buf_addf(out, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
}

/* The inside of a label's value. Bytes that are not UTF-8 become '?'. */
void tn_metrics_label(struct tn_buf *out, const char *text)
{
    bool valid = tn_utf8_valid(text, strlen(text));

    for (; *text; text++) {
        if (*text == '\n')
            tn_buf_lit(out, "\\n");
        else if (*text == '\\' || *text == '"')
            tn_buf_addf(out, "\\%c", *text);
        else
            tn_buf_char(out, !valid && (unsigned char)*text >= 0x80 ? '?' : *text);
    }
}

/* name{key="value" or name{key="value",key2="value2" */
static void write_series(struct tn_buf *out, const char *name, const char *key, const char *value,
                         const char *key2, const char *value2)
{
    tn_buf_addf(out, "%s{%s=\"", name, key);
    tn_metrics_label(out, value);
    if (key2) {
        tn_buf_addf(out, "\",%s=\"", key2);
        tn_metrics_label(out, value2);
    }
    tn_buf_lit(out, "\"} ");
}

static void write_count(struct tn_buf *out, uint64_t value)
{
    tn_buf_uint(out, value);
    tn_buf_char(out, '\n');
}

static void write_seconds(struct tn_buf *out, uint64_t us)
{
    tn_buf_addf(out, "%llu.%06llu\n", (unsigned long long)(us / 1000000), (unsigned long long)(us % 1000000));
}

static void write_outcomes(struct tn_buf *out, const struct metrics *metrics)
{
    tn_metrics_begin(out, "tenon_calls_total", "counter", "Ended calls of tools, by outcome.");
    for (size_t t = 0; t < metrics->tool_count; t++) {
        for (size_t i = 0; i < metrics->outcome_count; i++) {
            uint64_t count = metrics_now(&metrics->tools[t].outcomes[i]);

            if (count == 0 && i > 0)
                continue;
            write_series(out, "tenon_calls_total", "tool", metrics->tools[t].name, "outcome",
                         outcome_name(metrics, i));
            write_count(out, count);
        }
    }
}

static void write_durations(struct tn_buf *out, const struct metrics *metrics)
{
    tn_metrics_begin(out, "tenon_call_duration_seconds", "histogram", "How long calls took.");
    for (size_t t = 0; t < metrics->tool_count; t++) {
        const struct tool_counts *tool = &metrics->tools[t];
        uint64_t                  sum  = 0;

        for (size_t i = 0; i < BUCKETS; i++) {
            sum += metrics_now(&tool->buckets[i]);
            write_series(out, "tenon_call_duration_seconds_bucket", "tool", tool->name, "le",
                         i < COUNT_OF(buckets) ? buckets[i].seconds : "+Inf");
            write_count(out, sum);
        }
        write_series(out, "tenon_call_duration_seconds_sum", "tool", tool->name, NULL, NULL);
        write_seconds(out, metrics_now(&tool->took_us));
        write_series(out, "tenon_call_duration_seconds_count", "tool", tool->name, NULL, NULL);
        write_count(out, sum);
    }
}

static void write_issues(struct tn_buf *out, const struct metrics *metrics)
{
    tn_metrics_begin(out, "tenon_call_issues_total", "counter", "Problems found in arguments, by code.");
    for (size_t t = 0; t < metrics->tool_count; t++) {
        for (size_t i = 0; i < metrics->issue_count; i++) {
            uint64_t count = metrics_now(&metrics->tools[t].issues[i]);

            if (count == 0)
                continue;
            write_series(out, "tenon_call_issues_total", "tool", metrics->tools[t].name, "issue",
                         metrics->issues[i]);
            write_count(out, count);
        }
    }
}

static void write_forms(struct tn_buf *out, const struct metrics *metrics)
{
    static const char name[] = "tenon_call_forms_total";

    tn_metrics_begin(out, name, "counter", "Arguments read in another form, by its name.");
    for (size_t t = 0; t < metrics->tool_count; t++) {
        for (size_t i = 0; i < FORMS; i++) {
            uint64_t count = metrics_now(&metrics->tools[t].forms[i]);

            if (count == 0)
                continue;
            write_series(out, name, "tool", metrics->tools[t].name, "form",
                         tn_form_name((enum tn_wire_form)i));
            write_count(out, count);
        }
    }
}

static void write_per_tool(struct tn_buf *out, const struct metrics *metrics)
{
    static const struct {
        const char *name, *help;
        size_t      offset;
    } families[] = {
        { "tenon_call_coerced_total", "Values that came as another type.",
          offsetof(struct tool_counts, coerced) },
        { "tenon_call_reformed_total", "Values that came in another form.",
          offsetof(struct tool_counts, reformed) },
        { "tenon_call_clamped_total", "Numbers moved into their range.",
          offsetof(struct tool_counts, clamped) },
        { "tenon_call_overruns_total", "Calls that took longer than their deadline.",
          offsetof(struct tool_counts, overruns) },
        { "tenon_call_received_bytes_total", "Bytes of the messages of calls.",
          offsetof(struct tool_counts, bytes_in) },
        { "tenon_call_sent_bytes_total", "Bytes of their answers.", offsetof(struct tool_counts, bytes_out) },
    };

    for (size_t i = 0; i < COUNT_OF(families); i++) {
        tn_metrics_begin(out, families[i].name, "counter", families[i].help);
        for (size_t t = 0; t < metrics->tool_count; t++) {
            const struct tool_counts *tool = &metrics->tools[t];

            write_series(out, families[i].name, "tool", tool->name, NULL, NULL);
            write_count(out, metrics_now(
                                 (const counter *)(const void *)((const char *)tool + families[i].offset)));
        }
    }
}

static void write_messages(struct tn_buf *out, const struct metrics *metrics)
{
    tn_metrics_begin(out, "tenon_messages_total", "counter",
                     "Requests and notifications, by method and JSON-RPC error.");
    for (size_t m = 0; m < COUNT_OF(methods); m++) {
        for (size_t i = 0; i < ERRORS; i++) {
            uint64_t count = metrics_now(&metrics->messages[m][i]);

            if (count == 0)
                continue;
            write_series(out, "tenon_messages_total", "method", methods[m], "error",
                         i < COUNT_OF(errors) ? errors[i].text : OTHER);
            write_count(out, count);
        }
    }
}

static void write_gauges(struct tn_buf *out, const struct tn_metrics_gauges *gauges)
{
    const struct tn_http_counts *http = &gauges->http;
    const struct {
        const char *name, *type, *help;
        uint64_t    value;
    } rows[] = {
        { "tenon_healthy", "gauge", "1 while calls are served, as /healthz says.", gauges->healthy },
        { "tenon_calls_in_flight", "gauge", "Calls that run or wait.", gauges->in_flight },
        { "tenon_workers_busy", "gauge", "Workers that run a call.", gauges->busy },
        { "tenon_workers_queued", "gauge", "Calls that wait for a worker.", gauges->queued },
        { "tenon_workers_spare", "gauge", "Workers that were added for callers with no call running.",
          gauges->spare },
        { "tenon_workers_lost", "gauge", "Workers whose call has overrun.", gauges->lost },
        { "tenon_callers", "gauge", "Callers that hold something, or did a moment ago.",
          gauges->held.callers },
        { "tenon_rate_limited_total", "counter", "Messages beyond the rate of their caller.",
          gauges->rate_limited },
        { "tenon_audit_lost_total", "counter", "Lines that could not be written to --audit.",
          gauges->audit_lost },
        { "tenon_sessions", "gauge", "Sessions of clients before 2026-07-28.", gauges->sessions },
        { "tenon_http_connections", "gauge", "Open connections.", http->connections },
        { "tenon_http_streams", "gauge", "Open event streams.", http->streams },
        { "tenon_http_accepted_total", "counter", "Connections that were accepted.", http->accepted },
        { "tenon_http_refused_total", "counter", "Connections refused at the limit.", http->refused },
        { "tenon_http_requests_total", "counter", "Requests whose head was read.", http->requests },
        { "tenon_http_received_bytes_total", "counter", "Bytes received.", http->bytes_in },
        { "tenon_http_sent_bytes_total", "counter", "Bytes sent.", http->bytes_out },
        { "tenon_http_timeouts_total", "counter", "Connections closed by a timeout.", http->time_outs },
        { "tenon_http_malformed_total", "counter", "Requests that were not HTTP.", http->malformed },
    };

    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        tn_metrics_begin(out, rows[i].name, rows[i].type, rows[i].help);
        tn_buf_addf(out, "%s ", rows[i].name);
        write_count(out, rows[i].value);
    }
}

/* What callers hold, in sum and at most; and the most that any one of them holds. */
static void write_held(struct tn_buf *out, const struct tn_ledger_report *held)
{
    static const char *const help[]  = { "What all callers hold now.", "The most that all may hold.",
                                         "The most that one caller holds now.",
                                         "How often a caller was refused more." };
    static const char *const names[] = { "tenon_held", "tenon_held_max", "tenon_held_heaviest",
                                         "tenon_held_refused_total" };

    for (size_t family = 0; family < COUNT_OF(names); family++) {
        tn_metrics_begin(out, names[family], family == 3 ? "counter" : "gauge", help[family]);
        for (size_t i = 0; i < HELD_KINDS; i++) {
            const uint64_t values[] = { held->sum[i], held->most[i], held->heaviest[i], held->refused[i] };

            write_series(out, names[family], "what", tn_held_name((enum tn_held)i), NULL, NULL);
            write_count(out, values[family]);
        }
    }
}

void tn_metrics_write(struct tn_buf *out, const struct metrics *metrics,
                      const struct tn_metrics_gauges *gauges)
{
    tn_metrics_begin(out, "tenon_info", "gauge", "Name and version of the server.");
    tn_buf_lit(out, "tenon_info{name=\"");
    tn_metrics_label(out, metrics->name);
    tn_buf_lit(out, "\",version=\"");
    tn_metrics_label(out, metrics->version);
    tn_buf_addf(out, "\",tenon=\"%s\"} 1\n", tenon_version());
    tn_metrics_begin(out, "tenon_start_time_seconds", "gauge",
                     "When it began to serve, in seconds since 1970.");
    tn_buf_lit(out, "tenon_start_time_seconds ");
    write_seconds(out, (uint64_t)metrics->started_ms * 1000);
    write_outcomes(out, metrics);
    write_durations(out, metrics);
    write_issues(out, metrics);
    write_forms(out, metrics);
    write_per_tool(out, metrics);
    write_messages(out, metrics);
    write_gauges(out, gauges);
    write_held(out, &gauges->held);
}
