/* legacy.c - GET and DELETE: streams of sessions, and coming back to them. */
#define _GNU_SOURCE
#include "net/endpoint/visit.h"

static const struct caller *caller_of(const struct visit *visit)
{
    return auth_is_on(visit->endpoint->serving->auth) ? &visit->caller : NULL;
}

static void open_wake(struct letter *letter)
{
    struct visit *visit = (struct visit *)((char *)letter - offsetof(struct visit, wake));

    atomic_store(&visit->woken, false); /* before it reads: what comes from now on wakes it again */
    if (visit->hub->loop)
        reply_pump(visit);
    visit_release(visit);
}

void legacy_wake(struct reader *reader)
{
    struct visit *visit = (struct visit *)((char *)reader - offsetof(struct visit, reader));

    if (atomic_exchange(&visit->woken, true))
        return;
    visit->wake.open = open_wake;
    visit_hold(visit);
    if (!visit_post(visit, &visit->wake))
        visit_release(visit);
}

void legacy_unlisten(struct visit *visit)
{
    if (!visit->listens_to)
        return;
    mcp_session_unlisten(visit->listens_to, &visit->port);
    visit->listens_to = NULL;
    if (visit->kept) {
        replay_end(visit->kept);
        replay_release(visit->kept);
        visit->kept = NULL;
    }
    visit_leave(visit);
}

static void refuse_session(struct visit *visit, int status)
{
    if (status == 503)
        refuse(visit, status, "Retry-After: 5\r\n", "The server is out of memory. Try again later.");
    else
        refuse(visit, status, NULL,
               status == 404
                   ? "There is no such session, or no longer: initialize again."
                   : "Mcp-Session-Id or MCP-Protocol-Version is not one of a session of this server.");
}

/* What the session sends by itself. */
static void listen_to(struct visit *visit)
{
    struct serving *serving = visit->endpoint->serving;
    int status = mcp_session_listen(serving->server, visit->session, visit->version, caller_of(visit),
                                    http_payer(visit->conn), &visit->port, &visit->listens_to);

    if (status != 200) {
        visit->listens_to = NULL;
        refuse_session(visit, status);
        return;
    }
    if (!reply_keep(visit) && !reply_begin_stream(visit)) {
        legacy_unlisten(visit);
        refuse(visit, 503, "Retry-After: 5\r\n", "Too many streams are open.");
        return;
    }
    visit_enlist(visit);
}

/* Is the session there at all? Answers when it is not. */
static bool check_session(struct visit *visit)
{
    struct session *session;
    int status = mcp_session_listen(visit->endpoint->serving->server, visit->session, visit->version,
                                    caller_of(visit), http_payer(visit->conn), NULL, &session);

    if (status == 200)
        mcp_session_unlisten(session, &visit->port); /* which never listened: lets go only */
    else
        refuse_session(visit, status);
    return status == 200;
}

/* A stream from behind the last event that the client has. */
static void come_back(struct visit *visit, struct slice event)
{
    struct replays *replays = visit->endpoint->serving->replays;

    if (!check_session(visit))
        return;
    visit->source = replays
                        ? replay_resume(replays, visit->session, visit->caller.name, event, &visit->reader)
                        : NULL;
    if (!visit->source) {
        refuse(visit, 400, NULL, "Last-Event-ID is not of a stream that this session can come back to.");
        return;
    }
    if (!reply_begin_stream(visit)) {
        reply_leave_source(visit);
        refuse(visit, 503, "Retry-After: 5\r\n", "Too many streams are open.");
        return;
    }
    visit_enlist(visit);
    reply_pump(visit);
}

void legacy_get(struct visit *visit)
{
    const struct http_value *event = &http_known(visit->conn)[FIELD_LAST_EVENT_ID];

    if (!visit->takes_stream)
        refuse(visit, 406, NULL, "A GET is answered with text/event-stream, which Accept does not allow.");
    else if (event->count > 1)
        refuse(visit, 400, NULL, "There is more than one Last-Event-ID.");
    else if (event->value.len > 0)
        come_back(visit, event->value);
    else
        listen_to(visit);
}

void legacy_delete(struct visit *visit)
{
    struct serving *serving = visit->endpoint->serving;
    int             status  = mcp_session_delete(serving->server, visit->session, caller_of(visit));

    if (status >= 300) {
        refuse_session(visit, status);
        return;
    }
    if (serving->replays)
        replays_forget(serving->replays, visit->session);
    visit->state = VISIT_ANSWERED;
    http_answer(visit->conn, status, visit->cors, NULL, (struct slice){ "", 0 });
}
