/* legacy.c - GET and DELETE: streams of sessions, and coming back to them. */
#define _GNU_SOURCE
#include "net/endpoint/request.h"

static const struct tn_caller *caller_of(const struct tn_endpoint_request *visit)
{
    return tn_auth_is_on(visit->endpoint->serving->auth) ? &visit->caller : NULL;
}

static void open_wake(struct tn_loop_message *letter)
{
    struct tn_endpoint_request *visit =
        (struct tn_endpoint_request *)((char *)letter - offsetof(struct tn_endpoint_request, wake));

    atomic_store(&visit->woken, false); /* before it reads: what comes from now on wakes it again */
    if (visit->hub->loop)
        tn_reply_pump(visit);
    tn_endpoint_request_release(visit);
}

void tn_legacy_wake(struct tn_replay_reader *reader)
{
    struct tn_endpoint_request *visit =
        (struct tn_endpoint_request *)((char *)reader - offsetof(struct tn_endpoint_request, reader));

    if (atomic_exchange(&visit->woken, true))
        return;
    visit->wake.open = open_wake;
    tn_endpoint_request_hold(visit);
    if (!tn_endpoint_request_post(visit, &visit->wake))
        tn_endpoint_request_release(visit);
}

void tn_legacy_unlisten(struct tn_endpoint_request *visit)
{
    if (!visit->listens_to)
        return;
    tn_mcp_session_unlisten(visit->listens_to, &visit->port);
    visit->listens_to = NULL;
    if (visit->kept) {
        tn_replay_end(visit->kept);
        tn_replay_release(visit->kept);
        visit->kept = NULL;
    }
    tn_endpoint_request_leave(visit);
}

static void refuse_session(struct tn_endpoint_request *visit, int status)
{
    if (status == 503)
        tn_endpoint_refuse(visit, status, "Retry-After: 5\r\n",
                           "The server is out of memory. Try again later.");
    else
        tn_endpoint_refuse(
            visit, status, NULL,
            status == 404 ? "The session does not exist or has ended: initialize again."
                          : "Mcp-Session-Id or MCP-Protocol-Version is not one of a session of this server.");
}

/* What the session sends by itself. */
static void listen_to(struct tn_endpoint_request *visit)
{
    struct tn_serving *serving = visit->endpoint->serving;
    int status = tn_mcp_session_listen(serving->server, visit->session, visit->version, caller_of(visit),
                                       tn_http_payer(visit->conn), &visit->port, &visit->listens_to);

    if (status != 200) {
        visit->listens_to = NULL;
        refuse_session(visit, status);
        return;
    }
    if (!tn_reply_keep(visit) && !tn_reply_begin_stream(visit)) {
        tn_legacy_unlisten(visit);
        tn_endpoint_refuse(visit, 503, "Retry-After: 5\r\n", "Too many streams are open.");
        return;
    }
    tn_endpoint_request_enlist(visit);
}

/* Is the session there at all? Answers when it is not. */
static bool check_session(struct tn_endpoint_request *visit)
{
    struct tn_session *session;
    int status = tn_mcp_session_listen(visit->endpoint->serving->server, visit->session, visit->version,
                                       caller_of(visit), tn_http_payer(visit->conn), NULL, &session);

    if (status == 200)
        tn_mcp_session_unlisten(session, &visit->port); /* which never listened: lets go only */
    else
        refuse_session(visit, status);
    return status == 200;
}

/* A stream from behind the last event that the client has. */
static void come_back(struct tn_endpoint_request *visit, struct tn_slice event)
{
    struct replays *replays = visit->endpoint->serving->replays;

    if (!check_session(visit))
        return;
    visit->source = replays
                        ? tn_replay_resume(replays, visit->session, visit->caller.name, event, &visit->reader)
                        : NULL;
    if (!visit->source) {
        tn_endpoint_refuse(visit, 400, NULL,
                           "Last-Event-ID does not belong to a stream that this session can resume.");
        return;
    }
    if (!tn_reply_begin_stream(visit)) {
        tn_reply_leave_source(visit);
        tn_endpoint_refuse(visit, 503, "Retry-After: 5\r\n", "Too many streams are open.");
        return;
    }
    tn_endpoint_request_enlist(visit);
    tn_reply_pump(visit);
}

void tn_legacy_get(struct tn_endpoint_request *visit)
{
    const struct tn_http_value *event = &tn_http_known(visit->conn)[FIELD_LAST_EVENT_ID];

    if (!visit->takes_stream)
        tn_endpoint_refuse(visit, 406, NULL,
                           "A GET is answered with text/event-stream, which Accept does not allow.");
    else if (event->count > 1)
        tn_endpoint_refuse(visit, 400, NULL, "There is more than one Last-Event-ID.");
    else if (event->value.len > 0)
        come_back(visit, event->value);
    else
        listen_to(visit);
}

void tn_legacy_delete(struct tn_endpoint_request *visit)
{
    struct tn_serving *serving = visit->endpoint->serving;
    int                status  = tn_mcp_session_delete(serving->server, visit->session, caller_of(visit));

    if (status >= 300) {
        refuse_session(visit, status);
        return;
    }
    if (serving->replays)
        tn_replays_forget(serving->replays, visit->session);
    visit->state = VISIT_ANSWERED;
    tn_http_answer(visit->conn, status, visit->cors, NULL, (struct tn_slice){ "", 0 });
}
