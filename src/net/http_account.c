/* http_account.c - who pays for what a connection holds.
 *
 * Before a request is known to be of a caller, its peer's address pays. IPv6 addresses count by their first 64 bits: a
 * network of that size is one customer's.
 */
#define _GNU_SOURCE
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

#include "net/http_conn.h"

#define NETWORK_BYTES 8 /* of an IPv6 address */

struct account *peer_account(struct ledger *ledger, int socket)
{
    union {
        struct sockaddr     any;
        struct sockaddr_in  four;
        struct sockaddr_in6 six;
    } peer           = { .six = { 0 } };
    socklen_t    len = sizeof peer;
    struct slice key = { "", 0 }; /* of what has no address, such as a socket of the file system */

    if (!ledger)
        return NULL;
    if (getpeername(socket, &peer.any, &len) != 0)
        return ledger_account(ledger, ACCOUNT_ADDRESS, key);
    if (peer.any.sa_family == AF_INET)
        key = (struct slice){ (const char *)&peer.four.sin_addr, sizeof peer.four.sin_addr };
    else if (peer.any.sa_family == AF_INET6 && IN6_IS_ADDR_V4MAPPED(&peer.six.sin6_addr))
        key = (struct slice){ (const char *)&peer.six.sin6_addr + 12, sizeof peer.four.sin_addr };
    else if (peer.any.sa_family == AF_INET6)
        key = (struct slice){ (const char *)&peer.six.sin6_addr, NETWORK_BYTES };
    return ledger_account(ledger, ACCOUNT_ADDRESS, key);
}

bool conn_hold(struct http_conn *conn, size_t bytes)
{
    if (!account_take(conn->payer, HELD_INCOMING, bytes))
        return false;
    conn->incoming += bytes;
    return true;
}

void conn_unhold(struct http_conn *conn, size_t bytes)
{
    account_give(conn->payer, HELD_INCOMING, bytes);
    conn->incoming -= bytes;
}

bool conn_owe(struct http_conn *conn, size_t bytes)
{
    if (!account_take(conn->payer, HELD_OUTGOING, bytes))
        return false;
    conn->outgoing += bytes;
    return true;
}

void conn_unowe(struct http_conn *conn, size_t bytes)
{
    account_give(conn->payer, HELD_OUTGOING, bytes);
    conn->outgoing -= bytes;
}

struct account *http_payer(const struct http_conn *conn)
{
    return conn->payer;
}

struct account *http_caller(const struct http_conn *conn)
{
    return conn->caller;
}

/* What is held already moves along: it is there, and must be paid for. A stream does not change its payer. */
static void change_payer(struct http_conn *conn, struct account *account)
{
    struct account *old = conn->payer;

    conn->payer = account;
    if (conn->incoming > 0) {
        account_force(account, HELD_INCOMING, conn->incoming);
        account_give(old, HELD_INCOMING, conn->incoming);
    }
    if (conn->outgoing > 0) {
        account_force(account, HELD_OUTGOING, conn->outgoing);
        account_give(old, HELD_OUTGOING, conn->outgoing);
    }
}

void http_pay(struct http_conn *conn, struct account *account)
{
    struct account *before = conn->caller;

    change_payer(conn, account);
    if (account == before)
        return;
    account_hold(account);
    conn->caller = account;
    account_release(before);
}

void conn_begin_request(struct http_conn *conn)
{
    conn->marked = false;
    if (conn->payer != conn->peer)
        change_payer(conn, conn->peer);
}

void conn_settle(struct http_conn *conn)
{
    account_give(conn->payer, HELD_INCOMING, conn->incoming);
    account_give(conn->payer, HELD_OUTGOING, conn->outgoing);
    conn->incoming = conn->outgoing = 0;
    if (!conn->surplus)
        account_give(conn->peer, HELD_CONNECTIONS, 1);
    account_release(conn->caller);
    account_release(conn->peer);
    conn->payer = conn->caller = conn->peer = NULL;
}
