/* loop.h - a thread's event loop, and a mailbox through which other threads reach it. */
#ifndef NET_LOOP_H
#define NET_LOOP_H

#include <pthread.h>
#include <stdatomic.h>
#include <uv.h>

#include <tenon/base.h>

/* Embedded in what is sent; the loop calls `open` on its own thread, once for each posting, in the order of posting. */
struct letter {
    struct letter *next;
    void (*open)(struct letter *letter);
};

struct loop {
    uv_loop_t          uv;
    uv_async_t         wake;
    pthread_mutex_t    lock; /* of the mailbox */
    struct letter     *first, **last;
    tenon_allocator    memory;
    uv_prepare_t       begin;  /* of an iteration: notices which thread runs it */
    _Atomic(pthread_t) thread; /* that runs it; the one of loop_init() before */
    size_t             held;
    char               error[256]; /* the last sentence about what failed on this loop */
};

tenon_status loop_init(struct loop *loop, const tenon_allocator *memory);
void loop_free(struct loop *loop); /* after it ran out of handles; opens what is still in the mailbox */

/* uv_run() on the caller's thread, which loop_is_here() knows from then on. A loop that has nothing else to do is at its
 * end, mailbox or not: what is in it already is opened, but a letter is waited for only while the loop is held. */
int loop_run(struct loop *loop, uv_run_mode mode);

/* Keeps the loop running for letters that will come, from its own thread. A hold for each of them may be given. */
void loop_hold(struct loop *loop);
void loop_release(struct loop *loop);

/* From any thread. The letter must not be posted again before it was opened. */
void loop_post(struct loop *loop, struct letter *letter);

/* Is the caller on the thread that runs the loop? */
bool loop_is_here(const struct loop *loop);

#endif
