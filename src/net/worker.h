/* worker.h - threads that may wait: run jobs, notice those that take too long, replace those that are lost.
 *
 * A job that overruns its deadline is not killed: whoever posted it is told at once, its worker counts as lost until it
 * returns, and another takes its place, up to a limit. Beyond it the pool is unhealthy, and goes on with the workers that
 * are left; with none left it takes no jobs. A lost worker that returns is a worker again.
 *
 * No thread is started before there is a job for it. All of them block all signals: a handler that starts a program gives
 * it a signal mask of its own.
 */
#ifndef NET_WORKER_H
#define NET_WORKER_H

#include <tenon/base.h>

#include "base/clock.h"

/*   run      on a worker
 *   overrun  on the pool's watching thread, at most once, while `run` goes on; never after
 *   refuse   in the place of `run`, when no worker is left that could; NULL: nothing
 *   end      at last, after `run` or `refuse`, on the same thread; the job may be freed here
 *   deadline_ms  from when it begins to run; 0 for none */
struct job {
    struct job *next;
    void (*run)(struct job *job);
    void (*overrun)(struct job *job);
    void (*refuse)(struct job *job);
    void (*end)(struct job *job);
    int64_t deadline_ms;
    /* The pool's: */
    int64_t due_ms;
    bool    lost;
};

/* Zero is the default; WORKER_NONE stands for none. */
struct worker_options {
    size_t                 workers; /* 4; started when first needed */
    size_t                 queued;  /* jobs that wait: 256 */
    size_t                 lost;    /* workers that may be lost and replaced: 16 */
    const tenon_allocator *memory;
    struct clock           clock; /* zero: the system's */
};

#define WORKERS_MAX ((size_t)2048) /* of all threads of a pool */
#define WORKER_NONE SIZE_MAX

enum worker_post { WORKER_TAKEN, WORKER_FULL, WORKER_LOST /* none is left */ };

struct workers;

struct workers  *workers_new(const struct worker_options *options); /* NULL without memory */
enum worker_post workers_post(struct workers *workers, struct job *job);
bool             workers_healthy(const struct workers *workers);
void             workers_counts(const struct workers *workers, size_t *busy, size_t *queued, size_t *lost);

/* Looks for deadlines now: for a clock that does not run by itself. */
void workers_look(struct workers *workers);

/* Waits for what runs and is queued, at most `grace_ms`; what is queued then is refused, threads that are still busy are
 * left alone (the last of them frees the pool), and true is returned: nothing else that they use may be freed. NULL is
 * fine. */
bool workers_free(struct workers *workers, int grace_ms);

#endif
