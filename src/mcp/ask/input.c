/* input.c - carrying questions to the client and answers back.
 *
 * The state that travels through a modern client holds what the handler kept and every answer it has used, sealed to the
 * caller and to the request itself, so that it cannot be replayed elsewhere; answers of earlier rounds need not be sent
 * again. Nothing of it is trusted more than an answer that comes directly.
 */
#include "mcp/ask/input.h"

#include <sodium.h>
#include <string.h>

#include "json/read.h"
#include "mcp/offer/tasks.h"
#include "mcp/offer/tools.h"
#include "mcp/phrases.h"
#include "mcp/session.h"

#define PURPOSE   "request state"
#define STATE_MAX ((size_t)256 << 10)
#define DIGEST    32
#define NOTHING   ((struct slice){ NULL, 0 })

#define NUMBER_MAX 19 /* digits of a question's number: more do not fit 64 bits */

static const struct json_limits reply_limits = { INPUT_REPLY_MAX, 32, 20000 };

/* ---- Answers ------------------------------------------------------------------------------------------------- */

struct reply *input_find(const struct exchange *x, struct slice key)
{
    struct reply *reply = x->replies;

    while (reply && (reply->key.len != key.len || memcmp(reply->key.at, key.at, key.len) != 0))
        reply = reply->next;
    return reply;
}

/* The newest answer to a question counts. */
static bool add_reply(struct exchange *x, struct slice key, yyjson_val *value)
{
    struct reply *reply = input_find(x, key);

    if (!reply) {
        reply = arena_new(&x->arena, struct reply);
        if (!reply)
            return false;
        reply->key  = key;
        reply->next = x->replies;
        x->replies  = reply;
    }
    reply->value = value;
    return true;
}

/* Copies it into the arena of the exchange that asked; false when memory is refused, and nothing is kept. */
static bool keep_reply(struct exchange *x, struct slice key, struct slice json)
{
    char            *copy = arena_copy(&x->arena, key.at, key.len);
    struct json_text text = json_read(&x->arena, json.at, json.len, &reply_limits);

    if (copy && text.root && add_reply(x, (struct slice){ copy, key.len }, text.root))
        return true;
    x->arena.failed = false; /* the client may send it again */
    return false;
}

enum answered input_take(struct exchange *from, struct exchange *asker, struct slice key,
                         const struct buf *text)
{
    struct json_text read;
    size_t           bytes;

    if (text->failed)
        return from->arena.failed ? ANSWER_NO_MEMORY : ANSWER_TOO_LONG;
    read = json_read(&from->arena, text->at, text->len, &reply_limits);
    if (read.fault == JSON_NO_MEMORY)
        return ANSWER_NO_MEMORY;
    if (!read.root || read.bad_utf8)
        return ANSWER_UNREADABLE;
    bytes = key.len + text->len + read.nodes * sizeof(yyjson_val);
    if (!exchange_may_keep(asker, bytes))
        return ANSWER_TOO_MUCH;
    if (keep_reply(asker, key, buf_slice(text)))
        return ANSWER_TAKEN;
    exchange_keep_less(asker, bytes);
    return ANSWER_NO_MEMORY;
}

static bool add_members(struct exchange *x, yyjson_val *object)
{
    yyjson_obj_iter members;
    yyjson_val     *key;

    yyjson_obj_iter_init(object, &members);
    while ((key = yyjson_obj_iter_next(&members)))
        if (!add_reply(x, rpc_text(key), yyjson_obj_iter_get_val(key)))
            return false;
    return true;
}

/* ---- State --------------------------------------------------------------------------------------------------- */

/* What the state is bound to: caller, method, name and arguments. */
static bool digest_of(struct exchange *x, unsigned char digest[DIGEST])
{
    static const char *const members[] = { "name", "uri", "arguments" };
    struct buf               text;

    buf_init(&text, &x->arena, 256, RESULT_LEN_MAX);
    json_string(&text, x->caller.name.at, x->caller.name.len);
    buf_text(&text, x->method->name);
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        yyjson_val *value = rpc_get(x->params, members[i]);

        if (value)
            json_value(&text, value);
        buf_char(&text, '\n');
    }
    return !text.failed &&
           crypto_generichash(digest, DIGEST, (const unsigned char *)text.at, text.len, NULL, 0) == 0;
}

static bool open_state(struct exchange *x, struct slice token)
{
    tenon_server    *server = x->server;
    unsigned char    digest[DIGEST];
    struct slice     payload;
    struct json_text text;

    if (!digest_of(x, digest) ||
        !seal_open(&server->keys, &x->arena, PURPOSE, (struct slice){ (const char *)digest, DIGEST },
                   server->clock.wall_ms(server->clock.user), token, &payload))
        return false;
    text = json_read(&x->arena, payload.at, payload.len, &(struct json_limits){ STATE_MAX, 40, 50000 });
    if (!yyjson_is_obj(text.root))
        return false;
    x->kept   = rpc_text(rpc_get(text.root, "kept"));
    x->rounds = (unsigned)yyjson_get_uint(rpc_get(text.root, "rounds"));
    return add_members(x, rpc_get(text.root, "answers"));
}

static struct slice seal_state(struct exchange *x)
{
    tenon_server *server = x->server;
    unsigned char digest[DIGEST];
    struct buf    text;
    bool          first = true;

    if (!digest_of(x, digest))
        return NOTHING;
    buf_init(&text, &x->arena, 256, STATE_MAX);
    buf_lit(&text, "{\"rounds\":");
    buf_uint(&text, x->rounds + 1);
    buf_lit(&text, ",\"kept\":");
    json_string(&text, x->kept.at ? x->kept.at : "", x->kept.len);
    buf_lit(&text, ",\"answers\":{");
    for (const struct reply *reply = x->replies; reply; reply = reply->next) {
        if (!reply->used)
            continue;
        if (!first)
            buf_char(&text, ',');
        json_string(&text, reply->key.at, reply->key.len);
        buf_char(&text, ':');
        json_value(&text, reply->value);
        first = false;
    }
    buf_lit(&text, "}}");
    if (text.failed)
        return NOTHING;
    return seal(&server->keys, &x->arena, PURPOSE, (struct slice){ (const char *)digest, DIGEST },
                server->clock.wall_ms(server->clock.user) + INPUT_STATE_MS, buf_slice(&text));
}

/* ---- Modern requests ----------------------------------------------------------------------------------------- */

bool input_load(struct exchange *x)
{
    yyjson_val *state     = rpc_get(x->params, "requestState");
    yyjson_val *responses = rpc_get(x->params, "inputResponses");

    if (!exchange_is_new(x) || x->loaded)
        return true;
    x->loaded = true;
    if (responses && !yyjson_is_null(responses) && !yyjson_is_obj(responses)) {
        exchange_fail(x, RPC_INVALID_PARAMS, NOTHING, SAY_BAD_RESPONSES);
        return false;
    }
    if (yyjson_obj_size(responses) > INPUT_COUNT_MAX) {
        exchange_fail(x, RPC_INVALID_PARAMS, NOTHING, SAY_MANY_RESPONSES, INPUT_COUNT_MAX);
        return false;
    }
    if (state && !(yyjson_is_str(state) && open_state(x, rpc_text(state)))) {
        exchange_fail(x, RPC_INVALID_PARAMS, SLICE_LIT("{\"reason\":\"invalid_request_state\"}"),
                      SAY_BAD_STATE);
        return false;
    }
    if (!add_members(x, responses)) {
        exchange_fail(x, RPC_INTERNAL_ERROR, NOTHING, SAY_NO_MEMORY);
        return false;
    }
    return true;
}

void input_write_questions(struct buf *out, const struct question *questions)
{
    buf_char(out, '{');
    for (const struct question *at = questions; at; at = at->next) {
        if (at != questions)
            buf_char(out, ',');
        json_string(out, at->key.at, at->key.len);
        buf_lit(out, ":{\"method\":\"");
        buf_add(out, at->method.at, at->method.len);
        buf_char(out, '"');
        if (at->params.len > 0) {
            buf_lit(out, ",\"params\":");
            buf_add(out, at->params.at, at->params.len);
        }
        buf_char(out, '}');
    }
    buf_char(out, '}');
}

static void ask_modern(struct exchange *x)
{
    struct slice state = seal_state(x);
    struct buf   out   = result_begin_as(x, "input_required");

    if (state.len == 0) {
        exchange_fail(x, RPC_INTERNAL_ERROR, NOTHING, SAY_NO_MEMORY);
        return;
    }
    if (x->questions) {
        result_key(&out, "inputRequests");
        input_write_questions(&out, x->questions);
    }
    result_key(&out, "requestState");
    json_string(&out, state.at, state.len);
    result_end(x, &out);
}

/* ---- Legacy sessions ----------------------------------------------------------------------------------------- */

static void write_request(struct buf *out, const char *boot, const struct question *question)
{
    buf_lit(out, "{\"jsonrpc\":\"2.0\",\"id\":\"");
    buf_text(out, boot);
    buf_char(out, '-');
    buf_uint(out, question->wire_number);
    buf_lit(out, "\",\"method\":\"");
    buf_add(out, question->method.at, question->method.len);
    buf_char(out, '"');
    if (question->params.len > 0) {
        buf_lit(out, ",\"params\":");
        buf_add(out, question->params.at, question->params.len);
    }
    buf_char(out, '}');
}

/* Numbers the questions, for the whole server: a session may be forgotten and come back, and answers to what it was asked
 * before must not fit. The numbers can be guessed: nothing is an answer to them before expect_answers(). */
static void number_questions(struct exchange *x)
{
    for (struct question *at = x->questions; at; at = at->next)
        at->wire_number = atomic_fetch_add(&x->server->asked, 1) + 1;
}

/* From now on answers may come, written into the exchange's arena by other threads, and the exchange go on without us.
 * It is held until all are here, or nobody waits for them any more: see session_unwait(). */
static void expect_answers(struct exchange *x, size_t count)
{
    exchange_hold(x);
    pthread_mutex_lock(&x->session->lock);
    x->asked_ms = x->server->clock.now_ms(x->server->clock.user);
    x->pending  = count;
    pthread_mutex_unlock(&x->session->lock);
}

/* All of them are written before one is expected to be answered. */
static void ask_legacy(struct exchange *x)
{
    size_t      count = 0, at = 0;
    bool        failed = false;
    struct buf *out;

    for (const struct question *each = x->questions; each; each = each->next)
        count++;
    out = arena_array(&x->arena, count ? count : 1, struct buf);
    if (!out || count == 0 || ++x->rounds > INPUT_ROUNDS_MAX) {
        exchange_fail(x, RPC_INTERNAL_ERROR, NOTHING, SAY_ASKED_TOO_OFTEN);
        return;
    }
    if (!exchange_may_wait(x)) {
        exchange_refuse(x, false);
        return;
    }
    number_questions(x);
    for (const struct question *each = x->questions; each; each = each->next) {
        buf_init(&out[at], &x->arena, 256, RESULT_LEN_MAX);
        write_request(&out[at], x->server->boot, each);
        failed |= out[at++].failed;
    }
    if (failed) {
        exchange_fail(x, RPC_INTERNAL_ERROR, NOTHING, SAY_NO_MEMORY);
        return;
    }
    expect_answers(x, count);
    for (size_t i = 0; i < count; i++)
        if (!exchange_send(x, OUT_REQUEST, buf_slice(&out[i]))) { /* cancelled or overrun: nobody waits */
            session_unwait(x->session, x);
            return;
        }
}

/* The number in the id of a response; 0 when the id is not one of this process's. */
static uint64_t number_of(const tenon_server *server, yyjson_val *id)
{
    struct slice rest = rpc_text(id), boot = { NULL, 0 };
    uint64_t     number = 0;

    if (!slice_split(&rest, '-', &boot) || !slice_is(boot, server->boot) || rest.len > NUMBER_MAX ||
        rest.len == 0 || rest.at[0] == '0')
        return 0;
    for (size_t i = 0; i < rest.len; i++) {
        if (rest.at[i] < '0' || rest.at[i] > '9')
            return 0;
        number = number * 10 + (uint64_t)(rest.at[i] - '0');
    }
    return number;
}

/* The question that a response answers, of all that run in the session. With its lock held. */
static struct exchange *find_asker(struct session *session, uint64_t number, struct question **question)
{
    for (struct exchange *x = session->running; x; x = x->next)
        for (struct question *at = x->pending > 0 ? x->questions : NULL; at; at = at->next)
            if (at->wire_number == number) {
                *question = at;
                return x;
            }
    return NULL;
}

/* The answer as JSON, in the memory of its own message. */
static void write_response(struct exchange *from, const struct rpc *rpc, struct buf *text)
{
    buf_init(text, &from->arena, 256, INPUT_REPLY_MAX);
    if (rpc->result) {
        json_value(text, rpc->result);
    } else { /* the client would not, or could not */
        buf_lit(text, "{\"action\":\"cancel\",\"error\":");
        json_value(text, rpc->error);
        buf_char(text, '}');
    }
}

enum answered session_answer(struct exchange *from, const struct rpc *rpc, struct exchange **resumed)
{
    struct session  *session  = from->session;
    uint64_t         number   = number_of(from->server, rpc->id);
    struct question *question = NULL;
    enum answered    answered = ANSWER_UNASKED;
    struct buf       text;
    struct exchange *x;

    *resumed = NULL;
    if (!session || number == 0)
        return ANSWER_UNASKED;
    pthread_mutex_lock(&session->lock);
    x = find_asker(session, number, &question);
    if (x) {
        write_response(from, rpc, &text);
        answered = from->bad_utf8 ? ANSWER_UNREADABLE : input_take(from, x, question->key, &text);
    }
    if (x && answered == ANSWER_TAKEN) {
        question->wire_number = 0;
        if (--x->pending == 0)
            *resumed = x; /* with the hold of ask_legacy() */
    }
    pthread_mutex_unlock(&session->lock);
    return answered;
}

/* ---- After a run --------------------------------------------------------------------------------------------- */

void input_needs(struct exchange *x, unsigned abilities, const char *message)
{
    struct buf data;

    buf_init(&data, &x->arena, 128, 1024);
    buf_lit(&data, "{\"requiredCapabilities\":");
    abilities_write(&data, abilities);
    buf_char(&data, '}');
    exchange_fail(x, RPC_NO_CAPABILITY, buf_slice(&data), "%s", message);
}

/* Before 2026-07-28 there is no code for it: a model reads what is missing, as it does what else a tool could not do. */
static void refuse_legacy(struct exchange *x, unsigned missing)
{
    struct buf text;

    buf_init(&text, &x->arena, 256, 1024);
    buf_lit(&text, SAY_UNDECLARED);
    abilities_write(&text, missing);
    buf_char(&text, '.');
    tools_answer_instead(x, TENON_CODE_UNAVAILABLE, buf_end(&text) ? text.at : SAY_NO_MEMORY, RETRY_NEVER);
}

static unsigned missing_abilities(const struct exchange *x)
{
    unsigned needed = 0;

    for (const struct question *at = x->questions; at; at = at->next)
        needed |= at->needs;
    return needed & ~x->abilities;
}

bool exchange_asked(struct exchange *x)
{
    unsigned missing;

    if (x->call->ending.kind != ENDING_ASK)
        return false;
    if (x->becoming_task) {
        x->becoming_task = false;
        task_begin(x);
        return true;
    }
    missing = missing_abilities(x);
    if (missing && !exchange_is_new(x))
        refuse_legacy(x, missing);
    else if (missing)
        input_needs(x, missing, SAY_CANNOT_ASK);
    else if (x->task)
        task_asks(x);
    else if (exchange_is_new(x))
        ask_modern(x);
    else if (x->session)
        ask_legacy(x);
    else
        exchange_fail(x, RPC_INTERNAL_ERROR, NOTHING, SAY_INTERNAL);
    return true;
}
