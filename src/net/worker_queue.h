/* worker_queue.h - jobs that wait for a worker, shared out between those who posted them.
 *
 * Each owner has a queue of its own, and the owners take turns: one job of each, however many it has. Adding, taking and
 * finding the owner with most jobs take the same few steps for any number of them. Owners exist while they have a job
 * that waits or runs. Nothing here locks.
 *
 * When memory for an owner is refused its jobs are counted with those of all others that had none: they wait longer, and
 * are not lost.
 */
#ifndef NET_WORKER_QUEUE_H
#define NET_WORKER_QUEUE_H

#include "net/worker.h"

/* A member of a ring; the ring itself is one of them. */
struct ring {
    struct ring *prev, *next;
};

struct job_owner {
    struct ring       turn;   /* of those with queued jobs: the first one is next */
    struct ring       starve; /* of those with queued jobs of which none runs */
    struct ring       level;  /* of those with as many queued jobs */
    struct job_owner *chain;  /* in its bucket, or among the spare ones */
    const void       *key;
    struct job       *first, *last;
    size_t            queued, running;
};

struct job_queue {
    tenon_allocator    memory;
    struct ring        turns, starving;
    size_t             queued;       /* jobs */
    size_t             waiting;      /* owners with queued jobs */
    size_t             most, max;    /* queued jobs of the owner with most; that there may be */
    struct ring       *levels;       /* owners by their number of queued jobs, 0 to max */
    struct job_owner **buckets;      /* owners by key */
    size_t             bucket_count; /* a power of two */
    struct job_owner  *spare;
    size_t             spare_count;
    struct job_owner   common; /* of those for whom there was no memory */
};

/* For `max` jobs at most. False without memory. */
bool job_queue_init(struct job_queue *queue, const tenon_allocator *memory, size_t max);
void job_queue_free(struct job_queue *queue); /* when no job is in it, or runs */

/* Of job->owner, which has queued or running jobs; or NULL: it has none. */
const struct job_owner *job_queue_owner(const struct job_queue *queue, const struct job *job);

void job_queue_add(struct job_queue *queue, struct job *job);

/* The next one, which then runs until job_queue_ended(); NULL when there is none. With `starving`, of owners only of
 * which none runs. */
struct job *job_queue_take(struct job_queue *queue, bool starving);
void        job_queue_ended(struct job_queue *queue, struct job *job);

/* The next one, which will not be run; NULL when there is none. */
struct job *job_queue_drop(struct job_queue *queue);

/* Makes room for one more of an owner that has `queued` jobs here: the newest job of the owner with most, which will not
 * be run. NULL when that owner would be left with fewer than the other then has. */
struct job *job_queue_displace(struct job_queue *queue, size_t queued);

static inline bool job_queue_starves(const struct job_queue *queue)
{
    return queue->starving.next != &queue->starving;
}

#endif
