/* session.c - one call after the other, each with an end. */
#include "contract/fuzz/session.h"

#include <stdio.h>

#include "base/memory.h"
#include "contract/phrases.h"
#include "json/read.h"
#include "json/write.h"

#define PARAMS_MAX  ((size_t)8 << 20)
#define SLICE_MS    20
#define SCRATCH_MAX ((size_t)128 << 20)

void tn_session_init(struct tn_session *session, const struct tn_fuzz_server *server, int timeout_ms,
                     const tenon_allocator *memory)
{
    *session = (struct tn_session){ .server = server, .timeout_ms = timeout_ms };
    tn_arena_init(&session->scratch, memory, SCRATCH_MAX);
}

void tn_session_stop(struct tn_session *session)
{
    tenon_request_free(session->request);
    session->request = NULL;
    if (session->client)
        session->server->close(session->server->user, session->client);
    session->client = NULL;
}

void tn_session_free(struct tn_session *session)
{
    tn_session_stop(session);
    tn_arena_free(&session->scratch);
}

static void poll_once(struct tn_session *session)
{
    tenon_client_poll(session->client, SLICE_MS);
    session->server->step(session->server->user);
}

static void say_ended(struct tn_session *session)
{
    const char *how = session->server->ended(session->server->user);

    snprintf(session->why, sizeof session->why, "%s", how[0] ? how : tenon_client_error(session->client));
}

static bool start(struct tn_session *session)
{
    int64_t until_ms = tn_client_now_ms() + FUZZ_START_MS;

    if (session->starts++ == FUZZ_STARTS) {
        snprintf(session->why, sizeof session->why, SAY_FUZZ_STARTS, FUZZ_STARTS);
        return false;
    }
    session->client = session->server->open(session->server->user, session->why);
    if (!session->client)
        return false;
    session->client->halves = true; /* half a surrogate pair in an answer is not what is looked for */
    while (session->client->stage != STAGE_READY && session->client->stage != STAGE_LOST &&
           tn_client_now_ms() < until_ms)
        poll_once(session);
    if (session->client->stage == STAGE_READY)
        return true;
    if (session->client->stage == STAGE_LOST)
        say_ended(session);
    else
        snprintf(session->why, sizeof session->why, SAY_FUZZ_NOT_READY, FUZZ_START_MS / 1000);
    tn_session_stop(session);
    return false;
}

bool tn_session_is_over(struct tn_session *session)
{
    if (!session->client)
        return true;
    tenon_client_poll(session->client, 0);
    session->server->step(session->server->user);
    if (session->client->stage != STAGE_LOST)
        return false;
    say_ended(session);
    return true;
}

bool tn_session_ready(struct tn_session *session)
{
    if (session->client && !tn_session_is_over(session))
        return true;
    tn_session_stop(session);
    return start(session);
}

/* ---- A call -------------------------------------------------------------------------------------------------------- */

static void write_params(struct tn_buf *out, const struct tn_called *called)
{
    tn_buf_lit(out, "{\"name\":");
    tn_json_string(out, called->name.at, called->name.len);
    if (called->arguments.at) {
        tn_buf_lit(out, ",\"arguments\":");
        tn_buf_add(out, called->arguments.at, called->arguments.len);
    }
    tn_buf_char(out, '}');
}

/* What headers repeat of it: of params that are not JSON, the name alone. */
static yyjson_val *read_params(struct tn_session *session, const struct tn_called *called,
                               struct tn_slice params)
{
    static const struct tn_json_limits limits = { PARAMS_MAX, 200, 1000000 };
    struct tn_json_text                read = tn_json_read(&session->scratch, params.at, params.len, &limits);
    struct tn_called                   bare = { .name = called->name };
    struct tn_buf                      out;

    if (read.fault == JSON_FINE)
        return read.root;
    tn_buf_init(&out, &session->scratch, 64, PARAMS_MAX);
    write_params(&out, &bare);
    return tn_json_read(&session->scratch, out.at ? out.at : "", out.len, &limits).root;
}

static void take_progress(void *user, tenon_request *request, const tenon_json *params)
{
    (void)request, (void)params;
    ((struct tn_session *)user)->progress++;
}

static tenon_request *request_make(struct tn_session *session, const struct tn_called *called)
{
    const tenon_request_options options = { .size       = sizeof options,
                                            .progress   = take_progress,
                                            .user       = session,
                                            .timeout_ms = -1,
                                            .tool       = called->definition };
    struct tn_request_read      read    = { .meta = 0 };
    struct tn_buf               out;
    tenon_request              *request;

    tn_arena_reset(&session->scratch);
    tn_buf_init(&out, &session->scratch, called->arguments.len + 256, PARAMS_MAX);
    write_params(&out, called);
    if (out.failed)
        return NULL;
    read.params = tn_buf_slice(&out);
    read.given  = read_params(session, called, read.params);
    request     = tn_request_new_read(session->client, "tools/call", &read, &options);
    if (request)
        request->passes = true;
    return request;
}

/* What became of it. */
static void settle(struct tn_session *session, struct tn_answer *answer)
{
    tenon_request *request = session->request;

    answer->result = request->result;
    answer->error  = request->error;
    answer->why    = tenon_request_why(request);
    switch (request->state) {
    case TENON_REQUEST_ANSWERED: answer->state = ANSWER_RESULT; return;
    case TENON_REQUEST_REFUSED: answer->state = ANSWER_ERROR; return;
    case TENON_REQUEST_OPEN:
        answer->state = session->progress > 0 ? ANSWER_PENDING : ANSWER_LATE;
        answer->why   = "";
        return;
    default: break;
    }
    if (session->client->stage == STAGE_LOST) {
        say_ended(session);
        answer->state = ANSWER_GONE;
        answer->why   = session->why;
    } else if (request->status >= 400) /* HTTP says no without a message */
        answer->state = ANSWER_ERROR;
    else
        answer->state = request->broken || request->garbled || !request->closed ? ANSWER_BROKEN : ANSWER_GONE;
}

void tn_session_call(struct tn_session *session, const struct tn_called *called, struct tn_answer *answer)
{
    int64_t until_ms = tn_client_now_ms() + session->timeout_ms;

    *answer = (struct tn_answer){ .state = ANSWER_GONE, .why = session->why };
    tenon_request_free(session->request);
    session->progress = 0;
    session->request  = request_make(session, called);
    if (!session->request) {
        answer->state = ANSWER_PENDING; /* ours to say, not the server's: there was no memory */
        return;
    }
    tn_request_start(session->request);
    while (session->request->state == TENON_REQUEST_OPEN && tn_client_now_ms() < until_ms)
        poll_once(session);
    settle(session, answer);
}

bool tn_session_answers(struct tn_session *session)
{
    struct tn_wire wire;
    tenon_request *probe;
    int64_t        until_ms = tn_client_now_ms() + session->timeout_ms;
    bool           answered;

    tenon_request_free(session->request);
    session->request = NULL;
    if (tn_session_is_over(session))
        return false;
    tn_wire_init(&wire, session->client, &session->scratch);
    probe = tenon_client_request(session->client, tn_wire_probe_method(session->client), NULL,
                                 .timeout_ms = -1);
    while (probe && probe->state == TENON_REQUEST_OPEN && tn_client_now_ms() < until_ms)
        poll_once(session);
    answered = probe && (probe->state == TENON_REQUEST_ANSWERED || probe->state == TENON_REQUEST_REFUSED);
    tenon_request_free(probe);
    return answered;
}

void tn_session_message(struct tn_session *session, const struct tn_called *called, const char *id,
                        struct tn_buf *out)
{
    tenon_request *request = request_make(session, called);
    struct tn_buf  whole;
    const size_t   head = sizeof "{\"jsonrpc\":\"2.0\",\"id\":1" - 1;

    if (!request) {
        out->failed = true;
        return;
    }
    request->id = 1;
    tn_buf_init(&whole, &session->scratch, called->arguments.len + 512, PARAMS_MAX);
    request->options.progress = NULL;
    tn_request_write(request, &whole);
    tn_buf_addf(out, "{\"jsonrpc\":\"2.0\",\"id\":%s", id);
    if (!whole.failed && whole.len > head)
        tn_buf_add(out, whole.at + head, whole.len - head);
    out->failed |= whole.failed;
    tenon_request_free(request);
}
