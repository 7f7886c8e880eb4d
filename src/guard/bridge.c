/* bridge.c - messages to clients: who the server is, what it offers, and what it notifies of. */
#define _GNU_SOURCE
#include "guard/bridge.h"

#include <string.h>

#include "contract/offer.h"
#include "guard/catalog.h"
#include "guard/follow.h"
#include "guard/lists/lists.h"
#include "guard/phrases.h"
#include "guard/pins/pins.h"
#include "guard/policy/policy.h"
#include "guard/question/ask.h"
#include "guard/seat.h"
#include "json/member.h"
#include "json/write.h"
#include "mcp/offer/subscribe.h"
#include "mcp/offer/tools.h"
#include "mcp/session.h"

#define LOGGED_MAX ((size_t)1000) /* of a log line of a server */
#define NOTHING ((struct tn_slice){ NULL, 0 })

/* ---- Messages ------------------------------------------------------------------------------------------------- */

struct tn_buf tn_bridge_begin(struct tn_relay *relay, size_t first)
{
    struct tn_buf out;

    tn_buf_init(&out, &relay->x->arena, first + relay->x->id.len + 64, RESULT_LEN_MAX);
    tn_buf_lit(&out, "{\"jsonrpc\":\"2.0\",\"id\":");
    tn_buf_add(&out, relay->x->id.at, relay->x->id.len);
    return out;
}

void tn_bridge_end(struct tn_relay *relay, struct tn_buf *out, int status, struct tn_slice session)
{
    tn_buf_char(out, '}');
    relay->report.bytes_out = out->len;
    if (out->failed)
        tn_exchange_fail_bare(relay->x);
    else
        tn_exchange_answer(relay->x, &(struct tn_out){ .kind    = OUT_FINAL,
                                                       .status  = status,
                                                       .json    = tn_buf_slice(out),
                                                       .session = session });
}

/* Begins a member of an object or an item of an array that opened at `from`. */
void tn_bridge_comma(struct tn_buf *out, size_t from)
{
    if (out->len > from)
        tn_buf_char(out, ',');
}

/* ---- What the server is ---------------------------------------------------------------------------------------- */

/* Who the server is: legacy ones say it once, modern ones with each result. */
static void write_server_info(struct tn_buf *out, const struct tn_link *link)
{
    yyjson_val *info = (yyjson_val *)tn_offer_server_info((const tenon_json *)tn_pins_server(link));

    if (yyjson_is_obj(info))
        tn_json_value(out, info);
    else
        tn_buf_add(out, link->guard->server->identity.at, link->guard->server->identity.len);
}

void tn_bridge_identity(struct tn_buf *out, const struct tn_link *link)
{
    tn_buf_lit(out, "\"" META_SERVER_INFO "\":");
    write_server_info(out, link);
}

static bool lists_change(yyjson_val *name)
{
    return yyjson_equals_str(name, "tools") || yyjson_equals_str(name, "prompts") ||
           yyjson_equals_str(name, "resources");
}

/* What the server can do, and that its lists may change: the guard itself notices that. */
static void write_capabilities(struct tn_buf *out, const struct tn_link *link)
{
    yyjson_val     *capabilities = yyjson_obj_get(tn_pins_server(link), "capabilities"), *name;
    yyjson_obj_iter all          = yyjson_obj_iter_with(capabilities);
    size_t          from;

    tn_buf_char(out, '{');
    from = out->len;
    while ((name = yyjson_obj_iter_next(&all))) {
        yyjson_val *value = yyjson_obj_iter_get_val(name), *key;

        if (yyjson_equals_str(name, "tasks") && !tn_link_is_modern(link))
            continue;
        tn_bridge_comma(out, from);
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
    yyjson_val *value = yyjson_obj_get(tn_pins_server(link), name);

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
    if (x->version > tn_pins_version(link))
        x->version = tn_pins_version(link);
    if (!tn_session_join(x, &session)) {
        tn_exchange_fail_bare(x);
        return;
    }
    tn_seat_own(relay->seat, x->session);
    out = tn_bridge_begin(relay, 1024);
    tn_buf_lit(&out, ",\"result\":{\"protocolVersion\":\"");
    tn_buf_text(&out, tn_version_text(x->version));
    tn_buf_lit(&out, "\",\"capabilities\":");
    write_capabilities(&out, link);
    tn_buf_lit(&out, ",\"serverInfo\":");
    write_server_info(&out, link);
    write_server_member(&out, link, "instructions");
    tn_buf_char(&out, '}');
    tn_bridge_end(relay, &out, 200, session);
}

void tn_bridge_discover(struct tn_relay *relay)
{
    const struct tn_link *link = relay->link;
    struct tn_buf         out  = tn_bridge_begin(relay, 1024);

    tn_buf_lit(&out, ",\"result\":{\"resultType\":\"complete\",\"supportedVersions\":[\"" MODERN_VERSION
                     "\"],\"capabilities\":");
    write_capabilities(&out, link);
    write_server_member(&out, link, "instructions");
    tn_buf_lit(&out, ",\"ttlMs\":0,\"cacheScope\":\"private\",\"_meta\":{");
    tn_bridge_identity(&out, link);
    tn_buf_lit(&out, "}}");
    tn_bridge_end(relay, &out, 200, NOTHING);
}

/* The tools that this caller may see. */
static void write_personal(struct tn_buf *out, const struct tn_catalog *catalog,
                           const struct tn_caller *caller, bool older)
{
    size_t from = out->len;

    for (size_t i = 0; i < catalog->count; i++) {
        const struct tn_offered *tool = &catalog->at[i];
        struct tn_slice          text = older ? tool->older : tool->text;

        if (tool->hidden || tool->unlisted || !tn_catalog_shows(catalog, tool, caller))
            continue;
        tn_bridge_comma(out, from);
        tn_buf_add(out, text.at, text.len);
    }
}

void tn_bridge_tools(struct tn_relay *relay)
{
    const struct tn_catalog *catalog  = relay->link->catalog;
    bool                     modern   = tn_exchange_is_modern(relay->x);
    bool                     older    = !modern && tn_link_is_modern(relay->link);
    struct tn_slice          text     = older ? catalog->older : catalog->text;
    bool                     personal = tn_policy_is_personal(&relay->link->guard->policy);
    struct tn_buf            out      = tn_bridge_begin(relay, text.len + 256);

    tn_buf_lit(&out, ",\"result\":{");
    if (modern)
        tn_buf_lit(&out, "\"resultType\":\"complete\",");
    tn_buf_lit(&out, "\"tools\":[");
    if (personal)
        write_personal(&out, catalog, &relay->x->caller, older);
    else
        tn_buf_add(&out, text.at, text.len);
    tn_buf_char(&out, ']');
    if (modern) {
        tn_buf_addf(&out, ",\"ttlMs\":%lld,\"cacheScope\":\"%s\",\"_meta\":{",
                    (long long)tn_lists_fresh_ms(relay->link, LIST_TOOLS),
                    relay->link->lists[LIST_TOOLS].is_public && relay->link->shared && !personal ? "public"
                                                                                                 : "private");
        tn_bridge_identity(&out, relay->link);
        tn_buf_char(&out, '}');
    }
    tn_buf_char(&out, '}');
    tn_bridge_end(relay, &out, 200, NOTHING);
    tn_lists_used(relay->link, LIST_TOOLS);
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
        tn_bridge_comma(&out, from);
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

/* The log of a server that others share is for the operator; a modern client is sent what it has asked for with a request. */
static void send_log(struct tn_link *link, yyjson_val *params)
{
    struct tn_ring *first = link->sent.after;
    bool            alone = first != &link->sent && first->after == &link->sent;
    struct tn_buf   text;
    struct tn_arena arena;

    if (alone && tn_exchange_is_modern(((struct tn_relay *)first)->x)) {
        if (((struct tn_relay *)first)->x->log_level >= 0 && (!link->shared || tn_link_is_modern(link)))
            send_note(link, link->raw);
        return;
    }
    if (!link->shared) {
        send_note(link, link->raw);
        return;
    }
    tn_arena_init(&arena, &link->guard->memory, 0);
    tn_buf_init(&text, &arena, 256, LOGGED_MAX);
    tn_json_value(&text, yyjson_obj_get(params, "data"));
    tn_log_line(&link->guard->server->log, LOG_INFO, GUARD_LOG_SAYS, link->upstream->name,
                tn_buf_end(&text) ? text.at : "...");
    tn_arena_free(&arena);
}

/* What the guard does not know passes where there is one server; of several, what the protocol knows goes to the owner. */
static bool passes(const struct tn_link *link, struct tn_slice method)
{
    if (tn_slice_is(method, "notifications/progress"))
        return false;
    return tn_guard_passes_unknown(link->guard) ||
           (!link->shared && tn_slice_is(method, "notifications/elicitation/complete"));
}

void tn_bridge_note(struct tn_link *link, struct tn_slice method, yyjson_val *params)
{
    struct tn_slice uri = tn_rpc_text(yyjson_obj_get(params, "uri"));

    if (!tn_follow_is_current(link, method, params))
        return;
    if (tn_slice_is(method, "notifications/tools/list_changed"))
        tn_lists_note(link, LIST_TOOLS);
    else if (tn_slice_is(method, "notifications/prompts/list_changed"))
        tn_lists_note(link, LIST_PROMPTS);
    else if (tn_slice_is(method, "notifications/resources/list_changed")) {
        tn_lists_note(link, LIST_RESOURCES);
        tn_lists_note(link, LIST_TEMPLATES);
    } else if (tn_slice_is(method, "notifications/resources/updated") && uri.len > 0)
        tn_follow_updated(link, uri);
    else if (tn_slice_is(method, "notifications/tasks"))
        tn_follow_task(link, params);
    else if (tn_slice_is(method, "notifications/message"))
        send_log(link, params);
    else if (tn_slice_is(method, "notifications/cancelled"))
        tn_ask_withdrawn(link, params);
    else if (passes(link, method))
        send_note(link, link->raw);
}
