/* guard.c - the guard as a server: requests of clients in, and its loop. */
#define _GNU_SOURCE
#include "guard/guard.h"

#include <string.h>

#include "answer/call.h"
#include "base/memory.h"
#include "guard/config/inventory.h"
#include "guard/follow.h"
#include "guard/link.h"
#include "guard/phrases.h"
#include "guard/pins/pins.h"
#include "guard/policy/clients.h"
#include "guard/policy/policy.h"
#include "guard/process/environment.h"
#include "guard/question/ask.h"
#include "guard/question/park.h"
#include "guard/relay.h"
#include "guard/report/report.h"
#include "guard/seat.h"
#include "guard/timetable.h"
#include "guard/upkeep/credential.h"
#include "json/write.h"
#include "mcp/session.h"
#include "net/serve.h"

/* ---- Messages in ------------------------------------------------------------------------------------------------- */

/* False without memory. */
static bool on_loop(struct tn_guard *guard)
{
    guard->loop = &tn_service_of(guard->server)->lanes[0].loop;
    if (!guard->timetable && !tn_timetable_begin(guard))
        return false;
    tn_pins_watch(guard);
    return true;
}

/* Over HTTP clients may share a server that runs before the first of them comes; on a pipe it is promised what its one client
 * says first (seat.c). */
static void guard_started(void *user)
{
    struct tn_guard *guard = user;

    tn_pins_log_missing(guard);
    if (on_loop(guard) && tn_service_of(guard->server)->lanes[0].endpoint)
        tn_links_start(guard);
}

static void guard_request(void *user, struct tn_exchange *x, const struct tn_sourced *request)
{
    struct tn_guard *guard = user;
    struct tn_seat  *seat;

    if (!on_loop(guard)) {
        tn_exchange_fail_bare(x);
        return;
    }
    if (guard->inventory && tn_slice_is(request->method, INVENTORY_METHOD)) {
        tn_inventory_answer(guard, x);
        return;
    }
    seat = tn_seat_of(guard, x);
    if (seat && !tn_park_resume(seat, x, request))
        tn_relay_begin(seat, x, request);
}

/* Is it for servers? The guard has a handshake of its own with each; what it does not know passes to one, but not to several. */
static bool is_for_servers(const struct tn_guard *guard, struct tn_slice method)
{
    return !tn_slice_is(method, "notifications/initialized") &&
           (tn_guard_passes_unknown(guard) || tn_slice_is(method, "notifications/roots/list_changed"));
}

/* What a client notifies is for the servers that are its own. On a pipe a line is a message: it has no line breaks. */
static void guard_note(void *user, struct tn_exchange *x, struct tn_slice method, struct tn_slice message)
{
    struct tn_guard *guard = user;
    struct tn_seat  *seat  = x->session ? x->session->sourced : NULL;
    struct tn_buf    line;

    if (!seat || !is_for_servers(guard, method))
        return;
    tn_buf_init(&line, &x->arena, message.len, SIZE_MAX);
    tn_json_line(&line, message.at, message.len);
    for (size_t i = 0; !line.failed && i < guard->upstream_count; i++) {
        struct tn_link *link = seat->links[i];

        if (!link || link->scope != SCOPE_SEAT || !link->ready)
            continue;
        tn_client_post(link->client, tn_buf_slice(&line));
        tn_link_arm(link);
    }
}

static bool guard_response(void *user, struct tn_exchange *x, struct tn_slice message)
{
    return tn_ask_answered(user, x, message);
}

static void guard_cancelled(void *user, struct tn_exchange *x)
{
    (void)user;
    if (x->sourced)
        tn_relay_cancel(x->sourced);
}

static void guard_left(void *user, struct tn_session *session)
{
    struct tn_seat *seat = session->sourced;

    tn_ask_gone(user, session);
    if (seat)
        tn_seat_leave(seat);
}

/* Ends all conversations with servers: what waits for them is answered. */
static void guard_ending(void *user)
{
    struct tn_guard *guard = user;

    for (struct tn_seat *seat = guard->seats; seat; seat = seat->next)
        tn_relays_leave(seat);
    while (guard->links)
        tn_link_drop(guard->links);
}

static void guard_stopped(void *user)
{
    struct tn_guard *guard = user;

    guard_ending(guard);
    while (guard->seats)
        tn_seat_drop(guard->seats);
    tn_timetable_end(guard);
    tn_park_stop(guard);
    tn_pins_stop(guard);
    guard->server->source = NULL;
}

/* ---- Lifetime ---------------------------------------------------------------------------------------------------- */

/* Of those at an address; all conversations of an upstream share one. */
static bool open_credentials(struct tn_guard *guard)
{
    for (size_t i = 0; i < guard->upstream_count; i++) {
        struct tn_upstream *upstream = &guard->upstreams[i];

        upstream->credential = NULL;
        if (upstream->url && !(upstream->credential = tn_credential_new(upstream, &guard->server->log)))
            return false;
    }
    return true;
}

static void close_credentials(struct tn_guard *guard)
{
    for (size_t i = 0; i < guard->upstream_count; i++) {
        tn_credential_free(guard->upstreams[i].credential);
        guard->upstreams[i].credential = NULL;
    }
}

static void guard_free(struct tn_guard *guard)
{
    tenon_allocator memory = guard->memory;

    tn_policy_end(guard);
    tn_pins_free(guard);
    tn_clients_free(guard->clients);
    tn_names_free(&guard->tools);
    tn_names_free(&guard->prompts);
    tenon_call_free(guard->call);
    tenon_toolbox_free(guard->box);
    close_credentials(guard);
    tn_standings_close(guard);
    tn_memory_free(&memory, guard, sizeof *guard);
}

static const char *guard_settle(void *user, struct tn_slice id, struct tn_slice hash, bool keeps)
{
    return keeps ? tn_pins_keep(user, id, hash) : tn_pins_approve(user, id, hash);
}

struct tn_guard *tn_guard_new(struct tn_upstream *upstreams, size_t count, const struct tn_policy *policy,
                              const tenon_server_options *options)
{
    tenon_allocator  memory = tn_memory_of(options->memory);
    struct tn_guard *guard  = tn_memory_new(&memory, sizeof *guard);

    if (!guard)
        return NULL;
    memset(guard, 0, sizeof *guard);
    guard->memory         = memory;
    guard->upstreams      = upstreams;
    guard->upstream_count = count;
    guard->policy         = *policy;
    for (size_t i = 0; i < count; i++)
        upstreams[i].at = i;
    if (policy->publish && !policy->dry_run) {
        guard->clients = tn_clients_new(&guard->memory, policy->publish, NULL);
        if (!guard->clients) {
            tn_memory_free(&memory, guard, sizeof *guard);
            return NULL;
        }
    }
    tn_names_init(&guard->tools, &guard->memory, upstreams, count, policy->name_max);
    tn_names_init(&guard->prompts, &guard->memory, upstreams, count, policy->name_max);
    guard->server = tenon_server_new_("tenon-guard", tenon_version(), options);
    guard->box    = tenon_toolbox_new(.memory = &guard->memory);
    guard->call   = tenon_call_new(guard->box);
    guard->source = (struct tn_source){ .request    = guard_request,
                                        .note       = guard_note,
                                        .response   = guard_response,
                                        .cancelled  = guard_cancelled,
                                        .listens    = tn_follow_listens,
                                        .knows_task = tn_follow_knows_task,
                                        .left       = guard_left,
                                        .started    = guard_started,
                                        .ending     = guard_ending,
                                        .stopped    = guard_stopped,
                                        .metrics    = tn_status_metrics,
                                        .page       = tn_status_page,
                                        .console    = tn_status_console,
                                        .settle     = guard_settle,
                                        .user       = guard };
    if (guard->server && guard->call && tn_standings_open(guard) && open_credentials(guard)) {
        guard->server->source = &guard->source;
        return guard;
    }
    tn_guard_free(guard);
    return NULL;
}

void tn_guard_free(struct tn_guard *guard)
{
    tenon_server_free(guard->server);
    guard_free(guard);
}

int tn_guard_run(struct tn_guard *guard, tenon_settings *settings)
{
    int result = GUARD_UNUSABLE;

    for (size_t i = 0; i < guard->upstream_count; i++)
        if (guard->upstreams[i].words && !tn_environment_hide())
            tn_log_line(&guard->server->log, LOG_WARN, "%s", GUARD_LOG_SEEN);
    if (tn_pins_begin(guard))
        result = tenon_server_run(guard->server, settings);
    else
        tenon_server_free(guard->server);
    guard_free(guard);
    return result;
}
