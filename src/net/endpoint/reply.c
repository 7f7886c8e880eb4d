/* reply.c - messages to answers and streams.
 *
 * A response that comes first is the answer, as JSON. Whatever comes before it makes the answer a stream of events. On a
 * legacy session the events of a stream are kept, with ids, and the connection reads them from there: it may be lost, and
 * another come back for the rest.
 */
#define _GNU_SOURCE
#include "net/endpoint/request.h"
#include "net/http/sse.h"

#define EVENTS_LEN_MAX ((size_t)256 << 20) /* written at once; each message has a bound of its own */
#define SCRATCH_KEEP   ((size_t)64 << 10)  /* of a loop's memory for events */

static const char stream_headers[] = "X-Accel-Buffering: no\r\n";

/* ---- Streams --------------------------------------------------------------------------------------------------- */

bool tn_reply_begin_stream(struct tn_endpoint_request *visit)
{
    const char *headers = tn_endpoint_with_cors(visit, stream_headers);

    if (visit->state != VISIT_WAITS ||
        !tn_http_stream_begin(visit->conn, headers ? headers : stream_headers)) {
        visit->takes_stream = false;
        return false;
    }
    visit->state    = VISIT_STREAMS;
    visit->spoke_ms = (int64_t)uv_now(&visit->endpoint->loop->uv);
    return true;
}

/* A client that is gone or too slow is noticed when its connection is closed. */
void tn_reply_send(struct tn_endpoint_request *visit, struct tn_slice bytes)
{
    if (!visit->conn || visit->state != VISIT_STREAMS || bytes.len == 0)
        return;
    tn_http_stream_send(visit->conn, bytes);
    visit->spoke_ms = (int64_t)uv_now(&visit->endpoint->loop->uv);
}

void tn_reply_leave_source(struct tn_endpoint_request *visit)
{
    if (!visit->source)
        return;
    tn_replay_leave(visit->source, &visit->reader);
    tn_replay_release(visit->source);
    visit->source = NULL;
}

void tn_reply_end_stream(struct tn_endpoint_request *visit)
{
    if (!visit->conn || visit->state != VISIT_STREAMS)
        return;
    tn_reply_leave_source(visit);
    visit->state = VISIT_ANSWERED;
    tn_http_stream_end(visit->conn);
}

static void send_event(struct tn_endpoint_request *visit, struct tn_slice json)
{
    struct tn_arena *scratch = &visit->endpoint->scratch;
    struct tn_slice  no_id   = { "", 0 };
    struct tn_buf    event;

    tn_buf_init(&event, scratch, tn_sse_event_len(no_id, json), EVENTS_LEN_MAX);
    tn_sse_event(&event, no_id, json);
    if (event.failed)
        tn_reply_end_stream(visit);
    else
        tn_reply_send(visit, tn_buf_slice(&event));
    tn_arena_rest(scratch, SCRATCH_KEEP);
}

static void send_retry(struct tn_endpoint_request *visit, struct tn_slice id, int retry_ms)
{
    struct tn_arena *scratch = &visit->endpoint->scratch;
    struct tn_buf    event;

    tn_buf_init(&event, scratch, 0, EVENTS_LEN_MAX);
    tn_sse_retry(&event, id, retry_ms);
    tn_reply_send(visit, tn_buf_slice(&event));
    tn_arena_rest(scratch, SCRATCH_KEEP);
}

/* ---- Streams that are kept ------------------------------------------------------------------------------------- */

void tn_reply_pump(struct tn_endpoint_request *visit)
{
    struct tn_arena    *scratch = &visit->endpoint->scratch;
    enum tn_replay_next next;
    struct tn_buf       events;

    if (!visit->conn || !visit->source || visit->state != VISIT_STREAMS)
        return;
    tn_buf_init(&events, scratch, 0, EVENTS_LEN_MAX);
    next = tn_replay_read(visit->source, &visit->reader, &events);
    tn_reply_send(visit, tn_buf_slice(&events));
    if (events.failed || next != REPLAY_WAIT) /* without memory: the client may come back for it */
        tn_reply_end_stream(visit);
    tn_arena_rest(scratch, SCRATCH_KEEP);
}

static bool knows_priming(struct tn_endpoint_request *visit)
{
    const struct tn_serving *serving = visit->endpoint->serving;

    return tn_mcp_session_primes(serving->server, visit->session,
                                 tn_auth_is_on(serving->auth) ? &visit->caller : NULL);
}

bool tn_reply_keep(struct tn_endpoint_request *visit)
{
    struct replays *replays = visit->endpoint->serving->replays;
    char            id[REPLAY_ID_MAX + 1];

    if (visit->kept)
        return true;
    if (!replays || !visit->conn || visit->state != VISIT_WAITS || visit->modern || visit->session.len == 0 ||
        !visit->takes_stream)
        return false;
    visit->kept = tn_replay_open(replays, visit->session, visit->caller.name, tn_http_payer(visit->conn),
                                 &visit->reader);
    if (!visit->kept)
        return false;
    if (!tn_reply_begin_stream(visit)) {
        tn_replay_leave(visit->kept, &visit->reader);
        tn_replay_end(visit->kept);
        tn_replay_release(visit->kept);
        visit->kept = NULL;
        return false;
    }
    tn_replay_hold(visit->kept);
    visit->source = visit->kept;
    tn_endpoint_request_enlist(visit);
    if (knows_priming(visit))
        send_retry(visit, tn_replay_first_id(visit->kept, id), PRIMING_RETRY_MS);
    return true;
}

/* Nothing more comes for it; who reads it, wherever that is, reads to its end. */
static void end_kept(struct tn_endpoint_request *visit)
{
    if (!visit->kept)
        return;
    tn_replay_end(visit->kept);
    tn_replay_release(visit->kept);
    visit->kept = NULL;
    tn_endpoint_request_leave(visit);
}

static void take_kept(struct tn_endpoint_request *visit, const struct tn_out *out)
{
    if (out->json.len > 0)
        tn_replay_keep(visit->kept, out->json, out->kind == OUT_NOTE);
    if (out->kind == OUT_FINAL)
        end_kept(visit);
}

void tn_reply_detach(struct tn_endpoint_request *visit, int retry_ms)
{
    if (!visit->conn || visit->modern || visit->session.len == 0 || !knows_priming(visit) ||
        !tn_reply_keep(visit))
        return;
    tn_reply_pump(visit);
    send_retry(visit, (struct tn_slice){ "", 0 }, retry_ms);
    tn_reply_end_stream(visit);
}

/* ---- Messages -------------------------------------------------------------------------------------------------- */

/* Header lines that only some answers have; NULL for most. */
static const char *answer_headers(struct tn_endpoint_request *visit, const struct tn_out *out)
{
    struct tn_auth_refusal refusal = { .challenge = NULL };
    struct tn_buf          lines;

    if (out->status == 403 && out->scopes)
        tn_auth_needs_scopes(visit->endpoint->serving->auth, &visit->arena, out->scopes, &refusal);
    if (out->session.len == 0 && !refusal.challenge)
        return visit->cors;
    tn_buf_init(&lines, &visit->arena, 0, 16384);
    if (out->session.len > 0) {
        tn_buf_lit(&lines, "Mcp-Session-Id: ");
        tn_buf_add(&lines, out->session.at, out->session.len);
        tn_buf_lit(&lines, "\r\n");
    }
    tn_buf_text(&lines, refusal.challenge ? refusal.challenge : "");
    tn_buf_text(&lines, visit->cors ? visit->cors : "");
    return tn_buf_end(&lines);
}

static void reply_answer(struct tn_endpoint_request *visit, const struct tn_out *out)
{
    const char *headers = answer_headers(visit, out);

    visit->state = VISIT_ANSWERED;
    if (out->json.len == 0) /* cancelled: nobody waits for a response */
        tn_http_answer(visit->conn, 202, headers, NULL, (struct tn_slice){ "", 0 });
    else
        tn_http_answer(visit->conn, out->status ? out->status : 200, headers, "application/json", out->json);
}

static void take_final(struct tn_endpoint_request *visit, const struct tn_out *out)
{
    if (visit->state == VISIT_WAITS && (visit->takes_json || out->status >= 400 || out->json.len == 0 ||
                                        !visit->takes_stream || !tn_reply_begin_stream(visit))) {
        reply_answer(visit, out);
        return;
    }
    if (out->json.len > 0)
        send_event(visit, out->json);
    tn_reply_end_stream(visit);
}

void tn_reply_take(struct tn_endpoint_request *visit, const struct tn_out *out)
{
    if (out->kind != OUT_FINAL)
        tn_reply_keep(visit);
    if (visit->kept) {
        take_kept(visit, out);
        return;
    }
    if (!visit->conn || visit->state == VISIT_ANSWERED)
        return;
    if (out->kind == OUT_FINAL)
        take_final(visit, out);
    else if (visit->state == VISIT_STREAMS || (visit->takes_stream && tn_reply_begin_stream(visit)))
        send_event(visit, out->json);
}

void tn_reply_fail(struct tn_endpoint_request *visit)
{
    end_kept(visit);
    if (visit->conn && visit->state == VISIT_WAITS)
        tn_endpoint_refuse(visit, 500, NULL, "The server is out of memory.");
    else
        tn_reply_end_stream(visit);
}
