/* memory.c - a server in this process: its messages wait in a queue until the client is stepped.
 *
 * They may come from any thread of the server's; only the queue is shared with those.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <tenon/server.h>

#include "base/memory.h"
#include "net/client/transport.h"

#define QUEUE_BYTES(max) ((max)*4) /* that may wait: a server that sends more is not read fast enough */

struct queued {
    struct queued *next;
    size_t         len;
    char           bytes[];
};

struct memory_transport {
    struct tn_transport base;
    tenon_allocator     memory;
    struct tn_watch    *watch;
    tenon_link         *link;
    size_t              max;
    struct tn_bell      bell; /* rings while something is queued */

    pthread_mutex_t lock; /* of what follows */
    struct queued  *first, **last;
    size_t          bytes;
    bool            lost; /* something did not fit */
};

static struct memory_transport *memory_of(struct tn_transport *transport)
{
    return (struct memory_transport *)transport;
}

static void memory_sink(void *user, const char *json, size_t len)
{
    struct memory_transport *way    = user;
    struct queued           *queued = NULL;

    pthread_mutex_lock(&way->lock);
    if (len <= way->max && way->bytes <= QUEUE_BYTES(way->max) - len)
        queued = tn_memory_new(&way->memory, sizeof *queued + len);
    if (queued) {
        queued->next = NULL;
        queued->len  = len;
        memcpy(queued->bytes, json, len);
        *way->last = queued;
        way->last  = &queued->next;
        way->bytes += len;
    } else
        way->lost = true;
    pthread_mutex_unlock(&way->lock);
    tn_os_bell_ring(&way->bell);
}

static struct queued *take_first(struct memory_transport *way)
{
    struct queued *queued;

    pthread_mutex_lock(&way->lock);
    queued = way->first;
    if (queued) {
        way->first = queued->next;
        way->bytes -= queued->len;
        if (!way->first)
            way->last = &way->first;
    }
    pthread_mutex_unlock(&way->lock);
    return queued;
}

static void memory_step(struct tn_transport *transport, const struct tn_ready *ready, size_t count)
{
    struct memory_transport        *way  = memory_of(transport);
    const struct tn_transport_sink *sink = &transport->sink;
    struct queued                  *queued;
    bool                            lost;

    (void)ready, (void)count;
    tn_os_bell_silence(&way->bell);
    while ((queued = take_first(way))) {
        sink->message(sink->user, 0, 0, (struct tn_slice){ queued->bytes, queued->len });
        tn_memory_free(&way->memory, queued, sizeof *queued + queued->len);
    }
    pthread_mutex_lock(&way->lock);
    lost      = way->lost;
    way->lost = false;
    pthread_mutex_unlock(&way->lock);
    if (lost)
        sink->ended(sink->user, 0, END_FAILED, 0, "a message of the server was too long, or out of memory");
}

static bool memory_send(struct tn_transport *transport, const struct tn_parcel *parcel)
{
    tenon_link_send(memory_of(transport)->link, parcel->json.at, parcel->json.len);
    return true;
}

static void memory_free(struct tn_transport *transport)
{
    struct memory_transport *way    = memory_of(transport);
    tenon_allocator          memory = way->memory;
    struct queued           *queued;

    tenon_link_free(way->link);
    while ((queued = take_first(way)))
        tn_memory_free(&memory, queued, sizeof *queued + queued->len);
    if (way->bell.fd >= 0)
        tn_watch_set(way->watch, way->bell.fd, 0);
    tn_os_bell_free(&way->bell);
    pthread_mutex_destroy(&way->lock);
    tn_memory_free(&memory, way, sizeof *way);
}

struct tn_transport *tn_memory_transport_new(const struct tn_transport_frame *frame, tenon_server *server)
{
    struct memory_transport *way = tn_memory_new(&frame->memory, sizeof *way);
    const char              *mistake;

    if (!way)
        return NULL;
    *way = (struct memory_transport){
        .base   = { .send = memory_send, .step = memory_step, .free = memory_free },
        .memory = frame->memory,
        .watch  = frame->watch,
        .max    = frame->max_bytes,
        .bell   = tn_os_bell_new(),
    };
    way->last = &way->first;
    pthread_mutex_init(&way->lock, NULL);
    if (way->bell.fd < 0 || !tn_watch_set(way->watch, way->bell.fd, WATCH_READ))
        snprintf(way->base.why, sizeof way->base.why, "the system has no descriptor left");
    else if (!(way->link = server ? tenon_link_new(server, memory_sink, way) : NULL)) {
        mistake = server ? tenon_server_error(server) : NULL;
        snprintf(way->base.why, sizeof way->base.why, "%s", mistake ? mistake : "out of memory");
    }
    return &way->base;
}
