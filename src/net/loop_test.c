/* loop_test.c - messages arrive once, in order, on the loop's thread, and none is lost. */
#define _GNU_SOURCE
#include "net/loop.h"

#include <stdlib.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { SENDERS = 4, EACH = 5000 };

struct numbered {
    struct tn_loop_message message;
    struct box            *box;
    size_t                 sender, number;
};

struct box {
    struct tn_loop  loop;
    size_t          next[SENDERS], opened;
    bool            elsewhere; /* some message was opened on a strange thread */
    struct numbered messages[SENDERS][EACH];
    pthread_t       threads[SENDERS];
};

static void release_all(struct tn_loop *loop)
{
    while (loop->held > 0)
        tn_loop_release(loop);
}

static void open_numbered(struct tn_loop_message *message)
{
    struct numbered *one = (struct numbered *)message;

    if (!tn_loop_is_here(&one->box->loop))
        one->box->elsewhere = true;
    assert_int_equal(one->number, one->box->next[one->sender]);
    one->box->next[one->sender]++;
    if (++one->box->opened == (size_t)SENDERS * EACH)
        release_all(&one->box->loop);
}

static void *send_all(void *argument)
{
    struct numbered *messages = argument;

    for (size_t i = 0; i < EACH; i++)
        tn_loop_post(&messages->box->loop, &messages[i].message);
    return tn_loop_is_here(&messages->box->loop) ? NULL : messages;
}

static struct box *new_box(void)
{
    struct box *box = calloc(1, sizeof *box);

    assert_int_equal(tn_loop_init(&box->loop, NULL), TENON_OK);
    for (size_t sender = 0; sender < SENDERS; sender++)
        for (size_t i = 0; i < EACH; i++)
            box->messages[sender][i] = (struct numbered){ { NULL, open_numbered }, box, sender, i };
    return box;
}

static void start_senders(struct box *box)
{
    for (size_t i = 0; i < SENDERS; i++)
        assert_int_equal(pthread_create(&box->threads[i], NULL, send_all, box->messages[i]), 0);
}

static void join_senders(struct box *box)
{
    for (size_t i = 0; i < SENDERS; i++) {
        void *result;

        pthread_join(box->threads[i], &result);
        assert_non_null(result); /* no sender is on the loop's thread */
    }
}

static void *run(void *argument)
{
    tn_loop_run(argument, UV_RUN_DEFAULT);
    return NULL;
}

static void opens_in_order(void **state)
{
    struct box *box = new_box();
    pthread_t   runner;

    (void)state;
    tn_loop_hold(&box->loop);
    tn_loop_hold(&box->loop);
    assert_int_equal(pthread_create(&runner, NULL, run, &box->loop), 0);
    start_senders(box);
    join_senders(box);
    pthread_join(runner, NULL);
    assert_false(box->elsewhere);
    assert_int_equal(box->opened, SENDERS * EACH);
    tn_loop_free(&box->loop);
    free(box);
}

static void opens_when_polled(void **state)
{
    struct box *box = new_box();

    (void)state;
    start_senders(box);
    while (box->opened < (size_t)SENDERS * EACH)
        tn_loop_run(&box->loop, UV_RUN_NOWAIT);
    join_senders(box);
    assert_false(box->elsewhere);
    assert_true(tn_loop_is_here(&box->loop));
    tn_loop_free(&box->loop);
    free(box);
}

static void loses_none_at_the_end(void **state)
{
    struct box *box = new_box();

    (void)state;
    start_senders(box);
    tn_loop_run(&box->loop, UV_RUN_DEFAULT); /* has nothing to wait for */
    join_senders(box);
    tn_loop_free(&box->loop);
    assert_int_equal(box->opened, SENDERS * EACH);
    free(box);
}

struct again {
    struct tn_loop_message message;
    struct tn_loop        *loop;
    int                    left;
};

static void post_again(struct tn_loop_message *message)
{
    struct again *again = (struct again *)message;

    if (again->left-- > 0)
        tn_loop_post(again->loop, message);
}

static void takes_messages_from_messages(void **state)
{
    struct tn_loop loop;
    struct again   again = { { NULL, post_again }, &loop, 5 };

    (void)state;
    assert_int_equal(tn_loop_init(&loop, NULL), TENON_OK);
    tn_loop_post(&loop, &again.message);
    tn_loop_run(&loop, UV_RUN_NOWAIT);
    assert_true(again.left >= 0 && again.left < 5);
    tn_loop_free(&loop);
    assert_int_equal(again.left, -1);
}

struct lonely {
    struct tn_loop_message message;
    struct tn_loop        *loop;
    uv_timer_t             timer;
    bool                   opened, woken;
};

static void open_lonely(struct tn_loop_message *message)
{
    struct lonely *lonely = (struct lonely *)message;

    lonely->opened = true;
    uv_close((uv_handle_t *)&lonely->timer, NULL);
}

static void post_at_home(uv_timer_t *timer)
{
    struct lonely *lonely = timer->data;

    tn_loop_post(lonely->loop, &lonely->message);
    lonely->woken = !uv_is_active((uv_handle_t *)&lonely->loop->soon);
}

/* What the loop's own thread posts is opened before it waits, without a wake-up; the timer alone would let it sleep. */
static void needs_no_wake_up_from_itself(void **state)
{
    struct tn_loop loop;
    struct lonely  lonely = { .message = { NULL, open_lonely }, .loop = &loop };

    (void)state;
    assert_int_equal(tn_loop_init(&loop, NULL), TENON_OK);
    uv_timer_init(&loop.uv, &lonely.timer);
    lonely.timer.data = &lonely;
    uv_timer_start(&lonely.timer, post_at_home, 0, 3600000);
    assert_int_equal(tn_loop_run(&loop, UV_RUN_DEFAULT), 0);
    assert_true(lonely.opened);
    assert_false(lonely.woken);
    tn_loop_free(&loop);
}

static void *poll_once(void *argument)
{
    tn_loop_run(argument, UV_RUN_NOWAIT);
    return tn_loop_is_here(argument) ? argument : NULL;
}

static void knows_who_runs_it(void **state)
{
    struct tn_loop loop;
    pthread_t      other;
    void          *was_here;

    (void)state;
    assert_int_equal(tn_loop_init(&loop, NULL), TENON_OK);
    assert_true(tn_loop_is_here(&loop));
    pthread_create(&other, NULL, poll_once, &loop);
    pthread_join(other, &was_here);
    assert_non_null(was_here);
    assert_false(tn_loop_is_here(&loop));
    tn_loop_run(&loop, UV_RUN_NOWAIT);
    assert_true(tn_loop_is_here(&loop));
    tn_loop_free(&loop);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(opens_in_order),        cmocka_unit_test(opens_when_polled),
        cmocka_unit_test(loses_none_at_the_end), cmocka_unit_test(takes_messages_from_messages),
        cmocka_unit_test(knows_who_runs_it),     cmocka_unit_test(needs_no_wake_up_from_itself),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
