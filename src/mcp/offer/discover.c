/* discover.c - what this server is: server/discover, initialize, ping, logging/setLevel. */
#include <string.h>

#include "mcp/exchange.h"
#include "mcp/phrases.h"
#include "mcp/session.h"
#include "mcp/share/share.h"

static void write_instructions(struct tn_exchange *x, struct tn_buf *out)
{
    const char *text = x->server->options.instructions;

    if (!text)
        return;
    tn_result_key(out, "instructions");
    tn_json_string(out, text, strlen(text));
}

void tn_method_discover(struct tn_exchange *x)
{
    struct tn_buf out = tn_result_begin(x);

    tn_result_key(&out, "supportedVersions");
    tn_buf_lit(&out, "[\"");
    tn_buf_text(&out, tn_version_text(V2026_07_28));
    tn_buf_lit(&out, "\"]");
    tn_result_key(&out, "capabilities");
    tn_buf_add(&out, x->server->capabilities[1].at, x->server->capabilities[1].len);
    write_instructions(x, &out);
    tn_result_cacheable(x, &out, x->server->options.ttl_ms, false);
    tn_result_end(x, &out);
}

void tn_method_initialize(struct tn_exchange *x)
{
    struct tn_slice id = { NULL, 0 };
    struct tn_buf   out;

    x->version = tn_version_negotiated(x->params);
    if (!tn_session_join(x, &id)) {
        tn_exchange_fail(x, RPC_INTERNAL_ERROR, (struct tn_slice){ NULL, 0 }, SAY_NO_MEMORY);
        return;
    }
    out = tn_result_begin(x);
    tn_result_key(&out, "protocolVersion");
    tn_json_string(&out, tn_version_text(x->version), strlen(tn_version_text(x->version)));
    tn_result_key(&out, "capabilities");
    tn_buf_add(&out, x->server->capabilities[0].at, x->server->capabilities[0].len);
    tn_result_key(&out, "serverInfo");
    tn_buf_add(&out, x->server->identity.at, x->server->identity.len);
    write_instructions(x, &out);
    tn_result_end_with(x, &out, id);
}

void tn_method_ping(struct tn_exchange *x)
{
    struct tn_buf out = tn_result_begin(x);

    tn_result_end(x, &out);
}

void tn_method_set_level(struct tn_exchange *x)
{
    int level = tn_level_of(tn_rpc_text(tn_rpc_get(x->params, "level")));

    if (level < 0) {
        tn_exchange_fail(x, RPC_INVALID_PARAMS, (struct tn_slice){ NULL, 0 }, SAY_BAD_LEVEL);
        return;
    }
    if (x->server->share && x->session->on_http) {
        if (tn_share_session_change(x->session, SESSION_LEVEL, level, (struct tn_slice){ "", 0 }) ==
            TENON_SHARE_DONE)
            tn_method_ping(x);
        else
            tn_exchange_fail(x, RPC_INTERNAL_ERROR, (struct tn_slice){ NULL, 0 }, SAY_SHARE_DOWN);
        return;
    }
    if (x->session) {
        pthread_mutex_lock(&x->session->lock);
        x->session->log_level = level;
        pthread_mutex_unlock(&x->session->lock);
    }
    tn_method_ping(x);
}
