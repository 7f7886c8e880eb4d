/* exchange.c - taking, answering and giving back exchanges. */
#include "mcp/exchange.h"

#include <stdarg.h>
#include <string.h>

#include "base/memory.h"
#include "json/echo.h"
#include "mcp/offer/subscribe.h"
#include "mcp/offer/tasks.h"
#include "mcp/phrases.h"
#include "mcp/session.h"

#define EXCHANGE_MEMORY_MAX ((size_t)256 << 20)
#define IDLE_MAX            64                 /* exchanges that are kept to be used again ... */
#define IDLE_KEEP           ((size_t)1 << 20)  /* ... each with so much of every arena ... */
#define IDLE_BYTES_MAX      ((size_t)8 << 20)  /* ... and with so much in all */
#define MESSAGE_MAX         ((size_t)2048)
#define WAITING_EACH        ((size_t)8 << 10) /* of one that waits, beside its message */

/* ---- Lifetime ------------------------------------------------------------------------------------------------ */

static void destroy(struct exchange *x)
{
    tenon_allocator memory = x->server->memory;

    for (size_t i = 0; i < BOXES; i++)
        tenon_call_free(x->calls[i]);
    arena_free(&x->arena);
    arena_free(&x->notes);
    pthread_mutex_destroy(&x->lock);
    memory_free(&memory, x, sizeof *x);
}

/* Memory that it has, used or not. */
static size_t memory_of_idle(const struct exchange *x)
{
    size_t bytes = x->arena.used + x->notes.used;

    for (size_t i = 0; i < BOXES; i++)
        bytes += x->calls[i] ? x->calls[i]->arena.used : 0;
    return bytes;
}

/* Overwrites what the request brought and made. */
static void rest(struct exchange *x, size_t keep)
{
    for (size_t i = 0; i < BOXES; i++)
        if (x->calls[i])
            call_rest(x->calls[i], keep);
    arena_rest(&x->arena, keep);
    arena_rest(&x->notes, keep);
}

static struct exchange *make(tenon_server *server)
{
    struct exchange *x = memory_new(&server->memory, sizeof *x);

    if (!x)
        return NULL;
    memset(x, 0, sizeof *x);
    x->server     = server;
    x->progressed = -1;
    pthread_mutex_init(&x->lock, NULL);
    arena_init(&x->arena, &server->memory, EXCHANGE_MEMORY_MAX);
    arena_init(&x->notes, &server->memory, EXCHANGE_MEMORY_MAX);
    return x;
}

struct exchange *exchange_take(tenon_server *server)
{
    struct exchange *x;

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
        x = make(server);
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
static void clear(struct exchange *x)
{
    x->port           = NULL;
    x->session        = NULL;
    x->account        = NULL;
    x->caller         = (struct caller){ 0 };
    x->version        = V2024_11_05;
    x->id             = (struct slice){ NULL, 0 };
    x->method         = NULL;
    x->params         = NULL;
    x->meta           = NULL;
    x->progress_token = (struct slice){ NULL, 0 };
    x->progressed     = -1;
    x->trace          = (struct slice){ NULL, 0 };
    x->call           = NULL;
    x->entry          = NULL;
    x->deferred       = false;
    x->bad_utf8       = false;
    x->batched        = false;
    x->replies        = NULL;
    x->questions      = NULL;
    x->pending        = 0;
    x->rounds         = 0;
    x->kept           = (struct slice){ NULL, 0 };
    x->task           = NULL;
    x->listening      = false;
    x->loaded         = false;
    x->becoming_task  = false;
    x->waits          = 0;
    rest(x, IDLE_KEEP);
}

bool exchange_may_wait(struct exchange *x)
{
    size_t message = x->batched ? 0 : x->bytes_in + x->nodes * sizeof(yyjson_val); /* a batch pays once */

    return x->waits > 0 || exchange_may_keep(x, WAITING_EACH + message);
}

bool exchange_may_keep(struct exchange *x, size_t bytes)
{
    if (!account_take(x->account, HELD_WAITING, bytes))
        return false;
    x->waits += bytes;
    return true;
}

void exchange_keep_less(struct exchange *x, size_t bytes)
{
    account_give(x->account, HELD_WAITING, bytes);
    x->waits -= bytes;
}

static struct slice copy_to(struct arena *arena, struct slice text)
{
    return (struct slice){ text.at ? arena_copy(arena, text.at, text.len) : NULL, text.len };
}

/* Its id is compared by other threads, with the session's lock. */
bool exchange_shed(struct exchange *x)
{
    struct session *session = x->session;
    struct arena    kept, old;
    struct caller   caller = x->caller;
    struct slice    id;

    arena_init(&kept, &x->server->memory, EXCHANGE_MEMORY_MAX);
    id            = copy_to(&kept, x->id);
    caller.name   = copy_to(&kept, caller.name);
    caller.scopes = copy_to(&kept, caller.scopes);
    if (kept.failed) {
        arena_free(&kept);
        return false;
    }
    if (session)
        pthread_mutex_lock(&session->lock);
    old               = x->arena;
    x->arena          = kept;
    x->id             = id;
    x->progress_token = x->trace = (struct slice){ NULL, 0 };
    x->caller                    = caller;
    x->params = x->meta = NULL;
    if (session)
        pthread_mutex_unlock(&session->lock);
    arena_rest(&old, 0);
    return true;
}

struct account *exchange_account(const struct exchange *x)
{
    return x->account;
}

void exchange_hold(struct exchange *x)
{
    atomic_fetch_add_explicit(&x->refs, 1, memory_order_relaxed);
}

void exchange_release(struct exchange *x)
{
    tenon_server *server;
    size_t        bytes;
    bool          kept;

    if (!x || atomic_fetch_sub_explicit(&x->refs, 1, memory_order_acq_rel) != 1)
        return;
    server = x->server;
    if (x->session)
        session_release(x->session);
    if (x->task)
        task_release(x->task);
    if (x->port)
        x->port->release(x->port);
    if (x->waits > 0)
        account_give(x->account, HELD_WAITING, x->waits);
    account_release(x->account);
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
        destroy(x);
}

/* The last ones of the list were in no use since the last look. */
void exchange_tick(tenon_server *server)
{
    struct exchange *unused = NULL, **at = &server->idle;

    pthread_mutex_lock(&server->lock);
    for (size_t i = server->idle_least; i < server->idle_count; i++)
        at = &(*at)->next;
    unused             = *at;
    *at                = NULL;
    server->idle_count = server->idle_count - server->idle_least;
    for (const struct exchange *x = unused; x; x = x->next)
        server->idle_bytes -= memory_of_idle(x);
    server->idle_least = server->idle_count;
    pthread_mutex_unlock(&server->lock);
    if (!unused)
        return;
    while (unused) {
        struct exchange *next = unused->next;

        destroy(unused);
        unused = next;
    }
    memory_trim();
}

void exchange_free_idle(tenon_server *server)
{
    while (server->idle) {
        struct exchange *x = server->idle;

        server->idle = x->next;
        destroy(x);
    }
}

/* ---- The gate ------------------------------------------------------------------------------------------------ */

bool exchange_send(struct exchange *x, enum out_kind kind, struct slice json)
{
    bool open;

    pthread_mutex_lock(&x->lock);
    open = x->state == EXCHANGE_OPEN;
    if (open)
        x->port->send(x->port, &(struct out){ .kind = kind, .json = json });
    pthread_mutex_unlock(&x->lock);
    return open;
}

/* The last message; false when there was one already, or nobody wants it. */
bool exchange_answer(struct exchange *x, const struct out *out)
{
    bool open;

    pthread_mutex_lock(&x->lock);
    open = x->state == EXCHANGE_OPEN;
    if (open) {
        x->state = EXCHANGE_ANSWERED;
        x->port->send(x->port, out);
    }
    pthread_mutex_unlock(&x->lock);
    if (x->session)
        session_forget(x->session, x);
    return open;
}

bool exchange_is_open(struct exchange *x)
{
    bool open;

    pthread_mutex_lock(&x->lock);
    open = x->state == EXCHANGE_OPEN;
    pthread_mutex_unlock(&x->lock);
    return open;
}

void exchange_cancel(struct exchange *x)
{
    bool open;

    pthread_mutex_lock(&x->lock);
    open = x->state == EXCHANGE_OPEN;
    if (open)
        x->state = EXCHANGE_CANCELLED;
    if (open && x->call)
        tenon_call_cancel(x->call);
    if (open &&
        !exchange_is_new(x)) /* no response; but a request of HTTP must end, and a batch be complete */
        x->port->send(x->port, &(struct out){ .kind = OUT_FINAL, .status = 202 });
    pthread_mutex_unlock(&x->lock);
    if (!open)
        return;
    if (x->listening)
        subscribe_end(x);
    if (x->session) {
        session_forget(x->session, x);
        session_unwait(x->session, x);
    }
}

/* One that became a task outlives the request that began it. */
bool exchange_is_modern(struct exchange *x)
{
    bool is_task;

    pthread_mutex_lock(&x->lock);
    is_task = x->task != NULL;
    pthread_mutex_unlock(&x->lock);
    return exchange_is_new(x) && !is_task;
}

bool exchange_is_listening(const struct exchange *x)
{
    return x->listening;
}

bool exchange_is_of(const struct exchange *x, const struct session *session)
{
    return session && x->session == session;
}

/* ---- Results ------------------------------------------------------------------------------------------------- */

struct buf result_begin_as(struct exchange *x, const char *type)
{
    struct buf out;

    buf_init(&out, &x->arena, 512, RESULT_LEN_MAX);
    buf_lit(&out, "{\"jsonrpc\":\"2.0\",\"id\":");
    buf_add(&out, x->id.at, x->id.len);
    buf_lit(&out, ",\"result\":{");
    if (exchange_is_new(x)) {
        buf_lit(&out, "\"resultType\":\"");
        buf_text(&out, type);
        buf_char(&out, '"');
    }
    return out;
}

struct buf result_begin(struct exchange *x)
{
    return result_begin_as(x, "complete");
}

void result_key(struct buf *out, const char *key)
{
    if (!out->failed && out->at[out->len - 1] != '{')
        buf_char(out, ',');
    buf_char(out, '"');
    buf_text(out, key);
    buf_lit(out, "\":");
}

void result_cacheable(struct exchange *x, struct buf *out, int64_t ttl_ms, bool is_private)
{
    if (!exchange_is_new(x))
        return;
    result_key(out, "ttlMs");
    buf_int(out, ttl_ms > 0 ? ttl_ms : 0);
    result_key(out, "cacheScope");
    buf_text(out, is_private ? "\"private\"" : "\"public\"");
}

void result_close(const struct exchange *x, struct buf *out)
{
    if (exchange_is_new(x)) {
        result_key(out, "_meta");
        buf_lit(out, "{\"" META_SERVER_INFO "\":");
        buf_add(out, x->server->identity.at, x->server->identity.len);
        buf_char(out, '}');
    }
    buf_lit(out, "}}");
}

void result_end_with(struct exchange *x, struct buf *out, struct slice session)
{
    result_close(x, out);
    if (out->failed) {
        exchange_fail(x, RPC_INTERNAL_ERROR, (struct slice){ NULL, 0 }, SAY_NO_MEMORY);
        return;
    }
    exchange_answer(
        x,
        &(struct out){ .kind = OUT_FINAL, .status = 200, .json = { out->at, out->len }, .session = session });
}

void result_end(struct exchange *x, struct buf *out)
{
    result_end_with(x, out, (struct slice){ NULL, 0 });
}

/* ---- Errors -------------------------------------------------------------------------------------------------- */

static int status_of(const struct exchange *x, int code)
{
    switch (code) {
    case RPC_PARSE_ERROR:
    case RPC_INVALID_REQUEST:
    case RPC_HEADER_MISMATCH:
    case RPC_NO_VERSION:
    case RPC_NO_CAPABILITY: return 400;
    case RPC_NO_METHOD: return exchange_is_new(x) ? 404 : 200;
    default: return 200;
    }
}

void error_write(struct buf *out, struct slice id, int code, struct slice data, struct slice message)
{
    buf_lit(out, "{\"jsonrpc\":\"2.0\",");
    if (id.len > 0) { /* what could not be read has none */
        buf_lit(out, "\"id\":");
        buf_add(out, id.at, id.len);
        buf_char(out, ',');
    }
    buf_lit(out, "\"error\":{\"code\":");
    buf_int(out, code);
    buf_lit(out, ",\"message\":");
    json_string(out, message.at, message.len);
    if (data.len > 0) {
        buf_lit(out, ",\"data\":");
        buf_add(out, data.at, data.len);
    }
    buf_lit(out, "}}");
}

/* The error that needs no memory. */
#define NO_MEMORY_TEXT                                                                                       \
    "{\"jsonrpc\":\"2.0\",\"id\":%.*s,\"error\":{\"code\":-32603,\"message\":\"" SAY_NO_MEMORY "\"}}"

void exchange_fail_bare(struct exchange *x)
{
    char text[512];
    int  len = snprintf(text, sizeof text, NO_MEMORY_TEXT,
                       x->id.len > 0 && x->id.len < 256 ? (int)x->id.len : 4,
                       x->id.len > 0 && x->id.len < 256 ? x->id.at : "null");

    exchange_answer(x, &(struct out){ .kind = OUT_FINAL, .status = 500, .json = { text, (size_t)len } });
}

void exchange_fail_scoped(struct exchange *x, int status, int code, struct slice data, const char *message,
                          const char *scopes)
{
    struct buf out;

    buf_init(&out, &x->arena, 256, MESSAGE_MAX + x->id.len + data.len + 256);
    error_write(&out, x->id, code, data, slice_of(message));
    if (out.failed)
        exchange_fail_bare(x);
    else
        exchange_answer(x, &(struct out){ .kind   = OUT_FINAL,
                                          .status = status,
                                          .json   = { out.at, out.len },
                                          .scopes = scopes });
    if (x->server->observer.message)
        x->server->observer.message(x->server->observer.user, x->method ? x->method->name : "unknown", code);
}

void exchange_fail_status(struct exchange *x, int status, int code, struct slice data, const char *message)
{
    exchange_fail_scoped(x, status, code, data, message, NULL);
}

void exchange_fail(struct exchange *x, int code, struct slice data, const char *format, ...)
{
    struct buf text;
    va_list    args;

    buf_init(&text, &x->arena, 0, MESSAGE_MAX);
    va_start(args, format);
    buf_addv(&text, format, args);
    va_end(args);
    exchange_fail_status(x, status_of(x, code), code, data, buf_end(&text) ? text.at : SAY_INTERNAL);
}

const char *exchange_echo(struct exchange *x, struct slice text)
{
    struct buf out;

    buf_init(&out, &x->arena, 0, MESSAGE_MAX);
    echo_text(&out, text.at ? text.at : "", text.len);
    return buf_end(&out) ? out.at : "";
}

/* ---- Calls --------------------------------------------------------------------------------------------------- */

tenon_call *exchange_call(struct exchange *x, enum box box)
{
    tenon_call *call = x->calls[box];

    if (!call)
        call = x->calls[box] = tenon_call_new(x->server->boxes[box]);
    if (!call) {
        exchange_fail_bare(x);
        return NULL;
    }
    call->host   = x;
    call->caller = x->caller.name;
    pthread_mutex_lock(&x->lock);
    x->call = call;
    pthread_mutex_unlock(&x->lock);
    return call;
}
