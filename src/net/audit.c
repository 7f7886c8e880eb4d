/* audit.c - the file of calls: appended to under a lock, one write a line. */
#define _GNU_SOURCE
#include "net/audit.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/memory.h"
#include "json/write.h"
#include "schema/date.h"

#define LINE_LEN_MAX (AUDIT_ARGUMENTS_MAX + ((size_t)16 << 10))
#define TEXT_LEN_MAX ((size_t)1000) /* of what a caller sent: names and traces */

struct audit {
    tenon_allocator   memory;
    const char       *path;
    bool              arguments;
    const struct log *log;
    struct clock      clock;

    pthread_mutex_t lock; /* of all below */
    struct arena    arena;
    int             fd; /* -1 after it failed */
    int64_t         looked_ms, complained_ms;
    bool            complained, torn; /* torn: the file ends inside a line */
    uint64_t        lost;             /* lines since the last complaint */
};

/* Not waiting, so that a pipe without a reader stops nobody. */
static int open_file(const char *path)
{
    return open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0600);
}

struct audit *audit_new(struct settings *settings, const tenon_allocator *memory, const struct log *log,
                        struct clock clock, const char **mistake)
{
    tenon_allocator from = memory_of(memory);
    struct audit   *audit;
    struct buf      text;

    *mistake = NULL;
    if (!settings->audit)
        return NULL;
    audit = memory_new(&from, sizeof *audit);
    if (!audit) {
        *mistake = tenon_status_text(TENON_E_NOMEM);
        return NULL;
    }
    *audit    = (struct audit){ .memory    = from,
                                .path      = settings->audit,
                                .arguments = settings->audit_arguments,
                                .log       = log,
                                .clock     = clock,
                                .looked_ms = clock.now_ms(clock.user) };
    audit->fd = open_file(audit->path);
    if (audit->fd < 0) {
        buf_init(&text, &settings->arena, 0, TEXT_LEN_MAX);
        buf_addf(&text, "--audit: %.500s cannot be opened: %s", audit->path, strerror(errno));
        *mistake = buf_end(&text);
        *mistake = *mistake ? *mistake : tenon_status_text(TENON_E_NOMEM);
        memory_free(&from, audit, sizeof *audit);
        return NULL;
    }
    arena_init(&audit->arena, &from, 2 * LINE_LEN_MAX + ARENA_BLOCK_MIN);
    pthread_mutex_init(&audit->lock, NULL);
    return audit;
}

void audit_free(struct audit *audit)
{
    tenon_allocator memory;

    if (!audit)
        return;
    memory = audit->memory;
    if (audit->fd >= 0)
        close(audit->fd);
    arena_free(&audit->arena);
    pthread_mutex_destroy(&audit->lock);
    memory_free(&memory, audit, sizeof *audit);
}

/* ---- The line ------------------------------------------------------------------------------------------------ */

static void add_text(struct buf *out, const char *key, struct slice text)
{
    if (text.len == 0)
        return;
    buf_addf(out, ",\"%s\":", key);
    json_string(out, text.at, text.len < TEXT_LEN_MAX ? text.len : TEXT_LEN_MAX);
}

static void add_count(struct buf *out, const char *key, size_t count)
{
    if (count)
        buf_addf(out, ",\"%s\":%zu", key, count);
}

/* JSON, in which a line end can only be a blank. */
static void add_arguments(struct buf *out, struct slice json)
{
    if (json.len > AUDIT_ARGUMENTS_MAX) {
        add_count(out, "arguments_bytes", json.len);
        return;
    }
    buf_lit(out, ",\"arguments\":");
    for (size_t i = 0; i < json.len; i++)
        buf_char(out, json.at[i] == '\n' || json.at[i] == '\r' ? ' ' : json.at[i]);
}

static void write_line(struct buf *out, const struct call_report *report, bool arguments)
{
    char    when[TIMESTAMP_TEXT_LEN + 1];
    int64_t us = report->took_us > 0 ? report->took_us : 0;

    timestamp_format(report->started_ms, when);
    buf_addf(out, "{\"time\":\"%s\",\"tool\":", when);
    json_string(out, report->tool, strlen(report->tool));
    buf_lit(out, ",\"outcome\":");
    json_string(out, report->code ? report->code : "OK", report->code ? strlen(report->code) : 2);
    buf_addf(out, ",\"ms\":%lld.%03lld,\"received\":%zu,\"sent\":%zu", (long long)(us / 1000),
             (long long)(us % 1000), report->bytes_in, report->bytes_out);
    add_text(out, "caller", report->caller);
    add_text(out, "trace", report->trace);
    add_count(out, "issues", report->issues);
    add_count(out, "coerced", report->coerced);
    add_count(out, "clamped", report->clamped);
    if (report->overrun)
        buf_lit(out, ",\"overrun\":true");
    if (arguments && report->arguments.len)
        add_arguments(out, report->arguments);
    buf_lit(out, "}\n");
}

/* ---- The file ------------------------------------------------------------------------------------------------ */

static void close_file(struct audit *audit)
{
    if (audit->fd >= 0)
        close(audit->fd);
    audit->fd = -1;
}

/* Opens the file anew when it failed or, as is seen every now and then, its name leads to another one. */
static void look(struct audit *audit, int64_t now_ms)
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
        audit->torn = false;
    }
    audit->fd = open_file(audit->path);
}

/* Leaves errno. */
static bool put(struct audit *audit, struct slice line)
{
    ssize_t written;

    if (audit->fd < 0)
        return false;
    do
        written = write(audit->fd, line.at, line.len);
    while (written < 0 && errno == EINTR);
    if (written == (ssize_t)line.len) {
        audit->torn = false;
        return true;
    }
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

static void complain(struct audit *audit, int64_t now_ms, const char *why)
{
    audit->lost++;
    if (audit->complained && now_ms - audit->complained_ms < AUDIT_COMPLAIN_MS)
        return;
    log_line(audit->log, LOG_ERROR, "audit: %.500s cannot be written: %s; lines lost: %llu", audit->path, why,
             (unsigned long long)audit->lost);
    audit->complained    = true;
    audit->complained_ms = now_ms;
    audit->lost          = 0;
}

void audit_call(struct audit *audit, const struct call_report *report)
{
    int64_t    now_ms = audit->clock.now_ms(audit->clock.user);
    struct buf line;

    pthread_mutex_lock(&audit->lock);
    errno = 0;
    look(audit, now_ms);
    buf_init(&line, &audit->arena, 512, LINE_LEN_MAX);
    if (audit->torn)
        buf_char(&line, '\n'); /* ends what a full disk cut off */
    write_line(&line, report, audit->arguments);
    if (line.failed || !put(audit, buf_slice(&line)))
        complain(audit, now_ms, line.failed ? tenon_status_text(TENON_E_NOMEM) : strerror(errno));
    arena_reset(&audit->arena);
    pthread_mutex_unlock(&audit->lock);
}
