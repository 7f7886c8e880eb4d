/* session.h - what is remembered of a client: of one on a pipe or link all the time, of legacy HTTP by its session id.
 *
 * An id is sealed, and holds the version and the abilities that were negotiated: any process with the same key accepts it,
 * and begins with a session that has forgotten only subscriptions and the log level. Modern requests use nothing of a
 * session but its list of what runs, so that they can be cancelled on a pipe.
 */
#ifndef MCP_SESSION_H
#define MCP_SESSION_H

#include "mcp/exchange.h"

#define SESSION_KEY_LEN     16
#define SESSIONS_MAX        ((size_t)10000)
#define SESSION_IDLE_MS     ((int64_t)3600 * 1000)
#define SESSION_ID_MS       ((int64_t)7 * 24 * 3600 * 1000)
#define SESSION_WATCHED_MAX   ((size_t)1024)
#define SESSION_WATCHED_BYTES ((size_t)64 << 10)
#define SESSION_QUESTION_MS ((int64_t)600 * 1000)

struct tn_watched;

struct tn_session {
    tenon_server      *server;
    struct tn_session *prev, *next;   /* in the server's list, the last used first */
    struct tn_session *chain;         /* of HTTP: in its bucket */
    struct tn_session *older, *newer; /* of HTTP: of the same account, by when they were used */
    struct tn_account *account;       /* held: who it belongs to */
    atomic_uint        refs;
    unsigned char      key[SESSION_KEY_LEN]; /* of HTTP */
    bool               on_http;
    atomic_bool        ended;
    atomic_bool        stale;   /* its row is to be read before anything of it runs (share/session_row.c) */
    _Atomic int64_t    used_ms; /* when a message came, or the last of what ran or listened in it ended */

    pthread_mutex_t lock; /* of everything below */
    enum tn_version version;
    unsigned        abilities;
    bool            initialized;
    int             log_level; /* -1: everything from info on */
    struct tn_port *port;      /* for unsolicited messages, held; NULL when nobody listens */
    struct tn_exchange
        *running; /* that may be cancelled or answered; not held, but for those that wait for the client */
    struct tn_watched *watched; /* resources/subscribe (watch.h) */
    size_t             watched_count, watched_bytes;
    char              *remembered; /* tenon_remember(), or NULL */
    size_t             remembered_room;
    void              *sourced; /* what the server's source keeps of it; of its thread */
};

void tn_session_hold(struct tn_session *session);
void tn_session_release(struct tn_session *session);

/* The session of an id, held; NULL when there is none, or it is another caller's. */
struct tn_session *tn_session_of(tenon_server *server, struct tn_slice id, const struct tn_caller *caller,
                                 struct tn_account *account);

/* The session of this key that this process has, held; or NULL. */
struct tn_session *tn_session_known(tenon_server *server, const unsigned char key[SESSION_KEY_LEN]);

/* A new one over HTTP, held, and its id in the arena; NULL without memory. */
struct tn_session *tn_session_begin(tenon_server *server, const struct tn_caller *caller,
                                    struct tn_account *account, enum tn_version version, unsigned abilities,
                                    struct tn_arena *arena, struct tn_slice *id);

/* The session that an initialize begins, in the exchange and of its version: that of a pipe is there already, one over HTTP is
 * made now, with its id. False without memory. */
bool tn_session_join(struct tn_exchange *x, struct tn_slice *id);

/* Lists an exchange as running, and takes it off (nothing happens if it is not there). */
void tn_session_list(struct tn_session *session, struct tn_exchange *x);
void tn_session_forget(struct tn_session *session, struct tn_exchange *x);

/* The running exchange with this id (as JSON), held; NULL for none. */
struct tn_exchange *tn_session_running(struct tn_session *session, struct tn_slice id);

/* Sends an unsolicited message, if somebody listens. */
void tn_session_push(struct tn_session *session, struct tn_slice json);

/* Every live session of the server and every open pipe, one after the other. */
void tn_sessions_each(tenon_server *server, void (*visit)(struct tn_session *session, void *user),
                      void         *user);
void tn_sessions_tick(tenon_server *server, int64_t now_ms);
void tn_sessions_free(tenon_server *server);

/* Nobody waits any more for answers to the questions of `x`: lets go of it, if it was held for them. */
void tn_session_unwait(struct tn_session *session, struct tn_exchange *x);

#endif
