/* link.c - a conversation on the guard's loop: started, stepped, lost, started again. */
#define _GNU_SOURCE
#include "guard/link.h"

#include <string.h>

#include "base/memory.h"
#include "guard/ask.h"
#include "guard/bridge.h"
#include "guard/catalog.h"
#include "guard/phrases.h"
#include "guard/process.h"
#include "guard/relay.h"
#include "json/write.h"
#include "mcp/offer/subscribe.h"
#include "mcp/offer/tools.h"
#include "mcp/session.h"

#define PROMISE_MAX ((size_t)64 << 10)
#define LINKS_MAX   ((size_t)64) /* in all, ... */
#define LINKS_EACH  ((size_t)8)  /* ... and of one caller */

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

static void link_tap(void *user, struct tn_slice message)
{
    ((struct tn_link *)user)->raw = message;
}

/* The server is gone. What was sent was answered by its requests. */
static void link_lose(struct tn_link *link)
{
    char why[CLIENT_WHY_MAX];

    memcpy(why, link->client->error, sizeof why);
    tn_log_line(&link->guard->server->log, LOG_WARN, GUARD_LOG_LOST, link->guard->upstream.name, why);
    close_eye(link);
    link->ready   = false;
    link->listing = NULL;
    tn_ask_forget(link);
    tenon_client_free(link->client);
    link->client = NULL;
    tn_relays_fail(link, why);
}

static void link_step(struct tn_link *link)
{
    if (!link->client)
        return;
    link->stepping = true;
    tenon_client_poll(link->client, 0);
    link->raw = (struct tn_slice){ NULL, 0 };
    if (!link->ready && link->client->stage == STAGE_READY) {
        link->ready = true;
        tn_log_line(&link->guard->server->log, LOG_INFO, GUARD_LOG_STARTED, link->guard->upstream.name,
                    tenon_client_revision(link->client));
        if (link->catalog)
            tn_link_list(link); /* it was started again, and may be another by now */
    }
    if (link->ready)
        tn_relays_go_on(link);
    link->stepping = false;
    if (link->client->stage == STAGE_LOST && tn_ring_empty(&link->client->finished))
        link_lose(link);
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
    int due;

    if (!link->client || link->stepping)
        return;
    due = link->client->stage == STAGE_LOST ? 0 : tenon_client_timeout(link->client);
    if (due < 0)
        uv_timer_stop(&link->timer);
    else
        uv_timer_start(&link->timer, on_timer, (uint64_t)due, 0);
}

/* ---- Its tools --------------------------------------------------------------------------------------------------- */

/* There is a list: what is published differs from now on, or does not. */
static void change_catalog(struct tn_link *link, struct tn_catalog *made)
{
    struct tn_catalog *old = link->catalog;

    link->catalog = made;
    if (old && !tn_slice_same(old->text, made->text))
        tn_subscribe_list_changed(link->guard->server, LIST_TOOLS);
    tn_catalog_release(old);
}

/* Without a list, an older one holds; without any, nothing can be called, unless the server says that it has no tools. */
static void fail_list(struct tn_link *link, const char *why)
{
    bool               offers = yyjson_obj_get(yyjson_obj_get(link->client->server, "capabilities"), "tools");
    struct tn_catalog *none   = offers || link->catalog ? NULL
                                                        : tn_catalog_new(link->guard, NULL, SLICE_LIT("{}"));

    if (none) {
        change_catalog(link, none);
        return;
    }
    tn_log_line(&link->guard->server->log, LOG_WARN, GUARD_LOG_LIST, link->guard->upstream.name, why);
    if (!link->catalog)
        tn_relays_fail(link, why);
}

static void take_list(void *user, tenon_request *request)
{
    struct tn_link    *link   = user;
    tenon_str          text   = tenon_request_text(request);
    yyjson_val        *result = (yyjson_val *)tenon_request_result(request);
    struct tn_catalog *made   = NULL;

    link->listing = NULL;
    if (result)
        made = tn_catalog_new(link->guard, result, (struct tn_slice){ text.at, text.len });
    if (made)
        change_catalog(link, made);
    else
        fail_list(link, result ? SAY_MEMORY : tenon_request_why(request));
    tenon_request_free(request);
    if (link->stale) {
        link->stale = false;
        tn_link_list(link);
    }
}

void tn_link_list(struct tn_link *link)
{
    if (link->listing) {
        link->stale = true;
        return;
    }
    link->listing = tenon_client_list(link->client, "tools", .done = take_list, .user = link);
    if (!link->listing)
        tn_log_line(&link->guard->server->log, LOG_WARN, GUARD_LOG_LIST, link->guard->upstream.name,
                    tenon_client_error(link->client));
    tn_link_arm(link);
}

/* ---- Beginning --------------------------------------------------------------------------------------------------- */

static struct tn_transport *connect_upstream(struct tn_guard *guard, const struct tn_transport_frame *frame)
{
    return guard->upstream.words ? tn_process_transport_new(guard, frame)
                                 : guard->upstream.connect(&guard->upstream, frame);
}

/* Has it been started too often? Then it rests, each time longer, until one start holds. */
static int rest_of(struct tn_link *link, int64_t now)
{
    int64_t oldest = link->started_ms[link->starts % LINK_STARTS_MAX];
    int64_t newest = link->started_ms[(link->starts + LINK_STARTS_MAX - 1) % LINK_STARTS_MAX];

    if (link->starts < LINK_STARTS_MAX || now - oldest > LINK_STARTS_MS) {
        link->rest_ms = 0;
        return 0;
    }
    if (link->rest_ms == 0)
        link->rest_ms = LINK_REST_MS;
    return now - newest < link->rest_ms ? (int)(link->rest_ms - (now - newest)) : 0;
}

int tn_link_start(struct tn_link *link)
{
    int64_t                   now = tn_client_now_ms();
    struct tn_transport_frame frame;
    int                       rest;

    if (link->client)
        return 0;
    rest = rest_of(link, now);
    if (rest > 0)
        return rest;
    if (link->rest_ms > 0)
        link->rest_ms = link->rest_ms * 2 < LINK_REST_MOST ? link->rest_ms * 2 : LINK_REST_MOST;
    link->started_ms[link->starts++ % LINK_STARTS_MAX] = now;
    link->client                                       = tn_client_new(&link->options);
    if (!link->client)
        return -1;
    link->client->tap      = link_tap;
    link->client->tap_user = link;
    link->client->halves   = true;
    link->client->either   = link->either;
    tn_client_frame(link->client, &frame);
    link->client = tn_client_attach(link->client, connect_upstream(link->guard, &frame));
    if (!link->client)
        return -1;
    if (link->client->stage == STAGE_LOST || open_eye(link))
        return 0;
    tenon_client_free(link->client);
    link->client = NULL;
    return -1;
}

static const char *copy_member(struct tn_link *link, yyjson_val *object, const char *name)
{
    struct tn_slice text = object ? tn_rpc_text(tn_rpc_get(object, name)) : (struct tn_slice){ NULL, 0 };

    return text.at ? tn_arena_copy(&link->arena, text.at, text.len) : NULL;
}

static const char *copy_value(struct tn_link *link, yyjson_val *value)
{
    struct tn_buf out;

    if (!yyjson_is_obj(value))
        return "{}";
    tn_buf_init(&out, &link->arena, 64, PROMISE_MAX);
    tn_json_value(&out, value);
    return tn_buf_end(&out) ? out.at : "{}";
}

/* What the client is, can be asked, and speaks, is what the server is promised. One that all share knows of no client. */
static void take_promise(struct tn_link *link, struct tn_exchange *x)
{
    bool        modern = tn_exchange_is_modern(x);
    yyjson_val *from   = modern ? x->meta : x->params;
    yyjson_val *info   = link->shared ? NULL
                                      : tn_rpc_get(from, modern ? META_PREFIX "clientInfo" : "clientInfo");
    yyjson_val *can    = link->shared ? NULL : tn_rpc_get(from, modern ? META_CAPABILITIES : "capabilities");

    link->options = (tenon_client_options){ .size         = sizeof link->options,
                                            .name         = copy_member(link, info, "name"),
                                            .version      = copy_member(link, info, "version"),
                                            .capabilities = copy_value(link, can),
                                            .ask          = link_ask,
                                            .note         = link_note,
                                            .user         = link,
                                            .memory       = &link->guard->memory };
    if (!link->options.name)
        link->options.name = link->guard->server->name;
    if (modern)
        return;
    link->options.revision = tn_version_text(link->shared ? VERSION_LEGACY
                                                          : tn_version_negotiated(x->params));
    link->either           = true;
}

static struct tn_link *link_new(struct tn_guard *guard, struct tn_exchange *x, bool shared,
                                struct tn_slice caller)
{
    struct tn_link *link = tn_memory_new(&guard->memory, sizeof *link);

    if (!link)
        return NULL;
    memset(link, 0, sizeof *link);
    link->guard   = guard;
    link->shared  = shared;
    link->account = shared ? NULL : x->account;
    tn_account_hold(link->account);
    tn_arena_init(&link->arena, &guard->memory, 0);
    tn_ring_init(&link->waiting);
    tn_ring_init(&link->sent);
    take_promise(link, x);
    link->caller = (struct tn_slice){ tn_arena_copy(&link->arena, caller.at ? caller.at : "", caller.len),
                                      caller.len };
    uv_timer_init(&guard->loop->uv, &link->timer);
    uv_unref((uv_handle_t *)&link->timer);
    link->timer.data = link;
    link->next       = guard->links;
    guard->links     = link;
    guard->link_count++;
    return link;
}

/* ---- Whose it is -------------------------------------------------------------------------------------------------- */

/* What the client of a request can be asked. */
static unsigned abilities_of(const struct tn_exchange *x)
{
    unsigned all = tn_exchange_is_modern(x) ? x->abilities
                                            : tn_abilities_of(tn_rpc_get(x->params, "capabilities"));

    return all & ~ABILITY_TASKS;
}

static struct tn_link *find_shared(const struct tn_guard *guard)
{
    struct tn_link *link = guard->links;

    while (link && !link->shared)
        link = link->next;
    return link;
}

/* The link of a caller with a name whose client promises the same. */
static struct tn_link *find_caller(const struct tn_guard *guard, struct tn_exchange *x)
{
    struct tn_buf   can;
    struct tn_link *link = guard->links;

    tn_buf_init(&can, &x->arena, 64, PROMISE_MAX);
    tn_json_value(&can, tn_rpc_get(x->meta, META_CAPABILITIES));
    if (!tn_buf_end(&can))
        return NULL;
    while (link && (link->shared || link->owner || !tn_slice_same(link->caller, x->caller.name) ||
                    strcmp(link->options.capabilities, can.at) != 0))
        link = link->next;
    return link;
}

/* Is there room for one more of this caller? Each may be a process. */
static bool may_link(const struct tn_guard *guard, const struct tn_exchange *x)
{
    size_t own = 0;

    for (const struct tn_link *link = guard->links; link; link = link->next)
        own += link->account == x->account;
    return guard->link_count < LINKS_MAX && own < LINKS_EACH;
}

struct tn_link *tn_link_of(struct tn_guard *guard, struct tn_exchange *x)
{
    struct tn_link *link   = x->session ? x->session->sourced : NULL;
    bool            modern = tn_exchange_is_modern(x);
    bool            shared = !x->session && (abilities_of(x) == 0 || (modern && x->caller.name.len == 0));

    if (!link && !x->session)
        link = shared ? find_shared(guard) : modern ? find_caller(guard, x) : NULL;
    if (link)
        return link;
    if (!may_link(guard, x)) {
        tn_tools_answer_instead(x, TENON_CODE_LIMIT_EXCEEDED, GUARD_LINKS, 0);
        return NULL;
    }
    link = link_new(guard, x, shared, x->caller.name);
    if (!link)
        tn_exchange_fail_bare(x);
    else if (x->session)
        tn_link_own(link, x->session);
    return link;
}

void tn_link_own(struct tn_link *link, struct tn_session *session)
{
    session->sourced = link;
    if (!link->shared)
        link->owner = session;
}

/* ---- The end ------------------------------------------------------------------------------------------------------ */

static void link_closed(uv_handle_t *handle)
{
    struct tn_link *link   = handle->data;
    tenon_allocator memory = link->guard->memory;

    tn_account_release(link->account);
    tn_arena_free(&link->arena);
    tn_memory_free(&memory, link, sizeof *link);
}

void tn_link_drop(struct tn_link *link)
{
    struct tn_link **at = &link->guard->links;

    while (*at != link)
        at = &(*at)->next;
    *at = link->next;
    link->guard->link_count--;
    if (link->owner)
        link->owner->sourced = NULL;
    link->owner = NULL;
    if (link->listing)
        tenon_request_free(link->listing);
    tn_relays_end(link);
    tn_ask_forget(link);
    close_eye(link);
    tenon_client_free(link->client);
    link->client = NULL;
    tn_catalog_release(link->catalog);
    uv_close((uv_handle_t *)&link->timer, link_closed);
}
