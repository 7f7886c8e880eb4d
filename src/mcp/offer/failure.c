/* failure.c - error envelopes as errors of JSON-RPC. */
#include "mcp/offer/failure.h"

#include <string.h>

#include "json/read.h"
#include "mcp/phrases.h"

#define SENTENCES_MAX ((size_t)1500) /* of the message; all of them are in the data */
#define DATA_MAX      ((size_t)1 << 20)

static const struct json_limits limits = { SIZE_MAX, JSON_WRITE_DEPTH_MAX,
                                           SIZE_MAX }; /* what we wrote ourselves */

void failure_no_resource(struct exchange *x, struct slice uri, const char *message)
{
    int        code = exchange_is_new(x) ? RPC_INVALID_PARAMS : RPC_NO_RESOURCE;
    struct buf data;

    buf_init(&data, &x->arena, 0, DATA_MAX);
    buf_lit(&data, "{\"uri\":");
    json_string(&data, uri.at, uri.len);
    buf_char(&data, '}');
    if (message)
        exchange_fail(x, code, buf_slice(&data), "%s", message);
    else
        exchange_fail(x, code, buf_slice(&data), SAY_NO_RESOURCE, exchange_echo(x, uri));
}

/* "name is required; days must be between 1 and 14, got 40" */
static const char *join_sentences(struct exchange *x, yyjson_val *fields)
{
    yyjson_obj_iter iter;
    yyjson_val     *key;
    struct buf      text;

    buf_init(&text, &x->arena, 0, SENTENCES_MAX);
    yyjson_obj_iter_init(fields, &iter);
    while ((key = yyjson_obj_iter_next(&iter))) {
        yyjson_arr_iter list = yyjson_arr_iter_with(yyjson_obj_iter_get_val(key));
        yyjson_val     *item;

        while ((item = yyjson_arr_iter_next(&list))) {
            struct slice sentence = rpc_text(item);

            if (text.len + sentence.len + 2 > SENTENCES_MAX)
                return text.len > 0 ? buf_end(&text) : NULL;
            if (text.len > 0)
                buf_lit(&text, "; ");
            buf_add(&text, sentence.at, sentence.len);
        }
    }
    return text.len > 0 ? buf_end(&text) : NULL;
}

static void answer_invalid(struct exchange *x, struct slice message, yyjson_val *details)
{
    const char *sentences = join_sentences(x, rpc_get(details, "fieldErrors"));
    struct buf  data;

    buf_init(&data, &x->arena, 0, DATA_MAX);
    json_value(&data, details);
    exchange_fail(x, RPC_INVALID_PARAMS, buf_slice(&data), "%s", sentences ? sentences : message.at);
}

static void answer_internal(struct exchange *x, const char *code, struct slice message, yyjson_val *details)
{
    struct buf data;

    buf_init(&data, &x->arena, 0, DATA_MAX);
    buf_lit(&data, "{\"code\":");
    json_string(&data, code, strlen(code));
    if (yyjson_obj_size(details) > 0) {
        buf_lit(&data, ",\"details\":");
        json_value(&data, details);
    }
    buf_char(&data, '}');
    exchange_fail(x, RPC_INTERNAL_ERROR, buf_slice(&data), "%.*s", (int)SENTENCES_MAX, message.at);
}

void failure_answer(struct exchange *x, const tenon_answer *answer, struct slice uri)
{
    yyjson_val  *error   = rpc_get(json_read(&x->arena, answer->json, answer->len, &limits).root, "error");
    yyjson_val  *details = rpc_get(error, "details");
    struct slice message = rpc_text(rpc_get(error, "message"));

    if (!message.at)
        exchange_fail(x, RPC_INTERNAL_ERROR, (struct slice){ NULL, 0 }, SAY_NO_MEMORY);
    else if (strcmp(answer->code, TENON_CODE_VALIDATION_ERROR) == 0)
        answer_invalid(x, message, details);
    else if (uri.at && strcmp(answer->code, TENON_CODE_NOT_FOUND) == 0)
        failure_no_resource(x, uri, message.at);
    else
        answer_internal(x, answer->code, message, details);
}
