/* worker.c - the pool of threads that may wait.
 *
 * Everything is under one lock, which is never held while a function of a job runs. Threads are places in an array: the
 * configured workers, as many more as may be lost, and the spare ones. Any thread may be a spare one: while as many run
 * as configured, another takes only jobs of owners that have nothing running, and leaves when there are none. One more
 * thread watches deadlines, from the first job on that has one. It sleeps until the earliest of them; a job that begins
 * wakes it only when its own is earlier, which is rare, since later jobs have later deadlines.
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
#include "net/worker_queue.h"

#define WORKERS_DEFAULT ((size_t)4)
#define QUEUED_DEFAULT  ((size_t)256)
#define QUEUED_MAX      ((size_t)1000000)
#define LOST_DEFAULT    ((size_t)16)
#define SPARES_DEFAULT  ((size_t)16)
#define OWNER_PART      ((size_t)2) /* 1/n of the queue is what one owner may fill while others wait */
#define NEVER           INT64_MAX
#define SLEEP_MAX_MS    ((int64_t)3600 * 1000) /* so that no sum overflows; looking once too often is harmless */

struct worker_place {
    struct workers *workers;
    pthread_t       thread;
    struct tn_job  *job;       /* that it runs, or NULL */
    bool            started;   /* the thread is to be joined */
    bool            left;      /* and has nothing to do any more */
    bool            reporting; /* the watcher is inside job->overrun */
};

struct workers {
    tenon_allocator memory;
    struct tn_clock clock;
    size_t          wanted, queued_max, lost_max, spares_max;

    pthread_mutex_t lock;
    pthread_cond_t  work;     /* a job was queued, or it is time to leave */
    pthread_cond_t  watch;    /* an earlier deadline, or it is time to leave */
    pthread_cond_t  reported; /* a job->overrun has returned */
    pthread_cond_t  gone;     /* a thread has left */

    struct tn_job_queue queue;
    size_t              busy, lost;         /* busy: with the lost ones */
    size_t              threads;            /* that have not left, lost ones included */
    int64_t             wakes_ms;           /* when the watcher looks again */
    bool                watched;            /* there is a watcher */
    bool                leaving, abandoned; /* ... by workers_free, which waits for some; for none any more */
    bool                orphaned;           /* workers_free has returned; the last thread cleans up */
    pthread_t           watcher;

    size_t              place_count;
    struct worker_place places[];
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

/* How many workers there may be that are not lost, beside spare ones. */
static size_t capacity(const struct workers *workers)
{
    size_t all  = workers->wanted + workers->lost_max;
    size_t left = workers->lost < all ? all - workers->lost : 0;

    return left < workers->wanted ? left : workers->wanted;
}

static size_t usable(const struct workers *workers)
{
    return workers->threads - workers->lost;
}

/* Those without a job, idle or just started: each will look for one. */
static size_t takers(const struct workers *workers)
{
    return workers->threads - workers->busy;
}

/* ---- Watching -------------------------------------------------------------------------------------------- */

/* Without the lock. */
static void refuse_one(struct tn_job *job, enum tn_worker_post why)
{
    if (job->refuse)
        job->refuse(job, why);
    job->end(job);
}

/* What waits for a worker while there is none, and may never be one. */
static void refuse_queued(struct workers *workers)
{
    struct tn_job *job;

    while ((job = tn_job_queue_drop(&workers->queue))) {
        pthread_mutex_unlock(&workers->lock);
        refuse_one(job, WORKER_LOST);
        pthread_mutex_lock(&workers->lock);
    }
}

static void *work(void *argument);

static bool start_worker(struct workers *workers)
{
    struct worker_place *place = workers->places;

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

static bool start_spare(struct workers *workers)
{
    return usable(workers) < capacity(workers) + workers->spares_max &&
           workers->threads < workers->place_count && start_worker(workers);
}

/* One job is late: it is reported to its poster, and its worker is replaced if there is something to do. */
static void worker_mark_lost(struct workers *workers, struct worker_place *place)
{
    struct tn_job *job = place->job;

    job->lost        = true;
    place->reporting = true;
    workers->lost++;
    if (workers->queue.queued > 0 && usable(workers) < capacity(workers))
        start_worker(workers);
    pthread_mutex_unlock(&workers->lock);
    if (job->overrun)
        job->overrun(job);
    pthread_mutex_lock(&workers->lock);
    place->reporting = false;
    pthread_cond_broadcast(&workers->reported);
    if (usable(workers) == 0) /* also when a thread was refused */
        refuse_queued(workers);
}

/* Tells all that are late, and finds the next deadline. */
static void worker_look(struct workers *workers)
{
    int64_t next, now;
    bool    again;

    do {
        now   = now_of(workers);
        next  = NEVER;
        again = false;
        for (size_t i = 0; i < workers->place_count; i++) {
            struct worker_place *place = &workers->places[i];

            if (!place->job || place->job->lost || place->job->due_ms == NEVER)
                continue;
            if (place->job->due_ms <= now) {
                worker_mark_lost(workers, place);
                again = true; /* others came and went meanwhile */
            } else if (place->job->due_ms < next) {
                next = place->job->due_ms;
            }
        }
    } while (again);
    workers->wakes_ms = next;
}

static void *worker_watch(void *argument)
{
    struct workers *workers = argument;

    pthread_mutex_lock(&workers->lock);
    for (;;) {
        worker_look(workers);
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
static void expect(struct workers *workers, struct tn_job *job)
{
    job->lost   = false;
    job->due_ms = NEVER;
    if (job->deadline_ms <= 0)
        return;
    job->due_ms = now_of(workers) + job->deadline_ms;
    if (!workers->watched)
        workers->watched = start_thread(&workers->watcher, worker_watch, workers);
    if (job->due_ms < workers->wakes_ms) {
        workers->wakes_ms = job->due_ms;
        pthread_cond_signal(&workers->watch);
    }
}

/* ---- Working --------------------------------------------------------------------------------------------- */

/* The next job for this thread: of any owner while fewer run than are wanted, else of one that has nothing running. */
static struct tn_job *next_job(struct workers *workers)
{
    bool enough = workers->busy - workers->lost >= capacity(workers);

    return tn_job_queue_take(&workers->queue, enough);
}

static void run_one(struct workers *workers, struct worker_place *place, struct tn_job *job)
{
    workers->busy++;
    if (tn_job_queue_starves(&workers->queue) && takers(workers) == 0)
        start_spare(workers);
    expect(workers, job);
    place->job = job;
    pthread_mutex_unlock(&workers->lock);
    job->run(job);
    pthread_mutex_lock(&workers->lock);
    while (place->reporting)
        pthread_cond_wait(&workers->reported, &workers->lock);
    place->job = NULL;
    workers->lost -= job->lost;
    workers->busy--; /* before the end: who hears of it may count */
    tn_job_queue_ended(&workers->queue, job);
    pthread_mutex_unlock(&workers->lock);
    job->end(job);
    pthread_mutex_lock(&workers->lock);
}

static size_t places_len(size_t count)
{
    return sizeof(struct workers) + count * sizeof(struct worker_place);
}

static void worker_give_back(struct workers *workers)
{
    tenon_allocator memory = workers->memory;

    tn_job_queue_free(&workers->queue);
    pthread_cond_destroy(&workers->work);
    pthread_cond_destroy(&workers->watch);
    pthread_cond_destroy(&workers->reported);
    pthread_cond_destroy(&workers->gone);
    pthread_mutex_destroy(&workers->lock);
    tn_memory_free(&memory, workers, places_len(workers->place_count));
}

static void *work(void *argument)
{
    struct worker_place *place   = argument;
    struct workers      *workers = place->workers;
    struct tn_job       *job;
    bool                 last;

    pthread_mutex_lock(&workers->lock);
    for (;;) {
        job = next_job(workers);
        if (job) {
            run_one(workers, place, job);
            continue;
        }
        if (!workers->leaving && usable(workers) == 1 && capacity(workers) == 0 &&
            workers->queue.queued > 0) {
            refuse_queued(workers); /* without this one, a spare, there is none left for them */
            continue;
        }
        /* More than are wanted: a spare one, or one that was lost, and replaced, and returned. */
        if (usable(workers) > capacity(workers) || workers->leaving)
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
        worker_give_back(workers);
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

static size_t at_most(size_t number, size_t most)
{
    return number < most ? number : most;
}

struct workers *tn_workers_new(const struct tn_worker_options *options)
{
    tenon_allocator memory  = tn_memory_of(options->memory);
    size_t          wanted  = at_most(number_of(options->workers, WORKERS_DEFAULT), WORKERS_MAX);
    size_t          lost    = at_most(number_of(options->lost, LOST_DEFAULT), WORKERS_MAX);
    size_t          spares  = at_most(number_of(options->spares, SPARES_DEFAULT), WORKERS_MAX);
    size_t          queued  = at_most(number_of(options->queued, QUEUED_DEFAULT), QUEUED_MAX);
    size_t          places  = wanted + lost + spares;
    struct workers *workers = tn_memory_new(&memory, places_len(places));

    if (!workers)
        return NULL;
    memset(workers, 0, places_len(places));
    if (!tn_job_queue_init(&workers->queue, &memory,
                           queued + places)) { /* what waits, and what will be taken at once */
        tn_memory_free(&memory, workers, places_len(places));
        return NULL;
    }
    workers->memory      = memory;
    workers->clock       = options->clock.now_ms ? options->clock : tn_clock_system();
    workers->wanted      = wanted;
    workers->lost_max    = lost;
    workers->spares_max  = spares;
    workers->queued_max  = queued;
    workers->place_count = places;
    workers->wakes_ms    = NEVER;
    pthread_mutex_init(&workers->lock, NULL);
    pthread_cond_init(&workers->work, NULL);
    pthread_cond_init(&workers->reported, NULL);
    init_waiting(&workers->watch);
    init_waiting(&workers->gone);
    return workers;
}

/* Is there, or will there be, a worker for one more at once? */
static bool find_worker(struct workers *workers, const struct tn_job_owner *owner)
{
    if (workers->queue.queued < takers(workers)) {
        pthread_cond_signal(&workers->work);
        return true;
    }
    if (usable(workers) < capacity(workers) && start_worker(workers))
        return true;
    return !owner && start_spare(workers); /* it has nothing running, and nothing that waits for it */
}

/* May it wait? Perhaps in the place of another, which is *displaced. */
static bool find_room(struct workers *workers, const struct tn_job_owner *owner, struct tn_job **displaced)
{
    size_t own = owner ? owner->queued : 0, others = workers->queue.waiting - (own > 0);
    size_t part = workers->queued_max / OWNER_PART;

    if (usable(workers) == 0)
        return false;
    if (workers->queue.queued - takers(workers) >= workers->queued_max) {
        *displaced = tn_job_queue_displace(&workers->queue, own);
        return *displaced != NULL;
    }
    return others == 0 || own < (part > 0 ? part : 1);
}

static enum tn_worker_post find_place(struct workers *workers, const struct tn_job *job,
                                      struct tn_job **displaced)
{
    const struct tn_job_owner *owner = tn_job_queue_owner(&workers->queue, job);

    if (workers->leaving || workers->queue.queued >= workers->queue.max)
        return WORKER_FULL;
    if (capacity(workers) == 0)
        return WORKER_LOST;
    if (find_worker(workers, owner) || find_room(workers, owner, displaced))
        return WORKER_TAKEN;
    return WORKER_FULL;
}

enum tn_worker_post tn_workers_post(struct workers *workers, struct tn_job *job)
{
    struct tn_job      *displaced = NULL;
    enum tn_worker_post found;

    assert(job->run && job->end);
    pthread_mutex_lock(&workers->lock);
    found = find_place(workers, job, &displaced);
    if (found == WORKER_TAKEN)
        tn_job_queue_add(&workers->queue, job);
    pthread_mutex_unlock(&workers->lock);
    if (displaced)
        refuse_one(displaced, WORKER_FULL);
    return found;
}

void tn_workers_counts(const struct workers *workers, size_t *busy, size_t *queued, size_t *lost)
{
    pthread_mutex_t *lock = (pthread_mutex_t *)&workers->lock;

    pthread_mutex_lock(lock);
    *busy   = workers->busy;
    *queued = workers->queue.queued;
    *lost   = workers->lost;
    pthread_mutex_unlock(lock);
}

size_t tn_workers_spare(const struct workers *workers)
{
    pthread_mutex_t *lock = (pthread_mutex_t *)&workers->lock;
    size_t           spare;

    pthread_mutex_lock(lock);
    spare = usable(workers) > workers->wanted ? usable(workers) - workers->wanted : 0;
    pthread_mutex_unlock(lock);
    return spare;
}

bool tn_workers_healthy(const struct workers *workers)
{
    size_t busy, queued, lost;

    tn_workers_counts(workers, &busy, &queued, &lost);
    return lost <= workers->lost_max;
}

void tn_workers_check(struct workers *workers)
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
static void worker_part(struct workers *workers)
{
    for (size_t i = 0; i < workers->place_count; i++) {
        struct worker_place *place = &workers->places[i];

        if (place->started && place->left)
            pthread_join(place->thread, NULL);
        else if (place->started)
            pthread_detach(place->thread);
    }
    workers->orphaned = workers->threads > 0;
}

bool tn_workers_free(struct workers *workers, int grace_ms)
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
    worker_part(workers);
    orphaned = workers->orphaned;
    pthread_mutex_unlock(&workers->lock);
    if (!orphaned)
        worker_give_back(workers);
    return orphaned;
}
