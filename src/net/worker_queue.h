/* worker_queue.h - jobs that wait for a worker, shared out between their owners.
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
struct tn_ring {
    struct tn_ring *prev, *next;
};

struct tn_job_owner {
    struct tn_ring       turn;   /* of those with queued jobs: the first one is next */
    struct tn_ring       starve; /* of those with queued jobs of which none runs */
    struct tn_ring       level;  /* of those with as many queued jobs */
    struct tn_job_owner *chain;  /* in its bucket */
    const void          *key;
    struct tn_job       *first, *last;
    size_t               queued, running;
};

struct tn_job_queue {
    tenon_allocator       memory;
    struct tn_ring        turns, starving;
    size_t                queued;       /* jobs */
    size_t                waiting;      /* owners with queued jobs */
    size_t                most, max;    /* queued jobs of the owner with most; that there may be */
    struct tn_ring       *levels;       /* owners by their number of queued jobs, 0 to max */
    struct tn_job_owner **buckets;      /* owners by key */
    size_t                bucket_count; /* a power of two */
    struct tn_job_owner   common;       /* of those for whom there was no memory */
};

/* For `max` jobs at most. False without memory. */
bool tn_job_queue_init(struct tn_job_queue *queue, const tenon_allocator *memory, size_t max);
void tn_job_queue_free(struct tn_job_queue *queue); /* when no job is in it, or runs */

/* Of job->owner, which has queued or running jobs; or NULL: it has none. */
const struct tn_job_owner *tn_job_queue_owner(const struct tn_job_queue *queue, const struct tn_job *job);

void tn_job_queue_add(struct tn_job_queue *queue, struct tn_job *job);

/* The next one, which then runs until tn_job_queue_ended(); NULL when there is none. With `starving`, of owners only of
 * which none runs. */
struct tn_job *tn_job_queue_take(struct tn_job_queue *queue, bool starving);
void           tn_job_queue_ended(struct tn_job_queue *queue, struct tn_job *job);

/* The next one, which will not be run; NULL when there is none. */
struct tn_job *tn_job_queue_drop(struct tn_job_queue *queue);

/* Makes room for one more of an owner that has `queued` jobs here: the newest job of the owner with most, which will not
 * be run. NULL when that owner would be left with fewer than the other then has. */
struct tn_job *tn_job_queue_displace(struct tn_job_queue *queue, size_t queued);

static inline bool tn_job_queue_starves(const struct tn_job_queue *queue)
{
    return queue->starving.next != &queue->starving;
}

#endif
