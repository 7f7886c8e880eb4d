/* http.c - all exchanges with one server, moved by curl's own events. */
#define _POSIX_C_SOURCE 200809L
#include "http/http.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "http/exchange.h"

#define NOTES_MAX 64   /* that a server may leave without a response, each with a connection of its own */
#define LISTEN_MS 2000 /* for a server to open the stream of what it sends on its own */

static struct http_way *way_of(const struct tn_transport *transport)
{
    return (struct http_way *)transport;
}

/* ---- What curl asks for ------------------------------------------------------------------------------------- */

static int watch_socket(CURL *easy, curl_socket_t fd, int what, void *user, void *unused)
{
    struct http_way *way = user;

    (void)easy, (void)unused;
    tn_watch_set(way->watch, fd,
                 what == CURL_POLL_REMOVE ? 0u
                                          : (what & CURL_POLL_IN ? (unsigned)WATCH_READ : 0u) |
                                                (what & CURL_POLL_OUT ? (unsigned)WATCH_WRITE : 0u));
    return 0;
}

static int set_timer(CURLM *multi, long timeout_ms, void *user)
{
    struct http_way *way = user;

    (void)multi;
    way->timer_ms = timeout_ms < 0 ? TRANSPORT_NEVER : http_now_ms() + timeout_ms;
    return 0;
}

static void move_bytes(struct http_way *way, const struct tn_ready *ready, size_t count)
{
    int      running, queued;
    CURLMsg *message;

    for (size_t i = 0; i < count; i++) {
        if (way->watches && ready[i].fd == way->login->fd)
            continue;
        curl_multi_socket_action(way->multi, ready[i].fd,
                                 (ready[i].what & WATCH_READ ? CURL_CSELECT_IN : 0) |
                                     (ready[i].what & WATCH_WRITE ? CURL_CSELECT_OUT : 0),
                                 &running);
    }
    if (way->timer_ms <= http_now_ms()) {
        way->timer_ms = TRANSPORT_NEVER;
        curl_multi_socket_action(way->multi, CURL_SOCKET_TIMEOUT, 0, &running);
    }
    while ((message = curl_multi_info_read(way->multi, &queued))) {
        char *user = NULL;

        if (message->msg != CURLMSG_DONE ||
            curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &user) != CURLE_OK || !user)
            continue;
        if (((struct exchange *)user)->phase == PHASE_RUNNING)
            ((struct exchange *)user)->phase = PHASE_ENDED;
        ((struct exchange *)user)->code = message->data.result;
    }
}

/* ---- The stream that is listened to ------------------------------------------------------------------------- */

static bool is_to_listen(const struct http_way *way)
{
    return way->base.listens && way->session[0] && !way->listened;
}

/* Opens it once, and gives the server a moment to accept it: what it sends before would be lost. */
static void listen_once(struct http_way *way)
{
    if (!is_to_listen(way))
        return;
    way->listened = true;
    way->listener = exchange_new(way, EXCHANGE_LISTEN, NULL);
    if (!way->listener)
        return;
    way->listener->due_ms = http_now_ms() + LISTEN_MS;
    if (!exchange_start(way->listener))
        way->listener->phase = PHASE_OVER;
}

/* Until when requests wait for it; 0 when they need not. */
static int64_t listening_ms(const struct http_way *way)
{
    const struct exchange *listener = way->listener;

    return listener && listener->phase == PHASE_RUNNING && !listener->headed && !listener->resumes
               ? listener->due_ms
               : 0;
}

/* ---- The transport ------------------------------------------------------------------------------------------ */

static void start_one(struct http_way *way, struct exchange *one)
{
    const struct tn_transport_sink *sink = &way->base.sink;

    if (exchange_start(one))
        return;
    one->phase = PHASE_OVER;
    if (one->kind != EXCHANGE_LISTEN)
        sink->ended(sink->user, one->key, END_UNSENT, 0, "out of memory");
}

static void start_waiting(struct http_way *way)
{
    int64_t now = http_now_ms();

    for (struct exchange *one = way->first; one; one = one->next) {
        bool held = one->kind == EXCHANGE_REQUEST && !one->resumes && listening_ms(way) > now;

        if (one->phase == PHASE_WAITING && !held && one->due_ms <= now)
            start_one(way, one);
    }
}

/* Those that wait for a token go on when there is one, or none will come. */
static void go_on_after_login(struct http_way *way)
{
    bool waits = false;

    for (struct exchange *one = way->first; one; one = one->next) {
        if (one->phase == PHASE_LOGIN)
            start_one(way, one);
        waits = waits || one->phase == PHASE_LOGIN;
    }
    if (waits != way->watches)
        tn_watch_set(way->watch, way->login->fd, waits ? WATCH_READ : 0);
    way->watches = waits;
}

static void sweep(struct http_way *way)
{
    struct exchange **at = &way->first, *one;

    while ((one = *at)) {
        if (one->phase != PHASE_OVER) {
            at = &one->next;
            continue;
        }
        *at = one->next;
        if (way->listener == one)
            way->listener = NULL;
        exchange_free(one);
    }
    way->last = at;
}

static void http_step(struct tn_transport *transport, const struct tn_ready *ready, size_t count)
{
    struct http_way *way = way_of(transport);

    move_bytes(way, ready, count);
    for (struct exchange *one = way->first; one; one = one->next)
        if (one->phase == PHASE_RUNNING || one->phase == PHASE_ENDED)
            exchange_take(one);
    sweep(way);
    listen_once(way);
    start_waiting(way);
    go_on_after_login(way);
    sweep(way);
}

static bool http_send(struct tn_transport *transport, const struct tn_parcel *parcel)
{
    struct http_way *way = way_of(transport);

    if (!parcel->answered && way->base.notes == NOTES_MAX)
        return false;
    return exchange_new(way, parcel->answered ? EXCHANGE_REQUEST : EXCHANGE_NOTE, parcel) != NULL;
}

static void http_forget(struct tn_transport *transport, int64_t key)
{
    for (struct exchange *one = way_of(transport)->first; one; one = one->next)
        if (one->key == key && one->kind == EXCHANGE_REQUEST)
            one->phase = PHASE_OVER; /* freed by the next step */
}

static int64_t http_due(const struct tn_transport *transport)
{
    struct http_way *way  = way_of(transport);
    int64_t          due  = is_to_listen(way) ? 0 : way->timer_ms;
    int64_t          held = listening_ms(way);

    for (const struct exchange *one = way->first; one; one = one->next) {
        int64_t at = one->due_ms;

        if (one->phase == PHASE_OVER)
            at = 0;
        else if (one->phase == PHASE_LOGIN)
            at = way->watches ? TRANSPORT_NEVER : 0;
        else if (one->phase != PHASE_WAITING)
            continue;
        else if (one->kind == EXCHANGE_REQUEST && !one->resumes && held > at)
            at = held;
        due = at < due ? at : due;
    }
    return due;
}

/* The server has forgotten the session: the next one begins without it, and listens anew. */
static bool http_restart(struct tn_transport *transport)
{
    struct http_way *way = way_of(transport);

    if (way->listener)
        way->listener->phase = PHASE_OVER;
    way->listener        = NULL;
    way->listened        = false;
    way->session[0]      = '\0';
    way->base.listens    = false;
    way->base.in_session = false;
    return true;
}

static void http_free(struct tn_transport *transport)
{
    struct http_way *way    = way_of(transport);
    tenon_allocator  memory = way->memory;

    if (way->multi)
        exchange_end_session(way);
    for (struct exchange *one = way->first, *next; one; one = next) {
        next = one->next;
        exchange_free(one);
    }
    curl_multi_cleanup(way->multi);
    curl_global_cleanup();
    tn_arena_rest(&way->arena, 0); /* the token */
    tn_arena_free(&way->arena);
    tn_memory_free(&memory, way, sizeof *way);
}

static void set_up_multi(struct http_way *way)
{
    way->multi = curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK ? curl_multi_init() : NULL;
    if (!way->multi) {
        snprintf(way->base.why, sizeof way->base.why, "libcurl does not start");
        return;
    }
    curl_multi_setopt(way->multi, CURLMOPT_SOCKETFUNCTION, watch_socket);
    curl_multi_setopt(way->multi, CURLMOPT_SOCKETDATA, way);
    curl_multi_setopt(way->multi, CURLMOPT_TIMERFUNCTION, set_timer);
    curl_multi_setopt(way->multi, CURLMOPT_TIMERDATA, way);
}

/* Nothing that would end a header, and begin another. */
static bool is_word(const char *token)
{
    for (; *token > ' ' && *token <= '~'; token++)
        continue;
    return *token == '\0';
}

struct tn_transport *http_transport_new(const struct tn_transport_frame *frame, const char *url,
                                        const char *token, const struct http_login *login)
{
    struct http_way *way = tn_memory_new(&frame->memory, sizeof *way);

    if (!way)
        return NULL;
    *way = (struct http_way){
        .base     = { .send    = http_send,
                      .forget  = http_forget,
                      .step    = http_step,
                      .due     = http_due,
                      .restart = http_restart,
                      .free    = http_free,
                      .is_http = true },
        .memory   = frame->memory,
        .watch    = frame->watch,
        .max      = frame->max_bytes,
        .note_ms  = frame->note_ms,
        .login    = login ? &way->own : NULL,
        .timer_ms = TRANSPORT_NEVER,
    };
    if (login)
        way->own = *login;
    way->last = &way->first;
    tn_arena_init(&way->arena, &way->memory, 0);
    way->url       = tn_arena_copy(&way->arena, url, strlen(url));
    way->base.peer = way->url;
    way->token     = token ? tn_arena_copy(&way->arena, token, strlen(token)) : NULL;
    set_up_multi(way);
    if (token && !is_word(token))
        snprintf(way->base.why, sizeof way->base.why, "the token must be one word of ASCII");
    if (!way->arena.failed)
        return &way->base;
    http_free(&way->base);
    return NULL;
}
