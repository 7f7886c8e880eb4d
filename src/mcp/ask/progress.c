/* progress.c - what a handler sends to its client while it runs. */
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "mcp/exchange.h"

#include <tenon/ask.h>
#include <tenon/progress.h>

#define NOTE_LINE_MAX ((size_t)64 << 10)

/* A handler may say a great deal: what was said is forgotten with the next. */
static struct tn_buf begin_note(struct tn_exchange *x, const char *method)
{
    struct tn_buf out;

    tn_arena_rest(&x->notes, NOTE_LINE_MAX);
    tn_buf_init(&out, &x->notes, 256, NOTE_LINE_MAX + 1024);
    tn_buf_lit(&out, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/");
    tn_buf_text(&out, method);
    tn_buf_lit(&out, "\",\"params\":{");
    return out;
}

static void end_note(struct tn_exchange *x, struct tn_buf *out)
{
    tn_buf_lit(out, "}}");
    if (!out->failed)
        tn_exchange_send(x, OUT_NOTE, (struct tn_slice){ out->at, out->len });
}

static void write_formatted(struct tn_buf *out, const char *format, va_list args)
{
    struct tn_buf text;

    tn_buf_init(&text, out->arena, 0, NOTE_LINE_MAX);
    tn_buf_addv(&text, format, args);
    tn_json_string(out, text.failed || !text.at ? "" : text.at, text.failed ? 0 : text.len);
}

void tenon_progress(tenon_call *call, double done, double total, const char *format, ...)
{
    struct tn_exchange *x = tn_exchange_of(call);
    struct tn_buf       out;
    va_list             args;

    if (!x || x->progress_token.len == 0 || x->task || !isfinite(done) || !(done > x->progressed))
        return;
    x->progressed = done;
    out           = begin_note(x, "progress");
    tn_buf_lit(&out, "\"progressToken\":");
    tn_buf_add(&out, x->progress_token.at, x->progress_token.len);
    tn_buf_lit(&out, ",\"progress\":");
    tn_json_number(&out, done);
    if (total > 0 && isfinite(total)) {
        tn_buf_lit(&out, ",\"total\":");
        tn_json_number(&out, total);
    }
    if (format && x->version >= V2025_03_26) {
        tn_buf_lit(&out, ",\"message\":");
        va_start(args, format);
        write_formatted(&out, format, args);
        va_end(args);
    }
    end_note(x, &out);
}

void tenon_log(tenon_call *call, tenon_level level, const char *format, ...)
{
    struct tn_exchange *x = tn_exchange_of(call);
    struct tn_buf       out;
    va_list             args;

    if (!x || x->log_level < 0 || (int)level < x->log_level || (int)level > TENON_LEVEL_EMERGENCY || x->task)
        return;
    out = begin_note(x, "message");
    tn_buf_lit(&out, "\"level\":\"");
    tn_buf_text(&out, tn_level_text((int)level));
    tn_buf_lit(&out, "\",\"logger\":");
    tn_json_string(&out, x->server->name, strlen(x->server->name));
    tn_buf_lit(&out, ",\"data\":");
    va_start(args, format);
    write_formatted(&out, format, args);
    va_end(args);
    end_note(x, &out);
}

const char *tenon_caller(const tenon_call *call)
{
    struct tn_exchange *x = tn_exchange_of(call);

    return x && x->caller.name.len > 0 ? x->caller.name.at : "";
}

const char *tenon_trace(const tenon_call *call)
{
    struct tn_exchange *x = tn_exchange_of(call);

    return x && x->trace.len > 0 ? x->trace.at : "";
}

void tenon_release_stream(tenon_call *call, int retry_ms)
{
    struct tn_exchange *x = tn_exchange_of(call);

    if (x && !tn_exchange_is_modern(x) && x->port->detach)
        x->port->detach(x->port, retry_ms > 0 ? retry_ms : 0);
}

const char *tenon_quote(tenon_call *call, const char *text)
{
    struct tn_buf out;

    tn_buf_init(&out, &call->arena, 0, DATA_LEN_MAX);
    tn_json_string(&out, text ? text : "", text ? strlen(text) : 0);
    return tn_buf_end(&out) ? out.at : "\"\"";
}

bool tenon_client_can(const tenon_call *call, tenon_ability ability)
{
    struct tn_exchange *x = tn_exchange_of(call);

    return x && (x->abilities & (unsigned)ability) == (unsigned)ability;
}
