/* question.c - what a server asks its client: by requests of its own before 2026-07-28, by a result that asks for input
 * since then. The program sees no difference. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "json/write.h"
#include "net/client/client.h"

#define REPLY_MAX ((size_t)64 << 20)

/* ---- Open and closed ---------------------------------------------------------------------------------------- */

static tenon_question *question_new(tenon_client *client)
{
    tenon_question *question = tn_memory_new(&client->memory, sizeof *question);

    if (!question)
        return NULL;
    memset(question, 0, sizeof *question);
    question->client = client;
    tn_arena_init(&question->arena, &client->memory, 0);
    tn_ring_add(&client->questions, &question->ring);
    client->question_held++;
    if (client->question_count++ == 0)
        client->paused_ms = tn_client_now_ms();
    return question;
}

/* The time that questions took is not the server's. */
static void question_close(tenon_question *question)
{
    tenon_client *client = question->client;

    if (question->withdrawn)
        return;
    question->withdrawn = true;
    if (--client->question_count == 0)
        tn_client_prolong(client, tn_client_now_ms() - client->paused_ms);
}

void tn_question_free(tenon_question *question)
{
    tenon_allocator memory = question->client->memory;

    question_close(question);
    question->client->question_held--;
    tn_ring_remove(&question->ring);
    tn_arena_free(&question->arena);
    tn_memory_free(&memory, question, sizeof *question);
}

void tn_question_withdraw(tenon_client *client, struct tn_slice id, const tenon_request *request)
{
    struct tn_ring *one = client->questions.after, *after;

    for (; one != &client->questions; one = after) {
        tenon_question *question = (tenon_question *)one;

        after = one->after;
        if (request ? question->request != request : !tn_slice_same(question->id, id))
            continue;
        if (!question->asked) { /* the program will never know it */
            tn_question_free(question);
            continue;
        }
        question_close(question);
        question->request = NULL;
        question->method  = "";
        question->params  = question->id.len > 0 ? question->params : NULL;
    }
}

/* ---- Requests of a legacy server ---------------------------------------------------------------------------- */

/* With a result, or an error, both JSON; or with an error of that code. */
static void post_reply(tenon_client *client, struct tn_slice id, const char *result, const char *error,
                       int code, const char *why)
{
    struct tn_arena arena;
    struct tn_buf   out;

    tn_arena_init(&arena, &client->memory, 0);
    tn_buf_init(&out, &arena, 256, REPLY_MAX);
    tn_buf_lit(&out, "{\"jsonrpc\":\"2.0\",\"id\":");
    tn_buf_add(&out, id.at, id.len);
    if (result) {
        tn_buf_lit(&out, ",\"result\":");
        tn_json_line(&out, result, strlen(result));
    } else if (error) {
        tn_buf_lit(&out, ",\"error\":");
        tn_json_line(&out, error, strlen(error));
    } else {
        tn_buf_addf(&out, ",\"error\":{\"code\":%d,\"message\":", code);
        tn_json_string(&out, why ? why : "", why ? strlen(why) : 0);
        tn_buf_char(&out, '}');
    }
    tn_buf_char(&out, '}');
    if (!out.failed)
        tn_client_post(client, tn_buf_slice(&out));
    tn_arena_free(&arena);
}

void tn_question_take(tenon_client *client, int64_t stream, struct tn_slice method, yyjson_val *message)
{
    yyjson_val     *id = yyjson_obj_get(message, "id");
    tenon_question *question;
    struct tn_buf   text;

    if (!tn_rpc_is_token(id))
        return;
    tn_buf_init(&text, &client->inbox, 64, client->options.max_bytes);
    tn_json_value(&text, id);
    if (!tn_buf_end(&text))
        return;
    if (tn_slice_is(method, "ping")) {
        post_reply(client, tn_buf_slice(&text), "{}", NULL, 0, NULL);
        return;
    }
    if (!client->options.ask || tn_client_is_modern(client)) {
        post_reply(client, tn_buf_slice(&text), NULL, NULL, RPC_NO_METHOD,
                   "This client cannot be asked that.");
        return;
    }
    question = client->question_held < client->options.max_questions ? question_new(client) : NULL;
    if (!question) {
        post_reply(client, tn_buf_slice(&text), NULL, NULL, RPC_INTERNAL_ERROR,
                   "Too many questions are open.");
        return;
    }
    question->arena = client->inbox; /* the message is the question's now */
    tn_arena_init(&client->inbox, &client->memory, 0);
    question->id     = tn_buf_slice(&text);
    question->stream = stream;
    question->method = method.at;
    question->params = yyjson_obj_get(message, "params");
    question->asked  = true;
    client->options.ask(client->options.user, question);
}

/* ---- Results that ask for input ----------------------------------------------------------------------------- */

/* Sends the request again, with all answers. */
static void answer_round(tenon_request *request)
{
    yyjson_val   *state = yyjson_obj_get(request->result, "requestState");
    struct tn_buf extra;

    tn_buf_init(&extra, &request->arena, request->answers.len + 64, REPLY_MAX);
    tn_buf_lit(&extra, "\"inputResponses\":{");
    tn_buf_add(&extra, request->answers.at, request->answers.len);
    tn_buf_char(&extra, '}');
    if (yyjson_is_str(state)) {
        tn_buf_lit(&extra, ",\"requestState\":");
        tn_json_value(&extra, state);
    }
    request->extra  = tn_buf_slice(&extra);
    request->result = NULL;
    request->text   = (struct tn_slice){ "", 0 };
    if (extra.failed || request->answers.failed)
        tn_request_end(request, TENON_REQUEST_LOST, "out of memory");
    else
        tn_request_send(request);
}

static void open_question(tenon_request *request, yyjson_val *key, yyjson_val *asked)
{
    tenon_question *question = question_new(request->client);

    if (!question) {
        tn_request_end(request, TENON_REQUEST_LOST, "out of memory");
        return;
    }
    question->request = request;
    question->key     = yyjson_get_str(key);
    question->key_len = yyjson_get_len(key);
    question->method  = yyjson_get_str(yyjson_obj_get(asked, "method"));
    question->params  = yyjson_obj_get(asked, "params");
    if (!question->method)
        question->method = "";
}

/* Asks one after the other. What the program does meanwhile may end the request, and free it. */
static void ask_all(tenon_client *client, tenon_request *request)
{
    struct tn_ring *one = client->questions.after;

    while (one != &client->questions) {
        tenon_question *question = (tenon_question *)one;

        if (question->request == request && !question->asked) {
            question->asked = true;
            client->options.ask(client->options.user, question);
            one = client->questions.after;
        } else
            one = one->after;
    }
}

void tn_question_round(tenon_request *request)
{
    tenon_client   *client = request->client;
    yyjson_val     *asked  = yyjson_obj_get(request->result, "inputRequests");
    yyjson_obj_iter each   = yyjson_obj_iter_with(asked);
    size_t          count  = yyjson_is_obj(asked) ? yyjson_obj_size(asked) : 0;
    yyjson_val     *key;

    if (client->transport->forget)
        client->transport->forget(client->transport, request->id);
    if (++request->rounds > client->options.max_rounds) {
        tn_request_end(request, TENON_REQUEST_LOST, "the server asks for input again and again");
        return;
    }
    if (count > client->options.max_questions - client->question_held) {
        tn_request_end(request, TENON_REQUEST_LOST, "the server asks too many questions");
        return;
    }
    tn_buf_init(&request->answers, &request->arena, 0, REPLY_MAX);
    request->unanswered = count;
    if (count == 0) {
        answer_round(request);
        return;
    }
    while (request->state == TENON_REQUEST_OPEN && (key = yyjson_obj_iter_next(&each)))
        open_question(request, key, yyjson_obj_iter_get_val(key));
    if (request->state == TENON_REQUEST_OPEN)
        ask_all(client, request);
}

/* ---- The program's side ------------------------------------------------------------------------------------- */

const char *tenon_question_method(const tenon_question *question)
{
    return question ? question->method : "";
}

const tenon_json *tenon_question_params(const tenon_question *question)
{
    return question ? (const tenon_json *)question->params : NULL;
}

tenon_request *tenon_question_request(const tenon_question *question)
{
    return question ? question->request : NULL;
}

bool tenon_question_is_open(const tenon_question *question)
{
    return question && !question->withdrawn;
}

tenon_status tenon_question_answer(tenon_question *question, const char *result)
{
    tenon_request *request;
    tenon_status   status;

    if (!question)
        return TENON_E_NOMEM;
    status = tn_client_check_object(question->client, result, REPLY_MAX);
    if (status != TENON_OK)
        return status;
    request = question->request;
    if (question->withdrawn || !request) {
        if (!question->withdrawn)
            post_reply(question->client, question->id, result, NULL, 0, NULL);
        tn_question_free(question);
        return TENON_OK;
    }
    if (request->answers.len > 0)
        tn_buf_char(&request->answers, ',');
    tn_json_string(&request->answers, question->key, question->key_len);
    tn_buf_char(&request->answers, ':');
    tn_json_line(&request->answers, result, strlen(result));
    tn_question_free(question);
    if (--request->unanswered == 0)
        answer_round(request);
    return TENON_OK;
}

/* Ends it without an answer. */
static void question_end(tenon_question *question, const char *error, const char *why)
{
    tenon_request *request = question->request;

    if (!question->withdrawn && !request)
        post_reply(question->client, question->id, NULL, error, RPC_NO_METHOD, why);
    tn_question_free(question);
    if (request)
        tn_request_end(request, TENON_REQUEST_LOST, "%s", why);
}

void tn_question_fail(tenon_question *question, const char *error, struct tn_slice why)
{
    char text[CLIENT_WHY_MAX];

    snprintf(text, sizeof text, "%.*s", (int)(why.len < sizeof text ? why.len : sizeof text - 1),
             why.at ? why.at : "");
    question_end(question, error, text);
}

void tenon_question_refuse(tenon_question *question, const char *why)
{
    if (question)
        question_end(question, NULL, why ? why : "This client cannot be asked that.");
}
