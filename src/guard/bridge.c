/* bridge.c - what goes back to clients: the server's bytes, with as little put in and taken out as the client's revision
 * allows. */
#define _GNU_SOURCE
#include "guard/bridge.h"

#include <string.h>

#include "guard/admission.h"
#include "guard/catalog.h"
#include "guard/member.h"
#include "guard/phrases.h"
#include "json/write.h"
#include "mcp/offer/subscribe.h"
#include "mcp/offer/tools.h"
#include "mcp/session.h"

#define NOTHING       ((struct tn_slice){ NULL, 0 })
#define META_MESSAGES "io.github.tenon/messages"
#define WHY_MAX       ((size_t)2048)

/* ---- Messages ------------------------------------------------------------------------------------------------- */

static struct tn_buf bridge_begin(struct tn_relay *relay, size_t first)
{
    struct tn_buf out;

    tn_buf_init(&out, &relay->x->arena, first + relay->x->id.len + 64, RESULT_LEN_MAX);
    tn_buf_lit(&out, "{\"jsonrpc\":\"2.0\",\"id\":");
    tn_buf_add(&out, relay->x->id.at, relay->x->id.len);
    return out;
}

static void bridge_end(struct tn_relay *relay, struct tn_buf *out, int status, struct tn_slice session)
{
    tn_buf_char(out, '}');
    if (out->failed)
        tn_exchange_fail_bare(relay->x);
    else
        tn_exchange_answer(relay->x, &(struct tn_out){ .kind    = OUT_FINAL,
                                                       .status  = status,
                                                       .json    = tn_buf_slice(out),
                                                       .session = session });
}

/* Begins a member of an object or an item of an array that opened at `from`. */
static void bridge_comma(struct tn_buf *out, size_t from)
{
    if (out->len > from)
        tn_buf_char(out, ',');
}

/* ---- What the guard itself has to say -------------------------------------------------------------------------- */

/* The text of a block: every message after its mark, a line each. */
static void write_said_text(struct tn_buf *out, struct tn_slice said)
{
    struct tn_members all = tn_members_of(said);
    struct tn_slice   one;
    bool              more = false;

    tn_buf_lit(out, "{\"type\":\"text\",\"text\":\"");
    while (tn_items_next(&all, &one)) {
        tn_buf_text(out, more ? "\\n" GUARD_SAID : GUARD_SAID);
        tn_buf_add(out, one.at + 1, one.len - 2);
        more = true;
    }
    tn_buf_lit(out, "\"}");
}

/* One more message. */
static void add_said(struct tn_relay *relay, const char *format, struct tn_slice value)
{
    struct tn_buf text, out;

    tn_buf_init(&text, &relay->x->arena, 256, WHY_MAX);
    tn_buf_addf(&text, format, (int)value.len, value.at);
    tn_buf_init(&out, &relay->x->arena, relay->said.len + text.len + 16, RESULT_LEN_MAX);
    if (relay->said.len > 0) {
        tn_buf_add(&out, relay->said.at, relay->said.len - 1);
        tn_buf_char(&out, ',');
    } else
        tn_buf_char(&out, '[');
    tn_json_string(&out, text.at, text.len);
    tn_buf_char(&out, ']');
    if (!text.failed && !out.failed)
        relay->said = tn_buf_slice(&out);
}

/* ---- Results --------------------------------------------------------------------------------------------------- */

/* What a result is on its way from one era to the other. */
struct crossing {
    struct tn_relay *relay;
    bool             adds;    /* what a modern client needs and a legacy server does not say */
    bool             removes; /* what a legacy client does not know */
};

static bool is_modern_member(yyjson_val *name)
{
    return yyjson_equals_str(name, "resultType") || yyjson_equals_str(name, "ttlMs") ||
           yyjson_equals_str(name, "cacheScope");
}

/* Who the server is: legacy ones say it once, modern ones with each result. */
static void write_server_info(struct tn_buf *out, const struct tn_link *link)
{
    yyjson_val *server = link->client->server, *info = yyjson_obj_get(server, "serverInfo");

    if (!info)
        info = yyjson_obj_get(yyjson_obj_get(server, "_meta"), META_SERVER_INFO);
    if (yyjson_is_obj(info))
        tn_json_value(out, info);
    else
        tn_buf_add(out, link->guard->server->identity.at, link->guard->server->identity.len);
}

static void write_identity(struct tn_buf *out, const struct tn_link *link)
{
    tn_buf_lit(out, "\"" META_SERVER_INFO "\":");
    write_server_info(out, link);
}

static void write_result_meta(struct tn_buf *out, const struct crossing *crossing, yyjson_val *meta,
                              struct tn_slice text)
{
    const struct tn_relay *relay = crossing->relay;
    struct tn_members      all   = tn_members_of(text);
    yyjson_obj_iter        names = yyjson_obj_iter_with(meta);
    struct tn_member       one;
    size_t                 from;

    tn_buf_lit(out, "\"_meta\":{");
    from = out->len;
    while (meta && tn_members_next(&all, &one)) {
        yyjson_val *name = yyjson_obj_iter_next(&names);

        if ((crossing->adds || crossing->removes) && yyjson_equals_str(name, META_SERVER_INFO))
            continue;
        if (relay->said.len > 0 && yyjson_equals_str(name, META_MESSAGES))
            continue;
        tn_member_add(out, from, &one);
    }
    if (crossing->adds) {
        bridge_comma(out, from);
        write_identity(out, relay->link);
    }
    if (relay->said.len > 0) {
        bridge_comma(out, from);
        tn_buf_lit(out, "\"" META_MESSAGES "\":");
        tn_buf_add(out, relay->said.at, relay->said.len);
    }
    tn_buf_char(out, '}');
}

/* The content with one block more. */
static void write_content(struct tn_buf *out, const struct crossing *crossing, struct tn_slice content)
{
    struct tn_slice inside = tn_slice_trim((struct tn_slice){ content.at + 1, content.len - 2 });

    tn_buf_lit(out, "\"content\":[");
    if (inside.len > 0) {
        tn_json_line(out, inside.at, inside.len);
        tn_buf_char(out, ',');
    }
    write_said_text(out, crossing->relay->said);
    tn_buf_char(out, ']');
}

static bool is_cacheable(const struct tn_relay *relay)
{
    static const char *const methods[] = { "resources/list", "resources/templates/list", "resources/read",
                                           "prompts/list" };

    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
        if (tn_slice_is(relay->method, methods[i]))
            return true;
    return false;
}

static void write_crossed(struct tn_buf *out, const struct crossing *crossing, yyjson_val *result,
                          struct tn_slice text)
{
    struct tn_members all   = tn_members_of(text);
    yyjson_obj_iter   names = yyjson_obj_iter_with(result);
    bool              said = crossing->relay->said.len > 0, meta = false, content = false;
    struct tn_member  one;
    yyjson_val       *name;
    size_t            from;

    tn_buf_char(out, '{');
    from = out->len;
    if (crossing->adds)
        tn_buf_lit(out, "\"resultType\":\"complete\"");
    while (tn_members_next(&all, &one) && (name = yyjson_obj_iter_next(&names))) {
        yyjson_val *value = yyjson_obj_iter_get_val(name);

        if ((crossing->removes || crossing->adds) && is_modern_member(name))
            continue;
        if (yyjson_equals_str(name, "_meta") && yyjson_is_obj(value)) {
            bridge_comma(out, from);
            write_result_meta(out, crossing, value, one.value);
            meta = true;
        } else if (said && crossing->relay->tool && yyjson_equals_str(name, "content")) {
            bridge_comma(out, from);
            write_content(out, crossing, one.value);
            content = true;
        } else
            tn_member_add(out, from, &one);
    }
    if (said && crossing->relay->tool && !content) {
        bridge_comma(out, from);
        write_content(out, crossing, SLICE_LIT("[]"));
    }
    if (crossing->adds && is_cacheable(crossing->relay))
        tn_buf_lit(out, ",\"ttlMs\":0,\"cacheScope\":\"private\"");
    if (!meta && (said || crossing->adds)) {
        bridge_comma(out, from);
        write_result_meta(out, crossing, NULL, NOTHING);
    }
    tn_buf_char(out, '}');
}

/* Is what the tool answered what it publishes? */
static void check_result(struct tn_relay *relay, yyjson_val *result, struct tn_slice text)
{
    yyjson_val     *content = yyjson_obj_get(result, "structuredContent");
    struct tn_slice why;

    if (!relay->tool || !relay->tool->output || yyjson_is_true(yyjson_obj_get(result, "isError")) ||
        relay->link->guard->results == RESULTS_OFF || !content)
        return;
    if (!tn_admission_result(relay, content, text, &why))
        add_said(relay, GUARD_RESULT_UNFIT, why);
}

void tn_bridge_answer(struct tn_relay *relay, yyjson_val *result, struct tn_slice text)
{
    bool            from_modern = tn_link_is_modern(relay->link), to_modern = tn_exchange_is_modern(relay->x);
    struct crossing crossing = { .relay   = relay,
                                 .adds    = to_modern && !from_modern,
                                 .removes = from_modern && !to_modern };
    yyjson_val     *content  = yyjson_obj_get(result, "content");
    yyjson_val     *type     = yyjson_obj_get(result, "resultType");
    struct tn_buf   out;

    check_result(relay, result, text);
    if ((relay->tool && relay->said.len > 0 && content && !yyjson_is_arr(content)) ||
        (crossing.removes && type && !yyjson_equals_str(type, "complete"))) {
        tn_bridge_instead(relay, GUARD_CODE_UPSTREAM_INVALID, GUARD_NOT_A_RESULT);
        return;
    }
    out = bridge_begin(relay, text.len + relay->said.len * 2 + 256);
    tn_buf_lit(&out, ",\"result\":");
    if (crossing.adds || crossing.removes || relay->said.len > 0)
        write_crossed(&out, &crossing, result, text);
    else
        tn_json_line(&out, text.at, text.len);
    bridge_end(relay, &out, 200, NOTHING);
}

/* ---- Errors ---------------------------------------------------------------------------------------------------- */

/* A result that is an error of the tool's, with this text; and the same as structured content, or nothing. */
static void answer_failed(struct tn_relay *relay, struct tn_slice text, struct tn_slice structured)
{
    bool          modern = tn_exchange_is_modern(relay->x);
    struct tn_buf out    = bridge_begin(relay, text.len * 2 + structured.len + 256);

    tn_buf_lit(&out, ",\"result\":{");
    if (modern)
        tn_buf_lit(&out, "\"resultType\":\"complete\",");
    tn_buf_lit(&out, "\"content\":[{\"type\":\"text\",\"text\":");
    tn_json_string(&out, text.at, text.len);
    tn_buf_lit(&out, "}]");
    if (structured.len > 0) {
        tn_buf_lit(&out, ",\"structuredContent\":");
        tn_buf_add(&out, structured.at, structured.len);
    }
    tn_buf_lit(&out, ",\"isError\":true");
    if (modern) {
        tn_buf_lit(&out, ",\"_meta\":{");
        write_identity(&out, relay->link);
        tn_buf_char(&out, '}');
    }
    tn_buf_char(&out, '}');
    bridge_end(relay, &out, 200, NOTHING);
}

/* Clients hold structuredContent to the outputSchema, of errors too. */
void tn_bridge_envelope(struct tn_relay *relay, struct tn_slice envelope)
{
    bool structured = !relay->tool->promises && relay->x->version >= V2025_06_18;

    answer_failed(relay, envelope, structured ? envelope : NOTHING);
}

void tn_bridge_instead(struct tn_relay *relay, const char *code, const char *message)
{
    tn_tools_answer_instead(relay->x, code, message, 0);
}

/* The code that the client's revision has for it. */
static int64_t code_for(const struct tn_exchange *x, int64_t code)
{
    bool modern = tn_exchange_is_modern(x);

    if (code == RPC_NO_RESOURCE)
        return modern ? RPC_INVALID_PARAMS : code;
    if (code == RPC_NO_CAPABILITY)
        return modern ? code : RPC_INTERNAL_ERROR;
    if (code == -32042)
        return x->version == V2025_11_25 ? code : RPC_INTERNAL_ERROR;
    return code <= -32000 && code >= -32099 ? RPC_INTERNAL_ERROR : code;
}

static int status_for(const struct tn_exchange *x, int64_t code)
{
    if (code == RPC_NO_METHOD && tn_exchange_is_modern(x))
        return 404;
    return code == RPC_NO_CAPABILITY || code == RPC_INVALID_REQUEST ? 400 : 200;
}

/* Of a call, what models can do something about is a result: clients hide errors of the protocol from them. */
static bool is_for_models(const struct tn_relay *relay, int64_t code)
{
    return relay->tool && !tn_rpc_get(relay->x->params, "requestState") &&
           (code == RPC_INVALID_PARAMS || code == RPC_INTERNAL_ERROR ||
            (code == RPC_NO_CAPABILITY && !tn_exchange_is_modern(relay->x)));
}

void tn_bridge_refuse(struct tn_relay *relay, yyjson_val *error, struct tn_slice text)
{
    int64_t           code = yyjson_get_sint(yyjson_obj_get(error, "code")), own = code_for(relay->x, code);
    struct tn_slice   message = tn_rpc_text(yyjson_obj_get(error, "message"));
    struct tn_members all     = tn_members_of(text);
    yyjson_obj_iter   names   = yyjson_obj_iter_with(error);
    struct tn_member  one;
    struct tn_buf     out;
    size_t            from;

    if (is_for_models(relay, code)) {
        answer_failed(relay, message.at ? message : SLICE_LIT(""), NOTHING);
        return;
    }
    out = bridge_begin(relay, text.len + 64);
    tn_buf_lit(&out, ",\"error\":{");
    from = out.len;
    while (tn_members_next(&all, &one)) {
        if (own == code || !yyjson_equals_str(yyjson_obj_iter_next(&names), "code")) {
            tn_member_add(&out, from, &one);
            continue;
        }
        bridge_comma(&out, from);
        tn_buf_lit(&out, "\"code\":");
        tn_buf_int(&out, own);
    }
    tn_buf_char(&out, '}');
    bridge_end(relay, &out, status_for(relay->x, own), NOTHING);
}

/* ---- What the server is ---------------------------------------------------------------------------------------- */

static bool lists_change(yyjson_val *name)
{
    return yyjson_equals_str(name, "tools") || yyjson_equals_str(name, "prompts") ||
           yyjson_equals_str(name, "resources");
}

/* What the server can do, and that its lists may change: the guard itself notices that. */
static void write_capabilities(struct tn_buf *out, const struct tn_link *link)
{
    yyjson_val     *capabilities = yyjson_obj_get(link->client->server, "capabilities"), *name;
    yyjson_obj_iter all          = yyjson_obj_iter_with(capabilities);
    size_t          from;

    tn_buf_char(out, '{');
    from = out->len;
    while ((name = yyjson_obj_iter_next(&all))) {
        yyjson_val *value = yyjson_obj_iter_get_val(name), *key;

        if (yyjson_equals_str(name, "tasks") && !tn_link_is_modern(link))
            continue;
        bridge_comma(out, from);
        tn_json_value(out, name);
        tn_buf_char(out, ':');
        if (!lists_change(name) || !yyjson_is_obj(value)) {
            tn_json_value(out, value);
            continue;
        }
        tn_buf_lit(out, "{\"listChanged\":true");
        for (yyjson_obj_iter inner = yyjson_obj_iter_with(value); (key = yyjson_obj_iter_next(&inner));) {
            if (yyjson_equals_str(key, "listChanged"))
                continue;
            tn_buf_char(out, ',');
            tn_json_value(out, key);
            tn_buf_char(out, ':');
            tn_json_value(out, yyjson_obj_iter_get_val(key));
        }
        tn_buf_char(out, '}');
    }
    tn_buf_char(out, '}');
}

static void write_server_member(struct tn_buf *out, const struct tn_link *link, const char *name)
{
    yyjson_val *value = yyjson_obj_get(link->client->server, name);

    if (!value)
        return;
    tn_result_key(out, name);
    tn_json_value(out, value);
}

void tn_bridge_initialize(struct tn_relay *relay)
{
    struct tn_link     *link    = relay->link;
    struct tn_exchange *x       = relay->x;
    struct tn_slice     session = NOTHING;
    struct tn_buf       out;

    x->version = tn_version_negotiated(x->params);
    if (x->version > link->client->version)
        x->version = link->client->version;
    if (!tn_session_join(x, &session)) {
        tn_exchange_fail_bare(x);
        return;
    }
    tn_link_own(relay->link, x->session);
    out = bridge_begin(relay, 1024);
    tn_buf_lit(&out, ",\"result\":{\"protocolVersion\":\"");
    tn_buf_text(&out, tn_version_text(x->version));
    tn_buf_lit(&out, "\",\"capabilities\":");
    write_capabilities(&out, link);
    tn_buf_lit(&out, ",\"serverInfo\":");
    write_server_info(&out, link);
    write_server_member(&out, link, "instructions");
    tn_buf_char(&out, '}');
    bridge_end(relay, &out, 200, session);
}

void tn_bridge_discover(struct tn_relay *relay)
{
    const struct tn_link *link = relay->link;
    struct tn_buf         out  = bridge_begin(relay, 1024);

    tn_buf_lit(&out, ",\"result\":{\"resultType\":\"complete\",\"supportedVersions\":[\"" MODERN_VERSION
                     "\"],\"capabilities\":");
    write_capabilities(&out, link);
    write_server_member(&out, link, "instructions");
    tn_buf_lit(&out, ",\"ttlMs\":0,\"cacheScope\":\"private\",\"_meta\":{");
    write_identity(&out, link);
    tn_buf_lit(&out, "}}");
    bridge_end(relay, &out, 200, NOTHING);
}

void tn_bridge_tools(struct tn_relay *relay)
{
    const struct tn_catalog *catalog = relay->link->catalog;
    bool                     modern  = tn_exchange_is_modern(relay->x);
    struct tn_buf            out     = bridge_begin(relay, catalog->text.len + 256);

    tn_buf_lit(&out, ",\"result\":{");
    if (modern)
        tn_buf_lit(&out, "\"resultType\":\"complete\",");
    tn_buf_lit(&out, "\"tools\":[");
    tn_buf_add(&out, catalog->text.at, catalog->text.len);
    tn_buf_char(&out, ']');
    if (modern) {
        tn_buf_lit(&out, ",\"ttlMs\":0,\"cacheScope\":\"private\",\"_meta\":{");
        write_identity(&out, relay->link);
        tn_buf_char(&out, '}');
    }
    tn_buf_char(&out, '}');
    bridge_end(relay, &out, 200, NOTHING);
}

/* ---- Notifications ----------------------------------------------------------------------------------------------- */

void tn_bridge_progress(struct tn_relay *relay, yyjson_val *params)
{
    struct tn_slice   text  = tn_member_of(relay->link->raw, "params");
    struct tn_members all   = tn_members_of(text);
    yyjson_obj_iter   names = yyjson_obj_iter_with(params);
    struct tn_member  one;
    struct tn_buf     out;
    size_t            from;

    tn_arena_reset(&relay->x->notes);
    tn_buf_init(&out, &relay->x->notes, text.len + relay->x->progress_token.len + 128, RESULT_LEN_MAX);
    tn_buf_lit(&out, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{");
    from = out.len;
    while (tn_members_next(&all, &one)) {
        if (!yyjson_equals_str(yyjson_obj_iter_next(&names), "progressToken")) {
            tn_member_add(&out, from, &one);
            continue;
        }
        bridge_comma(&out, from);
        tn_buf_lit(&out, "\"progressToken\":");
        tn_buf_add(&out, relay->x->progress_token.at, relay->x->progress_token.len);
    }
    tn_buf_lit(&out, "}}");
    if (!out.failed)
        tn_exchange_send(relay->x, OUT_NOTE, tn_buf_slice(&out));
}

/* A message of the server's to the client of this link: with the only request that runs, or beside all. */
static void send_note(struct tn_link *link, struct tn_slice message)
{
    struct tn_ring *first = link->sent.after;

    if (first != &link->sent && first->after == &link->sent)
        tn_exchange_send(((struct tn_relay *)first)->x, OUT_NOTE, message);
    else if (link->owner)
        tn_session_push(link->owner, message);
}

void tn_bridge_note(struct tn_link *link, struct tn_slice method, yyjson_val *params)
{
    tenon_server *server = link->guard->server;
    const char   *uri    = yyjson_get_str(yyjson_obj_get(params, "uri"));

    if (tn_slice_is(method, "notifications/tools/list_changed"))
        tn_link_list(link);
    else if (tn_slice_is(method, "notifications/prompts/list_changed"))
        tn_subscribe_list_changed(server, LIST_PROMPTS);
    else if (tn_slice_is(method, "notifications/resources/list_changed"))
        tn_subscribe_list_changed(server, LIST_RESOURCES);
    else if (tn_slice_is(method, "notifications/resources/updated") && uri)
        tenon_server_updated(server, uri);
    else if (!tn_slice_is(method, "notifications/progress") &&
             !tn_slice_is(method, "notifications/cancelled"))
        send_note(link, link->raw);
}
