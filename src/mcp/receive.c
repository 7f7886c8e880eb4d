/* receive.c - from bytes to a method: what is this message, of which era, and may it run now?
 *
 * The order of checks is documented: JSON, JSON-RPC, era with its headers, session, method, and only then the method's
 * own parameters.
 */
#include "mcp/receive.h"

#include <tenon/progress.h>

#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "json/read.h"
#include "mcp/ask/input.h"
#include "mcp/batch.h"
#include "mcp/exchange.h"
#include "mcp/offer/tasks.h"
#include "mcp/offer/tools.h"
#include "mcp/phrases.h"
#include "mcp/session.h"
#include "mcp/wire.h"

#define NOTHING         ((struct tn_slice){ NULL, 0 })
#define ENVELOPE_DEPTH  8 /* levels around arguments */
#define ENVELOPE_VALUES 1000
#define TRACE_MAX       ((size_t)256)

/* clang-format off */
static const struct tn_method methods[] = {
    { "tools/call",               tn_method_tools_call,            tn_tools_check, tn_tools_needs_worker,     METHOD_ALL | METHOD_ASKS | METHOD_IS_TOOL },
    { "tools/list",               tn_method_tools_list,            NULL,           NULL,                      METHOD_ALL },
    { "resources/read",           tn_method_resources_read,        NULL,           tn_resources_needs_worker, METHOD_ALL | METHOD_ASKS },
    { "resources/list",           tn_method_resources_list,        NULL,           NULL,                      METHOD_ALL },
    { "resources/templates/list", tn_method_templates_list,        NULL,           NULL,                      METHOD_ALL },
    { "resources/subscribe",      tn_method_resources_subscribe,   NULL,           NULL,                      METHOD_LEGACY | METHOD_SHARES },
    { "resources/unsubscribe",    tn_method_resources_unsubscribe, NULL,           NULL,                      METHOD_LEGACY | METHOD_SHARES },
    { "prompts/get",              tn_method_prompts_get,           NULL,           tn_prompts_needs_worker,   METHOD_ALL | METHOD_ASKS },
    { "prompts/list",             tn_method_prompts_list,          NULL,           NULL,                      METHOD_ALL },
    { "completion/complete",      tn_method_complete,              NULL,           NULL,                      METHOD_ALL },
    { "server/discover",          tn_method_discover,              NULL,           NULL,                      METHOD_MODERN },
    { "subscriptions/listen",     tn_method_listen,                NULL,           NULL,                      METHOD_MODERN | METHOD_LISTENS },
    { "skills/list",              tn_method_skills_list,           NULL,           NULL,                      METHOD_MODERN },
    { "skills/get",               tn_method_skills_get,            NULL,           NULL,                      METHOD_MODERN },
    { "resources/directory/read", tn_method_directory_read,        NULL,           NULL,                      METHOD_MODERN },
    { "tasks/get",                tn_method_tasks_get,             NULL,           NULL,                      METHOD_MODERN | METHOD_SHARES },
    { "tasks/update",             tn_method_tasks_update,          NULL,           NULL,                      METHOD_MODERN | METHOD_SHARES },
    { "tasks/cancel",             tn_method_tasks_cancel,          NULL,           NULL,                      METHOD_MODERN | METHOD_SHARES },
    { "initialize",               tn_method_initialize,            NULL,           NULL,                      METHOD_LEGACY },
    { "ping",                     tn_method_ping,                  NULL,           NULL,                      METHOD_LEGACY },
    { "logging/setLevel",         tn_method_set_level,             NULL,           NULL,                      METHOD_LEGACY | METHOD_SHARES },
};
/* clang-format on */

/* Methods of what the server does not offer do not exist. */
static bool is_offered(const tenon_server *server, struct tn_slice name)
{
    static const struct {
        const char  *prefix;
        enum tn_list list, or ;
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

static const struct tn_method *method_of(struct tn_slice name)
{
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
        if (tn_slice_is(name, methods[i].name))
            return &methods[i];
    return NULL;
}

static unsigned era_of(const struct tn_exchange *x)
{
    return tn_exchange_is_modern(x) ? METHOD_MODERN : METHOD_LEGACY;
}

static const struct tn_method *find_method(const struct tn_exchange *x, struct tn_slice name)
{
    const struct tn_method *method = method_of(name);

    return method && method->flags & era_of(x) && is_offered(x->server, name) ? method : NULL;
}

/* ---- Reading ------------------------------------------------------------------------------------------------- */

static void fail_unread(struct tn_exchange *x, const struct tn_json_text *text,
                        const struct tn_json_limits *limits)
{
    switch (text->fault) {
    case JSON_TOO_LONG: tn_exchange_fail(x, RPC_INVALID_REQUEST, NOTHING, SAY_TOO_LONG, limits->bytes); break;
    case JSON_TOO_DEEP: tn_exchange_fail(x, RPC_INVALID_REQUEST, NOTHING, SAY_TOO_DEEP, limits->depth); break;
    case JSON_TOO_MANY: tn_exchange_fail(x, RPC_INVALID_REQUEST, NOTHING, SAY_TOO_MANY, limits->nodes); break;
    case JSON_SYNTAX:
        tn_exchange_fail(x, RPC_PARSE_ERROR, NOTHING, SAY_NOT_JSON, text->what, text->at);
        break;
    default: tn_exchange_fail_status(x, 503, RPC_INTERNAL_ERROR, NOTHING, SAY_NO_MEMORY); break;
    }
}

static yyjson_val *read_message(struct tn_exchange *x, struct tn_slice bytes)
{
    const tenon_server_options *options = &x->server->options;
    const struct tn_json_limits limits  = {
         .bytes = SIZE_MAX, /* the transport has its own */
         .depth = (options->max_depth ? options->max_depth : TENON_MAX_DEPTH) + ENVELOPE_DEPTH,
         .nodes = (options->max_nodes ? options->max_nodes : TENON_MAX_NODES) + ENVELOPE_VALUES,
    };
    struct tn_json_text text = tn_json_read(&x->arena, bytes.at, bytes.len, &limits);

    x->bytes_in = bytes.len;
    x->bad_utf8 = text.bad_utf8;
    x->nodes    = text.nodes;
    if (text.root)
        return text.root;
    x->id = tn_rpc_scan_id(&x->arena, bytes);
    fail_unread(x, &text, &limits);
    return NULL;
}

static struct tn_slice json_of(struct tn_exchange *x, yyjson_val *value)
{
    struct tn_buf out;

    if (!value)
        return NOTHING;
    tn_buf_init(&out, &x->arena, 32, RESULT_LEN_MAX);
    tn_json_value(&out, value);
    return tn_buf_slice(&out);
}

/* The id of a request comes back as it was written: 2.0 is not 2 to every client. Of a batch, only its value is known. */
static struct tn_slice id_of(struct tn_exchange *x, const struct tn_message_in *in, yyjson_val *id)
{
    struct tn_slice written = yyjson_is_real(id) && !x->batched ? tn_rpc_scan_id(&x->arena, in->bytes)
                                                                : NOTHING;

    return written.len > 0 ? written : json_of(x, id);
}

static struct tn_slice copy_of(struct tn_exchange *x, struct tn_slice text)
{
    return (struct tn_slice){ tn_arena_copy(&x->arena, text.at, text.len), text.len };
}

/* What a request says beside its method. */
static void read_meta(struct tn_exchange *x)
{
    yyjson_val     *token;
    struct tn_slice trace;

    x->meta = tn_rpc_get(x->params, "_meta");
    token   = tn_rpc_get(x->meta, "progressToken");
    trace   = tn_rpc_text(tn_rpc_get(x->meta, "traceparent"));
    if (tn_rpc_is_token(token))
        x->progress_token = json_of(x, token);
    if (trace.len > 0 && trace.len <= TRACE_MAX)
        x->trace = trace;
}

/* ---- Sessions ------------------------------------------------------------------------------------------------ */

static void adopt_session(struct tn_exchange *x)
{
    pthread_mutex_lock(&x->session->lock);
    x->version   = x->session->version;
    x->abilities = x->session->abilities;
    x->log_level = x->session->log_level < 0 ? TENON_LEVEL_INFO : x->session->log_level;
    pthread_mutex_unlock(&x->session->lock);
}

/* Finds the session of a legacy message over HTTP; false when it answered. */
static bool find_session(struct tn_exchange *x, const struct tn_message_in *in, bool initializes)
{
    enum tn_version named;

    if (!in->http)
        return true;
    named      = in->http->version.len > 0 ? tn_version_of(in->http->version) : VERSION_SILENT;
    x->version = named < V2026_07_28 ? named : VERSION_SILENT;
    if (initializes)
        return true;
    if (named >= V2026_07_28) {
        tn_exchange_fail_status(x, 400, RPC_INVALID_REQUEST, NOTHING,
                                named == V2026_07_28 ? SAY_RESPONSE_MODERN : SAY_LEGACY_VERSION);
        return false;
    }
    if (in->http->session.len == 0) {
        tn_exchange_fail_status(x, 400, RPC_INVALID_REQUEST, NOTHING, SAY_SESSION_MISSING);
        return false;
    }
    x->session = tn_session_of(x->server, in->http->session, in->caller, in->account);
    if (x->session)
        return true;
    tn_exchange_fail_status(x, 404, RPC_INVALID_REQUEST, NOTHING, SAY_SESSION_UNKNOWN);
    return false;
}

/* ---- Notifications and responses ----------------------------------------------------------------------------- */

static void receive_cancelled(struct tn_exchange *x)
{
    yyjson_val         *id = tn_rpc_get(x->params, "requestId");
    struct tn_exchange *target;

    if (!tn_rpc_is_token(id) || !x->session)
        return;
    target = tn_session_running(x->session, json_of(x, id));
    if (!target)
        return;
    tn_exchange_cancel(target);
    tn_exchange_release(target);
}

/* The refusal has no id: the id of a response is of a question of ours. On a pipe only this process can have asked,
 * and an answer that came too late is no news. */
static enum tn_received refuse_response(struct tn_exchange *x, enum tn_answered answered)
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
        return RECEIVED_TAKEN;
    x->id = NOTHING;
    tn_exchange_fail_status(x, refusals[answered].status, refusals[answered].code, NOTHING,
                            refusals[answered].message);
    return RECEIVED_ANSWERED;
}

static enum tn_received receive_response(struct tn_exchange *x, struct tn_slice bytes,
                                         const struct tn_rpc *rpc, struct tn_exchange **exchange)
{
    const struct tn_source *source = x->server->source;
    struct tn_exchange     *resumed;
    enum tn_answered        answered;

    if (source)
        return source->response(source->user, x, bytes) ? RECEIVED_TAKEN : refuse_response(x, ANSWER_UNASKED);
    answered = tn_input_answer(x, rpc, &resumed);
    if (answered != ANSWER_TAKEN)
        return refuse_response(x, answered);
    if (!resumed)
        return RECEIVED_TAKEN;
    if (resumed->deferred) {
        *exchange = resumed;
        return RECEIVED_RESUMED;
    }
    tn_exchange_run(resumed);
    tn_exchange_release(resumed);
    return RECEIVED_TAKEN;
}

/* ---- Requests ------------------------------------------------------------------------------------------------ */

static void fail_era(struct tn_exchange *x, const struct tn_era *era)
{
    struct tn_buf data;

    tn_buf_init(&data, &x->arena, 0, 4096);
    if (era->code == RPC_NO_VERSION) {
        tn_buf_lit(&data, "{\"supported\":[\"");
        tn_buf_text(&data, tn_version_text(V2026_07_28));
        tn_buf_lit(&data, "\"],\"requested\":");
        tn_json_string(&data, era->requested.at, era->requested.len < 256 ? era->requested.len : 256);
        tn_buf_char(&data, '}');
    }
    tn_exchange_fail_status(x, 400, era->code, tn_buf_slice(&data), era->fault);
}

static void fail_method(struct tn_exchange *x, struct tn_slice method)
{
    tn_exchange_fail(x, RPC_NO_METHOD, NOTHING, SAY_NO_METHOD, tn_exchange_echo(x, method));
}

/* A tool that becomes a task at once answers at once, whatever its handler does later. */
static bool begins_task(const struct tn_exchange *x)
{
    tenon_task task;

    if (!(x->method->flags & METHOD_IS_TOOL) || !tn_exchange_is_modern(x))
        return false;
    task = x->entry->tool->info.task;
    return (task == TENON_TASK_ALLOWED || task == TENON_TASK_REQUIRED) && x->abilities & ABILITY_TASKS;
}

/* Over HTTP a caller's rate is checked before a message is read; of calls on a pipe, and of those in a batch, here. False when
 * it was answered. */
static bool is_in_time(struct tn_exchange *x)
{
    const struct tn_host *host = &x->server->host;
    int64_t               wait_ms;
    char                  text[sizeof SAY_RATE + 20];

    if (!host->admit || (x->on_http && !x->batched))
        return true;
    wait_ms = host->admit(host->user, x->account, x->batched ? 0 : x->bytes_in);
    if (wait_ms <= 0)
        return true;
    snprintf(text, sizeof text, SAY_RATE, (long long)wait_ms);
    tn_tools_answer_instead(x, TENON_CODE_LIMIT_EXCEEDED, text, wait_ms);
    return false;
}

/* Does it read or write what replicas share? Then it waits for the database, on a worker. */
static bool waits_for_share(const struct tn_exchange *x)
{
    return x->server->share && (x->method->flags & METHOD_SHARES || begins_task(x) ||
                                (x->session && atomic_load(&x->session->stale)));
}

static void note_start(struct tn_exchange *x, const struct tn_message_in *in)
{
    if (!x->server->observer.called)
        return;
    x->started_ms = x->server->clock.wall_ms(x->server->clock.user);
    x->started_us = tn_clock_now_us();
    if (x->method->flags & METHOD_IS_TOOL)
        x->wire = tn_wire_new(x, in);
}

/* What a client asks of a server that has it from elsewhere; methods that this library does not know among it. */
static enum tn_received begin_sourced(struct tn_exchange *x, const struct tn_message_in *in,
                                      const struct tn_rpc *rpc, struct tn_exchange **exchange)
{
    static const struct tn_method other  = { .name = "other", .flags = METHOD_ALL };
    const struct tn_source       *source = x->server->source;

    x->method = method_of(rpc->method);
    if (!x->method)
        x->method = &other;
    if (!(x->method->flags & era_of(x))) {
        x->method = NULL;
        fail_method(x, rpc->method);
        return RECEIVED_ANSWERED;
    }
    read_meta(x);
    note_start(x, in);
    if ((x->batched || x->method->flags & METHOD_IS_TOOL) && !is_in_time(x))
        return RECEIVED_ANSWERED;
    if (x->server->observer.message)
        x->server->observer.message(x->server->observer.user, x->method->name, 0);
    if (x->method->run == tn_method_ping) {
        tn_method_ping(x);
        return RECEIVED_ANSWERED;
    }
    if (!tn_exchange_may_wait(x)) {
        tn_exchange_refuse(x, false);
        return RECEIVED_ANSWERED;
    }
    if (x->session)
        tn_session_list(x->session, x);
    source->request(source->user, x,
                    &(struct tn_sourced){ .method  = rpc->method,
                                          .message = in->bytes,
                                          .members = rpc->members,
                                          .http    = in->http });
    if (!tn_exchange_is_open(x))
        return RECEIVED_ANSWERED;
    tn_exchange_hold(x);
    *exchange = x;
    return RECEIVED_PENDING;
}

static enum tn_received begin_request(struct tn_exchange *x, const struct tn_message_in *in,
                                      const struct tn_rpc *rpc, struct tn_exchange **exchange)
{
    const char *fault = in->http && tn_exchange_is_modern(x) ? tn_era_header_fault(rpc, in->http, &x->arena)
                                                             : NULL;
    bool        shares;

    if (fault) {
        tn_exchange_fail(x, RPC_HEADER_MISMATCH, NOTHING, "%s", fault);
        return RECEIVED_ANSWERED;
    }
    if (x->server->source)
        return begin_sourced(x, in, rpc, exchange);
    x->method = find_method(x, rpc->method);
    if (!x->method) {
        fail_method(x, rpc->method);
        return RECEIVED_ANSWERED;
    }
    read_meta(x);
    note_start(x, in);
    if (x->method->check && !x->method->check(x, in->http))
        return RECEIVED_ANSWERED;
    if ((x->batched || x->method->flags & METHOD_IS_TOOL) && !is_in_time(x))
        return RECEIVED_ANSWERED;
    if (x->server->observer.message)
        x->server->observer.message(x->server->observer.user, x->method->name, 0);
    x->deferred = x->method->needs_worker && x->method->needs_worker(x);
    shares      = waits_for_share(x);
    x->deferred = x->deferred || shares;
    if (x->session && (x->deferred || x->method->flags & (METHOD_ASKS | METHOD_LISTENS)))
        tn_session_list(x->session, x);
    if (x->deferred && (shares || !begins_task(x))) {
        if (!tn_exchange_may_wait(x)) { /* its message is kept until a worker has it, and after */
            tn_exchange_refuse(x, false);
            return RECEIVED_ANSWERED;
        }
        tn_exchange_hold(x);
        *exchange = x;
        return RECEIVED_TO_RUN;
    }
    x->method->run(x);
    if (x->task || !tn_exchange_is_open(x))
        return RECEIVED_ANSWERED;
    tn_exchange_hold(x); /* it waits for its client, or listens */
    *exchange = x;
    return RECEIVED_PENDING;
}

/* Text that is not Unicode, and is not an argument: what is wrong with those is said by name. */
static void check_text(struct tn_rpc *rpc, yyjson_val *root)
{
    if (yyjson_is_str(rpc->id) && !tn_utf8_valid(yyjson_get_str(rpc->id), yyjson_get_len(rpc->id)))
        *rpc = (struct tn_rpc){ .kind = RPC_INVALID, .fault = SAY_ID_TEXT };
    else if (rpc->kind == RPC_REQUEST && !tn_rpc_is_text(root, rpc->params))
        *rpc = (struct tn_rpc){ .kind = RPC_INVALID, .fault = SAY_BAD_TEXT, .id = rpc->id };
}

enum tn_received tn_receive_value(struct tn_exchange *x, const struct tn_message_in *in, yyjson_val *root,
                                  struct tn_exchange **exchange)
{
    struct tn_rpc rpc = tn_rpc_of(root);
    struct tn_era era;

    if (x->bad_utf8)
        check_text(&rpc, root);
    x->id     = id_of(x, in, rpc.id);
    x->params = rpc.params;
    if (rpc.kind == RPC_INVALID) {
        tn_exchange_fail(x, RPC_INVALID_REQUEST, NOTHING, "%s", rpc.fault);
        return RECEIVED_ANSWERED;
    }
    era = tn_era_of(&rpc, in->http);
    if (era.kind == ERA_FAULT && rpc.kind == RPC_REQUEST) {
        fail_era(x, &era);
        return RECEIVED_ANSWERED;
    }
    if (era.kind == ERA_MODERN) {
        x->version   = era.version;
        x->abilities = era.abilities;
        x->log_level = era.log_level;
    } else {
        if (!find_session(x, in, tn_slice_is(rpc.method, "initialize")))
            return RECEIVED_ANSWERED;
        if (x->session)
            adopt_session(x);
    }
    if (rpc.kind == RPC_RESPONSE)
        return receive_response(x, in->bytes, &rpc, exchange);
    if (rpc.kind == RPC_REQUEST)
        return begin_request(x, in, &rpc, exchange);
    if (tn_slice_is(rpc.method, "notifications/cancelled"))
        receive_cancelled(x);
    else if (x->server->source)
        x->server->source->note(x->server->source->user, x, rpc.method, in->bytes);
    return RECEIVED_TAKEN;
}

/* ---- The way in ---------------------------------------------------------------------------------------------- */

struct tn_exchange *tn_receive_begin(tenon_server *server, const struct tn_message_in *in)
{
    struct tn_exchange *x = tn_exchange_take(server);

    if (!x)
        return NULL;
    x->port = in->port;
    in->port->hold(in->port);
    x->account = in->account;
    tn_account_hold(x->account);
    x->on_http   = in->http != NULL;
    x->log_level = -1;
    x->version   = VERSION_SILENT;
    if (in->session) {
        tn_session_hold(in->session);
        x->session = in->session;
    }
    if (in->caller)
        x->caller = (struct tn_caller){ .name   = copy_of(x, in->caller->name),
                                        .scopes = copy_of(x, in->caller->scopes),
                                        .scoped = in->caller->scoped };
    return x;
}

static void fail_at_once(const struct tn_message_in *in)
{
    static const char text[] = "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32603,\"message\":\"" SAY_NO_MEMORY
                               "\"}}";

    in->port->send(in->port,
                   &(struct tn_out){ .kind = OUT_FINAL, .status = 503, .json = { text, sizeof text - 1 } });
}

enum tn_received tn_mcp_receive(tenon_server *server, const struct tn_message_in *in,
                                struct tn_exchange **exchange)
{
    struct tn_exchange *x = tn_receive_begin(server, in);
    yyjson_val         *root;
    enum tn_received    received = RECEIVED_ANSWERED;

    *exchange = NULL;
    if (!x) {
        fail_at_once(in);
        return RECEIVED_ANSWERED;
    }
    root = read_message(x, in->bytes);
    if (yyjson_is_arr(root))
        received = tn_batch_receive(x, in, root, exchange);
    else if (root)
        received = tn_receive_value(x, in, root, exchange);
    tn_exchange_release(x);
    return received;
}

bool tn_mcp_may_call(tenon_server *server, struct tn_slice message)
{
    static const char notes[] = "notifications/";
    struct tn_arena   arena;
    struct tn_slice   method;
    bool              may;

    tn_arena_init(&arena, &server->memory, 0);
    method = tn_rpc_scan_method(&arena, message);
    may    = !tn_slice_is(method, "ping") &&
          (method.len < sizeof notes - 1 || memcmp(method.at, notes, sizeof notes - 1) != 0);
    tn_arena_rest(&arena, 0);
    return may;
}

void tn_mcp_refuse_long(tenon_server *server, const struct tn_message_in *in)
{
    struct tn_exchange *x = tn_receive_begin(server, in);

    if (!x) {
        fail_at_once(in);
        return;
    }
    x->id = tn_rpc_scan_id(&x->arena, in->bytes);
    tn_exchange_fail(x, RPC_INVALID_REQUEST, NOTHING, SAY_LINE_LONG);
    tn_exchange_release(x);
}

/* ---- Time ---------------------------------------------------------------------------------------------------- */

void tn_mcp_tick(tenon_server *server)
{
    int64_t now_ms = server->clock.now_ms(server->clock.user);

    tn_sessions_tick(server, now_ms);
    tn_tasks_tick(server, now_ms);
    tn_exchange_tick(server);
    tn_ledger_tick(server->ledger, tn_clock_now_us());
}
