/* progress.c - what a handler says to its client while it runs. */
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "mcp/exchange.h"

#include <tenon/ask.h>
#include <tenon/progress.h>

#define NOTE_LINE_MAX ((size_t)64 << 10)

/* A handler may say a great deal: what was said is forgotten with the next. */
static struct buf begin_note(struct exchange *x, const char *method)
{
    struct buf out;

    arena_rest(&x->notes, NOTE_LINE_MAX);
    buf_init(&out, &x->notes, 256, NOTE_LINE_MAX + 1024);
    buf_lit(&out, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/");
    buf_text(&out, method);
    buf_lit(&out, "\",\"params\":{");
    return out;
}

static void end_note(struct exchange *x, struct buf *out)
{
    buf_lit(out, "}}");
    if (!out->failed)
        exchange_send(x, OUT_NOTE, (struct slice){ out->at, out->len });
}

static void write_formatted(struct buf *out, const char *format, va_list args)
{
    struct buf text;

    buf_init(&text, out->arena, 0, NOTE_LINE_MAX);
    buf_addv(&text, format, args);
    json_string(out, text.failed || !text.at ? "" : text.at, text.failed ? 0 : text.len);
}

void tenon_progress(tenon_call *call, double done, double total, const char *format, ...)
{
    struct exchange *x = exchange_of(call);
    struct buf       out;
    va_list          args;

    if (!x || x->progress_token.len == 0 || x->task || !isfinite(done) || !(done > x->progressed))
        return;
    x->progressed = done;
    out           = begin_note(x, "progress");
    buf_lit(&out, "\"progressToken\":");
    buf_add(&out, x->progress_token.at, x->progress_token.len);
    buf_lit(&out, ",\"progress\":");
    json_number(&out, done);
    if (total > 0 && isfinite(total)) {
        buf_lit(&out, ",\"total\":");
        json_number(&out, total);
    }
    if (format && x->version >= V2025_03_26) {
        buf_lit(&out, ",\"message\":");
        va_start(args, format);
        write_formatted(&out, format, args);
        va_end(args);
    }
    end_note(x, &out);
}

void tenon_log(tenon_call *call, tenon_level level, const char *format, ...)
{
    struct exchange *x = exchange_of(call);
    struct buf       out;
    va_list          args;

    if (!x || x->log_level < 0 || (int)level < x->log_level || (int)level > TENON_LEVEL_EMERGENCY || x->task)
        return;
    out = begin_note(x, "message");
    buf_lit(&out, "\"level\":\"");
    buf_text(&out, level_text((int)level));
    buf_lit(&out, "\",\"logger\":");
    json_string(&out, x->server->name, strlen(x->server->name));
    buf_lit(&out, ",\"data\":");
    va_start(args, format);
    write_formatted(&out, format, args);
    va_end(args);
    end_note(x, &out);
}

const char *tenon_caller(const tenon_call *call)
{
    struct exchange *x = exchange_of(call);

    return x && x->caller.name.len > 0 ? x->caller.name.at : "";
}

const char *tenon_trace(const tenon_call *call)
{
    struct exchange *x = exchange_of(call);

    return x && x->trace.len > 0 ? x->trace.at : "";
}

void tenon_release_stream(tenon_call *call, int retry_ms)
{
    struct exchange *x = exchange_of(call);

    if (x && !exchange_is_new(x) && x->port->detach)
        x->port->detach(x->port, retry_ms > 0 ? retry_ms : 0);
}

const char *tenon_quote(tenon_call *call, const char *text)
{
    struct buf out;

    buf_init(&out, &call->arena, 0, DATA_LEN_MAX);
    json_string(&out, text ? text : "", text ? strlen(text) : 0);
    return buf_end(&out) ? out.at : "\"\"";
}

bool tenon_client_can(const tenon_call *call, tenon_ability ability)
{
    struct exchange *x = exchange_of(call);

    return x && (x->abilities & (unsigned)ability) == (unsigned)ability;
}
