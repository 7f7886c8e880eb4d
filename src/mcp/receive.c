/* receive.c - from bytes to a method: what is this message, of which era, and may it run now?
 *
 * The order of checks is what clients were promised: JSON, JSON-RPC, era with its headers, session, method, and only then
 * what the method itself wants.
 */
#include "mcp/receive.h"

#include <tenon/progress.h>

#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "json/read.h"
#include "mcp/batch.h"
#include "mcp/exchange.h"
#include "mcp/offer/subscribe.h"
#include "mcp/offer/tasks.h"
#include "mcp/offer/tools.h"
#include "mcp/phrases.h"
#include "mcp/session.h"

#define NOTHING         ((struct slice){ NULL, 0 })
#define ENVELOPE_DEPTH  8 /* levels around arguments */
#define ENVELOPE_VALUES 1000
#define TRACE_MAX       ((size_t)256)

static const struct method methods[] = {
    { "tools/call", method_tools_call, METHOD_MODERN | METHOD_LEGACY | METHOD_ASKS },
    { "tools/list", method_tools_list, METHOD_MODERN | METHOD_LEGACY },
    { "resources/read", method_resources_read, METHOD_MODERN | METHOD_LEGACY | METHOD_ASKS },
    { "resources/list", method_resources_list, METHOD_MODERN | METHOD_LEGACY },
    { "resources/templates/list", method_templates_list, METHOD_MODERN | METHOD_LEGACY },
    { "resources/subscribe", method_resources_subscribe, METHOD_LEGACY },
    { "resources/unsubscribe", method_resources_unsubscribe, METHOD_LEGACY },
    { "prompts/get", method_prompts_get, METHOD_MODERN | METHOD_LEGACY | METHOD_ASKS },
    { "prompts/list", method_prompts_list, METHOD_MODERN | METHOD_LEGACY },
    { "completion/complete", method_complete, METHOD_MODERN | METHOD_LEGACY },
    { "server/discover", method_discover, METHOD_MODERN },
    { "subscriptions/listen", method_listen, METHOD_MODERN },
    { "skills/list", method_skills_list, METHOD_MODERN },
    { "skills/get", method_skills_get, METHOD_MODERN },
    { "resources/directory/read", method_directory_read, METHOD_MODERN },
    { "tasks/get", method_tasks_get, METHOD_MODERN },
    { "tasks/update", method_tasks_update, METHOD_MODERN },
    { "tasks/cancel", method_tasks_cancel, METHOD_MODERN },
    { "initialize", method_initialize, METHOD_LEGACY },
    { "ping", method_ping, METHOD_LEGACY },
    { "logging/setLevel", method_set_level, METHOD_LEGACY },
};

/* Methods of what the server does not offer do not exist. */
static bool is_offered(const tenon_server *server, struct slice name)
{
    static const struct {
        const char *prefix;
        enum list   list, or ;
    } offers[] = {
        { "tools/", LIST_TOOLS, LIST_TOOLS },
        { "resources/directory/", LIST_SKILLS, LIST_SKILLS },
        { "resources/", LIST_RESOURCES, LIST_TEMPLATES },
        { "skills/", LIST_SKILLS, LIST_SKILLS },
        { "prompts/", LIST_PROMPTS, LIST_PROMPTS },
        { "completion/", LIST_PROMPTS, LIST_TEMPLATES },
    };

    for (size_t i = 0; i < sizeof offers / sizeof *offers; i++) {
        size_t len = strlen(offers[i].prefix);

        if (name.len > len && memcmp(name.at, offers[i].prefix, len) == 0)
            return server->lists[offers[i].list].count > 0 || server->lists[offers[i].or ].count > 0;
    }
    return true;
}

static const struct method *find_method(const struct exchange *x, struct slice name)
{
    unsigned era = exchange_is_new(x) ? METHOD_MODERN : METHOD_LEGACY;

    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
        if (slice_is(name, methods[i].name))
            return methods[i].flags & era && is_offered(x->server, name) ? &methods[i] : NULL;
    return NULL;
}

/* ---- Reading ------------------------------------------------------------------------------------------------- */

static void fail_unread(struct exchange *x, const struct json_text *text, const struct json_limits *limits)
{
    switch (text->fault) {
    case JSON_TOO_LONG: exchange_fail(x, RPC_INVALID_REQUEST, NOTHING, SAY_TOO_LONG, limits->bytes); break;
    case JSON_TOO_DEEP: exchange_fail(x, RPC_INVALID_REQUEST, NOTHING, SAY_TOO_DEEP, limits->depth); break;
    case JSON_TOO_MANY: exchange_fail(x, RPC_INVALID_REQUEST, NOTHING, SAY_TOO_MANY, limits->nodes); break;
    case JSON_SYNTAX: exchange_fail(x, RPC_PARSE_ERROR, NOTHING, SAY_NOT_JSON, text->what, text->at); break;
    default: exchange_fail_status(x, 503, RPC_INTERNAL_ERROR, NOTHING, SAY_NO_MEMORY); break;
    }
}

static yyjson_val *read_message(struct exchange *x, struct slice bytes)
{
    const tenon_server_options *options = &x->server->options;
    const struct json_limits    limits  = {
            .bytes = SIZE_MAX, /* the transport has its own */
            .depth = (options->max_depth ? options->max_depth : TENON_MAX_DEPTH) + ENVELOPE_DEPTH,
            .nodes = (options->max_nodes ? options->max_nodes : TENON_MAX_NODES) + ENVELOPE_VALUES,
    };
    struct json_text text = json_read(&x->arena, bytes.at, bytes.len, &limits);

    x->bytes_in = bytes.len;
    x->bad_utf8 = text.bad_utf8;
    x->nodes    = text.nodes;
    if (text.root)
        return text.root;
    x->id = rpc_scan_id(&x->arena, bytes);
    fail_unread(x, &text, &limits);
    return NULL;
}

static struct slice json_of(struct exchange *x, yyjson_val *value)
{
    struct buf out;

    if (!value)
        return NOTHING;
    buf_init(&out, &x->arena, 32, RESULT_LEN_MAX);
    json_value(&out, value);
    return buf_slice(&out);
}

/* The id of a request comes back as it was written: 2.0 is not 2 to every client. Of a batch, only its value is known. */
static struct slice id_of(struct exchange *x, const struct message_in *in, yyjson_val *id)
{
    struct slice written = yyjson_is_real(id) && !x->batched ? rpc_scan_id(&x->arena, in->bytes) : NOTHING;

    return written.len > 0 ? written : json_of(x, id);
}

static struct slice copy_of(struct exchange *x, struct slice text)
{
    return (struct slice){ arena_copy(&x->arena, text.at, text.len), text.len };
}

/* What a request says beside its method. */
static void read_meta(struct exchange *x)
{
    yyjson_val  *token;
    struct slice trace;

    x->meta = rpc_get(x->params, "_meta");
    token   = rpc_get(x->meta, "progressToken");
    trace   = rpc_text(rpc_get(x->meta, "traceparent"));
    if (rpc_is_token(token))
        x->progress_token = json_of(x, token);
    if (trace.len > 0 && trace.len <= TRACE_MAX)
        x->trace = trace;
}

/* ---- Sessions ------------------------------------------------------------------------------------------------ */

static void adopt_session(struct exchange *x)
{
    pthread_mutex_lock(&x->session->lock);
    x->version   = x->session->version;
    x->abilities = x->session->abilities;
    x->log_level = x->session->log_level < 0 ? TENON_LEVEL_INFO : x->session->log_level;
    pthread_mutex_unlock(&x->session->lock);
}

/* Finds the session of a legacy message over HTTP; false when it answered. */
static bool find_session(struct exchange *x, const struct message_in *in, bool initializes)
{
    enum version named;

    if (!in->http)
        return true;
    named      = in->http->version.len > 0 ? version_of(in->http->version) : VERSION_SILENT;
    x->version = named < V2026_07_28 ? named : VERSION_SILENT;
    if (initializes)
        return true;
    if (named >= V2026_07_28) {
        exchange_fail_status(x, 400, RPC_INVALID_REQUEST, NOTHING,
                             named == V2026_07_28 ? SAY_RESPONSE_MODERN : SAY_LEGACY_VERSION);
        return false;
    }
    if (in->http->session.len == 0) {
        exchange_fail_status(x, 400, RPC_INVALID_REQUEST, NOTHING, SAY_SESSION_MISSING);
        return false;
    }
    x->session = session_of(x->server, in->http->session, in->caller, in->account);
    if (x->session)
        return true;
    exchange_fail_status(x, 404, RPC_INVALID_REQUEST, NOTHING, SAY_SESSION_UNKNOWN);
    return false;
}

/* ---- Notifications and responses ----------------------------------------------------------------------------- */

static void heed_cancelled(struct exchange *x)
{
    yyjson_val      *id = rpc_get(x->params, "requestId");
    struct exchange *target;

    if (!rpc_is_token(id) || !x->session)
        return;
    target = session_running(x->session, json_of(x, id));
    if (!target)
        return;
    exchange_cancel(target);
    exchange_release(target);
}

/* The refusal has no id: the id of a response is of a question of ours. On a pipe only this process can have asked,
 * and an answer that came too late is no news. */
static enum heed refuse_response(struct exchange *x, enum answered answered)
{
    static const struct {
        int         status, code;
        const char *message;
    } refusals[] = {
        [ANSWER_UNASKED]    = { 404, RPC_INVALID_REQUEST, SAY_UNASKED },
        [ANSWER_TOO_LONG]   = { 413, RPC_INVALID_REQUEST, SAY_ANSWER_LONG },
        [ANSWER_UNREADABLE] = { 400, RPC_INVALID_REQUEST, SAY_ANSWER_UNREADABLE },
        [ANSWER_TOO_MUCH]   = { 503, RPC_INTERNAL_ERROR, SAY_ANSWERS_MANY },
        [ANSWER_NO_MEMORY]  = { 503, RPC_INTERNAL_ERROR, SAY_NO_MEMORY },
    };

    if (answered == ANSWER_UNASKED && !x->on_http)
        return HEED_NOTHING;
    x->id = NOTHING;
    exchange_fail_status(x, refusals[answered].status, refusals[answered].code, NOTHING,
                         refusals[answered].message);
    return HEED_ANSWER;
}

static enum heed heed_response(struct exchange *x, const struct rpc *rpc, struct exchange **exchange)
{
    struct exchange *resumed;
    enum answered    answered = session_answer(x, rpc, &resumed);

    if (answered != ANSWER_TAKEN)
        return refuse_response(x, answered);
    if (!resumed)
        return HEED_NOTHING;
    if (resumed->deferred) {
        *exchange = resumed;
        return HEED_RUN;
    }
    exchange_run(resumed);
    exchange_release(resumed);
    return HEED_NOTHING;
}

/* ---- Requests ------------------------------------------------------------------------------------------------ */

static void fail_era(struct exchange *x, const struct era *era)
{
    struct buf data;

    buf_init(&data, &x->arena, 0, 4096);
    if (era->code == RPC_NO_VERSION) {
        buf_lit(&data, "{\"supported\":[\"");
        buf_text(&data, version_text(V2026_07_28));
        buf_lit(&data, "\"],\"requested\":");
        json_string(&data, era->requested.at, era->requested.len < 256 ? era->requested.len : 256);
        buf_char(&data, '}');
    }
    exchange_fail_status(x, 400, era->code, buf_slice(&data), era->fault);
}

/* Does its handler wait? A prompt is found here, for its deadline. */
static bool wants_worker(struct exchange *x)
{
    tenon_server *server = x->server;
    struct entry *entry;

    if (x->method->run == method_tools_call)
        return x->entry->tool->info.blocking;
    if (x->method->run == method_prompts_get) {
        x->entry = core_find(server, LIST_PROMPTS, rpc_text(rpc_get(x->params, "name")));
        return x->entry && x->entry->tool->info.blocking;
    }
    if (x->method->run != method_resources_read)
        return false;
    entry = core_find(server, LIST_RESOURCES, rpc_text(rpc_get(x->params, "uri")));
    if (entry)
        return entry->resource->blocking;
    for (size_t i = 0; i < server->lists[LIST_TEMPLATES].count; i++) /* which of them is known when it runs */
        if (server->lists[LIST_TEMPLATES].at[i].resource->blocking)
            return true;
    return false;
}

/* A tool that becomes a task at once answers at once, whatever its handler does later. */
static bool begins_task(const struct exchange *x)
{
    tenon_task task;

    if (x->method->run != method_tools_call || !exchange_is_new(x))
        return false;
    task = x->entry->tool->info.task;
    return (task == TENON_TASK_ALLOWED || task == TENON_TASK_REQUIRED) && x->abilities & ABILITY_TASKS;
}

/* Over HTTP a caller's rate is checked before a message is read; of calls on a pipe, and of those in a batch, here. False when
 * it was answered. */
static bool is_in_time(struct exchange *x)
{
    const struct host *host = &x->server->host;
    int64_t            wait_ms;
    char               text[sizeof SAY_RATE + 20];

    if (!host->admit || (x->on_http && !x->batched))
        return true;
    wait_ms = host->admit(host->user, x->account, x->batched ? 0 : x->bytes_in);
    if (wait_ms <= 0)
        return true;
    snprintf(text, sizeof text, SAY_RATE, (long long)wait_ms);
    tools_answer_instead(x, TENON_CODE_LIMIT_EXCEEDED, text, wait_ms);
    return false;
}

static enum heed begin_request(struct exchange *x, const struct message_in *in, const struct rpc *rpc,
                               struct exchange **exchange)
{
    const char *fault = in->http && exchange_is_new(x) ? era_header_fault(rpc, in->http, &x->arena) : NULL;

    if (fault) {
        exchange_fail(x, RPC_HEADER_MISMATCH, NOTHING, "%s", fault);
        return HEED_ANSWER;
    }
    x->method = find_method(x, rpc->method);
    if (!x->method) {
        exchange_fail(x, RPC_NO_METHOD, NOTHING, SAY_NO_METHOD, exchange_echo(x, rpc->method));
        return HEED_ANSWER;
    }
    read_meta(x);
    if (x->server->observer.called) {
        x->started_ms = x->server->clock.wall_ms(x->server->clock.user);
        x->started_us = clock_now_us();
    }
    if (x->method->run == method_tools_call && !tools_check(x, in->http))
        return HEED_ANSWER;
    if ((x->batched || x->method->run == method_tools_call) && !is_in_time(x))
        return HEED_ANSWER;
    if (x->server->observer.message)
        x->server->observer.message(x->server->observer.user, x->method->name, 0);
    x->deferred = wants_worker(x);
    if (x->session && (x->deferred || x->method->flags & METHOD_ASKS || x->method->run == method_listen))
        session_list(x->session, x);
    if (x->deferred && !begins_task(x)) {
        if (!exchange_may_wait(x)) { /* its message is kept until a worker has it, and after */
            exchange_refuse(x, false);
            return HEED_ANSWER;
        }
        exchange_hold(x);
        *exchange = x;
        return HEED_RUN;
    }
    exchange_dispatch(x);
    if (!x->task && exchange_is_open(x)) { /* it waits for its client, or listens */
        exchange_hold(x);
        *exchange = x;
    }
    return HEED_ANSWER;
}

/* Text that is not Unicode, and is not an argument: what is wrong with those is said by name. */
static void check_text(struct rpc *rpc, yyjson_val *root)
{
    if (yyjson_is_str(rpc->id) && !utf8_valid(yyjson_get_str(rpc->id), yyjson_get_len(rpc->id)))
        *rpc = (struct rpc){ .kind = RPC_INVALID, .fault = SAY_ID_TEXT };
    else if (rpc->kind == RPC_REQUEST && !rpc_is_text(root, rpc->params))
        *rpc = (struct rpc){ .kind = RPC_INVALID, .fault = SAY_BAD_TEXT, .id = rpc->id };
}

enum heed receive_value(struct exchange *x, const struct message_in *in, yyjson_val *root,
                        struct exchange **exchange)
{
    struct rpc rpc = rpc_of(root);
    struct era era;

    if (x->bad_utf8)
        check_text(&rpc, root);
    x->id     = id_of(x, in, rpc.id);
    x->params = rpc.params;
    if (rpc.kind == RPC_INVALID) {
        exchange_fail(x, RPC_INVALID_REQUEST, NOTHING, "%s", rpc.fault);
        return HEED_ANSWER;
    }
    era = era_of(&rpc, in->http);
    if (era.kind == ERA_FAULT && rpc.kind == RPC_REQUEST) {
        fail_era(x, &era);
        return HEED_ANSWER;
    }
    if (era.kind == ERA_MODERN) {
        x->version   = era.version;
        x->abilities = era.abilities;
        x->log_level = era.log_level;
    } else {
        if (!find_session(x, in, slice_is(rpc.method, "initialize")))
            return HEED_ANSWER;
        if (x->session)
            adopt_session(x);
    }
    if (rpc.kind == RPC_RESPONSE)
        return heed_response(x, &rpc, exchange);
    if (rpc.kind == RPC_REQUEST)
        return begin_request(x, in, &rpc, exchange);
    if (slice_is(rpc.method, "notifications/cancelled"))
        heed_cancelled(x);
    return HEED_NOTHING;
}

/* ---- The way in ---------------------------------------------------------------------------------------------- */

struct exchange *receive_begin(tenon_server *server, const struct message_in *in)
{
    struct exchange *x = exchange_take(server);

    if (!x)
        return NULL;
    x->port = in->port;
    in->port->hold(in->port);
    x->account = in->account;
    account_hold(x->account);
    x->on_http   = in->http != NULL;
    x->log_level = -1;
    x->version   = VERSION_SILENT;
    if (in->session) {
        session_hold(in->session);
        x->session = in->session;
    }
    if (in->caller)
        x->caller = (struct caller){ .name   = copy_of(x, in->caller->name),
                                     .scopes = copy_of(x, in->caller->scopes),
                                     .scoped = in->caller->scoped };
    return x;
}

static void fail_at_once(const struct message_in *in)
{
    static const char text[] = "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32603,\"message\":\"" SAY_NO_MEMORY
                               "\"}}";

    in->port->send(in->port,
                   &(struct out){ .kind = OUT_FINAL, .status = 503, .json = { text, sizeof text - 1 } });
}

enum heed mcp_receive(tenon_server *server, const struct message_in *in, struct exchange **exchange)
{
    struct exchange *x = receive_begin(server, in);
    yyjson_val      *root;
    enum heed        heed = HEED_ANSWER;

    *exchange = NULL;
    if (!x) {
        fail_at_once(in);
        return HEED_ANSWER;
    }
    root = read_message(x, in->bytes);
    if (yyjson_is_arr(root))
        heed = batch_receive(x, in, root, exchange);
    else if (root)
        heed = receive_value(x, in, root, exchange);
    exchange_release(x);
    return heed;
}

bool mcp_may_call(tenon_server *server, struct slice message)
{
    static const char notes[] = "notifications/";
    struct arena      arena;
    struct slice      method;
    bool              may;

    arena_init(&arena, &server->memory, 0);
    method = rpc_scan_method(&arena, message);
    may    = !slice_is(method, "ping") &&
          (method.len < sizeof notes - 1 || memcmp(method.at, notes, sizeof notes - 1) != 0);
    arena_rest(&arena, 0);
    return may;
}

void mcp_refuse_long(tenon_server *server, const struct message_in *in)
{
    struct exchange *x = receive_begin(server, in);

    if (!x) {
        fail_at_once(in);
        return;
    }
    x->id = rpc_scan_id(&x->arena, in->bytes);
    exchange_fail(x, RPC_INVALID_REQUEST, NOTHING, SAY_LINE_LONG);
    exchange_release(x);
}

/* ---- Running ------------------------------------------------------------------------------------------------- */

void exchange_dispatch(struct exchange *x)
{
    x->method->run(x);
}

void exchange_run(struct exchange *x)
{
    if (exchange_is_open(x))
        exchange_dispatch(x);
}

int exchange_deadline_ms(const struct exchange *x)
{
    int own = x->entry && x->entry->tool ? x->entry->tool->info.deadline_ms : 0;

    if (x->task) /* forgotten then; its worker must not be held for ever */
        return (int)TASK_TTL_MS;
    if (own < 0)
        return 0;
    return own > 0 ? own : x->server->deadline_ms;
}

bool exchange_overrun(struct exchange *x)
{
    /* Of others `entry` may be changing: their handlers only read, anyway. */
    unsigned hints = x->method->run == method_tools_call ? x->entry->tool->info.hints : TENON_READ_ONLY;
    bool     again = (hints & (TENON_IDEMPOTENT | TENON_READ_ONLY)) != 0;
    bool     sent  = tools_answer_instead(x, TENON_CODE_TIMEOUT, again ? SAY_TIMEOUT : SAY_TIMEOUT_UNKNOWN,
                                     again ? 0 : RETRY_NEVER);

    pthread_mutex_lock(&x->lock);
    if (x->call)
        tenon_call_cancel(x->call);
    pthread_mutex_unlock(&x->lock);
    return sent;
}

void exchange_refuse(struct exchange *x, bool lost)
{
    if (lost)
        tools_answer_instead(x, TENON_CODE_UNAVAILABLE, SAY_WORKERS_LOST, 0);
    else
        tools_answer_instead(x, TENON_CODE_LIMIT_EXCEEDED, SAY_SATURATED, 0);
}

void mcp_tick(tenon_server *server)
{
    int64_t now_ms = server->clock.now_ms(server->clock.user);

    sessions_tick(server, now_ms);
    tasks_tick(server, now_ms);
    exchange_tick(server);
    ledger_tick(server->ledger, clock_now_us());
}
