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

/* Whoever stands between us and the client may read the other of two members of one name. */
static const char *members_fault(yyjson_val *object)
{
    yyjson_obj_iter outer, inner;
    yyjson_val     *key, *other;

    if (!yyjson_is_obj(object))
        return NULL;
    if (yyjson_obj_size(object) > RPC_MEMBERS_MAX)
        return SAY_MANY_MEMBERS;
    yyjson_obj_iter_init(object, &outer);
    while ((key = yyjson_obj_iter_next(&outer))) {
        inner = outer;
        while ((other = yyjson_obj_iter_next(&inner)))
            if (yyjson_equals_strn(other, yyjson_get_str(key), yyjson_get_len(key)))
                return SAY_MEMBER_TWICE;
    }
    return NULL;
}

static const char *envelope_fault(yyjson_val *message)
{
    yyjson_val *params = rpc_get(message, "params");
    const char *fault  = members_fault(message);

    fault = fault ? fault : members_fault(params);
    return fault ? fault : members_fault(rpc_get(params, "_meta"));
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
    rpc.fault = envelope_fault(message);
    if (rpc.fault)
        return invalid(rpc, rpc.fault);
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
