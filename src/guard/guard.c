/* guard.c - the guard as a server: requests of clients in, and its loop. */
#define _GNU_SOURCE
#include "guard/guard.h"

#include <string.h>

#include "answer/call.h"
#include "base/memory.h"
#include "guard/ask.h"
#include "guard/link.h"
#include "guard/relay.h"
#include "mcp/session.h"
#include "net/serve.h"

/* ---- Messages in ------------------------------------------------------------------------------------------------- */

static void guard_request(void *user, struct tn_exchange *x, const struct tn_sourced *request)
{
    struct tn_guard *guard = user;
    struct tn_link  *link;

    guard->loop = &tn_service_of(guard->server)->lanes[0].loop;
    link        = tn_link_of(guard, x);
    if (link)
        tn_relay_begin(link, x, request);
}

/* The guard has a handshake of its own with the server; whatever else a client notifies is for it. */
static void guard_note(void *user, struct tn_exchange *x, struct tn_slice method, struct tn_slice message)
{
    struct tn_link *link = x->session ? x->session->sourced : NULL;

    (void)user;
    if (!link || link->shared || !link->ready || tn_slice_is(method, "notifications/initialized"))
        return;
    tn_client_post(link->client, message);
    tn_link_arm(link);
}

static bool guard_response(void *user, struct tn_exchange *x, struct tn_slice message)
{
    struct tn_link *link = x->session ? x->session->sourced : NULL;

    (void)user;
    return link && tn_ask_answered(link, x, message);
}

static void guard_cancelled(void *user, struct tn_exchange *x)
{
    (void)user;
    if (x->sourced)
        tn_relay_cancel(x->sourced);
}

static void guard_left(void *user, struct tn_session *session)
{
    struct tn_link *link = session->sourced;

    (void)user;
    if (link && link->owner == session)
        tn_link_drop(link);
}

static void guard_stopped(void *user)
{
    struct tn_guard *guard = user;

    while (guard->links)
        tn_link_drop(guard->links);
    guard->server->source = NULL;
}

/* ---- Lifetime ---------------------------------------------------------------------------------------------------- */

static void guard_free(struct tn_guard *guard)
{
    tenon_allocator memory = guard->memory;

    tenon_call_free(guard->call);
    tenon_toolbox_free(guard->box);
    tn_memory_free(&memory, guard, sizeof *guard);
}

struct tn_guard *tn_guard_new(const struct tn_upstream *upstream, const tenon_server_options *options)
{
    tenon_allocator  memory = tn_memory_of(options->memory);
    struct tn_guard *guard  = tn_memory_new(&memory, sizeof *guard);

    if (!guard)
        return NULL;
    memset(guard, 0, sizeof *guard);
    guard->memory   = memory;
    guard->upstream = *upstream;
    guard->server   = tenon_server_new_("tenon-guard", tenon_version(), options);
    guard->box      = tenon_toolbox_new(.memory = &guard->memory);
    guard->call     = tenon_call_new(guard->box);
    guard->source   = (struct tn_source){ .request   = guard_request,
                                          .note      = guard_note,
                                          .response  = guard_response,
                                          .cancelled = guard_cancelled,
                                          .left      = guard_left,
                                          .stopped   = guard_stopped,
                                          .user      = guard };
    if (guard->server && guard->call) {
        guard->server->source = &guard->source;
        return guard;
    }
    tenon_server_free(guard->server);
    guard_free(guard);
    return NULL;
}

int tn_guard_run(struct tn_guard *guard, tenon_settings *settings)
{
    int result = tenon_server_run(guard->server, settings);

    guard_free(guard);
    return result;
}
