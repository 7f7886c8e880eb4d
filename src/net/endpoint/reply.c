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

bool tn_reply_begin_stream(struct tn_endpoint_request *request)
{
    const char *headers = tn_endpoint_with_cors(request, stream_headers);

    if (request->state != REQUEST_WAITS ||
        !tn_http_stream_begin(request->conn, headers ? headers : stream_headers)) {
        request->takes_stream = false;
        return false;
    }
    request->state      = REQUEST_STREAMS;
    request->written_ms = (int64_t)uv_now(&request->endpoint->loop->uv);
    return true;
}

/* A client that is gone or too slow is noticed when its connection is closed. */
void tn_reply_send(struct tn_endpoint_request *request, struct tn_slice bytes)
{
    if (!request->conn || request->state != REQUEST_STREAMS || bytes.len == 0)
        return;
    tn_http_stream_send(request->conn, bytes);
    request->written_ms = (int64_t)uv_now(&request->endpoint->loop->uv);
}

void tn_reply_leave_source(struct tn_endpoint_request *request)
{
    if (!request->source)
        return;
    tn_replay_leave(request->source, &request->reader);
    tn_replay_release(request->source);
    request->source = NULL;
}

void tn_reply_end_stream(struct tn_endpoint_request *request)
{
    if (!request->conn || request->state != REQUEST_STREAMS)
        return;
    tn_reply_leave_source(request);
    request->state = REQUEST_ANSWERED;
    tn_http_stream_end(request->conn);
}

static void send_event(struct tn_endpoint_request *request, struct tn_slice json)
{
    struct tn_arena *scratch = &request->endpoint->scratch;
    struct tn_slice  no_id   = { "", 0 };
    struct tn_buf    event;

    tn_buf_init(&event, scratch, tn_sse_event_len(no_id, json), EVENTS_LEN_MAX);
    tn_sse_event(&event, no_id, json);
    if (event.failed)
        tn_reply_end_stream(request);
    else
        tn_reply_send(request, tn_buf_slice(&event));
    tn_arena_rest(scratch, SCRATCH_KEEP);
}

static void send_retry(struct tn_endpoint_request *request, struct tn_slice id, int retry_ms)
{
    struct tn_arena *scratch = &request->endpoint->scratch;
    struct tn_buf    event;

    tn_buf_init(&event, scratch, 0, EVENTS_LEN_MAX);
    tn_sse_retry(&event, id, retry_ms);
    tn_reply_send(request, tn_buf_slice(&event));
    tn_arena_rest(scratch, SCRATCH_KEEP);
}

/* ---- Streams that are kept ------------------------------------------------------------------------------------- */

void tn_reply_pump(struct tn_endpoint_request *request)
{
    struct tn_arena    *scratch = &request->endpoint->scratch;
    enum tn_replay_next next;
    struct tn_buf       events;

    if (!request->conn || !request->source || request->state != REQUEST_STREAMS)
        return;
    tn_buf_init(&events, scratch, 0, EVENTS_LEN_MAX);
    next = tn_replay_read(request->source, &request->reader, &events);
    tn_reply_send(request, tn_buf_slice(&events));
    if (events.failed || next != REPLAY_WAIT) /* without memory: the client may come back for it */
        tn_reply_end_stream(request);
    tn_arena_rest(scratch, SCRATCH_KEEP);
}

static bool knows_priming(struct tn_endpoint_request *request)
{
    const struct tn_serving *serving = request->endpoint->serving;

    return tn_mcp_session_primes(serving->server, request->session,
                                 tn_auth_is_on(serving->auth) ? &request->caller : NULL);
}

bool tn_reply_keep(struct tn_endpoint_request *request)
{
    struct replays *replays = request->endpoint->serving->replays;
    char            id[REPLAY_ID_MAX + 1];

    if (request->kept)
        return true;
    if (!replays || !request->conn || request->state != REQUEST_WAITS || request->modern ||
        request->session.len == 0 || !request->takes_stream)
        return false;
    request->kept = tn_replay_open(replays, request->session, request->caller.name,
                                   tn_http_payer(request->conn), &request->reader);
    if (!request->kept)
        return false;
    if (!tn_reply_begin_stream(request)) {
        tn_replay_leave(request->kept, &request->reader);
        tn_replay_end(request->kept);
        tn_replay_release(request->kept);
        request->kept = NULL;
        return false;
    }
    tn_replay_hold(request->kept);
    request->source = request->kept;
    tn_endpoint_request_enlist(request);
    if (knows_priming(request))
        send_retry(request, tn_replay_first_id(request->kept, id), PRIMING_RETRY_MS);
    return true;
}

/* Nothing more comes for it; who reads it, wherever that is, reads to its end. */
static void end_kept(struct tn_endpoint_request *request)
{
    if (!request->kept)
        return;
    tn_replay_end(request->kept);
    tn_replay_release(request->kept);
    request->kept = NULL;
    tn_endpoint_request_leave(request);
}

static void take_kept(struct tn_endpoint_request *request, const struct tn_out *out)
{
    if (out->json.len > 0)
        tn_replay_keep(request->kept, out->json, out->kind == OUT_NOTE);
    if (out->kind == OUT_FINAL)
        end_kept(request);
}

void tn_reply_detach(struct tn_endpoint_request *request, int retry_ms)
{
    if (!request->conn || request->modern || request->session.len == 0 || !knows_priming(request) ||
        !tn_reply_keep(request))
        return;
    tn_reply_pump(request);
    send_retry(request, (struct tn_slice){ "", 0 }, retry_ms);
    tn_reply_end_stream(request);
}

/* ---- Messages -------------------------------------------------------------------------------------------------- */

/* Header lines that only some answers have; NULL for most. */
static const char *answer_headers(struct tn_endpoint_request *request, const struct tn_out *out)
{
    struct tn_auth_refusal refusal = { .challenge = NULL };
    struct tn_buf          lines;

    if (out->status == 403 && out->scopes)
        tn_auth_needs_scopes(request->endpoint->serving->auth, &request->arena, out->scopes, &refusal);
    if (out->session.len == 0 && !refusal.challenge)
        return request->cors;
    tn_buf_init(&lines, &request->arena, 0, 16384);
    if (out->session.len > 0) {
        tn_buf_lit(&lines, "Mcp-Session-Id: ");
        tn_buf_add(&lines, out->session.at, out->session.len);
        tn_buf_lit(&lines, "\r\n");
    }
    tn_buf_text(&lines, refusal.challenge ? refusal.challenge : "");
    tn_buf_text(&lines, request->cors ? request->cors : "");
    return tn_buf_end(&lines);
}

static void reply_answer(struct tn_endpoint_request *request, const struct tn_out *out)
{
    const char *headers = answer_headers(request, out);

    request->state = REQUEST_ANSWERED;
    if (out->json.len == 0) /* cancelled: nobody waits for a response */
        tn_http_answer(request->conn, 202, headers, NULL, (struct tn_slice){ "", 0 });
    else
        tn_http_answer(request->conn, out->status ? out->status : 200, headers, "application/json",
                       out->json);
}

static void take_final(struct tn_endpoint_request *request, const struct tn_out *out)
{
    if (request->state == REQUEST_WAITS && (request->takes_json || out->status >= 400 || out->json.len == 0 ||
                                            !request->takes_stream || !tn_reply_begin_stream(request))) {
        reply_answer(request, out);
        return;
    }
    if (out->json.len > 0)
        send_event(request, out->json);
    tn_reply_end_stream(request);
}

void tn_reply_take(struct tn_endpoint_request *request, const struct tn_out *out)
{
    if (out->kind != OUT_FINAL)
        tn_reply_keep(request);
    if (request->kept) {
        take_kept(request, out);
        return;
    }
    if (!request->conn || request->state == REQUEST_ANSWERED)
        return;
    if (out->kind == OUT_FINAL)
        take_final(request, out);
    else if (request->state == REQUEST_STREAMS || (request->takes_stream && tn_reply_begin_stream(request)))
        send_event(request, out->json);
}

void tn_reply_fail(struct tn_endpoint_request *request)
{
    end_kept(request);
    if (request->conn && request->state == REQUEST_WAITS)
        tn_endpoint_refuse(request, 500, NULL, "The server is out of memory.");
    else
        tn_reply_end_stream(request);
}
