/* share_inside.h - what the files of share.h have in common. */
#ifndef KIT_SHARE_INSIDE_H
#define KIT_SHARE_INSIDE_H

#include <pthread.h>
#include <stdatomic.h>

#include "kit/share.h"

#define SHARE_PATIENCE_MS 5000
#define SHARE_TURNS       4  /* of a transaction that others are in the way of */
#define SHARE_CONNECTIONS 4  /* at once, beside the one that listens */
#define SHARE_NAME_ROOM   64 /* of the schema */
#define SHARE_NOW         "CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)"
#define SHARE_MESSAGE_MS  "60000"
#define SHARE_GAPS        256
#define SHARE_GAP_MS      10000

/* What was read of the messages. Their numbers are given before they are committed: one that is missing may come later. */
struct share_place {
    int64_t last; /* the highest; -1: nothing was read */
    int64_t read_ms;
    char    timeline[9]; /* of the database's history when it was found */
    struct {
        int64_t id, since_ms;
    } gaps[SHARE_GAPS]; /* in their order: numbers below `last` that have not been seen */
    size_t gap_count;
};

struct share {
    tenon_share_store  store;
    char              *address;
    struct sql_options options;
    struct sql_pool   *pool;                  /* from begin() on */
    char              *error;                 /* why it could not begin */
    char               name[SHARE_NAME_ROOM]; /* of the schema, and what is listened to */
    int64_t            lease_ms;
    atomic_bool        over;
    atomic_uint        written; /* rows of kinds that may have many */

    pthread_mutex_t lock; /* of the connections in use */
    pthread_cond_t  given;
    size_t          taken;

    struct sql        *listener; /* of the thread that listens, as is the rest */
    struct share_place place;
};

/* A connection, for some seconds; NULL when there is none. */
struct sql *share_take(struct share *share);
void        share_give(struct share *share, struct sql *sql);

/* Runs the body in a transaction, again when others were in the way. FULL and OTHER of the body take everything back. */
typedef tenon_share_result (*share_work_fn)(struct sql *sql, void *user);
tenon_share_result share_transact(struct share *share, share_work_fn work, void *user);

/* ---- share_bus.c ---- */

tenon_share_result share_publish(void *user, const char *process, const char *text);
tenon_share_result share_listen(void *user, const char *process, tenon_share_text_fn visit, void *visitor,
                                bool *missed);
/* Before anyone can subscribe: what is written from now on will be read. False: it cannot, and share->error says why. */
bool share_begin_listening(struct share *share);

/* The number from which is read on; whether a number is new; and gaps that will not be filled any more. */
int64_t share_place_from(const struct share_place *place);
bool    share_place_take(struct share_place *place, int64_t id, int64_t now_ms);
void    share_place_forget(struct share_place *place, int64_t now_ms);

/* ---- share_live.c ---- */

tenon_share_result share_renew(void *user, const char *process, int lost_state);
void               share_leave(void *user, const char *process, int lost_state);

#endif
