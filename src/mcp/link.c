/* link.c - a client in memory: a session whose port is the program's own function. */
#include <string.h>

#include "base/memory.h"
#include "mcp/exchange.h"
#include "mcp/session.h"

struct tenon_link {
    struct tn_port     port; /* first: it is what exchanges see */
    tenon_server      *server;
    struct tn_session *session;
    struct tn_account *account; /* held */
    atomic_uint        refs;
    pthread_mutex_t    lock; /* one message at a time; and of `sink` */
    tenon_sink_fn      sink; /* NULL once the link is freed */
    void              *user;
};

static void link_send(struct tn_port *port, const struct tn_out *out)
{
    struct tenon_link *link = (struct tenon_link *)port;

    if (out->json.len == 0) /* cancelled */
        return;
    pthread_mutex_lock(&link->lock);
    if (link->sink)
        link->sink(link->user, out->json.at, out->json.len);
    pthread_mutex_unlock(&link->lock);
}

static void link_hold(struct tn_port *port)
{
    atomic_fetch_add(&((struct tenon_link *)port)->refs, 1);
}

static void link_release(struct tn_port *port)
{
    struct tenon_link *link   = (struct tenon_link *)port;
    tenon_server      *server = link->server;

    if (atomic_fetch_sub(&link->refs, 1) != 1)
        return;
    pthread_mutex_destroy(&link->lock);
    tn_account_release(link->account);
    tn_memory_free(&server->memory, link, sizeof *link);
}

tenon_link *tenon_link_new(tenon_server *server, tenon_sink_fn sink, void *user)
{
    tenon_link *link;

    if (tn_mcp_prepare(server) != TENON_OK)
        return NULL;
    link = tn_memory_new(&server->memory, sizeof *link);
    if (!link)
        return NULL;
    memset(link, 0, sizeof *link);
    link->port   = (struct tn_port){ .send = link_send, .hold = link_hold, .release = link_release };
    link->server = server;
    link->sink   = sink;
    link->user   = user;
    atomic_store(&link->refs, 1);
    pthread_mutex_init(&link->lock, NULL);
    link->account = tn_ledger_account(server->ledger, ACCOUNT_PIPE, SLICE_LIT("link"));
    link->session = tn_session_new(server, &link->port, link->account);
    if (link->session)
        return link;
    link_release(&link->port);
    return NULL;
}

void tenon_link_send(tenon_link *link, const char *json, size_t len)
{
    struct tn_exchange *exchange;

    if (!link)
        return;
    if (tn_received_runs(tn_mcp_receive(link->server,
                                        &(struct tn_message_in){ .bytes   = { json, len },
                                                                 .account = link->account,
                                                                 .session = link->session,
                                                                 .port    = &link->port },
                                        &exchange)))
        tn_exchange_run(exchange);
    tn_exchange_release(exchange);
}

void tenon_link_free(tenon_link *link)
{
    if (!link)
        return;
    tn_session_end(link->session);
    pthread_mutex_lock(&link->lock);
    link->sink = NULL;
    pthread_mutex_unlock(&link->lock);
    link_release(&link->port);
}
