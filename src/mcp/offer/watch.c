/* watch.c - a short list of URIs. */
#include "mcp/offer/watch.h"

#include <string.h>

#include "base/memory.h"

struct watched {
    struct watched *next;
    size_t          len;
    char            uri[];
};

static struct watched **find(struct session *session, struct slice uri)
{
    struct watched **at = &session->watched;

    while (*at && ((*at)->len != uri.len || memcmp((*at)->uri, uri.at, uri.len) != 0))
        at = &(*at)->next;
    return at;
}

bool watch_add(struct session *session, struct slice uri)
{
    size_t          bytes = sizeof(struct watched) + uri.len;
    struct watched *made  = NULL;
    bool            there;

    pthread_mutex_lock(&session->lock);
    there = *find(session, uri) != NULL;
    if (!there && session->watched_count < SESSION_WATCHED_MAX &&
        session->watched_bytes + bytes <= SESSION_WATCHED_BYTES &&
        account_take(session->account, HELD_SUBSCRIPTIONS, bytes)) {
        made = memory_new(&session->server->memory, bytes);
        if (!made)
            account_give(session->account, HELD_SUBSCRIPTIONS, bytes);
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

static void drop(struct session *session, struct watched **at)
{
    struct watched *old   = *at;
    size_t          bytes = sizeof *old + old->len;

    *at = old->next;
    session->watched_count--;
    session->watched_bytes -= bytes;
    account_give(session->account, HELD_SUBSCRIPTIONS, bytes);
    memory_free(&session->server->memory, old, bytes);
}

void watch_drop(struct session *session, struct slice uri)
{
    struct watched **at;

    pthread_mutex_lock(&session->lock);
    at = find(session, uri);
    if (*at)
        drop(session, at);
    pthread_mutex_unlock(&session->lock);
}

bool watch_has(struct session *session, struct slice uri)
{
    bool found;

    pthread_mutex_lock(&session->lock);
    found = *find(session, uri) != NULL;
    pthread_mutex_unlock(&session->lock);
    return found;
}

void watch_clear(struct session *session)
{
    while (session->watched)
        drop(session, &session->watched);
}
