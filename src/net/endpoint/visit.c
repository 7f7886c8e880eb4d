/* visit.c - the life of a visit, and the way from other threads to its loop.
 *
 * While the request itself is being read the port writes straight to the connection; at any other time, whichever thread
 * sends, a message goes to the loop as a letter: whoever sends may hold locks that an answer leads back to.
 */
#define _GNU_SOURCE
#include "net/endpoint/visit.h"

#include <assert.h>

#include "base/memory.h"

#define IDLE_MAX  ((size_t)256)      /* visits that are kept ... */
#define IDLE_KEEP ((size_t)16 << 10) /* ... each with so much memory */
#define UNDERWAY_MAX                                                                                         \
    ((size_t)4 << 20) /* of messages to a loop that is slower than a handler: more notes are lost */

/* ---- The hub --------------------------------------------------------------------------------------------------- */

struct hub *hub_new(struct loop *loop, const tenon_allocator *memory)
{
    struct hub *hub = memory_new(memory, sizeof *hub);

    if (!hub)
        return NULL;
    *hub = (struct hub){ .loop = loop, .memory = *memory };
    atomic_init(&hub->refs, 1);
    if (pthread_mutex_init(&hub->lock, NULL) == 0)
        return hub;
    memory_free(memory, hub, sizeof *hub);
    return NULL;
}

void hub_release(struct hub *hub)
{
    if (atomic_fetch_sub_explicit(&hub->refs, 1, memory_order_acq_rel) != 1)
        return;
    pthread_mutex_destroy(&hub->lock);
    memory_free(&hub->memory, hub, sizeof *hub);
}

static void destroy(struct visit *visit)
{
    struct hub *hub = visit->hub;

    arena_free(&visit->arena);
    memory_free(&hub->memory, visit, sizeof *visit);
    hub_release(hub);
}

void hub_close(struct hub *hub)
{
    struct visit *visit, *next;

    pthread_mutex_lock(&hub->lock);
    hub->loop     = NULL;
    visit         = hub->returned;
    hub->returned = NULL;
    pthread_mutex_unlock(&hub->lock);
    for (; visit; visit = next) {
        next = visit->next;
        destroy(visit);
    }
    hub_release(hub);
}

/* A visit that another thread let go of. */
static struct visit *take_returned(struct hub *hub)
{
    struct visit *visit;

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
static bool give_back(struct visit *visit)
{
    struct hub *hub = visit->hub;
    bool        taken;

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

bool visit_post(struct visit *visit, struct letter *letter)
{
    struct hub *hub = visit->hub;
    bool        open;

    pthread_mutex_lock(&hub->lock);
    open = hub->loop != NULL;
    if (open)
        loop_post(hub->loop, letter);
    pthread_mutex_unlock(&hub->lock);
    return open;
}

/* ---- The port -------------------------------------------------------------------------------------------------- */

/* A message on its way to the loop, with copies of its texts behind it. */
struct parcel {
    struct letter letter;
    struct visit *visit; /* held */
    bool          detaches;
    int           retry_ms;
    size_t        room;
    struct out    out;
    char          bytes[];
};

static struct visit *visit_of(struct port *port)
{
    return (struct visit *)port; /* its first member */
}

static bool is_on_loop(const struct visit *visit)
{
    return pthread_equal(visit->thread, pthread_self());
}

static void free_parcel(struct parcel *parcel)
{
    struct visit *visit = parcel->visit;

    atomic_fetch_sub_explicit(&visit->underway, parcel->room, memory_order_relaxed);
    account_give(visit->account, HELD_OUTGOING, parcel->room);
    memory_scrub(parcel->bytes, parcel->room);
    memory_free(&visit->hub->memory, parcel, sizeof *parcel + parcel->room);
    visit_release(visit);
}

static void open_parcel(struct letter *letter)
{
    struct parcel *parcel = (struct parcel *)letter; /* its first member */
    struct visit  *visit  = parcel->visit;

    if (!visit->hub->loop) /* the endpoint is gone; nobody else changes it on this thread */
        ;
    else if (parcel->detaches)
        reply_detach(visit, parcel->retry_ms);
    else
        reply_take(visit, &parcel->out);
    free_parcel(parcel);
}

static void open_failure(struct letter *letter)
{
    struct visit *visit = (struct visit *)((char *)letter - offsetof(struct visit, failure));

    if (visit->hub->loop)
        reply_fail(visit);
    visit_release(visit);
}

static void lose(struct visit *visit, const struct out *out)
{
    if (out->kind == OUT_NOTE || atomic_exchange(&visit->failed, true))
        return;
    visit->failure.open = open_failure;
    visit_hold(visit);
    if (!visit_post(visit, &visit->failure))
        visit_release(visit);
}

static void post_parcel(struct visit *visit, struct parcel *parcel)
{
    parcel->visit       = visit;
    parcel->letter.open = open_parcel;
    atomic_fetch_add_explicit(&visit->underway, parcel->room, memory_order_relaxed);
    account_force(visit->account, HELD_OUTGOING, parcel->room);
    visit_hold(visit);
    if (!visit_post(visit, &parcel->letter))
        free_parcel(parcel);
}

static struct slice copy(char **at, struct slice from)
{
    struct slice to = { from.at ? *at : NULL, from.len };

    if (from.at && from.len > 0)
        memcpy(*at, from.at, from.len);
    *at += from.len;
    return to;
}

/* Notes may be lost, answers may not: what is on its way to a slow loop is bounded for a call, and for its caller. */
static bool has_room_for_notes(const struct visit *visit)
{
    const struct account *account = visit->account;

    return atomic_load_explicit(&visit->underway, memory_order_relaxed) <= UNDERWAY_MAX &&
           (!account ||
            account_holds(account, HELD_OUTGOING) <= ledger_most(account->ledger, HELD_OUTGOING) / 2);
}

static void port_send(struct port *port, const struct out *out)
{
    struct visit  *visit  = visit_of(port);
    struct slice   scopes = slice_of(out->scopes);
    struct parcel *parcel;
    size_t         room;
    char          *at;

    if (is_on_loop(visit) && visit->receiving) {
        reply_take(visit, out);
        return;
    }
    if (out->kind == OUT_NOTE && !has_room_for_notes(visit))
        return;
    room   = out->json.len + out->session.len + scopes.len + 1;
    parcel = memory_new(&visit->hub->memory, sizeof *parcel + room);
    if (!parcel) {
        lose(visit, out);
        return;
    }
    *parcel             = (struct parcel){ .room = room, .out = *out };
    at                  = parcel->bytes;
    parcel->out.json    = copy(&at, out->json);
    parcel->out.session = copy(&at, out->session);
    if (out->scopes) {
        copy(&at, scopes);
        *at                = '\0';
        parcel->out.scopes = at - scopes.len;
    }
    post_parcel(visit, parcel);
}

static void port_detach(struct port *port, int retry_ms)
{
    struct visit  *visit  = visit_of(port);
    struct parcel *parcel = memory_new(&visit->hub->memory, sizeof *parcel);

    if (!parcel)
        return; /* the client waits for the answer instead */
    *parcel = (struct parcel){ .detaches = true, .retry_ms = retry_ms };
    post_parcel(visit, parcel);
}

static void port_hold(struct port *port)
{
    visit_hold(visit_of(port));
}

static void port_release(struct port *port)
{
    visit_release(visit_of(port));
}

/* ---- The visit ------------------------------------------------------------------------------------------------- */

void visit_clear(struct visit *visit, struct http_conn *conn)
{
    assert(!visit->exchange && !visit->kept && !visit->source && !visit->listens_to && !visit->link);
    arena_rest(&visit->arena, IDLE_KEEP);
    visit->next      = NULL;
    visit->thread    = pthread_self();
    visit->receiving = false;
    visit->conn      = conn;
    visit->state     = VISIT_WAITS;
    visit->auth      = AUTH_OK;
    visit->caller    = (struct caller){ .scoped = false };
    visit->cors      = NULL;
    visit->version = visit->session = visit->body = (struct slice){ NULL, 0 };
    visit->modern = visit->takes_json = visit->takes_stream = false;
    visit->spoke_ms                                         = 0;
}

struct visit *visit_new(struct endpoint *endpoint)
{
    struct visit *visit = endpoint->idle;

    if (visit) {
        endpoint->idle = visit->next;
        endpoint->idle_count--;
    } else {
        visit = take_returned(endpoint->hub);
    }
    if (!visit) {
        visit = memory_new(&endpoint->hub->memory, sizeof *visit);
        if (!visit)
            return NULL;
        *visit = (struct visit){
            .port     = { port_send, port_hold, port_release, port_detach },
            .hub      = endpoint->hub,
            .endpoint = endpoint,
            .reader   = { legacy_wake },
        };
        arena_init(&visit->arena, &endpoint->hub->memory, 0);
        atomic_fetch_add_explicit(&endpoint->hub->refs, 1, memory_order_relaxed);
    }
    atomic_init(&visit->refs, 1);
    atomic_init(&visit->woken, false);
    atomic_init(&visit->failed, false);
    atomic_init(&visit->underway, 0);
    visit_clear(visit, NULL);
    return visit;
}

void visit_hold(struct visit *visit)
{
    atomic_fetch_add_explicit(&visit->refs, 1, memory_order_relaxed);
}

void visit_release(struct visit *visit)
{
    struct endpoint *endpoint;

    if (atomic_fetch_sub_explicit(&visit->refs, 1, memory_order_acq_rel) != 1)
        return;
    arena_rest(&visit->arena, IDLE_KEEP);
    account_release(visit->account);
    visit->account = NULL;
    /* On the loop's own thread the endpoint cannot go away meanwhile. */
    endpoint = is_on_loop(visit) && visit->hub->loop ? visit->endpoint : NULL;
    if (endpoint && endpoint->idle_count < IDLE_MAX) {
        visit->next    = endpoint->idle;
        endpoint->idle = visit;
        endpoint->idle_count++;
        return;
    }
    if (endpoint || !give_back(visit))
        destroy(visit);
}

void visit_free_idle(struct endpoint *endpoint)
{
    while (endpoint->idle) {
        struct visit *visit = endpoint->idle;

        endpoint->idle = visit->next;
        destroy(visit);
    }
    endpoint->idle_count = 0;
}

void visit_enlist(struct visit *visit)
{
    struct endpoint *endpoint = visit->endpoint;

    if (visit->link)
        return;
    visit_hold(visit);
    visit->next = endpoint->going;
    visit->link = &endpoint->going;
    if (visit->next)
        visit->next->link = &visit->next;
    endpoint->going = visit;
}

void visit_leave(struct visit *visit)
{
    if (!visit->link || visit->conn || visit->kept || visit->listens_to)
        return;
    *visit->link = visit->next;
    if (visit->next)
        visit->next->link = visit->link;
    visit->link = NULL;
    visit_release(visit);
}
