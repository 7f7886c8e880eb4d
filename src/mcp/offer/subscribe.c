/* subscribe.c - notifications of changes to subscribers: modern clients on the streams of subscriptions/listen, legacy
 * clients unasked for lists, and by resources/subscribe for resources.
 */
#include "mcp/offer/subscribe.h"

#include <string.h>

#include "base/memory.h"
#include "mcp/offer/failure.h"
#include "mcp/offer/resources.h"
#include "mcp/offer/watch.h"
#include "mcp/phrases.h"
#include "mcp/session.h"
#include "mcp/share/share.h"
#include "mcp/source.h"

#define NOTHING  ((struct tn_slice){ NULL, 0 })
#define NOTE_MAX ((size_t)64 << 10)

struct tn_listener {
    struct tn_listener *next;
    struct tn_exchange *x; /* held; it has forgotten its message */
    bool                lists[LISTS];
    struct tn_listened  what;
    size_t              room;    /* bytes of all texts, and of their slices */
    struct tn_slice     texts[]; /* room for as many as were asked for; their bytes stand after them */
};

/* Of skills no client is told: they have no notification. */
static const char *const list_names[LISTS] = { "tools", "prompts", "resources", "resources", NULL };

/* ---- Listening ----------------------------------------------------------------------------------------------- */

static bool is_true(yyjson_val *filter, const char *key)
{
    return yyjson_is_true(tn_rpc_get(filter, key));
}

/* The bytes that all texts take which may be listened to, and how many of the first ones those are. */
static size_t measure(yyjson_val *texts, size_t *count)
{
    yyjson_arr_iter items = yyjson_arr_iter_with(texts);
    yyjson_val     *text;
    size_t          bytes = 0;

    *count = 0;
    while ((text = yyjson_arr_iter_next(&items)) && *count < LISTENED_URIS_MAX) {
        size_t len = tn_rpc_text(text).len;

        if (bytes + len > LISTENED_BYTES_MAX)
            break;
        bytes += len;
        ++*count;
    }
    return bytes + *count * sizeof(struct tn_slice);
}

/* A URI that leads nowhere changes never, and would only take room. */
static bool is_uri(struct tn_exchange *x, struct tn_slice uri)
{
    struct tn_variable variables[URI_VARIABLES_MAX];
    size_t             count;

    return uri.len > 0 && (x->server->source || tn_resources_find(x, uri, variables, &count) != NULL);
}

static bool is_task(struct tn_exchange *x, struct tn_slice id)
{
    const struct tn_source *source = x->server->source;

    return id.len > 0 && source && source->knows_task && source->knows_task(source->user, x, id);
}

/* Keeps those of the first `count` texts that can be listened to: how many those are. Their bytes go to `at`. */
static size_t take_texts(struct tn_exchange *x, yyjson_val *texts, size_t count, struct tn_slice *kept,
                         char **at, bool (*is)(struct tn_exchange *x, struct tn_slice text))
{
    yyjson_arr_iter items = yyjson_arr_iter_with(texts);
    size_t          taken = 0;

    for (size_t i = 0; i < count; i++) {
        struct tn_slice text = tn_rpc_text(yyjson_arr_iter_next(&items));

        if (!is(x, text))
            continue;
        memcpy(*at, text.at, text.len);
        kept[taken++] = (struct tn_slice){ *at, text.len };
        *at += text.len;
    }
    return taken;
}

/* What is asked for and can be had. */
static void read_lists(struct tn_listener *listener, tenon_server *server, yyjson_val *filter)
{
    bool all       = server->source != NULL; /* what it will have is not known yet */
    bool resources = all || server->lists[LIST_RESOURCES].count + server->lists[LIST_TEMPLATES].count > 0;
    bool prompts   = all || server->lists[LIST_PROMPTS].count > 0;
    bool tools     = all || server->lists[LIST_TOOLS].count > 0;

    listener->lists[LIST_TOOLS]     = is_true(filter, "toolsListChanged") && tools;
    listener->lists[LIST_PROMPTS]   = is_true(filter, "promptsListChanged") && prompts;
    listener->lists[LIST_RESOURCES] = is_true(filter, "resourcesListChanged") && resources;
    listener->lists[LIST_TEMPLATES] = listener->lists[LIST_RESOURCES];
}

static void write_texts(struct tn_buf *out, const char *key, const struct tn_slice *texts, size_t count)
{
    if (count == 0)
        return;
    tn_result_key(out, key);
    tn_buf_char(out, '[');
    for (size_t i = 0; i < count; i++) {
        if (i > 0)
            tn_buf_char(out, ',');
        tn_json_string(out, texts[i].at, texts[i].len);
    }
    tn_buf_char(out, ']');
}

static void write_honoured(struct tn_buf *out, const struct tn_listener *listener)
{
    tn_buf_char(out, '{');
    if (listener->lists[LIST_TOOLS])
        tn_result_key(out, "toolsListChanged"), tn_buf_lit(out, "true");
    if (listener->lists[LIST_PROMPTS])
        tn_result_key(out, "promptsListChanged"), tn_buf_lit(out, "true");
    if (listener->lists[LIST_RESOURCES])
        tn_result_key(out, "resourcesListChanged"), tn_buf_lit(out, "true");
    write_texts(out, "resourceSubscriptions", listener->what.uris, listener->what.uri_count);
    write_texts(out, "taskIds", listener->what.tasks, listener->what.task_count);
    tn_buf_char(out, '}');
}

/* Every message of the stream says which request it belongs to, with the id as it was sent. */
static void write_tag(struct tn_buf *out, const struct tn_exchange *x)
{
    tn_buf_lit(out, "\"_meta\":{\"" META_SUBSCRIPTION "\":");
    tn_buf_add(out, x->id.at, x->id.len);
    tn_buf_char(out, '}');
}

static void subscribe_acknowledge(struct tn_exchange *x, const struct tn_listener *listener)
{
    struct tn_buf out;

    tn_buf_init(&out, &x->arena, 256, RESULT_LEN_MAX);
    tn_buf_lit(&out, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/subscriptions/acknowledged\","
                     "\"params\":{\"notifications\":");
    write_honoured(&out, listener);
    tn_buf_char(&out, ',');
    write_tag(&out, x);
    tn_buf_lit(&out, "}}");
    if (!out.failed)
        tn_exchange_send(x, OUT_NOTE, tn_buf_slice(&out));
}

static void subscribe_enter(tenon_server *server, struct tn_listener *listener)
{
    pthread_mutex_lock(&server->lock);
    listener->next    = server->listeners;
    server->listeners = listener;
    pthread_mutex_unlock(&server->lock);
}

static struct tn_listener *subscribe_make(struct tn_exchange *x, yyjson_val *filter)
{
    yyjson_val         *uris  = tn_rpc_get(filter, "resourceSubscriptions");
    yyjson_val         *tasks = x->server->source ? tn_rpc_get(filter, "taskIds") : NULL;
    size_t              uri_count, task_count, room = measure(uris, &uri_count);
    struct tn_listener *listener;
    char               *at;

    room += measure(tasks, &task_count);
    listener = tn_memory_new(&x->server->memory, sizeof *listener + room);
    if (!listener)
        return NULL;
    *listener = (struct tn_listener){
        .x = x, .room = room, .what = { .uris = listener->texts, .tasks = listener->texts + uri_count }
    };
    at = (char *)(listener->texts + uri_count + task_count);
    read_lists(listener, x->server, filter);
    listener->what.uri_count  = take_texts(x, uris, uri_count, listener->texts, &at, is_uri);
    listener->what.task_count = take_texts(x, tasks, task_count, listener->texts + uri_count, &at, is_task);
    return listener;
}

/* A source follows for its clients what they listen to. */
static void report_listener(const struct tn_listener *listener, bool begins)
{
    const struct tn_source *source = listener->x->server->source;

    if (source && source->listens)
        source->listens(source->user, listener->x, &listener->what, begins);
}

static void discard(struct tn_listener *listener)
{
    tn_memory_free(&listener->x->server->memory, listener, sizeof *listener + listener->room);
}

/* A listener keeps what it listens to, and nothing else of its message. NULL when the request was answered. */
static struct tn_listener *subscribe_begin(struct tn_exchange *x, yyjson_val *filter)
{
    struct tn_listener *listener = subscribe_make(x, filter);
    const char         *fault    = SAY_NO_MEMORY;

    if (listener) {
        x->bytes_in = sizeof *listener + listener->room + x->id.len;
        x->nodes    = 0;
        fault       = tn_exchange_may_wait(x) ? NULL : SAY_LISTEN_MANY;
    }
    if (!fault) {
        subscribe_acknowledge(x, listener); /* before any change can be reported */
        fault = tn_exchange_shed(x) ? NULL : SAY_NO_MEMORY;
    }
    if (!fault)
        return listener;
    if (listener)
        discard(listener);
    tn_exchange_fail(x, RPC_INTERNAL_ERROR, NOTHING, "%s", fault);
    return NULL;
}

void tn_method_listen(struct tn_exchange *x)
{
    yyjson_val         *filter = tn_rpc_get(x->params, "notifications");
    struct tn_listener *listener;

    if (!yyjson_is_obj(filter)) {
        tn_exchange_fail(x, RPC_INVALID_PARAMS, NOTHING, SAY_LISTEN_FILTER);
        return;
    }
    if (!tn_account_take(x->account, HELD_LISTENERS, 1)) {
        tn_exchange_fail(x, RPC_INTERNAL_ERROR, NOTHING, SAY_LISTEN_MANY);
        return;
    }
    listener = subscribe_begin(x, filter);
    if (!listener) {
        tn_account_give(x->account, HELD_LISTENERS, 1);
        return;
    }
    x->listening = true;
    tn_exchange_hold(x);
    report_listener(listener, true);
    subscribe_enter(x->server, listener);
    if (!tn_exchange_is_open(x)) /* cancelled by another thread before it was found among the listeners */
        tn_subscribe_end(x);
}

void tn_subscribe_end(struct tn_exchange *x)
{
    tenon_server       *server = x->server;
    struct tn_listener *found  = NULL;

    pthread_mutex_lock(&server->lock);
    for (struct tn_listener **at = &server->listeners; *at; at = &(*at)->next)
        if ((*at)->x == x) {
            found = *at;
            *at   = found->next;
            break;
        }
    pthread_mutex_unlock(&server->lock);
    if (!found)
        return;
    report_listener(found, false);
    discard(found);
    tn_account_give(x->account, HELD_LISTENERS, 1);
    tn_exchange_release(x);
}

void tn_exchange_close(struct tn_exchange *x)
{
    struct tn_arena arena;
    struct tn_buf   out;

    if (!x->listening)
        return;
    tn_arena_init(&arena, &x->server->memory, 0);
    tn_buf_init(&out, &arena, 256, NOTE_MAX + 2 * x->id.len);
    tn_buf_lit(&out, "{\"jsonrpc\":\"2.0\",\"id\":");
    tn_buf_add(&out, x->id.at, x->id.len);
    tn_buf_lit(&out, ",\"result\":{\"resultType\":\"complete\",");
    write_tag(&out, x);
    tn_buf_lit(&out, "}}");
    if (!out.failed)
        tn_exchange_answer(x,
                           &(struct tn_out){ .kind = OUT_FINAL, .status = 200, .json = tn_buf_slice(&out) });
    tn_arena_free(&arena);
    tn_subscribe_end(x);
}

void tn_subscribe_free(tenon_server *server)
{
    while (server->listeners)
        tn_subscribe_end(server->listeners->x);
}

/* ---- Telling ------------------------------------------------------------------------------------------------- */

/* A change: of a list, or of the resource `uri`. */
struct change {
    enum tn_list          list;
    struct tn_slice       uri;      /* empty for a list */
    struct tn_slice       followed; /* what its subscribers asked for: the same, or what it is a part of */
    tn_subscribe_concerns concerns; /* NULL: all */
    void                 *user;
};

static void write_change(struct tn_buf *out, const struct change *change, const struct tn_exchange *tagged)
{
    tn_buf_lit(out, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/");
    tn_buf_text(out, list_names[change->list]);
    tn_buf_text(out, change->uri.len > 0 ? "/updated\"" : "/list_changed\"");
    if (change->uri.len > 0 || tagged) {
        tn_buf_lit(out, ",\"params\":{");
        if (change->uri.len > 0) {
            tn_buf_lit(out, "\"uri\":");
            tn_json_string(out, change->uri.at, change->uri.len);
        }
        if (change->uri.len > 0 && tagged)
            tn_buf_char(out, ',');
        if (tagged)
            write_tag(out, tagged);
        tn_buf_char(out, '}');
    }
    tn_buf_char(out, '}');
}

static bool wants(const struct tn_listener *listener, const struct change *change)
{
    if (change->uri.len == 0)
        return listener->lists[change->list];
    for (size_t i = 0; i < listener->what.uri_count; i++)
        if (tn_slice_same(listener->what.uris[i], change->followed))
            return true;
    return false;
}

/* The exchanges that want it, held, in the arena. */
static struct tn_exchange **subscribe_collect(tenon_server *server, struct tn_arena *arena,
                                              const struct change *change, size_t *count)
{
    struct tn_exchange **all  = NULL;
    size_t               room = 0;

    *count = 0;
    pthread_mutex_lock(&server->lock);
    for (const struct tn_listener *at = server->listeners; at; at = at->next)
        room++;
    all = room > 0 ? tn_arena_array(arena, room, struct tn_exchange *) : NULL;
    for (const struct tn_listener *at = all ? server->listeners : NULL; at; at = at->next)
        if (wants(at, change)) {
            tn_exchange_hold(at->x);
            all[(*count)++] = at->x;
        }
    pthread_mutex_unlock(&server->lock);
    return all;
}

static bool is_concerned(const struct change *change, const struct tn_session *session,
                         const struct tn_exchange *x)
{
    return !change->concerns || change->concerns(change->user, session, x);
}

static void notify_listeners(tenon_server *server, const struct change *change)
{
    struct tn_arena      arena, notes;
    struct tn_exchange **all;
    size_t               count;

    tn_arena_init(&arena, &server->memory, 0);
    tn_arena_init(&notes, &server->memory, 0);
    all = subscribe_collect(server, &arena, change, &count);
    for (size_t i = 0; i < count; i++) {
        struct tn_buf out;

        tn_buf_init(&out, &notes, 256, NOTE_MAX + all[i]->id.len);
        write_change(&out, change, all[i]);
        if (!out.failed && is_concerned(change, all[i]->session, all[i]))
            tn_exchange_send(all[i], OUT_NOTE, tn_buf_slice(&out));
        tn_exchange_release(all[i]);
        tn_arena_reset(&notes);
    }
    tn_arena_free(&notes);
    tn_arena_free(&arena);
}

static void notify_session(struct tn_session *session, void *user)
{
    const struct change *change = user;
    struct tn_arena      arena;
    struct tn_buf        out;

    if (!session->initialized || session->ended ||
        (change->uri.len > 0 && !tn_watch_has(session, change->followed)) ||
        !is_concerned(change, session, NULL))
        return;
    tn_arena_init(&arena, &session->server->memory, 0);
    tn_buf_init(&out, &arena, 256, NOTE_MAX);
    write_change(&out, change, NULL);
    if (!out.failed)
        tn_session_push(session, tn_buf_slice(&out));
    tn_arena_free(&arena);
}

static void subscribe_notify(tenon_server *server, struct change change)
{
    if (!list_names[change.list])
        return;
    notify_listeners(server, &change);
    tn_sessions_each(server, notify_session, &change);
}

void tn_subscribe_list_changed(tenon_server *server, enum tn_list list)
{
    subscribe_notify(server, (struct change){ .list = list });
}

void tn_subscribe_list_changed_for(tenon_server *server, enum tn_list list, tn_subscribe_concerns concerns,
                                   void *user)
{
    subscribe_notify(server, (struct change){ .list = list, .concerns = concerns, .user = user });
}

void tn_subscribe_updated_for(tenon_server *server, struct tn_slice uri, struct tn_slice followed,
                              tn_subscribe_concerns concerns, void *user)
{
    subscribe_notify(
        server,
        (struct change){
            .list = LIST_RESOURCES, .uri = uri, .followed = followed, .concerns = concerns, .user = user });
}

void tenon_server_updated(tenon_server *server, const char *uri)
{
    if (!server || !uri || !uri[0])
        return;
    tn_subscribe_updated_for(server, tn_slice_of(uri), tn_slice_of(uri), NULL, NULL);
    tn_share_note(server->share, NEWS_UPDATED, tn_slice_of(uri));
}

/* ---- resources/subscribe ------------------------------------------------------------------------------------- */

static void change_shared(struct tn_exchange *x, enum tn_session_change change, struct tn_slice uri)
{
    switch (tn_share_session_change(x->session, change, 0, uri)) {
    case TENON_SHARE_DONE: tn_method_ping(x); break;
    case TENON_SHARE_FULL: tn_exchange_fail(x, RPC_INTERNAL_ERROR, NOTHING, SAY_SUBSCRIBED_MANY); break;
    default: tn_exchange_fail(x, RPC_INTERNAL_ERROR, NOTHING, SAY_SHARE_DOWN); break;
    }
}

void tn_method_resources_subscribe(struct tn_exchange *x)
{
    struct tn_slice uri = tn_rpc_text(tn_rpc_get(x->params, "uri"));

    if (uri.len == 0)
        tn_exchange_fail(x, RPC_INVALID_PARAMS, NOTHING, SAY_NO_URI);
    else if (!is_uri(x, uri) && !x->arena.failed)
        tn_failure_no_resource(x, uri, (struct tn_slice){ NULL, 0 });
    else if (x->server->share && x->session->on_http)
        change_shared(x, SESSION_WATCH, uri);
    else if (x->session && !tn_watch_add(x->session, uri))
        tn_exchange_fail(x, RPC_INTERNAL_ERROR, NOTHING, SAY_SUBSCRIBED_MANY);
    else
        tn_method_ping(x); /* {} */
}

void tn_method_resources_unsubscribe(struct tn_exchange *x)
{
    struct tn_slice uri = tn_rpc_text(tn_rpc_get(x->params, "uri"));

    if (uri.len == 0) {
        tn_exchange_fail(x, RPC_INVALID_PARAMS, NOTHING, SAY_NO_URI);
        return;
    }
    if (x->server->share && x->session->on_http) {
        change_shared(x, SESSION_UNWATCH, uri);
        return;
    }
    if (x->session)
        tn_watch_drop(x->session, uri);
    tn_method_ping(x);
}
