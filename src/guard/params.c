/* params.c - what goes to the server: the client's bytes, with what belongs to one side made anew. */
#define _GNU_SOURCE
#include "guard/params.h"

#include <string.h>

#include "guard/question/promise.h"
#include "guard/question/state.h"
#include "guard/seat.h"
#include "json/member.h"
#include "json/write.h"
#include "mcp/session.h"

#define NOTHING ((struct tn_slice){ NULL, 0 })

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

/* What the server may ask this client, where that is less than the client can be asked. */
static void write_abilities(struct tn_buf *out, const struct tn_relay *relay, size_t from)
{
    if (out->len > from)
        tn_buf_char(out, ',');
    tn_buf_lit(out, "\"" META_CAPABILITIES "\":");
    tn_promise_write(out, relay->seat->guard, relay->link->upstream,
                     tn_rpc_get(relay->x->meta, META_CAPABILITIES));
}

static void write_meta(struct tn_buf *out, const struct tn_relay *relay, yyjson_val *meta,
                       struct tn_slice text, bool same_era)
{
    bool              whole = tn_promise_is_whole(relay->seat->guard, relay->link->upstream);
    struct tn_members all   = tn_members_of(text);
    yyjson_obj_iter   names = yyjson_obj_iter_with(meta);
    struct tn_member  one;
    size_t            from;

    tn_buf_char(out, '{');
    from = out->len;
    while (tn_members_next(&all, &one)) {
        struct tn_slice name = tn_rpc_text(yyjson_obj_iter_next(&names));

        if (!is_own_key(name, same_era) && (whole || !tn_slice_is(name, META_CAPABILITIES)))
            tn_member_add(out, from, &one);
    }
    if (same_era && !whole)
        write_abilities(out, relay, from);
    tn_buf_char(out, '}');
}

/* What only the newest revision has. */
static bool is_modern_param(yyjson_val *name)
{
    return yyjson_equals_str(name, "inputResponses") || yyjson_equals_str(name, "requestState");
}

/* Those that are sent once more have other members than those that came, when a state was taken out of them. */
static yyjson_val *read_params(struct tn_relay *relay, struct tn_slice params)
{
    const struct tn_json_limits limits = { PARAMS_MAX, CLIENT_DEPTH_MAX, CLIENT_NODES(params.len) };

    return relay->again ? tn_json_read(&relay->x->arena, params.at, params.len, &limits).root
                        : relay->x->params;
}

/* The params as they go on: byte for byte, but for _meta, for `arguments` when they were repaired, and for what is published under
 * another name. */
void tn_params_write(struct tn_relay *relay, struct tn_buf *out, struct tn_slice params,
                     struct tn_slice arguments, size_t *meta)
{
    bool              same  = tn_exchange_is_modern(relay->x) && tn_link_is_modern(relay->link);
    yyjson_val       *read  = read_params(relay, params);
    struct tn_members all   = tn_members_counted(params, yyjson_obj_size(read));
    yyjson_obj_iter   names = yyjson_obj_iter_with(read);
    struct tn_member  one;

    tn_buf_char(out, '{');
    while (tn_members_next(&all, &one)) {
        yyjson_val *name = yyjson_obj_iter_next(&names);

        if (yyjson_equals_str(name, "_meta")) {
            tn_buf_text(out, out->len > 1 ? ",\"_meta\":" : "\"_meta\":");
            *meta = out->len;
            write_meta(out, relay, yyjson_obj_iter_get_val(name), one.value, same);
        } else if (!tn_link_is_modern(relay->link) && is_modern_param(name)) {
            continue;
        } else if (arguments.len > 0 && yyjson_equals_str(name, "arguments")) {
            tn_buf_text(out, out->len > 1 ? ",\"arguments\":" : "\"arguments\":");
            tn_buf_add(out, arguments.at, arguments.len);
        } else if (relay->renamed && yyjson_equals_str(name, relay->renamed)) {
            tn_result_key(out, relay->renamed);
            tn_buf_add(out, relay->rename.at, relay->rename.len);
        } else if (!tn_state_param(relay, out, name, one.value))
            tn_member_add(out, 1, &one);
    }
    tn_state_params_end(relay, out);
    tn_buf_char(out, '}');
}

/* As they came; or written anew, when their name is spelled with escapes. */
struct tn_slice tn_params_of(const struct tn_relay *relay)
{
    struct tn_slice params = tn_member_counted(relay->message, relay->members, "params");
    struct tn_buf   out;

    if (params.len > 0 || !relay->x->params)
        return params;
    tn_buf_init(&out, &relay->x->arena, 256, PARAMS_MAX);
    tn_json_value(&out, relay->x->params);
    return tn_buf_slice(&out);
}

/* The member that the library took for them, whatever escapes its name is written with. */
struct tn_slice tn_params_arguments(const struct tn_relay *relay)
{
    struct tn_members all   = tn_members_counted(tn_params_of(relay), yyjson_obj_size(relay->x->params));
    yyjson_obj_iter   names = yyjson_obj_iter_with(relay->x->params);
    struct tn_member  one;

    while (tn_members_next(&all, &one))
        if (yyjson_equals_str(yyjson_obj_iter_next(&names), "arguments"))
            return one.value;
    return NOTHING;
}
