/* ask.c - questions that are open: asked, answered, withdrawn, given up. */
#define _GNU_SOURCE
#include "guard/question/ask.h"

#include <string.h>

#include "base/memory.h"
#include "guard/phrases.h"
#include "guard/question/park.h"
#include "guard/question/promise.h"
#include "guard/relay.h"
#include "guard/seat.h"
#include "json/locate.h"
#include "json/member.h"
#include "json/read.h"
#include "json/write.h"
#include "mcp/session.h"

#define MESSAGE_MAX (ASKED_MAX + 4096)
#define CANCELLED   "{\"action\":\"cancel\"}"

/* ---- Open and closed ----------------------------------------------------------------------------------------- */

static void asked_free(struct tn_asked *asked)
{
    struct tn_guard *guard = asked->link->guard;

    tn_ring_remove(&asked->ring);
    tn_arena_free(&asked->arena);
    tn_memory_free(&guard->memory, asked, sizeof *asked);
    tn_park_arm(guard);
}

/* The params as they came, when they came as a request; else written anew. */
static struct tn_slice params_text(struct tn_asked *asked, struct tn_buf *out)
{
    struct tn_slice raw = asked->link->raw;
    size_t          at;

    if (!asked->in_round && tn_json_locate(raw, SLICE_LIT("/params"), &at))
        return tn_json_span(raw, at);
    tn_buf_init(out, &asked->arena, 256, ASKED_MAX);
    tn_json_value(out, asked->question->params);
    return tn_buf_slice(out);
}

/* Keeps the question as this client gets it. False when it is too long, or there is no memory. */
static bool take_params(struct tn_asked *asked, bool modern)
{
    struct tn_buf   text, out;
    struct tn_slice params;

    if (!asked->question->params || asked->params.len > 0)
        return true;
    params = params_text(asked, &text);
    if (params.len == 0 || params.len > ASKED_MAX)
        return false;
    tn_buf_init(&out, &asked->arena, params.len + 64, ASKED_MAX);
    tn_promise_params(&out, asked->link, asked->method, asked->question->params, params, modern, asked->key);
    asked->params = tn_buf_slice(&out);
    return asked->params.len > 0;
}

static struct tn_asked *asked_new(struct tn_link *link, tenon_question *question)
{
    struct tn_park  *park  = tn_park_of(link->guard);
    struct tn_asked *asked = park ? tn_memory_new(&link->guard->memory, sizeof *asked) : NULL;
    struct tn_buf    key;

    if (!asked)
        return NULL;
    *asked = (struct tn_asked){
        .link = link, .question = question, .in_round = question->request != NULL, .due_ms = TRANSPORT_NEVER
    };
    tn_arena_init(&asked->arena, &link->guard->memory, 0);
    asked->method = tn_guard_keep(&asked->arena, tn_slice_of(question->method));
    asked->needs  = tn_promise_needs(asked->method, question->params);
    tn_buf_init(&key, &asked->arena, ASKED_KEY_MAX, ASKED_KEY_MAX);
    tn_buf_addf(&key, "%s-g%llu", link->guard->server->boot, (unsigned long long)++park->asked);
    asked->key = tn_buf_end(&key);
    tn_ring_add(&park->questions, &asked->ring);
    if (asked->method.at && asked->key)
        return asked;
    asked_free(asked);
    return NULL;
}

/* ---- Answers ------------------------------------------------------------------------------------------------- */

/* Ends a question with an error, of words that need no escapes; of a round it ends the call, which says so. */
static void question_fail(tenon_question *question, int code, const char *why)
{
    struct tn_relay *relay = question->request ? tn_relay_of(question->request) : NULL;
    char             error[CLIENT_WHY_MAX + 64];

    if (relay)
        relay->denied = why;
    snprintf(error, sizeof error, "{\"code\":%d,\"message\":\"%s\"}", code, why);
    tn_question_fail(question, error, tn_slice_of(why));
}

bool tn_asked_answer(struct tn_asked *asked, struct tn_slice result)
{
    struct tn_link *link = asked->link;
    const char     *text = tn_arena_copy(&asked->arena, result.at, result.len);

    if (!text || tenon_question_answer(asked->question, text) != TENON_OK)
        return false;
    asked_free(asked);
    tn_link_arm(link);
    return true;
}

static bool elicits(const struct tn_asked *asked)
{
    return tn_slice_is(asked->method, "elicitation/create");
}

void tn_asked_give_up(struct tn_asked *asked)
{
    struct tn_link *link     = asked->link;
    tenon_question *question = asked->question;
    bool            cancels  = elicits(asked);

    asked_free(asked);
    if (!cancels || tenon_question_answer(question, CANCELLED) != TENON_OK)
        question_fail(question, RPC_INTERNAL_ERROR, GUARD_UNANSWERED);
    tn_link_arm(link);
}

void tn_asked_refuse(struct tn_asked *asked, const char *why)
{
    struct tn_link *link     = asked->link;
    tenon_question *question = asked->question;

    asked_free(asked);
    question_fail(question, RPC_NO_METHOD, why);
    tn_link_arm(link);
}

/* An error of the client's: of a round, where there is no place for errors, elicitation counts as cancelled. */
static void settle_error(struct tn_asked *asked, struct tn_slice error, yyjson_val *read)
{
    tenon_question *question = asked->question;
    const char     *text     = tn_arena_copy(&asked->arena, error.at, error.len);

    if (asked->in_round || !text)
        tn_asked_give_up(asked);
    else {
        tn_question_fail(question, text, tn_rpc_text(yyjson_obj_get(read, "message")));
        asked_free(asked);
    }
}

static struct tn_asked *find_asked(const struct tn_park *park, const struct tn_exchange *x)
{
    struct tn_ring *one = park ? park->questions.after : NULL;

    for (; park && one != &park->questions; one = one->after) {
        struct tn_asked *asked = (struct tn_asked *)one;
        size_t           len   = strlen(asked->key);

        if (asked->session && asked->session == x->session && x->id.len == len + 2 &&
            memcmp(x->id.at + 1, asked->key, len) == 0 && x->id.at[0] == '"')
            return asked;
    }
    return NULL;
}

bool tn_ask_answered(struct tn_guard *guard, struct tn_exchange *x, struct tn_slice message)
{
    const struct tn_json_limits limits = { SIZE_MAX, CLIENT_DEPTH_MAX, CLIENT_NODES(message.len) };
    struct tn_asked            *asked  = find_asked(guard->park, x);
    struct tn_slice             result = tn_member_of(message, "result"), error;
    struct tn_link             *link;

    if (!asked) {
        if (guard->park)
            guard->park->late++;
        return false;
    }
    link = asked->link;
    if (result.len == 0 || !tn_asked_answer(asked, result)) {
        error = tn_member_of(message, "error");
        if (error.len > 0)
            settle_error(asked, error,
                         yyjson_obj_get(tn_json_read(&x->arena, message.at, message.len, &limits).root,
                                        "error"));
        else
            tn_asked_give_up(asked);
    }
    tn_link_arm(link);
    return true;
}

/* ---- To legacy clients --------------------------------------------------------------------------------------- */

/* On the stream of its call, or beside all. */
static bool asked_send(struct tn_asked *asked, enum tn_out_kind kind, struct tn_slice json)
{
    if (asked->relay && tn_exchange_send(asked->relay->x, kind, json))
        return true;
    if (asked->session)
        tn_session_push(asked->session, json);
    return asked->session != NULL;
}

static bool ask_legacy(struct tn_asked *asked, struct tn_relay *relay)
{
    struct tn_buf out;

    asked->relay   = relay;
    asked->session = relay ? relay->x->session : asked->link->owner;
    asked->due_ms  = tn_client_now_ms() + ASKED_MS;
    if (!asked->session || !take_params(asked, false))
        return false;
    tn_buf_init(&out, &asked->arena, asked->params.len + 256, MESSAGE_MAX);
    tn_buf_addf(&out, "{\"jsonrpc\":\"2.0\",\"id\":\"%s\",\"method\":", asked->key);
    tn_json_string(&out, asked->method.at, asked->method.len);
    if (asked->params.len > 0) {
        tn_buf_lit(&out, ",\"params\":");
        tn_buf_add(&out, asked->params.at, asked->params.len);
    }
    tn_buf_char(&out, '}');
    tn_park_arm(asked->link->guard);
    return !out.failed && asked_send(asked, OUT_REQUEST, tn_buf_slice(&out));
}

/* The client need not answer any more. */
static void cancel_front(struct tn_asked *asked)
{
    char json[ASKED_KEY_MAX + 128];
    int  len;

    if (!asked->session)
        return;
    len = snprintf(
        json, sizeof json,
        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":\"%s\"}}",
        asked->key);
    asked_send(asked, OUT_NOTE, (struct tn_slice){ json, (size_t)len });
}

/* ---- Who is asked -------------------------------------------------------------------------------------------- */

/* The call that a question belongs to. On a pipe a legacy server does not say which one: it is of the client that the
 * link is for in any case, and the newest call that may ask is as good as any. */
struct target {
    struct tn_relay  *relay;
    struct tn_parked *parked;
    bool              guessed; /* the server has not said which call it is */
};

static struct target target_of(struct tn_link *link, const tenon_question *question)
{
    const tenon_request *request = question->stream ? tn_request_of(link->client, question->stream)
                                                    : question->request;

    if (request)
        return (struct target){ tn_relay_of(request), tn_parked_of(request), false };
    for (struct tn_ring *one = link->sent.before; one != &link->sent; one = one->before) {
        struct tn_relay *relay = (struct tn_relay *)one;

        if (tn_relay_may_ask(relay))
            return (struct target){ relay, relay->parked, true };
    }
    return (struct target){ NULL, tn_park_newest(link), true };
}

/* What the client of a target can be asked. Of a server that all share, the newest call may be another caller's. */
static unsigned abilities_of(const struct tn_link *link, const struct target *target)
{
    if (link->shared && target->guessed)
        return 0;
    return target->relay && tn_exchange_is_modern(target->relay->x) ? target->relay->x->abilities
                                                                    : link->promised;
}

static bool place(struct tn_asked *asked, const struct target *target)
{
    bool modern = target->parked || (target->relay && tn_exchange_is_modern(target->relay->x));

    if (!modern)
        return ask_legacy(asked, target->relay);
    return take_params(asked, true) && tn_park_ask(target->relay, target->parked, asked);
}

/* The operator's roots, in the client's place. */
static void answer_roots(struct tn_asked *asked)
{
    struct tn_buf out;

    tn_buf_init(&out, &asked->arena, 256, ASKED_MAX);
    tn_buf_lit(&out, "{\"roots\":");
    tn_buf_text(&out, asked->link->upstream->roots);
    tn_buf_char(&out, '}');
    if (out.failed || !tn_asked_answer(asked, tn_buf_slice(&out)))
        tn_asked_give_up(asked);
}

void tn_ask_client(struct tn_link *link, tenon_question *question)
{
    struct target    target = target_of(link, question);
    struct tn_asked *asked  = asked_new(link, question);
    bool             modern = target.parked || (target.relay && tn_exchange_is_modern(target.relay->x));
    bool             none   = (!modern && !target.relay && (!link->owner || !link->either)) ||
                (link->shared && target.guessed);
    const char *why;

    if (!asked) {
        question_fail(question, RPC_INTERNAL_ERROR, GUARD_UNANSWERED);
        return;
    }
    switch (tn_promise_check(link, asked->method, question->params, abilities_of(link, &target), &why)) {
    case ASKING_ROOTS: answer_roots(asked); return;
    case ASKING_UNPROMISED: tn_asked_refuse(asked, why); return;
    case ASKING_DENIED:
        asked_free(asked);
        question_fail(question, RPC_INVALID_PARAMS, why);
        return;
    case ASKING_PASSES: break;
    }
    if (none || (modern && asked->needs == 0))
        tn_asked_refuse(asked, GUARD_UNPROMISED);
    else if (!place(asked, &target))
        tn_asked_give_up(asked);
}

void tn_asked_move(struct tn_asked *asked)
{
    struct target target = target_of(asked->link, asked->question);

    asked->parked = NULL;
    if (asked->question->stream || (!target.relay && !target.parked) || !place(asked, &target))
        tn_asked_give_up(asked);
}

/* ---- The end ------------------------------------------------------------------------------------------------- */

void tn_ask_withdrawn(struct tn_link *link, yyjson_val *params)
{
    struct tn_park *park = link->guard->park;
    struct tn_arena arena;
    struct tn_buf   id;

    if (!park || tn_link_is_modern(link))
        return;
    tn_arena_init(&arena, &link->guard->memory, 0);
    tn_buf_init(&id, &arena, 64, ASKED_MAX);
    tn_json_value(&id, yyjson_obj_get(params, "requestId"));
    for (struct tn_ring *one = park->questions.after; one != &park->questions; one = one->after) {
        struct tn_asked *asked = (struct tn_asked *)one;

        if (asked->link != link || asked->in_round || !tn_slice_same(asked->question->id, tn_buf_slice(&id)))
            continue;
        cancel_front(asked);
        tn_question_free(asked->question);
        asked_free(asked);
        break;
    }
    tn_arena_free(&arena);
    tn_link_arm(link);
}

void tn_ask_left(struct tn_relay *relay)
{
    struct tn_park *park = relay->seat->guard->park;
    struct tn_ring *one  = park ? park->questions.after : NULL, *after;

    for (; park && one != &park->questions; one = after) {
        struct tn_asked *asked = (struct tn_asked *)one;

        after = one->after;
        if (asked->relay != relay)
            continue;
        asked->relay = NULL;
        if (!asked->in_round)
            continue;
        cancel_front(asked);
        tn_question_free(asked->question);
        asked_free(asked);
    }
}

void tn_ask_gone(struct tn_guard *guard, const struct tn_session *session)
{
    struct tn_park *park = guard->park;
    struct tn_ring *one  = park ? park->questions.after : NULL, *after;

    for (; park && one != &park->questions; one = after) {
        struct tn_asked *asked = (struct tn_asked *)one;

        after = one->after;
        if (asked->session != session)
            continue;
        asked->session = NULL;
        asked->relay   = NULL;
        tn_asked_give_up(asked);
    }
}

void tn_ask_forget(struct tn_link *link)
{
    struct tn_park *park = link->guard->park;
    struct tn_ring *one, *after;

    if (!park)
        return;
    tn_park_forget(link);
    for (one = park->questions.after; one != &park->questions; one = after) {
        struct tn_asked *asked = (struct tn_asked *)one;

        after = one->after;
        if (asked->link != link)
            continue;
        cancel_front(asked);
        asked_free(asked);
    }
}
