/* receive.h - messages in: what transports call.
 *
 * A transport hands over each message with a port for what comes back. Quick handlers run inside tn_mcp_receive(); of others
 * the transport is given the exchange, to run it on a thread that may wait. See enum tn_received.
 *
 * *exchange is set, and held for the caller, when its final message is still to come, so that it can be cancelled or
 * overrun; the caller releases it. Everything here may be called by any thread; messages of one session in parallel.
 */
#ifndef MCP_RECEIVE_H
#define MCP_RECEIVE_H

#include <tenon/server.h>

#include "mcp/port.h"

struct tn_account;
struct tn_exchange;
struct tn_session;

/* Who sends, as authentication found. */
struct tn_caller {
    struct tn_slice name;   /* empty without authentication */
    struct tn_slice scopes; /* separated by spaces */
    bool            scoped; /* scopes count: false for static tokens and without authentication */
};

/* What HTTP says beside the body. A header that was not sent has `at` NULL; spaces around values are gone. */
struct tn_http_facts {
    struct tn_slice version, method, name,
        session; /* MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id */
    bool (*header)(const void *user, struct tn_slice name,
                   struct tn_slice *value); /* any other, for Mcp-Param-* */
    bool (*header_at)(const void *user, size_t index, struct tn_slice *name,
                      struct tn_slice *value); /* each as it came; false after the last. NULL: not known */
    const void *user;
};

struct tn_message_in {
    struct tn_slice             bytes;
    const struct tn_http_facts *http;   /* NULL on other transports */
    const struct tn_caller     *caller; /* NULL without authentication */
    struct tn_account
        *account; /* of who sends: what the message leads to is held on it; NULL for no bounds */
    struct tn_session *session; /* of a pipe or link; NULL on HTTP, where the id leads to it */
    struct tn_port    *port;
};

enum tn_received {
    RECEIVED_TAKEN,    /* a notification or a response: it is not answered (202 on HTTP) */
    RECEIVED_ANSWERED, /* the port has its final message, or another thread is sending it */
    RECEIVED_PENDING,  /* the port gets its final message later; *exchange is NULL for a batch */
    RECEIVED_TO_RUN,   /* the same, after tn_exchange_run(*exchange) on a thread that may wait */
    RECEIVED_RESUMED   /* taken; and *exchange, of an earlier request that waited for it, is to be run */
};
enum tn_received tn_mcp_receive(tenon_server *server, const struct tn_message_in *in,
                                struct tn_exchange **exchange);

/* Has the transport an exchange to run now? */
static inline bool tn_received_runs(enum tn_received received)
{
    return received == RECEIVED_TO_RUN || received == RECEIVED_RESUMED;
}

/* May this message set a call going? A response may, that one has waited for; a notification and a ping do not. For a
 * transport that has no room for another call, and must not keep those waiting that end some. */
bool tn_mcp_may_call(tenon_server *server, struct tn_slice message);

/* Answers a message that is longer than its transport takes, of which `in->bytes` is the beginning: with its id, if that stands
 * there. */
void tn_mcp_refuse_long(tenon_server *server, const struct tn_message_in *in);

/* Compiles what was added, once, before the first message. Called again it returns what it did. */
tenon_status tn_mcp_prepare(tenon_server *server);

/* ---- Exchanges ----------------------------------------------------------------------------------------------- */

/* Runs the handler and sends the answer. The exchange may go on later (it asked the client something). */
void tn_exchange_run(struct tn_exchange *exchange);

/* The same on a worker of the server's host, or at once without one; refused when none is free. */
void tn_exchange_start(struct tn_exchange *exchange);

/* Who it is for: see base/account.h. */
struct tn_account *tn_exchange_account(const struct tn_exchange *exchange);

/* Does it belong to this session? */
bool tn_exchange_is_of(const struct tn_exchange *exchange, const struct tn_session *session);

/* How long it may run, in milliseconds; 0 for as long as it likes. */
int tn_exchange_deadline_ms(const struct tn_exchange *exchange);

/* Answers TIMEOUT in its place, if it is not answered yet; its handler sees that it is cancelled. False if it was. */
bool tn_exchange_overrun(struct tn_exchange *exchange);

/* Answers LIMIT_EXCEEDED in its place: there is no worker for it. For exchanges that were not run. With `lost` true:
 * UNAVAILABLE, because workers were lost. */
void tn_exchange_refuse(struct tn_exchange *exchange, bool lost);

/* The client has gone, or does not want it any more: nothing is sent from now on. */
void tn_exchange_cancel(struct tn_exchange *exchange);

/* Does a closed connection mean that it is cancelled? In the modern era it does, unless it became a task. */
bool tn_exchange_ends_with_connection(struct tn_exchange *exchange);

/* Does it hold a stream open until it is cancelled (subscriptions/listen)? */
bool tn_exchange_is_listening(const struct tn_exchange *exchange);

/* Ends a listening exchange with its response: at a graceful shutdown. */
void tn_exchange_close(struct tn_exchange *exchange);

void tn_exchange_hold(struct tn_exchange *exchange);
void tn_exchange_release(struct tn_exchange *exchange);

/* ---- Sessions ------------------------------------------------------------------------------------------------ */

/* The one client of a pipe or a link, of any era. Unsolicited messages go to `port`, which it holds. NULL without memory. */
struct tn_session *tn_session_new(tenon_server *server, struct tn_port *port, struct tn_account *account);

/* Cancels what runs in it, and lets go. */
void tn_session_end(struct tn_session *session);

/* Legacy HTTP: the status for a GET with this session id (200: unsolicited messages go to `port` from now on, and *session
 * is held for the caller until mcp_session_unlisten; with a NULL port it is only looked for) or a DELETE. `version` is of
 * the MCP-Protocol-Version header, or empty. */
int  tn_mcp_session_listen(tenon_server *server, struct tn_slice id, struct tn_slice version,
                           const struct tn_caller *caller, struct tn_account *account, struct tn_port *port,
                           struct tn_session **session);
void tn_mcp_session_unlisten(struct tn_session *session, struct tn_port *port);
int  tn_mcp_session_delete(tenon_server *server, struct tn_slice id, const struct tn_caller *caller,
                           const struct tn_account *account);

/* Must a GET or DELETE of this session wait for what replicas share? Then it is done on a thread that may, and before a GET
 * tn_mcp_session_refresh(): false when that cannot be reached (503). */
bool tn_mcp_session_waits(tenon_server *server, struct tn_slice id, const struct tn_caller *caller,
                          struct tn_account *account, bool ends);
bool tn_mcp_session_refresh(tenon_server *server, struct tn_slice id, const struct tn_caller *caller,
                            struct tn_account *account);

/* Other processes may have ended sessions that this one will not hear of: none that began before now is taken over. False
 * without memory. */
bool tn_mcp_sessions_lost(tenon_server *server);

/* Another process ended the session with this key (ENDED_KEY_LEN bytes). False without memory. */
bool tn_mcp_session_ended(tenon_server *server, const unsigned char *key);
bool tn_mcp_session_is_over(const struct tn_session *session);

/* Does the client of this session know priming events (2025-11-25 and newer)? Any may resume by Last-Event-ID. */
bool tn_mcp_session_primes(tenon_server *server, struct tn_slice id, const struct tn_caller *caller);

/* ---- Time ---------------------------------------------------------------------------------------------------- */

/* Forgets sessions, questions and tasks whose time is over; about once a second, by one thread at a time. */
void tn_mcp_tick(tenon_server *server);

#endif
