/* request.c - the life of a request, and the way from other threads to its loop.
 *
 * While the request itself is being read the port writes straight to the connection; at any other time, whichever thread
 * sends, a message is posted to the loop: the sender may hold locks that an answer leads back to.
 */
#define _GNU_SOURCE
#include "net/endpoint/request.h"

#include <assert.h>

#include "base/memory.h"

#define IDLE_MAX  ((size_t)256)      /* requests that are kept ... */
#define IDLE_KEEP ((size_t)16 << 10) /* ... each with so much memory */
#define UNDERWAY_MAX                                                                                         \
    ((size_t)4 << 20) /* of messages to a loop that is slower than a handler: more notes are lost */

/* ---- The loop's link ------------------------------------------------------------------------------------------- */

struct tn_loop_link *tn_loop_link_new(struct tn_loop *loop, const tenon_allocator *memory)
{
    struct tn_loop_link *loop_link = tn_memory_new(memory, sizeof *loop_link);

    if (!loop_link)
        return NULL;
    *loop_link = (struct tn_loop_link){ .loop = loop, .memory = *memory };
    atomic_init(&loop_link->refs, 1);
    if (pthread_mutex_init(&loop_link->lock, NULL) == 0)
        return loop_link;
    tn_memory_free(memory, loop_link, sizeof *loop_link);
    return NULL;
}

void tn_loop_link_release(struct tn_loop_link *loop_link)
{
    if (atomic_fetch_sub_explicit(&loop_link->refs, 1, memory_order_acq_rel) != 1)
        return;
    pthread_mutex_destroy(&loop_link->lock);
    tn_memory_free(&loop_link->memory, loop_link, sizeof *loop_link);
}

static void request_destroy(struct tn_endpoint_request *request)
{
    struct tn_loop_link *loop_link = request->loop_link;

    tn_arena_free(&request->arena);
    tn_memory_free(&loop_link->memory, request, sizeof *request);
    tn_loop_link_release(loop_link);
}

void tn_loop_link_close(struct tn_loop_link *loop_link)
{
    pthread_mutex_lock(&loop_link->lock);
    loop_link->loop = NULL;
    pthread_mutex_unlock(&loop_link->lock);
    tn_loop_link_release(loop_link);
}

bool tn_endpoint_request_post(struct tn_endpoint_request *request, struct tn_loop_message *message)
{
    struct tn_loop_link *loop_link = request->loop_link;
    bool                 open;

    pthread_mutex_lock(&loop_link->lock);
    open = loop_link->loop != NULL;
    if (open)
        tn_loop_post(loop_link->loop, message);
    pthread_mutex_unlock(&loop_link->lock);
    return open;
}

/* ---- The port -------------------------------------------------------------------------------------------------- */

/* A message on its way to the loop, followed by copies of its texts. */
struct outgoing {
    struct tn_loop_message      message;
    struct tn_endpoint_request *request; /* held */
    bool                        detaches;
    int                         retry_ms;
    size_t                      room;
    struct tn_out               out;
    char                        bytes[];
};

static struct tn_endpoint_request *request_of(struct tn_port *port)
{
    return (struct tn_endpoint_request *)port; /* its first member */
}

static bool is_on_loop(const struct tn_endpoint_request *request)
{
    return pthread_equal(request->thread, pthread_self());
}

static void free_outgoing(struct outgoing *outgoing)
{
    struct tn_endpoint_request *request = outgoing->request;

    atomic_fetch_sub_explicit(&request->underway, outgoing->room, memory_order_relaxed);
    tn_account_give(request->account, HELD_OUTGOING, outgoing->room);
    tn_memory_scrub(outgoing->bytes, outgoing->room);
    tn_memory_free(&request->loop_link->memory, outgoing, sizeof *outgoing + outgoing->room);
    tn_endpoint_request_release(request);
}

static void open_outgoing(struct tn_loop_message *message)
{
    struct outgoing            *outgoing = (struct outgoing *)message; /* its first member */
    struct tn_endpoint_request *request  = outgoing->request;

    if (!request->loop_link->loop) /* the endpoint is gone; nobody else changes it on this thread */
        ;
    else if (outgoing->detaches)
        tn_reply_detach(request, outgoing->retry_ms);
    else
        tn_reply_take(request, &outgoing->out);
    free_outgoing(outgoing);
}

static void open_failure(struct tn_loop_message *message)
{
    struct tn_endpoint_request *request =
        (struct tn_endpoint_request *)((char *)message - offsetof(struct tn_endpoint_request, failure));

    if (request->loop_link->loop)
        tn_reply_fail(request);
    tn_endpoint_request_release(request);
}

static void post_failure(struct tn_endpoint_request *request, const struct tn_out *out)
{
    if (out->kind == OUT_NOTE || atomic_exchange(&request->failed, true))
        return;
    request->failure.open = open_failure;
    tn_endpoint_request_hold(request);
    if (!tn_endpoint_request_post(request, &request->failure))
        tn_endpoint_request_release(request);
}

static void post_outgoing(struct tn_endpoint_request *request, struct outgoing *outgoing)
{
    outgoing->request      = request;
    outgoing->message.open = open_outgoing;
    atomic_fetch_add_explicit(&request->underway, outgoing->room, memory_order_relaxed);
    tn_account_force(request->account, HELD_OUTGOING, outgoing->room);
    tn_endpoint_request_hold(request);
    if (!tn_endpoint_request_post(request, &outgoing->message))
        free_outgoing(outgoing);
}

static struct tn_slice request_copy(char **at, struct tn_slice from)
{
    struct tn_slice to = { from.at ? *at : NULL, from.len };

    if (from.at && from.len > 0)
        memcpy(*at, from.at, from.len);
    *at += from.len;
    return to;
}

/* Notes may be lost, answers may not: what is on its way to a slow loop is bounded for a call, and for its caller. */
static bool has_room_for_notes(const struct tn_endpoint_request *request)
{
    const struct tn_account *account = request->account;

    return atomic_load_explicit(&request->underway, memory_order_relaxed) <= UNDERWAY_MAX &&
           (!account ||
            tn_account_holds(account, HELD_OUTGOING) <= tn_ledger_most(account->ledger, HELD_OUTGOING) / 2);
}

static void port_send(struct tn_port *port, const struct tn_out *out)
{
    struct tn_endpoint_request *request = request_of(port);
    struct tn_slice             scopes  = tn_slice_of(out->scopes);
    struct outgoing            *outgoing;
    size_t                      room;
    char                       *at;

    if (is_on_loop(request) && request->receiving) {
        tn_reply_take(request, out);
        return;
    }
    if (out->kind == OUT_NOTE && !has_room_for_notes(request))
        return;
    room     = out->json.len + out->session.len + scopes.len + 1;
    outgoing = tn_memory_new(&request->loop_link->memory, sizeof *outgoing + room);
    if (!outgoing) {
        post_failure(request, out);
        return;
    }
    *outgoing             = (struct outgoing){ .room = room, .out = *out };
    at                    = outgoing->bytes;
    outgoing->out.json    = request_copy(&at, out->json);
    outgoing->out.session = request_copy(&at, out->session);
    if (out->scopes) {
        request_copy(&at, scopes);
        *at                  = '\0';
        outgoing->out.scopes = at - scopes.len;
    }
    post_outgoing(request, outgoing);
}

static void port_detach(struct tn_port *port, int retry_ms)
{
    struct tn_endpoint_request *request  = request_of(port);
    struct outgoing            *outgoing = tn_memory_new(&request->loop_link->memory, sizeof *outgoing);

    if (!outgoing)
        return; /* the client waits for the answer instead */
    *outgoing = (struct outgoing){ .detaches = true, .retry_ms = retry_ms };
    post_outgoing(request, outgoing);
}

static void port_hold(struct tn_port *port)
{
    tn_endpoint_request_hold(request_of(port));
}

static void port_release(struct tn_port *port)
{
    tn_endpoint_request_release(request_of(port));
}

/* ---- The request ------------------------------------------------------------------------------------------------- */

static void request_clear(struct tn_endpoint_request *request, struct tn_http_conn *conn)
{
    assert(!request->exchange && !request->kept && !request->source && !request->listens_to &&
           !request->link);
    request->next      = NULL;
    request->thread    = pthread_self();
    request->receiving = false;
    request->conn      = conn;
    request->state     = REQUEST_WAITS;
    request->auth      = AUTH_OK;
    request->caller    = (struct tn_caller){ .scoped = false };
    request->cors      = NULL;
    request->version = request->session = request->body = (struct tn_slice){ NULL, 0 };
    request->modern = request->takes_json = request->takes_stream = false;
    request->written_ms                                           = 0;
}

struct tn_endpoint_request *tn_endpoint_request_new(struct tn_endpoint *endpoint, struct tn_http_conn *conn)
{
    struct tn_endpoint_request *request = endpoint->idle;

    if (request) {
        endpoint->idle = request->next;
        endpoint->idle_count--;
    } else {
        request = tn_memory_new(&endpoint->loop_link->memory, sizeof *request);
        if (!request)
            return NULL;
        *request = (struct tn_endpoint_request){
            .port      = { port_send, port_hold, port_release, port_detach },
            .loop_link = endpoint->loop_link,
            .endpoint  = endpoint,
            .reader    = { tn_legacy_wake },
        };
        tn_arena_init(&request->arena, &endpoint->loop_link->memory, 0);
        atomic_fetch_add_explicit(&endpoint->loop_link->refs, 1, memory_order_relaxed);
    }
    atomic_init(&request->refs, 1);
    atomic_init(&request->woken, false);
    atomic_init(&request->failed, false);
    atomic_init(&request->underway, 0);
    request_clear(request, conn);
    return request;
}

void tn_endpoint_request_hold(struct tn_endpoint_request *request)
{
    atomic_fetch_add_explicit(&request->refs, 1, memory_order_relaxed);
}

void tn_endpoint_request_release(struct tn_endpoint_request *request)
{
    struct tn_endpoint *endpoint;

    if (atomic_fetch_sub_explicit(&request->refs, 1, memory_order_acq_rel) != 1)
        return;
    tn_arena_rest(&request->arena, IDLE_KEEP);
    tn_account_release(request->account);
    request->account = NULL;
    /* On the loop's own thread the endpoint cannot go away meanwhile. */
    endpoint = is_on_loop(request) && request->loop_link->loop ? request->endpoint : NULL;
    if (endpoint && endpoint->idle_count < IDLE_MAX) {
        request->next  = endpoint->idle;
        endpoint->idle = request;
        endpoint->idle_count++;
        return;
    }
    request_destroy(request);
}

void tn_endpoint_request_free_idle(struct tn_endpoint *endpoint)
{
    while (endpoint->idle) {
        struct tn_endpoint_request *request = endpoint->idle;

        endpoint->idle = request->next;
        request_destroy(request);
    }
    endpoint->idle_count = 0;
}

void tn_endpoint_request_enlist(struct tn_endpoint_request *request)
{
    struct tn_endpoint *endpoint = request->endpoint;

    if (request->link)
        return;
    tn_endpoint_request_hold(request);
    request->next = endpoint->active;
    request->link = &endpoint->active;
    if (request->next)
        request->next->link = &request->next;
    endpoint->active = request;
}

void tn_endpoint_request_leave(struct tn_endpoint_request *request)
{
    if (!request->link || request->conn || request->kept || request->listens_to)
        return;
    *request->link = request->next;
    if (request->next)
        request->next->link = request->link;
    request->link = NULL;
    tn_endpoint_request_release(request);
}
