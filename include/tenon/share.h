/* share.h - what replicas of a server share: their sessions, their tasks, and news of what has changed.
 *
 * The library decides what is kept, seals it with the key file, and asks a store to keep it: rows, messages between
 * processes, and a register of those that live. A store sees no content. The servers of `tenon serve` have one in
 * PostgreSQL; without a store, or without --key-file, everything stays in its process.
 */
#ifndef TENON_SHARE_H
#define TENON_SHARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tenon/base.h>
#include <tenon/server.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum tenon_share_result {
    TENON_SHARE_DONE,
    TENON_SHARE_OTHER, /* the row is not there, or another has written it meanwhile: nothing was changed */
    TENON_SHARE_FULL,  /* there is no room: nothing was changed */
    TENON_SHARE_DOWN   /* the store cannot be reached; a write may be done, or not */
} tenon_share_result;

/* A row. Texts have a NUL at their end and none inside. */
typedef struct tenon_share_row {
    size_t      size;   /* of this struct, set by who fills it */
    const char *kind;   /* "session", "task", ... : a few words that never change */
    const char *key;    /* within its kind */
    const char *holder; /* whose it is: what one holder has is bounded */
    const char *owner;  /* the process that works at it; "": none; to be written, NULL: as it is */
    int64_t     number; /* rises with each write. To be written: the one that was read, 0 for a new row */
    int         state;  /* within its kind */
    bool        done;   /* nothing works at it any more: it may go when there is no room */
    int64_t     ttl_ms; /* of a new row, from its first write on, by the clock of the store */
    const char *text;   /* sealed */
} tenon_share_row;

/* The most of a kind, of all holders together. A holder has at most `share` percent of what the others leave free;
 * when there is no room, the oldest row that is done of the holder that has most of them goes. 0: no limit. */
typedef struct tenon_share_limits {
    size_t   size, rows, bytes;
    unsigned share;
} tenon_share_limits;

typedef void (*tenon_share_row_fn)(void *user, const tenon_share_row *row);
typedef void (*tenon_share_text_fn)(void *user, const char *text);

/* A store. Functions are called by several threads at once and may wait, each for some seconds at most. Time is that of
 * the store alone. */
typedef struct tenon_share_store {
    size_t size; /* of this struct */
    void  *user;

    /* Before anything else, once, when the server begins to share; NULL, or a sentence that says why it cannot. */
    const char *(*begin)(void *user);

    /* Visits the row, or with a NULL key all of the kind; OTHER when a row is not there. */
    tenon_share_result (*read)(void *user, const char *kind, const char *key, tenon_share_row_fn visit,
                               void *visitor);
    tenon_share_result (*write)(void *user, const tenon_share_row *row, const tenon_share_limits *limits);

    /* A message to all other processes, which is kept for a minute. */
    tenon_share_result (*publish)(void *user, const char *process, const char *text);
    /* Waits for messages of others, some seconds at most, and visits each of them once; those of before the first call
     * are not its own. *missed: some never came, because it was away too long. By one thread. */
    tenon_share_result (*listen)(void *user, const char *process, tenon_share_text_fn visit, void *visitor,
                                 bool *missed);

    /* Every `renew_ms`, that this process lives; DONE also when it counted as gone meanwhile. One process at a time also
     * drops what has expired, and gives up rows of processes that are gone: their state becomes `lost_state`, they are
     * done. */
    tenon_share_result (*renew)(void *user, const char *process, int lost_state);
    int renew_ms;
    /* The process ends: listen() returns soon, and its rows are given up now. Nothing is called after it. */
    void (*leave)(void *user, const char *process, int lost_state);
} tenon_share_store;

/* The server shares with all that have the same store, key file and name. Before it starts; the store outlives it. */
TENON_API void tenon_server_share(tenon_server *server, const tenon_share_store *store);

#ifdef __cplusplus
}
#endif
#endif
