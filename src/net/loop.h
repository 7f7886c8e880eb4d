/* loop.h - a thread's event loop, and a mailbox through which other threads reach it. */
#ifndef NET_LOOP_H
#define NET_LOOP_H

#include <pthread.h>
#include <stdatomic.h>
#include <uv.h>

#include <tenon/base.h>

/* Embedded in what is sent; the loop calls `open` on its own thread, once for each posting, in the order of posting. */
struct tn_loop_message {
    struct tn_loop_message *next;
    void (*open)(struct tn_loop_message *message);
};

struct tn_loop {
    uv_loop_t               uv;
    uv_async_t              wake;
    pthread_mutex_t         lock; /* of the mailbox */
    struct tn_loop_message *first, **last;
    tenon_allocator         memory;
    uv_idle_t               soon;   /* active while the loop's own thread has posted something */
    uv_prepare_t            begin;  /* of an iteration: notices which thread runs it */
    _Atomic(pthread_t)      thread; /* that runs it; the one of tn_loop_init() before */
    size_t                  held;
    char                    error[256]; /* the last sentence about what failed on this loop */
};

tenon_status tn_loop_init(struct tn_loop *loop, const tenon_allocator *memory);
void tn_loop_free(struct tn_loop *loop); /* after it ran out of handles; opens what is still in the mailbox */

/* uv_run() on the caller's thread, which tn_loop_is_here() knows from then on. A loop that has nothing else to do is at its
 * end, mailbox or not: what is in it already is opened, but a message is waited for only while the loop is held. */
int tn_loop_run(struct tn_loop *loop, uv_run_mode mode);

/* Keeps the loop running for messages that will come, from its own thread. A hold for each of them may be given. */
void tn_loop_hold(struct tn_loop *loop);
void tn_loop_release(struct tn_loop *loop);

/* From any thread. The message must not be posted again before it was opened. */
void tn_loop_post(struct tn_loop *loop, struct tn_loop_message *message);

/* Is the caller on the thread that runs the loop? */
bool tn_loop_is_here(const struct tn_loop *loop);

#endif
