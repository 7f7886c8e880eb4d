/* rpc.h - JSON-RPC 2.0: what kind of message a JSON value is, and the codes of errors. */
#ifndef MCP_RPC_H
#define MCP_RPC_H

#include <yyjson.h>

#include "base/arena.h"
#include "base/str.h"

enum {
    RPC_PARSE_ERROR     = -32700,
    RPC_INVALID_REQUEST = -32600,
    RPC_NO_METHOD       = -32601,
    RPC_INVALID_PARAMS  = -32602,
    RPC_INTERNAL_ERROR  = -32603,
    RPC_NO_RESOURCE     = -32002, /* legacy only */
    RPC_HEADER_MISMATCH = -32020,
    RPC_NO_CAPABILITY   = -32021,
    RPC_NO_VERSION      = -32022
};

enum tn_rpc_kind { RPC_INVALID, RPC_REQUEST, RPC_NOTIFICATION, RPC_RESPONSE };

struct tn_rpc {
    enum tn_rpc_kind kind;
    const char      *fault; /* why it is RPC_INVALID; static */
    yyjson_val      *id;    /* a string or a number; NULL without a valid one */
    struct tn_slice  method;
    yyjson_val      *params; /* an object, or NULL */
    yyjson_val      *result, *error;
    size_t           members; /* of the message */
};

/* Members of a message, its params and its _meta that are looked at; a message with more of them is none. */
#define RPC_MEMBERS_MAX 64

struct tn_rpc tn_rpc_of(yyjson_val *message);

/* The id, as JSON, of a text that is no message: not JSON, too deep, or only the beginning of one (rpc_scan.c). A number
 * with a fraction or an exponent stays as it is written. Empty when no id is sure. */
struct tn_slice tn_rpc_scan_id(struct tn_arena *arena, struct tn_slice text);

/* The "method" of a message, without reading it as a whole; empty when it has none. */
struct tn_slice tn_rpc_scan_method(struct tn_arena *arena, struct tn_slice text);

/* Is all text of the message Unicode, but for its params.arguments, which are checked where they are used? */
bool tn_rpc_is_text(yyjson_val *message, yyjson_val *params);

/* A member of an object, or NULL: of anything that is not an object, too. Inline for the length of its literal. */
static inline yyjson_val *tn_rpc_get(yyjson_val *object, const char *key)
{
    return yyjson_obj_getn(object, key, strlen(key));
}

/* The text of a JSON string; empty, with `at` NULL, for anything else. */
struct tn_slice tn_rpc_text(yyjson_val *value);

/* Is it a string or a number, as ids and progress tokens are? The protocol has integers only; JSON-RPC advises against
 * fractions, and some languages write 2.0 for 2. */
bool tn_rpc_is_token(yyjson_val *value);

/* Are two ids, as JSON, the same? Written with a fraction or an exponent, numbers are compared by their value. */
#define RPC_REAL_MAX 64 /* bytes of such a number */
bool tn_rpc_same_id(struct tn_slice a, struct tn_slice b);

#endif
