/* account.c - which account pays for what a connection holds.
 *
 * Heads and what is read ahead are paid for by the peer's address: no caller is known yet. A body, a stream and what is sent
 * are paid for by the caller of their request. Nothing moves from one account to another, so that each was asked for what it
 * holds. IPv6 addresses count by their first 64 bits: a network of that size is one customer's.
 */
#define _GNU_SOURCE
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

#include "net/http/conn.h"

#define NETWORK_BYTES 8 /* of an IPv6 address */

struct tn_account *tn_peer_account(struct ledger *ledger, int socket)
{
    union {
        struct sockaddr     any;
        struct sockaddr_in  four;
        struct sockaddr_in6 six;
    } peer              = { .six = { 0 } };
    socklen_t       len = sizeof peer;
    struct tn_slice key = { "", 0 }; /* of what has no address, such as a socket of the file system */

    if (!ledger)
        return NULL;
    if (getpeername(socket, &peer.any, &len) != 0)
        return tn_ledger_account(ledger, ACCOUNT_ADDRESS, key);
    if (peer.any.sa_family == AF_INET)
        key = (struct tn_slice){ (const char *)&peer.four.sin_addr, sizeof peer.four.sin_addr };
    else if (peer.any.sa_family == AF_INET6 && IN6_IS_ADDR_V4MAPPED(&peer.six.sin6_addr))
        key = (struct tn_slice){ (const char *)&peer.six.sin6_addr + 12, sizeof peer.four.sin_addr };
    else if (peer.any.sa_family == AF_INET6)
        key = (struct tn_slice){ (const char *)&peer.six.sin6_addr, NETWORK_BYTES };
    return tn_ledger_account(ledger, ACCOUNT_ADDRESS, key);
}

struct tn_account *tn_http_payer(const struct tn_http_conn *conn)
{
    return conn->payer;
}

struct tn_account *tn_http_caller(const struct tn_http_conn *conn)
{
    return conn->caller;
}

void tn_http_pay(struct tn_http_conn *conn, struct tn_account *account)
{
    struct tn_account *before = conn->caller;

    conn->payer = account;
    if (account == before)
        return;
    tn_account_hold(account);
    conn->caller = account;
    tn_account_release(before);
}

void tn_conn_begin_request(struct tn_http_conn *conn)
{
    conn->payer = conn->peer;
}

void tn_conn_settle(struct tn_http_conn *conn)
{
    if (!conn->surplus)
        tn_account_give(conn->peer, HELD_CONNECTIONS, 1);
    tn_account_release(conn->caller);
    tn_account_release(conn->peer);
    conn->payer = conn->caller = conn->peer = NULL;
}
