/* rpc.c - JSON-RPC messages. Strict in what matters to pairing requests and answers, and in nothing else. */
#include "mcp/rpc.h"

#include "mcp/phrases.h"

struct slice rpc_text(yyjson_val *value)
{
    if (!yyjson_is_str(value))
        return (struct slice){ NULL, 0 };
    return (struct slice){ yyjson_get_str(value), yyjson_get_len(value) };
}

/* An integer of any size: one beyond 64 bits is kept as its text. */
static bool is_integer(yyjson_val *value)
{
    struct slice raw;

    if (yyjson_is_int(value))
        return true;
    if (!yyjson_is_raw(value))
        return false;
    raw = (struct slice){ yyjson_get_raw(value), yyjson_get_len(value) };
    for (size_t i = 0; i < raw.len; i++)
        if (raw.at[i] == '.' || raw.at[i] == 'e' || raw.at[i] == 'E')
            return false;
    return true;
}

bool rpc_is_token(yyjson_val *value)
{
    return yyjson_is_str(value) || is_integer(value);
}

static struct rpc invalid(struct rpc rpc, const char *fault)
{
    rpc.kind  = RPC_INVALID;
    rpc.fault = fault;
    return rpc;
}

struct rpc rpc_of(yyjson_val *message)
{
    struct rpc  rpc = { .kind = RPC_INVALID };
    yyjson_val *id = rpc_get(message, "id"), *method = rpc_get(message, "method");

    if (!yyjson_is_obj(message))
        return invalid(rpc, SAY_NOT_OBJECT);
    if (rpc_is_token(id))
        rpc.id = id;
    if (!yyjson_equals_strn(rpc_get(message, "jsonrpc"), "2.0", 3))
        return invalid(rpc, SAY_NOT_2);
    rpc.params = rpc_get(message, "params");
    rpc.result = rpc_get(message, "result");
    rpc.error  = rpc_get(message, "error");
    if (!method) {
        rpc.kind = RPC_RESPONSE;
        return rpc.id && (rpc.result || rpc.error) ? rpc : invalid(rpc, SAY_NEITHER);
    }
    rpc.method = rpc_text(method);
    if (!rpc.method.at)
        return invalid(rpc, SAY_BAD_METHOD);
    if (id && !rpc.id)
        return invalid(rpc, SAY_BAD_ID);
    if (rpc.params && !yyjson_is_obj(rpc.params))
        return invalid(rpc, SAY_BAD_PARAMS);
    rpc.kind = id ? RPC_REQUEST : RPC_NOTIFICATION;
    return rpc;
}
