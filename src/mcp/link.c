/* link.c - a client in memory: a session whose port is the program's own function. */
#include <string.h>

#include "base/memory.h"
#include "mcp/exchange.h"
#include "mcp/session.h"

struct tenon_link {
    struct port     port; /* first: it is what exchanges see */
    tenon_server   *server;
    struct session *session;
    struct account *account; /* held */
    atomic_uint     refs;
    pthread_mutex_t lock; /* one message at a time; and of `sink` */
    tenon_sink_fn   sink; /* NULL once the link is freed */
    void           *user;
};

static void send(struct port *port, const struct out *out)
{
    struct tenon_link *link = (struct tenon_link *)port;

    if (out->json.len == 0) /* cancelled */
        return;
    pthread_mutex_lock(&link->lock);
    if (link->sink)
        link->sink(link->user, out->json.at, out->json.len);
    pthread_mutex_unlock(&link->lock);
}

static void hold(struct port *port)
{
    atomic_fetch_add(&((struct tenon_link *)port)->refs, 1);
}

static void release(struct port *port)
{
    struct tenon_link *link   = (struct tenon_link *)port;
    tenon_server      *server = link->server;

    if (atomic_fetch_sub(&link->refs, 1) != 1)
        return;
    pthread_mutex_destroy(&link->lock);
    account_release(link->account);
    memory_free(&server->memory, link, sizeof *link);
}

tenon_link *tenon_link_new(tenon_server *server, tenon_sink_fn sink, void *user)
{
    tenon_link *link;

    if (mcp_prepare(server) != TENON_OK)
        return NULL;
    link = memory_new(&server->memory, sizeof *link);
    if (!link)
        return NULL;
    memset(link, 0, sizeof *link);
    link->port   = (struct port){ .send = send, .hold = hold, .release = release };
    link->server = server;
    link->sink   = sink;
    link->user   = user;
    atomic_store(&link->refs, 1);
    pthread_mutex_init(&link->lock, NULL);
    link->account = ledger_account(server->ledger, ACCOUNT_PIPE, SLICE_LIT("link"));
    link->session = session_new(server, &link->port, link->account);
    if (link->session)
        return link;
    release(&link->port);
    return NULL;
}

void tenon_link_send(tenon_link *link, const char *json, size_t len)
{
    struct exchange *exchange;

    if (!link)
        return;
    if (mcp_receive(link->server,
                    &(struct message_in){ .bytes   = { json, len },
                                          .account = link->account,
                                          .session = link->session,
                                          .port    = &link->port },
                    &exchange) == HEED_RUN)
        exchange_run(exchange);
    exchange_release(exchange);
}

void tenon_link_free(tenon_link *link)
{
    if (!link)
        return;
    session_end(link->session);
    pthread_mutex_lock(&link->lock);
    link->sink = NULL;
    pthread_mutex_unlock(&link->lock);
    release(&link->port);
}
