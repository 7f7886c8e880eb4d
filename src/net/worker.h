/* worker.h - threads that may wait: run jobs, notice those that take too long, replace those that are lost.
 *
 * A job that overruns its deadline is not killed: its poster is notified at once, its worker counts as lost until it
 * returns, and another takes its place, up to a limit. Beyond it the pool is unhealthy, and goes on with the workers that
 * are left; with none left it takes no jobs. A lost worker that returns is a worker again.
 *
 * Jobs have owners, and the pool is fair between them. The owners' queued jobs are taken in turn, one of each. A lone owner
 * uses all workers; but one that has nothing running does not wait for long jobs of others: a spare worker is started for
 * it, which leaves when there is no more such job. When the queue is full, an owner with few jobs in it displaces the
 * newest job of the one with most; and while others wait, no owner fills more than its part of the queue.
 *
 * No thread is started before there is a job for it. All of them block all signals: a handler that starts a program gives
 * it a signal mask of its own.
 */
#ifndef NET_WORKER_H
#define NET_WORKER_H

#include <tenon/base.h>

#include "base/clock.h"

enum tn_worker_post { WORKER_TAKEN, WORKER_FULL, WORKER_LOST /* none is left */ };

struct tn_job_owner;

/*   owner    in whose turn it runs: any address, which is only compared, and stays the owner's until `end`; also NULL
 *   run      on a worker
 *   overrun  on the pool's watching thread, at most once, while `run` goes on; never after
 *   refuse   in the place of `run`, also within tn_workers_post() of another job: WORKER_LOST when no worker is left that
 *            could run it, WORKER_FULL when it had to give way to another owner's; NULL: nothing
 *   end      at last, after `run` or `refuse`, on the same thread; the job may be freed here
 *   deadline_ms  from when it begins to run; 0 for none */
struct tn_job {
    const void *owner;
    void (*run)(struct tn_job *job);
    void (*overrun)(struct tn_job *job);
    void (*refuse)(struct tn_job *job, enum tn_worker_post why);
    void (*end)(struct tn_job *job);
    int64_t deadline_ms;
    /* The pool's: */
    struct tn_job       *prev, *next;
    struct tn_job_owner *of;
    int64_t              due_ms;
    bool                 lost;
};

/* Zero is the default; WORKER_NONE stands for none. */
struct tn_worker_options {
    size_t                 workers; /* 4; started when first needed */
    size_t                 queued;  /* jobs that wait: 256 */
    size_t                 lost;    /* workers that may be lost and replaced: 16 */
    size_t                 spares;  /* workers for owners that have nothing running: 16 */
    const tenon_allocator *memory;
    struct tn_clock        clock; /* zero: the system's */
};

#define WORKERS_MAX ((size_t)1024) /* of each of the three */
#define WORKER_NONE SIZE_MAX

struct workers;

struct workers     *tn_workers_new(const struct tn_worker_options *options); /* NULL without memory */
enum tn_worker_post tn_workers_post(struct workers *workers, struct tn_job *job);
bool                tn_workers_healthy(const struct workers *workers);
void   tn_workers_counts(const struct workers *workers, size_t *busy, size_t *queued, size_t *lost);
size_t tn_workers_spare(const struct workers *workers); /* that there are now */

/* Looks for deadlines now: for a clock that does not run by itself. */
void tn_workers_check(struct workers *workers);

/* Waits for what runs and is queued, at most `grace_ms`; what is queued then is refused, threads that are still busy are
 * left alone (the last of them frees the pool), and true is returned: nothing else that they use may be freed. NULL is
 * fine. */
bool tn_workers_free(struct workers *workers, int grace_ms);

#endif
