/* follow.c - who follows which resource, and what servers are asked for that. */
#define _GNU_SOURCE
#include "guard/follow.h"

#include <string.h>

#include "base/memory.h"
#include "guard/phrases.h"
#include "guard/route/route.h"
#include "guard/timetable.h"
#include "json/write.h"
#include "mcp/offer/subscribe.h"
#include "mcp/offer/watch.h"
#include "mcp/session.h"

#define LISTEN_MAX ((size_t)16 << 20)

/* A resource on a link, and how many follow it there. */
struct tn_link_follow {
    struct tn_link_follow *next;
    size_t                 count, len;
    char                   uri[];
};

/* A resource that the client of a seat follows. */
struct tn_seat_follow {
    struct tn_seat_follow *next;
    struct tn_link        *link;
    struct tn_exchange    *x; /* the stream that it is followed by, not held; NULL: the session */
    size_t                 len;
    char                   uri[];
};

/* ---- What servers are asked ------------------------------------------------------------------------------------- */

static void request_done(void *user, tenon_request *request)
{
    (void)user;
    tenon_request_free(request);
}

/* Asks a legacy server; whatever it answers. */
static void ask_legacy(struct tn_link *link, const char *method, struct tn_slice uri)
{
    struct tn_arena arena;
    struct tn_buf   params;

    if (!link->ready || tn_link_is_modern(link))
        return;
    tn_arena_init(&arena, &link->guard->memory, 0);
    tn_buf_init(&params, &arena, uri.len + 16, LISTEN_MAX);
    tn_buf_lit(&params, "{\"uri\":");
    tn_json_string(&params, uri.at, uri.len);
    tn_buf_char(&params, '}');
    if (tn_buf_end(&params))
        tenon_client_request(link->client, method, params.at, .done = request_done);
    tn_arena_free(&arena);
    tn_link_arm(link);
}

/* What is followed has changed: a modern server gets a new request for all of it, with the next turn of the loop. */
static void renew(struct tn_link *link)
{
    link->relisten = true;
    tn_timetable_now(link->guard);
}

static bool reports(const struct tn_link *link, const char *capability)
{
    yyjson_val *all = yyjson_obj_get(link->client->server, "capabilities");

    return yyjson_is_true(yyjson_obj_get(yyjson_obj_get(all, capability), "listChanged"));
}

/* What is listened to, as params. False when there is nothing. */
static bool write_filter(struct tn_buf *out, const struct tn_link *link)
{
    static const char *const lists[][2] = { { "tools", "toolsListChanged" },
                                            { "prompts", "promptsListChanged" },
                                            { "resources", "resourcesListChanged" } };
    size_t                   from;

    tn_buf_lit(out, "{\"notifications\":{");
    from = out->len;
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        if (reports(link, lists[i][0])) {
            tn_result_key(out, lists[i][1]);
            tn_buf_lit(out, "true");
        }
    if (link->follows) {
        tn_result_key(out, "resourceSubscriptions");
        tn_buf_char(out, '[');
        for (const struct tn_link_follow *one = link->follows; one; one = one->next) {
            if (one != link->follows)
                tn_buf_char(out, ',');
            tn_json_string(out, one->uri, one->len);
        }
        tn_buf_char(out, ']');
    }
    tn_buf_lit(out, "}}");
    return !out->failed && out->len > from + 2;
}

/* ---- Changes ------------------------------------------------------------------------------------------------------ */

/* Is the client at a seat with this link? */
static bool is_concerned(void *user, const struct tn_session *session, const struct tn_exchange *x)
{
    const struct tn_link *link = user;
    const struct tn_seat *seat = session ? session->sourced : x->sourced;

    return seat && seat->links[link->upstream->at] == link;
}

/* Does a change of `uri` concern those that follow this? Without a follower of its own it may be a part of it. */
static bool is_of(struct tn_slice followed, struct tn_slice uri, bool own)
{
    if (own)
        return tn_slice_same(followed, uri);
    return followed.len < uri.len && memcmp(followed.at, uri.at, followed.len) == 0;
}

/* Notifies the followers of `uri`, or with an empty one all of them. Whoever is sent to may leave meanwhile: URIs are copies. */
static void notify(struct tn_link *link, struct tn_slice uri)
{
    bool             own   = uri.len > 0 && tn_follow_has(link, uri);
    size_t           count = 0;
    struct tn_slice *all;
    struct tn_arena  arena;

    tn_arena_init(&arena, &link->guard->memory, 0);
    all = tn_arena_array(&arena, link->follow_count + 1, struct tn_slice);
    for (const struct tn_link_follow *one = all ? link->follows : NULL; one; one = one->next)
        if (uri.len == 0 || is_of((struct tn_slice){ one->uri, one->len }, uri, own)) {
            all[count].at    = tn_arena_copy(&arena, one->uri, one->len);
            all[count++].len = one->len;
        }
    for (size_t i = 0; i < count && !arena.failed; i++)
        tn_subscribe_updated_for(link->guard->server, uri.len > 0 ? uri : all[i], all[i], is_concerned, link);
    tn_arena_free(&arena);
}

void tn_follow_updated(struct tn_link *link, struct tn_slice uri)
{
    notify(link, uri);
}

/* ---- Streams of modern servers ------------------------------------------------------------------------------------ */

static void listen_done(void *user, tenon_request *request)
{
    struct tn_link *link    = user;
    bool            refused = tenon_request_state_of(request) == TENON_REQUEST_REFUSED;

    tn_log_line(&link->guard->server->log, LOG_INFO, GUARD_LOG_LISTEN, link->upstream->name,
                tenon_request_why(request));
    if (request == link->next_listen)
        link->next_listen = NULL;
    if (request == link->listen)
        link->listen = NULL;
    tenon_request_free(request);
    link->listens = link->listen != NULL;
    if (refused || link->listen || link->next_listen)
        return; /* a server that knows no such streams is looked at now and then (lists.c) */
    link->listen_pause_ms = link->listen_pause_ms == 0                      ? FOLLOW_PAUSE_MS
                            : link->listen_pause_ms * 2 < FOLLOW_PAUSE_MOST ? link->listen_pause_ms * 2
                                                                            : FOLLOW_PAUSE_MOST;
    link->listen_ms       = tn_client_now_ms() + link->listen_pause_ms;
    tn_timetable_at(link->guard, link->listen_ms);
}

/* Opens a stream for what is followed now. The one before it is closed when this one is agreed to. */
static void open_stream(struct tn_link *link)
{
    const tenon_request_options options = { .size = sizeof options, .done = listen_done, .user = link };
    struct tn_arena             arena;
    struct tn_buf               params;

    link->relisten  = false;
    link->listen_ms = 0;
    tn_arena_init(&arena, &link->guard->memory, 0);
    tn_buf_init(&params, &arena, 256, LISTEN_MAX);
    if (write_filter(&params, link))
        link->next_listen = tn_request_new(link->client, REQUEST_LISTEN, "subscriptions/listen",
                                           tn_buf_slice(&params), &options);
    else if (link->listen) {
        tenon_request_free(link->listen);
        link->listen = NULL;
    }
    tn_arena_free(&arena);
    if (link->next_listen)
        tn_request_start(link->next_listen);
    tn_link_arm(link);
}

bool tn_follow_is_current(struct tn_link *link, struct tn_slice method, yyjson_val *params)
{
    yyjson_val *stream = yyjson_obj_get(yyjson_obj_get(params, "_meta"), META_SUBSCRIPTION);
    int64_t     id     = yyjson_is_int(stream) ? yyjson_get_sint(stream) : 0;

    if (tn_slice_is(method, "notifications/subscriptions/acknowledged")) {
        if (link->next_listen && link->next_listen->id == id) {
            if (link->listen)
                tenon_request_free(link->listen);
            link->listen      = link->next_listen;
            link->next_listen = NULL;
            link->listens     = true;
        }
        link->listen_pause_ms = 0;
        if (link->relisten)
            tn_timetable_now(link->guard);
        return false;
    }
    return !id || !link->listen || link->listen->id == id;
}

/* ---- The life of a link ----------------------------------------------------------------------------------------------- */

void tn_follow_begin(struct tn_link *link)
{
    if (tn_link_is_modern(link))
        open_stream(link);
    for (const struct tn_link_follow *one = link->follows; one; one = one->next)
        ask_legacy(link, "resources/subscribe", (struct tn_slice){ one->uri, one->len });
    notify(link, (struct tn_slice){ NULL, 0 }); /* who knows what has happened in between */
}

void tn_follow_forget(struct tn_link *link)
{
    link->listen = link->next_listen = NULL;
    link->listens = link->relisten = false;
    link->listen_ms                = 0;
}

/* Takes out what clients follow on it. */
static void forget_seats(struct tn_link *link)
{
    for (struct tn_seat *seat = link->guard->seats; seat; seat = seat->next)
        for (struct tn_seat_follow **at = &seat->follows; *at;) {
            struct tn_seat_follow *one = *at;

            if (one->link != link) {
                at = &one->next;
                continue;
            }
            *at = one->next;
            tn_memory_free(&link->guard->memory, one, sizeof *one + one->len);
        }
}

void tn_follow_free(struct tn_link *link)
{
    forget_seats(link);
    while (link->follows) {
        struct tn_link_follow *one = link->follows;

        link->follows = one->next;
        tn_memory_free(&link->guard->memory, one, sizeof *one + one->len);
    }
    tn_follow_forget(link); /* its requests are freed with its client */
}

void tn_follow_due(struct tn_guard *guard, int64_t now)
{
    for (struct tn_link *link = guard->links; link; link = link->next) {
        if (!link->ready || !tn_link_is_modern(link) || link->next_listen)
            continue;
        if (link->relisten || (link->listen_ms > 0 && link->listen_ms <= now)) {
            bool ended = link->listen_ms > 0;

            open_stream(link);
            if (ended)
                notify(link, (struct tn_slice){ NULL, 0 });
        } else if (link->listen_ms > 0)
            tn_timetable_at(guard, link->listen_ms);
    }
}

/* ---- Who follows what -------------------------------------------------------------------------------------------------- */

static struct tn_link_follow **find(struct tn_link *link, struct tn_slice uri)
{
    struct tn_link_follow **at = &link->follows;

    while (*at && !tn_slice_same((struct tn_slice){ (*at)->uri, (*at)->len }, uri))
        at = &(*at)->next;
    return at;
}

bool tn_follow_has(const struct tn_link *link, struct tn_slice uri)
{
    return *find((struct tn_link *)(uintptr_t)link, uri) != NULL;
}

static struct tn_seat_follow **find_seat(struct tn_seat *seat, const struct tn_exchange *x,
                                         struct tn_slice uri)
{
    struct tn_seat_follow **at = &seat->follows;

    while (*at && ((*at)->x != x || !tn_slice_same((struct tn_slice){ (*at)->uri, (*at)->len }, uri)))
        at = &(*at)->next;
    return at;
}

/* One more follows it on the link. The first lets the server know, unless a request of a client does. */
static bool count_up(struct tn_link *link, struct tn_slice uri, bool asks)
{
    struct tn_link_follow *one = *find(link, uri);

    if (one) {
        one->count++;
        return true;
    }
    one = link->follow_count < FOLLOWS_MAX ? tn_memory_new(&link->guard->memory, sizeof *one + uri.len)
                                           : NULL;
    if (!one)
        return false;
    *one = (struct tn_link_follow){ .next = link->follows, .count = 1, .len = uri.len };
    memcpy(one->uri, uri.at, uri.len);
    link->follows = one;
    link->follow_count++;
    if (asks)
        ask_legacy(link, "resources/subscribe", uri);
    renew(link);
    return true;
}

static void count_down(struct tn_link *link, struct tn_slice uri)
{
    struct tn_link_follow **at = find(link, uri), *one = *at;

    if (!one || --one->count > 0)
        return;
    *at = one->next;
    link->follow_count--;
    ask_legacy(link, "resources/unsubscribe", uri);
    renew(link);
    tn_memory_free(&link->guard->memory, one, sizeof *one + one->len);
}

bool tn_follow_add(struct tn_seat *seat, struct tn_link *link, struct tn_exchange *x, struct tn_slice uri)
{
    tenon_allocator       *memory = &seat->guard->memory;
    struct tn_seat_follow *one;

    if (*find_seat(seat, x, uri))
        return true;
    one = tn_memory_new(memory, sizeof *one + uri.len);
    if (!one)
        return false;
    *one = (struct tn_seat_follow){ .next = seat->follows, .link = link, .x = x, .len = uri.len };
    memcpy(one->uri, uri.at, uri.len);
    if ((!x && !tn_watch_add(seat->owner, uri)) || !count_up(link, uri, x != NULL)) {
        tn_memory_free(memory, one, sizeof *one + uri.len);
        return false;
    }
    seat->follows = one;
    return true;
}

static void release(struct tn_seat *seat, struct tn_seat_follow **at)
{
    struct tn_seat_follow *one = *at;

    *at = one->next;
    if (!one->x && seat->owner)
        tn_watch_drop(seat->owner, (struct tn_slice){ one->uri, one->len });
    count_down(one->link, (struct tn_slice){ one->uri, one->len });
    tn_memory_free(&seat->guard->memory, one, sizeof *one + one->len);
}

bool tn_follow_drop(struct tn_seat *seat, struct tn_exchange *x, struct tn_slice uri)
{
    struct tn_seat_follow **at = find_seat(seat, x, uri);

    if (!*at)
        return false;
    release(seat, at);
    return true;
}

void tn_follow_leave(struct tn_seat *seat)
{
    while (seat->follows)
        release(seat, &seat->follows);
}

void tn_follow_listens(void *user, struct tn_exchange *x, const struct tn_slice *uris, size_t count,
                       bool begins)
{
    struct tn_seat *seat = x->sourced;

    (void)user;
    if (!seat)
        return;
    for (size_t i = 0; i < count; i++) {
        const struct tn_upstream *upstream = begins ? tn_route_find_uri(seat, x, uris[i]) : NULL;
        int                       rest;
        struct tn_link           *link = upstream ? tn_seat_link(seat, upstream, &rest) : NULL;

        if (link)
            tn_follow_add(seat, link, x, uris[i]);
        else if (!begins)
            tn_follow_drop(seat, x, uris[i]);
    }
    seat->relays = begins ? seat->relays + 1 : seat->relays - 1;
    if (!begins)
        x->sourced = NULL;
    if (seat->relays == 0 && seat->left)
        tn_timetable_now(seat->guard);
}
