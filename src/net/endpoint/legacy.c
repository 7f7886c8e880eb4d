/* legacy.c - GET and DELETE: streams of sessions, and coming back to them. */
#define _GNU_SOURCE
#include "net/endpoint/request.h"

static const struct tn_caller *caller_of(const struct tn_endpoint_request *request)
{
    return tn_auth_is_on(request->endpoint->serving->auth) ? &request->caller : NULL;
}

static void open_wake(struct tn_loop_message *message)
{
    struct tn_endpoint_request *request =
        (struct tn_endpoint_request *)((char *)message - offsetof(struct tn_endpoint_request, wake));

    atomic_store(&request->woken, false); /* before it reads: what comes from now on wakes it again */
    if (request->loop_link->loop)
        tn_reply_pump(request);
    tn_endpoint_request_release(request);
}

void tn_legacy_wake(struct tn_replay_reader *reader)
{
    struct tn_endpoint_request *request =
        (struct tn_endpoint_request *)((char *)reader - offsetof(struct tn_endpoint_request, reader));

    if (atomic_exchange(&request->woken, true))
        return;
    request->wake.open = open_wake;
    tn_endpoint_request_hold(request);
    if (!tn_endpoint_request_post(request, &request->wake))
        tn_endpoint_request_release(request);
}

void tn_legacy_unlisten(struct tn_endpoint_request *request)
{
    if (!request->listens_to)
        return;
    tn_mcp_session_unlisten(request->listens_to, &request->port);
    request->listens_to = NULL;
    if (request->kept) {
        tn_replay_end(request->kept);
        tn_replay_release(request->kept);
        request->kept = NULL;
    }
    tn_endpoint_request_leave(request);
}

static void refuse_session(struct tn_endpoint_request *request, int status)
{
    if (status == 503)
        tn_endpoint_refuse(request, status, "Retry-After: 5\r\n",
                           "The server is out of memory. Try again later.");
    else
        tn_endpoint_refuse(
            request, status, NULL,
            status == 404 ? "The session does not exist or has ended: initialize again."
                          : "Mcp-Session-Id or MCP-Protocol-Version is not one of a session of this server.");
}

/* What the session sends by itself. */
static void listen_to(struct tn_endpoint_request *request)
{
    struct tn_serving *serving = request->endpoint->serving;
    int                status  = tn_mcp_session_listen(serving->server, request->session, request->version,
                                                       caller_of(request), tn_http_payer(request->conn), &request->port,
                                                       &request->listens_to);

    if (status != 200) {
        request->listens_to = NULL;
        refuse_session(request, status);
        return;
    }
    if (!tn_reply_keep(request) && !tn_reply_begin_stream(request)) {
        tn_legacy_unlisten(request);
        tn_endpoint_refuse(request, 503, "Retry-After: 5\r\n", "Too many streams are open.");
        return;
    }
    tn_endpoint_request_enlist(request);
}

/* Is the session there at all? Answers when it is not. */
static bool check_session(struct tn_endpoint_request *request)
{
    struct tn_session *session;
    int status = tn_mcp_session_listen(request->endpoint->serving->server, request->session, request->version,
                                       caller_of(request), tn_http_payer(request->conn), NULL, &session);

    if (status == 200)
        tn_mcp_session_unlisten(session, &request->port); /* which never listened: lets go only */
    else
        refuse_session(request, status);
    return status == 200;
}

/* A stream from behind the last event that the client has. */
static void come_back(struct tn_endpoint_request *request, struct tn_slice event)
{
    struct replays *replays = request->endpoint->serving->replays;

    if (!check_session(request))
        return;
    request->source = replays ? tn_replay_resume(replays, request->session, request->caller.name, event,
                                                 &request->reader)
                              : NULL;
    if (!request->source) {
        tn_endpoint_refuse(request, 400, NULL,
                           "Last-Event-ID does not belong to a stream that this session can resume.");
        return;
    }
    if (!tn_reply_begin_stream(request)) {
        tn_reply_leave_source(request);
        tn_endpoint_refuse(request, 503, "Retry-After: 5\r\n", "Too many streams are open.");
        return;
    }
    tn_endpoint_request_enlist(request);
    tn_reply_pump(request);
}

static void answer_delete(struct tn_endpoint_request *request, int status)
{
    struct tn_serving *serving = request->endpoint->serving;

    if (status >= 300) {
        refuse_session(request, status);
        return;
    }
    if (serving->replays)
        tn_replays_forget(serving->replays, request->session);
    request->state = REQUEST_ANSWERED;
    tn_http_answer(request->conn, status, request->cors, NULL, (struct tn_slice){ "", 0 });
}

static void refuse_share(struct tn_endpoint_request *request)
{
    tn_endpoint_refuse(request, 503, "Retry-After: 5\r\n",
                       "What replicas of this server share cannot be reached. Try again later.");
}

/* ---- What waits for what replicas share ---------------------------------------------------------------------- */

static struct tn_endpoint_request *of_wait(struct tn_job *job)
{
    return (struct tn_endpoint_request *)((char *)job - offsetof(struct tn_endpoint_request, refresh));
}

static void run_end(struct tn_job *job)
{
    struct tn_endpoint_request *request = of_wait(job);

    request->status = tn_mcp_session_delete(request->endpoint->serving->server, request->session,
                                            caller_of(request), request->account);
}

static void run_look(struct tn_job *job)
{
    struct tn_endpoint_request *request = of_wait(job);
    bool good = tn_mcp_session_refresh(request->endpoint->serving->server, request->session,
                                       caller_of(request), request->account);

    request->status = good ? 200 : 503;
}

static void go_on(struct tn_loop_message *message)
{
    struct tn_endpoint_request *request =
        (struct tn_endpoint_request *)((char *)message - offsetof(struct tn_endpoint_request, refreshed));

    if (request->loop_link->loop && request->conn) {
        if (request->refresh.run == run_end)
            answer_delete(request, request->status);
        else if (request->status == 200)
            listen_to(request);
        else
            refuse_share(request);
    }
    tn_endpoint_request_release(request);
}

static void end_wait(struct tn_job *job)
{
    struct tn_endpoint_request *request = of_wait(job);

    request->refreshed.open = go_on;
    if (!tn_endpoint_request_post(request, &request->refreshed))
        tn_endpoint_request_release(request);
}

/* Goes on after `run`, on a worker. */
static void wait_for(struct tn_endpoint_request *request, void (*run)(struct tn_job *job))
{
    struct tn_serving *serving = request->endpoint->serving;
    struct tn_account *payer   = tn_http_payer(request->conn);

    if (!request->account) {
        tn_account_hold(payer);
        request->account = payer;
    }
    request->refresh = (struct tn_job){ .owner = payer, .run = run, .end = end_wait };
    tn_endpoint_request_hold(request);
    if (serving->workers && tn_workers_post(serving->workers, &request->refresh) == WORKER_TAKEN) {
        tn_endpoint_request_enlist(request);
        return;
    }
    tn_endpoint_request_release(request);
    refuse_share(request);
}

static bool waits(struct tn_endpoint_request *request, bool ends)
{
    return tn_mcp_session_waits(request->endpoint->serving->server, request->session, caller_of(request),
                                tn_http_payer(request->conn), ends);
}

void tn_legacy_get(struct tn_endpoint_request *request)
{
    const struct tn_http_value *event = &tn_http_known(request->conn)[FIELD_LAST_EVENT_ID];

    if (!request->takes_stream)
        tn_endpoint_refuse(request, 406, NULL,
                           "A GET is answered with text/event-stream, which Accept does not allow.");
    else if (event->count > 1)
        tn_endpoint_refuse(request, 400, NULL, "There is more than one Last-Event-ID.");
    else if (event->value.len > 0)
        come_back(request, event->value);
    else if (waits(request, false))
        wait_for(request, run_look);
    else
        listen_to(request);
}

void tn_legacy_delete(struct tn_endpoint_request *request)
{
    if (waits(request, true))
        wait_for(request, run_end);
    else
        answer_delete(request, tn_mcp_session_delete(request->endpoint->serving->server, request->session,
                                                     caller_of(request), tn_http_payer(request->conn)));
}
