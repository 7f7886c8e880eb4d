/* feed.c - the last calls, and counts by tool. */
#define _GNU_SOURCE
#include "net/console/feed_inside.h"

#include "base/memory.h"

/* ---- Small things ---------------------------------------------------------------------------------------------- */

void tn_feed_copy(char *to, size_t room, struct tn_slice from)
{
    size_t len = from.len < room - 1 ? from.len : room - 1;

    if (len < from.len)
        while (len > 0 && ((unsigned char)from.at[len] & 0xC0) == 0x80)
            len--;
    if (len > 0)
        memcpy(to, from.at, len);
    to[len] = '\0';
}

/* The caller's mistake, or something that it may not do; all else is ours. */
enum tn_feed_kind tn_feed_kind_of(const char *code)
{
    static const char *const refused[] = { "VALIDATION_ERROR", "DENIED",   "LIMIT_EXCEEDED",
                                           "NOT_FOUND",        "CONFLICT", "CANCELLED" };

    if (!code || !*code)
        return FEED_OK;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        if (strcmp(code, refused[i]) == 0)
            return FEED_REFUSED;
    return FEED_FAILED;
}

/* ---- Beginning and end ------------------------------------------------------------------------------------------ */

struct tn_feed *tn_feed_new(const tenon_allocator *memory, int64_t now_ms)
{
    struct tn_feed *feed = tn_memory_new(memory, sizeof *feed);

    if (!feed)
        return NULL;
    memset(feed, 0, sizeof *feed);
    feed->memory   = *memory;
    feed->began_ms = now_ms;
    feed->second   = now_ms / 1000;
    pthread_mutex_init(&feed->lock, NULL);
    tn_arena_init(&feed->arena, memory, 0);
    return feed;
}

static void drop_arguments(struct tn_feed *feed, struct tn_feed_record *record)
{
    if (record->arguments)
        tn_memory_free(&feed->memory, record->arguments, record->arguments_len);
    record->arguments = NULL;
}

static void drop_wire(struct tn_feed *feed, struct tn_feed_record *record)
{
    if (record->wire_text)
        tn_memory_free(&feed->memory, record->wire_text, record->wire_len);
    record->wire_text = NULL;
}

void tn_feed_free(struct tn_feed *feed)
{
    tenon_allocator memory;

    if (!feed)
        return;
    memory = feed->memory;
    for (size_t i = 0; i < FEED_CALLS; i++) {
        drop_arguments(feed, &feed->calls[i]);
        drop_wire(feed, &feed->calls[i]);
    }
    tn_arena_free(&feed->arena);
    pthread_mutex_destroy(&feed->lock);
    tn_memory_free(&memory, feed, sizeof *feed);
}

/* ---- A call ----------------------------------------------------------------------------------------------------- */

static struct tn_feed_tool *tool_of(struct tn_feed *feed, struct tn_slice name)
{
    struct tn_feed_tool *tool = tn_table_find(&feed->names, NULL, name);

    if (tool || feed->tool_count == FEED_TOOLS || name.len == 0)
        return tool;
    tool = tn_arena_new(&feed->arena, struct tn_feed_tool);
    if (!tool)
        return NULL;
    memset(tool, 0, sizeof *tool);
    tool->name = (struct tn_slice){ tn_arena_copy(&feed->arena, name.at, name.len), name.len };
    if (!tool->name.at || !tn_table_add(&feed->names, &feed->arena, NULL, tool->name, tool))
        return NULL;
    feed->tools[feed->tool_count++] = tool;
    return tool;
}

static void keep_found(struct tn_feed_record *record, const struct tn_call_report *report)
{
    record->found_count = report->found_count < FEED_FOUND ? report->found_count : FEED_FOUND;
    for (size_t i = 0; i < record->found_count; i++) {
        struct tn_feed_found *found = &record->found[i];

        tn_feed_copy(found->parameter, sizeof found->parameter, report->found[i].parameter);
        tn_feed_copy(found->code, sizeof found->code, tn_slice_of(report->found[i].code));
        tn_feed_copy(found->text, sizeof found->text, report->found[i].text);
    }
}

static void keep_arguments(struct tn_feed *feed, struct tn_feed_record *record, struct tn_slice arguments)
{
    drop_arguments(feed, record);
    record->arguments_len = arguments.len;
    if (arguments.len == 0 || arguments.len > FEED_ARGUMENTS)
        return;
    record->arguments = tn_memory_new(&feed->memory, arguments.len);
    if (record->arguments)
        memcpy(record->arguments, arguments.at, arguments.len);
}

static struct tn_slice put(char **at, struct tn_slice text)
{
    char *from = *at;

    if (text.len > 0)
        memcpy(from, text.at, text.len);
    *at += text.len;
    return (struct tn_slice){ from, text.len };
}

/* In one piece: at most twice CALL_WIRE_MAX and the headers. */
static void keep_wire(struct tn_feed *feed, struct tn_feed_record *record, const struct tn_call_wire *wire)
{
    char *at;

    drop_wire(feed, record);
    if (!wire)
        return;
    record->wire_len  = wire->head.len + wire->request.len + wire->answer.len + 1;
    record->wire_text = at = tn_memory_new(&feed->memory, record->wire_len);
    if (!at)
        return;
    record->wire         = *wire;
    record->wire.head    = put(&at, wire->head);
    record->wire.request = put(&at, wire->request);
    record->wire.answer  = put(&at, wire->answer);
}

static void keep_record(struct tn_feed *feed, const struct tn_call_report *report)
{
    struct tn_feed_record *record = &feed->calls[feed->latest++ % FEED_CALLS];

    record->id          = feed->latest;
    record->time_ms     = report->started_ms;
    record->took_us     = report->took_us;
    record->upstream_us = report->guarded ? report->guarded->upstream_us : 0;
    record->bytes_in    = report->bytes_in;
    record->bytes_out   = report->bytes_out;
    record->coerced     = report->coerced;
    record->reformed    = report->reformed;
    record->clamped     = report->clamped;
    record->issues      = report->issues;
    tn_feed_copy(record->tool, sizeof record->tool, tn_slice_of(report->tool));
    tn_feed_copy(record->caller, sizeof record->caller, report->caller);
    tn_feed_copy(record->code, sizeof record->code, tn_slice_of(report->code));
    tn_feed_copy(record->upstream, sizeof record->upstream,
                 tn_slice_of(report->guarded ? report->guarded->upstream : NULL));
    keep_found(record, report);
    keep_arguments(feed, record, report->arguments);
    keep_wire(feed, record, report->wire);
}

void tn_feed_call(struct tn_feed *feed, const struct tn_call_report *report)
{
    enum tn_feed_kind    kind = tn_feed_kind_of(report->code);
    struct tn_feed_tool *tool;

    pthread_mutex_lock(&feed->lock);
    tool = tool_of(feed, tn_slice_of(report->tool));
    feed->total++;
    feed->refused += kind == FEED_REFUSED;
    if (tool) {
        tool->calls++;
        tool->refused += kind == FEED_REFUSED;
        tool->failed += kind == FEED_FAILED;
        tn_feed_took(&tool->took, report->took_us);
    }
    tn_feed_count_second(feed, report, kind);
    tn_feed_count_wrong(feed, report);
    keep_record(feed, report);
    pthread_mutex_unlock(&feed->lock);
}

/* ---- What is shown ----------------------------------------------------------------------------------------------- */

static void write_ms(tenon_writer *to, const char *key, int64_t us)
{
    tenon_write_num(to, key, (double)us / 1000);
}

static void write_text(tenon_writer *to, const char *key, const char *text)
{
    tenon_write_bytes(to, key, text, strlen(text));
}

static void write_found(tenon_writer *to, const struct tn_feed_record *record)
{
    tenon_write_array(to, "found");
    for (size_t i = 0; i < record->found_count; i++) {
        tenon_write_object(to, NULL);
        write_text(to, "parameter", record->found[i].parameter);
        write_text(to, "code", record->found[i].code);
        write_text(to, "text", record->found[i].text);
        tenon_write_end(to);
    }
    tenon_write_end(to);
}

static void write_record(tenon_writer *to, const struct tn_feed_record *record)
{
    tenon_write_int(to, "id", (int64_t)record->id);
    tenon_write_int(to, "time", record->time_ms);
    write_text(to, "tool", record->tool);
    write_text(to, "caller", record->caller);
    if (record->upstream[0])
        write_text(to, "upstream", record->upstream);
    write_text(to, "outcome", record->code[0] ? record->code : "OK");
    write_ms(to, "ms", record->took_us);
    if (record->upstream_us > 0)
        write_ms(to, "upstreamMs", record->upstream_us);
    tenon_write_int(to, "received", (int64_t)record->bytes_in);
    tenon_write_int(to, "sent", (int64_t)record->bytes_out);
    tenon_write_int(to, "coerced", (int64_t)record->coerced);
    tenon_write_int(to, "reformed", (int64_t)record->reformed);
    tenon_write_int(to, "clamped", (int64_t)record->clamped);
    tenon_write_int(to, "issues", (int64_t)record->issues);
    write_found(to, record);
}

static void write_wire(tenon_writer *to, const struct tn_call_wire *wire)
{
    tenon_write_object(to, "wire");
    tenon_write_str(to, "revision", wire->revision);
    tenon_write_int(to, "status", wire->status);
    tenon_write_bytes(to, "head", wire->head.at, wire->head.len);
    tenon_write_bytes(to, "request", wire->request.at, wire->request.len);
    tenon_write_bytes(to, "answer", wire->answer.at, wire->answer.len);
    tenon_write_bool(to, "hidden", wire->hidden);
    tenon_write_bool(to, "withheld", wire->withheld);
    tenon_write_bool(to, "requestCut", wire->request_cut);
    tenon_write_bool(to, "answerCut", wire->answer_cut);
    tenon_write_end(to);
}

bool tn_feed_write_call(struct tn_feed *feed, tenon_writer *to, uint64_t id, bool whole)
{
    const struct tn_feed_record *record = &feed->calls[(id - 1) % FEED_CALLS];
    bool                         there;

    pthread_mutex_lock(&feed->lock);
    there = id > 0 && record->id == id;
    if (there)
        write_record(to, record);
    if (there && whole && record->arguments)
        tenon_write_raw(to, "arguments", record->arguments, record->arguments_len);
    if (there && whole && record->wire_text)
        write_wire(to, &record->wire);
    pthread_mutex_unlock(&feed->lock);
    return there;
}

uint64_t tn_feed_latest(struct tn_feed *feed, uint64_t *oldest)
{
    uint64_t latest;

    pthread_mutex_lock(&feed->lock);
    latest  = feed->latest;
    *oldest = latest > FEED_CALLS ? latest - FEED_CALLS + 1 : latest > 0 ? 1 : 0;
    pthread_mutex_unlock(&feed->lock);
    return latest;
}

void tn_feed_write_tools(struct tn_feed *feed, tenon_writer *to)
{
    tenon_write_array(to, "tools");
    pthread_mutex_lock(&feed->lock);
    for (size_t i = 0; i < feed->tool_count; i++) {
        const struct tn_feed_tool *tool = feed->tools[i];

        tenon_write_object(to, NULL);
        tenon_write_bytes(to, "name", tool->name.at, tool->name.len);
        tenon_write_int(to, "calls", (int64_t)tool->calls);
        tenon_write_int(to, "refused", (int64_t)tool->refused);
        tenon_write_int(to, "failed", (int64_t)tool->failed);
        write_ms(to, "p95", tn_feed_percentile(&tool->took, 95));
        tenon_write_end(to);
    }
    pthread_mutex_unlock(&feed->lock);
    tenon_write_end(to);
}
