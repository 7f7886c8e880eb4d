/* sharing.c - see sharing.h. */
#define _GNU_SOURCE
#include "net/sharing.h"

#include "base/memory.h"
#include "mcp/phrases.h"
#include "mcp/share/share.h"

struct tn_sharing {
    tenon_allocator   memory;
    struct tn_shared *share;
    pthread_t         listener, saver;
    bool              listens, saves; /* the threads run */
};

static void *keep_listening(void *user)
{
    while (!tn_share_is_stopping(user))
        tn_share_listen(user);
    return NULL;
}

static void *keep_saving(void *user)
{
    while (!tn_share_is_stopping(user))
        tn_share_save(user);
    return NULL;
}

static bool start(struct tn_sharing *sharing)
{
    sharing->listens = pthread_create(&sharing->listener, NULL, keep_listening, sharing->share) == 0;
    sharing->saves   = sharing->listens &&
                     pthread_create(&sharing->saver, NULL, keep_saving, sharing->share) == 0;
    return sharing->saves;
}

tenon_status tn_sharing_begin(struct tn_sharing **sharing, tenon_server *server, bool has_keys)
{
    const char        *mistake = NULL;
    struct tn_sharing *made;

    *sharing = NULL;
    if (!server->store.read)
        return TENON_OK;
    if (!has_keys) {
        tn_log_line(&server->log, LOG_INFO, SAY_LOG_NOT_SHARED);
        return TENON_OK;
    }
    made = tn_memory_new(&server->memory, sizeof *made);
    if (!made)
        return tn_core_mistake(server, SAY_NO_MEMORY_NEW);
    *made    = (struct tn_sharing){ .memory = server->memory, .share = tn_share_new(server) };
    *sharing = made;
    if (!made->share)
        return tn_core_mistake(server, SAY_NO_MEMORY_NEW);
    if (!tn_share_begin(made->share, &mistake))
        return tn_core_mistake(server, "%s", mistake);
    server->share = made->share;
    return start(made) ? TENON_OK : tn_core_mistake(server, "The system cannot start more threads");
}

void tn_sharing_end(struct tn_sharing *sharing)
{
    if (!sharing || !sharing->share)
        return;
    tn_share_stop(sharing->share);
    if (sharing->saves)
        pthread_join(sharing->saver, NULL);
    tn_share_leave(sharing->share);
    if (sharing->listens)
        pthread_join(sharing->listener, NULL);
    sharing->saves = sharing->listens = false;
}

void tn_sharing_free(struct tn_sharing *sharing)
{
    if (!sharing)
        return;
    tn_share_free(sharing->share);
    tn_memory_free(&sharing->memory, sharing, sizeof *sharing);
}
