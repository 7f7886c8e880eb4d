/* conversation_fuzz.c - what a hostile server may send to a client: each line of the input is a message, in both eras,
 * while requests, a list, a subscription and questions are open.
 *
 * The first byte says which revision is spoken, whether questions are answered, and whether messages have keys as in HTTP:
 * then the first byte of a line is its key. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "net/client/client.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct script {
    struct tn_transport base;
    const char         *at;
    size_t              len;
};

static bool script_send(struct tn_transport *transport, const struct tn_parcel *parcel)
{
    (void)transport;
    if (memchr(parcel->json.at, '\n', parcel->json.len) || memchr(parcel->json.at, '\0', parcel->json.len))
        abort();
    return true;
}

static void script_forget(struct tn_transport *transport, int64_t key)
{
    (void)transport, (void)key;
}

static int64_t script_due(const struct tn_transport *transport)
{
    (void)transport;
    return 0;
}

/* One line a step; then the end. */
static void script_step(struct tn_transport *transport, const struct tn_ready *ready, size_t count)
{
    struct script *script = (struct script *)transport;
    const char    *end    = script->len > 0 ? memchr(script->at, '\n', script->len) : NULL;
    size_t         len    = end ? (size_t)(end - script->at) : script->len;
    int64_t        key    = 0;

    (void)ready, (void)count;
    if (script->len == 0) {
        transport->sink.ended(transport->sink.user, 0, END_CLOSED, 0, "the end");
        return;
    }
    if (transport->is_http && len > 0)
        key = (unsigned char)script->at[0] % 16;
    transport->sink.message(transport->sink.user, key, transport->is_http ? 200 : 0,
                            (struct tn_slice){ script->at + (key != 0), len - (key != 0) });
    if (transport->is_http && key > 8)
        transport->sink.ended(transport->sink.user, key, key % 2 ? END_DONE : END_FAILED, 200, "that is all");
    script->at += len + (end != NULL);
    script->len -= len + (end != NULL);
}

static void script_free(struct tn_transport *transport)
{
    (void)transport;
}

struct program {
    unsigned        turn;
    tenon_question *kept;
};

/* Answers, refuses, keeps: in turn. */
static void take_question(void *user, tenon_question *question)
{
    struct program *program = user;

    if (strlen(tenon_question_method(question)) > (size_t)1 << 20)
        abort();
    switch (program->turn++ % 3) {
    case 0: tenon_question_answer(question, "{\"action\":\"decline\"}"); break;
    case 1: tenon_question_refuse(question, "no"); break;
    default: tenon_question_answer(program->kept, "{}"); program->kept = question;
    }
}

static void take_note(void *user, const char *method, const tenon_json *params)
{
    (void)user;
    if (strlen(method) == 0 && tenon_json_count(params) > 1000000)
        abort();
}

static void take_done(void *user, tenon_request *request)
{
    struct program     *program = user;
    tenon_request_state state   = tenon_request_state_of(request);

    if (state == TENON_REQUEST_OPEN ||
        (state == TENON_REQUEST_ANSWERED) != (tenon_request_result(request) != NULL) ||
        (state == TENON_REQUEST_ANSWERED) != (tenon_request_why(request)[0] == '\0'))
        abort();
    if (program->turn++ % 2 == 0)
        tenon_request_free(request);
}

static bool take_page(void *user, tenon_request *request)
{
    struct program *program = user;

    if (program->turn++ % 5 != 4)
        return true;
    tenon_request_free(request);
    return true;
}

static void take_progress(void *user, tenon_request *request, const tenon_json *params)
{
    struct program *program = user;

    (void)params;
    if (program->turn++ % 3 == 2)
        tenon_request_cancel(request);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const revisions[] = { NULL, "2026-07-28", "2025-11-25", "2026-07-28" };
    unsigned                 how         = size > 0 ? data[0] : 0;
    struct program           program     = { .turn = how >> 4 };
    struct script            script      = { .base = { .send    = script_send,
                                                       .forget  = how & 4 ? script_forget : NULL,
                                                       .step    = script_step,
                                                       .due     = script_due,
                                                       .free    = script_free,
                                                       .is_http = how & 4 },
                                             .at   = (const char *)data + (size > 0),
                                             .len  = size > 0 ? size - 1 : 0 };
    tenon_client            *client      = tn_client_new(
                        TENON_CLIENT_OPTIONS_(.revision = revisions[how & 3], .no_discover = (how & 3) == 3,
                                              .ask = how & 8 ? take_question : NULL, .note = take_note, .user = &program,
                                              .max_bytes = (size_t)1 << 20, .max_pages = 5, .max_questions = 4,
                                              .max_rounds = 3, .max_notes = 100, .timeout_ms = -1));
    struct tn_transport_frame frame;

    if (!client)
        abort();
    tn_client_frame(client, &frame);
    client = tn_client_attach(client, &script.base);
    tenon_client_call(client, "add", "{\"a\":1}", .done = take_done, .progress = take_progress,
                      .user = &program);
    tenon_client_list(client, "tools", .done = take_done, .user = &program);
    tenon_client_list(client, "prompts", .done = take_done, .page = take_page, .user = &program);
    tenon_client_listen(client, "a://b", .done = take_done, .user = &program);
    tenon_client_read(client, "a://b", .done = take_done, .user = &program);
    while (tenon_client_poll(client, 0) >= 0)
        continue;
    tenon_client_free(client);
    return 0;
}
