/* discover.c - who this server is: server/discover, initialize, ping, logging/setLevel. */
#include <string.h>

#include "mcp/exchange.h"
#include "mcp/phrases.h"
#include "mcp/session.h"

static void write_instructions(struct exchange *x, struct buf *out)
{
    const char *text = x->server->options.instructions;

    if (!text)
        return;
    result_key(out, "instructions");
    json_string(out, text, strlen(text));
}

void method_discover(struct exchange *x)
{
    struct buf out = result_begin(x);

    result_key(&out, "supportedVersions");
    buf_lit(&out, "[\"");
    buf_text(&out, version_text(V2026_07_28));
    buf_lit(&out, "\"]");
    result_key(&out, "capabilities");
    buf_add(&out, x->server->capabilities[1].at, x->server->capabilities[1].len);
    write_instructions(x, &out);
    result_cacheable(x, &out, x->server->options.ttl_ms, false);
    result_end(x, &out);
}

/* A version that is not known, or has no handshake, is negotiated down to the newest that has one. */
static enum version negotiate(yyjson_val *params)
{
    enum version asked = version_of(rpc_text(rpc_get(params, "protocolVersion")));

    return asked >= V2026_07_28 ? VERSION_LEGACY : asked;
}

/* The session of a pipe is there already; one over HTTP begins now. False without memory. */
static bool begin_session(struct exchange *x, unsigned abilities, struct slice *id)
{
    if (x->session) {
        pthread_mutex_lock(&x->session->lock);
        x->session->version     = x->version;
        x->session->abilities   = abilities;
        x->session->initialized = true;
        pthread_mutex_unlock(&x->session->lock);
        return true;
    }
    x->session = session_begin(x->server, &x->caller, x->account, x->version, abilities, &x->arena, id);
    return x->session != NULL;
}

void method_initialize(struct exchange *x)
{
    struct slice id = { NULL, 0 };
    struct buf   out;

    x->version = negotiate(x->params);
    if (!begin_session(x, abilities_of(rpc_get(x->params, "capabilities")), &id)) {
        exchange_fail(x, RPC_INTERNAL_ERROR, (struct slice){ NULL, 0 }, SAY_NO_MEMORY);
        return;
    }
    out = result_begin(x);
    result_key(&out, "protocolVersion");
    json_string(&out, version_text(x->version), strlen(version_text(x->version)));
    result_key(&out, "capabilities");
    buf_add(&out, x->server->capabilities[0].at, x->server->capabilities[0].len);
    result_key(&out, "serverInfo");
    buf_add(&out, x->server->identity.at, x->server->identity.len);
    write_instructions(x, &out);
    result_end_with(x, &out, id);
}

void method_ping(struct exchange *x)
{
    struct buf out = result_begin(x);

    result_end(x, &out);
}

void method_set_level(struct exchange *x)
{
    int level = level_of(rpc_text(rpc_get(x->params, "level")));

    if (level < 0) {
        exchange_fail(x, RPC_INVALID_PARAMS, (struct slice){ NULL, 0 }, SAY_BAD_LEVEL);
        return;
    }
    if (x->session) {
        pthread_mutex_lock(&x->session->lock);
        x->session->log_level = level;
        pthread_mutex_unlock(&x->session->lock);
    }
    method_ping(x);
}
