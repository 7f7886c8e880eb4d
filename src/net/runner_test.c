/* runner_test.c - exchanges are run, refused, counted and let go; here they are only counters. */
#define _GNU_SOURCE
#include "net/runner.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/memory.h"
#include "support/fault.h"

/* In the place of src/mcp's: what the runner does with one can be seen. */
struct tn_exchange {
    atomic_int  holds, ran, overran, refused, lost;
    atomic_bool waits;
    int         deadline_ms;
    const void *owner;
};

void tn_exchange_run(struct tn_exchange *exchange)
{
    atomic_fetch_add(&exchange->ran, 1);
    while (atomic_load(&exchange->waits))
        usleep(500);
}

bool tn_exchange_is_of(const struct tn_exchange *exchange, const struct tn_session *session)
{
    return session && exchange->owner == session;
}

int tn_exchange_deadline_ms(const struct tn_exchange *exchange)
{
    return exchange->deadline_ms;
}

bool tn_exchange_overrun(struct tn_exchange *exchange)
{
    atomic_fetch_add(&exchange->overran, 1);
    return true;
}

void tn_exchange_refuse(struct tn_exchange *exchange, bool lost)
{
    atomic_fetch_add(lost ? &exchange->lost : &exchange->refused, 1);
}

void tn_exchange_hold(struct tn_exchange *exchange)
{
    atomic_fetch_add(&exchange->holds, 1);
}

void tn_exchange_release(struct tn_exchange *exchange)
{
    atomic_fetch_sub(&exchange->holds, 1);
}

static struct ledger     *ledger;
static struct tn_account *caller;

struct tn_account *tn_exchange_account(const struct tn_exchange *exchange)
{
    (void)exchange;
    return caller;
}

/* ---- Tests ----------------------------------------------------------------------------------------------- */

struct world {
    struct tn_serving      serving;
    tenon_server           server;
    struct tn_settings     settings;
    struct tn_loop         loop;
    struct tn_fault        fault;
    struct tn_loop_message message;
    bool                   told;
};

static void on_told(struct tn_loop_message *message)
{
    ((struct world *)(void *)((char *)message - offsetof(struct world, message)))->told = true;
}

static void world_init(struct world *world, size_t workers, size_t calls)
{
    memset(world, 0, sizeof *world);
    world->server.memory = tn_fault_allocator(&world->fault);
    ledger               = tn_ledger_new(NULL);
    caller               = tn_ledger_account(ledger, ACCOUNT_PIPE, SLICE_LIT("one"));
    tn_ledger_limit(ledger, HELD_CALLS, calls);
    world->serving.server   = &world->server;
    world->serving.settings = &world->settings;
    world->message.open     = on_told;
    assert_int_equal(tn_loop_init(&world->loop, NULL), TENON_OK);
    if (workers)
        world->serving.workers = tn_workers_new(
            &(struct tn_worker_options){ .workers = workers, .queued = 1, .lost = WORKER_NONE });
    assert_int_equal(tn_runner_open(&world->serving), TENON_OK);
}

static void world_free(struct world *world)
{
    assert_false(tn_workers_free(world->serving.workers, 60000));
    assert_int_equal(atomic_load(&world->serving.in_flight), 0);
    tn_runner_close(&world->serving);
    assert_null(world->server.host.spawn);
    tn_loop_free(&world->loop);
    assert_int_equal(world->fault.blocks, 0);
    assert_int_equal(tn_ledger_sum(ledger, HELD_CALLS), 0);
    tn_account_release(caller);
    tn_ledger_free(ledger);
}

static void wait_until(atomic_int *count, int value)
{
    while (atomic_load(count) != value)
        usleep(500);
}

static void without_workers_it_runs_at_once(void **state)
{
    struct world       world;
    struct tn_exchange exchange = { .holds = 1 };

    (void)state;
    world_init(&world, 0, 10);
    assert_null(world.server.host.spawn);
    tn_runner_start(&world.serving, &exchange);
    assert_int_equal(exchange.ran, 1);
    assert_int_equal(exchange.holds, 1);
    tn_runner_notify(&world.serving, &world.loop, &world.message);
    assert_false(tn_runner_forget(&world.serving, &world.message));
    world_free(&world);
    assert_true(world.told);
}

static void what_is_too_much_is_refused(void **state)
{
    struct world       world;
    struct tn_exchange at[4] = { 0 };

    (void)state;
    world_init(&world, 1, 3);
    for (size_t i = 0; i < 4; i++) {
        at[i].holds = 1;
        at[i].waits = i == 0;
        tn_runner_start(&world.serving, &at[i]);
        if (i == 0)
            wait_until(&at[0].ran, 1);
    }
    assert_int_equal(at[2].refused, 1); /* the queue is full */
    assert_int_equal(at[3].refused, 1);
    assert_int_equal(at[2].holds, 1);
    assert_int_equal(atomic_load(&world.serving.in_flight), 2);
    tn_ledger_limit(ledger, HELD_CALLS, 2);
    assert_false(
        world.server.host.spawn(world.server.host.user, &at[3])); /* too many in flight, and nothing said */
    assert_int_equal(at[3].refused, 1);

    tn_runner_notify(&world.serving, &world.loop, &world.message);
    assert_true(tn_runner_forget(&world.serving, &world.message));
    tn_runner_notify(&world.serving, &world.loop, &world.message);
    atomic_store(&at[0].waits, false);
    wait_until(&at[1].holds, 1);
    wait_until(&at[1].ran, 1);
    assert_int_equal(at[2].ran, 0);
    world_free(&world);
    assert_true(world.told);
    assert_int_equal(at[0].holds, 1);
    assert_int_equal(at[1].holds, 1);
}

static void who_overruns_is_answered_and_forgotten(void **state)
{
    struct world       world;
    struct tn_exchange late = { .holds = 1, .waits = true, .deadline_ms = 1 };
    struct tn_exchange next = { .holds = 1 };

    (void)state;
    world_init(&world, 1, 10);
    tn_runner_start(&world.serving, &late);
    wait_until(&late.overran, 1);
    while (atomic_load(&world.serving.in_flight) > 0)
        usleep(500);
    tn_runner_start(&world.serving, &next);
    assert_int_equal(next.lost, 1); /* the only worker is */
    assert_int_equal(late.holds, 2);
    atomic_store(&late.waits, false);
    tn_runner_wait(&world.serving);
    assert_int_equal(late.holds, 1);
    world_free(&world);
}

static void no_memory_is_no_worker(void **state)
{
    struct world       world;
    struct tn_exchange exchange = { .holds = 1 };

    (void)state;
    world_init(&world, 1, 10);
    world.fault.refuse_at = world.fault.requests + 1;
    tn_runner_start(&world.serving, &exchange);
    assert_int_equal(exchange.refused, 1);
    assert_int_equal(exchange.ran, 0);
    assert_int_equal(exchange.holds, 1);
    world_free(&world);
}

static void runs_are_used_again(void **state)
{
    struct world       world;
    struct tn_exchange exchange = { .holds = 1 };

    (void)state;
    world_init(&world, 1, 10);
    for (int i = 0; i < 100; i++) {
        assert_true(world.server.host.spawn(world.server.host.user, &exchange));
        tn_runner_wait(&world.serving);
    }
    assert_int_equal(exchange.ran, 100);
    assert_int_equal(world.fault.requests, 2); /* the runner, and one run */
    world_free(&world);
}

/* The calls of one session are counted, of others not; who asks for room hears when there is some. */
static void a_session_has_so_many_calls(void **state)
{
    const struct tn_session *session = (const void *)&(char){ 0 };
    struct world             world;
    struct tn_exchange       own[2] = { { .holds = 1, .owner = session, .waits = true },
                                        { .holds = 1, .owner = session } };
    struct tn_exchange       other  = { .holds = 1, .owner = &world };

    (void)state;
    world_init(&world, 2, 10);
    assert_true(
        tn_runner_room(&world.serving, 1, 0, &world.loop, &world.message)); /* of none that is watched */
    tn_runner_watch(&world.serving, session);
    assert_true(
        tn_runner_room(&world.serving, 100, 2, &world.loop, &world.message)); /* it has none: it may go on */
    for (size_t i = 0; i < 2; i++)
        tn_runner_start(&world.serving, &own[i]);
    tn_runner_start(&world.serving, &other);
    wait_until(&own[0].ran, 1);
    wait_until(&own[1].holds, 1);
    wait_until(&other.holds, 1);
    while (atomic_load(&world.serving.in_flight) > 1)
        usleep(500);
    while (!tn_runner_room(&world.serving, 1, 2, &world.loop, &world.message)) /* the count follows at once */
        assert_true(tn_runner_forget(&world.serving, &world.message));
    assert_false(tn_runner_room(&world.serving, 2, 2, &world.loop, &world.message));
    assert_true(tn_runner_forget(&world.serving, &world.message));
    assert_false(tn_runner_room(&world.serving, 1, 1, &world.loop, &world.message));
    tn_loop_run(&world.loop, UV_RUN_NOWAIT);
    assert_false(world.told);
    atomic_store(&own[0].waits, false);
    world_free(&world);
    assert_true(world.told);
}

/* What overruns holds up its session no more than others. */
static void who_overruns_makes_room(void **state)
{
    const struct tn_session *session = (const void *)&(char){ 0 };
    struct world             world;
    struct tn_exchange       late = { .holds = 1, .owner = session, .waits = true, .deadline_ms = 20 };

    (void)state;
    world_init(&world, 1, 10);
    tn_runner_watch(&world.serving, session);
    tn_runner_start(&world.serving, &late);
    wait_until(&late.ran, 1);
    if (!tn_runner_room(&world.serving, 1, 1, &world.loop, &world.message)) {
        tn_loop_hold(&world.loop);
        while (!world.told)
            tn_loop_run(&world.loop, UV_RUN_ONCE);
        tn_loop_release(&world.loop);
    }
    assert_int_equal(late.overran, 1);
    assert_true(atomic_load(&late.waits)); /* and it is still there */
    assert_true(tn_runner_room(&world.serving, 1, 1, &world.loop, &world.message));
    atomic_store(&late.waits, false);
    tn_runner_wait(&world.serving);
    world_free(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_workers_it_runs_at_once),
        cmocka_unit_test(what_is_too_much_is_refused),
        cmocka_unit_test(who_overruns_is_answered_and_forgotten),
        cmocka_unit_test(no_memory_is_no_worker),
        cmocka_unit_test(runs_are_used_again),
        cmocka_unit_test(a_session_has_so_many_calls),
        cmocka_unit_test(who_overruns_makes_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
