/* audit.c - the file of calls: appended to under a lock, one write a line. */
#define _GNU_SOURCE
#include "net/audit.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/memory.h"
#include "json/write.h"
#include "text/date.h"

#define LINE_LEN_MAX (AUDIT_ARGUMENTS_MAX + ((size_t)16 << 10))
#define AUDIT_KEEP   ((size_t)64 << 10) /* of memory, between two lines */
#define TEXT_LEN_MAX ((size_t)1000) /* of what a caller sent: names and traces */

struct audit {
    tenon_allocator      memory;
    const char          *path;
    bool                 arguments;
    const struct tn_log *log;
    struct tn_clock      clock;

    pthread_mutex_t lock; /* of all below */
    struct tn_arena arena;
    int             fd; /* -1 after it failed */
    int64_t         looked_ms, complained_ms;
    bool            complained, failing; /* failing: the log's last word is that it cannot be written */
    bool            unsure, torn; /* torn: the file ends inside a line; unsure: that must be looked up */
    uint64_t        lost;         /* lines that the file does not mention yet */
    uint64_t        logged;       /* of lost_sum, what the log has */

    _Atomic uint64_t lost_sum; /* since the start */
};

/* Not waiting, so that a pipe without a reader stops no call. How the file ends is not known then: a process before may
 * have met a full disk. */
static void open_file(struct audit *audit)
{
    audit->fd     = open(audit->path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0600);
    audit->torn   = false;
    audit->unsure = true;
}

struct audit *tn_audit_new(struct tn_settings *settings, const tenon_allocator *memory,
                           const struct tn_log *log, struct tn_clock clock, const char **mistake)
{
    tenon_allocator from = tn_memory_of(memory);
    struct audit   *audit;
    struct tn_buf   text;

    *mistake = NULL;
    if (!settings->audit)
        return NULL;
    audit = tn_memory_new(&from, sizeof *audit);
    if (!audit) {
        *mistake = tenon_status_text(TENON_E_NOMEM);
        return NULL;
    }
    *audit = (struct audit){ .memory    = from,
                             .path      = settings->audit,
                             .arguments = settings->audit_arguments,
                             .log       = log,
                             .clock     = clock,
                             .looked_ms = clock.now_ms(clock.user) };
    open_file(audit);
    if (audit->fd < 0) {
        tn_buf_init(&text, &settings->arena, 0, TEXT_LEN_MAX);
        tn_buf_addf(&text, "--audit: %.500s cannot be opened: %s", audit->path, strerror(errno));
        *mistake = tn_buf_end(&text);
        *mistake = *mistake ? *mistake : tenon_status_text(TENON_E_NOMEM);
        tn_memory_free(&from, audit, sizeof *audit);
        return NULL;
    }
    tn_arena_init(&audit->arena, &from, 2 * LINE_LEN_MAX + ARENA_BLOCK_MIN);
    pthread_mutex_init(&audit->lock, NULL);
    return audit;
}

/* ---- The line ------------------------------------------------------------------------------------------------ */

static void add_text(struct tn_buf *out, const char *key, struct tn_slice text)
{
    if (text.len == 0)
        return;
    tn_buf_addf(out, ",\"%s\":", key);
    tn_json_string(out, text.at, text.len < TEXT_LEN_MAX ? text.len : TEXT_LEN_MAX);
}

static void add_count(struct tn_buf *out, const char *key, size_t count)
{
    if (count)
        tn_buf_addf(out, ",\"%s\":%zu", key, count);
}

/* JSON, in which a line end can only be a space between values. */
static void add_arguments(struct tn_buf *out, struct tn_slice json)
{
    if (json.len > AUDIT_ARGUMENTS_MAX) {
        add_count(out, "arguments_bytes", json.len);
        return;
    }
    tn_buf_lit(out, ",\"arguments\":");
    for (size_t i = 0; i < json.len; i++)
        tn_buf_char(out, json.at[i] == '\n' || json.at[i] == '\r' ? ' ' : json.at[i]);
}

static void add_ms(struct tn_buf *out, const char *key, int64_t us)
{
    if (us > 0)
        tn_buf_addf(out, ",\"%s\":%lld.%03lld", key, (long long)(us / 1000), (long long)(us % 1000));
}

static void add_guarded(struct tn_buf *out, const struct tn_call_guarded *guarded)
{
    add_text(out, "upstream", tn_slice_of(guarded->upstream));
    add_text(out, "upstreamTool", guarded->upstream_tool);
    add_count(out, "repaired", guarded->repaired);
    add_text(out, "denied", tn_slice_of(guarded->denied ? guarded->denied : ""));
    add_text(out, "pinned", tn_slice_of(guarded->pinned ? guarded->pinned : ""));
    add_count(out, "attempt", guarded->attempt);
    add_ms(out, "wait", guarded->wait_us);
    add_ms(out, "upstreamMs", guarded->upstream_us);
    add_text(out, "argumentsSha256", tn_slice_of(guarded->hash));
}

static void audit_write_line(struct tn_buf *out, const struct tn_call_report *report, bool arguments)
{
    char    when[TIMESTAMP_TEXT_LEN + 1];
    int64_t us = report->took_us > 0 ? report->took_us : 0;

    tn_timestamp_format(report->started_ms, when);
    tn_buf_addf(out, "{\"time\":\"%s\",\"tool\":", when);
    tn_json_string(out, report->tool, strlen(report->tool));
    tn_buf_lit(out, ",\"outcome\":");
    tn_json_string(out, report->code ? report->code : "OK", report->code ? strlen(report->code) : 2);
    tn_buf_addf(out, ",\"ms\":%lld.%03lld,\"received\":%zu,\"sent\":%zu", (long long)(us / 1000),
                (long long)(us % 1000), report->bytes_in, report->bytes_out);
    add_ms(out, "waited", report->waited_us);
    add_text(out, "caller", report->caller);
    add_text(out, "trace", report->trace);
    add_count(out, "issues", report->issues);
    add_count(out, "coerced", report->coerced);
    add_count(out, "clamped", report->clamped);
    if (report->guarded)
        add_guarded(out, report->guarded);
    if (report->overrun)
        tn_buf_lit(out, ",\"overrun\":true");
    if (arguments && report->arguments.len)
        add_arguments(out, report->arguments);
    tn_buf_lit(out, "}\n");
}

/* ---- The file ------------------------------------------------------------------------------------------------ */

static void close_file(struct audit *audit)
{
    if (audit->fd >= 0)
        close(audit->fd);
    audit->fd = -1;
}

/* Opens the file anew when it failed or, as is seen every now and then, its name leads to another one. */
static void audit_look(struct audit *audit, int64_t now_ms)
{
    struct stat named, opened;

    if (audit->fd >= 0) {
        if (now_ms - audit->looked_ms < AUDIT_LOOK_MS)
            return;
        audit->looked_ms = now_ms;
        if (stat(audit->path, &named) == 0 && fstat(audit->fd, &opened) == 0 &&
            named.st_ino == opened.st_ino && named.st_dev == opened.st_dev)
            return;
        close_file(audit);
    }
    open_file(audit);
}

/* Another handle reads the end: the one that writes may be a pipe's, and must not read. What cannot be looked at counts as
 * torn, for an empty line does less harm than two lines in one. */
static bool ends_torn(const struct audit *audit)
{
    struct stat opened, named;
    int         reader;
    char        last = 0;

    if (fstat(audit->fd, &opened) != 0 || !S_ISREG(opened.st_mode))
        return audit->torn;
    reader = open(audit->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (reader < 0)
        return opened.st_size > 0;
    if (fstat(reader, &named) == 0 && named.st_ino == opened.st_ino && named.st_dev == opened.st_dev)
        last = named.st_size == 0 || pread(reader, &last, 1, named.st_size - 1) != 1 ? '\n' : last;
    close(reader);
    return last != '\n';
}

/* An empty line, to which a newline is added first if the file needs one. */
static struct tn_buf begin_line(struct audit *audit)
{
    struct tn_buf line;

    if (audit->unsure && audit->fd >= 0) {
        audit->torn   = ends_torn(audit);
        audit->unsure = false;
    }
    tn_buf_init(&line, &audit->arena, 512, LINE_LEN_MAX);
    if (audit->torn)
        tn_buf_char(&line, '\n'); /* ends what a full disk cut off */
    return line;
}

/* Leaves errno. A line that did not fit may be there in part. */
static bool audit_put(struct audit *audit, struct tn_buf *line)
{
    ssize_t written;

    if (line->failed)
        errno = ENOMEM;
    if (audit->fd < 0 || line->failed)
        return false;
    do
        written = write(audit->fd, line->at, line->len);
    while (written < 0 && errno == EINTR);
    if (written == (ssize_t)line->len) {
        audit->torn = false;
        return true;
    }
    audit->unsure = true;
    if (written > 0) {
        audit->torn = true;
        errno       = ENOSPC;
    } else if (errno != ENOSPC && errno != EAGAIN) {
        int why = errno;

        close_file(audit);
        errno = why;
    }
    return false;
}

/* ---- What is lost ---------------------------------------------------------------------------------------------- */

static uint64_t lost_sum(const struct audit *audit)
{
    return atomic_load_explicit(&audit->lost_sum, memory_order_relaxed);
}

static void audit_count_lost(struct audit *audit, int64_t now_ms, const char *why)
{
    uint64_t sum = atomic_fetch_add_explicit(&audit->lost_sum, 1, memory_order_relaxed) + 1;

    audit->lost++;
    if (audit->complained && now_ms - audit->complained_ms < AUDIT_COMPLAIN_MS)
        return;
    tn_log_line(audit->log, LOG_ERROR,
                "audit: %.500s cannot be written: %s; lines lost since the start: %llu", audit->path, why,
                (unsigned long long)sum);
    audit->complained    = true;
    audit->failing       = true;
    audit->complained_ms = now_ms;
    audit->logged        = sum;
}

/* Once for each time that the log had the opposite, which bounds both. */
static void say_written(struct audit *audit)
{
    if (!audit->failing)
        return;
    audit->failing = false;
    audit->logged  = lost_sum(audit);
    tn_log_line(audit->log, LOG_WARN, "audit: %.500s is written again; lines lost since the start: %llu",
                audit->path, (unsigned long long)audit->logged);
}

/* Before the next line: a reader of the file learns where lines are missing, and how many. */
static bool put_lost(struct audit *audit)
{
    char          when[TIMESTAMP_TEXT_LEN + 1];
    struct tn_buf line;

    if (audit->lost == 0)
        return true;
    line = begin_line(audit);
    tn_timestamp_format(audit->clock.wall_ms(audit->clock.user), when);
    tn_buf_addf(&line, "{\"time\":\"%s\",\"lost\":%llu}\n", when, (unsigned long long)audit->lost);
    if (!audit_put(audit, &line))
        return false;
    audit->lost = 0;
    say_written(audit);
    return true;
}

uint64_t tn_audit_lost(const struct audit *audit)
{
    return audit ? lost_sum(audit) : 0;
}

/* ---- Calls ------------------------------------------------------------------------------------------------------ */

static bool put_call(struct audit *audit, const struct tn_call_report *report)
{
    struct tn_buf line = begin_line(audit);

    audit_write_line(&line, report, audit->arguments);
    return audit_put(audit, &line);
}

void tn_audit_call(struct audit *audit, const struct tn_call_report *report)
{
    int64_t now_ms = audit->clock.now_ms(audit->clock.user);

    pthread_mutex_lock(&audit->lock);
    errno = 0;
    audit_look(audit, now_ms);
    if (!put_lost(audit) || !put_call(audit, report))
        audit_count_lost(audit, now_ms, errno == ENOMEM ? tenon_status_text(TENON_E_NOMEM) : strerror(errno));
    tn_arena_rest(&audit->arena, AUDIT_KEEP);
    pthread_mutex_unlock(&audit->lock);
}

/* The last chance to say what is lost, in the file or at least in the log. */
static void say_rest(struct audit *audit)
{
    if (audit->lost) {
        audit_look(audit, audit->clock.now_ms(audit->clock.user));
        put_lost(audit);
    }
    if (audit->logged < lost_sum(audit))
        tn_log_line(audit->log, LOG_ERROR, "audit: %.500s: lines lost since the start: %llu", audit->path,
                    (unsigned long long)lost_sum(audit));
}

void tn_audit_free(struct audit *audit)
{
    tenon_allocator memory;

    if (!audit)
        return;
    memory = audit->memory;
    say_rest(audit);
    close_file(audit);
    tn_arena_free(&audit->arena);
    pthread_mutex_destroy(&audit->lock);
    tn_memory_free(&memory, audit, sizeof *audit);
}
