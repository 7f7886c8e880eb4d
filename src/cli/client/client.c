/* client.c - requests and replies, and the handshake of both eras. */
#define _POSIX_C_SOURCE 200809L
#include "cli/client/client.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "cli/client/mirror.h"
#include "cli/file.h"
#include "json/locate.h"
#include "json/read.h"
#include "json/write.h"

#define PROBE_MS        5000  /* for servers that ignore what they do not know */
#define PROBE_HTTP_MS   20000 /* where every request has a response, which may be slow */
#define REQUEST_LEN_MAX (FILE_LEN_MAX + ((size_t)1 << 20))
#define HEADERS_MAX     64
#define NOTES_MAX       10000 /* messages before an answer */

#define META "io.modelcontextprotocol/"

#define METHOD_NOT_FOUND   (-32601)
#define MISSING_CAPABILITY (-32021)
#define UNSUPPORTED_VERSION (-32022)

static const struct tn_json_limits limits = { MESSAGE_LEN_MAX, 100, 1000000 };

static const char *const legacy_versions[] = { "2024-11-05", "2025-03-26", "2025-06-18", LEGACY_VERSION };

struct tn_slice value_text(yyjson_val *object, const char *key)
{
    yyjson_val *value = yyjson_obj_get(object, key);

    return yyjson_is_str(value) ? (struct tn_slice){ yyjson_get_str(value), yyjson_get_len(value) }
                                : (struct tn_slice){ "", 0 };
}

struct tn_slice json_span(struct tn_slice text, size_t byte)
{
    size_t depth = 0, at = byte;

    for (bool quoted = false; at < text.len; at++) {
        char c = text.at[at];

        if (quoted) {
            at += c == '\\';
            quoted = c != '"';
        } else if (c == '"')
            quoted = true;
        else if (c == '{' || c == '[')
            depth++;
        else if (depth == 0 && (c == ',' || c == '}' || c == ']'))
            break;
        else if (c == '}' || c == ']')
            depth--;
    }
    at = at < text.len ? at : text.len;
    return tn_slice_trim((struct tn_slice){ text.at + byte, at - byte });
}

/* ---- Messages in -------------------------------------------------------------------------------------------- */

/* One request that waits for its reply. */
struct wait {
    struct client *client;
    int64_t        id;
    size_t         notes;
    struct reply   reply;
    const char    *wrong; /* what the server sent instead of an answer */
};

static void show_progress(const struct client *client, yyjson_val *params)
{
    FILE           *to      = client->console->err;
    struct tn_slice message = value_text(params, "message");
    double          done    = yyjson_get_num(yyjson_obj_get(params, "progress"));
    double          total   = yyjson_get_num(yyjson_obj_get(params, "total"));

    if (total > 0 && done >= 0 && done <= total)
        fprintf(to, "[%3.0f%%] ", 100 * done / total);
    else
        fprintf(to, "[%.6g] ", done);
    console_text(to, message);
    fputc('\n', to);
}

static void show_log(const struct client *client, yyjson_val *params)
{
    FILE         *to   = client->console->err;
    yyjson_val   *data = yyjson_obj_get(params, "data");
    struct tn_buf line;

    tn_buf_init(&line, client->arena, 256, MESSAGE_LEN_MAX);
    if (!yyjson_is_str(data))
        tn_json_value(&line, data);
    else
        tn_buf_add(&line, yyjson_get_str(data), yyjson_get_len(data));
    fputc('[', to);
    console_text(to, value_text(params, "level"));
    fputs("] ", to);
    console_text(to, tn_buf_slice(&line));
    fputc('\n', to);
}

static void take_notification(const struct client *client, struct tn_slice method, yyjson_val *params)
{
    if (!client->verbose)
        return;
    if (tn_slice_is(method, "notifications/progress"))
        show_progress(client, params);
    else if (tn_slice_is(method, "notifications/message"))
        show_log(client, params);
}

static int64_t client_now_ms(void)
{
    struct tn_clock clock = tn_clock_system();

    return clock.now_ms(clock.user);
}

static void carry_note(struct client *client, const char *json, size_t len)
{
    struct parcel parcel = { .json = { json, len } };

    client->transport->carry(client->transport, &parcel);
}

/* A question of a legacy server: answered while its own answer is waited for. The time that a person takes is not the
 * server's. */
static void take_question(struct client *client, struct tn_slice method, yyjson_val *request)
{
    yyjson_val   *id     = yyjson_obj_get(request, "id");
    int64_t       began  = client_now_ms();
    const char   *result = NULL;
    struct tn_buf out;

    if (tn_slice_is(method, "ping"))
        result = "{}";
    else if (client->answer)
        result = client->answer(client, request);
    client->transport->deadline_ms += client_now_ms() - began;
    tn_buf_init(&out, client->arena, 256, MESSAGE_LEN_MAX);
    tn_buf_lit(&out, "{\"jsonrpc\":\"2.0\",\"id\":");
    tn_json_value(&out, id);
    if (result) {
        tn_buf_lit(&out, ",\"result\":");
        tn_buf_text(&out, result);
    } else
        tn_buf_addf(&out, ",\"error\":{\"code\":%d,\"message\":\"This client cannot be asked that.\"}",
                    METHOD_NOT_FOUND);
    tn_buf_char(&out, '}');
    if (tn_buf_end(&out))
        carry_note(client, out.at, out.len);
}

/* The bytes of a member at the top, from a copy that stays. */
static struct tn_slice member_text(struct client *client, struct tn_slice message, const char *pointer)
{
    const char     *copy = tn_arena_copy(client->arena, message.at, message.len);
    struct tn_slice kept = { copy ? copy : "", copy ? message.len : 0 };
    size_t          byte;

    return tn_json_locate(kept, tn_slice_of(pointer), &byte) ? json_span(kept, byte)
                                                             : (struct tn_slice){ "", 0 };
}

/* A response; an error without an id is about a request that the server could not read, so it is about ours. */
static bool take_response(struct wait *wait, struct tn_slice message, yyjson_val *root)
{
    yyjson_val *result = yyjson_obj_get(root, "result"), *error = yyjson_obj_get(root, "error");
    yyjson_val *id = yyjson_obj_get(root, "id");

    if (yyjson_is_obj(error) && (!id || yyjson_is_null(id) || yyjson_get_sint(id) == wait->id)) {
        wait->reply      = (struct reply){ .kind = REPLY_ERROR, .value = error };
        wait->reply.text = member_text(wait->client, message, "/error");
        return true;
    }
    if (!yyjson_is_obj(result) || !yyjson_is_int(id) || yyjson_get_sint(id) != wait->id)
        return false;
    wait->reply      = (struct reply){ .kind = REPLY_RESULT, .value = result };
    wait->reply.text = member_text(wait->client, message, "/result");
    return true;
}

static bool client_take(void *user, struct tn_slice message)
{
    struct wait        *wait = user;
    struct tn_json_text text = tn_json_read(wait->client->arena, message.at, message.len, &limits);
    struct tn_slice     method;

    if (text.fault != JSON_FINE || text.bad_utf8 || !yyjson_is_obj(text.root)) {
        wait->wrong = "the server sent something that is no message";
        return wait->client->transport->status != 0 || ++wait->notes > NOTES_MAX;
    }
    method = value_text(text.root, "method");
    if (method.len == 0)
        return take_response(wait, message, text.root);
    if (++wait->notes > NOTES_MAX) {
        wait->wrong = "the server sends messages without end";
        return true;
    }
    if (yyjson_obj_get(text.root, "id"))
        take_question(wait->client, method, text.root);
    else
        take_notification(wait->client, method, yyjson_obj_get(text.root, "params"));
    return false;
}

/* ---- Messages out ------------------------------------------------------------------------------------------- */

static void add_client_info(struct tn_buf *out)
{
    tn_buf_addf(out, "{\"name\":\"tenon\",\"version\":\"%s\"}", tenon_version());
}

static void add_capabilities(struct tn_buf *out, const struct client *client)
{
    if (client->interactive)
        tn_buf_lit(out, "{\"elicitation\":{\"form\":{},\"url\":{}}}");
    else
        tn_buf_lit(out, "{}");
}

static void add_meta(struct tn_buf *out, const struct client *client, const struct demand *demand, int64_t id)
{
    bool modern = client->era == ERA_MODERN;

    tn_buf_lit(out, "\"_meta\":{");
    if (modern) {
        tn_buf_lit(out, "\"" META "protocolVersion\":\"" MODERN_VERSION "\",\"" META "clientCapabilities\":");
        add_capabilities(out, client);
        tn_buf_lit(out, ",\"" META "clientInfo\":");
        add_client_info(out);
        if (client->verbose)
            tn_buf_lit(out, ",\"" META "logLevel\":\"info\"");
    }
    if (demand->progress)
        tn_buf_addf(out, "%s\"progressToken\":%lld", modern ? "," : "", (long long)id);
    tn_buf_char(out, '}');
}

static const char *write_request(struct client *client, const struct demand *demand, int64_t id, size_t *len)
{
    bool          any = demand->members && *demand->members;
    struct tn_buf out;

    tn_buf_init(&out, client->arena, 512, REQUEST_LEN_MAX);
    tn_buf_addf(&out, "{\"jsonrpc\":\"2.0\",\"id\":%lld,\"method\":\"%s\",\"params\":{", (long long)id,
                demand->method);
    if (any)
        tn_buf_text(&out, demand->members);
    if (client->era == ERA_MODERN || demand->progress) {
        if (any)
            tn_buf_char(&out, ',');
        add_meta(&out, client, demand, id);
    }
    tn_buf_lit(&out, "}}");
    *len = out.len;
    return tn_buf_end(&out);
}

/* What HTTP says beside the message; false when out of memory. */
static bool write_headers(struct client *client, const struct demand *demand, struct header *headers,
                          size_t *count)
{
    size_t n = 0;

    if (client->era == ERA_MODERN) {
        headers[n++] = (struct header){ "Mcp-Method", demand->method };
        if (demand->name) {
            const char *value = mirror_value(client->arena, tn_slice_of(demand->name));

            if (!value)
                return false;
            headers[n++] = (struct header){ "Mcp-Name", value };
        }
        for (size_t i = 0; i < demand->header_count && n < HEADERS_MAX; i++)
            headers[n++] = demand->headers[i];
    }
    *count = n;
    return true;
}

static struct reply request_once(struct client *client, const struct demand *demand, int64_t timeout_ms)
{
    struct header headers[HEADERS_MAX];
    struct wait   wait   = { .client = client, .id = ++client->last_id };
    struct parcel parcel = { .headers = headers, .take = client_take, .user = &wait };
    struct reply  none   = { .kind = REPLY_NONE, .how = CARRIED_FAILED };

    parcel.json.at = write_request(client, demand, wait.id, &parcel.json.len);
    if (!parcel.json.at || !write_headers(client, demand, headers, &parcel.header_count)) {
        transport_fail(client->transport, CARRIED_FAILED, "out of memory");
        return none;
    }
    client->transport->deadline_ms = client_now_ms() + timeout_ms;
    none.how                       = client->transport->carry(client->transport, &parcel);
    if (none.how == CARRIED && wait.reply.kind != REPLY_NONE)
        return wait.reply;
    if (wait.wrong)
        transport_fail(client->transport, CARRIED_FAILED, "%s", wait.wrong);
    return none;
}

static bool lists_version(yyjson_val *versions, const char *version)
{
    yyjson_val *one;
    size_t      index, count;

    yyjson_arr_foreach(versions, index, count, one)
    {
        if (yyjson_equals_str(one, version))
            return true;
    }
    return false;
}

/* The versions that a server names when it refuses ours; NULL when it refuses nothing of that kind. */
static yyjson_val *named_instead(const struct reply *reply)
{
    yyjson_val *code = yyjson_obj_get(reply->value, "code");

    if (reply->kind != REPLY_ERROR || yyjson_get_sint(code) != UNSUPPORTED_VERSION)
        return NULL;
    return yyjson_obj_get(yyjson_obj_get(reply->value, "data"), "supported");
}

/* A server that refuses a version and names the same one is asked once more: behind a balancer another may answer. */
static struct reply request_within(struct client *client, const struct demand *demand, int64_t timeout_ms)
{
    struct reply reply = request_once(client, demand, timeout_ms);

    if (client->era == ERA_MODERN && lists_version(named_instead(&reply), MODERN_VERSION))
        reply = request_once(client, demand, timeout_ms);
    return reply;
}

struct reply client_request(struct client *client, const struct demand *demand)
{
    return request_within(client, demand, client->timeout_ms);
}

void client_complain(const struct client *client, const struct reply *reply, const char *doing)
{
    struct tn_slice message;
    long long       code;
    yyjson_val     *needed;

    if (reply->kind == REPLY_NONE) {
        console_error(client->console, "%s", client->transport->why);
        return;
    }
    message = value_text(reply->value, "message");
    code    = yyjson_get_sint(yyjson_obj_get(reply->value, "code"));
    needed  = yyjson_obj_get(yyjson_obj_get(reply->value, "data"), "requiredCapabilities");
    if (code == MISSING_CAPABILITY && yyjson_obj_get(needed, "elicitation") && !client->interactive)
        console_error(client->console, "%s: it asks for input; call it on a terminal to answer", doing);
    else
        console_error(client->console, "%s: %.*s (%lld)", doing,
                      (int)(message.len < 4000 ? message.len : 4000), message.at, code);
}

/* ---- The handshake ------------------------------------------------------------------------------------------ */

static bool knows_modern(const struct reply *reply)
{
    return reply->kind == REPLY_RESULT &&
           lists_version(yyjson_obj_get(reply->value, "supportedVersions"), MODERN_VERSION);
}

/* Does the server name the versions it knows, and none of them is ours? */
static bool knows_none(const struct reply *reply)
{
    yyjson_val *versions = named_instead(reply);

    if (yyjson_arr_size(versions) == 0)
        return false;
    for (size_t i = 0; i < sizeof legacy_versions / sizeof *legacy_versions; i++)
        if (lists_version(versions, legacy_versions[i]))
            return false;
    return true;
}

/* True when the server is to be spoken with in the modern way. *lost is set when nothing is left to try. */
static bool probe(struct client *client, bool *lost)
{
    const struct demand demand = { .method = "server/discover" };
    bool                forced = client->era == ERA_MODERN;
    int64_t             within = client->transport->is_http ? PROBE_HTTP_MS : PROBE_MS;
    struct reply        reply;
    int                 status;

    if (forced || client->timeout_ms < within)
        within = client->timeout_ms;
    client->era                = ERA_MODERN;
    client->transport->version = MODERN_VERSION;
    reply                      = request_within(client, &demand, within);
    status                     = client->transport->status;
    if (knows_modern(&reply))
        return true;
    *lost = forced || knows_none(&reply) ||
            (reply.kind == REPLY_NONE && reply.how == CARRIED_FAILED &&
             (status == 0 || status == 401 || status == 403 || (status >= 300 && status < 400)));
    if (!*lost && reply.kind == REPLY_NONE && reply.how == CARRIED_CLOSED && client->transport->restart)
        *lost = !client->transport->restart(client->transport);
    if (*lost && reply.kind == REPLY_RESULT)
        console_error(client->console, "the server does not know " MODERN_VERSION);
    else if (*lost)
        client_complain(client, &reply, "the server does not know " MODERN_VERSION);
    return false;
}

static bool take_version(struct client *client, yyjson_val *result)
{
    struct tn_slice version = value_text(result, "protocolVersion");

    for (size_t i = 0; i < sizeof legacy_versions / sizeof *legacy_versions; i++)
        if (tn_slice_is(version, legacy_versions[i])) {
            client->transport->version = legacy_versions[i];
            return true;
        }
    console_error(client->console, "the server speaks '%.*s', which this client does not know",
                  (int)(version.len < 100 ? version.len : 100), version.at);
    return false;
}

static bool shake_hands(struct client *client)
{
    static const char   initialized[] = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}";
    struct demand       demand        = { .method = "initialize" };
    const struct demand level         = { .method = "logging/setLevel", .members = "\"level\":\"info\"" };
    struct reply        reply;
    struct tn_buf       members;

    client->era                = ERA_LEGACY;
    client->transport->version = NULL;
    tn_buf_init(&members, client->arena, 256, 4096);
    tn_buf_lit(&members, "\"protocolVersion\":\"" LEGACY_VERSION "\",\"capabilities\":");
    add_capabilities(&members, client);
    tn_buf_lit(&members, ",\"clientInfo\":");
    add_client_info(&members);
    demand.members = tn_buf_end(&members);
    if (!demand.members) {
        console_error(client->console, "out of memory");
        return false;
    }
    reply = client_request(client, &demand);
    if (reply.kind != REPLY_RESULT) {
        client_complain(client, &reply, "the server does not shake hands");
        return false;
    }
    if (!take_version(client, reply.value))
        return false;
    carry_note(client, initialized, sizeof initialized - 1);
    client->transport->listens = client->interactive;
    if (client->verbose && yyjson_obj_get(yyjson_obj_get(reply.value, "capabilities"), "logging"))
        client_request(client, &level);
    return true;
}

bool client_open(struct client *client)
{
    bool lost = false;

    if (client->transport->why[0]) {
        console_error(client->console, "%s", client->transport->why);
        return false;
    }
    if (client->era != ERA_LEGACY && probe(client, &lost))
        return true;
    return !lost && shake_hands(client);
}

void client_close(struct client *client)
{
    if (client->transport)
        client->transport->close(client->transport);
}
