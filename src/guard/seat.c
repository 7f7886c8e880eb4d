/* seat.c - clients at the guard: found, seated, given up. */
#define _GNU_SOURCE
#include "guard/seat.h"

#include <string.h>

#include "base/memory.h"
#include "guard/follow.h"
#include "guard/relay.h"
#include "guard/timetable.h"
#include "json/write.h"
#include "mcp/session.h"

#define PROMISE_MAX ((size_t)64 << 10)

static size_t seat_size(const struct tn_guard *guard)
{
    return sizeof(struct tn_seat) + guard->upstream_count * sizeof(struct tn_link *);
}

/* ---- What the client is ---------------------------------------------------------------------------------------- */

static const char *copy_member(struct tn_seat *seat, yyjson_val *object, const char *name)
{
    struct tn_slice text = object ? tn_rpc_text(tn_rpc_get(object, name)) : (struct tn_slice){ NULL, 0 };

    return text.at ? tn_arena_copy(&seat->arena, text.at, text.len) : NULL;
}

static const char *end_text(struct tn_buf *out)
{
    return tn_buf_end(out) ? out->at : "{}";
}

static void read_capabilities(struct tn_seat *seat, yyjson_val *can)
{
    struct tn_buf out;

    seat->abilities = tn_abilities_of(can) & ~ABILITY_TASKS;
    tn_buf_init(&out, &seat->arena, 64, PROMISE_MAX);
    if (yyjson_is_obj(can))
        tn_json_value(&out, can);
    else
        tn_buf_lit(&out, "{}");
    seat->capabilities = end_text(&out);
}

/* A session that this process has not begun is known by what its id says. */
static void read_session(struct tn_seat *seat, struct tn_session *session)
{
    struct tn_buf out;

    seat->abilities = session->abilities & ~ABILITY_TASKS;
    seat->revision  = session->version;
    tn_buf_init(&out, &seat->arena, 64, PROMISE_MAX);
    tn_abilities_write(&out, session->abilities);
    seat->capabilities = end_text(&out);
}

static void read_client(struct tn_seat *seat, struct tn_exchange *x)
{
    yyjson_val *from = tn_exchange_is_modern(x) ? x->meta : x->params;
    yyjson_val *info;

    seat->modern   = tn_exchange_is_modern(x);
    seat->revision = VERSION_LEGACY;
    if (!seat->modern && x->on_http && x->session) {
        read_session(seat, x->session);
        return;
    }
    info          = tn_rpc_get(from, seat->modern ? META_PREFIX "clientInfo" : "clientInfo");
    seat->name    = copy_member(seat, info, "name");
    seat->version = copy_member(seat, info, "version");
    read_capabilities(seat, tn_rpc_get(from, seat->modern ? META_CAPABILITIES : "capabilities"));
    if (!seat->modern)
        seat->revision = tn_version_negotiated(x->params);
}

/* ---- Found or made ---------------------------------------------------------------------------------------------- */

static enum tn_seat_kind kind_of(const struct tn_exchange *x)
{
    if (x->session || !tn_exchange_is_modern(x))
        return SEAT_SESSION;
    if (x->caller.name.len > 0)
        return SEAT_CALLER;
    return tn_abilities_of(tn_rpc_get(x->meta, META_CAPABILITIES)) & ~ABILITY_TASKS ? SEAT_ALONE
                                                                                    : SEAT_EVERYONE;
}

/* Those that are used again and again are found soon. */
static struct tn_seat *move_first(struct tn_guard *guard, struct tn_seat **at)
{
    struct tn_seat *seat = *at;

    *at          = seat->next;
    seat->next   = guard->seats;
    guard->seats = seat;
    return seat;
}

/* Runs nothing of its client, or waits for it? All that its servers may ask is asked then. */
static bool seat_rests(const struct tn_seat *seat)
{
    if (seat->relays > seat->streams)
        return false;
    for (size_t i = 0; i < seat->guard->upstream_count; i++)
        if (seat->links[i] && !seat->links[i]->shared && !tn_link_is_free(seat->links[i]))
            return false;
    return true;
}

static bool has_server(const struct tn_seat *seat)
{
    for (size_t i = 0; i < seat->guard->upstream_count; i++)
        if (seat->links[i] && seat->links[i]->client)
            return true;
    return false;
}

/* Does it fit a client that promises `can`? */
static bool seat_fits(const struct tn_seat *seat, const struct tn_exchange *x, enum tn_seat_kind kind,
                      const char *can)
{
    if (seat->left || seat->kind != kind)
        return false;
    if (kind == SEAT_EVERYONE)
        return true;
    if (strcmp(seat->capabilities, can) != 0)
        return false;
    return kind == SEAT_CALLER ? tn_slice_same(seat->caller, x->caller.name)
                               : seat->account == x->account && seat_rests(seat);
}

/* One that has a server comes first; of two that have, the older: a client whose call was cancelled goes back to the server that it
 * had as soon as that is free, and finds there what it left. */
static bool comes_before(const struct tn_seat *seat, const struct tn_seat *other)
{
    bool has = has_server(seat);

    return has != has_server(other) ? has : seat->began_ms < other->began_ms;
}

static struct tn_seat *find_seat(struct tn_guard *guard, struct tn_exchange *x, enum tn_seat_kind kind)
{
    struct tn_seat **found = NULL;
    struct tn_buf    can;

    tn_buf_init(&can, &x->arena, 64, PROMISE_MAX);
    if (kind != SEAT_EVERYONE)
        tn_json_value(&can, tn_rpc_get(x->meta, META_CAPABILITIES));
    if (!tn_buf_end(&can))
        return NULL;
    for (struct tn_seat **seat = &guard->seats; *seat && (!found || kind == SEAT_ALONE);
         seat                  = &(*seat)->next)
        if (seat_fits(*seat, x, kind, can.at) && (!found || comes_before(*seat, *found)))
            found = seat;
    return found ? move_first(guard, found) : NULL;
}

/* Of two that may rest, the one that was not used for longer. */
static struct tn_seat *older(struct tn_seat *oldest, struct tn_seat *seat)
{
    bool free = seat->relays == 0 && (seat->kind != SEAT_ALONE || seat_rests(seat));

    return free && (!oldest || seat->used_ms < oldest->used_ms) ? seat : oldest;
}

/* One that rests is given up, when there are too many of this kind, or too many of this caller's. False when this caller may have
 * no more: all of them are in use. */
static bool make_room(struct tn_guard *guard, const struct tn_exchange *x, enum tn_seat_kind kind)
{
    struct tn_seat *oldest = NULL, *oldest_own = NULL;
    size_t          count = 0, own = 0;

    for (struct tn_seat *seat = guard->seats; seat; seat = seat->next) {
        bool is_own = kind == SEAT_CALLER ? tn_slice_same(seat->caller, x->caller.name)
                                          : seat->account == x->account;

        if (seat->kind != kind || seat->left)
            continue;
        count++;
        own += is_own;
        oldest     = older(oldest, seat);
        oldest_own = is_own ? older(oldest_own, seat) : oldest_own;
    }
    if (own >= (kind == SEAT_ALONE ? SEATS_ALONE : SEATS_EACH) && oldest_own)
        tn_seat_leave(oldest_own);
    else if (count >= SEATS_CALLERS_MAX && oldest)
        tn_seat_leave(oldest);
    else
        return kind != SEAT_ALONE || (own < SEATS_ALONE && count < SEATS_CALLERS_MAX);
    return true;
}

static struct tn_seat *seat_new(struct tn_guard *guard, struct tn_exchange *x, enum tn_seat_kind kind)
{
    struct tn_seat *seat = tn_memory_new(&guard->memory, seat_size(guard));

    if (!seat)
        return NULL;
    memset(seat, 0, seat_size(guard));
    seat->guard           = guard;
    seat->kind            = kind;
    seat->began_ms        = tn_client_now_ms();
    seat->mentions.memory = &guard->memory;
    seat->on_pipe         = !x->on_http;
    seat->account         = kind == SEAT_EVERYONE ? NULL : x->account;
    tn_account_hold(seat->account);
    tn_arena_init(&seat->arena, &guard->memory, 0);
    tn_ring_init(&seat->waiting);
    read_client(seat, x);
    if (kind != SEAT_EVERYONE)
        seat->caller = tn_guard_keep(&seat->arena, x->caller.name);
    if (seat->arena.failed) { /* of whom it is, and what that one can be asked, is not known */
        tn_account_release(seat->account);
        tn_arena_free(&seat->arena);
        tn_memory_free(&guard->memory, seat, seat_size(guard));
        return NULL;
    }
    seat->next   = guard->seats;
    guard->seats = seat;
    return seat;
}

/* The one client of a pipe has said what it is: its servers may start that are not to wait for a call. */
static void start_servers(struct tn_seat *seat)
{
    int why;

    for (size_t i = 0; seat->on_pipe && i < seat->guard->upstream_count; i++)
        if (seat->guard->upstreams[i].starts_now)
            tn_seat_link(seat, &seat->guard->upstreams[i], &why);
}

/* Of a client that has no session. */
static struct tn_seat *seat_for(struct tn_guard *guard, struct tn_exchange *x, enum tn_seat_kind kind)
{
    struct tn_seat *seat = find_seat(guard, x, kind);

    if (seat)
        return seat;
    if (kind != SEAT_EVERYONE && !make_room(guard, x, kind))
        return seat_for(guard, x, SEAT_EVERYONE);
    return seat_new(guard, x, kind);
}

/* Of a session that begins. */
static struct tn_seat *seat_begin(struct tn_guard *guard, struct tn_exchange *x)
{
    struct tn_seat *seat = seat_new(guard, x, SEAT_SESSION);

    if (seat && x->session)
        tn_seat_own(seat, x->session);
    if (seat)
        start_servers(seat);
    return seat;
}

struct tn_seat *tn_seat_of(struct tn_guard *guard, struct tn_exchange *x)
{
    struct tn_seat   *seat = x->session ? x->session->sourced : NULL;
    enum tn_seat_kind kind = kind_of(x);

    if (!seat)
        seat = kind == SEAT_SESSION ? seat_begin(guard, x) : seat_for(guard, x, kind);
    if (seat)
        seat->used_ms = tn_client_now_ms();
    else
        tn_exchange_fail_bare(x);
    return seat;
}

void tn_seat_own(struct tn_seat *seat, struct tn_session *session)
{
    session->sourced = seat;
    seat->owner      = session;
    for (size_t i = 0; i < seat->guard->upstream_count; i++)
        if (seat->links[i] && seat->links[i]->scope == SCOPE_SEAT)
            seat->links[i]->owner = session;
}

struct tn_link *tn_seat_link(struct tn_seat *seat, const struct tn_upstream *upstream, int *rest_ms)
{
    struct tn_link **link = &seat->links[upstream->at];

    *rest_ms = SEAT_NO_MEMORY;
    if (!*link)
        *link = tn_link_for(seat, upstream);
    if (!*link)
        return NULL;
    *rest_ms = SEAT_NO_ROOM;
    if (!(*link)->client && !tn_link_room(*link))
        return NULL;
    *rest_ms = tn_link_start(*link);
    tn_link_arm(*link);
    return *rest_ms == 0 ? *link : NULL;
}

/* ---- The end ------------------------------------------------------------------------------------------------------ */

void tn_seat_leave(struct tn_seat *seat)
{
    if (seat->owner)
        seat->owner->sourced = NULL;
    for (size_t i = 0; i < seat->guard->upstream_count; i++)
        if (seat->links[i] && seat->links[i]->owner == seat->owner)
            seat->links[i]->owner = NULL;
    seat->owner = NULL;
    seat->left  = true;
    tn_timetable_now(seat->guard);
}

/* Does nobody else have it? What all share stays. */
static bool is_last(const struct tn_seat *seat, const struct tn_link *link)
{
    if (!link || link->scope == SCOPE_ALL)
        return false;
    for (const struct tn_seat *other = seat->guard->seats; other; other = other->next)
        if (other->links[link->upstream->at] == link)
            return false;
    return true;
}

void tn_seat_drop(struct tn_seat *seat)
{
    tenon_allocator  memory = seat->guard->memory;
    struct tn_seat **at     = &seat->guard->seats;

    while (*at != seat)
        at = &(*at)->next;
    *at = seat->next;
    if (seat->owner)
        seat->owner->sourced = NULL;
    for (size_t i = 0; i < seat->guard->upstream_count; i++)
        if (is_last(seat, seat->links[i]))
            tn_link_drop(seat->links[i]);
    tn_follow_leave(seat);
    tn_account_release(seat->account);
    tn_mentions_free(&seat->mentions);
    tn_arena_free(&seat->arena);
    tn_memory_free(&memory, seat, seat_size(seat->guard));
}

void tn_seats_sweep(struct tn_guard *guard)
{
    struct tn_seat *seat = guard->seats, *next;

    for (; seat; seat = next) {
        next = seat->next;
        if (seat->left && seat->relays == 0)
            tn_seat_drop(seat);
    }
}

void tn_seats_go_on(struct tn_link *link)
{
    struct tn_seat *seat = link->guard->seats, *next;

    link->news = false;
    for (; seat; seat = next) {
        next = seat->next;
        if (seat->links[link->upstream->at] == link && !tn_ring_empty(&seat->waiting))
            tn_relays_route(seat);
    }
}
