/* handler_state.c - sealed values that handlers give to clients, and what they remember of a session. */
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"

#include "mcp/session.h"
#include "mcp/share/share.h"
#include <tenon/progress.h>

#define PURPOSE_MAX    64
#define REMEMBERED_MAX ((size_t)4096)

/* A purpose of a handler's is never one of the library's. */
static bool name_purpose(char out[PURPOSE_MAX + 8], const char *purpose)
{
    return snprintf(out, PURPOSE_MAX + 8, "own %s", purpose) <= PURPOSE_MAX;
}

const char *tenon_seal(tenon_call *call, const char *purpose, const char *text, int64_t ttl_ms)
{
    struct tn_exchange *x = tn_exchange_of(call);
    char                name[PURPOSE_MAX + 8];
    int64_t             now_ms;
    struct tn_slice     token;

    if (!x || !name_purpose(name, purpose))
        return NULL;
    now_ms = x->server->clock.wall_ms(x->server->clock.user);
    token  = tn_seal_text(&x->server->keys, &call->arena, name, x->caller.name,
                          now_ms + (ttl_ms > 0 ? ttl_ms : TENON_SEAL_MS), tn_slice_of(text));
    return token.len > 0 ? tn_arena_copy(&call->arena, token.at, token.len) : NULL;
}

const char *tenon_unseal(tenon_call *call, const char *purpose, const char *token)
{
    struct tn_exchange *x = tn_exchange_of(call);
    char                name[PURPOSE_MAX + 8];
    struct tn_slice     text;

    if (!x || !name_purpose(name, purpose) ||
        !tn_seal_open(&x->server->keys, &call->arena, name, x->caller.name,
                      x->server->clock.wall_ms(x->server->clock.user), tn_slice_of(token), &text))
        return NULL;
    return tn_arena_copy(&call->arena, text.at, text.len);
}

int64_t tenon_time_left(const tenon_call *call)
{
    const struct tn_exchange *x           = tn_exchange_of(call);
    const int                 deadline_ms = x ? tn_exchange_deadline_ms(x) : 0;
    int64_t                   left_ms;

    if (deadline_ms <= 0 || call->began_us == 0)
        return -1;
    left_ms = deadline_ms - (tn_clock_now_us() - call->began_us) / 1000;
    return left_ms > 0 ? left_ms : 0;
}

bool tenon_remember(tenon_call *call, const char *text)
{
    struct tn_exchange *x    = tn_exchange_of(call);
    const size_t        room = text ? strlen(text) + 1 : 0;
    char               *copy, *old;
    size_t              old_room;

    if (!x || !x->session || room == 0 || room > REMEMBERED_MAX)
        return false;
    if (x->server->share && x->session->on_http)
        return tn_share_session_change(x->session, SESSION_REMEMBER, 0, tn_slice_of(text)) ==
               TENON_SHARE_DONE;
    copy = tn_memory_new(&x->server->memory, room);
    if (!copy)
        return false;
    memcpy(copy, text, room);
    pthread_mutex_lock(&x->session->lock);
    old                         = x->session->remembered;
    old_room                    = x->session->remembered_room;
    x->session->remembered      = copy;
    x->session->remembered_room = room;
    pthread_mutex_unlock(&x->session->lock);
    tn_memory_free(&x->server->memory, old, old_room);
    return true;
}

const char *tenon_remembered(tenon_call *call)
{
    struct tn_exchange *x    = tn_exchange_of(call);
    const char         *copy = NULL;

    if (!x || !x->session)
        return "";
    if (x->server->share && x->session->on_http && !tn_share_session_refresh(x->session))
        return ""; /* rather nothing than what another replica has replaced */
    pthread_mutex_lock(&x->session->lock);
    if (x->session->remembered)
        copy = tn_arena_copy(&call->arena, x->session->remembered, strlen(x->session->remembered));
    pthread_mutex_unlock(&x->session->lock);
    return copy ? copy : "";
}
