/* ask.c - what a handler asks its client: finds the answer, or notes the question. */
#include <stdarg.h>
#include <string.h>

#include "mcp/ask/forms.h"

#include "mcp/ask/input.h"
#include "mcp/phrases.h"
#include <tenon/ask.h>

#define MESSAGE_MAX ((size_t)64 << 10)
#define PARAMS_MAX  ((size_t)1 << 20)

/* ---- Questions ----------------------------------------------------------------------------------------------- */

/* `params` is JSON in the call's arena, which is the next run's too: it must be in the exchange's before that. NULL for a
 * question that cannot be asked. */
static void note_question(struct tn_exchange *x, const char *key, const char *method, struct tn_buf *params,
                          unsigned needs)
{
    struct tn_question *question = tn_arena_new(&x->arena, struct tn_question), **last = &x->questions;

    if (!question || (params && !tn_buf_end(params))) {
        x->call->arena.failed = true;
        return;
    }
    *question = (struct tn_question){ .key    = { tn_arena_copy(&x->arena, key, strlen(key)), strlen(key) },
                                      .method = tn_slice_of(method),
                                      .needs  = needs };
    if (params)
        question->params = (struct tn_slice){ tn_arena_copy(&x->arena, params->at, params->len),
                                              params->len };
    while (*last)
        last = &(*last)->next;
    *last = question;
    x->call->arena.failed |= x->arena.failed;
}

/* JSON of the author's, an object, as one that can stand in a message: on one line, and nothing but itself. NULL when it is
 * none, and tenon_ask() will say so. */
static yyjson_val *ask_add_own(struct tn_buf *params, const char *json)
{
    static const struct tn_json_limits limits = { PARAMS_MAX, JSON_WRITE_DEPTH_MAX, SIZE_MAX };
    struct tn_json_text read = tn_json_read(params->arena, json ? json : "", json ? strlen(json) : 0,
                                            &limits);

    if (!yyjson_is_obj(read.root) || read.bad_utf8)
        return NULL;
    tn_json_value(params, read.root);
    return read.root;
}

/* The client's answer to the question `key`, an object; NULL when there is none yet. */
static yyjson_val *answer_of(struct tn_exchange *x, const char *key)
{
    struct tn_reply *reply = x ? tn_input_find(x, tn_slice_of(key)) : NULL;

    if (!reply || !yyjson_is_obj(reply->value))
        return NULL;
    reply->used = true;
    return reply->value;
}

static tenon_reply action_of(yyjson_val *answer)
{
    struct tn_slice action = tn_rpc_text(tn_rpc_get(answer, "action"));

    if (tn_slice_is(action, "accept"))
        return TENON_REPLY_ACCEPTED;
    if (tn_slice_is(action, "decline"))
        return TENON_REPLY_DECLINED;
    return tn_slice_is(action, "cancel") ? TENON_REPLY_CANCELLED : TENON_REPLY_PENDING;
}

static void ask_form(struct tn_exchange *x, const char *key, const char *schema, struct tn_slice message)
{
    yyjson_val   *own;
    struct tn_buf params;

    tn_buf_init(&params, &x->call->arena, 0, PARAMS_MAX);
    tn_buf_text(&params, x->version >= V2025_11_25 ? "{\"mode\":\"form\",\"message\":" : "{\"message\":");
    tn_json_string(&params, message.at, message.len);
    tn_buf_lit(&params, ",\"requestedSchema\":");
    own = ask_add_own(&params, schema);
    tn_buf_char(&params, '}');
    note_question(x, key, "elicitation/create", own ? &params : NULL, TENON_CAN_ELICIT);
}

/* ---- Elicitation --------------------------------------------------------------------------------------------- */

tenon_reply tenon_elicit_(tenon_call *call, const char *key, tenon_rows_fn rows, const void **out,
                          const char *format, ...)
{
    struct tn_exchange *x      = tn_exchange_of(call);
    yyjson_val         *answer = answer_of(x, key);
    tenon_reply         reply  = action_of(answer);
    const tenon_shape  *shape;
    struct tn_buf       message;
    va_list             args;

    *out  = NULL;
    shape = x ? tn_forms_shape(x->server, rows) : NULL;
    if (!shape)
        return TENON_REPLY_PENDING;
    if (reply == TENON_REPLY_ACCEPTED)
        *out = tn_forms_bind(call, shape, tn_rpc_get(answer, "content"));
    if (*out || (reply != TENON_REPLY_PENDING && reply != TENON_REPLY_ACCEPTED))
        return reply;
    tn_buf_init(&message, &call->arena, 0, MESSAGE_MAX);
    va_start(args, format);
    tn_buf_addv(&message, format, args);
    va_end(args);
    ask_form(x, key, tn_forms_schema(call, shape), tn_buf_slice(&message));
    return TENON_REPLY_PENDING;
}

tenon_reply tenon_elicit_json(tenon_call *call, const char *key, const char *schema,
                              const tenon_json **content, const char *message)
{
    struct tn_exchange *x      = tn_exchange_of(call);
    yyjson_val         *answer = answer_of(x, key);
    tenon_reply         reply  = action_of(answer);

    *content = NULL;
    if (reply == TENON_REPLY_ACCEPTED && yyjson_is_obj(tn_rpc_get(answer, "content")))
        *content = (const tenon_json *)tn_rpc_get(answer, "content");
    if (*content || (reply != TENON_REPLY_PENDING && reply != TENON_REPLY_ACCEPTED))
        return reply;
    if (x)
        ask_form(x, key, schema, tn_slice_of(message));
    return TENON_REPLY_PENDING;
}

tenon_reply tenon_elicit_url(tenon_call *call, const char *key, const char *url, const char *message)
{
    struct tn_exchange *x     = tn_exchange_of(call);
    tenon_reply         reply = action_of(answer_of(x, key));
    struct tn_buf       params;

    if (reply != TENON_REPLY_PENDING || !x)
        return reply;
    tn_buf_init(&params, &call->arena, 0, PARAMS_MAX);
    tn_buf_lit(&params, "{\"mode\":\"url\",\"message\":");
    tn_json_string(&params, message, strlen(message));
    tn_buf_lit(&params, ",\"url\":");
    tn_json_string(&params, url, strlen(url));
    if (!tn_exchange_is_modern(x)) { /* required there, and of no use to us */
        tn_buf_lit(&params, ",\"elicitationId\":");
        tn_json_string(&params, key, strlen(key));
    }
    tn_buf_char(&params, '}');
    note_question(x, key, "elicitation/create", &params, TENON_CAN_ELICIT_URL);
    return TENON_REPLY_PENDING;
}

/* ---- Sampling and roots -------------------------------------------------------------------------------------- */

const tenon_json *tenon_sample(tenon_call *call, const char *key, const char *json)
{
    struct tn_exchange *x      = tn_exchange_of(call);
    yyjson_val         *answer = answer_of(x, key), *own;
    struct tn_buf       params;

    if (answer || !x)
        return (const tenon_json *)answer;
    tn_buf_init(&params, &call->arena, 0, PARAMS_MAX);
    own = ask_add_own(&params, json);
    note_question(x, key, "sampling/createMessage", own ? &params : NULL,
                  tn_rpc_get(own, "tools") ? TENON_CAN_SAMPLE | TENON_CAN_SAMPLE_TOOLS : TENON_CAN_SAMPLE);
    return NULL;
}

const tenon_json *tenon_list_roots(tenon_call *call, const char *key)
{
    struct tn_exchange *x      = tn_exchange_of(call);
    yyjson_val         *answer = answer_of(x, key);
    struct tn_buf       params;

    if (answer || !x)
        return (const tenon_json *)answer;
    tn_buf_init(&params, &call->arena, 0, PARAMS_MAX);
    tn_buf_lit(&params, "{}"); /* may be left out, but clients that read by type need it */
    note_question(x, key, "roots/list", &params, TENON_CAN_LIST_ROOTS);
    return NULL;
}

/* ---- Ending and keeping -------------------------------------------------------------------------------------- */

tenon_outcome tenon_ask(tenon_call *call)
{
    const struct tn_question *question = call->host ? tn_exchange_of(call)->questions : NULL;

    for (; question; question = question->next)
        if (!question->params.at)
            return tenon_internal(call, SAY_LOG_QUESTION, question->key.at);
    return tn_call_ask(call);
}

bool tenon_in_task(const tenon_call *call)
{
    return tn_exchange_of(call) && tn_exchange_of(call)->task;
}

tenon_outcome tenon_become_task(tenon_call *call)
{
    struct tn_exchange *x = tn_exchange_of(call);

    if (x && !x->task)
        x->becoming_task = true;
    return tn_call_ask(call);
}

void tenon_keep(tenon_call *call, const char *text)
{
    struct tn_exchange *x = tn_exchange_of(call);

    if (!x || !text)
        return;
    x->kept = (struct tn_slice){ tn_arena_copy(&x->arena, text, strlen(text)), strlen(text) };
    call->arena.failed |= x->arena.failed;
}

const char *tenon_kept(const tenon_call *call)
{
    struct tn_exchange *x = tn_exchange_of(call);

    return x && x->kept.at ? x->kept.at : "";
}
