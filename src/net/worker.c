/* worker.c - the pool of threads that may wait.
 *
 * Everything stands behind one lock, which is never held while a function of a job runs. Threads are places in an array:
 * the workers that are wanted, and as many more as may be lost. One more thread watches deadlines, from the first job on
 * that has one. It sleeps until the earliest of them; a job that begins wakes it only when its own is earlier, which is
 * rare, since later jobs have later deadlines.
 */
#define _GNU_SOURCE
#include "net/worker.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"

#define WORKERS_DEFAULT ((size_t)4)
#define QUEUED_DEFAULT  ((size_t)256)
#define LOST_DEFAULT    ((size_t)16)
#define NEVER           INT64_MAX
#define SLEEP_MAX_MS    ((int64_t)3600 * 1000) /* so that no sum overflows; looking once too often is harmless */

struct place {
    struct workers *workers;
    pthread_t       thread;
    struct job     *job;     /* that it runs, or NULL */
    bool            started; /* the thread is to be joined */
    bool            left;    /* and has nothing to do any more */
    bool            telling; /* the watcher is inside job->overrun */
};

struct workers {
    tenon_allocator memory;
    struct clock    clock;
    size_t          wanted, queued_max, lost_max;

    pthread_mutex_t lock;
    pthread_cond_t  work;  /* a job was queued, or it is time to leave */
    pthread_cond_t  watch; /* an earlier deadline, or it is time to leave */
    pthread_cond_t  told;  /* a job->overrun has returned */
    pthread_cond_t  gone;  /* a thread has left */

    struct job *first, **last;
    size_t      queued, busy, lost; /* busy: with the lost ones */
    size_t      threads;            /* that have not left, lost ones included */
    int64_t     wakes_ms;           /* when the watcher looks again */
    bool        watched;            /* there is a watcher */
    bool        leaving, abandoned; /* ... by workers_free, which waits for some; for none any more */
    bool        orphaned;           /* workers_free has returned; the last thread cleans up */
    pthread_t   watcher;

    size_t       place_count;
    struct place places[];
};

/* ---- Threads --------------------------------------------------------------------------------------------- */

/* Signals are the business of the program's own threads. */
static bool start_thread(pthread_t *thread, void *(*body)(void *), void *argument)
{
    sigset_t all, before;
    int      failed;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    failed = pthread_create(thread, NULL, body, argument);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return failed == 0;
}

static struct timespec after_ms(int64_t ms)
{
    struct timespec at;

    if (ms > SLEEP_MAX_MS)
        ms = SLEEP_MAX_MS;
    clock_gettime(CLOCK_MONOTONIC, &at);
    at.tv_sec += (time_t)(ms / 1000);
    at.tv_nsec += (long)(ms % 1000) * 1000000;
    if (at.tv_nsec >= 1000000000) {
        at.tv_sec++;
        at.tv_nsec -= 1000000000;
    }
    return at;
}

static int64_t now_of(const struct workers *workers)
{
    return workers->clock.now_ms(workers->clock.user);
}

/* How many workers there may be that are not lost. */
static size_t capacity(const struct workers *workers)
{
    size_t left = workers->place_count - workers->lost;

    return left < workers->wanted ? left : workers->wanted;
}

static size_t usable(const struct workers *workers)
{
    return workers->threads - workers->lost;
}

static struct job *take_first(struct workers *workers)
{
    struct job *job = workers->first;

    workers->first = job->next;
    if (!workers->first)
        workers->last = &workers->first;
    workers->queued--;
    job->next = NULL;
    return job;
}

/* ---- Watching -------------------------------------------------------------------------------------------- */

/* What waits for a worker while there is none, and may never be one. */
static void refuse_queued(struct workers *workers)
{
    while (workers->first) {
        struct job *job = take_first(workers);

        pthread_mutex_unlock(&workers->lock);
        if (job->refuse)
            job->refuse(job);
        job->end(job);
        pthread_mutex_lock(&workers->lock);
    }
}

static void *work(void *argument);

static bool start_worker(struct workers *workers)
{
    struct place *place = workers->places;

    while (place->started && !place->left)
        place++;
    assert(place < workers->places + workers->place_count);
    if (place->started) /* it holds no lock any more, so this does not wait for long */
        pthread_join(place->thread, NULL);
    place->workers = workers;
    place->left    = false;
    place->started = start_thread(&place->thread, work, place);
    workers->threads += place->started;
    return place->started;
}

/* One job is late: its poster is told, and its worker is replaced if there is something to do. */
static void lose(struct workers *workers, struct place *place)
{
    struct job *job = place->job;

    job->lost      = true;
    place->telling = true;
    workers->lost++;
    if (workers->first && usable(workers) < capacity(workers))
        start_worker(workers);
    pthread_mutex_unlock(&workers->lock);
    if (job->overrun)
        job->overrun(job);
    pthread_mutex_lock(&workers->lock);
    place->telling = false;
    pthread_cond_broadcast(&workers->told);
    if (usable(workers) == 0) /* also when a thread was refused */
        refuse_queued(workers);
}

/* Tells all that are late, and finds the next deadline. */
static void look(struct workers *workers)
{
    int64_t next, now;
    bool    again;

    do {
        now   = now_of(workers);
        next  = NEVER;
        again = false;
        for (size_t i = 0; i < workers->place_count; i++) {
            struct place *place = &workers->places[i];

            if (!place->job || place->job->lost || place->job->due_ms == NEVER)
                continue;
            if (place->job->due_ms <= now) {
                lose(workers, place);
                again = true; /* others came and went meanwhile */
            } else if (place->job->due_ms < next) {
                next = place->job->due_ms;
            }
        }
    } while (again);
    workers->wakes_ms = next;
}

static void *watch(void *argument)
{
    struct workers *workers = argument;

    pthread_mutex_lock(&workers->lock);
    for (;;) {
        look(workers);
        if (workers->leaving && (workers->threads == 0 || workers->abandoned))
            break;
        if (workers->wakes_ms == NEVER) {
            pthread_cond_wait(&workers->watch, &workers->lock);
        } else {
            struct timespec until = after_ms(workers->wakes_ms - now_of(workers));
            pthread_cond_timedwait(&workers->watch, &workers->lock, &until);
        }
    }
    pthread_mutex_unlock(&workers->lock);
    return NULL;
}

/* A deadline begins. Without a watcher there would be none: the job then runs without, which is better than not. */
static void expect(struct workers *workers, struct job *job)
{
    job->lost   = false;
    job->due_ms = NEVER;
    if (job->deadline_ms <= 0)
        return;
    job->due_ms = now_of(workers) + job->deadline_ms;
    if (!workers->watched)
        workers->watched = start_thread(&workers->watcher, watch, workers);
    if (job->due_ms < workers->wakes_ms) {
        workers->wakes_ms = job->due_ms;
        pthread_cond_signal(&workers->watch);
    }
}

/* ---- Working --------------------------------------------------------------------------------------------- */

static void run_one(struct workers *workers, struct place *place)
{
    struct job *job = take_first(workers);

    workers->busy++;
    expect(workers, job);
    place->job = job;
    pthread_mutex_unlock(&workers->lock);
    job->run(job);
    pthread_mutex_lock(&workers->lock);
    while (place->telling)
        pthread_cond_wait(&workers->told, &workers->lock);
    place->job = NULL;
    workers->lost -= job->lost;
    workers->busy--; /* before the end: who hears of it may count */
    pthread_mutex_unlock(&workers->lock);
    job->end(job);
    pthread_mutex_lock(&workers->lock);
}

static size_t places_len(size_t count)
{
    return sizeof(struct workers) + count * sizeof(struct place);
}

static void give_back(struct workers *workers)
{
    tenon_allocator memory = workers->memory;

    pthread_cond_destroy(&workers->work);
    pthread_cond_destroy(&workers->watch);
    pthread_cond_destroy(&workers->told);
    pthread_cond_destroy(&workers->gone);
    pthread_mutex_destroy(&workers->lock);
    memory_free(&memory, workers, places_len(workers->place_count));
}

static void *work(void *argument)
{
    struct place   *place   = argument;
    struct workers *workers = place->workers;
    bool            last;

    pthread_mutex_lock(&workers->lock);
    for (;;) {
        /* More than are wanted, because a lost one returned that had been replaced. */
        if (usable(workers) > capacity(workers))
            break;
        if (workers->first) {
            run_one(workers, place);
            continue;
        }
        if (workers->leaving)
            break;
        pthread_cond_wait(&workers->work, &workers->lock);
    }
    place->left = true;
    workers->threads--;
    if (workers->leaving)
        pthread_cond_signal(&workers->watch);
    pthread_cond_broadcast(&workers->gone);
    last = workers->orphaned && workers->threads == 0;
    pthread_mutex_unlock(&workers->lock);
    if (last)
        give_back(workers);
    return NULL;
}

/* ---- The pool -------------------------------------------------------------------------------------------- */

static void init_waiting(pthread_cond_t *condition)
{
    pthread_condattr_t attributes;

    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(condition, &attributes);
    pthread_condattr_destroy(&attributes);
}

static size_t number_of(size_t option, size_t standard)
{
    if (option == WORKER_NONE)
        return 0;
    return option ? option : standard;
}

struct workers *workers_new(const struct worker_options *options)
{
    tenon_allocator memory  = memory_of(options->memory);
    size_t          wanted  = options->workers ? options->workers : WORKERS_DEFAULT;
    size_t          lost    = number_of(options->lost, LOST_DEFAULT);
    struct workers *workers = NULL;

    if (wanted > WORKERS_MAX / 2)
        wanted = WORKERS_MAX / 2;
    if (lost > WORKERS_MAX - wanted)
        lost = WORKERS_MAX - wanted;
    workers = memory_new(&memory, places_len(wanted + lost));
    if (!workers)
        return NULL;
    memset(workers, 0, places_len(wanted + lost));
    workers->memory      = memory;
    workers->clock       = options->clock.now_ms ? options->clock : clock_system();
    workers->wanted      = wanted;
    workers->lost_max    = lost;
    workers->queued_max  = number_of(options->queued, QUEUED_DEFAULT);
    workers->place_count = wanted + lost;
    workers->last        = &workers->first;
    workers->wakes_ms    = NEVER;
    pthread_mutex_init(&workers->lock, NULL);
    pthread_cond_init(&workers->work, NULL);
    pthread_cond_init(&workers->told, NULL);
    init_waiting(&workers->watch);
    init_waiting(&workers->gone);
    return workers;
}

/* Is there, or will there be, a worker for one more? Those without a job, idle or just started, take one each. */
static enum worker_post find_worker(struct workers *workers)
{
    size_t takers = workers->threads - workers->busy;

    if (workers->leaving)
        return WORKER_FULL;
    if (capacity(workers) == 0)
        return WORKER_LOST;
    if (workers->queued < takers) {
        pthread_cond_signal(&workers->work);
        return WORKER_TAKEN;
    }
    if (usable(workers) < capacity(workers) && start_worker(workers))
        return WORKER_TAKEN;
    if (usable(workers) == 0 || workers->queued - takers >= workers->queued_max)
        return WORKER_FULL;
    return WORKER_TAKEN;
}

enum worker_post workers_post(struct workers *workers, struct job *job)
{
    enum worker_post found;

    assert(job->run && job->end);
    pthread_mutex_lock(&workers->lock);
    found = find_worker(workers);
    if (found == WORKER_TAKEN) {
        job->next      = NULL;
        *workers->last = job;
        workers->last  = &job->next;
        workers->queued++;
    }
    pthread_mutex_unlock(&workers->lock);
    return found;
}

void workers_counts(const struct workers *workers, size_t *busy, size_t *queued, size_t *lost)
{
    pthread_mutex_t *lock = (pthread_mutex_t *)&workers->lock;

    pthread_mutex_lock(lock);
    *busy   = workers->busy;
    *queued = workers->queued;
    *lost   = workers->lost;
    pthread_mutex_unlock(lock);
}

bool workers_healthy(const struct workers *workers)
{
    size_t busy, queued, lost;

    workers_counts(workers, &busy, &queued, &lost);
    return lost <= workers->lost_max;
}

void workers_look(struct workers *workers)
{
    pthread_mutex_lock(&workers->lock);
    pthread_cond_signal(&workers->watch);
    pthread_mutex_unlock(&workers->lock);
}

/* True when all threads but the watcher have left. */
static bool wait_for_all(struct workers *workers, int grace_ms)
{
    struct timespec until  = after_ms(grace_ms);
    int             result = 0;

    while (workers->threads > 0 && result != ETIMEDOUT)
        result = pthread_cond_timedwait(&workers->gone, &workers->lock, &until);
    return workers->threads == 0;
}

/* Joins those who have left. Those who have not are let go, and the last of them frees the pool. */
static void part(struct workers *workers)
{
    for (size_t i = 0; i < workers->place_count; i++) {
        struct place *place = &workers->places[i];

        if (place->started && place->left)
            pthread_join(place->thread, NULL);
        else if (place->started)
            pthread_detach(place->thread);
    }
    workers->orphaned = workers->threads > 0;
}

bool workers_free(struct workers *workers, int grace_ms)
{
    bool orphaned;

    if (!workers)
        return false;
    pthread_mutex_lock(&workers->lock);
    workers->leaving = true;
    pthread_cond_broadcast(&workers->work);
    pthread_cond_signal(&workers->watch);
    workers->abandoned = !wait_for_all(workers, grace_ms);
    pthread_cond_signal(&workers->watch);
    refuse_queued(workers); /* none unless abandoned */
    pthread_mutex_unlock(&workers->lock);
    if (workers->watched)
        pthread_join(workers->watcher, NULL);

    pthread_mutex_lock(&workers->lock);
    part(workers);
    orphaned = workers->orphaned;
    pthread_mutex_unlock(&workers->lock);
    if (!orphaned)
        give_back(workers);
    return orphaned;
}
