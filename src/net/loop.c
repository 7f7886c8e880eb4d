/* loop.c - a thread's event loop, and a mailbox through which other threads reach it. */
#define _GNU_SOURCE
#include "net/loop.h"

#include <assert.h>

#include "base/memory.h"

static _Thread_local struct tn_loop *running; /* that this thread is in, whatever else runs below it */

static void note_thread(struct tn_loop *loop)
{
    pthread_t self = pthread_self();

    if (!pthread_equal(atomic_load_explicit(&loop->thread, memory_order_relaxed), self))
        atomic_store_explicit(&loop->thread, self, memory_order_relaxed);
}

/* Messages that are posted while these are opened wait for the next time, so that the loop's other work is not starved. */
static bool open_messages(struct tn_loop *loop)
{
    struct tn_loop_message *message;

    pthread_mutex_lock(&loop->lock);
    message     = loop->first;
    loop->first = NULL;
    loop->last  = &loop->first;
    pthread_mutex_unlock(&loop->lock);
    if (!message)
        return false;
    while (message) {
        struct tn_loop_message *next = message->next; /* the message is its owner's again once it is opened */

        message->open(message);
        message = next;
    }
    return true;
}

static void on_wake(uv_async_t *wake)
{
    struct tn_loop *loop = wake->data;

    note_thread(loop);
    open_messages(loop);
}

/* Before the loop waits for events: what its own thread has posted needs no wake-up, which is three system calls. */
static void on_soon(uv_idle_t *soon)
{
    uv_idle_stop(soon);
    open_messages(soon->data);
}

static void on_begin(uv_prepare_t *begin)
{
    note_thread(begin->data);
}

tenon_status tn_loop_init(struct tn_loop *loop, const tenon_allocator *memory)
{
    loop->memory   = tn_memory_of(memory);
    loop->first    = NULL;
    loop->last     = &loop->first;
    loop->held     = 0;
    loop->error[0] = '\0';
    atomic_init(&loop->thread, pthread_self());
    if (uv_loop_init(&loop->uv) != 0)
        return TENON_E_IO;
    if (pthread_mutex_init(&loop->lock, NULL) != 0) {
        uv_loop_close(&loop->uv);
        return TENON_E_IO;
    }
    if (uv_async_init(&loop->uv, &loop->wake, on_wake) != 0) {
        pthread_mutex_destroy(&loop->lock);
        uv_loop_close(&loop->uv);
        return TENON_E_IO;
    }
    uv_prepare_init(&loop->uv, &loop->begin);
    uv_idle_init(&loop->uv, &loop->soon);
    loop->wake.data = loop->begin.data = loop->soon.data = loop;
    uv_prepare_start(&loop->begin, on_begin);
    uv_unref((uv_handle_t *)&loop->soon);
    uv_unref((uv_handle_t *)&loop->wake);
    uv_unref((uv_handle_t *)&loop->begin);
    return TENON_OK;
}

void tn_loop_free(struct tn_loop *loop)
{
    int left;

    note_thread(loop);
    while (open_messages(loop))
        ;
    uv_close((uv_handle_t *)&loop->wake, NULL);
    uv_close((uv_handle_t *)&loop->begin, NULL);
    uv_close((uv_handle_t *)&loop->soon, NULL);
    uv_run(&loop->uv, UV_RUN_DEFAULT);
    left = uv_loop_close(&loop->uv);
    assert(left == 0 && "every handle is closed before its loop is freed");
    (void)left;
    pthread_mutex_destroy(&loop->lock);
}

int tn_loop_run(struct tn_loop *loop, uv_run_mode mode)
{
    struct tn_loop *outer = running;
    int             left;

    note_thread(loop);
    running = loop;
    /* libuv does not look for events when there is nothing to wait for. */
    while ((left = uv_run(&loop->uv, mode)) == 0 && open_messages(loop) && mode == UV_RUN_DEFAULT)
        ;
    running = outer;
    return left;
}

void tn_loop_hold(struct tn_loop *loop)
{
    if (loop->held++ == 0)
        uv_ref((uv_handle_t *)&loop->wake);
}

void tn_loop_release(struct tn_loop *loop)
{
    assert(loop->held > 0);
    if (--loop->held == 0)
        uv_unref((uv_handle_t *)&loop->wake);
}

void tn_loop_post(struct tn_loop *loop, struct tn_loop_message *message)
{
    bool was_empty;

    message->next = NULL;
    pthread_mutex_lock(&loop->lock);
    was_empty   = loop->first == NULL;
    *loop->last = message;
    loop->last  = &message->next;
    /* Under the lock: what opens the message may free the loop, but not before it had the lock. */
    if (was_empty && running == loop)
        uv_idle_start(&loop->soon, on_soon);
    else if (was_empty)
        uv_async_send(&loop->wake);
    pthread_mutex_unlock(&loop->lock);
}

bool tn_loop_is_here(const struct tn_loop *loop)
{
    return pthread_equal(atomic_load_explicit(&((struct tn_loop *)loop)->thread, memory_order_relaxed),
                         pthread_self());
}
