/* guard_upstream_fuzz.c - what a server behind the guard may send: lines that answer, ask, note and break the guard's
 * conversation with it, while requests are made, cancelled and made again.
 *
 * Each line of the input is a message of the server. A line that begins with "!" is something that the guard does: a call, a list,
 * a call that is cancelled at once, a call that is made of what was read before. Short conversations are had again with every
 * allocation refused in turn. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "json/read.h"
#include "net/client/client.h"
#include "support/fault.h"

#define CALLS_MAX    ((size_t)64)
#define BYTES_MAX    ((size_t)1 << 16)
#define REFUSED_SIZE ((size_t)2048) /* of inputs that are tried with every allocation refused in turn, ... */
#define REFUSED_MAX  ((size_t)200)  /* ... or so many */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A way to a server that hears nothing, and says what the input says. */
struct way {
    struct tn_transport base;
    const uint8_t      *at, *end;
};

struct state {
    tenon_client *client;
    size_t        open, answered;
};

static bool way_send(struct tn_transport *transport, const struct tn_parcel *parcel)
{
    (void)transport;
    if (memchr(parcel->json.at, '\n', parcel->json.len))
        abort(); /* a line is a message */
    return true;
}

static void way_step(struct tn_transport *transport, const struct tn_ready *ready, size_t count)
{
    struct way     *way = (struct way *)transport;
    const uint8_t  *end = memchr(way->at, '\n', (size_t)(way->end - way->at));
    struct tn_slice line;

    (void)ready, (void)count;
    if (way->at == way->end) {
        transport->sink.ended(transport->sink.user, 0, END_CLOSED, 0, "it ended");
        return;
    }
    end     = end ? end : way->end;
    line    = (struct tn_slice){ (const char *)way->at, (size_t)(end - way->at) };
    way->at = end < way->end ? end + 1 : end;
    transport->sink.message(transport->sink.user, 0, 0, line);
}

static void way_free(struct tn_transport *transport)
{
    (void)transport;
}

static void call_done(void *user, tenon_request *request)
{
    struct state *state = user;
    tenon_str     text  = tenon_request_text(request);

    if (tenon_request_result(request) && text.len == 0)
        abort(); /* a result has its bytes */
    state->answered++;
    state->open--;
    tenon_request_free(request);
}

static void ask_client(void *user, tenon_question *question)
{
    (void)user;
    if (tenon_question_answer(question, "{}") != TENON_OK)
        tenon_question_refuse(question, NULL);
}

static tenon_request *begin(struct state *state, char what)
{
    static const char            text[]  = "{\"name\":\"a\",\"arguments\":{},\"_meta\":{\"x\":1}}";
    const struct tn_request_read read    = { .params = { text, sizeof text - 1 }, .meta = 35 };
    const tenon_request_options  options = {
         .size = sizeof options, .done = call_done, .user = state, .timeout_ms = -1
    };
    tenon_request *request;

    if (state->open >= CALLS_MAX)
        return NULL;
    request = what == 'l' ? tenon_client_list(state->client, "tools", .done = call_done, .user = state)
              : what == 'r'
                  ? tn_request_new_read(state->client, "tools/call", &read, &options)
                  : tn_request_new(state->client, REQUEST_PLAIN, "tools/call", read.params, &options);
    if (request && what != 'l')
        tn_request_start(request);
    state->open += request != NULL;
    return request;
}

static void act(struct state *state, char what)
{
    tenon_request *request = begin(state, what);

    if (!request || what != 'c')
        return;
    state->open--;
    tenon_request_free(request);
}

/* One conversation, of which one allocation may be refused. */
static void converse(const uint8_t *data, size_t size, struct tn_fault *fault)
{
    tenon_allocator memory = tn_fault_allocator(fault);
    struct way      way    = { .base = { .send = way_send, .step = way_step, .free = way_free, .sole = 1 },
                               .at   = data,
                               .end  = data + size };
    struct state    state  = { 0 };
    const tenon_client_options options = { .size       = sizeof options,
                                           .revision   = "2025-11-25",
                                           .ask        = ask_client,
                                           .timeout_ms = -1,
                                           .max_bytes  = BYTES_MAX,
                                           .memory     = &memory };
    struct tn_transport_frame  frame;

    state.client = tn_client_new(&options);
    if (!state.client)
        return;
    tn_client_frame(state.client, &frame);
    state.client->halves = state.client->either = true;
    state.client                                = tn_client_attach(state.client, &way.base);
    act(&state, 'l');
    while (state.client->stage != STAGE_LOST) {
        if (way.at + 1 < way.end && *way.at == '!') {
            act(&state, (char)way.at[1]);
            way.at += 2;
        } else
            tenon_client_poll(state.client, 0);
    }
    tenon_client_poll(state.client, 0);
    if (state.open != 0)
        abort(); /* every call was answered once */
    tenon_client_free(state.client);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct tn_fault fault = { 0 };
    size_t          all;

    converse(data, size, &fault);
    all = size <= REFUSED_SIZE ? fault.requests : 0;
    for (size_t i = 0; i <= all && i < REFUSED_MAX; i++) {
        if (fault.blocks != 0)
            abort(); /* nothing is left */
        fault = (struct tn_fault){ .refuse_at = i + 1 };
        converse(data, size, &fault);
    }
    return 0;
}
