/* watch.c - a short list of URIs. */
#include "mcp/offer/watch.h"

#include <string.h>

#include "base/memory.h"

struct tn_watched {
    struct tn_watched *next;
    size_t             len;
    char               uri[];
};

static struct tn_watched **watch_find(struct tn_session *session, struct tn_slice uri)
{
    struct tn_watched **at = &session->watched;

    while (*at && ((*at)->len != uri.len || memcmp((*at)->uri, uri.at, uri.len) != 0))
        at = &(*at)->next;
    return at;
}

bool tn_watch_add(struct tn_session *session, struct tn_slice uri)
{
    size_t             bytes = sizeof(struct tn_watched) + uri.len;
    struct tn_watched *made  = NULL;
    bool               there;

    pthread_mutex_lock(&session->lock);
    there = *watch_find(session, uri) != NULL;
    if (!there && session->watched_count < SESSION_WATCHED_MAX &&
        session->watched_bytes + bytes <= SESSION_WATCHED_BYTES &&
        tn_account_take(session->account, HELD_SUBSCRIPTIONS, bytes)) {
        made = tn_memory_new(&session->server->memory, bytes);
        if (!made)
            tn_account_give(session->account, HELD_SUBSCRIPTIONS, bytes);
    }
    if (made) {
        made->next = session->watched;
        made->len  = uri.len;
        memcpy(made->uri, uri.at, uri.len);
        session->watched = made;
        session->watched_count++;
        session->watched_bytes += bytes;
    }
    pthread_mutex_unlock(&session->lock);
    return there || made;
}

static void watch_drop(struct tn_session *session, struct tn_watched **at)
{
    struct tn_watched *old   = *at;
    size_t             bytes = sizeof *old + old->len;

    *at = old->next;
    session->watched_count--;
    session->watched_bytes -= bytes;
    tn_account_give(session->account, HELD_SUBSCRIPTIONS, bytes);
    tn_memory_free(&session->server->memory, old, bytes);
}

void tn_watch_drop(struct tn_session *session, struct tn_slice uri)
{
    struct tn_watched **at;

    pthread_mutex_lock(&session->lock);
    at = watch_find(session, uri);
    if (*at)
        watch_drop(session, at);
    pthread_mutex_unlock(&session->lock);
}

bool tn_watch_has(struct tn_session *session, struct tn_slice uri)
{
    bool found;

    pthread_mutex_lock(&session->lock);
    found = *watch_find(session, uri) != NULL;
    pthread_mutex_unlock(&session->lock);
    return found;
}

static bool is_among(const struct tn_watched *watched, const struct tn_slice *uris, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (watched->len == uris[i].len && memcmp(watched->uri, uris[i].at, watched->len) == 0)
            return true;
    return false;
}

void tn_watch_keep(struct tn_session *session, const struct tn_slice *uris, size_t count)
{
    struct tn_watched **at;

    pthread_mutex_lock(&session->lock);
    for (at = &session->watched; *at;)
        if (is_among(*at, uris, count))
            at = &(*at)->next;
        else
            watch_drop(session, at);
    pthread_mutex_unlock(&session->lock);
}

void tn_watch_clear(struct tn_session *session)
{
    while (session->watched)
        watch_drop(session, &session->watched);
}
