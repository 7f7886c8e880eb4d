/* failure.c - error envelopes as errors of JSON-RPC. */
#include "mcp/offer/failure.h"

#include <string.h>

#include "json/read.h"
#include "mcp/phrases.h"

#define SENTENCES_MAX ((size_t)1500) /* of the message; all of them are in the data */
#define DATA_MAX      ((size_t)1 << 20)

static const struct tn_json_limits limits = { SIZE_MAX, JSON_WRITE_DEPTH_MAX,
                                              SIZE_MAX }; /* what we wrote ourselves */

void tn_failure_no_resource(struct tn_exchange *x, struct tn_slice uri, const char *message)
{
    int           code = tn_exchange_is_modern(x) ? RPC_INVALID_PARAMS : RPC_NO_RESOURCE;
    struct tn_buf data;

    tn_buf_init(&data, &x->arena, 0, DATA_MAX);
    tn_buf_lit(&data, "{\"uri\":");
    tn_json_string(&data, uri.at, uri.len);
    tn_buf_char(&data, '}');
    if (message)
        tn_exchange_fail(x, code, tn_buf_slice(&data), "%s", message);
    else
        tn_exchange_fail(x, code, tn_buf_slice(&data), SAY_NO_RESOURCE, tn_exchange_echo(x, uri));
}

/* "name is required; days must be between 1 and 14, got 40" */
static const char *join_sentences(struct tn_exchange *x, yyjson_val *fields)
{
    yyjson_obj_iter iter;
    yyjson_val     *key;
    struct tn_buf   text;

    tn_buf_init(&text, &x->arena, 0, SENTENCES_MAX);
    yyjson_obj_iter_init(fields, &iter);
    while ((key = yyjson_obj_iter_next(&iter))) {
        yyjson_arr_iter list = yyjson_arr_iter_with(yyjson_obj_iter_get_val(key));
        yyjson_val     *item;

        while ((item = yyjson_arr_iter_next(&list))) {
            struct tn_slice sentence = tn_rpc_text(item);

            if (text.len + sentence.len + 2 > SENTENCES_MAX)
                return text.len > 0 ? tn_buf_end(&text) : NULL;
            if (text.len > 0)
                tn_buf_lit(&text, "; ");
            tn_buf_add(&text, sentence.at, sentence.len);
        }
    }
    return text.len > 0 ? tn_buf_end(&text) : NULL;
}

static void answer_invalid(struct tn_exchange *x, struct tn_slice message, yyjson_val *details)
{
    const char   *sentences = join_sentences(x, tn_rpc_get(details, "fieldErrors"));
    struct tn_buf data;

    tn_buf_init(&data, &x->arena, 0, DATA_MAX);
    tn_json_value(&data, details);
    tn_exchange_fail(x, RPC_INVALID_PARAMS, tn_buf_slice(&data), "%s", sentences ? sentences : message.at);
}

static void answer_internal(struct tn_exchange *x, const char *code, struct tn_slice message,
                            yyjson_val *details)
{
    struct tn_buf data;

    tn_buf_init(&data, &x->arena, 0, DATA_MAX);
    tn_buf_lit(&data, "{\"code\":");
    tn_json_string(&data, code, strlen(code));
    if (yyjson_obj_size(details) > 0) {
        tn_buf_lit(&data, ",\"details\":");
        tn_json_value(&data, details);
    }
    tn_buf_char(&data, '}');
    tn_exchange_fail(x, RPC_INTERNAL_ERROR, tn_buf_slice(&data), "%.*s", (int)SENTENCES_MAX, message.at);
}

void tn_failure_answer(struct tn_exchange *x, const tenon_answer *answer, struct tn_slice uri)
{
    yyjson_val *error = tn_rpc_get(tn_json_read(&x->arena, answer->json, answer->len, &limits).root, "error");
    yyjson_val *details     = tn_rpc_get(error, "details");
    struct tn_slice message = tn_rpc_text(tn_rpc_get(error, "message"));

    if (!message.at)
        tn_exchange_fail(x, RPC_INTERNAL_ERROR, (struct tn_slice){ NULL, 0 }, SAY_NO_MEMORY);
    else if (strcmp(answer->code, TENON_CODE_VALIDATION_ERROR) == 0)
        answer_invalid(x, message, details);
    else if (uri.at && strcmp(answer->code, TENON_CODE_NOT_FOUND) == 0)
        tn_failure_no_resource(x, uri, message.at);
    else
        answer_internal(x, answer->code, message, details);
}
