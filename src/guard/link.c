/* link.c - a conversation on the guard's loop: started, stepped, lost, started again. */
#define _GNU_SOURCE
#include "guard/link.h"

#include <string.h>

#include "base/memory.h"
#include "guard/bridge.h"
#include "guard/follow.h"
#include "guard/lists/lists.h"
#include "guard/phrases.h"
#include "guard/process/process.h"
#include "guard/question/ask.h"
#include "guard/question/park.h"
#include "guard/question/promise.h"
#include "guard/relay.h"
#include "guard/report/report.h"
#include "guard/seat.h"
#include "json/read.h"
#include "mcp/ask/input.h"

#define PROMISE_MAX ((size_t)64 << 10)
#define LINKS_MAX   ((size_t)64) /* of one upstream, ... */
#define LINKS_EACH  ((size_t)8)  /* ... and of those, of one caller */

static void close_eye(struct tn_link *link);

/* ---- What happens on it ---------------------------------------------------------------------------------------- */

static void link_note(void *user, const char *method, const tenon_json *params)
{
    tn_bridge_note(user, tn_slice_of(method), (yyjson_val *)params);
}

static void link_ask(void *user, tenon_question *question)
{
    tn_ask_client(user, question);
}

static void link_junk(void *user, struct tn_slice bytes)
{
    tn_report_junk(user, bytes);
}

static void link_belated(void *user, int64_t id)
{
    tn_withdrawn_answered(user, id);
}

static void link_tap(void *user, struct tn_slice message)
{
    ((struct tn_link *)user)->raw = message;
}

void tn_link_sleep(struct tn_link *link)
{
    close_eye(link);
    link->ready = false;
    tn_lists_forget(link);
    tn_follow_forget(link);
    tn_ask_forget(link);
    tn_report_ended(link);
    tn_withdrawn_forget(link);
    tenon_client_free(link->client);
    link->client = NULL;
    link->news   = true;
    tn_link_arm(link);
}

/* The server is gone. What was sent was answered by its requests. */
static void link_lose(struct tn_link *link)
{
    char why[CLIENT_WHY_MAX];

    memcpy(why, link->client->error, sizeof why);
    tn_log_line(&link->guard->server->log, LOG_WARN, GUARD_LOG_LOST, link->upstream->name, why);
    tn_link_sleep(link);
    tn_upkeep_lost(link, why);
    tn_relays_lost(link, why);
}

/* The server may be another by now. */
static void link_renewed(struct tn_link *link)
{
    if (link->renewals == link->client->renewals || link->client->stage != STAGE_READY)
        return;
    link->renewals = link->client->renewals;
    tn_log_line(&link->guard->server->log, LOG_INFO, GUARD_LOG_AGAIN, link->upstream->name);
    tn_follow_begin(link);
    tn_lists_begin(link);
}

static void link_step(struct tn_link *link)
{
    tn_upkeep_step(link);
    if (!link->client) {
        tn_link_arm(link); /* the loop's time may be a little behind */
        return;
    }
    link->stepping = true;
    tenon_client_poll(link->client, 0);
    link->raw = (struct tn_slice){ NULL, 0 };
    if (!link->ready && link->client->stage == STAGE_READY) {
        link->ready = link->news = true;
        tn_upkeep_ready(link);
        tn_log_line(&link->guard->server->log, LOG_INFO, GUARD_LOG_STARTED, link->upstream->name,
                    tenon_client_revision(link->client));
        tn_follow_begin(link);
        tn_lists_begin(link);
    }
    if (link->ready && link->client->stage != STAGE_LOST) {
        link_renewed(link);
        tn_relays_go_on(link);
    }
    link->stepping = false;
    if (link->client->stage == STAGE_LOST && tn_ring_empty(&link->client->finished))
        link_lose(link);
    if (link->news)
        tn_seats_go_on(link);
    tn_link_arm(link);
}

/* Each start has an eye of its own: a handle lives until the loop has closed it. */
struct link_eye {
    uv_poll_t       poll;
    struct tn_link *link; /* NULL when it is closed */
    tenon_allocator memory;
};

static void on_poll(uv_poll_t *handle, int status, int events)
{
    struct link_eye *eye = handle->data;

    (void)status;
    (void)events;
    if (eye->link)
        link_step(eye->link);
}

static void eye_closed(uv_handle_t *handle)
{
    struct link_eye *eye    = handle->data;
    tenon_allocator  memory = eye->memory;

    tn_memory_free(&memory, eye, sizeof *eye);
}

static bool open_eye(struct tn_link *link)
{
    struct link_eye *eye = tn_memory_new(&link->guard->memory, sizeof *eye);

    if (!eye)
        return false;
    *eye = (struct link_eye){ .link = link, .memory = link->guard->memory };
    if (uv_poll_init(&link->guard->loop->uv, &eye->poll, link->client->watch.fd) != 0) {
        tn_memory_free(&link->guard->memory, eye, sizeof *eye);
        return false;
    }
    eye->poll.data = eye;
    uv_poll_start(&eye->poll, UV_READABLE, on_poll);
    uv_unref((uv_handle_t *)&eye->poll);
    link->eye = eye;
    return true;
}

/* Before its descriptor is closed. */
static void close_eye(struct tn_link *link)
{
    if (!link->eye)
        return;
    link->eye->link = NULL;
    uv_close((uv_handle_t *)&link->eye->poll, eye_closed);
    link->eye = NULL;
}

static void on_timer(uv_timer_t *handle)
{
    link_step(handle->data);
}

void tn_link_arm(struct tn_link *link)
{
    int due = -1, upkeep;

    if (link->stepping)
        return;
    if (link->client)
        due = link->client->stage == STAGE_LOST ? 0 : tenon_client_timeout(link->client);
    upkeep = tn_upkeep_due(link);
    if (due < 0 || (upkeep >= 0 && upkeep < due))
        due = upkeep;
    if (due < 0)
        uv_timer_stop(&link->timer);
    else
        uv_timer_start(&link->timer, on_timer, (uint64_t)due, 0);
}

/* ---- Beginning --------------------------------------------------------------------------------------------------- */

static struct tn_transport *connect_upstream(struct tn_link *link, const struct tn_transport_frame *frame)
{
    return link->upstream->words ? tn_process_transport_new(link->guard, link->upstream, frame)
                                 : link->upstream->connect(link->upstream, frame);
}

int tn_link_start(struct tn_link *link)
{
    struct tn_transport_frame frame;
    int                       rest = tn_upkeep_rest(link);

    if (rest > 0 || link->client)
        return rest;
    link->runs++;
    link->client = tn_client_new(&link->options);
    if (!link->client)
        return -1;
    tn_report_started(link);
    link->client->tap        = link_tap;
    link->client->tap_user   = link;
    link->client->halves     = true;
    link->client->hears      = true;
    link->client->answer_max = link->upstream->answer_max;
    link->client->junk       = link_junk;
    link->client->belated    = link_belated;
    link->renewals           = 0;
    link->client->either     = link->either;
    tn_client_frame(link->client, &frame);
    link->client = tn_client_attach(link->client, connect_upstream(link, &frame));
    if (!link->client)
        return -1;
    if (link->client->stage == STAGE_LOST || open_eye(link))
        return 0;
    tenon_client_free(link->client);
    link->client = NULL;
    return -1;
}

/* ---- What is promised --------------------------------------------------------------------------------------------- */

static const char *copy_text(struct tn_link *link, const char *text)
{
    return text ? tn_arena_copy(&link->arena, text, strlen(text)) : NULL;
}

static const char *promise_of(struct tn_arena *arena, const struct tn_seat *seat,
                              const struct tn_upstream *upstream, enum tn_link_scope scope)
{
    const struct tn_json_limits limits = { PROMISE_MAX, CLIENT_DEPTH_MAX, PROMISE_MAX };
    struct tn_buf               out;

    tn_buf_init(&out, arena, 64, PROMISE_MAX);
    tn_promise_write(&out, seat->guard, upstream,
                     scope == SCOPE_ALL || upstream->share == SHARE_ALL
                         ? NULL
                         : tn_json_read(arena, seat->capabilities, strlen(seat->capabilities), &limits).root);
    return tn_buf_end(&out) ? out.at : NULL;
}

/* What the client is, can be asked, and speaks, is what the server is promised. One that all share knows of no client. */
static void take_promise(struct tn_link *link, const struct tn_seat *seat, const char *promise)
{
    link->options  = (tenon_client_options){ .size    = sizeof link->options,
                                             .name    = link->shared ? NULL : copy_text(link, seat->name),
                                             .version = link->shared ? NULL : copy_text(link, seat->version),
                                             .capabilities = copy_text(link, promise),
                                             .max_rounds   = INPUT_ROUNDS_MAX,
                                             .ask          = link_ask,
                                             .note         = link_note,
                                             .user         = link,
                                             .memory       = &link->guard->memory };
    link->promised = link->shared || link->upstream->share == SHARE_ALL ? 0 : seat->abilities;
    if (!link->options.name)
        link->options.name = link->guard->server->name;
    if (!link->shared)
        link->options.log_level = seat->log_level;
    if (seat->modern)
        return;
    link->options.revision = tn_version_text(link->shared ? VERSION_LEGACY : seat->revision);
    link->either           = true;
}

static void link_free(struct tn_link *link)
{
    tenon_allocator memory = link->guard->memory;

    tn_account_release(link->account);
    tn_arena_free(&link->arena);
    tn_memory_free(&memory, link, sizeof *link);
}

static struct tn_link *link_new(const struct tn_seat *seat, const struct tn_upstream *upstream,
                                enum tn_link_scope scope, const char *promise)
{
    struct tn_guard *guard = seat->guard;
    struct tn_link  *link  = tn_memory_new(&guard->memory, sizeof *link);

    if (!link)
        return NULL;
    memset(link, 0, sizeof *link);
    link->guard    = guard;
    link->upstream = upstream;
    link->scope    = scope;
    link->shared   = scope == SCOPE_ALL;
    link->owner    = scope == SCOPE_SEAT ? seat->owner : NULL;
    link->account  = link->shared ? NULL : seat->account;
    link->due_ms   = tn_client_now_ms() + upstream->ready_ms;
    tn_account_hold(link->account);
    tn_arena_init(&link->arena, &guard->memory, 0);
    tn_ring_init(&link->waiting);
    tn_ring_init(&link->sent);
    tn_upkeep_begin(link);
    take_promise(link, seat, promise);
    if (scope == SCOPE_CALLER)
        link->caller = tn_guard_keep(&link->arena, seat->caller);
    if (link->arena.failed) { /* a promise that is not whole is another one */
        link_free(link);
        return NULL;
    }
    tn_lists_approved(link);
    uv_timer_init(&guard->loop->uv, &link->timer);
    uv_unref((uv_handle_t *)&link->timer);
    link->timer.data = link;
    link->next       = guard->links;
    guard->links     = link;
    return link;
}

/* ---- Whose it is -------------------------------------------------------------------------------------------------- */

static enum tn_link_scope scope_of(const struct tn_seat *seat, const struct tn_upstream *upstream)
{
    enum tn_link_scope by_session = seat->kind == SEAT_SESSION ? SCOPE_SEAT : SCOPE_ALL;
    enum tn_link_scope by_caller  = seat->caller.len > 0 ? SCOPE_CALLER : SCOPE_ALL;

    if (seat->on_pipe) /* its one client owns every server */
        return SCOPE_SEAT;
    switch (upstream->share) {
    case SHARE_ALL: return SCOPE_ALL;
    case SHARE_CALLER: return by_caller == SCOPE_CALLER ? by_caller : by_session;
    case SHARE_AUTO:
        if ((seat->abilities & upstream->questions) == 0)
            return SCOPE_ALL;
        if (seat->kind == SEAT_ALONE)
            return SCOPE_SEAT;
        break;
    default: break;
    }
    return by_session == SCOPE_SEAT ? by_session : by_caller;
}

static struct tn_link *find_link(const struct tn_seat *seat, const struct tn_upstream *upstream,
                                 enum tn_link_scope scope, const char *promise)
{
    struct tn_link *link = scope == SCOPE_SEAT ? NULL : seat->guard->links;

    while (link && (link->upstream != upstream || link->scope != scope ||
                    (scope == SCOPE_CALLER && (!tn_slice_same(link->caller, seat->caller) ||
                                               strcmp(link->options.capabilities, promise) != 0))))
        link = link->next;
    return link;
}

static bool is_free_but_for_withdrawn(const struct tn_link *link)
{
    return !tn_park_uses(link) && tn_ring_empty(&link->waiting) && tn_ring_empty(&link->sent);
}

bool tn_link_is_free(const struct tn_link *link)
{
    size_t own;

    return is_free_but_for_withdrawn(link) && tn_withdrawn_count(link, NULL, &own) == 0;
}

/* Nothing is under way on it: its server can be started again by the next request. */
bool tn_link_rests(const struct tn_link *link)
{
    bool asking = false;

    for (int list = 0; list < GUARD_LISTS; list++)
        asking |= link->lists[list].asking != NULL;
    return !asking && !link->follows && is_free_but_for_withdrawn(link);
}

/* Each may be a process. Many clients over HTTP never end their sessions, so the one of the caller that was not used for longest
 * makes room. */
bool tn_link_room(const struct tn_link *link)
{
    struct tn_link *oldest = NULL, *one;
    size_t          own = 0, all = 0;

    for (one = link->guard->links; one; one = one->next) {
        if (!one->client || one->upstream != link->upstream)
            continue;
        all++;
        if (one->shared || link->shared || one->account != link->account)
            continue;
        own++;
        if (tn_link_rests(one) && (!oldest || one->upkeep.used_ms < oldest->upkeep.used_ms))
            oldest = one;
    }
    if (all < LINKS_MAX && own < LINKS_EACH)
        return true;
    if (oldest)
        tn_link_sleep(oldest);
    return oldest != NULL;
}

struct tn_link *tn_link_for(struct tn_seat *seat, const struct tn_upstream *upstream)
{
    enum tn_link_scope scope = scope_of(seat, upstream);
    struct tn_link    *link  = NULL;
    const char        *promise;
    struct tn_arena    arena;

    tn_arena_init(&arena, &seat->guard->memory, 0);
    promise = promise_of(&arena, seat, upstream, scope);
    if (promise)
        link = find_link(seat, upstream, scope, promise);
    if (promise && !link)
        link = link_new(seat, upstream, scope, promise);
    tn_arena_free(&arena);
    return link;
}

/* No client has promised anything yet, as none does of what all share. */
void tn_links_start(struct tn_guard *guard)
{
    struct tn_seat nobody = {
        .guard = guard, .kind = SEAT_EVERYONE, .capabilities = "{}", .revision = VERSION_LEGACY
    };

    for (size_t i = 0; i < guard->upstream_count; i++) {
        const struct tn_upstream *upstream = &guard->upstreams[i];
        bool                      shared   = upstream->share == SHARE_ALL || upstream->share == SHARE_AUTO;
        struct tn_link *link = upstream->starts_now && shared ? tn_link_for(&nobody, upstream) : NULL;

        if (!link)
            continue;
        tn_link_start(link);
        tn_link_arm(link);
    }
}

/* ---- Its log ------------------------------------------------------------------------------------------------------ */

static void level_done(void *user, tenon_request *request)
{
    (void)user;
    tenon_request_free(request);
}

void tn_link_level(struct tn_link *link, const char *level)
{
    char params[64];

    link->options.log_level = level;
    if (!link->client)
        return;
    link->client->options.log_level = level; /* modern servers get it with each request */
    if (!link->ready || tn_link_is_modern(link) ||
        !yyjson_obj_get(yyjson_obj_get(link->client->server, "capabilities"), "logging"))
        return;
    snprintf(params, sizeof params, "{\"level\":\"%s\"}", level);
    tenon_client_request(link->client, "logging/setLevel", params, .done = level_done);
    tn_link_arm(link);
}

/* ---- The end ------------------------------------------------------------------------------------------------------ */

static void link_closed(uv_handle_t *handle)
{
    link_free(handle->data);
}

void tn_link_drop(struct tn_link *link)
{
    struct tn_link **at = &link->guard->links;

    while (*at != link)
        at = &(*at)->next;
    *at         = link->next;
    link->owner = NULL;
    for (struct tn_seat *seat = link->guard->seats; seat; seat = seat->next)
        if (seat->links[link->upstream->at] == link)
            seat->links[link->upstream->at] = NULL;
    tn_relays_end(link);
    tn_ask_forget(link);
    close_eye(link);
    tn_lists_free(link);
    tn_follow_free(link);
    tn_report_ended(link);
    tn_withdrawn_forget(link);
    tenon_client_free(link->client);
    link->client = NULL;
    uv_close((uv_handle_t *)&link->timer, link_closed);
}
