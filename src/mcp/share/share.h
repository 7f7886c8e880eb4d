/* share.h - what replicas share, as this process sees it: rows that are sealed, news of changes, and tasks to be saved.
 *
 *   share.c         made and ended, and the two turns that threads take (net/sharing.c)
 *   row.c           one row: sealed and opened
 *   news.c          what has changed, to the others and from them
 *   session_row.c   what a session's id cannot hold
 *   task_row.c      tasks
 *
 * server->share is NULL unless there is a store and a key file: then nothing here costs anything. Whatever reads or writes a
 * row waits for the store, and runs on a worker or on a thread of its own, never on a loop.
 */
#ifndef MCP_SHARE_SHARE_H
#define MCP_SHARE_SHARE_H

#include <tenon/share.h>

#include "mcp/core.h"
#include "mcp/exchange.h"

#define SHARE_NEWS_MS    100                /* at most one message each */
#define SHARE_NEWS_BYTES ((size_t)8 << 10) /* of keys that wait for it; more say that everything may have changed */
#define SHARE_RETRY_MS   500                /* after the store could not be reached */
#define SHARE_TURNS      8                  /* of a row that others write, too */
#define SHARE_KEY_ROOM   33

/* What a message names. The letters travel, and stay. */
enum tn_news { NEWS_UPDATED, NEWS_TASK, NEWS_SESSION, NEWS_ENDED, NEWS_KINDS };

struct tn_shared {
    tenon_server      *server;
    tenon_share_store  store;
    tenon_share_limits sessions, tasks;
    struct tn_slice    process;    /* server->boot */
    bool               begun;      /* the store has */
    int64_t            renewed_ms; /* when the process was last renewed: of the thread that saves */

    pthread_mutex_t lock; /* of everything below */
    pthread_cond_t  more; /* there is something to do for the thread that writes */
    bool            stopping;
    bool            lists[LISTS];
    bool            everything; /* more has changed than was kept */
    struct tn_arena keys;       /* of news */
    struct tn_piece {
        struct tn_piece *next;
        enum tn_news     kind;
        struct tn_slice  key;
    } * news;
    size_t       news_bytes;
    struct task *unsaved, **unsaved_end; /* held */
};

/* ---- share.c ---- */

/* From the server's store; NULL without memory. */
struct tn_shared *tn_share_new(tenon_server *server);
/* Registers the process, reads which sessions were ended, and makes sure that the key file is that of the others;
 * else false, and *mistake a sentence. */
bool tn_share_begin(struct tn_shared *share, const char **mistake);
/* One turn of each thread: waits for news of others; saves and sends what is there, and waits until there is more. */
void tn_share_listen(struct tn_shared *share);
void tn_share_save(struct tn_shared *share);
/* From any thread: no turn is to follow, and the one that saves ends soon. */
void tn_share_stop(struct tn_shared *share);
bool tn_share_is_stopping(struct tn_shared *share);
/* What is not saved yet is, once more; then the process is no replica any more, and the other turn ends, too. */
void tn_share_leave(struct tn_shared *share);
void tn_share_free(struct tn_shared *share);

/* ---- row.c ---- */

/* A row, opened: texts are in the arena. */
struct tn_share_row {
    const char     *kind;
    char            key[SHARE_KEY_ROOM];
    struct tn_slice bound; /* it can be opened only with the same: the caller, or nothing */
    int64_t         number;
    int             state;
    bool            done;
    bool            keeps_owner; /* to be written by another than the process that works at it */
    int64_t         ttl_ms;      /* of a new one */
    struct tn_slice text;
};

/* OTHER: there is none, or it is not for `bound`. */
tenon_share_result tn_share_get(struct tn_shared *share, struct tn_arena *arena, struct tn_share_row *row);
/* `account` NULL: the row's holder is the server itself; `limits` NULL: none. Its owner is this process, unless it is done. */
tenon_share_result tn_share_put(struct tn_shared *share, struct tn_arena *arena,
                                const struct tn_share_row *row, const struct tn_account *account,
                                const tenon_share_limits *limits);

/* ---- news.c ---- */

/* To the other processes, soon. */
void tn_share_changed(struct tn_shared *share, enum tn_list list);
void tn_share_note(struct tn_shared *share, enum tn_news kind, struct tn_slice key);
/* One message with all that is waiting. False when the store cannot be reached: it goes on waiting. */
bool tn_share_send(struct tn_shared *share);
/* A message of another process. */
void tn_share_take(struct tn_shared *share, const char *sealed);
/* News were missed: everything may have changed. */
void tn_share_missed(struct tn_shared *share);

/* ---- session_row.c ---- */

/* What one session's row keeps. */
enum tn_session_change { SESSION_LEVEL, SESSION_WATCH, SESSION_UNWATCH, SESSION_REMEMBER };

/* Changes the row and then the session. FULL: too many subscriptions, for it or for its caller. */
tenon_share_result tn_share_session_change(struct tn_session *session, enum tn_session_change change,
                                           int level, struct tn_slice text);
/* Brings the session to what its row says. False when the store cannot be reached. */
bool tn_share_session_refresh(struct tn_session *session);
/* An ended session, for the others and for those that come; its key is ENDED_KEY_LEN bytes. */
tenon_share_result tn_share_session_ended(struct tn_shared *share, const unsigned char *key,
                                          const struct tn_account *account, int64_t ttl_ms);
/* All that were ended. False when the store cannot be reached. */
bool tn_share_read_ended(struct tn_shared *share);
/* Another process changed it: what this one has of it, if anything, is brought to what the row says. */
void tn_share_session_changed(struct tn_shared *share, struct tn_slice key);

/* ---- task_row.c ---- */

tenon_share_result tn_share_task_begin(struct task *task);
/* Its state has changed: it is saved soon. With the task's lock. */
void tn_share_task_save(struct task *task);
/* Saves the first that waits. False when the store cannot be reached: it goes on waiting. */
bool tn_share_save_task(struct tn_shared *share, struct task *task);
/* Another process wrote the row: answers to its questions, or that it is cancelled. */
void tn_share_task_changed(struct tn_shared *share, struct tn_slice id);
void tn_share_tasks_changed(struct tn_shared *share); /* any of them */

void tn_share_tasks_get(struct tn_exchange *x);
void tn_share_tasks_update(struct tn_exchange *x);
void tn_share_tasks_cancel(struct tn_exchange *x);

#endif
