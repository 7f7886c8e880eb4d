/* child.h - a server that the guard runs: three pipes to it, and news of its life.
 *
 * Between the guard and the server stands a supervisor (supervise.h), which is this program run again. It
 * ends the server and all that it started when it is asked to, and when the guard is gone, however that came
 * about.
 *
 *     static void on_news(void *user, const struct tn_child_news *news) { ... }
 *
 *     child = tn_child_start(&loop->uv, &plan, why);
 *     uv_pipe_open(&input, tn_child_take(child, CHILD_INPUT));
 *     ...
 *     close the input, then tn_child_end(child);
 *
 * Everything happens on the loop's thread.
 */
#ifndef GUARD_PROCESS_CHILD_H
#define GUARD_PROCESS_CHILD_H

#include <uv.h>

#include "guard/process/control.h"

#define CHILD_WHY_MAX 400

struct tn_child;

enum tn_child_event {
    CHILD_RUNNING, /* the program was found and runs */
    CHILD_FAILED,  /* it was not started: `why` */
    CHILD_EXITED,  /* the command has ended; what it started is being ended. `why`, and `code` or `signal` */
    CHILD_ENDED /* no process of it is left, unless `is_lost`. Always the last news: the child is freed when it returns */
};

/* Borrowed for the call. */
struct tn_child_news {
    enum tn_child_event event;
    struct tn_child    *child;
    const char         *why;          /* a sentence without its subject; "" when there is nothing to report */
    int                 process;      /* RUNNING: its number */
    int                 code, signal; /* EXITED: the exit status, or -1 and the signal */
    bool                is_lost;      /* ENDED: the supervisor was killed, and something may be left */
};

struct tn_child_plan {
    struct tn_order order;   /* borrowed for the call */
    const char     *name;    /* of the upstream, for lists of processes; or NULL */
    const char     *program; /* that has the hidden command; NULL: this one */
    tenon_allocator memory;
    void (*news)(void *user, const struct tn_child_news *news);
    void *user;
};

/* NULL and a sentence in `why` when nothing was started. No news comes before this returns. */
struct tn_child *tn_child_start(uv_loop_t *loop, const struct tn_child_plan *plan, char why[CHILD_WHY_MAX]);

enum tn_child_pipe { CHILD_INPUT, CHILD_OUTPUT, CHILD_ERRORS, CHILD_PIPES };

/* The guard's end of a pipe, non-blocking, closed on exec, and the caller's to close from now on; -1 the
 * second time. */
int tn_child_take(struct tn_child *child, enum tn_child_pipe pipe);

/* Does the loop go on for as long as the child is there? At first it does. */
void tn_child_awaited(struct tn_child *child, bool awaited);

/* Ends the command in order: it sees the end of its input, which the one that has taken that must have
 * closed, and has 2 s to leave; then comes SIGTERM, after 1 s SIGKILL. CHILD_ENDED follows. May be called
 * more than once. */
void tn_child_end(struct tn_child *child);

/* The same without news: for a guard that does not wait. The child is freed once its handles on the loop are
 * closed. */
void tn_child_forget(struct tn_child *child);

#endif
