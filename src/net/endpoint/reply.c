/* reply.c - messages to answers and streams.
 *
 * A response that comes first is the answer, as JSON. Whatever comes before it makes the answer a stream of events. On a
 * legacy session the events of a stream are kept, with ids, and the connection reads them from there: it may be lost, and
 * another come back for the rest.
 */
#define _GNU_SOURCE
#include "net/endpoint/visit.h"
#include "net/http/sse.h"

#define EVENTS_LEN_MAX ((size_t)256 << 20) /* written at once; each message has a bound of its own */
#define SCRATCH_KEEP   ((size_t)64 << 10)  /* of a loop's memory for events */

static const char stream_headers[] = "X-Accel-Buffering: no\r\n";

/* ---- Streams --------------------------------------------------------------------------------------------------- */

bool reply_begin_stream(struct visit *visit)
{
    const char *headers = with_cors(visit, stream_headers);

    if (visit->state != VISIT_WAITS || !http_stream_begin(visit->conn, headers ? headers : stream_headers)) {
        visit->takes_stream = false;
        return false;
    }
    visit->state    = VISIT_STREAMS;
    visit->spoke_ms = (int64_t)uv_now(&visit->endpoint->loop->uv);
    return true;
}

/* A client that is gone or too slow is noticed when its connection is closed. */
void reply_send(struct visit *visit, struct slice bytes)
{
    if (!visit->conn || visit->state != VISIT_STREAMS || bytes.len == 0)
        return;
    http_stream_send(visit->conn, bytes);
    visit->spoke_ms = (int64_t)uv_now(&visit->endpoint->loop->uv);
}

void reply_leave_source(struct visit *visit)
{
    if (!visit->source)
        return;
    replay_leave(visit->source, &visit->reader);
    replay_release(visit->source);
    visit->source = NULL;
}

void reply_end_stream(struct visit *visit)
{
    if (!visit->conn || visit->state != VISIT_STREAMS)
        return;
    reply_leave_source(visit);
    visit->state = VISIT_ANSWERED;
    http_stream_end(visit->conn);
}

static void send_event(struct visit *visit, struct slice json)
{
    struct arena *scratch = &visit->endpoint->scratch;
    struct slice  no_id   = { "", 0 };
    struct buf    event;

    buf_init(&event, scratch, sse_event_len(no_id, json), EVENTS_LEN_MAX);
    sse_event(&event, no_id, json);
    if (event.failed)
        reply_end_stream(visit);
    else
        reply_send(visit, buf_slice(&event));
    arena_rest(scratch, SCRATCH_KEEP);
}

static void send_retry(struct visit *visit, struct slice id, int retry_ms)
{
    struct arena *scratch = &visit->endpoint->scratch;
    struct buf    event;

    buf_init(&event, scratch, 0, EVENTS_LEN_MAX);
    sse_retry(&event, id, retry_ms);
    reply_send(visit, buf_slice(&event));
    arena_rest(scratch, SCRATCH_KEEP);
}

/* ---- Streams that are kept ------------------------------------------------------------------------------------- */

void reply_pump(struct visit *visit)
{
    struct arena    *scratch = &visit->endpoint->scratch;
    enum replay_next next;
    struct buf       events;

    if (!visit->conn || !visit->source || visit->state != VISIT_STREAMS)
        return;
    buf_init(&events, scratch, 0, EVENTS_LEN_MAX);
    next = replay_read(visit->source, &visit->reader, &events);
    reply_send(visit, buf_slice(&events));
    if (events.failed || next != REPLAY_WAIT) /* without memory: the client may come back for it */
        reply_end_stream(visit);
    arena_rest(scratch, SCRATCH_KEEP);
}

static bool knows_priming(struct visit *visit)
{
    const struct serving *serving = visit->endpoint->serving;

    return mcp_session_primes(serving->server, visit->session,
                              auth_is_on(serving->auth) ? &visit->caller : NULL);
}

bool reply_keep(struct visit *visit)
{
    struct replays *replays = visit->endpoint->serving->replays;
    char            id[REPLAY_ID_MAX + 1];

    if (visit->kept)
        return true;
    if (!replays || !visit->conn || visit->state != VISIT_WAITS || visit->modern || visit->session.len == 0 ||
        !visit->takes_stream)
        return false;
    visit->kept = replay_open(replays, visit->session, visit->caller.name, http_payer(visit->conn),
                              &visit->reader);
    if (!visit->kept)
        return false;
    if (!reply_begin_stream(visit)) {
        replay_leave(visit->kept, &visit->reader);
        replay_end(visit->kept);
        replay_release(visit->kept);
        visit->kept = NULL;
        return false;
    }
    replay_hold(visit->kept);
    visit->source = visit->kept;
    visit_enlist(visit);
    if (knows_priming(visit))
        send_retry(visit, replay_first_id(visit->kept, id), PRIMING_RETRY_MS);
    return true;
}

/* Nothing more comes for it; who reads it, wherever that is, reads to its end. */
static void end_kept(struct visit *visit)
{
    if (!visit->kept)
        return;
    replay_end(visit->kept);
    replay_release(visit->kept);
    visit->kept = NULL;
    visit_leave(visit);
}

static void take_kept(struct visit *visit, const struct out *out)
{
    if (out->json.len > 0)
        replay_keep(visit->kept, out->json, out->kind == OUT_NOTE);
    if (out->kind == OUT_FINAL)
        end_kept(visit);
}

void reply_detach(struct visit *visit, int retry_ms)
{
    if (!visit->conn || visit->modern || visit->session.len == 0 || !knows_priming(visit) ||
        !reply_keep(visit))
        return;
    reply_pump(visit);
    send_retry(visit, (struct slice){ "", 0 }, retry_ms);
    reply_end_stream(visit);
}

/* ---- Messages -------------------------------------------------------------------------------------------------- */

/* Header lines that only some answers have; NULL for most. */
static const char *answer_headers(struct visit *visit, const struct out *out)
{
    struct auth_refusal refusal = { .challenge = NULL };
    struct buf          lines;

    if (out->status == 403 && out->scopes)
        auth_needs_scopes(visit->endpoint->serving->auth, &visit->arena, out->scopes, &refusal);
    if (out->session.len == 0 && !refusal.challenge)
        return visit->cors;
    buf_init(&lines, &visit->arena, 0, 16384);
    if (out->session.len > 0) {
        buf_lit(&lines, "Mcp-Session-Id: ");
        buf_add(&lines, out->session.at, out->session.len);
        buf_lit(&lines, "\r\n");
    }
    buf_text(&lines, refusal.challenge ? refusal.challenge : "");
    buf_text(&lines, visit->cors ? visit->cors : "");
    return buf_end(&lines);
}

static void answer(struct visit *visit, const struct out *out)
{
    const char *headers = answer_headers(visit, out);

    visit->state = VISIT_ANSWERED;
    if (out->json.len == 0) /* cancelled: nobody waits for a response */
        http_answer(visit->conn, 202, headers, NULL, (struct slice){ "", 0 });
    else
        http_answer(visit->conn, out->status ? out->status : 200, headers, "application/json", out->json);
}

static void take_final(struct visit *visit, const struct out *out)
{
    if (visit->state == VISIT_WAITS && (visit->takes_json || out->status >= 400 || out->json.len == 0 ||
                                        !visit->takes_stream || !reply_begin_stream(visit))) {
        answer(visit, out);
        return;
    }
    if (out->json.len > 0)
        send_event(visit, out->json);
    reply_end_stream(visit);
}

void reply_take(struct visit *visit, const struct out *out)
{
    if (out->kind != OUT_FINAL)
        reply_keep(visit);
    if (visit->kept) {
        take_kept(visit, out);
        return;
    }
    if (!visit->conn || visit->state == VISIT_ANSWERED)
        return;
    if (out->kind == OUT_FINAL)
        take_final(visit, out);
    else if (visit->state == VISIT_STREAMS || (visit->takes_stream && reply_begin_stream(visit)))
        send_event(visit, out->json);
}

void reply_fail(struct visit *visit)
{
    end_kept(visit);
    if (visit->conn && visit->state == VISIT_WAITS)
        refuse(visit, 500, NULL, "The server is out of memory.");
    else
        reply_end_stream(visit);
}
