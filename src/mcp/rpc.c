/* rpc.c - JSON-RPC messages. Strict in what matters to pairing requests and answers, and in nothing else. */
#include "mcp/rpc.h"

#include <string.h>

#include "base/utf8.h"
#include "mcp/phrases.h"

struct tn_slice tn_rpc_text(yyjson_val *value)
{
    if (!yyjson_is_str(value))
        return (struct tn_slice){ NULL, 0 };
    return (struct tn_slice){ yyjson_get_str(value), yyjson_get_len(value) };
}

/* A number beyond 64 bits is kept as its text. */
bool tn_rpc_is_token(yyjson_val *value)
{
    return yyjson_is_str(value) || yyjson_is_num(value) || yyjson_is_raw(value);
}

/* Has the number a fraction or an exponent? */
static bool is_real(struct tn_slice number)
{
    return number.len > 0 && number.at[0] != '"' &&
           (memchr(number.at, '.', number.len) || memchr(number.at, 'e', number.len) ||
            memchr(number.at, 'E', number.len));
}

/* Whatever the program's locale: there strtod() may stop at the point. */
static bool read_real(struct tn_slice number, double *value)
{
    char       text[RPC_REAL_MAX + 1];
    yyjson_val read;

    if (number.len > RPC_REAL_MAX)
        return false;
    memcpy(text, number.at, number.len);
    text[number.len] = '\0';
    if (!yyjson_read_number(text, &read, 0, NULL, NULL))
        return false;
    *value = yyjson_get_num(&read);
    return true;
}

bool tn_rpc_same_id(struct tn_slice a, struct tn_slice b)
{
    double first, second;

    if (a.len == b.len && memcmp(a.at, b.at, a.len) == 0)
        return true;
    if ((!is_real(a) && !is_real(b)) || a.len == 0 || b.len == 0 || a.at[0] == '"' || b.at[0] == '"')
        return false;
    return read_real(a, &first) && read_real(b, &second) && first == second;
}

static bool stands_before(yyjson_val *object, yyjson_val *key)
{
    yyjson_obj_iter members = yyjson_obj_iter_with(object);
    yyjson_val     *other;

    while ((other = yyjson_obj_iter_next(&members)) != key)
        if (yyjson_equals_strn(other, yyjson_get_str(key), yyjson_get_len(key)))
            return true;
    return false;
}

/* Whoever stands between us and the client may read the other of two members of one name. Only names of one length can
 * be the same, and most objects have few of those. */
static const char *members_fault(yyjson_val *object)
{
    yyjson_obj_iter members = yyjson_obj_iter_with(object);
    uint64_t        lengths = 0;
    yyjson_val     *key;

    if (yyjson_obj_size(object) > RPC_MEMBERS_MAX)
        return SAY_MANY_MEMBERS;
    while ((key = yyjson_obj_iter_next(&members))) {
        uint64_t length = UINT64_C(1) << unsafe_yyjson_get_len(key) % 64;

        if (lengths & length && stands_before(object, key))
            return SAY_MEMBER_TWICE;
        lengths |= length;
    }
    return NULL;
}

static const char *envelope_fault(yyjson_val *message, yyjson_val *params)
{
    const char *fault = members_fault(message);

    fault = fault ? fault : members_fault(params);
    return fault ? fault : members_fault(tn_rpc_get(params, "_meta"));
}

static struct tn_rpc invalid(struct tn_rpc rpc, const char *fault)
{
    rpc.kind  = RPC_INVALID;
    rpc.fault = fault;
    return rpc;
}

/* The members of a message, in one pass. Of two with one name it has the last, but that is a fault anyway. */
struct members {
    yyjson_val *jsonrpc, *id, *method, *params, *result, *error;
    size_t      ids;
};

static struct members rpc_members_of(yyjson_val *message)
{
    struct members  found   = { 0 };
    yyjson_obj_iter members = yyjson_obj_iter_with(message);
    yyjson_val     *key;

    while ((key = yyjson_obj_iter_next(&members))) {
        yyjson_val     *value = yyjson_obj_iter_get_val(key);
        struct tn_slice name  = { unsafe_yyjson_get_str(key), unsafe_yyjson_get_len(key) };

        if (tn_slice_is(name, "jsonrpc"))
            found.jsonrpc = value;
        else if (tn_slice_is(name, "id")) {
            found.id = value;
            found.ids++;
        } else if (tn_slice_is(name, "method"))
            found.method = value;
        else if (tn_slice_is(name, "params"))
            found.params = value;
        else if (tn_slice_is(name, "result"))
            found.result = value;
        else if (tn_slice_is(name, "error"))
            found.error = value;
    }
    return found;
}

bool tn_rpc_is_text(yyjson_val *message, yyjson_val *params)
{
    yyjson_val *end = unsafe_yyjson_get_next(message), *arguments = tn_rpc_get(params, "arguments");

    for (yyjson_val *at = message; at < end; at++) { /* values stand in the order of the text */
        if (at == arguments && unsafe_yyjson_is_ctn(at))
            at = unsafe_yyjson_get_next(at) - 1;
        else if (at != arguments && yyjson_is_str(at) &&
                 !tn_utf8_valid(yyjson_get_str(at), yyjson_get_len(at)))
            return false;
    }
    return true;
}

struct tn_rpc tn_rpc_of(yyjson_val *message)
{
    struct tn_rpc  rpc = { .kind = RPC_INVALID };
    struct members has = rpc_members_of(message);

    if (!yyjson_is_obj(message))
        return invalid(rpc, SAY_NOT_OBJECT);
    if (has.ids == 1 && tn_rpc_is_token(has.id)) /* of two, none is sure */
        rpc.id = has.id;
    rpc.fault = envelope_fault(message, has.params);
    if (rpc.fault)
        return invalid(rpc, rpc.fault);
    if (!yyjson_equals_strn(has.jsonrpc, "2.0", 3))
        return invalid(rpc, SAY_NOT_2);
    rpc.params  = yyjson_is_null(has.params) ? NULL : has.params; /* some write null for none */
    rpc.members = yyjson_obj_size(message);
    rpc.result  = has.result;
    rpc.error   = has.error;
    if (!has.method) {
        rpc.kind = RPC_RESPONSE;
        return rpc.id && (rpc.result || rpc.error) ? rpc : invalid(rpc, SAY_NEITHER);
    }
    rpc.method = tn_rpc_text(has.method);
    if (!rpc.method.at)
        return invalid(rpc, SAY_BAD_METHOD);
    if (has.id && !rpc.id)
        return invalid(rpc, SAY_BAD_ID);
    if (rpc.params && !yyjson_is_obj(rpc.params))
        return invalid(rpc, SAY_BAD_PARAMS);
    rpc.kind = has.id ? RPC_REQUEST : RPC_NOTIFICATION;
    return rpc;
}
