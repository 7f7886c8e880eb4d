/* relay.c - requests: waiting for their server, judged, sent, answered. */
#define _GNU_SOURCE
#include "guard/relay.h"

#include <string.h>

#include "base/clock.h"
#include "guard/answer/again.h"
#include "guard/answer/errors.h"
#include "guard/bridge.h"
#include "guard/call.h"
#include "guard/catalog.h"
#include "guard/config/trial.h"
#include "guard/follow.h"
#include "guard/lists/lists.h"
#include "guard/params.h"
#include "guard/phrases.h"
#include "guard/pins/pins.h"
#include "guard/policy/admission.h"
#include "guard/policy/kept_headers.h"
#include "guard/policy/policy.h"
#include "guard/question/ask.h"
#include "guard/question/park.h"
#include "guard/question/promise.h"
#include "guard/question/state.h"
#include "guard/route/route.h"
#include "guard/seat.h"
#include "json/echo.h"
#include "json/member.h"
#include "json/write.h"
#include "mcp/offer/subscribe.h"
#include "mcp/offer/tools.h"
#include "mcp/session.h"

#define NOTHING    ((struct tn_slice){ NULL, 0 })
#define QUEUED_MAX ((size_t)4 << 20) /* bytes that wait for a server that does not read */

/* What a request needs of its link before it can go on, and what is done then; and which link that is among several. */
enum tn_need { NEED_READY, NEED_TOOLS, NEED_LIST };

struct tn_way {
    const char *method; /* NULL: any other */
    void (*go)(struct tn_relay *relay);
    tn_route_fn *route;
    enum tn_need need;
    bool         leaves; /* the exchange goes on without its relay, which is gone then */
    bool
        filtered; /* the route is needed for one upstream, too: what it is about may be hidden or have a prefix */
};

static void relay_pass(struct tn_relay *relay);
static void relay_listen(struct tn_relay *relay);
static void relay_level(struct tn_relay *relay);
static void relay_unsubscribe(struct tn_relay *relay);
static void relay_task(struct tn_relay *relay);
static void relay_follow(struct tn_relay *relay);
static void relay_unfollow(struct tn_relay *relay);
static void relay_again(struct tn_relay *relay);
static void relay_repeat(struct tn_relay *relay);

static const struct tn_way repeated = { .go = relay_repeat, .route = tn_route_other, .need = NEED_READY };

/* clang-format off */
static const struct tn_way ways[] = {
    { "tools/call",               tn_call_go,           tn_route_tool, NEED_TOOLS, false, false },
    { "tools/list",               tn_bridge_tools,      tn_route_tools, NEED_TOOLS, false, false },
    { "initialize",               tn_bridge_initialize, tn_route_initialize, NEED_READY, false, false },
    { "server/discover",          tn_bridge_discover,   tn_route_discover, NEED_READY, false, false },
    { "subscriptions/listen",     relay_listen,         tn_route_listen, NEED_READY, true, false },
    { "prompts/list",             relay_pass,           tn_route_prompts, NEED_READY, false, true },
    { "prompts/get",              relay_pass,           tn_route_prompt, NEED_READY, false, true },
    { "resources/list",           relay_pass,           tn_route_resources, NEED_READY, false, true },
    { "resources/templates/list", relay_pass,           tn_route_templates, NEED_READY, false, true },
    { "resources/read",           relay_pass,           tn_route_uri, NEED_READY, false, true },
    { "resources/subscribe",      relay_follow,         tn_route_uri, NEED_READY, false, true },
    { "resources/unsubscribe",    relay_unfollow,       tn_route_unfollow, NEED_READY, false, false },
    { "completion/complete",      relay_pass,           tn_route_reference, NEED_READY, false, true },
    { "logging/setLevel",         relay_level,          tn_route_level, NEED_READY, false, false },
    { "tasks/get",                relay_task,           tn_state_route, NEED_READY, false, false },
    { "tasks/update",             relay_task,           tn_state_route, NEED_READY, false, false },
    { "tasks/cancel",             relay_task,           tn_state_route, NEED_READY, false, false },
    { NULL,                       relay_pass,           tn_route_other, NEED_READY, false, false },
};
/* clang-format on */

/* After a newer list of tools. */
static const struct tn_way way_again = { .go = relay_again, .need = NEED_LIST };

static const struct tn_way *way_of(struct tn_slice method)
{
    const struct tn_way *way = ways;

    while (way->method && !tn_slice_is(method, way->method))
        way++;
    return way;
}

/* ---- Beginning and end ---------------------------------------------------------------------------------------- */

void tn_relay_end(struct tn_relay *relay)
{
    struct tn_exchange *x    = relay->x;
    struct tn_seat     *seat = relay->seat;

    tn_report_end(relay);
    tn_ring_remove(&relay->ring);
    tn_ask_left(relay);
    if (relay->parked)
        tn_park_leave(relay->parked);
    if (relay->request) {
        tn_withdrawn_add(relay);
        tenon_request_free(relay->request);
    }
    tn_catalog_release(relay->catalog);
    x->sourced = NULL;
    seat->relays--;
    if (seat->relays == 0 && (seat->left || (seat->kind == SEAT_SESSION && !seat->owner)))
        tn_seat_leave(seat); /* its initialize has failed */
    tn_exchange_release(x);  /* and the relay with it */
}

/* Has the link come far enough? */
static bool may_go(const struct tn_relay *relay)
{
    const struct tn_link *link = relay->link;

    if (tn_pins_answers(link, relay->method))
        return true;
    return link->ready && !tn_upkeep_tries(link) &&
           (relay->way->need == NEED_READY || (link->catalog && tn_pins_compared(link))) &&
           (relay->way->need != NEED_LIST || link->lists[LIST_TOOLS].ended > relay->listings);
}

/* It may have come before the handshake was over. */
static void relay_adopt(struct tn_relay *relay)
{
    if (!tn_exchange_is_modern(relay->x) && relay->x->session)
        relay->x->version = relay->x->session->version;
}

static void relay_go(struct tn_relay *relay)
{
    bool leaves = relay->way->leaves;

    relay->way->go(relay);
    if (!leaves && !relay->request && !relay->parked)
        tn_relay_end(relay);
}

/* Waits, with a copy of what came. */
static bool relay_wait(struct tn_relay *relay, struct tn_ring *waiting)
{
    struct tn_arena *arena = &relay->x->arena;

    if (!relay->kept) {
        relay->method  = tn_guard_keep(arena, relay->method);
        relay->message = tn_guard_keep(arena, relay->message);
        relay->http    = relay->http ? tn_kept_headers(arena, relay->http) : NULL;
        relay->kept    = true;
    }
    if (arena->failed) {
        tn_exchange_fail_bare(relay->x);
        tn_relay_end(relay);
        return false;
    }
    tn_ring_add(waiting, &relay->ring);
    return true;
}

/* There is no way over that link now. */
static void refuse_link(struct tn_relay *relay, int why)
{
    const char *code = why == SEAT_NO_ROOM ? TENON_CODE_LIMIT_EXCEEDED : TENON_CODE_UNAVAILABLE;

    if (why == SEAT_NO_ROOM || why >= 0) {
        tn_report_code(relay, code);
        tn_tools_answer_instead(relay->x, code, why >= 0 ? GUARD_RESTS : GUARD_LINKS, why >= 0 ? why : 0);
    } else
        tn_exchange_fail_bare(relay->x);
    tn_relay_end(relay);
}

/* Goes on over the link to this upstream, as soon as that can be used. */
static void relay_join(struct tn_relay *relay, const struct tn_upstream *upstream)
{
    int             why;
    struct tn_link *link = tn_seat_link(relay->seat, upstream, &why);

    relay->report.upstream = upstream;
    if (!link) {
        refuse_link(relay, why);
        return;
    }
    relay->link = link;
    if (may_go(relay))
        relay_go(relay);
    else if (relay_wait(relay, &link->waiting) && link->ready && !tn_upkeep_tries(link) &&
             relay->way->need != NEED_READY && !link->lists[LIST_TOOLS].asking)
        tn_lists_ask(link, LIST_TOOLS);
    tn_link_arm(link);
}

/* May its caller call anything? False when it was answered that not: the name of the tool does not matter then. */
static bool is_known(struct tn_relay *relay)
{
    if (relay->way->go != tn_call_go || tn_policy_knows(&relay->seat->guard->policy, &relay->x->caller))
        return true;
    tn_errors_answer(relay, &(struct tn_failure){ .code     = TENON_CODE_DENIED,
                                                  .message  = SLICE_LIT(GUARD_DENIED_CALLER),
                                                  .reason   = GUARD_REASON_CALLER,
                                                  .retry_ms = RETRY_NEVER });
    return false;
}

/* May a method pass that the guard does not know? The tasks of 2025-11-25 would be those of all callers of a server. False
 * when it was answered that not. */
static bool may_pass(struct tn_relay *relay)
{
    static const char tasks[] = "tasks/";
    bool              is_task = relay->method.len >= sizeof tasks - 1 &&
                   memcmp(relay->method.at, tasks, sizeof tasks - 1) == 0;

    if (relay->way->method || (!is_task && tn_policy_knows(&relay->seat->guard->policy, &relay->x->caller)))
        return true;
    tn_exchange_fail(relay->x, RPC_NO_METHOD, NOTHING, GUARD_NO_METHOD,
                     tn_exchange_echo(relay->x, relay->method));
    return false;
}

/* To which upstream does it lead? It may have to wait until more is known of them. */
static void relay_route(struct tn_relay *relay)
{
    const struct tn_upstream *upstream = &relay->seat->guard->upstreams[0];
    enum tn_routed            routed   = ROUTED_TO;

    if ((relay->way->need == NEED_TOOLS && !is_known(relay)) || !may_pass(relay)) {
        tn_relay_end(relay);
        return;
    }
    if (relay->seat->guard->upstream_count > 1 || tn_pins_routes(relay) ||
        (relay->way->filtered && (relay->seat->guard->inventory || tn_policy_filters(relay->seat->guard) ||
                                  !tn_names_are_own(&relay->seat->guard->prompts))))
        routed = relay->way->route(relay, &upstream);
    relay->routed = true;
    if (routed == ROUTED_TO)
        relay_join(relay, upstream);
    else if (routed == ROUTED_WAITS)
        relay_wait(relay, &relay->seat->waiting);
    else if (relay->way->leaves)
        relay->way->go(relay);
    else
        tn_relay_end(relay);
}

struct tn_relay *tn_relay_new(struct tn_seat *seat, struct tn_exchange *x, const struct tn_sourced *request)
{
    struct tn_relay *relay = tn_arena_new(&x->arena, struct tn_relay);

    if (!relay)
        return NULL;
    tn_exchange_hold(x);
    *relay = (struct tn_relay){ .seat    = seat,
                                .x       = x,
                                .way     = way_of(request->method),
                                .method  = request->method,
                                .http    = request->http,
                                .message = request->message,
                                .members = request->members };
    tn_ring_init(&relay->ring);
    tn_report_begin(relay);
    x->sourced = relay;
    seat->relays++;
    return relay;
}

void tn_relay_begin(struct tn_seat *seat, struct tn_exchange *x, const struct tn_sourced *request)
{
    struct tn_relay *relay = tn_relay_new(seat, x, request);

    if (relay)
        relay_route(relay);
    else
        tn_exchange_fail_bare(x);
}

/* Those that wait now, in a ring that nobody else ends them in. */
static void move_all(struct tn_ring *now, struct tn_ring *waiting)
{
    tn_ring_init(now);
    while (!tn_ring_empty(waiting)) {
        struct tn_ring *one = waiting->after;

        tn_ring_remove(one);
        tn_ring_add(now, one);
    }
}

void tn_relays_route(struct tn_seat *seat)
{
    struct tn_ring now; /* those that wait on are added to the seat's again */

    move_all(&now, &seat->waiting);
    while (!tn_ring_empty(&now)) {
        struct tn_relay *relay = (struct tn_relay *)now.after;

        tn_ring_remove(&relay->ring);
        relay_adopt(relay);
        relay_route(relay);
    }
}

void tn_relay_cancel(struct tn_relay *relay)
{
    struct tn_link *link = relay->link;

    relay_unsubscribe(relay);
    tn_relay_end(relay); /* freeing an open request tells the server */
    if (link)
        tn_link_arm(link);
}

void tn_relays_go_on(struct tn_link *link)
{
    struct tn_ring now; /* a list that cannot be asked for ends all that wait at the link */

    move_all(&now, &link->waiting);
    while (!tn_ring_empty(&now)) {
        struct tn_relay *relay = (struct tn_relay *)now.after;

        tn_ring_remove(&relay->ring);
        if (!may_go(relay)) {
            tn_ring_add(&link->waiting, &relay->ring);
            if (!link->lists[LIST_TOOLS].asking && !tn_upkeep_tries(link))
                tn_lists_ask(link, LIST_TOOLS);
            continue;
        }
        relay_adopt(relay);
        relay_go(relay);
    }
}

static void fail_all(struct tn_ring *relays, const char *text, bool sent)
{
    while (!tn_ring_empty(relays)) {
        struct tn_relay *relay = (struct tn_relay *)relays->after;

        if (sent)
            tn_bridge_maybe_done(relay, TENON_CODE_UNAVAILABLE, text);
        else
            tn_bridge_instead(relay, TENON_CODE_UNAVAILABLE, text);
        tn_relay_end(relay);
    }
}

void tn_relays_fail(struct tn_link *link, const char *why)
{
    char text[CLIENT_WHY_MAX + sizeof GUARD_NOT_SENT];

    snprintf(text, sizeof text, GUARD_NOT_SENT, why);
    fail_all(&link->waiting, text, false);
}

void tn_relays_lost(struct tn_link *link, const char *why)
{
    char            text[CLIENT_WHY_MAX + sizeof GUARD_NOT_SENT];
    struct tn_ring *one = link->waiting.after, *after;

    snprintf(text, sizeof text, GUARD_NOT_SENT, why);
    for (; one != &link->waiting; one = after) {
        struct tn_relay *relay = (struct tn_relay *)one;

        after = one->after;
        if (relay->repeats) {
            relay->repeats = false; /* this once */
            continue;
        }
        tn_bridge_instead(relay, TENON_CODE_UNAVAILABLE, text);
        tn_relay_end(relay);
    }
    if (!tn_ring_empty(&link->waiting) && tn_link_start(link) != 0)
        fail_all(&link->waiting, text, false);
}

void tn_relays_end(struct tn_link *link)
{
    char text[sizeof GUARD_MAYBE_DONE + sizeof GUARD_STOPPING];

    tn_relays_fail(link, GUARD_STOPPING);
    snprintf(text, sizeof text, GUARD_MAYBE_DONE, GUARD_STOPPING);
    fail_all(&link->sent, text, true);
}

void tn_relays_leave(struct tn_seat *seat)
{
    char text[sizeof GUARD_NOT_SENT + sizeof GUARD_STOPPING];

    snprintf(text, sizeof text, GUARD_NOT_SENT, GUARD_STOPPING);
    fail_all(&seat->waiting, text, false);
}

/* ---- Answers -------------------------------------------------------------------------------------------------- */

static void answer_not_sent(struct tn_relay *relay, const char *why)
{
    char text[CLIENT_WHY_MAX + sizeof GUARD_NOT_SENT];

    snprintf(text, sizeof text, GUARD_NOT_SENT, why);
    tn_bridge_instead(relay, TENON_CODE_UNAVAILABLE, text);
}

static void answer_lost(struct tn_relay *relay, tenon_request *request)
{
    const char *why = tenon_request_why(request);
    char        text[CLIENT_WHY_MAX + sizeof GUARD_MAYBE_DONE];

    if (!request->sent || request->untouched || request->undone) {
        answer_not_sent(relay, why);
        return;
    }
    snprintf(text, sizeof text, GUARD_MAYBE_DONE, why);
    tn_bridge_maybe_done(relay, TENON_CODE_UNAVAILABLE, text);
}

static void relay_answer(struct tn_relay *relay, tenon_request *request)
{
    tenon_str bytes = tenon_request_text(request);

    switch (tenon_request_state_of(request)) {
    case TENON_REQUEST_ANSWERED:
        if (relay->seat->guard->upstream_count > 1)
            tn_mentions_take(&relay->seat->mentions, (yyjson_val *)tenon_request_result(request),
                             relay->link->upstream);
        tn_bridge_answer(relay, (yyjson_val *)tenon_request_result(request),
                         (struct tn_slice){ bytes.at, bytes.len });
        break;
    case TENON_REQUEST_REFUSED:
        tn_bridge_refuse(relay, (yyjson_val *)tenon_request_error(request),
                         (struct tn_slice){ bytes.at, bytes.len });
        break;
    case TENON_REQUEST_LATE: tn_bridge_maybe_done(relay, TENON_CODE_TIMEOUT, GUARD_LATE); break;
    default:
        if (relay->denied) {
            tn_bridge_instead(relay, TENON_CODE_DENIED, relay->denied);
            break;
        }
        if (request->rounds > request->client->options.max_rounds) {
            tn_bridge_instead(relay, GUARD_CODE_UPSTREAM_INVALID, GUARD_ROUNDS);
            break;
        }
        if (request->broken) {
            tn_bridge_instead(relay, GUARD_CODE_UPSTREAM_INVALID, GUARD_NO_MESSAGE);
            break;
        }
        answer_lost(relay, request);
        break;
    }
}

/* Its server is asked for its tools once more, and has answered this request. */
static void wait_for_list(struct tn_relay *relay)
{
    struct tn_link *link = relay->link;

    tenon_request_free(relay->request);
    relay->request = NULL;
    tn_ring_remove(&relay->ring);
    relay->way      = &way_again;
    relay->listings = link->lists[LIST_TOOLS].ended + (link->lists[LIST_TOOLS].asking != NULL);
    tn_ring_add(&link->waiting, &relay->ring);
    tn_lists_ask(link, LIST_TOOLS);
}

/* The subscription that it asked for has not come about. */
static void relay_unsubscribe(struct tn_relay *relay)
{
    if (relay->follows)
        tn_follow_drop(relay->seat, NULL, tn_rpc_text(tn_rpc_get(relay->x->params, "uri")));
    relay->follows = false;
}

void tn_relay_finish(struct tn_relay *relay, tenon_request *request)
{
    tn_report_answered(relay);
    tn_upkeep_answer(relay, request);
    if (tn_again_needed(relay, request)) {
        wait_for_list(relay);
        return;
    }
    if (tenon_request_state_of(request) != TENON_REQUEST_ANSWERED)
        relay_unsubscribe(relay);
    relay_answer(relay, request);
    tn_relay_end(relay);
}

/* May it be sent once more? When nothing of it was, or the operator says that calls may be repeated. */
static bool may_repeat(const struct tn_relay *relay, const tenon_request *request)
{
    bool failed = request->closed ||
                  (relay->link->upstream->url && (request->status == 0 || request->status >= 500));

    return tenon_request_state_of(request) == TENON_REQUEST_LOST && relay->report.attempt == 1 &&
           request->rounds == 0 && !relay->parked && !request->broken &&
           (request->untouched || (relay->link->upstream->retry && failed && !request->undone));
}

static void relay_done(void *user, tenon_request *request)
{
    struct tn_relay *relay = user;

    if (!may_repeat(relay, request)) {
        tn_relay_finish(relay, request);
        return;
    }
    tn_report_answered(relay);
    tn_upkeep_answer(relay, request);
    tenon_request_free(request);
    relay->request = NULL;
    relay->repeats = true;
    relay->way     = &repeated;
    tn_ring_remove(&relay->ring);
    tn_ring_add(&relay->link->waiting,
                &relay->ring); /* the end of the step goes on with it, or starts its server again */
}

struct tn_relay *tn_relay_of(const tenon_request *request)
{
    return request->options.done == relay_done ? request->options.user : NULL;
}

void tn_relay_prolong(const struct tn_upstream *upstream, tenon_request *request, int64_t sent_ms)
{
    int64_t longer = tn_client_now_ms() + upstream->time_ms;
    int64_t most   = sent_ms + upstream->time_most_ms;

    if (upstream->time_most_ms > 0 && longer > most)
        longer = most;
    if (upstream->time_ms > 0 && longer > request->deadline_ms)
        request->deadline_ms = longer;
}

static void relay_progress(void *user, tenon_request *request, const tenon_json *params)
{
    struct tn_relay *relay = user;

    tn_relay_prolong(relay->link->upstream, request, relay->sent_ms);
    if (relay->x->progress_token.len > 0)
        tn_bridge_progress(relay, (yyjson_val *)params);
}

/* ---- What is sent --------------------------------------------------------------------------------------------- */

/* Does it wait already for a server that does not read? A message that waits alone may have any length. */
static bool is_unread(const tenon_client *client, size_t len)
{
    uint64_t queued = client->transport->queued - client->transport->written;

    return queued > 0 && queued + len > QUEUED_MAX;
}

/* What was repaired or renamed, and repeats arguments in headers, is read once more; all else is known from the message. */
static tenon_request *relay_request(struct tn_relay *relay, const struct tn_request_read *read,
                                    const tenon_request_options *options)
{
    tenon_client *client = relay->link->client;

    if (client->open_count >= client->options.max_requests)
        return NULL;
    return client->transport->is_http || !read->given
               ? tn_request_new(client, REQUEST_PLAIN, relay->method.at, read->params, options)
               : tn_request_new_read(client, relay->method.at, read, options);
}

/* Sends what there is to send. */
static void relay_submit(struct tn_relay *relay)
{
    struct tn_exchange         *x      = relay->x;
    tenon_client               *client = relay->link->client;
    struct tn_request_read      read   = { .given = x->params, .params = relay->params, .meta = relay->meta };
    int                         time_ms = relay->link->upstream->time_ms;
    const tenon_request_options options = {
        .size       = sizeof options,
        .done       = relay_done,
        .progress   = x->progress_token.len > 0 || time_ms > 0 ? relay_progress : NULL,
        .user       = relay,
        .timeout_ms = time_ms > 0 ? time_ms : -1,
        .tool       = relay->tool ? (tenon_json *)relay->tool->definition : NULL,
    };

    if (is_unread(client, relay->params.len)) {
        answer_not_sent(relay, GUARD_UNREAD);
        return;
    }
    relay->request = relay->params.len == 0 || !relay->method.at ? NULL
                                                                 : relay_request(relay, &read, &options);
    if (!relay->request) {
        answer_not_sent(relay, GUARD_BUSY);
        return;
    }
    relay->sent_ms         = tn_client_now_ms();
    relay->request->passes = tn_exchange_is_modern(x);
    tn_ring_add(&relay->link->sent, &relay->ring);
    tn_report_sent(relay);
    tn_request_start(relay->request);
}

static void relay_repeat(struct tn_relay *relay)
{
    relay->repeats = false;
    relay_submit(relay);
}

/* Sends the request on; `arguments` in the place of its own, if there are any. */
void tn_relay_send(struct tn_relay *relay, struct tn_slice params, struct tn_slice arguments)
{
    struct tn_exchange *x = relay->x;
    struct tn_buf       out;

    tn_buf_init(&out, &x->arena, params.len + arguments.len + relay->rename.len + 64, PARAMS_MAX);
    if (params.len > 0)
        tn_params_write(relay, &out, params, arguments, &relay->meta);
    else
        tn_buf_lit(&out, "{}");
    relay->params = out.failed ? NOTHING : tn_buf_slice(&out);
    relay->method = tn_guard_keep(&x->arena, relay->method);
    relay_submit(relay);
}

void tn_relay_rename(struct tn_relay *relay, struct tn_slice own)
{
    struct tn_buf out;

    tn_buf_init(&out, &relay->x->arena, own.len + 16, PARAMS_MAX);
    tn_json_string(&out, own.at, own.len);
    relay->renamed = "name";
    relay->rename  = tn_buf_slice(&out);
}

static void relay_pass(struct tn_relay *relay)
{
    if (tn_state_open(relay))
        tn_relay_send(relay, tn_params_of(relay), NOTHING);
}

static void relay_task(struct tn_relay *relay)
{
    if (tn_state_open_task(relay))
        tn_relay_send(relay, tn_params_of(relay), NOTHING);
}

/* The level is the owner's to set, and is set again when its server is started again. Modern servers get it with each request. */
static void relay_level(struct tn_relay *relay)
{
    struct tn_link *link  = relay->link;
    int             level = tn_level_of(tn_rpc_text(tn_rpc_get(relay->x->params, "level")));

    if (link->shared || (level >= 0 && tn_link_is_modern(link)))
        tn_method_set_level(relay->x);
    else
        relay_pass(relay);
    if (level < 0 || link->shared)
        return;
    link->options.log_level         = tn_level_text(level);
    link->client->options.log_level = link->options.log_level;
}

/* The first that follows a resource asks the server, in its own words; the others of this link follow it too. */
static void relay_follow(struct tn_relay *relay)
{
    struct tn_slice uri   = tn_rpc_text(tn_rpc_get(relay->x->params, "uri"));
    bool            first = !tn_follow_has(relay->link, uri);

    if (uri.len == 0 || !relay->x->session) {
        relay_pass(relay);
        return;
    }
    if (!tn_follow_add(relay->seat, relay->link, NULL, uri)) {
        tn_exchange_fail(relay->x, RPC_INTERNAL_ERROR, NOTHING, "%s", GUARD_FOLLOWS);
        return;
    }
    relay->follows = first && !tn_link_is_modern(relay->link);
    if (relay->follows)
        relay_pass(relay);
    else
        tn_method_ping(relay->x); /* {} */
}

static void relay_unfollow(struct tn_relay *relay)
{
    struct tn_slice uri = tn_rpc_text(tn_rpc_get(relay->x->params, "uri"));

    if (tn_follow_drop(relay->seat, NULL, uri) || tn_link_is_modern(relay->link) ||
        tn_follow_has(relay->link, uri))
        tn_method_ping(relay->x);
    else
        relay_pass(relay);
}

/* Listeners get changes from the guard itself, for as long as they like; the message, and the relay in it, are forgotten. */
static void relay_listen(struct tn_relay *relay)
{
    struct tn_exchange *x = relay->x;

    tn_ring_remove(&relay->ring);
    x->sourced = relay->seat; /* for tn_follow_listens() */
    relay->seat->relays--;
    tn_method_listen(x);
    if (!x->listening)
        x->sourced = NULL;
    tn_exchange_release(x);
}

static void relay_again(struct tn_relay *relay)
{
    tn_again_go(relay, tn_relay_send);
}
