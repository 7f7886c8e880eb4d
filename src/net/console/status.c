/* status.c - what the console shows of the server itself: health, settings in force and where each came from, limits. */
#define _GNU_SOURCE
#include <stdio.h>

#include "mcp/era.h"
#include "mcp/source.h"
#include "net/admin.h"
#include "net/console/inside.h"
#include "net/metrics.h"
#include "net/serve.h"
#include "net/settings_value.h"

#define VALUE_MAX ((size_t)4096)

/* ---- Settings ------------------------------------------------------------------------------------------------------ */

static void write_setting(struct tn_console *console, tenon_writer *to, const tenon_setting *row)
{
    struct tn_settings *settings = console->serving->settings;
    struct tn_buf       value;
    bool                shown;

    tn_buf_init(&value, &console->arena, 0, VALUE_MAX);
    shown = tn_settings_show(settings, row, &value);
    tenon_write_object(to, NULL);
    tenon_write_str(to, "name", row->name);
    tenon_write_bytes(to, "value", tn_buf_slice(&value).at, tn_buf_slice(&value).len);
    tenon_write_str(to, "from", tn_settings_from(settings, row));
    tenon_write_str(to, "help", row->help);
    if (!shown)
        tenon_write_bool(to, "secret", true);
    tenon_write_end(to);
}

static void write_settings(struct tn_console *console, tenon_writer *to)
{
    const struct tn_settings *settings = console->serving->settings;
    const tenon_setting      *row;
    bool                      open = false;

    tenon_write_array(to, "settings");
    for (size_t next = 0; (row = tn_settings_next(settings, &next));) {
        if (row->group || !open) {
            if (open) {
                tenon_write_end(to);
                tenon_write_end(to);
            }
            tenon_write_object(to, NULL);
            tenon_write_str(to, "group", row->group ? row->group : "Of this server");
            tenon_write_array(to, "rows");
            open = true;
        }
        write_setting(console, to, row);
    }
    if (open) {
        tenon_write_end(to);
        tenon_write_end(to);
    }
    tenon_write_end(to);
}

/* ---- Limits ---------------------------------------------------------------------------------------------------------- */

static const struct {
    const char  *setting, *words;
    enum tn_held held;
    bool         bytes;
} limits[] = {
    { "max-connections", "open connections", HELD_CONNECTIONS, false },
    { "max-calls", "calls that run or wait", HELD_CALLS, false },
    { "max-incoming", "requests that are being read", HELD_INCOMING, true },
    { "max-outgoing", "answers that are not taken yet", HELD_OUTGOING, true },
    { "max-streams", "open event streams", HELD_STREAMS, false },
    { "max-waiting", "messages of calls that wait", HELD_WAITING, true },
    { "max-sessions", "sessions of older clients", HELD_SESSIONS, false },
    { "max-subscriptions", "what sessions subscribed to", HELD_SUBSCRIPTIONS, true },
    { "max-listeners", "open subscriptions/listen", HELD_LISTENERS, false },
    { "max-tasks", "tasks that run or are kept", HELD_TASKS, false },
    { "max-results", "results of tasks", HELD_RESULTS, true },
    { "max-replays", "streams that may be resumed", HELD_REPLAYS, true },
};

static void write_limits(tenon_writer *to, const struct tn_metrics_gauges *gauges)
{
    tenon_write_array(to, "limits");
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        enum tn_held held = limits[i].held;

        tenon_write_object(to, NULL);
        tenon_write_str(to, "name", limits[i].setting);
        tenon_write_str(to, "words", limits[i].words);
        tenon_write_int(to, "now", (int64_t)gauges->held.sum[held]);
        tenon_write_int(to, "most", (int64_t)gauges->held.peak[held]);
        tenon_write_int(to, "value", (int64_t)gauges->held.most[held]);
        tenon_write_int(to, "hits", (int64_t)gauges->held.refused[held]);
        tenon_write_bool(to, "bytes", limits[i].bytes);
        tenon_write_end(to);
    }
    tenon_write_end(to);
}

/* ---- Health ---------------------------------------------------------------------------------------------------------- */

static void write_check(tenon_writer *to, const char *name, bool ok, const char *words)
{
    tenon_write_object(to, NULL);
    tenon_write_str(to, "name", name);
    tenon_write_bool(to, "ok", ok);
    tenon_write_str(to, "words", words);
    tenon_write_end(to);
}

static void write_checks(struct tn_console *console, tenon_writer *to, const struct tn_metrics_gauges *gauges)
{
    struct tn_serving        *serving  = console->serving;
    const struct tn_settings *settings = serving->settings;
    char                      words[160];
    size_t                    busy = 0, queued = 0, lost = 0;

    tenon_write_array(to, "checks");
    if (serving->workers) {
        tn_workers_counts(serving->workers, &busy, &queued, &lost);
        snprintf(words, sizeof words, "%zu of %d busy, %zu calls wait, %zu lost", busy, settings->workers,
                 queued, lost);
        write_check(to, "Workers", tn_workers_healthy(serving->workers), words);
    }
    snprintf(words, sizeof words, "callers: %zu, sessions: %zu, connections: %zu", gauges->held.callers,
             gauges->sessions, gauges->http.connections);
    write_check(to, "Callers", true, words);
    snprintf(words, sizeof words, "%llu messages refused", (unsigned long long)gauges->rate_limited);
    if (serving->rates)
        write_check(to, "Rates", gauges->rate_limited == 0, words);
    snprintf(words, sizeof words, "%llu lines lost", (unsigned long long)gauges->audit_lost);
    if (settings->audit)
        write_check(to, "Audit", gauges->audit_lost == 0, words);
    tenon_write_end(to);
}

/* ---- All ------------------------------------------------------------------------------------------------------------- */

static void write_server(struct tn_console *console, tenon_writer *to)
{
    struct tn_serving  *serving = console->serving;
    const tenon_server *server  = serving->server;
    bool                stops   = atomic_load(&serving->stopping);

    tenon_write_str(to, "kind", server->source ? "guard" : "server");
    tenon_write_str(to, "name", server->name);
    tenon_write_str(to, "version", server->version);
    tenon_write_str(to, "tenon", tenon_version());
    tenon_write_int(to, "started", console->began_ms);
    tenon_write_int(to, "now", tn_console_now_ms(console));
    tenon_write_str(to, "endpoint", tenon_server_url(server));
    tenon_write_str(to, "health", stops ? "stopping" : tn_admin_is_healthy(serving) ? "ok" : "degraded");
    tenon_write_bool(to, "auditArguments", serving->settings->audit_arguments);
    tenon_write_int(to, "workers", serving->workers ? serving->settings->workers : 0);
}

void tn_console_status(struct tn_console *console, tenon_writer *to, const char *key)
{
    struct tn_metrics_gauges gauges = { .healthy = true };

    if (console->serving->gauges)
        console->serving->gauges(console->serving, &gauges);
    write_server(console, to);
    tenon_write_str(to, "key", key);
    write_checks(console, to, &gauges);
    write_settings(console, to);
    write_limits(to, &gauges);
}
