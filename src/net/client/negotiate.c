/* negotiate.c - which revision is spoken: a question to the server, or the handshake of the revisions before. */
#include <stdio.h>
#include <string.h>

#include "json/write.h"
#include "net/client/client.h"

#define DISCOVER_MS      5000  /* for servers that ignore what they do not know */
#define DISCOVER_HTTP_MS 20000 /* where every request has a response, which may be slow */
#define PARAMS_MAX       ((size_t)1 << 20)

#define ALL_CAPABILITIES "{\"elicitation\":{\"form\":{},\"url\":{}},\"sampling\":{\"tools\":{}},\"roots\":{}}"

const char *tn_negotiate_capabilities(const tenon_client *client)
{
    if (client->options.capabilities)
        return client->options.capabilities;
    return client->options.ask ? ALL_CAPABILITIES : "{}";
}

bool tn_negotiate_lists(yyjson_val *versions, enum tn_version version)
{
    yyjson_arr_iter each = yyjson_arr_iter_with(versions);
    yyjson_val     *one;

    while ((one = yyjson_arr_iter_next(&each)))
        if (yyjson_equals_str(one, tn_version_text(version)))
            return true;
    return false;
}

static void set_version(tenon_client *client, enum tn_version version)
{
    client->version            = version;
    client->transport->version = version == VERSION_NONE ? NULL : tn_version_text(version);
}

/* Begins a request of the negotiation; without memory for it the client is lost. */
static void begin(tenon_client *client, enum tn_client_stage stage, const char *method,
                  struct tn_slice params, int timeout_ms)
{
    const tenon_request_options options = { .size = sizeof options, .timeout_ms = timeout_ms };

    client->stage       = stage;
    client->negotiation = tn_request_new(client, REQUEST_PLAIN, method, params, &options);
    if (!client->negotiation) {
        tn_client_lose(client, "out of memory", false);
        return;
    }
    client->negotiation->internal = true;
    tn_request_send(client->negotiation);
}

static void become_ready(tenon_client *client)
{
    struct tn_ring *one = client->open.after, *after;

    client->stage = STAGE_READY;
    for (; one != &client->open && client->stage == STAGE_READY; one = after) {
        after = one->after;
        if (!((tenon_request *)one)->sent)
            tn_request_send((tenon_request *)one);
    }
}

static void keep_server(tenon_client *client, tenon_request *request)
{
    tn_arena_free(&client->about);
    client->about  = request->answer;
    client->server = request->result;
    tn_arena_init(&request->answer, &client->memory, 0);
    request->result = NULL;
}

static void begin_discovery(tenon_client *client, bool forced);

/* ---- The handshake ------------------------------------------------------------------------------------------ */

static void begin_handshake(tenon_client *client, const char *revision)
{
    struct tn_buf params;

    set_version(client, VERSION_NONE);
    tn_arena_reset(&client->inbox);
    tn_buf_init(&params, &client->inbox, 256, PARAMS_MAX);
    tn_buf_addf(&params,
                "{\"protocolVersion\":\"%s\",\"capabilities\":%s,\"clientInfo\":{\"name\":", revision,
                tn_negotiate_capabilities(client));
    tn_json_string(&params, client->options.name, strlen(client->options.name));
    tn_buf_lit(&params, ",\"version\":");
    tn_json_string(&params, client->options.version, strlen(client->options.version));
    tn_buf_lit(&params, "}}");
    if (!tn_buf_end(&params))
        tn_client_lose(client, "out of memory", false);
    else
        begin(client, STAGE_INITIALIZE, "initialize", tn_buf_slice(&params), client->options.timeout_ms);
}

static void lose_to(tenon_client *client, const tenon_request *request, const char *doing)
{
    char why[CLIENT_WHY_MAX];

    if (request->state == TENON_REQUEST_ANSWERED)
        tn_client_lose(client, doing, false);
    else if (request->state != TENON_REQUEST_REFUSED) {
        memcpy(why, request->why, sizeof why);
        tn_client_lose(client, why, false);
    } else {
        int len = snprintf(why, sizeof why, "%s: ", doing);

        snprintf(why + len, sizeof why - (size_t)len, "%s", request->why);
        tn_client_lose(client, why, false);
    }
}

static void ask_level(tenon_client *client)
{
    char params[64];
    int  len;

    if (!client->options.log_level ||
        !yyjson_obj_get(yyjson_obj_get(client->server, "capabilities"), "logging")) {
        become_ready(client);
        return;
    }
    len = snprintf(params, sizeof params, "{\"level\":\"%s\"}", client->options.log_level);
    begin(client, STAGE_LEVEL, "logging/setLevel", (struct tn_slice){ params, (size_t)len },
          client->options.timeout_ms);
}

/* The transport listens when there is something to hear: questions that a server may put outside any request. */
static void end_handshake(tenon_client *client)
{
    client->transport->listens = client->hears || strcmp(tn_negotiate_capabilities(client), "{}") != 0;
    ask_level(client);
}

static void take_handshake(tenon_client *client, tenon_request *request)
{
    static const char initialized[] = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}";
    struct tn_slice   name;
    enum tn_version   version;

    if (request->state == TENON_REQUEST_REFUSED && client->either) {
        client->either = false;
        set_version(client, V2026_07_28);
        begin_discovery(client, true);
        return;
    }
    if (request->state != TENON_REQUEST_ANSWERED) {
        lose_to(client, request, "the server did not complete initialization");
        return;
    }
    name    = tn_rpc_text(yyjson_obj_get(request->result, "protocolVersion"));
    version = tn_version_of(name);
    if (version == VERSION_NONE || version > VERSION_LEGACY) {
        char why[CLIENT_WHY_MAX];

        snprintf(why, sizeof why, "the server speaks '%.*s', which this client does not know",
                 (int)(name.len < 100 ? name.len : 100), name.at ? name.at : "");
        tn_client_lose(client, why, false);
        return;
    }
    set_version(client, version);
    keep_server(client, request);
    client->stage       = STAGE_INITIALIZED;
    client->initialized = tn_client_post(client, (struct tn_slice){ initialized, sizeof initialized - 1 });
    if (!client->initialized)
        tn_client_lose(client, "out of memory", false);
    else if (!client->transport->is_http) /* elsewhere nothing overtakes it */
        end_handshake(client);
}

void tn_negotiate_sent(tenon_client *client, int64_t key)
{
    if (client->stage == STAGE_INITIALIZED && key == client->initialized)
        end_handshake(client);
}

/* ---- server/discover ---------------------------------------------------------------------------------------- */

static void begin_discovery(tenon_client *client, bool forced)
{
    int within = client->transport->is_http ? DISCOVER_HTTP_MS : DISCOVER_MS;

    if (forced || (client->options.timeout_ms > 0 && client->options.timeout_ms < within))
        within = client->options.timeout_ms;
    begin(client, STAGE_DISCOVER, "server/discover", SLICE_LIT("{}"), within);
}

/* Does the server name the versions that it knows, and not one of them is ours? */
static bool knows_none(const tenon_request *request)
{
    yyjson_val *data = yyjson_obj_get(request->error, "data"), *versions;

    if (yyjson_get_sint(yyjson_obj_get(request->error, "code")) != RPC_NO_VERSION)
        return false;
    versions = yyjson_obj_get(data, "supported");
    if (yyjson_arr_size(versions) == 0)
        return false;
    for (int i = 0; i <= VERSION_LEGACY; i++)
        if (tn_negotiate_lists(versions, (enum tn_version)i))
            return false;
    return true;
}

/* Did it fail in a way that the handshake cannot but share? */
static bool failed_for_good(const tenon_request *request)
{
    int status = request->status;

    return request->state == TENON_REQUEST_LOST && !request->closed && !request->garbled &&
           (status == 0 || status == 401 || status == 403 || (status >= 300 && status < 400));
}

static void take_discovery(tenon_client *client, tenon_request *request)
{
    bool forced = client->options.revision != NULL;

    if (request->state == TENON_REQUEST_ANSWERED &&
        tn_negotiate_lists(yyjson_obj_get(request->result, "supportedVersions"), V2026_07_28)) {
        keep_server(client, request);
        become_ready(client);
        return;
    }
    if (forced || knows_none(request) || failed_for_good(request)) {
        lose_to(client, request, "the server does not know " MODERN_VERSION);
        return;
    }
    if (request->state == TENON_REQUEST_LOST && request->closed && client->transport->restart &&
        !client->transport->restart(client->transport)) {
        tn_client_lose(client, client->transport->why, false);
        return;
    }
    if (request->state == TENON_REQUEST_LATE) /* it may have been starting still, and know no handshake */
        client->either = true;
    begin_handshake(client, tn_version_text(VERSION_LEGACY));
}

/* ---- A session that was forgotten ---------------------------------------------------------------------------- */

bool tn_negotiate_again(tenon_client *client, tenon_request *request, int status)
{
    bool ready = client->stage == STAGE_READY;

    if (status != 404 || request->internal || request->renewed || tn_client_is_modern(client) ||
        !client->transport->restart || client->stage == STAGE_LOST ||
        (ready && !client->transport->in_session))
        return false;
    if (client->transport->forget)
        client->transport->forget(client->transport, request->id);
    request->renewed = true;
    request->sent    = false; /* it goes out when the new session is ready */
    request->error   = NULL;
    request->text    = (struct tn_slice){ "", 0 };
    if (!ready)
        return true;
    client->renewals++;
    if (client->transport->restart(client->transport))
        begin_handshake(client, tn_version_text(client->version));
    else
        tn_client_lose(client, client->transport->why, false);
    return true;
}

/* ---- In order ----------------------------------------------------------------------------------------------- */

void tn_negotiate_begin(tenon_client *client)
{
    const char *revision = client->options.revision;

    if (revision && strcmp(revision, MODERN_VERSION) != 0) {
        begin_handshake(client, revision);
        return;
    }
    set_version(client, V2026_07_28);
    if (revision && client->options.no_discover)
        become_ready(client);
    else
        begin_discovery(client, revision != NULL);
}

void tn_negotiate_go_on(tenon_client *client, tenon_request *request)
{
    enum tn_client_stage stage = client->stage;

    client->negotiation = NULL;
    if (stage == STAGE_DISCOVER)
        take_discovery(client, request);
    else if (stage == STAGE_INITIALIZE)
        take_handshake(client, request);
    else if (stage == STAGE_LEVEL && request->state == TENON_REQUEST_LOST)
        tn_client_lose(client, request->why, request->closed);
    else if (stage == STAGE_LEVEL) /* a server need not know levels */
        become_ready(client);
    tn_request_forget(request);
}
