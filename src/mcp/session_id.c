/* session_id.c - ids are opened once: those that come again and again are remembered (opened.h). */
#include "mcp/session_id.h"

#include <string.h>

#include "mcp/opened.h"

#define PURPOSE "session"

_Static_assert(sizeof(struct tn_session_id) == OPENED_LEN, "all of it is remembered");

static struct tn_slice caller_name(const struct tn_caller *caller)
{
    return caller ? caller->name : (struct tn_slice){ "", 0 };
}

struct tn_slice tn_session_id_write(tenon_server *server, struct tn_arena *arena,
                                    const struct tn_caller *caller, const struct tn_session_id *id)
{
    return tn_seal_text(&server->keys, arena, PURPOSE, caller_name(caller),
                        server->clock.wall_ms(server->clock.user) + SESSION_ID_MS,
                        (struct tn_slice){ (const char *)id, sizeof *id });
}

static bool was_opened(tenon_server *server, struct tn_slice text, struct tn_slice name, int64_t now_ms,
                       struct tn_session_id *id)
{
    unsigned char inside[OPENED_LEN];
    bool          was;

    pthread_mutex_lock(&server->lock);
    was = tn_opened_find(server->opened, text, name, now_ms, inside);
    pthread_mutex_unlock(&server->lock);
    if (was)
        memcpy(id, inside, sizeof *id);
    return was;
}

/* Its seal may be good for a second longer. */
static void remember(tenon_server *server, struct tn_slice text, struct tn_slice name,
                     const struct tn_session_id *id)
{
    unsigned char inside[OPENED_LEN];

    memcpy(inside, id, sizeof *id);
    pthread_mutex_lock(&server->lock);
    tn_opened_keep(&server->opened, &server->memory, text, name, id->began_s * 1000 + SESSION_ID_MS, inside);
    pthread_mutex_unlock(&server->lock);
}

bool tn_session_id_read(tenon_server *server, struct tn_slice text, const struct tn_caller *caller,
                        struct tn_session_id *id)
{
    struct tn_slice name   = caller_name(caller), inside;
    int64_t         now_ms = server->clock.wall_ms(server->clock.user);
    struct tn_arena arena;
    bool            good;

    if (text.len == 0)
        return false;
    if (was_opened(server, text, name, now_ms, id))
        return true;
    tn_arena_init(&arena, &server->memory, 0);
    good = tn_seal_open(&server->keys, &arena, PURPOSE, name, now_ms, text, &inside) &&
           inside.len == sizeof *id;
    if (good)
        memcpy(id, inside.at, sizeof *id);
    tn_arena_free(&arena);
    good = good && id->version < V2026_07_28;
    if (good)
        remember(server, text, name, id);
    return good;
}
