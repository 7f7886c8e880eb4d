/* errors.c - errors in the form that the other side can use. */
#define _GNU_SOURCE
#include "guard/answer/errors.h"

#include <string.h>

#include <tenon/ask.h>

#include "guard/bridge.h"
#include "guard/catalog.h"
#include "guard/phrases.h"
#include "guard/question/promise.h"
#include "json/member.h"
#include "json/write.h"
#include "mcp/offer/tools.h"

#define NOTHING           ((struct tn_slice){ NULL, 0 })
#define ENVELOPE_MAX      ((size_t)1 << 20)
#define RPC_URL_NEEDED    (-32042) /* of 2025-11-25 */
#define ELICITATIONS_MAX  ((size_t)16)

/* ---- Failures of the guard's own ----------------------------------------------------------------------------------- */

static void write_details(struct tn_buf *out, const struct tn_failure *failure)
{
    size_t from;

    tn_buf_char(out, '{');
    from = out->len;
    tn_buf_add(out, failure->details.at ? failure->details.at : "", failure->details.len);
    if (failure->reason) {
        tn_bridge_comma(out, from);
        tn_buf_addf(out, "\"reason\":\"%s\"", failure->reason);
    }
    if (failure->retry_ms != RETRY_NEVER && !failure->done) {
        tn_bridge_comma(out, from);
        tn_buf_lit(out, "\"retryable\":true");
    }
    if (failure->retry_ms > 0) {
        tn_bridge_comma(out, from);
        tn_buf_addf(out, "\"retryAfterMs\":%lld", (long long)failure->retry_ms);
    }
    tn_buf_char(out, '}');
}

void tn_errors_envelope(struct tn_buf *out, const struct tn_failure *failure)
{
    struct tn_slice said = failure->said.len > 0 ? failure->said : SLICE_LIT("[]");

    tn_buf_addf(out, "{\"status\":\"ERROR\",\"error\":{\"code\":\"%s\",\"message\":", failure->code);
    tn_json_string(out, failure->message.at, failure->message.len);
    tn_buf_lit(out, ",\"details\":");
    write_details(out, failure);
    tn_buf_lit(out, "},\"messages\":");
    tn_buf_add(out, said.at, said.len);
    tn_buf_lit(out, ",\"data\":null}");
}

/* A result that is an error of the tool's, with this text; and the same as structured content, or nothing. */
static void answer_failed(struct tn_relay *relay, struct tn_slice text, struct tn_slice structured)
{
    bool          modern = tn_exchange_is_modern(relay->x);
    struct tn_buf out    = tn_bridge_begin(relay, text.len * 2 + structured.len + 256);

    tn_buf_lit(&out, ",\"result\":{");
    if (modern)
        tn_buf_lit(&out, "\"resultType\":\"complete\",");
    tn_buf_lit(&out, "\"content\":[{\"type\":\"text\",\"text\":");
    tn_json_string(&out, text.at, text.len);
    tn_buf_lit(&out, "}]");
    if (structured.len > 0) {
        tn_buf_lit(&out, ",\"structuredContent\":");
        tn_buf_add(&out, structured.at, structured.len);
    }
    tn_buf_lit(&out, ",\"isError\":true");
    if (modern) {
        tn_buf_lit(&out, ",\"_meta\":{");
        if (relay->link)
            tn_bridge_identity(&out, relay->link);
        tn_buf_char(&out, '}');
    }
    tn_buf_char(&out, '}');
    tn_bridge_end(relay, &out, 200, NOTHING);
}

/* Clients hold structuredContent to the outputSchema, of errors too: without the tool it is not known whether there is one. */
bool tn_bridge_has_structured(const struct tn_relay *relay)
{
    return relay->tool && !relay->tool->promises && tn_exchange_has_structured(relay->x);
}

void tn_bridge_envelope(struct tn_relay *relay, struct tn_slice text, struct tn_slice envelope)
{
    if (!relay->report.ended)
        tn_report_code(relay, TENON_CODE_VALIDATION_ERROR);
    answer_failed(relay, text, tn_bridge_has_structured(relay) ? envelope : NOTHING);
}

void tn_errors_answer(struct tn_relay *relay, const struct tn_failure *failure)
{
    struct tn_exchange *x = relay->x;
    struct tn_buf       out;

    tn_report_code(relay, failure->code);
    if (strcmp(failure->code, TENON_CODE_DENIED) == 0)
        tn_report_denied(relay, failure->reason);
    if (!(x->method->flags & METHOD_IS_TOOL)) {
        tn_exchange_fail(x, RPC_INTERNAL_ERROR, NOTHING, "%.*s", (int)failure->message.len,
                         failure->message.at);
        return;
    }
    tn_buf_init(&out, &x->arena, 512, ENVELOPE_MAX);
    tn_errors_envelope(&out, failure);
    if (out.failed)
        tn_exchange_fail_bare(x);
    else
        tn_bridge_envelope(relay, tn_buf_slice(&out), tn_buf_slice(&out));
}

/* The only questions that are denied here are those of servers. */
static void answer_instead(struct tn_relay *relay, const char *code, const char *message, bool done)
{
    bool again = strcmp(code, TENON_CODE_UNAVAILABLE) == 0 || strcmp(code, TENON_CODE_TIMEOUT) == 0;

    tn_errors_answer(relay, &(struct tn_failure){
                                .code    = code,
                                .message = tn_slice_of(message),
                                .reason = strcmp(code, TENON_CODE_DENIED) == 0 ? GUARD_REASON_QUESTION : NULL,
                                .retry_ms = again ? GUARD_RETRY_MS : RETRY_NEVER,
                                .done     = done,
                                .said     = relay->said });
}

void tn_bridge_instead(struct tn_relay *relay, const char *code, const char *message)
{
    answer_instead(relay, code, message, false);
}

void tn_bridge_maybe_done(struct tn_relay *relay, const char *code, const char *message)
{
    answer_instead(relay, code, message, !relay->tool || !relay->tool->read_only);
}

/* ---- Errors of the server ------------------------------------------------------------------------------------------- */

/* The code that the client's revision has for it. */
static int64_t code_for(const struct tn_relay *relay, int64_t code)
{
    bool modern = tn_exchange_is_modern(relay->x);

    if (code == RPC_NO_RESOURCE)
        return modern ? RPC_INVALID_PARAMS : code;
    if (code == RPC_INVALID_PARAMS && !modern && tn_link_is_modern(relay->link) &&
        tn_slice_is(relay->method, "resources/read"))
        return RPC_NO_RESOURCE;
    if (code == RPC_NO_CAPABILITY)
        return modern ? code : RPC_INTERNAL_ERROR;
    if (code == RPC_URL_NEEDED)
        return relay->x->version == V2025_11_25 ? code : RPC_INTERNAL_ERROR;
    return code <= -32000 && code >= -32099 ? RPC_INTERNAL_ERROR : code;
}

static int status_for(const struct tn_exchange *x, int64_t code)
{
    if (code == RPC_NO_METHOD && tn_exchange_is_modern(x))
        return 404;
    return code == RPC_NO_CAPABILITY || code == RPC_INVALID_REQUEST ? 400 : 200;
}

/* Of a call, what models can do something about is a result: clients hide errors of the protocol from them. */
static bool is_for_models(const struct tn_relay *relay, int64_t code)
{
    return relay->tool &&
           (!tn_link_is_modern(relay->link) || !tn_rpc_get(relay->x->params, "requestState")) &&
           (code == RPC_INVALID_PARAMS || code == RPC_INTERNAL_ERROR ||
            (code == RPC_NO_CAPABILITY && !tn_exchange_is_modern(relay->x)));
}

/* The error as it came, but for its code. */
static void pass_error(struct tn_relay *relay, yyjson_val *error, struct tn_slice text, int64_t code)
{
    int64_t           own   = code_for(relay, code);
    struct tn_members all   = tn_members_of(text);
    yyjson_obj_iter   names = yyjson_obj_iter_with(error);
    struct tn_buf     out   = tn_bridge_begin(relay, text.len + 64);
    struct tn_member  one;
    size_t            from;

    tn_buf_lit(&out, ",\"error\":{");
    from = out.len;
    while (tn_members_next(&all, &one)) {
        if (own == code || !yyjson_equals_str(yyjson_obj_iter_next(&names), "code")) {
            tn_member_add(&out, from, &one);
            continue;
        }
        tn_bridge_comma(&out, from);
        tn_buf_lit(&out, "\"code\":");
        tn_buf_int(&out, own);
    }
    tn_buf_char(&out, '}');
    tn_bridge_end(relay, &out, status_for(relay->x, own), NOTHING);
}

/* ---- Addresses that a person must visit (-32042 of 2025-11-25) ------------------------------------------------------- */

/* To modern clients that can show one: the questions that the retry, a call of its own, comes after. */
static void ask_for_urls(struct tn_relay *relay, yyjson_val *elicitations)
{
    struct tn_buf   out    = tn_bridge_begin(relay, 1024);
    yyjson_arr_iter iter   = yyjson_arr_iter_with(elicitations);
    size_t          number = 0;
    yyjson_val     *one;

    tn_buf_lit(&out, ",\"result\":{\"resultType\":\"input_required\",\"inputRequests\":{");
    while (number < ELICITATIONS_MAX && (one = yyjson_arr_iter_next(&iter))) {
        struct tn_slice url = tn_rpc_text(yyjson_obj_get(one, "url"));

        if (!url.at)
            continue;
        tn_buf_addf(&out, "%s\"q%zu\":{\"method\":\"elicitation/create\",\"params\":{\"mode\":\"url\",",
                    number > 0 ? "," : "", number + 1);
        tn_promise_message(&out, relay->link, one, true);
        tn_buf_lit(&out, ",\"url\":");
        tn_json_string(&out, url.at, url.len);
        tn_buf_lit(&out, "}}");
        number++;
    }
    tn_buf_lit(&out, "},\"_meta\":{");
    tn_bridge_identity(&out, relay->link);
    tn_buf_lit(&out, "}}");
    tn_bridge_end(relay, &out, 200, NOTHING);
}

/* To clients that cannot: the error's text, and the addresses. */
static void show_urls(struct tn_relay *relay, struct tn_slice message, yyjson_val *elicitations)
{
    yyjson_arr_iter iter = yyjson_arr_iter_with(elicitations);
    yyjson_val     *one;
    struct tn_buf   text;

    tn_buf_init(&text, &relay->x->arena, 512, ENVELOPE_MAX);
    tn_buf_add(&text, message.at ? message.at : "", message.len);
    for (size_t i = 0; i < ELICITATIONS_MAX && (one = yyjson_arr_iter_next(&iter)); i++) {
        struct tn_slice url  = tn_rpc_text(yyjson_obj_get(one, "url"));
        struct tn_slice what = tn_rpc_text(yyjson_obj_get(one, "message"));

        tn_buf_addf(&text, GUARD_URL_NEEDED, (int)what.len, what.at ? what.at : "", what.len > 0 ? ": " : "",
                    (int)url.len, url.at ? url.at : "");
    }
    if (text.failed)
        tn_exchange_fail_bare(relay->x);
    else
        answer_failed(relay, tn_buf_slice(&text), NOTHING);
}

static bool has_url(yyjson_val *elicitations)
{
    return yyjson_get_str(yyjson_obj_get(yyjson_arr_get_first(elicitations), "url")) != NULL;
}

/* ---- By code ------------------------------------------------------------------------------------------------------------ */

void tn_bridge_refuse(struct tn_relay *relay, yyjson_val *error, struct tn_slice text)
{
    int64_t         code    = yyjson_get_sint(yyjson_obj_get(error, "code"));
    struct tn_slice message = tn_rpc_text(yyjson_obj_get(error, "message"));
    yyjson_val     *urls    = yyjson_obj_get(yyjson_obj_get(error, "data"), "elicitations");
    bool            modern  = tn_exchange_is_modern(relay->x);
    char            why[sizeof GUARD_NOT_SENT + sizeof GUARD_OTHER_REVISION];

    tn_report_outcome(relay, OUTCOME_RPC_ERROR);
    if (code == RPC_URL_NEEDED && relay->tool && relay->x->version != V2025_11_25 && has_url(urls)) {
        if (modern && relay->x->abilities & relay->link->upstream->questions & TENON_CAN_ELICIT_URL)
            ask_for_urls(relay, urls);
        else
            show_urls(relay, message, urls);
        return;
    }
    if (code == RPC_NO_VERSION && tn_link_is_modern(relay->link)) {
        snprintf(why, sizeof why, GUARD_NOT_SENT, GUARD_OTHER_REVISION);
        tn_bridge_instead(relay, TENON_CODE_UNAVAILABLE, why);
        tn_client_lose(relay->link->client, GUARD_OTHER_REVISION, true); /* the next call negotiates anew */
        return;
    }
    if (is_for_models(relay, code))
        answer_failed(relay, message.at ? message : SLICE_LIT(""), NOTHING);
    else
        pass_error(relay, error, text, code);
}
