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
#define NOTHING   ((struct tn_slice){ NULL, 0 })

#define NUMBER_MAX 19 /* digits of a question's number: more do not fit 64 bits */

static const struct tn_json_limits reply_limits = { INPUT_REPLY_MAX, 32, 20000 };

/* ---- Answers ------------------------------------------------------------------------------------------------- */

struct tn_reply *tn_input_find(const struct tn_exchange *x, struct tn_slice key)
{
    struct tn_reply *reply = x->replies;

    while (reply && (reply->key.len != key.len || memcmp(reply->key.at, key.at, key.len) != 0))
        reply = reply->next;
    return reply;
}

/* The newest answer to a question counts. */
static bool add_reply(struct tn_exchange *x, struct tn_slice key, yyjson_val *value)
{
    struct tn_reply *reply = tn_input_find(x, key);

    if (!reply) {
        reply = tn_arena_new(&x->arena, struct tn_reply);
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
static bool keep_reply(struct tn_exchange *x, struct tn_slice key, struct tn_slice json)
{
    char               *copy = tn_arena_copy(&x->arena, key.at, key.len);
    struct tn_json_text text = tn_json_read(&x->arena, json.at, json.len, &reply_limits);

    if (copy && text.root && add_reply(x, (struct tn_slice){ copy, key.len }, text.root))
        return true;
    x->arena.failed = false; /* the client may send it again */
    return false;
}

enum tn_answered tn_input_take(struct tn_arena *from, struct tn_exchange *asker, struct tn_slice key,
                               const struct tn_buf *text)
{
    struct tn_json_text read;
    size_t              bytes;

    if (text->failed)
        return from->failed ? ANSWER_NO_MEMORY : ANSWER_TOO_LONG;
    read = tn_json_read(from, text->at, text->len, &reply_limits);
    if (read.fault == JSON_NO_MEMORY)
        return ANSWER_NO_MEMORY;
    if (!read.root || read.bad_utf8)
        return ANSWER_UNREADABLE;
    bytes = key.len + text->len + read.nodes * sizeof(yyjson_val);
    if (!tn_exchange_may_keep(asker, bytes))
        return ANSWER_TOO_MUCH;
    if (keep_reply(asker, key, tn_buf_slice(text)))
        return ANSWER_TAKEN;
    tn_exchange_keep_less(asker, bytes);
    return ANSWER_NO_MEMORY;
}

static bool add_members(struct tn_exchange *x, yyjson_val *object)
{
    yyjson_obj_iter members;
    yyjson_val     *key;

    yyjson_obj_iter_init(object, &members);
    while ((key = yyjson_obj_iter_next(&members)))
        if (!add_reply(x, tn_rpc_text(key), yyjson_obj_iter_get_val(key)))
            return false;
    return true;
}

/* ---- State --------------------------------------------------------------------------------------------------- */

/* What the state is bound to: caller, method, name and arguments. */
static bool digest_of(struct tn_exchange *x, unsigned char digest[DIGEST])
{
    static const char *const members[] = { "name", "uri", "arguments" };
    struct tn_buf            text;

    tn_buf_init(&text, &x->arena, 256, RESULT_LEN_MAX);
    tn_json_string(&text, x->caller.name.at, x->caller.name.len);
    tn_buf_text(&text, x->method->name);
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        yyjson_val *value = tn_rpc_get(x->params, members[i]);

        if (value)
            tn_json_value(&text, value);
        tn_buf_char(&text, '\n');
    }
    return !text.failed &&
           crypto_generichash(digest, DIGEST, (const unsigned char *)text.at, text.len, NULL, 0) == 0;
}

static bool open_state(struct tn_exchange *x, struct tn_slice token)
{
    tenon_server       *server = x->server;
    unsigned char       digest[DIGEST];
    struct tn_slice     payload;
    struct tn_json_text text;

    if (!digest_of(x, digest) ||
        !tn_seal_long_open(&server->keys, &x->arena, PURPOSE,
                           (struct tn_slice){ (const char *)digest, DIGEST },
                           server->clock.wall_ms(server->clock.user), token, &payload))
        return false;
    text = tn_json_read(&x->arena, payload.at, payload.len, &(struct tn_json_limits){ STATE_MAX, 40, 50000 });
    if (!yyjson_is_obj(text.root))
        return false;
    x->kept   = tn_rpc_text(tn_rpc_get(text.root, "kept"));
    x->rounds = (unsigned)yyjson_get_uint(tn_rpc_get(text.root, "rounds"));
    return add_members(x, tn_rpc_get(text.root, "answers"));
}

static struct tn_slice seal_state(struct tn_exchange *x)
{
    tenon_server *server = x->server;
    unsigned char digest[DIGEST];
    struct tn_buf text;
    bool          first = true;

    if (!digest_of(x, digest))
        return NOTHING;
    tn_buf_init(&text, &x->arena, 256, STATE_MAX);
    tn_buf_lit(&text, "{\"rounds\":");
    tn_buf_uint(&text, x->rounds + 1);
    tn_buf_lit(&text, ",\"kept\":");
    tn_json_string(&text, x->kept.at ? x->kept.at : "", x->kept.len);
    tn_buf_lit(&text, ",\"answers\":{");
    for (const struct tn_reply *reply = x->replies; reply; reply = reply->next) {
        if (!reply->used)
            continue;
        if (!first)
            tn_buf_char(&text, ',');
        tn_json_string(&text, reply->key.at, reply->key.len);
        tn_buf_char(&text, ':');
        tn_json_value(&text, reply->value);
        first = false;
    }
    tn_buf_lit(&text, "}}");
    if (text.failed)
        return NOTHING;
    return tn_seal_long_text(&server->keys, &x->arena, PURPOSE,
                             (struct tn_slice){ (const char *)digest, DIGEST },
                             server->clock.wall_ms(server->clock.user) + INPUT_STATE_MS, tn_buf_slice(&text));
}

/* ---- Modern requests ----------------------------------------------------------------------------------------- */

bool tn_input_load(struct tn_exchange *x)
{
    yyjson_val *state     = tn_rpc_get(x->params, "requestState");
    yyjson_val *responses = tn_rpc_get(x->params, "inputResponses");

    if (!tn_exchange_is_modern(x) || x->loaded)
        return true;
    x->loaded = true;
    if (responses && !yyjson_is_null(responses) && !yyjson_is_obj(responses)) {
        tn_exchange_fail(x, RPC_INVALID_PARAMS, NOTHING, SAY_BAD_RESPONSES);
        return false;
    }
    if (yyjson_obj_size(responses) > INPUT_COUNT_MAX) {
        tn_exchange_fail(x, RPC_INVALID_PARAMS, NOTHING, SAY_MANY_RESPONSES, INPUT_COUNT_MAX);
        return false;
    }
    if (state && !(yyjson_is_str(state) && open_state(x, tn_rpc_text(state)))) {
        tn_exchange_fail(x, RPC_INVALID_PARAMS, SLICE_LIT("{\"reason\":\"invalid_request_state\"}"),
                         SAY_BAD_STATE);
        return false;
    }
    if (!add_members(x, responses)) {
        tn_exchange_fail(x, RPC_INTERNAL_ERROR, NOTHING, SAY_NO_MEMORY);
        return false;
    }
    return true;
}

void tn_input_write_questions(struct tn_buf *out, const struct tn_question *questions)
{
    tn_buf_char(out, '{');
    for (const struct tn_question *at = questions; at; at = at->next) {
        if (at != questions)
            tn_buf_char(out, ',');
        tn_json_string(out, at->key.at, at->key.len);
        tn_buf_lit(out, ":{\"method\":\"");
        tn_buf_add(out, at->method.at, at->method.len);
        tn_buf_char(out, '"');
        if (at->params.len > 0) {
            tn_buf_lit(out, ",\"params\":");
            tn_buf_add(out, at->params.at, at->params.len);
        }
        tn_buf_char(out, '}');
    }
    tn_buf_char(out, '}');
}

static void ask_modern(struct tn_exchange *x)
{
    struct tn_slice state = seal_state(x);
    struct tn_buf   out   = tn_result_begin_as(x, "input_required");

    if (state.len == 0) {
        tn_exchange_fail(x, RPC_INTERNAL_ERROR, NOTHING, SAY_NO_MEMORY);
        return;
    }
    if (x->questions) {
        tn_result_key(&out, "inputRequests");
        tn_input_write_questions(&out, x->questions);
    }
    tn_result_key(&out, "requestState");
    tn_json_string(&out, state.at, state.len);
    tn_result_end(x, &out);
}

/* ---- Legacy sessions ----------------------------------------------------------------------------------------- */

static void write_request(struct tn_buf *out, const char *boot, const struct tn_question *question)
{
    tn_buf_lit(out, "{\"jsonrpc\":\"2.0\",\"id\":\"");
    tn_buf_text(out, boot);
    tn_buf_char(out, '-');
    tn_buf_uint(out, question->wire_number);
    tn_buf_lit(out, "\",\"method\":\"");
    tn_buf_add(out, question->method.at, question->method.len);
    tn_buf_char(out, '"');
    if (question->params.len > 0) {
        tn_buf_lit(out, ",\"params\":");
        tn_buf_add(out, question->params.at, question->params.len);
    }
    tn_buf_char(out, '}');
}

/* Numbers the questions, for the whole server: a session may be forgotten and come back, and answers to what it was asked
 * before must not fit. The numbers can be guessed: nothing is an answer to them before expect_answers(). */
static void number_questions(struct tn_exchange *x)
{
    for (struct tn_question *at = x->questions; at; at = at->next)
        at->wire_number = atomic_fetch_add(&x->server->asked, 1) + 1;
}

/* From now on answers may come, written into the exchange's arena by other threads, and the exchange go on without us.
 * It is held until all are here, or nobody waits for them any more: see tn_session_unwait(). */
static void expect_answers(struct tn_exchange *x, size_t count)
{
    tn_exchange_hold(x);
    pthread_mutex_lock(&x->session->lock);
    x->asked_ms = x->server->clock.now_ms(x->server->clock.user);
    x->pending  = count;
    pthread_mutex_unlock(&x->session->lock);
}

/* All of them are written before one is expected to be answered. */
static void ask_legacy(struct tn_exchange *x)
{
    size_t         count = 0, at = 0;
    bool           failed = false;
    struct tn_buf *out;

    for (const struct tn_question *each = x->questions; each; each = each->next)
        count++;
    out = tn_arena_array(&x->arena, count ? count : 1, struct tn_buf);
    if (!out || count == 0 || ++x->rounds > INPUT_ROUNDS_MAX) {
        tn_exchange_fail(x, RPC_INTERNAL_ERROR, NOTHING, SAY_ASKED_TOO_OFTEN);
        return;
    }
    if (!tn_exchange_may_wait(x)) {
        tn_exchange_refuse(x, false);
        return;
    }
    number_questions(x);
    for (const struct tn_question *each = x->questions; each; each = each->next) {
        tn_buf_init(&out[at], &x->arena, 256, RESULT_LEN_MAX);
        write_request(&out[at], x->server->boot, each);
        failed |= out[at++].failed;
    }
    if (failed) {
        tn_exchange_fail(x, RPC_INTERNAL_ERROR, NOTHING, SAY_NO_MEMORY);
        return;
    }
    expect_answers(x, count);
    for (size_t i = 0; i < count; i++)
        if (!tn_exchange_send(x, OUT_REQUEST,
                              tn_buf_slice(&out[i]))) { /* cancelled or overrun: no client waits */
            tn_session_unwait(x->session, x);
            return;
        }
}

/* The number in the id of a response; 0 when the id is not one of this process's. */
static uint64_t number_of(const tenon_server *server, yyjson_val *id)
{
    struct tn_slice rest = tn_rpc_text(id), boot = { NULL, 0 };
    uint64_t        number = 0;

    if (!tn_slice_split(&rest, '-', &boot) || !tn_slice_is(boot, server->boot) || rest.len > NUMBER_MAX ||
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
static struct tn_exchange *find_asker(struct tn_session *session, uint64_t number,
                                      struct tn_question **question)
{
    for (struct tn_exchange *x = session->running; x; x = x->next)
        for (struct tn_question *at = x->pending > 0 ? x->questions : NULL; at; at = at->next)
            if (at->wire_number == number) {
                *question = at;
                return x;
            }
    return NULL;
}

/* The answer as JSON, in the memory of its own message. */
static void write_response(struct tn_exchange *from, const struct tn_rpc *rpc, struct tn_buf *text)
{
    tn_buf_init(text, &from->arena, 256, INPUT_REPLY_MAX);
    if (rpc->result) {
        tn_json_value(text, rpc->result);
    } else { /* the client would not, or could not */
        tn_buf_lit(text, "{\"action\":\"cancel\",\"error\":");
        tn_json_value(text, rpc->error);
        tn_buf_char(text, '}');
    }
}

enum tn_answered tn_input_answer(struct tn_exchange *from, const struct tn_rpc *rpc,
                                 struct tn_exchange **resumed)
{
    struct tn_session  *session  = from->session;
    uint64_t            number   = number_of(from->server, rpc->id);
    struct tn_question *question = NULL;
    enum tn_answered    answered = ANSWER_UNASKED;
    struct tn_buf       text;
    struct tn_exchange *x;

    *resumed = NULL;
    if (!session || number == 0)
        return ANSWER_UNASKED;
    pthread_mutex_lock(&session->lock);
    x = find_asker(session, number, &question);
    if (x) {
        write_response(from, rpc, &text);
        answered = from->bad_utf8 ? ANSWER_UNREADABLE : tn_input_take(&from->arena, x, question->key, &text);
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

void tn_input_needs(struct tn_exchange *x, unsigned abilities, const char *message)
{
    struct tn_buf data;

    tn_buf_init(&data, &x->arena, 128, 1024);
    tn_buf_lit(&data, "{\"requiredCapabilities\":");
    tn_abilities_write(&data, abilities);
    tn_buf_char(&data, '}');
    tn_exchange_fail(x, RPC_NO_CAPABILITY, tn_buf_slice(&data), "%s", message);
}

/* Before 2026-07-28 there is no code for it: a model reads what is missing, as it does what else a tool could not do. */
static void refuse_legacy(struct tn_exchange *x, unsigned missing)
{
    struct tn_buf text;

    tn_buf_init(&text, &x->arena, 256, 1024);
    tn_buf_lit(&text, SAY_UNDECLARED);
    tn_abilities_write(&text, missing);
    tn_buf_char(&text, '.');
    tn_tools_answer_instead(x, TENON_CODE_UNAVAILABLE, tn_buf_end(&text) ? text.at : SAY_NO_MEMORY,
                            RETRY_NEVER);
}

static unsigned missing_abilities(const struct tn_exchange *x)
{
    unsigned needed = 0;

    for (const struct tn_question *at = x->questions; at; at = at->next)
        needed |= at->needs;
    return needed & ~x->abilities;
}

bool tn_input_asked(struct tn_exchange *x)
{
    unsigned missing;

    if (x->call->ending.kind != ENDING_ASK)
        return false;
    if (x->becoming_task) {
        x->becoming_task = false;
        tn_task_begin(x);
        return true;
    }
    missing = missing_abilities(x);
    if (missing && !tn_exchange_is_modern(x))
        refuse_legacy(x, missing);
    else if (missing)
        tn_input_needs(x, missing, SAY_CANNOT_ASK);
    else if (x->task)
        tn_task_asks(x);
    else if (tn_exchange_is_modern(x))
        ask_modern(x);
    else if (x->session)
        ask_legacy(x);
    else
        tn_exchange_fail(x, RPC_INTERNAL_ERROR, NOTHING, SAY_INTERNAL);
    return true;
}
