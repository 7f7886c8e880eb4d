/* follow.c - who follows which resource and which task, and what servers are asked for that. */
#define _GNU_SOURCE
#include "guard/follow.h"

#include <string.h>

#include "base/memory.h"
#include "guard/phrases.h"
#include "guard/question/state.h"
#include "guard/route/route.h"
#include "guard/timetable.h"
#include "json/write.h"
#include "mcp/offer/subscribe.h"
#include "mcp/offer/watch.h"
#include "mcp/session.h"

#define LISTEN_MAX ((size_t)16 << 20)

/* A resource or a task on a link, and how many follow it there. */
struct tn_link_follow {
    struct tn_link_follow *next;
    struct tn_account     *account; /* held: whose share of the room it takes; or NULL */
    size_t                 count, len;
    bool                   task;
    bool                   asked; /* a legacy server was, or is by a request of a client */
    char                   uri[]; /* or the server's id of the task */
};

/* What the client of a seat follows. */
struct tn_seat_follow {
    struct tn_seat_follow *next;
    struct tn_link        *link;
    struct tn_exchange    *x; /* the stream that it is followed by, not held; NULL: the session */
    size_t                 len;
    size_t                 mark; /* bytes before the server's own id: of a task; else 0 */
    char                   uri[];
};

/* What is to be followed: a URI, or a task as its client knows it, with a mark before the server's id. */
struct followed {
    struct tn_slice text;
    size_t          mark;
};

static struct tn_slice own_text(struct followed what)
{
    return (struct tn_slice){ what.text.at + what.mark, what.text.len - what.mark };
}

static struct followed followed_by(const struct tn_seat_follow *one)
{
    return (struct followed){ { one->uri, one->len }, one->mark };
}

static struct tn_link_follow **find(struct tn_link *link, struct tn_slice uri, bool task);
static void                    link_follow_free(struct tn_link *link, struct tn_link_follow *one);

/* ---- What servers are asked ------------------------------------------------------------------------------------- */

static void request_done(void *user, tenon_request *request)
{
    (void)user;
    tenon_request_free(request);
}

/* Asks a legacy server; whatever it answers. False when so many requests are open that calls need the room, or without memory. */
static bool ask_legacy(struct tn_link *link, const char *method, struct tn_slice uri)
{
    bool            asked = false;
    struct tn_arena arena;
    struct tn_buf   params;

    if (!link->ready || tn_link_is_modern(link))
        return true;
    if (link->client->open_count > link->client->options.max_requests / 2)
        return false;
    tn_arena_init(&arena, &link->guard->memory, 0);
    tn_buf_init(&params, &arena, uri.len + 16, LISTEN_MAX);
    tn_buf_lit(&params, "{\"uri\":");
    tn_json_string(&params, uri.at, uri.len);
    tn_buf_char(&params, '}');
    if (tn_buf_end(&params))
        asked = tenon_client_request(link->client, method, params.at, .done = request_done) != NULL;
    tn_arena_free(&arena);
    tn_link_arm(link);
    return asked;
}

/* Asks a legacy server for what it was not asked for yet; the rest, a little later. */
static void subscribe(struct tn_link *link)
{
    link->relisten = false;
    for (struct tn_link_follow *one = link->follows; one && !link->relisten; one = one->next) {
        if (one->task || one->asked)
            continue;
        one->asked     = ask_legacy(link, "resources/subscribe", (struct tn_slice){ one->uri, one->len });
        link->relisten = !one->asked;
    }
    if (link->relisten)
        tn_timetable_at(link->guard, tn_client_now_ms() + FOLLOW_AGAIN_MS);
}

/* What is followed has changed: with the next turn of the loop a modern server gets a new request for all of it, a legacy one
 * for what is new. */
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

static bool write_texts(struct tn_buf *out, const struct tn_link *link, const char *key, bool tasks)
{
    bool any = false;

    for (const struct tn_link_follow *one = link->follows; one; one = one->next) {
        if (one->task != tasks)
            continue;
        if (!any)
            tn_result_key(out, key);
        tn_buf_char(out, any ? ',' : '[');
        tn_json_string(out, one->uri, one->len);
        any = true;
    }
    if (any)
        tn_buf_char(out, ']');
    return any;
}

/* What is listened to, as params. False when there is nothing. Tasks are for clients that have the extension, which the guard does
 * have where it was given one. */
static bool write_filter(struct tn_buf *out, const struct tn_link *link)
{
    static const char *const lists[][2] = { { "tools", "toolsListChanged" },
                                            { "prompts", "promptsListChanged" },
                                            { "resources", "resourcesListChanged" } };
    size_t                   from;
    bool                     tasks;

    tn_buf_lit(out, "{\"notifications\":{");
    from = out->len;
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        if (reports(link, lists[i][0])) {
            tn_result_key(out, lists[i][1]);
            tn_buf_lit(out, "true");
        }
    write_texts(out, link, "resourceSubscriptions", false);
    tasks = write_texts(out, link, "taskIds", true);
    if (out->len == from)
        return false;
    tn_buf_char(out, '}');
    if (tasks)
        tn_buf_lit(out,
                   ",\"_meta\":{\"" META_CAPABILITIES "\":{\"extensions\":{\"" META_PREFIX "tasks\":{}}}}");
    tn_buf_char(out, '}');
    return !out->failed;
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
        if (!one->task && (uri.len == 0 || is_of((struct tn_slice){ one->uri, one->len }, uri, own))) {
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

/* A stream that follows a task, held, and how its client knows it. */
struct hearer {
    struct tn_exchange *x;
    struct tn_slice     token;
};

/* Those who follow a task of the server's, in the arena. */
static struct hearer *find_hearers(struct tn_arena *arena, const struct tn_link *link, struct tn_slice id,
                                   size_t most, size_t *count)
{
    struct hearer *all = tn_arena_array(arena, most, struct hearer);

    *count = 0;
    for (const struct tn_seat *seat = all ? link->guard->seats : NULL; seat; seat = seat->next)
        for (const struct tn_seat_follow *one = seat->follows; one && *count < most; one = one->next) {
            if (one->mark == 0 || one->link != link || !tn_slice_same(own_text(followed_by(one)), id))
                continue;
            all[*count].token.at  = tn_arena_copy(arena, one->uri, one->len);
            all[*count].token.len = one->len;
            if (!all[*count].token.at)
                return all;
            all[(*count)++].x = one->x;
            tn_exchange_hold(one->x);
        }
    return all;
}

void tn_follow_task(struct tn_link *link, yyjson_val *params)
{
    struct tn_slice              id  = tn_rpc_text(yyjson_obj_get(params, "taskId"));
    const struct tn_link_follow *one = id.len > 0 ? *find(link, id, true) : NULL;
    size_t                       count;
    struct tn_slice              message;
    struct hearer               *all;
    struct tn_arena              arena;

    if (!one)
        return;
    tn_arena_init(&arena, &link->guard->memory, 0);
    all = find_hearers(&arena, link, id, one->count, &count);
    for (size_t i = 0; i < count; i++) { /* a client that is sent to may leave meanwhile */
        if (tn_state_note(&arena, link, all[i].x, all[i].token, params, &message))
            tn_exchange_send(all[i].x, OUT_NOTE, message);
        tn_exchange_release(all[i].x);
    }
    tn_arena_free(&arena);
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
    for (struct tn_link_follow *one = link->follows; one; one = one->next)
        one->asked = false;
    if (tn_link_is_modern(link))
        open_stream(link);
    else
        subscribe(link);
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
        link_follow_free(link, one);
    }
    tn_follow_forget(link); /* its requests are freed with its client */
}

void tn_follow_due(struct tn_guard *guard, int64_t now)
{
    for (struct tn_link *link = guard->links; link; link = link->next) {
        if (link->ready && link->relisten && !tn_link_is_modern(link))
            subscribe(link);
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

static struct tn_link_follow **find(struct tn_link *link, struct tn_slice uri, bool task)
{
    struct tn_link_follow **at = &link->follows;

    while (*at && ((*at)->task != task || !tn_slice_same((struct tn_slice){ (*at)->uri, (*at)->len }, uri)))
        at = &(*at)->next;
    return at;
}

bool tn_follow_has(const struct tn_link *link, struct tn_slice uri)
{
    return *find((struct tn_link *)(uintptr_t)link, uri, false) != NULL;
}

static struct tn_seat_follow **find_seat(struct tn_seat *seat, const struct tn_exchange *x,
                                         struct followed what)
{
    struct tn_seat_follow **at = &seat->follows;

    while (*at && ((*at)->x != x || (*at)->mark != what.mark ||
                   !tn_slice_same((struct tn_slice){ (*at)->uri, (*at)->len }, what.text)))
        at = &(*at)->next;
    return at;
}

/* Is there room on the link? One caller of several does not get all of it: what it has may not be more than what is left. */
static bool has_room(const struct tn_link *link, const struct tn_account *account)
{
    size_t own = 0, left = FOLLOWS_MAX - link->follow_count;

    for (const struct tn_link_follow *one = link->shared ? link->follows : NULL; one; one = one->next)
        own += one->account == account;
    return left > 0 && (own == 0 || !account || account->alone || own < left);
}

static void link_follow_free(struct tn_link *link, struct tn_link_follow *one)
{
    tn_account_release(one->account);
    tn_memory_free(&link->guard->memory, one, sizeof *one + one->len);
}

/* One more follows it on the link. The first lets the server know, unless a request of a client does. */
static bool count_up(struct tn_link *link, struct followed what, bool asks, struct tn_account *account)
{
    struct tn_slice        text = own_text(what);
    struct tn_link_follow *one  = *find(link, text, what.mark > 0);

    if (one) {
        one->count++;
        return true;
    }
    one = has_room(link, account) ? tn_memory_new(&link->guard->memory, sizeof *one + text.len) : NULL;
    if (!one)
        return false;
    *one = (struct tn_link_follow){
        .next = link->follows, .account = account, .count = 1, .len = text.len, .task = what.mark > 0
    };
    tn_account_hold(account);
    memcpy(one->uri, text.at, text.len);
    link->follows = one;
    link->follow_count++;
    one->asked = !asks;
    renew(link);
    return true;
}

static void count_down(struct tn_link *link, struct followed what)
{
    struct tn_link_follow **at = find(link, own_text(what), what.mark > 0), *one = *at;

    if (!one || --one->count > 0)
        return;
    *at = one->next;
    link->follow_count--;
    if (!one->task && one->asked)
        ask_legacy(link, "resources/unsubscribe", what.text);
    renew(link);
    link_follow_free(link, one);
}

/* In the session of the seat, or by the stream `x`. */
static bool add(struct tn_seat *seat, struct tn_link *link, struct tn_exchange *x, struct followed what)
{
    tenon_allocator       *memory = &seat->guard->memory;
    struct tn_seat_follow *one;

    if (*find_seat(seat, x, what))
        return true;
    one = tn_memory_new(memory, sizeof *one + what.text.len);
    if (!one)
        return false;
    *one = (struct tn_seat_follow){
        .next = seat->follows, .link = link, .x = x, .len = what.text.len, .mark = what.mark
    };
    memcpy(one->uri, what.text.at, what.text.len);
    if ((!x && !tn_watch_add(seat->owner, what.text)) ||
        !count_up(link, what, x != NULL, x ? x->account : seat->account)) {
        tn_memory_free(memory, one, sizeof *one + what.text.len);
        return false;
    }
    seat->follows = one;
    return true;
}

bool tn_follow_add(struct tn_seat *seat, struct tn_link *link, struct tn_exchange *x, struct tn_slice uri)
{
    return add(seat, link, x, (struct followed){ .text = uri });
}

static void release(struct tn_seat *seat, struct tn_seat_follow **at)
{
    struct tn_seat_follow *one = *at;

    *at = one->next;
    if (!one->x && seat->owner)
        tn_watch_drop(seat->owner, (struct tn_slice){ one->uri, one->len });
    count_down(one->link, followed_by(one));
    tn_memory_free(&seat->guard->memory, one, sizeof *one + one->len);
}

bool tn_follow_drop(struct tn_seat *seat, struct tn_exchange *x, struct tn_slice uri)
{
    struct tn_seat_follow **at = find_seat(seat, x, (struct followed){ .text = uri });

    if (!*at)
        return false;
    release(seat, at);
    return true;
}

/* A stream is over, and all that it followed. */
static void drop_stream(struct tn_seat *seat, const struct tn_exchange *x)
{
    struct tn_seat_follow **at = &seat->follows;

    while (*at)
        if ((*at)->x == x)
            release(seat, at);
        else
            at = &(*at)->next;
}

void tn_follow_leave(struct tn_seat *seat)
{
    while (seat->follows)
        release(seat, &seat->follows);
}

/* ---- Streams of modern clients ----------------------------------------------------------------------------------------- */

/* The upstream that has this task of the caller's, and the mark before its id; NULL when there is none. */
static const struct tn_upstream *find_task(const struct tn_guard *guard, const struct tn_exchange *x,
                                           struct tn_slice token, size_t *mark)
{
    struct tn_slice id;

    for (size_t i = 0; i < guard->upstream_count; i++)
        if (tn_state_is_task(x, &guard->upstreams[i], token, &id) && id.len > 0) {
            *mark = token.len - id.len;
            return &guard->upstreams[i];
        }
    return NULL;
}

bool tn_follow_knows_task(void *user, struct tn_exchange *x, struct tn_slice token)
{
    size_t mark;

    return x->abilities & ABILITY_TASKS && find_task(user, x, token, &mark);
}

static void stream_follows(struct tn_seat *seat, struct tn_exchange *x, const struct tn_upstream *upstream,
                           struct followed what)
{
    int             rest;
    struct tn_link *link = upstream ? tn_seat_link(seat, upstream, &rest) : NULL;

    if (link)
        add(seat, link, x, what);
}

static void stream_begins(struct tn_seat *seat, struct tn_exchange *x, const struct tn_listened *what)
{
    struct followed one;

    for (size_t i = 0; i < what->uri_count; i++)
        stream_follows(seat, x, tn_route_find_uri(seat, x, what->uris[i]),
                       (struct followed){ .text = what->uris[i] });
    for (size_t i = 0; i < what->task_count; i++) {
        const struct tn_upstream *upstream = find_task(seat->guard, x, what->tasks[i], &one.mark);

        one.text = what->tasks[i];
        stream_follows(seat, x, upstream, one);
    }
}

void tn_follow_listens(void *user, struct tn_exchange *x, const struct tn_listened *what, bool begins)
{
    struct tn_seat *seat = x->sourced;

    (void)user;
    if (!seat)
        return;
    if (begins) {
        stream_begins(seat, x, what);
        seat->relays++;
        seat->streams++;
        return;
    }
    drop_stream(seat, x);
    seat->relays--;
    seat->streams--;
    x->sourced = NULL;
    if (seat->relays == 0 && seat->left)
        tn_timetable_now(seat->guard);
}
