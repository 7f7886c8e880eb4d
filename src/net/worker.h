/* worker.h - threads that may wait: run jobs, notice those that take too long, replace those that are lost.
 *
 * A job that overruns its deadline is not killed: whoever posted it is told at once, its worker counts as lost until it
 * returns, and another takes its place, up to a limit. Beyond it the pool is unhealthy.
 */
#ifndef NET_WORKER_H
#define NET_WORKER_H

#include <tenon/base.h>

#include "base/clock.h"

struct job {
    struct job *next;
    void (*run)(struct job *job);     /* on a worker */
    void (*overrun)(struct job *job); /* on the pool's watching thread, at most once, while `run` goes on */
    void (*end)(struct job *job);     /* after `run`, on the worker; the job may be freed here */
    int64_t deadline_ms;              /* from when it begins to run; 0 for none */
    /* The pool's: */
    int64_t due_ms;
    bool    lost;
};

struct worker_options {
    size_t workers; /* 4; started when first needed */
    size_t queued;  /* jobs that wait: 256 */
    size_t lost;    /* workers that may be lost and replaced: 16 */
    const tenon_allocator *memory;
    struct clock    clock;
};

enum worker_post { WORKER_TAKEN, WORKER_FULL, WORKER_LOST /* too many are lost */ };

struct workers;

struct workers  *workers_new(const struct worker_options *options); /* NULL without memory */
enum worker_post workers_post(struct workers *workers, struct job *job);
bool             workers_healthy(const struct workers *workers);
void             workers_counts(const struct workers *workers, size_t *busy, size_t *queued, size_t *lost);

/* Waits for what runs and is queued, at most `grace_ms`; threads that are still busy then are left alone, and true is
 * returned: the process should end without freeing what they use. */
bool workers_free(struct workers *workers, int grace_ms);

#endif
