/* loop.h - a thread's event loop, and a mailbox through which other threads reach it. */
#ifndef NET_LOOP_H
#define NET_LOOP_H

#include <pthread.h>
#include <uv.h>

#include <tenon/base.h>

/* Embedded in what is sent; the loop calls `open` on its own thread, once for each posting, in the order of posting. */
struct letter {
    struct letter *next;
    void (*open)(struct letter *letter);
};

struct loop {
    uv_loop_t       uv;
    uv_async_t      wake;
    pthread_mutex_t lock; /* of the mailbox */
    struct letter  *first, **last;
    tenon_allocator memory;
    pthread_t       thread; /* that runs it */
};

tenon_status loop_init(struct loop *loop, const tenon_allocator *memory);
void         loop_free(struct loop *loop); /* after it ran out of handles; opens what is still in the mailbox */

/* From any thread. The letter must not be posted again before it was opened. */
void loop_post(struct loop *loop, struct letter *letter);

/* Is the caller on the thread that runs the loop? */
bool loop_is_here(const struct loop *loop);

#endif
