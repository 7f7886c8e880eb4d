/* protocol_run.c - messages that break the protocol, one after the other, and calls that are cancelled as they begin. */
#include <stdio.h>

#include "contract/fuzz/protocol.h"
#include "contract/fuzz/report.h"
#include "contract/phrases.h"
#include "json/write.h"
#include "mcp/era.h"

#define MESSAGE_MAX ((size_t)1 << 20)
#define META_MODERN \
    "{\"" META_VERSION "\":\"" MODERN_VERSION "\",\"" META_CAPABILITIES "\":{},\"" META_PREFIX \
    "clientInfo\":{\"name\":\"tenon\",\"version\":\"1\"}}"

static void report(struct tn_fuzz *fuzz, const char *what, enum tn_fuzz_verdict verdict,
                   struct tn_slice message, const char *why)
{
    struct tn_buf line;

    tn_score_add(&fuzz->protocol, verdict);
    if (verdict == FUZZ_FINE)
        return;
    tn_buf_init(&line, &fuzz->arena, 256, FINDINGS_TEXT_MAX);
    tn_repeat_send(&line, &fuzz->repeat, message);
    tn_fuzz_found(fuzz, &(struct tn_found){ .tool    = FUZZ_SERVER,
                                            .verdict = verdict,
                                            .what    = what,
                                            .where   = tn_slice_of(what), /* each is a finding of its own */
                                            .why     = tn_slice_of(why),
                                            .repeat  = tn_buf_slice(&line),
                                            .again   = true });
}

enum tn_wire_end tn_fuzz_send(struct tn_fuzz *fuzz, struct tn_slice message, const char *id,
                              struct tn_arena *arena)
{
    struct tn_session *session = &fuzz->session;
    struct tn_wire     wire;
    enum tn_wire_end   end;

    tenon_request_free(session->request);
    session->request = NULL;
    tn_wire_init(&wire, session->client, arena);
    wire.step = session->server->step;
    wire.user = session->server->user;
    fuzz->calls++;
    end = tn_wire_send(&wire, message, id, session->timeout_ms);
    if (end == WIRE_LOST)
        tn_session_is_over(session); /* for its reason */
    if (end == WIRE_STUCK)
        tn_session_stop(session);
    return end;
}

/* What HTTP answers need not be a message. */
static bool is_bad(const struct tn_fuzz *fuzz, enum tn_wire_end end, const char *id)
{
    bool http = fuzz->session.client && fuzz->session.client->transport->is_http;

    return end == WIRE_LOST || end == WIRE_STUCK || (end == WIRE_UNANSWERED && id && !http);
}

/* A message is held against a server when it does twice what it must not. */
static void try_message(struct tn_fuzz *fuzz, const char *what, struct tn_slice message, const char *id,
                        struct tn_arena *arena)
{
    enum tn_wire_end end = WIRE_ANSWERED;

    for (int i = 0; i < 2; i++) {
        if (!tn_session_ready(&fuzz->session)) {
            fuzz->stopped = true;
            snprintf(fuzz->why, sizeof fuzz->why, "%s", fuzz->session.why);
            return;
        }
        end = tn_fuzz_send(fuzz, message, id, arena);
        if (!is_bad(fuzz, end, id)) {
            report(fuzz, what, FUZZ_FINE, message, "");
            return;
        }
        if (end == WIRE_UNANSWERED)
            break;
    }
    report(fuzz, what, end == WIRE_LOST ? FUZZ_CRASH : FUZZ_HANG, message,
           end == WIRE_LOST         ? fuzz->session.why
           : end == WIRE_UNANSWERED ? SAY_FUZZ_UNANSWERED
                                    : SAY_FUZZ_STUCK);
}

/* A call, and the next moment its end: whichever comes first, the server goes on. */
static void try_race(struct tn_fuzz *fuzz, const struct tn_fuzz_tool *tool, struct tn_arena *arena)
{
    struct tn_plan         plan;
    struct tn_buf          out;
    const struct tn_called called = { tool->name, (const tenon_json *)tool->definition, { NULL, 0 } };

    if (!tn_session_ready(&fuzz->session) || fuzz->session.client->transport->is_http)
        return;
    tn_plan_open(&plan, &fuzz->arena.memory, tool->input, fuzz->options.seed);
    if (plan.state == PLAN_READY) {
        struct tn_called full = called;

        full.arguments = plan.good.plain;
        tn_buf_init(&out, arena, 512, MESSAGE_MAX);
        tn_session_message(&fuzz->session, &full, "\"race\"", &out);
        tn_buf_lit(&out, "\n{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":"
                         "{\"requestId\":\"race\",\"reason\":\"test\"}}");
        if (!out.failed)
            try_message(fuzz, "a call that is cancelled as it begins", tn_buf_slice(&out), NULL, arena);
    }
    tn_plan_close(&plan);
}

void tn_fuzz_protocol(struct tn_fuzz *fuzz, int64_t until_ms)
{
    struct tn_arena arena;
    const char     *meta;

    tn_arena_init(&arena, &fuzz->arena.memory, 0);
    for (const struct tn_protocol_fault *fault = tn_protocol_faults;
         fault->what && tn_fuzz_goes_on(fuzz, until_ms) && tn_session_ready(&fuzz->session); fault++) {
        struct tn_buf out;

        tn_arena_reset(&arena);
        meta = tn_client_is_modern(fuzz->session.client) ? META_MODERN : "{}";
        tn_buf_init(&out, &arena, 512, MESSAGE_MAX);
        tn_protocol_write(&out, fault, tn_wire_probe_method(fuzz->session.client), meta);
        if (!out.failed)
            try_message(fuzz, fault->what, tn_buf_slice(&out), fault->id, &arena);
    }
    for (size_t i = 0; i < fuzz->tool_count && i < 3 && tn_fuzz_goes_on(fuzz, until_ms); i++)
        try_race(fuzz, &fuzz->tools[i], &arena);
    tn_arena_free(&arena);
}
