/* result.c - writing the responses of JSON-RPC: what is around a result in each era, and errors. */
#include "mcp/exchange.h"

#include "mcp/phrases.h"

void tn_result_open(const struct tn_exchange *x, struct tn_buf *out, const char *type)
{
    tn_buf_lit(out, "{\"jsonrpc\":\"2.0\",\"id\":");
    tn_buf_add(out, x->id.at, x->id.len);
    tn_buf_lit(out, ",\"result\":{");
    if (tn_exchange_is_modern(x)) {
        tn_buf_lit(out, "\"resultType\":\"");
        tn_buf_text(out, type);
        tn_buf_char(out, '"');
    }
}

struct tn_buf tn_result_begin_as(struct tn_exchange *x, const char *type)
{
    struct tn_buf out;

    tn_buf_init(&out, &x->arena, 512, RESULT_LEN_MAX);
    tn_result_open(x, &out, type);
    return out;
}

struct tn_buf tn_result_begin(struct tn_exchange *x)
{
    return tn_result_begin_as(x, "complete");
}

void tn_result_key(struct tn_buf *out, const char *key)
{
    if (!out->failed && out->at[out->len - 1] != '{')
        tn_buf_char(out, ',');
    tn_buf_char(out, '"');
    tn_buf_text(out, key);
    tn_buf_lit(out, "\":");
}

void tn_result_cacheable(struct tn_exchange *x, struct tn_buf *out, int64_t ttl_ms, bool is_private)
{
    if (!tn_exchange_is_modern(x))
        return;
    tn_result_key(out, "ttlMs");
    tn_buf_int(out, ttl_ms > 0 ? ttl_ms : 0);
    tn_result_key(out, "cacheScope");
    tn_buf_text(out, is_private ? "\"private\"" : "\"public\"");
}

void tn_result_close(const struct tn_exchange *x, struct tn_buf *out)
{
    if (tn_exchange_is_modern(x)) {
        tn_result_key(out, "_meta");
        tn_buf_lit(out, "{\"" META_SERVER_INFO "\":");
        tn_buf_add(out, x->server->identity.at, x->server->identity.len);
        tn_buf_char(out, '}');
    }
    tn_buf_lit(out, "}}");
}

void tn_result_end_with(struct tn_exchange *x, struct tn_buf *out, struct tn_slice session)
{
    tn_result_close(x, out);
    if (out->failed) {
        tn_exchange_fail(x, RPC_INTERNAL_ERROR, (struct tn_slice){ NULL, 0 }, SAY_NO_MEMORY);
        return;
    }
    tn_exchange_answer(x, &(struct tn_out){ .kind    = OUT_FINAL,
                                            .status  = 200,
                                            .json    = { out->at, out->len },
                                            .session = session });
}

void tn_result_end(struct tn_exchange *x, struct tn_buf *out)
{
    tn_result_end_with(x, out, (struct tn_slice){ NULL, 0 });
}

void tn_result_error(struct tn_buf *out, struct tn_slice id, int code, struct tn_slice data,
                     struct tn_slice message)
{
    tn_buf_lit(out, "{\"jsonrpc\":\"2.0\",");
    if (id.len > 0) { /* what could not be read has none */
        tn_buf_lit(out, "\"id\":");
        tn_buf_add(out, id.at, id.len);
        tn_buf_char(out, ',');
    }
    tn_buf_lit(out, "\"error\":{\"code\":");
    tn_buf_int(out, code);
    tn_buf_lit(out, ",\"message\":");
    tn_json_string(out, message.at, message.len);
    if (data.len > 0) {
        tn_buf_lit(out, ",\"data\":");
        tn_buf_add(out, data.at, data.len);
    }
    tn_buf_lit(out, "}}");
}
