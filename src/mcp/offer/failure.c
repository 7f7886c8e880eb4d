/* failure.c - how calls of prompts and resources fail, as errors of JSON-RPC. */
#include "mcp/offer/failure.h"

#include <string.h>

#include "answer/envelope.h"
#include "answer/report.h"
#include "mcp/phrases.h"

#define SENTENCES_MAX ((size_t)1500) /* of the message; all of them are in the data */
#define SENTENCE_MAX  ((size_t)64 << 10) /* of one before it is known not to fit */
#define DATA_MAX      ((size_t)1 << 20)

void tn_failure_no_resource(struct tn_exchange *x, struct tn_slice uri, struct tn_slice message)
{
    int           code = tn_exchange_is_modern(x) ? RPC_INVALID_PARAMS : RPC_NO_RESOURCE;
    struct tn_buf data;

    tn_buf_init(&data, &x->arena, 0, DATA_MAX);
    tn_buf_lit(&data, "{\"uri\":");
    tn_json_string(&data, uri.at, uri.len);
    tn_buf_char(&data, '}');
    if (message.len > 0)
        tn_exchange_fail(x, code, tn_buf_slice(&data), "%.*s", (int)message.len, message.at);
    else
        tn_exchange_fail(x, code, tn_buf_slice(&data), SAY_NO_RESOURCE, tn_exchange_echo(x, uri));
}

/* The message has every problem that fits: "name is required; days must be between 1 and 14, got 40". */
static void answer_invalid(struct tn_exchange *x, const struct tn_ending *ending)
{
    struct tn_report *report = tn_envelope_report(x->call);
    struct tn_buf     data, text;
    struct tn_slice   said;

    tn_buf_init(&text, &x->arena, 0, SENTENCES_MAX + SENTENCE_MAX);
    if (report)
        tn_report_sentences(&text, report, SENTENCES_MAX);
    said = text.len > 0 && !text.failed ? tn_buf_slice(&text) : ending->message;
    tn_buf_init(&data, &x->arena, 0, DATA_MAX);
    tn_envelope_details(&data, x->call);
    tn_exchange_fail(x, RPC_INVALID_PARAMS, tn_buf_slice(&data), "%.*s", (int)said.len, said.at);
}

static void answer_internal(struct tn_exchange *x, const struct tn_ending *ending)
{
    struct tn_slice message = ending->message;
    struct tn_buf   data;
    size_t          start;

    tn_buf_init(&data, &x->arena, 0, DATA_MAX);
    tn_buf_lit(&data, "{\"code\":");
    tn_json_string(&data, ending->error->code, strlen(ending->error->code));
    tn_buf_lit(&data, ",\"details\":");
    start = data.len;
    tn_envelope_details(&data, x->call);
    if (data.len - start == 2) /* {} */
        data.len = start - (sizeof ",\"details\":" - 1);
    tn_buf_char(&data, '}');
    tn_exchange_fail(x, RPC_INTERNAL_ERROR, tn_buf_slice(&data), "%.*s",
                     (int)(message.len < SENTENCES_MAX ? message.len : SENTENCES_MAX), message.at);
}

void tn_failure_answer(struct tn_exchange *x, struct tn_slice uri)
{
    const struct tn_ending *ending = &x->call->ending;

    if (strcmp(ending->error->code, TENON_CODE_VALIDATION_ERROR) == 0)
        answer_invalid(x, ending);
    else if (uri.at && strcmp(ending->error->code, TENON_CODE_NOT_FOUND) == 0)
        tn_failure_no_resource(x, uri, ending->message);
    else
        answer_internal(x, ending);
}
