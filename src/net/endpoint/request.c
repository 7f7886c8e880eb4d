/* request.c - the life of a visit, and the way from other threads to its loop.
 *
 * While the request itself is being read the port writes straight to the connection; at any other time, whichever thread
 * sends, a message goes to the loop as a letter: whoever sends may hold locks that an answer leads back to.
 */
#define _GNU_SOURCE
#include "net/endpoint/request.h"

#include <assert.h>

#include "base/memory.h"

#define IDLE_MAX  ((size_t)256)      /* visits that are kept ... */
#define IDLE_KEEP ((size_t)16 << 10) /* ... each with so much memory */
#define UNDERWAY_MAX                                                                                         \
    ((size_t)4 << 20) /* of messages to a loop that is slower than a handler: more notes are lost */

/* ---- The hub --------------------------------------------------------------------------------------------------- */

struct tn_loop_link *tn_loop_link_new(struct tn_loop *loop, const tenon_allocator *memory)
{
    struct tn_loop_link *hub = tn_memory_new(memory, sizeof *hub);

    if (!hub)
        return NULL;
    *hub = (struct tn_loop_link){ .loop = loop, .memory = *memory };
    atomic_init(&hub->refs, 1);
    if (pthread_mutex_init(&hub->lock, NULL) == 0)
        return hub;
    tn_memory_free(memory, hub, sizeof *hub);
    return NULL;
}

void tn_loop_link_release(struct tn_loop_link *hub)
{
    if (atomic_fetch_sub_explicit(&hub->refs, 1, memory_order_acq_rel) != 1)
        return;
    pthread_mutex_destroy(&hub->lock);
    tn_memory_free(&hub->memory, hub, sizeof *hub);
}

static void visit_destroy(struct tn_endpoint_request *visit)
{
    struct tn_loop_link *hub = visit->hub;

    tn_arena_free(&visit->arena);
    tn_memory_free(&hub->memory, visit, sizeof *visit);
    tn_loop_link_release(hub);
}

void tn_loop_link_close(struct tn_loop_link *hub)
{
    struct tn_endpoint_request *visit, *next;

    pthread_mutex_lock(&hub->lock);
    hub->loop     = NULL;
    visit         = hub->returned;
    hub->returned = NULL;
    pthread_mutex_unlock(&hub->lock);
    for (; visit; visit = next) {
        next = visit->next;
        visit_destroy(visit);
    }
    tn_loop_link_release(hub);
}

/* A visit that another thread let go of. */
static struct tn_endpoint_request *take_returned(struct tn_loop_link *hub)
{
    struct tn_endpoint_request *visit;

    pthread_mutex_lock(&hub->lock);
    visit = hub->returned;
    if (visit) {
        hub->returned = visit->next;
        hub->returned_count--;
    }
    pthread_mutex_unlock(&hub->lock);
    return visit;
}

/* Gives it back for the loop to use again; false when it has no use for it. */
static bool visit_give_back(struct tn_endpoint_request *visit)
{
    struct tn_loop_link *hub = visit->hub;
    bool                 taken;

    pthread_mutex_lock(&hub->lock);
    taken = hub->loop && hub->returned_count < IDLE_MAX;
    if (taken) {
        visit->next   = hub->returned;
        hub->returned = visit;
        hub->returned_count++;
    }
    pthread_mutex_unlock(&hub->lock);
    return taken;
}

bool tn_endpoint_request_post(struct tn_endpoint_request *visit, struct tn_loop_message *letter)
{
    struct tn_loop_link *hub = visit->hub;
    bool                 open;

    pthread_mutex_lock(&hub->lock);
    open = hub->loop != NULL;
    if (open)
        tn_loop_post(hub->loop, letter);
    pthread_mutex_unlock(&hub->lock);
    return open;
}

/* ---- The port -------------------------------------------------------------------------------------------------- */

/* A message on its way to the loop, with copies of its texts behind it. */
struct parcel {
    struct tn_loop_message      letter;
    struct tn_endpoint_request *visit; /* held */
    bool                        detaches;
    int                         retry_ms;
    size_t                      room;
    struct tn_out               out;
    char                        bytes[];
};

static struct tn_endpoint_request *visit_of(struct tn_port *port)
{
    return (struct tn_endpoint_request *)port; /* its first member */
}

static bool is_on_loop(const struct tn_endpoint_request *visit)
{
    return pthread_equal(visit->thread, pthread_self());
}

static void free_parcel(struct parcel *parcel)
{
    struct tn_endpoint_request *visit = parcel->visit;

    atomic_fetch_sub_explicit(&visit->underway, parcel->room, memory_order_relaxed);
    tn_account_give(visit->account, HELD_OUTGOING, parcel->room);
    tn_memory_scrub(parcel->bytes, parcel->room);
    tn_memory_free(&visit->hub->memory, parcel, sizeof *parcel + parcel->room);
    tn_endpoint_request_release(visit);
}

static void open_parcel(struct tn_loop_message *letter)
{
    struct parcel              *parcel = (struct parcel *)letter; /* its first member */
    struct tn_endpoint_request *visit  = parcel->visit;

    if (!visit->hub->loop) /* the endpoint is gone; nobody else changes it on this thread */
        ;
    else if (parcel->detaches)
        tn_reply_detach(visit, parcel->retry_ms);
    else
        tn_reply_take(visit, &parcel->out);
    free_parcel(parcel);
}

static void open_failure(struct tn_loop_message *letter)
{
    struct tn_endpoint_request *visit =
        (struct tn_endpoint_request *)((char *)letter - offsetof(struct tn_endpoint_request, failure));

    if (visit->hub->loop)
        tn_reply_fail(visit);
    tn_endpoint_request_release(visit);
}

static void visit_lose(struct tn_endpoint_request *visit, const struct tn_out *out)
{
    if (out->kind == OUT_NOTE || atomic_exchange(&visit->failed, true))
        return;
    visit->failure.open = open_failure;
    tn_endpoint_request_hold(visit);
    if (!tn_endpoint_request_post(visit, &visit->failure))
        tn_endpoint_request_release(visit);
}

static void post_parcel(struct tn_endpoint_request *visit, struct parcel *parcel)
{
    parcel->visit       = visit;
    parcel->letter.open = open_parcel;
    atomic_fetch_add_explicit(&visit->underway, parcel->room, memory_order_relaxed);
    tn_account_force(visit->account, HELD_OUTGOING, parcel->room);
    tn_endpoint_request_hold(visit);
    if (!tn_endpoint_request_post(visit, &parcel->letter))
        free_parcel(parcel);
}

static struct tn_slice visit_copy(char **at, struct tn_slice from)
{
    struct tn_slice to = { from.at ? *at : NULL, from.len };

    if (from.at && from.len > 0)
        memcpy(*at, from.at, from.len);
    *at += from.len;
    return to;
}

/* Notes may be lost, answers may not: what is on its way to a slow loop is bounded for a call, and for its caller. */
static bool has_room_for_notes(const struct tn_endpoint_request *visit)
{
    const struct tn_account *account = visit->account;

    return atomic_load_explicit(&visit->underway, memory_order_relaxed) <= UNDERWAY_MAX &&
           (!account ||
            tn_account_holds(account, HELD_OUTGOING) <= tn_ledger_most(account->ledger, HELD_OUTGOING) / 2);
}

static void port_send(struct tn_port *port, const struct tn_out *out)
{
    struct tn_endpoint_request *visit  = visit_of(port);
    struct tn_slice             scopes = tn_slice_of(out->scopes);
    struct parcel              *parcel;
    size_t                      room;
    char                       *at;

    if (is_on_loop(visit) && visit->receiving) {
        tn_reply_take(visit, out);
        return;
    }
    if (out->kind == OUT_NOTE && !has_room_for_notes(visit))
        return;
    room   = out->json.len + out->session.len + scopes.len + 1;
    parcel = tn_memory_new(&visit->hub->memory, sizeof *parcel + room);
    if (!parcel) {
        visit_lose(visit, out);
        return;
    }
    *parcel             = (struct parcel){ .room = room, .out = *out };
    at                  = parcel->bytes;
    parcel->out.json    = visit_copy(&at, out->json);
    parcel->out.session = visit_copy(&at, out->session);
    if (out->scopes) {
        visit_copy(&at, scopes);
        *at                = '\0';
        parcel->out.scopes = at - scopes.len;
    }
    post_parcel(visit, parcel);
}

static void port_detach(struct tn_port *port, int retry_ms)
{
    struct tn_endpoint_request *visit  = visit_of(port);
    struct parcel              *parcel = tn_memory_new(&visit->hub->memory, sizeof *parcel);

    if (!parcel)
        return; /* the client waits for the answer instead */
    *parcel = (struct parcel){ .detaches = true, .retry_ms = retry_ms };
    post_parcel(visit, parcel);
}

static void port_hold(struct tn_port *port)
{
    tn_endpoint_request_hold(visit_of(port));
}

static void port_release(struct tn_port *port)
{
    tn_endpoint_request_release(visit_of(port));
}

/* ---- The visit ------------------------------------------------------------------------------------------------- */

static void visit_clear(struct tn_endpoint_request *visit, struct tn_http_conn *conn)
{
    assert(!visit->exchange && !visit->kept && !visit->source && !visit->listens_to && !visit->link);
    visit->next      = NULL;
    visit->thread    = pthread_self();
    visit->receiving = false;
    visit->conn      = conn;
    visit->state     = VISIT_WAITS;
    visit->auth      = AUTH_OK;
    visit->caller    = (struct tn_caller){ .scoped = false };
    visit->cors      = NULL;
    visit->version = visit->session = visit->body = (struct tn_slice){ NULL, 0 };
    visit->modern = visit->takes_json = visit->takes_stream = false;
    visit->spoke_ms                                         = 0;
}

struct tn_endpoint_request *tn_endpoint_request_new(struct tn_endpoint *endpoint, struct tn_http_conn *conn)
{
    struct tn_endpoint_request *visit = endpoint->idle;

    if (visit) {
        endpoint->idle = visit->next;
        endpoint->idle_count--;
    } else {
        visit = take_returned(endpoint->hub);
    }
    if (!visit) {
        visit = tn_memory_new(&endpoint->hub->memory, sizeof *visit);
        if (!visit)
            return NULL;
        *visit = (struct tn_endpoint_request){
            .port     = { port_send, port_hold, port_release, port_detach },
            .hub      = endpoint->hub,
            .endpoint = endpoint,
            .reader   = { tn_legacy_wake },
        };
        tn_arena_init(&visit->arena, &endpoint->hub->memory, 0);
        atomic_fetch_add_explicit(&endpoint->hub->refs, 1, memory_order_relaxed);
    }
    atomic_init(&visit->refs, 1);
    atomic_init(&visit->woken, false);
    atomic_init(&visit->failed, false);
    atomic_init(&visit->underway, 0);
    visit_clear(visit, conn);
    return visit;
}

void tn_endpoint_request_hold(struct tn_endpoint_request *visit)
{
    atomic_fetch_add_explicit(&visit->refs, 1, memory_order_relaxed);
}

void tn_endpoint_request_release(struct tn_endpoint_request *visit)
{
    struct tn_endpoint *endpoint;

    if (atomic_fetch_sub_explicit(&visit->refs, 1, memory_order_acq_rel) != 1)
        return;
    tn_arena_rest(&visit->arena, IDLE_KEEP);
    tn_account_release(visit->account);
    visit->account = NULL;
    /* On the loop's own thread the endpoint cannot go away meanwhile. */
    endpoint = is_on_loop(visit) && visit->hub->loop ? visit->endpoint : NULL;
    if (endpoint && endpoint->idle_count < IDLE_MAX) {
        visit->next    = endpoint->idle;
        endpoint->idle = visit;
        endpoint->idle_count++;
        return;
    }
    if (endpoint || !visit_give_back(visit))
        visit_destroy(visit);
}

void tn_endpoint_request_free_idle(struct tn_endpoint *endpoint)
{
    while (endpoint->idle) {
        struct tn_endpoint_request *visit = endpoint->idle;

        endpoint->idle = visit->next;
        visit_destroy(visit);
    }
    endpoint->idle_count = 0;
}

void tn_endpoint_request_enlist(struct tn_endpoint_request *visit)
{
    struct tn_endpoint *endpoint = visit->endpoint;

    if (visit->link)
        return;
    tn_endpoint_request_hold(visit);
    visit->next = endpoint->going;
    visit->link = &endpoint->going;
    if (visit->next)
        visit->next->link = &visit->next;
    endpoint->going = visit;
}

void tn_endpoint_request_leave(struct tn_endpoint_request *visit)
{
    if (!visit->link || visit->conn || visit->kept || visit->listens_to)
        return;
    *visit->link = visit->next;
    if (visit->next)
        visit->next->link = visit->link;
    visit->link = NULL;
    tn_endpoint_request_release(visit);
}
