/* again.c - what a refusal is about, and what the new list says of it. */
#define _GNU_SOURCE
#include "guard/answer/again.h"

#include <string.h>

#include "guard/bridge.h"
#include "guard/catalog.h"
#include "guard/lists/lists.h"
#include "guard/phrases.h"
#include "guard/policy/admission.h"
#include "json/member.h"
#include "json/read.h"
#include "json/write.h"

#define NOTHING ((struct tn_slice){ NULL, 0 })

struct tn_again {
    bool            headers; /* else it may be unknown */
    struct tn_slice error;   /* the server's, as it came */
    struct tn_slice params;  /* as they were sent, without what belongs to the connection */
};

/* Servers have no code of its own for it. The list decides whether it is so; the words only say that it is worth a look. */
static bool may_be_unknown(const struct tn_relay *relay, struct tn_slice message)
{
    static const char *const words[] = { "unknown", "not found", "no such", "does not exist", "not exist" };
    struct tn_slice          name    = relay->tool->name;

    if (!message.at || !memmem(message.at, message.len, name.at, name.len))
        return false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcasestr(message.at, words[i]))
            return true;
    return false;
}

static struct tn_slice keep(struct tn_relay *relay, struct tn_slice text)
{
    return (struct tn_slice){ tn_arena_copy(&relay->x->arena, text.at ? text.at : "", text.len), text.len };
}

bool tn_again_needed(struct tn_relay *relay, const tenon_request *request)
{
    yyjson_val      *error   = request->error;
    int64_t          code    = yyjson_get_sint(yyjson_obj_get(error, "code"));
    bool             headers = code == RPC_HEADER_MISMATCH && tn_link_is_modern(relay->link);
    struct tn_again *again;

    if (request->state != TENON_REQUEST_REFUSED || !relay->tool || relay->again ||
        !tn_lists_may_ask(relay->link) ||
        (!headers && !(code == RPC_INVALID_PARAMS &&
                       may_be_unknown(relay, tn_rpc_text(yyjson_obj_get(error, "message"))))))
        return false;
    again = tn_arena_new(&relay->x->arena, struct tn_again);
    if (!again)
        return false;
    *again = (struct tn_again){ .headers = headers,
                                .error   = keep(relay, request->text),
                                .params  = headers ? keep(relay, request->params) : NOTHING };
    if (!again->error.at || (headers && !again->params.at))
        return false;
    relay->again = again;
    return true;
}

/* As the server said it. */
static void answer_error(struct tn_relay *relay)
{
    struct tn_slice             text   = relay->again->error;
    const struct tn_json_limits limits = { text.len + 1, CLIENT_DEPTH_MAX, CLIENT_NODES(text.len) };
    yyjson_val                 *error  = tn_json_read(&relay->x->arena, text.at, text.len, &limits).root;

    tn_bridge_refuse(relay, error, text);
}

/* By the definition as it is now. */
static void send_anew(struct tn_relay *relay,
                      void (*send)(struct tn_relay *relay, struct tn_slice params, struct tn_slice arguments))
{
    struct tn_slice     params    = relay->again->params;
    struct tn_slice     arguments = tn_member_of(params, "arguments");
    struct tn_admission admission;
    struct tn_json_text read;

    read = tn_json_read(
        &relay->x->arena, arguments.at ? arguments.at : "{}", arguments.at ? arguments.len : 2,
        &(struct tn_json_limits){ RESULT_LEN_MAX, CLIENT_DEPTH_MAX, CLIENT_NODES(arguments.len) });
    if (!read.root || !tn_admission_of(relay, arguments.at ? read.root : NULL, arguments, &admission))
        tn_exchange_fail_bare(relay->x);
    else if (admission.admitted)
        send(relay, params, admission.arguments);
    else
        tn_bridge_envelope(relay, admission.text, admission.refusal);
}

void tn_again_go(struct tn_relay *relay,
                 void (*send)(struct tn_relay *relay, struct tn_slice params, struct tn_slice arguments))
{
    struct tn_slice          name = keep(relay, relay->tool->published);
    const struct tn_offered *tool = name.at ? tn_catalog_find(relay->link->catalog, name) : NULL;

    tn_catalog_hold(relay->link->catalog);
    tn_catalog_release(relay->catalog);
    relay->catalog = relay->link->catalog;
    relay->tool    = tool;
    if (!tool)
        tn_exchange_fail(relay->x, RPC_INVALID_PARAMS, NOTHING, GUARD_NO_TOOL,
                         tn_exchange_echo(relay->x, name));
    else if (relay->again->headers)
        send_anew(relay, send);
    else
        answer_error(relay);
}
