/* watch.c - the thread that sees files change.
 *
 * Events of a project are collected until no more come for the debounce time; then this thread indexes the files:
 * meanwhile the system queues events. When it is not known what changed (a new folder, a burst that may have been too
 * much for the system, a folder that was gone), everything is looked at, which costs little where nothing changed.
 */
#include "docs/index/watch.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEBOUNCE_MS    500
#define DEBOUNCE_LEAST 100
#define BURST          8192

static uint64_t debounce_of(const struct watcher *watcher)
{
    int ms = watcher->docs->options.debounce_ms;

    if (ms <= 0)
        return DEBOUNCE_MS;
    return (uint64_t)(ms < DEBOUNCE_LEAST ? DEBOUNCE_LEAST : ms > DEBOUNCE_MOST ? DEBOUNCE_MOST : ms);
}

/* ---- Working ------------------------------------------------------------------------------------------------- */

static bool log_problem(void *user, size_t done, size_t total, const char *path, enum index_status status,
                        const struct index_problem *problem)
{
    const struct watched *watched = user;
    char                  line[INDEX_LINE_MAX];

    (void)done, (void)total, (void)status;
    if (problem)
        docs_log("%s: %s was not indexed: %s", watched->project->config.name, path,
                 index_line(problem, line));
    return !atomic_load(&watched->ending);
}

static void lose(struct watched *watched)
{
    if (!watched->is_lost)
        docs_log("%s: the docs folder is missing; what is indexed stays until it is back",
                 watched->project->config.name);
    watched->is_lost = true;
}

static uint64_t retry_of(const struct index_counts *counts)
{
    uint64_t ms = counts->retry_after > 0 ? (uint64_t)counts->retry_after * 1000 : RETRY_MS;

    return ms < TICK_MS ? TICK_MS : ms < RETRY_MS ? ms : RETRY_MS;
}

static void work(struct watched *watched)
{
    struct docs        *docs    = watched->watcher->docs;
    struct paths        docs_at = watched->pending[0], external_at = watched->pending[1];
    bool                all    = watched->is_all;
    struct index_counts counts = { 0 };
    enum index_status   status;

    watched->pending[0] = watched->pending[1] = (struct paths){ 0 };
    watched->is_all                           = false;
    watched->events                           = 0;
    watched->first = watched->last = watched->retry = 0;
    if (all && !watch_folders(watched)) {
        status = INDEX_NOT_FOUND;
    } else if (all) {
        status = index_all(docs, NULL, &watched->ending, watched->project, log_problem, watched, &counts);
    } else {
        paths_sort(&docs_at);
        paths_sort(&external_at);
        status = index_some(docs, &watched->ending, watched->project, &docs_at, &external_at, log_problem,
                            watched, &counts);
    }
    paths_free(&docs_at);
    paths_free(&external_at);
    uv_update_time(&watched->watcher->loop);
    if (status == INDEX_NOT_FOUND)
        lose(watched);
    else if (all)
        watched->is_lost = false;
    if (counts.waiting > 0)
        watched->retry = uv_now(&watched->watcher->loop) + retry_of(&counts);
    else if (watched->is_partial)
        watched->retry = uv_now(&watched->watcher->loop) + UNWATCHED_MS;
    if (counts.elsewhere || (status != INDEX_OK && status != INDEX_NOT_FOUND))
        watched->retry = uv_now(&watched->watcher->loop) + TICK_MS;
}

/* ---- When ---------------------------------------------------------------------------------------------------- */

static uint64_t due_at(const struct watched *watched)
{
    uint64_t quiet = watched->last + debounce_of(watched->watcher), most = watched->first + DEBOUNCE_MOST;

    return quiet < most ? quiet : most;
}

/* Whether something of it is to be indexed. One that ends is left out everywhere: a timer that is set for it would be due
 * at once, do nothing and be set again, and the thread would never see that it is to stop. */
static bool has_work(const struct watched *watched)
{
    return watched->has_begun && watched->first && !atomic_load(&watched->ending);
}

/* Others put new ones in front; only this thread takes any off. */
static struct watched *first_of(struct watcher *watcher)
{
    struct watched *first;

    pthread_mutex_lock(&watcher->lock);
    first = watcher->list;
    pthread_mutex_unlock(&watcher->lock);
    return first;
}

static void on_soon(uv_timer_t *timer);

static void set_soon(struct watcher *watcher)
{
    uint64_t now = uv_now(&watcher->loop), next = UINT64_MAX;

    for (struct watched *watched = first_of(watcher); watched; watched = watched->next)
        if (has_work(watched) && due_at(watched) < next)
            next = due_at(watched);
    if (next != UINT64_MAX)
        uv_timer_start(&watcher->soon, on_soon, next > now ? next - now : 0, 0);
}

void watch_touch(struct watched *watched)
{
    uint64_t now = uv_now(&watched->watcher->loop);

    watched->last = now ? now : 1;
    if (!watched->first)
        watched->first = watched->last;
    if (!uv_is_active((uv_handle_t *)&watched->watcher->soon))
        set_soon(watched->watcher);
}

static void on_soon(uv_timer_t *timer)
{
    struct watcher *watcher = timer->data;

    for (struct watched *watched = first_of(watcher); watched; watched = watched->next)
        if (has_work(watched) && due_at(watched) <= uv_now(&watcher->loop))
            work(watched);
    set_soon(watcher);
}

/* Folders that were made again, and what is to be tried again. */
static void on_tick(uv_timer_t *timer)
{
    struct watcher *watcher = timer->data;

    for (struct watched *watched = first_of(watcher); watched; watched = watched->next) {
        bool is_there;

        if (!watched->has_begun || atomic_load(&watched->ending))
            continue;
        is_there = project_refresh(watched->project);
        if (!is_there)
            lose(watched);
        if ((is_there && (watched->is_lost || watched->seen[0] != atomic_load(&watched->project->docs_root) ||
                          watched->seen[1] != atomic_load(&watched->project->external_root))) ||
            (watched->retry && watched->retry <= uv_now(&watcher->loop))) {
            watched->is_all = true;
            watch_touch(watched);
        }
    }
}

/* ---- Beginning and ending ------------------------------------------------------------------------------------ */

static void watched_free(struct watched *watched)
{
    paths_free(&watched->pending[0]);
    paths_free(&watched->pending[1]);
    project_release(watched->project);
    free(watched);
}

/* Takes those off the list that end, as soon as nothing of them is open. */
static bool drop_ended(struct watcher *watcher)
{
    struct watched *ended      = NULL;
    bool            is_waiting = false;

    pthread_mutex_lock(&watcher->lock);
    for (struct watched **at = &watcher->list; *at;) {
        struct watched *watched = *at;

        if (atomic_load(&watched->ending) && watched->folder_count > 0)
            watch_folders_close(watched);
        if (!atomic_load(&watched->ending) || watched->open_count > 0) {
            is_waiting |= atomic_load(&watched->ending);
            at = &watched->next;
            continue;
        }
        *at           = watched->next;
        watched->next = ended;
        ended         = watched;
    }
    pthread_mutex_unlock(&watcher->lock);
    while (ended) {
        struct watched *next = ended->next;

        watched_free(ended);
        ended = next;
    }
    return is_waiting;
}

static struct watched *next_new(struct watcher *watcher)
{
    struct watched *watched;

    pthread_mutex_lock(&watcher->lock);
    for (watched = watcher->list; watched; watched = watched->next)
        if (!watched->has_begun && !atomic_load(&watched->ending))
            break;
    pthread_mutex_unlock(&watcher->lock);
    return watched;
}

static void on_wake(uv_async_t *wake)
{
    struct watcher *watcher = wake->data;
    struct watched *watched;

    if (atomic_load(&watcher->stop)) {
        uv_stop(&watcher->loop);
        return;
    }
    if (drop_ended(watcher))
        uv_async_send(&watcher->wake); /* once more, when what was closed is */
    while ((watched = next_new(watcher))) {
        watched->has_begun = true;
        watched->is_all    = true;
        work(watched);
    }
    set_soon(watcher);
}

static void *run(void *argument)
{
    struct watcher *watcher = argument;

    uv_run(&watcher->loop, UV_RUN_DEFAULT);
    uv_close((uv_handle_t *)&watcher->wake, NULL);
    uv_close((uv_handle_t *)&watcher->soon, NULL);
    uv_close((uv_handle_t *)&watcher->tick, NULL);
    while (drop_ended(watcher))
        uv_run(&watcher->loop, UV_RUN_ONCE);
    uv_run(&watcher->loop, UV_RUN_DEFAULT);
    return NULL;
}

/* How many events the system keeps; half of them at once is near enough to too many. */
static size_t find_burst(void)
{
    FILE         *file = fopen("/proc/sys/fs/inotify/max_queued_events", "r");
    char          line[32];
    unsigned long most = 0;

    if (file && fgets(line, sizeof line, file))
        most = strtoul(line, NULL, 10);
    if (file)
        fclose(file);
    return most >= 2 && most / 2 < BURST ? most / 2 : BURST;
}

static bool start(struct watcher *watcher)
{
    sigset_t all, before;
    bool     started;

    if (uv_loop_init(&watcher->loop) != 0)
        return false;
    uv_async_init(&watcher->loop, &watcher->wake, on_wake);
    uv_timer_init(&watcher->loop, &watcher->soon);
    uv_timer_init(&watcher->loop, &watcher->tick);
    watcher->wake.data = watcher->soon.data = watcher->tick.data = watcher;
    uv_timer_start(&watcher->tick, on_tick, TICK_MS, TICK_MS);
    sigfillset(&all); /* signals are the server's */
    pthread_sigmask(SIG_SETMASK, &all, &before);
    started = pthread_create(&watcher->thread, NULL, run, watcher) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (started)
        return true;
    uv_close((uv_handle_t *)&watcher->wake, NULL);
    uv_close((uv_handle_t *)&watcher->soon, NULL);
    uv_close((uv_handle_t *)&watcher->tick, NULL);
    uv_run(&watcher->loop, UV_RUN_DEFAULT);
    uv_loop_close(&watcher->loop);
    return false;
}

static struct watcher *watcher_new(struct docs *docs)
{
    struct watcher *watcher = calloc(1, sizeof *watcher);

    if (!watcher)
        return NULL;
    watcher->docs  = docs;
    watcher->burst = find_burst();
    pthread_mutex_init(&watcher->lock, NULL);
    if (start(watcher))
        return watcher;
    pthread_mutex_destroy(&watcher->lock);
    free(watcher);
    return NULL;
}

/* The watcher; made if it is to be. */
static struct watcher *watcher_of(struct docs *docs, bool make)
{
    struct watcher *watcher;

    pthread_mutex_lock(&docs->lock);
    if (!docs->watcher && make)
        docs->watcher = watcher_new(docs);
    watcher = docs->watcher;
    pthread_mutex_unlock(&docs->lock);
    return watcher;
}

/* Puts it on the list, unless it is on it. */
static bool add_watched(struct watcher *watcher, struct project *project)
{
    struct watched *watched, *new = calloc(1, sizeof *new);

    if (!new)
        return false;
    pthread_mutex_lock(&watcher->lock);
    for (watched = watcher->list; watched; watched = watched->next)
        if (watched->project == project && !atomic_load(&watched->ending))
            break;
    if (!watched) {
        project_hold(project);
        new->project  = project;
        new->watcher  = watcher;
        new->next     = watcher->list;
        watcher->list = new;
        new           = NULL;
        uv_async_send(&watcher->wake);
    }
    pthread_mutex_unlock(&watcher->lock);
    free(new);
    return true;
}

bool watch_begin(struct docs *docs, struct project *project)
{
    struct watcher *watcher = docs->options.no_watch ? NULL : watcher_of(docs, true);

    if (watcher && add_watched(watcher, project))
        return true;
    if (!docs->options.no_watch)
        docs_log("%s cannot be watched: the system has no thread or memory for it", project->config.name);
    return false;
}

void watch_end(struct docs *docs, struct project *project)
{
    struct watcher *watcher = watcher_of(docs, false);

    if (!watcher)
        return;
    pthread_mutex_lock(&watcher->lock);
    for (struct watched *watched = watcher->list; watched; watched = watched->next)
        if (watched->project == project)
            atomic_store(&watched->ending, true);
    uv_async_send(&watcher->wake);
    pthread_mutex_unlock(&watcher->lock);
}

void watch_free(struct docs *docs)
{
    struct watcher *watcher = docs->watcher;

    if (watcher) {
        pthread_mutex_lock(&watcher->lock);
        atomic_store(&watcher->stop, true);
        for (struct watched *watched = watcher->list; watched; watched = watched->next)
            atomic_store(&watched->ending, true);
        uv_async_send(&watcher->wake);
        pthread_mutex_unlock(&watcher->lock);
        pthread_join(watcher->thread, NULL);
        uv_loop_close(&watcher->loop);
        pthread_mutex_destroy(&watcher->lock);
        free(watcher);
        docs->watcher = NULL;
    }
    indexer_free(docs);
}
