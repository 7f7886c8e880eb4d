/* request.c - a request: made, written, sent, ended. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "json/locate.h"
#include "json/read.h"
#include "json/write.h"
#include "net/client/client.h"
#include "net/client/mirror.h"

#define SEND_MAX     ((size_t)64 << 20) /* of what a program may send */
#define WRITE_MAX    (SEND_MAX * 2)
#define PARAMS_MAX   32 /* headers of one request that repeat arguments */
#define HEADERS_MAX_ (PARAMS_MAX + 2)
#define SPARE_MAX    ((size_t)16)       /* requests that are kept, ... */
#define SPARE_BYTES  ((size_t)64 << 10) /* ... with so much memory each */

static const struct tn_json_limits send_limits = { SEND_MAX, 1024, 10000000 };

/* ---- Made --------------------------------------------------------------------------------------------------- */

/* The member of params that Mcp-Name repeats. */
static const char *named_by(const char *method)
{
    static const struct {
        const char *method, *member;
    } table[] = { { "tools/call", "name" },  { "prompts/get", "name" },    { "resources/read", "uri" },
                  { "tasks/get", "taskId" }, { "tasks/update", "taskId" }, { "tasks/cancel", "taskId" } };

    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(method, table[i].method) == 0)
            return table[i].member;
    return NULL;
}

static bool read_params(tenon_request *request, struct tn_slice params)
{
    struct tn_json_text text = tn_json_read(&request->arena, params.at, params.len, &send_limits);
    yyjson_val         *meta = yyjson_obj_get(text.root, "_meta");
    struct tn_buf       line;

    if (text.fault == JSON_NO_MEMORY) {
        tn_client_fail(request->client, "out of memory");
        return false;
    }
    if (text.fault != JSON_FINE || !yyjson_is_obj(text.root) || (meta && !yyjson_is_obj(meta))) {
        tn_client_fail(request->client, "the params of %.100s are no JSON object", request->method);
        return false;
    }
    tn_buf_init(&line, &request->arena, params.len + 1, SEND_MAX);
    tn_json_line(&line, params.at, params.len);
    if (!tn_buf_end(&line))
        return false;
    request->given      = text.root;
    request->given_meta = meta;
    request->params     = tn_slice_trim(tn_buf_slice(&line));
    if (meta)
        tn_json_locate(request->params, SLICE_LIT("/_meta"), &request->meta);
    return true;
}

/* Of params that were read before only _meta is read, when there is something in it. */
static bool take_params(tenon_request *request, const struct tn_request_read *read)
{
    const char         *copy = tn_arena_copy(&request->arena, read->params.at, read->params.len);
    struct tn_slice     meta;
    struct tn_json_text text;

    if (!copy)
        return false;
    meta            = (struct tn_slice){ copy + read->meta, read->params.len - read->meta };
    request->given  = read->given;
    request->params = (struct tn_slice){ copy, read->params.len };
    request->meta   = read->meta;
    if (read->meta == 0 || meta.at[1] == '}')
        return true;
    meta                = tn_json_span(meta, 0);
    text                = tn_json_read(&request->arena, meta.at, meta.len, &send_limits);
    request->given_meta = text.root;
    return text.fault == JSON_FINE;
}

static bool make_headers(tenon_request *request)
{
    const char       *member  = named_by(request->method);
    struct tn_slice   name    = tn_rpc_text(member ? yyjson_obj_get(request->given, member) : NULL);
    yyjson_val       *tool    = (yyjson_val *)request->options.tool;
    struct tn_header *headers = NULL;

    if (!request->client->transport || !request->client->transport->is_http)
        return true;
    request->spoken = tn_mirror_value(&request->arena, tn_slice_of(request->method));
    if (!request->spoken)
        return false;
    if (name.at && !(request->name = tn_mirror_value(&request->arena, name)))
        return false;
    if (!tool)
        return true;
    headers = tn_arena_array(&request->arena, PARAMS_MAX, struct tn_header);
    if (!headers)
        return false;
    request->header_count = tn_mirror_params(&request->arena, yyjson_obj_get(tool, "inputSchema"),
                                             yyjson_obj_get(request->given, "arguments"), headers,
                                             PARAMS_MAX);
    request->headers      = headers;
    request->options.tool = NULL; /* it need not live longer */
    return true;
}

/* Requests come and go with each call: some are kept, with the memory that they needed. */
static void request_release(tenon_request *request)
{
    tenon_client   *client = request->client;
    tenon_allocator memory = client->memory;

    if (client->spare_count < SPARE_MAX && request->arena.used + request->answer.used <= SPARE_BYTES) {
        tn_arena_reset(&request->arena);
        tn_arena_reset(&request->answer);
        tn_ring_add(&client->spare, &request->ring);
        client->spare_count++;
        return;
    }
    tn_request_discard(request, &memory);
}

void tn_request_discard(tenon_request *request, const tenon_allocator *memory)
{
    tn_arena_free(&request->answer);
    tn_arena_free(&request->arena);
    tn_memory_free(memory, request, sizeof *request);
}

/* One that was used before, or a new one; all zero but for its memory. */
static tenon_request *request_take(tenon_client *client)
{
    tenon_request  *request = NULL;
    struct tn_arena arena, answer;

    if (client->spare_count == 0) {
        request = tn_memory_new(&client->memory, sizeof *request);
        if (!request)
            return NULL;
        memset(request, 0, sizeof *request);
        tn_arena_init(&request->arena, &client->memory, 0);
        tn_arena_init(&request->answer, &client->memory, 0);
        return request;
    }
    request = (tenon_request *)client->spare.after;
    tn_ring_remove(&request->ring);
    client->spare_count--;
    arena  = request->arena;
    answer = request->answer;
    memset(request, 0, sizeof *request);
    request->arena  = arena;
    request->answer = answer;
    return request;
}

static tenon_request *request_new(tenon_client *client, enum tn_request_kind kind,
                                  const tenon_request_options *options)
{
    tenon_request *request = request_take(client);

    if (!request) {
        tn_client_fail(client, "out of memory");
        return NULL;
    }
    request->client      = client;
    request->kind        = kind;
    request->deadline_ms = TRANSPORT_NEVER;
    memcpy(&request->options, options,
           options->size < sizeof request->options ? options->size : sizeof request->options);
    tn_ring_init(&request->ring);
    return request;
}

/* It is one of the open ones, if it could be made. */
static tenon_request *request_open(tenon_request *request, bool made)
{
    tenon_client *client = request->client;

    if (!made || !make_headers(request)) {
        if (request->arena.failed)
            tn_client_fail(client, "out of memory");
        request_release(request);
        return NULL;
    }
    request->given = NULL; /* its headers are made */
    tn_ring_add(&client->open, &request->ring);
    client->open_count++;
    return request;
}

tenon_request *tn_request_new(tenon_client *client, enum tn_request_kind kind, const char *method,
                              struct tn_slice params, const tenon_request_options *options)
{
    tenon_request *request = request_new(client, kind, options);

    if (!request)
        return NULL;
    request->method = tn_arena_copy(&request->arena, method, strlen(method));
    return request_open(request, request->method && read_params(request, params));
}

tenon_request *tn_request_new_read(tenon_client *client, const char *method,
                                   const struct tn_request_read *read, const tenon_request_options *options)
{
    tenon_request *request = request_new(client, REQUEST_PLAIN, options);

    if (!request)
        return NULL;
    request->method = tn_arena_copy(&request->arena, method, strlen(method));
    return request_open(request, request->method && take_params(request, read));
}

void tn_request_start(tenon_request *request)
{
    tenon_client *client = request->client;

    if (client->stage == STAGE_LOST)
        tn_request_end(request, TENON_REQUEST_LOST, "%s", client->error);
    else if (client->stage == STAGE_READY)
        tn_request_send(request);
}

/* ---- Written ------------------------------------------------------------------------------------------------ */

/* The next part of a list with commas. */
static void add_part(struct tn_buf *out, bool *any, const char *text)
{
    if (*any)
        tn_buf_char(out, ',');
    *any = true;
    tn_buf_text(out, text);
}

static bool adds(tenon_request *request, const char *key)
{
    return !yyjson_obj_get(request->given_meta, key);
}

/* What every request of the revision must carry, unless the program brings its own; without braces. */
static void add_meta(struct tn_buf *out, tenon_request *request, bool *any)
{
    const tenon_client_options *options = &request->client->options;

    if (tn_client_is_modern(request->client)) {
        if (adds(request, META_VERSION))
            add_part(out, any, "\"" META_VERSION "\":\"" MODERN_VERSION "\"");
        if (adds(request, META_CAPABILITIES)) {
            add_part(out, any, "\"" META_CAPABILITIES "\":");
            tn_buf_text(out, tn_negotiate_capabilities(request->client));
        }
        if (adds(request, META_PREFIX "clientInfo")) {
            add_part(out, any, "\"" META_PREFIX "clientInfo\":{\"name\":");
            tn_json_string(out, options->name, strlen(options->name));
            tn_buf_lit(out, ",\"version\":");
            tn_json_string(out, options->version, strlen(options->version));
            tn_buf_char(out, '}');
        }
        if (options->log_level && adds(request, META_LOG_LEVEL)) {
            add_part(out, any, "\"" META_LOG_LEVEL "\":\"");
            tn_buf_addf(out, "%s\"", options->log_level);
        }
    }
    if (request->options.progress && adds(request, "progressToken")) {
        add_part(out, any, "\"progressToken\":");
        tn_buf_int(out, request->id);
    }
}

/* What the program gave goes out byte for byte; ours is put between. */
static void add_params(struct tn_buf *out, tenon_request *request)
{
    struct tn_slice given = request->params;
    struct tn_slice inner = tn_slice_trim((struct tn_slice){ given.at + 1, given.len - 2 });
    bool            any = request->extra.len > 0, own = false;
    size_t          before;

    tn_buf_add(out, request->extra.at, request->extra.len);
    if (any && inner.len > 0)
        tn_buf_char(out, ',');
    if (request->meta) {
        struct tn_slice rest = { given.at + request->meta + 1, given.len - request->meta - 2 };

        tn_buf_add(out, given.at + 1, request->meta);
        add_meta(out, request, &own);
        if (own && yyjson_obj_size(request->given_meta) > 0)
            tn_buf_char(out, ',');
        tn_buf_add(out, rest.at, rest.len);
        return;
    }
    tn_buf_add(out, inner.at, inner.len);
    any    = any || inner.len > 0;
    before = out->len;
    add_part(out, &any, "\"_meta\":{");
    add_meta(out, request, &own);
    tn_buf_char(out, '}');
    if (!own && !out->failed)
        out->len = before;
}

void tn_request_write(tenon_request *request, struct tn_buf *out)
{
    tn_buf_lit(out, "{\"jsonrpc\":\"2.0\",\"id\":");
    tn_buf_int(out, request->id);
    tn_buf_lit(out, ",\"method\":");
    tn_json_string(out, request->method, strlen(request->method));
    tn_buf_lit(out, ",\"params\":{");
    add_params(out, request);
    tn_buf_lit(out, "}}");
}

/* ---- Sent --------------------------------------------------------------------------------------------------- */

static size_t write_headers(const tenon_request *request, struct tn_header headers[HEADERS_MAX_])
{
    size_t count = 0;

    if (!tn_client_is_modern(request->client) || !request->spoken)
        return 0;
    headers[count++] = (struct tn_header){ "Mcp-Method", request->spoken };
    if (request->name)
        headers[count++] = (struct tn_header){ "Mcp-Name", request->name };
    for (size_t i = 0; i < request->header_count; i++)
        headers[count++] = request->headers[i];
    return count;
}

int tn_request_timeout(const tenon_request *request)
{
    return request->options.timeout_ms ? request->options.timeout_ms : request->client->options.timeout_ms;
}

static int64_t deadline_of(const tenon_request *request)
{
    int timeout = tn_request_timeout(request);

    return timeout < 0 || request->kind == REQUEST_LISTEN ? TRANSPORT_NEVER : tn_client_now_ms() + timeout;
}

/* Listening is a request of its own in 2026-07-28; before, a server sends news of lists anyway. True when there is
 * nothing to send. */
static bool settle_listening(tenon_request *request)
{
    tenon_client *client = request->client;
    struct tn_buf params;

    if (request->kind != REQUEST_LISTEN || tn_client_is_modern(client))
        return false;
    client->transport->listens = true;
    if (!request->what) {
        request->result = tn_json_read(&request->answer, "{}", 2, &send_limits).root;
        request->text   = SLICE_LIT("{}");
        tn_request_end(request, TENON_REQUEST_ANSWERED, NULL);
        return true;
    }
    request->method = "resources/subscribe";
    tn_buf_init(&params, &request->arena, 64, SEND_MAX);
    tn_buf_lit(&params, "{\"uri\":");
    tn_json_string(&params, request->what, strlen(request->what));
    tn_buf_char(&params, '}');
    request->params = tn_buf_slice(&params);
    if (!params.failed)
        return false;
    tn_request_end(request, TENON_REQUEST_LOST, "out of memory");
    return true;
}

void tn_request_send(tenon_request *request)
{
    tenon_client    *client = request->client;
    struct tn_header headers[HEADERS_MAX_];
    struct tn_parcel parcel = { .answered = true, .headers = headers };
    struct tn_buf    out;
    bool             sent;

    if (settle_listening(request))
        return;
    request->id   = ++client->last_id;
    request->sent = true;
    request->mark = client->transport->queued;
    tn_arena_reset(&client->outbox);
    tn_buf_init(&out, &client->outbox, request->params.len + request->extra.len + 512, WRITE_MAX);
    tn_request_write(request, &out);
    parcel.key           = request->id;
    parcel.json          = tn_buf_slice(&out);
    parcel.header_count  = write_headers(request, headers);
    request->deadline_ms = deadline_of(request);
    sent                 = !out.failed && client->transport->send(client->transport, &parcel);
    if (!sent)
        tn_request_end(request, TENON_REQUEST_LOST, "out of memory");
}

tenon_request *tn_request_of(tenon_client *client, int64_t id)
{
    for (struct tn_ring *one = client->open.after; one != &client->open; one = one->after) {
        tenon_request *request = (tenon_request *)one;

        if (request->sent && request->id == id)
            return request;
    }
    return NULL;
}

/* ---- Ended -------------------------------------------------------------------------------------------------- */

void tn_request_end(tenon_request *request, tenon_request_state state, const char *format, ...)
{
    tenon_client *client = request->client;
    va_list       args;

    if (request->state == TENON_REQUEST_OPEN) /* else the connection ended after the answer, in one step */
        client->open_count--;
    request->state = state;
    if (state != TENON_REQUEST_ANSWERED)
        request->result = NULL;
    if (state != TENON_REQUEST_REFUSED)
        request->error = NULL;
    if (!request->result && !request->error)
        request->text = (struct tn_slice){ "", 0 };
    if (format) {
        va_start(args, format);
        vsnprintf(request->why, sizeof request->why, format, args);
        va_end(args);
    }
    if (request->garbled && (state == TENON_REQUEST_LATE || state == TENON_REQUEST_LOST))
        snprintf(request->why, sizeof request->why, "the server sent something that is no message");
    tn_question_withdraw(client, (struct tn_slice){ "", 0 }, request);
    tn_ring_remove(&request->ring);
    tn_ring_add(&client->finished, &request->ring);
    if (request->sent && client->transport->forget)
        client->transport->forget(client->transport, request->id);
}

void tn_request_withdraw(tenon_request *request)
{
    tenon_client *client = request->client;
    char          json[160];
    int           len;

    if (!request->sent || request->internal || client->stage == STAGE_LOST)
        return;
    if (client->transport->is_http && tn_client_is_modern(client))
        return; /* the end of its stream says it */
    len = snprintf(
        json, sizeof json,
        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":%lld}}",
        (long long)request->id);
    tn_client_post(client, (struct tn_slice){ json, (size_t)len });
}

static void unsubscribe(tenon_request *request)
{
    tenon_client   *client = request->client;
    struct tn_arena arena;
    struct tn_buf   out;

    if (request->kind != REQUEST_LISTEN || !request->what || tn_client_is_modern(client) ||
        request->state != TENON_REQUEST_ANSWERED || client->stage != STAGE_READY)
        return;
    tn_arena_init(&arena, &client->memory, 0);
    tn_buf_init(&out, &arena, 256, SEND_MAX);
    tn_buf_lit(&out, "{\"jsonrpc\":\"2.0\",\"id\":");
    tn_buf_int(&out, ++client->last_id);
    tn_buf_lit(&out, ",\"method\":\"resources/unsubscribe\",\"params\":{\"uri\":");
    tn_json_string(&out, request->what, strlen(request->what));
    tn_buf_lit(&out, "}}");
    if (!out.failed)
        tn_client_post(client, tn_buf_slice(&out));
    tn_arena_free(&arena);
}

void tn_request_forget(tenon_request *request)
{
    tenon_client *client = request->client;

    if (request->state == TENON_REQUEST_OPEN) {
        tn_question_withdraw(client, (struct tn_slice){ "", 0 }, request);
        client->open_count--;
        if (request->sent && client->transport->forget)
            client->transport->forget(client->transport, request->id);
    }
    if (client->negotiation == request)
        client->negotiation = NULL;
    tn_ring_remove(&request->ring);
    request_release(request);
}

void tenon_request_cancel(tenon_request *request)
{
    if (!request || request->state != TENON_REQUEST_OPEN)
        return;
    tn_request_withdraw(request);
    tn_request_end(request, TENON_REQUEST_CANCELLED, "cancelled");
}

void tenon_request_free(tenon_request *request)
{
    if (!request)
        return;
    if (request->state == TENON_REQUEST_OPEN)
        tn_request_withdraw(request);
    unsubscribe(request);
    tn_request_forget(request);
}

/* ---- Looked at ---------------------------------------------------------------------------------------------- */

tenon_request_state tenon_request_state_of(const tenon_request *request)
{
    return request ? request->state : TENON_REQUEST_LOST;
}

const tenon_json *tenon_request_result(const tenon_request *request)
{
    return request ? (const tenon_json *)request->result : NULL;
}

const tenon_json *tenon_request_error(const tenon_request *request)
{
    return request ? (const tenon_json *)request->error : NULL;
}

tenon_str tenon_request_text(const tenon_request *request)
{
    if (!request || !request->text.at)
        return (tenon_str){ "", 0 };
    return (tenon_str){ request->text.at, request->text.len };
}

const char *tenon_request_why(const tenon_request *request)
{
    return request ? request->why : "out of memory";
}
