/* watch.h - what the watcher's own files share. Everything but the list belongs to its thread. */
#ifndef DOCS_INDEX_WATCH_H
#define DOCS_INDEX_WATCH_H

#include <uv.h>

#include "docs/index/parts.h"

#define WATCHES_MAX   8192 /* folders, of all projects */
#define PENDING_MAX   1000 /* files of a project; with more, everything is looked at */
#define DEBOUNCE_MOST 5000 /* ms; a file that never rests is looked at after this */
#define TICK_MS       2000 /* how often folders that were lost are looked for, and what failed is tried again */
#define RETRY_MS      30000 /* after the provider of embeddings did not answer, at most */
#define UNWATCHED_MS  60000 /* how often everything is looked at where not all folders can be watched */

struct watched;

/* One folder. */
struct watch_folder {
    uv_fs_event_t   event;
    struct watched *of;
    bool            external;
    bool is_stale; /* it was removed or moved: what the system tells of it is not about its path any more */
    char path[];   /* beneath the project's folder; "" for that itself */
};

/* One project. */
struct watched {
    struct watched       *next;
    struct watcher       *watcher;
    struct project       *project;
    atomic_bool           ending;
    bool                  has_begun;
    struct watch_folder **folders; /* sorted: the docs folder's first, by path */
    size_t                folder_count;
    size_t                open_count;  /* handles that are not closed yet */
    struct paths          pending[2];  /* docs, external */
    size_t                events;      /* since the last work */
    uint64_t              first, last; /* when the first and the last of them came; first 0: none */
    bool                  is_all;      /* look at everything */
    bool                  is_partial;  /* not every folder is watched */
    bool                  is_lost;     /* the docs folder is not there */
    uint64_t              retry;       /* when everything is to be looked at again; 0: never */
    const tenon_root     *seen[2];     /* whose folders are watched */
};

struct watcher {
    struct docs    *docs;
    uv_loop_t       loop;
    uv_async_t      wake;
    uv_timer_t      soon, tick;
    pthread_t       thread;
    pthread_mutex_t lock; /* of the list */
    struct watched *list;
    atomic_bool     stop;
    size_t          watch_count;
    size_t          burst; /* so many events may mean that some were lost */
    bool            said_limit;
};

/* Watches the folders that are there, and no others. False when the docs folder is not there. */
bool watch_folders(struct watched *watched);
void watch_folders_close(struct watched *watched);

/* Something happened: in a while it is looked at. */
void watch_touch(struct watched *watched);

#endif
