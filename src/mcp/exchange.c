/* exchange.c - taking, running, answering and giving back exchanges. */
#include "mcp/exchange.h"

#include <stdarg.h>
#include <string.h>

#include <tenon/progress.h>

#include "base/memory.h"
#include "base/os.h"
#include "json/echo.h"
#include "mcp/offer/subscribe.h"
#include "mcp/offer/tasks.h"
#include "mcp/offer/tools.h"
#include "mcp/phrases.h"
#include "mcp/session.h"
#include "mcp/share/share.h"
#include "mcp/wire.h"

#define EXCHANGE_MEMORY_MAX ((size_t)256 << 20)
#define IDLE_MAX            64                 /* exchanges that are kept to be used again ... */
#define IDLE_KEEP           ((size_t)1 << 20)  /* ... each with so much of every arena ... */
#define IDLE_BYTES_MAX      ((size_t)8 << 20)  /* ... and with so much in all */
#define MESSAGE_MAX         ((size_t)2048)
#define WAITING_EACH        ((size_t)8 << 10) /* of one that waits, beside its message */

/* ---- Lifetime ------------------------------------------------------------------------------------------------ */

static void exchange_destroy(struct tn_exchange *x)
{
    tenon_allocator memory = x->server->memory;

    for (size_t i = 0; i < BOXES; i++)
        tenon_call_free(x->calls[i]);
    tn_arena_free(&x->arena);
    tn_arena_free(&x->notes);
    pthread_mutex_destroy(&x->lock);
    tn_memory_free(&memory, x, sizeof *x);
}

/* Memory that it has, used or not. */
static size_t memory_of_idle(const struct tn_exchange *x)
{
    size_t bytes = x->arena.used + x->notes.used;

    for (size_t i = 0; i < BOXES; i++)
        bytes += x->calls[i] ? x->calls[i]->arena.used : 0;
    return bytes;
}

/* Overwrites what the request brought and made. */
static void exchange_rest(struct tn_exchange *x, size_t keep)
{
    for (size_t i = 0; i < BOXES; i++)
        if (x->calls[i])
            tn_call_rest(x->calls[i], keep);
    tn_arena_rest(&x->arena, keep);
    tn_arena_rest(&x->notes, keep);
}

static struct tn_exchange *exchange_make(tenon_server *server)
{
    struct tn_exchange *x = tn_memory_new(&server->memory, sizeof *x);

    if (!x)
        return NULL;
    memset(x, 0, sizeof *x);
    x->server     = server;
    x->progressed = -1;
    pthread_mutex_init(&x->lock, NULL);
    tn_arena_init(&x->arena, &server->memory, EXCHANGE_MEMORY_MAX);
    tn_arena_init(&x->notes, &server->memory, EXCHANGE_MEMORY_MAX);
    return x;
}

struct tn_exchange *tn_exchange_take(tenon_server *server)
{
    struct tn_exchange *x;

    pthread_mutex_lock(&server->lock);
    x = server->idle;
    if (x) {
        server->idle = x->next;
        server->idle_bytes -= memory_of_idle(x);
        if (--server->idle_count < server->idle_least)
            server->idle_least = server->idle_count;
    }
    pthread_mutex_unlock(&server->lock);
    if (!x)
        x = exchange_make(server);
    if (!x)
        return NULL;
    x->next = NULL;
    atomic_store_explicit(&x->refs, 1, memory_order_relaxed);
    x->state = EXCHANGE_OPEN;
    for (size_t i = 0; i < BOXES; i++)
        if (x->calls[i])
            atomic_store_explicit(&x->calls[i]->cancelled, false, memory_order_relaxed);
    return x;
}

/* Field by field: calls, arena and lock stay. */
static void clear(struct tn_exchange *x)
{
    x->port           = NULL;
    x->session        = NULL;
    x->account        = NULL;
    x->caller         = (struct tn_caller){ 0 };
    x->version        = V2024_11_05;
    x->id             = (struct tn_slice){ NULL, 0 };
    x->method         = NULL;
    x->params         = NULL;
    x->meta           = NULL;
    x->progress_token = (struct tn_slice){ NULL, 0 };
    x->progressed     = -1;
    x->trace          = (struct tn_slice){ NULL, 0 };
    x->call           = NULL;
    x->entry          = NULL;
    x->deferred       = false;
    x->bad_utf8       = false;
    x->batched        = false;
    x->replies        = NULL;
    x->questions      = NULL;
    x->pending        = 0;
    x->rounds         = 0;
    x->kept           = (struct tn_slice){ NULL, 0 };
    x->task           = NULL;
    x->sourced        = NULL;
    x->listening      = false;
    x->loaded         = false;
    x->becoming_task  = false;
    x->waits          = 0;
    tn_wire_free(x->wire);
    x->wire = NULL;
    exchange_rest(x, IDLE_KEEP);
}

bool tn_exchange_may_wait(struct tn_exchange *x)
{
    size_t message = x->batched ? 0 : x->bytes_in + x->nodes * sizeof(yyjson_val); /* a batch pays once */

    return x->waits > 0 || tn_exchange_may_keep(x, WAITING_EACH + message);
}

bool tn_exchange_may_keep(struct tn_exchange *x, size_t bytes)
{
    if (!tn_account_take(x->account, HELD_WAITING, bytes))
        return false;
    x->waits += bytes;
    return true;
}

void tn_exchange_keep_less(struct tn_exchange *x, size_t bytes)
{
    tn_account_give(x->account, HELD_WAITING, bytes);
    x->waits -= bytes;
}

static struct tn_slice copy_to(struct tn_arena *arena, struct tn_slice text)
{
    return (struct tn_slice){ text.at ? tn_arena_copy(arena, text.at, text.len) : NULL, text.len };
}

/* Its id is compared by other threads, with the session's lock. */
bool tn_exchange_shed(struct tn_exchange *x)
{
    struct tn_session *session = x->session;
    struct tn_arena    kept, old;
    struct tn_caller   caller = x->caller;
    struct tn_slice    id;

    tn_arena_init(&kept, &x->server->memory, EXCHANGE_MEMORY_MAX);
    id            = copy_to(&kept, x->id);
    caller.name   = copy_to(&kept, caller.name);
    caller.scopes = copy_to(&kept, caller.scopes);
    if (kept.failed) {
        tn_arena_free(&kept);
        return false;
    }
    if (session)
        pthread_mutex_lock(&session->lock);
    old               = x->arena;
    x->arena          = kept;
    x->id             = id;
    x->progress_token = x->trace = (struct tn_slice){ NULL, 0 };
    x->caller                    = caller;
    x->params = x->meta = NULL;
    if (session)
        pthread_mutex_unlock(&session->lock);
    tn_arena_rest(&old, 0);
    return true;
}

struct tn_account *tn_exchange_account(const struct tn_exchange *x)
{
    return x->account;
}

void tn_exchange_hold(struct tn_exchange *x)
{
    atomic_fetch_add_explicit(&x->refs, 1, memory_order_relaxed);
}

void tn_exchange_release(struct tn_exchange *x)
{
    tenon_server *server;
    size_t        bytes;
    bool          kept;

    if (!x || atomic_fetch_sub_explicit(&x->refs, 1, memory_order_acq_rel) != 1)
        return;
    server = x->server;
    if (x->session)
        tn_session_release(x->session);
    if (x->task)
        tn_task_release(x->task);
    if (x->port)
        x->port->release(x->port);
    if (x->waits > 0)
        tn_account_give(x->account, HELD_WAITING, x->waits);
    tn_account_release(x->account);
    clear(x);
    bytes = memory_of_idle(x);
    pthread_mutex_lock(&server->lock);
    kept = server->idle_count < IDLE_MAX && server->idle_bytes + bytes <= IDLE_BYTES_MAX;
    if (kept) {
        x->next      = server->idle;
        server->idle = x;
        server->idle_count++;
        server->idle_bytes += bytes;
    }
    pthread_mutex_unlock(&server->lock);
    if (!kept)
        exchange_destroy(x);
}

/* The last ones of the list were in no use since the last look. */
void tn_exchange_tick(tenon_server *server)
{
    struct tn_exchange *unused = NULL, **at = &server->idle;

    pthread_mutex_lock(&server->lock);
    for (size_t i = server->idle_least; i < server->idle_count; i++)
        at = &(*at)->next;
    unused             = *at;
    *at                = NULL;
    server->idle_count = server->idle_count - server->idle_least;
    for (const struct tn_exchange *x = unused; x; x = x->next)
        server->idle_bytes -= memory_of_idle(x);
    server->idle_least = server->idle_count;
    pthread_mutex_unlock(&server->lock);
    if (!unused)
        return;
    while (unused) {
        struct tn_exchange *next = unused->next;

        exchange_destroy(unused);
        unused = next;
    }
    tn_os_memory_trim();
}

void tn_exchange_free_idle(tenon_server *server)
{
    while (server->idle) {
        struct tn_exchange *x = server->idle;

        server->idle = x->next;
        exchange_destroy(x);
    }
}

/* ---- The gate ------------------------------------------------------------------------------------------------ */

bool tn_exchange_send(struct tn_exchange *x, enum tn_out_kind kind, struct tn_slice json)
{
    bool open;

    pthread_mutex_lock(&x->lock);
    open = x->state == EXCHANGE_OPEN;
    if (open)
        x->port->send(x->port, &(struct tn_out){ .kind = kind, .json = json });
    pthread_mutex_unlock(&x->lock);
    return open;
}

/* The last message; false when there was one already, or nobody wants it. */
static bool end_as(struct tn_exchange *x, enum tn_exchange_state state, const struct tn_out *out)
{
    bool open;

    pthread_mutex_lock(&x->lock);
    open = x->state == EXCHANGE_OPEN;
    if (open) {
        x->state = state;
        tn_wire_answer(x->wire, out);
        x->port->send(x->port, out);
    }
    pthread_mutex_unlock(&x->lock);
    if (x->session)
        tn_session_forget(x->session, x);
    return open;
}

bool tn_exchange_answer(struct tn_exchange *x, const struct tn_out *out)
{
    return end_as(x, EXCHANGE_ANSWERED, out);
}

bool tn_exchange_answer_instead(struct tn_exchange *x, const struct tn_out *out)
{
    return end_as(x, EXCHANGE_REPLACED, out);
}

bool tn_exchange_is_open(struct tn_exchange *x)
{
    bool open;

    pthread_mutex_lock(&x->lock);
    open = x->state == EXCHANGE_OPEN;
    pthread_mutex_unlock(&x->lock);
    return open;
}

void tn_exchange_cancel(struct tn_exchange *x)
{
    bool open;

    pthread_mutex_lock(&x->lock);
    open = x->state == EXCHANGE_OPEN;
    if (open)
        x->state = EXCHANGE_CANCELLED;
    if (open && x->call)
        tenon_call_cancel(x->call);
    if (open &&
        !tn_exchange_is_modern(x)) /* no response; but a request of HTTP must end, and a batch be complete */
        x->port->send(x->port, &(struct tn_out){ .kind = OUT_FINAL, .status = 202 });
    pthread_mutex_unlock(&x->lock);
    if (!open)
        return;
    if (x->listening)
        tn_subscribe_end(x);
    else if (x->server->source)
        x->server->source->cancelled(x->server->source->user, x);
    if (x->session) {
        tn_session_forget(x->session, x);
        tn_session_unwait(x->session, x);
    }
}

bool tn_exchange_ends_with_connection(struct tn_exchange *x)
{
    bool is_task;

    pthread_mutex_lock(&x->lock);
    is_task = x->task != NULL;
    pthread_mutex_unlock(&x->lock);
    return tn_exchange_is_modern(x) && !is_task;
}

bool tn_exchange_is_listening(const struct tn_exchange *x)
{
    return x->listening;
}

bool tn_exchange_is_of(const struct tn_exchange *x, const struct tn_session *session)
{
    return session && x->session == session;
}

/* ---- Errors -------------------------------------------------------------------------------------------------- */

static int exchange_status_of(const struct tn_exchange *x, int code)
{
    switch (code) {
    case RPC_PARSE_ERROR:
    case RPC_INVALID_REQUEST:
    case RPC_HEADER_MISMATCH:
    case RPC_NO_VERSION:
    case RPC_NO_CAPABILITY: return 400;
    case RPC_NO_METHOD: return tn_exchange_is_modern(x) ? 404 : 200;
    default: return 200;
    }
}

/* The error that needs no memory. */
#define NO_MEMORY_TEXT                                                                                       \
    "{\"jsonrpc\":\"2.0\",\"id\":%.*s,\"error\":{\"code\":-32603,\"message\":\"" SAY_NO_MEMORY "\"}}"

void tn_exchange_fail_bare(struct tn_exchange *x)
{
    char text[512];
    int  len = snprintf(text, sizeof text, NO_MEMORY_TEXT,
                       x->id.len > 0 && x->id.len < 256 ? (int)x->id.len : 4,
                       x->id.len > 0 && x->id.len < 256 ? x->id.at : "null");

    tn_exchange_answer(x,
                       &(struct tn_out){ .kind = OUT_FINAL, .status = 500, .json = { text, (size_t)len } });
}

void tn_exchange_fail_scoped(struct tn_exchange *x, int status, int code, struct tn_slice data,
                             const char *message, const char *scopes)
{
    struct tn_buf out;

    tn_buf_init(&out, &x->arena, 256, MESSAGE_MAX + x->id.len + data.len + 256);
    tn_result_error(&out, x->id, code, data, tn_slice_of(message));
    if (out.failed)
        tn_exchange_fail_bare(x);
    else
        tn_exchange_answer(x, &(struct tn_out){ .kind   = OUT_FINAL,
                                                .status = status,
                                                .json   = { out.at, out.len },
                                                .scopes = scopes });
    if (x->server->observer.message)
        x->server->observer.message(x->server->observer.user, x->method ? x->method->name : "unknown", code);
}

void tn_exchange_fail_status(struct tn_exchange *x, int status, int code, struct tn_slice data,
                             const char *message)
{
    tn_exchange_fail_scoped(x, status, code, data, message, NULL);
}

void tn_exchange_fail(struct tn_exchange *x, int code, struct tn_slice data, const char *format, ...)
{
    struct tn_buf text;
    va_list       args;

    tn_buf_init(&text, &x->arena, 0, MESSAGE_MAX);
    va_start(args, format);
    tn_buf_addv(&text, format, args);
    va_end(args);
    tn_exchange_fail_status(x, exchange_status_of(x, code), code, data,
                            tn_buf_end(&text) ? text.at : SAY_INTERNAL);
}

const char *tn_exchange_echo(struct tn_exchange *x, struct tn_slice text)
{
    struct tn_buf out;

    tn_buf_init(&out, &x->arena, 0, MESSAGE_MAX);
    tn_echo_text(&out, text.at ? text.at : "", text.len);
    return tn_buf_end(&out) ? out.at : "";
}

/* ---- Calls --------------------------------------------------------------------------------------------------- */

tenon_call *tn_exchange_call(struct tn_exchange *x, enum tn_box box)
{
    tenon_call *call = x->calls[box];

    if (!call)
        call = x->calls[box] = tenon_call_new(x->server->boxes[box]);
    if (!call) {
        tn_exchange_fail_bare(x);
        return NULL;
    }
    call->host   = x;
    call->caller = x->caller.name;
    pthread_mutex_lock(&x->lock);
    x->call = call;
    pthread_mutex_unlock(&x->lock);
    return call;
}

/* ---- Running ------------------------------------------------------------------------------------------------- */

/* A session that another process has changed, or began, is read first; false when that could not be, and was answered so. */
static bool is_fresh(struct tn_exchange *x)
{
    struct tn_session *session = x->session;

    if (!x->server->share || !session || !atomic_load(&session->stale))
        return true;
    if (!tn_share_session_refresh(session)) {
        tn_tools_answer_instead(x, TENON_CODE_UNAVAILABLE, SAY_SHARE_DOWN, 0);
        return false;
    }
    pthread_mutex_lock(&session->lock);
    x->log_level = session->log_level < 0 ? TENON_LEVEL_INFO : session->log_level;
    pthread_mutex_unlock(&session->lock);
    return true;
}

void tn_exchange_run(struct tn_exchange *x)
{
    if (tn_exchange_is_open(x) && is_fresh(x))
        x->method->run(x);
}

void tn_exchange_start(struct tn_exchange *x)
{
    const struct tn_host *host = &x->server->host;

    if (!host->spawn)
        tn_exchange_run(x);
    else if (!host->spawn(host->user, x))
        tn_exchange_refuse(x, false);
}

int tn_exchange_deadline_ms(const struct tn_exchange *x)
{
    int own = x->entry && x->entry->tool ? x->entry->tool->info.deadline_ms : 0;

    if (x->task) /* forgotten then; its worker must not be held for ever */
        return (int)TASK_TTL_MS;
    if (own < 0)
        return 0;
    return own > 0 ? own : x->server->deadline_ms;
}

bool tn_exchange_overrun(struct tn_exchange *x)
{
    /* Of others `entry` may be changing: their handlers only read, anyway. */
    unsigned hints = x->method->flags & METHOD_IS_TOOL ? x->entry->tool->info.hints : TENON_READ_ONLY;
    bool     again = (hints & (TENON_IDEMPOTENT | TENON_READ_ONLY)) != 0;
    bool     sent  = tn_tools_answer_instead(x, TENON_CODE_TIMEOUT, again ? SAY_TIMEOUT : SAY_TIMEOUT_UNKNOWN,
                                        again ? 0 : RETRY_NEVER);

    pthread_mutex_lock(&x->lock);
    if (x->call)
        tenon_call_cancel(x->call);
    pthread_mutex_unlock(&x->lock);
    return sent;
}

void tn_exchange_refuse(struct tn_exchange *x, bool lost)
{
    if (lost)
        tn_tools_answer_instead(x, TENON_CODE_UNAVAILABLE, SAY_WORKERS_LOST, 0);
    else
        tn_tools_answer_instead(x, TENON_CODE_LIMIT_EXCEEDED, SAY_SATURATED, 0);
}
