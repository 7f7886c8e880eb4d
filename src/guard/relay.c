/* relay.c - requests: waiting for their server, judged, sent, answered. */
#define _GNU_SOURCE
#include "guard/relay.h"

#include <string.h>

#include "guard/admission.h"
#include "guard/bridge.h"
#include "guard/catalog.h"
#include "guard/member.h"
#include "guard/phrases.h"
#include "json/echo.h"
#include "json/write.h"
#include "mcp/offer/subscribe.h"
#include "mcp/offer/tools.h"
#include "mcp/session.h"

#define NOTHING    ((struct tn_slice){ NULL, 0 })
#define PARAMS_MAX ((size_t)64 << 20)

/* What a request needs of its link before it can go on, and what is done then. */
enum tn_need { NEED_READY, NEED_TOOLS };

struct tn_way {
    const char *method; /* NULL: any other */
    void (*go)(struct tn_relay *relay);
    enum tn_need need;
    bool         leaves; /* the exchange goes on without its relay, which is gone then */
};

static void relay_call(struct tn_relay *relay);
static void relay_pass(struct tn_relay *relay);
static void relay_listen(struct tn_relay *relay);

static const struct tn_way ways[] = {
    { "tools/call", relay_call, NEED_TOOLS, false },
    { "tools/list", tn_bridge_tools, NEED_TOOLS, false },
    { "initialize", tn_bridge_initialize, NEED_READY, false },
    { "server/discover", tn_bridge_discover, NEED_READY, false },
    { "subscriptions/listen", relay_listen, NEED_READY, true },
    { NULL, relay_pass, NEED_READY, false },
};

static const struct tn_way *way_of(struct tn_slice method)
{
    const struct tn_way *way = ways;

    while (way->method && !tn_slice_is(method, way->method))
        way++;
    return way;
}

/* ---- Beginning and end ---------------------------------------------------------------------------------------- */

static void relay_end(struct tn_relay *relay)
{
    struct tn_exchange *x = relay->x;

    tn_ring_remove(&relay->ring);
    if (relay->request)
        tenon_request_free(relay->request);
    tn_catalog_release(relay->catalog);
    x->sourced = NULL;
    tn_exchange_release(x); /* and the relay with it */
}

/* Has the link come far enough? */
static bool may_go(const struct tn_relay *relay)
{
    const struct tn_link *link = relay->link;

    return link->ready && (relay->way->need != NEED_TOOLS || link->catalog);
}

static void relay_go(struct tn_relay *relay)
{
    bool leaves = relay->way->leaves;

    relay->way->go(relay);
    if (!leaves && !relay->request)
        relay_end(relay);
}

/* Waits, with a copy of what came. */
static bool relay_wait(struct tn_relay *relay)
{
    struct tn_arena *arena = &relay->x->arena;

    relay->method.at  = tn_arena_copy(arena, relay->method.at, relay->method.len);
    relay->message.at = tn_arena_copy(arena, relay->message.at, relay->message.len);
    if (!relay->method.at || !relay->message.at)
        return false;
    relay->http = NULL;
    tn_ring_add(&relay->link->waiting, &relay->ring);
    if (relay->link->ready && relay->way->need == NEED_TOOLS && !relay->link->listing)
        tn_link_list(relay->link);
    return true;
}

void tn_relay_begin(struct tn_link *link, struct tn_exchange *x, const struct tn_sourced *request)
{
    struct tn_relay *relay = tn_arena_new(&x->arena, struct tn_relay);
    int              rest  = relay ? tn_link_start(link) : -1;

    if (rest < 0) {
        tn_exchange_fail_bare(x);
        return;
    }
    if (rest > 0) {
        tn_tools_answer_instead(x, TENON_CODE_UNAVAILABLE, GUARD_RESTS, rest);
        return;
    }
    tn_exchange_hold(x);
    *relay = (struct tn_relay){ .link    = link,
                                .x       = x,
                                .way     = way_of(request->method),
                                .method  = request->method,
                                .http    = request->http,
                                .message = request->message };
    tn_ring_init(&relay->ring);
    x->sourced = relay;
    if (may_go(relay))
        relay_go(relay);
    else if (!relay_wait(relay)) {
        tn_exchange_fail_bare(x);
        relay_end(relay);
    }
    tn_link_arm(link);
}

void tn_relay_cancel(struct tn_relay *relay)
{
    struct tn_link *link = relay->link;

    relay_end(relay); /* freeing an open request tells the server */
    tn_link_arm(link);
}

void tn_relays_go_on(struct tn_link *link)
{
    struct tn_ring *one = link->waiting.after, *after;

    for (; one != &link->waiting; one = after) {
        struct tn_relay *relay = (struct tn_relay *)one;

        after = one->after;
        if (!may_go(relay)) {
            if (!link->listing)
                tn_link_list(link);
            continue;
        }
        tn_ring_remove(&relay->ring);
        if (!tn_exchange_is_modern(relay->x) && relay->x->session)
            relay->x->version =
                relay->x->session->version; /* it may have come before the handshake was over */
        relay_go(relay);
    }
}

static void fail_all(struct tn_ring *relays, const char *text)
{
    while (!tn_ring_empty(relays)) {
        struct tn_relay *relay = (struct tn_relay *)relays->after;

        tn_bridge_instead(relay, TENON_CODE_UNAVAILABLE, text);
        relay_end(relay);
    }
}

void tn_relays_fail(struct tn_link *link, const char *why)
{
    char text[CLIENT_WHY_MAX + sizeof GUARD_NOT_SENT];

    snprintf(text, sizeof text, GUARD_NOT_SENT, why);
    fail_all(&link->waiting, text);
}

void tn_relays_end(struct tn_link *link)
{
    char text[sizeof GUARD_MAYBE_DONE + sizeof GUARD_STOPPING];

    tn_relays_fail(link, GUARD_STOPPING);
    snprintf(text, sizeof text, GUARD_MAYBE_DONE, GUARD_STOPPING);
    fail_all(&link->sent, text);
}

/* ---- Answers -------------------------------------------------------------------------------------------------- */

static void relay_answer(struct tn_relay *relay, tenon_request *request)
{
    const char *why = tenon_request_why(request);
    char        text[CLIENT_WHY_MAX + sizeof GUARD_MAYBE_DONE];
    tenon_str   bytes = tenon_request_text(request);

    switch (tenon_request_state_of(request)) {
    case TENON_REQUEST_ANSWERED:
        tn_bridge_answer(relay, (yyjson_val *)tenon_request_result(request),
                         (struct tn_slice){ bytes.at, bytes.len });
        break;
    case TENON_REQUEST_REFUSED:
        tn_bridge_refuse(relay, (yyjson_val *)tenon_request_error(request),
                         (struct tn_slice){ bytes.at, bytes.len });
        break;
    case TENON_REQUEST_LATE: tn_bridge_instead(relay, TENON_CODE_TIMEOUT, GUARD_LATE); break;
    default:
        snprintf(text, sizeof text, request->sent ? GUARD_MAYBE_DONE : GUARD_NOT_SENT, why);
        tn_bridge_instead(relay, TENON_CODE_UNAVAILABLE, text);
        break;
    }
}

static void relay_done(void *user, tenon_request *request)
{
    struct tn_relay *relay = user;

    relay_answer(relay, request);
    relay_end(relay);
}

static void relay_progress(void *user, tenon_request *request, const tenon_json *params)
{
    (void)request;
    tn_bridge_progress(user, (yyjson_val *)params);
}

/* ---- What is sent --------------------------------------------------------------------------------------------- */

/* Keys of _meta that belong to one side: they are made anew on the other. */
static bool is_own_key(struct tn_slice key, bool same_era)
{
    static const char *const own[] = { META_VERSION, META_SUBSCRIPTION, META_SERVER_INFO, "progressToken" };
    static const char *const era[] = { META_CAPABILITIES, META_PREFIX "clientInfo", META_LOG_LEVEL };

    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (tn_slice_is(key, own[i]))
            return true;
    for (size_t i = 0; !same_era && i < sizeof era / sizeof *era; i++)
        if (tn_slice_is(key, era[i]))
            return true;
    return false;
}

static void write_meta(struct tn_buf *out, yyjson_val *meta, struct tn_slice text, bool same_era)
{
    struct tn_members all   = tn_members_of(text);
    yyjson_obj_iter   names = yyjson_obj_iter_with(meta);
    struct tn_member  one;
    size_t            from;

    tn_buf_char(out, '{');
    from = out->len;
    while (tn_members_next(&all, &one))
        if (!is_own_key(tn_rpc_text(yyjson_obj_iter_next(&names)), same_era))
            tn_member_add(out, from, &one);
    tn_buf_char(out, '}');
}

/* The params as they go on: byte for byte, but for _meta, and for `arguments` when they were repaired. */
static void write_params(struct tn_relay *relay, struct tn_buf *out, struct tn_slice params,
                         struct tn_slice arguments)
{
    bool              same  = tn_exchange_is_modern(relay->x) && tn_link_is_modern(relay->link);
    struct tn_members all   = tn_members_of(params);
    yyjson_obj_iter   names = yyjson_obj_iter_with(relay->x->params);
    struct tn_member  one;

    tn_buf_char(out, '{');
    while (tn_members_next(&all, &one)) {
        yyjson_val *name = yyjson_obj_iter_next(&names);

        if (yyjson_equals_str(name, "_meta")) {
            tn_buf_text(out, out->len > 1 ? ",\"_meta\":" : "\"_meta\":");
            write_meta(out, relay->x->meta, one.value, same);
        } else if (arguments.len > 0 && yyjson_equals_str(name, "arguments")) {
            tn_buf_text(out, out->len > 1 ? ",\"arguments\":" : "\"arguments\":");
            tn_buf_add(out, arguments.at, arguments.len);
        } else
            tn_member_add(out, 1, &one);
    }
    tn_buf_char(out, '}');
}

/* Sends the request on; `arguments` in the place of its own, if there are any. */
static void relay_send(struct tn_relay *relay, struct tn_slice params, struct tn_slice arguments)
{
    struct tn_exchange         *x       = relay->x;
    tenon_client               *client  = relay->link->client;
    const tenon_request_options options = { .size       = sizeof options,
                                            .done       = relay_done,
                                            .progress   = x->progress_token.len > 0 ? relay_progress : NULL,
                                            .user       = relay,
                                            .timeout_ms = -1,
                                            .tool       = relay->tool ? (tenon_json *)relay->tool->definition
                                                                      : NULL };
    struct tn_buf               out;
    const char                 *method;

    tn_buf_init(&out, &x->arena, params.len + arguments.len + 64, PARAMS_MAX);
    if (params.len > 0)
        write_params(relay, &out, params, arguments);
    else
        tn_buf_lit(&out, "{}");
    method         = tn_arena_copy(&x->arena, relay->method.at, relay->method.len);
    relay->request = out.failed || !method || client->open_count >= client->options.max_requests
                         ? NULL
                         : tn_request_new(client, REQUEST_PLAIN, method, tn_buf_slice(&out), &options);
    if (!relay->request) {
        char text[sizeof GUARD_NOT_SENT + sizeof GUARD_BUSY];

        snprintf(text, sizeof text, GUARD_NOT_SENT, GUARD_BUSY);
        tn_bridge_instead(relay, TENON_CODE_UNAVAILABLE, text);
        return;
    }
    relay->request->passes = tn_exchange_is_modern(x);
    tn_ring_add(&relay->link->sent, &relay->ring);
    tn_request_start(relay->request);
}

/* As they came; or written anew, when their name is spelled with escapes. */
static struct tn_slice params_of(const struct tn_relay *relay)
{
    struct tn_slice params = tn_member_of(relay->message, "params");
    struct tn_buf   out;

    if (params.len > 0 || !relay->x->params)
        return params;
    tn_buf_init(&out, &relay->x->arena, 256, PARAMS_MAX);
    tn_json_value(&out, relay->x->params);
    return tn_buf_slice(&out);
}

static void relay_pass(struct tn_relay *relay)
{
    relay_send(relay, params_of(relay), NOTHING);
}

/* Listeners get changes from the guard itself, for as long as they like; the message, and the relay in it, are forgotten. */
static void relay_listen(struct tn_relay *relay)
{
    struct tn_exchange *x = relay->x;

    tn_ring_remove(&relay->ring);
    x->sourced = NULL;
    tn_method_listen(x);
    tn_exchange_release(x);
}

/* ---- Calls ---------------------------------------------------------------------------------------------------- */

/* The text of the member that the library took for `arguments`, whatever escapes its name is written with. */
static struct tn_slice arguments_text(const struct tn_relay *relay, struct tn_slice params)
{
    struct tn_members all   = tn_members_of(params);
    yyjson_obj_iter   names = yyjson_obj_iter_with(relay->x->params);
    struct tn_member  one;

    while (tn_members_next(&all, &one))
        if (yyjson_equals_str(yyjson_obj_iter_next(&names), "arguments"))
            return one.value;
    return NOTHING;
}

/* Did a proxy before the guard see in headers what the arguments say? False when that was answered. */
static bool headers_agree(struct tn_relay *relay)
{
    const struct tn_tool *tool = &relay->tool->tool;

    if (tool->header_count == 0 || !relay->x->on_http || !tn_exchange_is_modern(relay->x))
        return true;
    if (relay->http)
        return tn_tools_headers_agree(relay->x, relay->http, tool->headers, tool->header_count);
    tn_exchange_fail(relay->x, RPC_HEADER_MISMATCH, NOTHING, "%s", GUARD_HEADERS);
    return false;
}

static void relay_call(struct tn_relay *relay)
{
    struct tn_exchange *x      = relay->x;
    struct tn_slice     name   = tn_rpc_text(tn_rpc_get(x->params, "name"));
    struct tn_slice     params = params_of(relay);
    struct tn_admission admission;

    relay->tool = name.at ? tn_catalog_find(relay->link->catalog, name) : NULL;
    if (!relay->tool) {
        tn_exchange_fail(x, RPC_INVALID_PARAMS, NOTHING, name.at ? GUARD_NO_TOOL : GUARD_NO_NAME,
                         tn_exchange_echo(x, name));
        return;
    }
    relay->catalog = relay->link->catalog;
    tn_catalog_hold(relay->catalog);
    if (!headers_agree(relay))
        return;
    if (!tn_admission_judge(relay, tn_rpc_get(x->params, "arguments"), arguments_text(relay, params),
                            &admission)) {
        tn_exchange_fail_bare(x);
        return;
    }
    relay->said = admission.said;
    if (admission.admitted)
        relay_send(relay, params, admission.arguments);
    else
        tn_bridge_envelope(relay, admission.refusal);
}
