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

struct watched;

struct session {
    tenon_server   *server;
    struct session *prev, *next;   /* in the server's list, the last used first */
    struct session *chain;         /* of HTTP: in its bucket */
    struct session *older, *newer; /* of HTTP: of the same account, by when they were used */
    struct account *account;       /* held: who it belongs to */
    atomic_uint     refs;
    unsigned char   key[SESSION_KEY_LEN]; /* of HTTP */
    bool            on_http;
    atomic_bool     ended;
    _Atomic int64_t used_ms; /* when a message came, or the last of what ran or listened in it ended */

    pthread_mutex_t lock; /* of everything below */
    enum version    version;
    unsigned        abilities;
    bool            initialized;
    int             log_level; /* -1: everything from info on */
    struct port    *port;      /* for unsolicited messages, held; NULL when nobody listens */
    struct exchange
        *running; /* that may be cancelled or answered; not held, but for those that wait for the client */
    struct watched *watched; /* resources/subscribe (watch.h) */
    size_t          watched_count, watched_bytes;
    char           *remembered; /* tenon_remember(), or NULL */
    size_t          remembered_room;
};

void session_hold(struct session *session);
void session_release(struct session *session);

/* The session of an id, held; NULL when there is none, or it is another caller's. */
struct session *session_of(tenon_server *server, struct slice id, const struct caller *caller,
                           struct account *account);

/* A new one over HTTP, held, and its id in the arena; NULL without memory. */
struct session *session_begin(tenon_server *server, const struct caller *caller, struct account *account,
                              enum version version, unsigned abilities, struct arena *arena,
                              struct slice *id);

/* Lists an exchange as running, and takes it off (nothing happens if it is not there). */
void session_list(struct session *session, struct exchange *x);
void session_forget(struct session *session, struct exchange *x);

/* The running exchange with this id (as JSON), held; NULL for none. */
struct exchange *session_running(struct session *session, struct slice id);

/* Sends an unsolicited message, if somebody listens. */
void session_push(struct session *session, struct slice json);

/* Every live session of the server and every open pipe, one after the other. */
void sessions_each(tenon_server *server, void (*visit)(struct session *session, void *user), void *user);
void sessions_tick(tenon_server *server, int64_t now_ms);
void sessions_free(tenon_server *server);

/* Nobody waits any more for answers to the questions of `x`: lets go of it, if it was held for them. */
void session_unwait(struct session *session, struct exchange *x);

/* What became of a response of the client's. But for the first nothing was taken, and a question that was meant is open. */
enum answered {
    ANSWER_TAKEN,
    ANSWER_UNASKED, /* no question of this process, or one that is not open any more */
    ANSWER_TOO_LONG,
    ANSWER_UNREADABLE,
    ANSWER_TOO_MUCH, /* for what its caller may keep waiting */
    ANSWER_NO_MEMORY
};

/* Takes a response, which came as `from`, for its session. *resumed is the exchange that can now go on, held; or NULL
 * (input.c). */
enum answered session_answer(struct exchange *from, const struct rpc *rpc, struct exchange **resumed);

#endif
