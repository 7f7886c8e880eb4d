/* worker_test.c - jobs run, wait, overrun their deadline, are lost and come back. */
#define _GNU_SOURCE
#include "net/worker.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/fault.h"

#define JOBS 2000

/* A gate that jobs wait at, and counts of what happened to them. */
struct world {
    pthread_mutex_t lock;
    pthread_cond_t  changed;
    bool            open;
    size_t          running, ran, overran, refused, displaced, ended;
    _Atomic int64_t now;
};

struct task {
    struct tn_job job;
    struct world *world;
};

static int64_t read_clock(void *user)
{
    return atomic_load((_Atomic int64_t *)user);
}

static void change(struct world *world, size_t *count, int by)
{
    pthread_mutex_lock(&world->lock);
    *count += (size_t)by;
    pthread_cond_broadcast(&world->changed);
    pthread_mutex_unlock(&world->lock);
}

static void wait_for(struct world *world, const size_t *count, size_t value)
{
    pthread_mutex_lock(&world->lock);
    while (*count != value)
        pthread_cond_wait(&world->changed, &world->lock);
    pthread_mutex_unlock(&world->lock);
}

static struct world *world_of(struct tn_job *job)
{
    return ((struct task *)(void *)job)->world;
}

static void run(struct tn_job *job)
{
    change(world_of(job), &world_of(job)->ran, 1);
}

static void run_at_gate(struct tn_job *job)
{
    struct world *world = world_of(job);

    change(world, &world->running, 1);
    pthread_mutex_lock(&world->lock);
    while (!world->open)
        pthread_cond_wait(&world->changed, &world->lock);
    pthread_mutex_unlock(&world->lock);
    change(world, &world->running, -1);
    change(world, &world->ran, 1);
}

static void overrun(struct tn_job *job)
{
    change(world_of(job), &world_of(job)->overran, 1);
}

static void refuse(struct tn_job *job, enum tn_worker_post why)
{
    change(world_of(job), why == WORKER_LOST ? &world_of(job)->refused : &world_of(job)->displaced, 1);
}

static void end(struct tn_job *job)
{
    change(world_of(job), &world_of(job)->ended, 1);
}

static void set_gate(struct world *world, bool open)
{
    pthread_mutex_lock(&world->lock);
    world->open = open;
    pthread_cond_broadcast(&world->changed);
    pthread_mutex_unlock(&world->lock);
}

static struct task task_of(struct world *world, void (*body)(struct tn_job *), int64_t deadline_ms)
{
    return (struct task){
        .job = { .run = body, .overrun = overrun, .refuse = refuse, .end = end, .deadline_ms = deadline_ms },
        .world = world,
    };
}

static void world_init(struct world *world)
{
    *world = (struct world){ .running = 0 };
    pthread_mutex_init(&world->lock, NULL);
    pthread_cond_init(&world->changed, NULL);
}

static struct workers *pool_with(struct world *world, size_t workers, size_t queued, size_t lost,
                                 size_t spares)
{
    struct tn_worker_options options = {
        .workers = workers,
        .queued  = queued,
        .lost    = lost,
        .spares  = spares,
        .clock   = { .now_ms = read_clock, .wall_ms = read_clock, .user = &world->now }
    };
    struct workers *made = tn_workers_new(&options);

    assert_non_null(made);
    return made;
}

static struct workers *pool(struct world *world, size_t workers, size_t queued, size_t lost)
{
    return pool_with(world, workers, queued, lost, WORKER_NONE);
}

static void expect_counts(struct workers *workers, size_t busy, size_t queued, size_t lost)
{
    size_t is[3];

    tn_workers_counts(workers, &is[0], &is[1], &is[2]);
    assert_int_equal(is[0], busy);
    assert_int_equal(is[1], queued);
    assert_int_equal(is[2], lost);
}

static void every_job_runs_once(void **state)
{
    static struct task tasks[JOBS];
    struct world       world;
    struct workers    *workers;

    (void)state;
    world_init(&world);
    workers = pool(&world, 3, JOBS, 1);
    for (size_t i = 0; i < JOBS; i++) {
        tasks[i] = task_of(&world, run, 1000);
        assert_int_equal(tn_workers_post(workers, &tasks[i].job), WORKER_TAKEN);
    }
    wait_for(&world, &world.ended, JOBS);
    assert_int_equal(world.ran, JOBS);
    assert_true(tn_workers_healthy(workers));
    assert_false(tn_workers_free(workers, 60000));
    assert_int_equal(world.overran + world.refused, 0);
}

static void an_unused_pool_has_no_threads(void **state)
{
    struct tn_fault          fault   = { 0 };
    tenon_allocator          memory  = tn_fault_allocator(&fault);
    struct tn_worker_options options = { .memory = &memory };
    struct workers          *workers = tn_workers_new(&options);

    (void)state;
    assert_non_null(workers);
    assert_false(tn_workers_free(workers, 0));
    assert_int_equal(fault.blocks, 0);
    fault.refuse_at = fault.requests + 1;
    assert_null(tn_workers_new(&options));
    assert_false(tn_workers_free(NULL, 0));
}

static void the_queue_is_bounded(void **state)
{
    struct task     tasks[5];
    struct world    world;
    struct workers *workers;

    (void)state;
    world_init(&world);
    workers = pool(&world, 2, 2, 1);
    for (size_t i = 0; i < 5; i++) {
        tasks[i] = task_of(&world, run_at_gate, 0);
        assert_int_equal(tn_workers_post(workers, &tasks[i].job), i < 4 ? WORKER_TAKEN : WORKER_FULL);
    }
    wait_for(&world, &world.running, 2);
    expect_counts(workers, 2, 2, 0);
    set_gate(&world, true);
    assert_false(tn_workers_free(workers, 60000)); /* runs what is queued */
    assert_int_equal(world.ran, 4);
    assert_int_equal(world.ended, 4);
}

static void without_a_queue_nobody_waits(void **state)
{
    struct task     tasks[2];
    struct world    world;
    struct workers *workers;

    (void)state;
    world_init(&world);
    workers = pool(&world, 1, WORKER_NONE, WORKER_NONE);
    for (size_t i = 0; i < 2; i++) {
        tasks[i] = task_of(&world, run_at_gate, 100);
        assert_int_equal(tn_workers_post(workers, &tasks[i].job), i == 0 ? WORKER_TAKEN : WORKER_FULL);
    }
    wait_for(&world, &world.running, 1);
    atomic_store(&world.now, 100);
    tn_workers_check(workers);
    wait_for(&world, &world.overran, 1); /* and nobody takes its place */
    assert_false(tn_workers_healthy(workers));
    assert_int_equal(tn_workers_post(workers, &tasks[1].job), WORKER_LOST);
    set_gate(&world, true);
    assert_false(tn_workers_free(workers, 60000));
}

static void a_late_job_is_told_of_and_its_worker_replaced(void **state)
{
    struct task     stuck, quick;
    struct world    world;
    struct workers *workers;

    (void)state;
    world_init(&world);
    workers = pool(&world, 1, 8, 1);
    stuck   = task_of(&world, run_at_gate, 100);
    quick   = task_of(&world, run, 100);
    assert_int_equal(tn_workers_post(workers, &stuck.job), WORKER_TAKEN);
    wait_for(&world, &world.running, 1);
    assert_int_equal(tn_workers_post(workers, &quick.job), WORKER_TAKEN);
    expect_counts(workers, 1, 1, 0);

    atomic_store(&world.now, 99);
    tn_workers_check(workers);
    atomic_store(&world.now, 100);
    tn_workers_check(workers);
    wait_for(&world, &world.overran, 1);
    wait_for(&world, &world.ended, 1); /* the other one, on a new worker */
    assert_int_equal(world.ran, 1);
    expect_counts(workers, 1, 0, 1);
    assert_true(tn_workers_healthy(workers));

    set_gate(&world, true);
    wait_for(&world, &world.ended, 2);
    assert_false(tn_workers_free(workers, 60000));
    assert_int_equal(world.overran, 1);
}

static void too_many_lost_workers_are_unhealthy_until_one_returns(void **state)
{
    struct task     tasks[4];
    struct world    world;
    struct workers *workers;

    (void)state;
    world_init(&world);
    workers = pool(&world, 1, 8, 1);
    for (size_t i = 0; i < 4; i++)
        tasks[i] = task_of(&world, run_at_gate, 100);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(tn_workers_post(workers, &tasks[i].job), WORKER_TAKEN);
        wait_for(&world, &world.running, i + 1);
        if (i == 1) /* waits for a worker, and there will be none */
            assert_int_equal(tn_workers_post(workers, &tasks[2].job), WORKER_TAKEN);
        atomic_fetch_add(&world.now, 100);
        tn_workers_check(workers);
        wait_for(&world, &world.overran, i + 1);
    }
    wait_for(&world, &world.refused, 1);
    wait_for(&world, &world.ended, 1);
    assert_false(tn_workers_healthy(workers));
    assert_int_equal(tn_workers_post(workers, &tasks[3].job), WORKER_LOST);

    set_gate(&world, true);
    wait_for(&world, &world.ended, 3);
    assert_true(tn_workers_healthy(workers));
    assert_int_equal(tn_workers_post(workers, &tasks[3].job), WORKER_TAKEN);
    wait_for(&world, &world.ended, 4);
    assert_int_equal(world.ran, 3);
    assert_false(tn_workers_free(workers, 60000));
}

static void what_does_not_end_is_left_behind(void **state)
{
    static struct world      world; /* used by the thread that is left */
    static struct task       tasks[2];
    static struct tn_fault   fault; /* counts until the pool is given back */
    tenon_allocator          memory  = tn_fault_allocator(&fault);
    struct tn_worker_options options = { .workers = 1, .memory = &memory };
    struct workers          *workers = tn_workers_new(&options);

    (void)state;
    world_init(&world);
    assert_non_null(workers);
    for (size_t i = 0; i < 2; i++) {
        tasks[i] = task_of(&world, run_at_gate, 100);
        assert_int_equal(tn_workers_post(workers, &tasks[i].job), WORKER_TAKEN);
    }
    wait_for(&world, &world.running, 1);
    assert_true(tn_workers_free(workers, 1));
    assert_int_equal(world.refused, 1);
    set_gate(&world, true);
    wait_for(&world, &world.ended, 2);
}

static void read_mask(struct tn_job *job)
{
    sigset_t mask;

    pthread_sigmask(SIG_SETMASK, NULL, &mask);
    if (sigismember(&mask, SIGTERM) == 1 && sigismember(&mask, SIGPIPE) == 1)
        run(job);
}

static void workers_block_signals_and_their_starter_does_not(void **state)
{
    struct world    world;
    struct workers *workers;
    struct task     task;
    sigset_t        mask;

    (void)state;
    world_init(&world);
    workers = pool(&world, 1, 8, 1);
    task    = task_of(&world, read_mask, 0);
    assert_int_equal(tn_workers_post(workers, &task.job), WORKER_TAKEN);
    wait_for(&world, &world.ended, 1);
    assert_int_equal(world.ran, 1);
    pthread_sigmask(SIG_SETMASK, NULL, &mask);
    assert_int_equal(sigismember(&mask, SIGTERM), 0);
    assert_false(tn_workers_free(workers, 60000));
}

/* Jobs end just when they become late, again and again: what is told is told before the end, never after. */
static void told_before_the_end(struct tn_job *job)
{
    change(world_of(job), &world_of(job)->overran, 1);
    assert_non_null(job->run);
}

static void forget(struct tn_job *job)
{
    struct world *world = world_of(job);

    memset(job, 0, sizeof *job); /* what a late `overrun` would meet */
    change(world, &world->ended, 1);
}

static void a_deadline_at_the_end_is_no_race(void **state)
{
    enum { ROUNDS = 300 };
    struct task     task;
    struct world    world;
    struct workers *workers;

    (void)state;
    world_init(&world);
    world.open = true;
    workers    = pool(&world, 2, 8, 4);
    for (size_t i = 0; i < ROUNDS; i++) {
        task             = task_of(&world, run, 1);
        task.job.overrun = told_before_the_end;
        task.job.end     = forget;
        assert_int_equal(tn_workers_post(workers, &task.job), WORKER_TAKEN);
        atomic_fetch_add(&world.now, 2);
        tn_workers_check(workers);
        wait_for(&world, &world.ended, i + 1);
    }
    assert_false(tn_workers_free(workers, 60000));
    assert_int_equal(world.ran, ROUNDS);
    assert_true(world.overran <= ROUNDS);
}

/* ---- Owners ---------------------------------------------------------------------------------------------- */

static const char greedy[1], polite[1], third[1];

static struct task task_for(const void *owner, struct world *world, void (*body)(struct tn_job *),
                            int64_t deadline_ms)
{
    struct task task = task_of(world, body, deadline_ms);

    task.job.owner = owner;
    return task;
}

static void a_full_queue_gives_way_to_others(void **state)
{
    struct task     tasks[7];
    struct world    world;
    struct workers *workers;

    (void)state;
    world_init(&world);
    workers = pool(&world, 1, 4, 1);
    for (size_t i = 0; i < 5; i++) { /* one runs, four wait */
        tasks[i] = task_for(greedy, &world, run_at_gate, 0);
        assert_int_equal(tn_workers_post(workers, &tasks[i].job), WORKER_TAKEN);
    }
    wait_for(&world, &world.running, 1);
    tasks[5] = task_for(greedy, &world, run, 0);
    assert_int_equal(tn_workers_post(workers, &tasks[5].job), WORKER_FULL);
    tasks[5] = task_for(polite, &world, run, 0);
    assert_int_equal(tn_workers_post(workers, &tasks[5].job), WORKER_TAKEN);
    assert_int_equal(world.displaced, 1);
    assert_int_equal(world.ended, 1);
    expect_counts(workers, 1, 4, 0);
    tasks[6] = task_for(polite, &world, run, 0);
    assert_int_equal(tn_workers_post(workers, &tasks[6].job), WORKER_TAKEN); /* 3 and 1 become 2 and 2 */
    assert_int_equal(world.displaced, 2);
    tasks[4] = task_for(polite, &world, run, 0); /* was displaced */
    assert_int_equal(tn_workers_post(workers, &tasks[4].job), WORKER_FULL);
    tasks[4] = task_for(third, &world, run, 0);
    assert_int_equal(tn_workers_post(workers, &tasks[4].job), WORKER_TAKEN);
    assert_int_equal(world.displaced, 3);
    set_gate(&world, true);
    assert_false(tn_workers_free(workers, 60000));
    assert_int_equal(world.ran, 5);
    assert_int_equal(world.ended, 8);
    assert_int_equal(world.refused, 0);
}

static void an_owner_fills_its_part_while_others_wait(void **state)
{
    struct task     tasks[8];
    struct world    world;
    struct workers *workers;

    (void)state;
    world_init(&world);
    workers = pool(&world, 1, 6, 1);
    for (size_t i = 0; i < 8; i++)
        tasks[i] = task_for(i == 1 ? polite : greedy, &world, run_at_gate, 0);
    for (size_t i = 0; i < 5; i++) { /* one runs, one is another's, three are half of the queue */
        assert_int_equal(tn_workers_post(workers, &tasks[i].job), WORKER_TAKEN);
        wait_for(&world, &world.running, 1);
    }
    assert_int_equal(tn_workers_post(workers, &tasks[5].job), WORKER_FULL);
    set_gate(&world, true);
    wait_for(&world, &world.ended, 5);
    set_gate(&world, false);
    for (size_t i = 2; i < 8; i++) /* alone it has all of it */
        assert_int_equal(tn_workers_post(workers, &tasks[i].job), WORKER_TAKEN);
    set_gate(&world, true);
    assert_false(tn_workers_free(workers, 60000));
    assert_int_equal(world.ran, 11);
}

static void wait_for_spares(struct workers *workers, size_t count)
{
    while (tn_workers_spare(workers) != count)
        usleep(500);
}

/* All workers have long jobs of one owner, and more of it wait: another one is served at once, as often as it likes. */
static void spare_workers_serve_those_who_have_nothing_running(void **state)
{
    struct task     held[6], quick, second;
    struct world    world, other;
    struct workers *workers;

    (void)state;
    world_init(&world);
    world_init(&other);
    workers = pool_with(&world, 2, 8, 1, 1);
    for (size_t i = 0; i < 4; i++) {
        held[i] = task_for(greedy, &world, run_at_gate, 0);
        assert_int_equal(tn_workers_post(workers, &held[i].job), WORKER_TAKEN);
    }
    wait_for(&world, &world.running, 2);
    assert_int_equal(tn_workers_spare(workers), 0); /* the greedy one has what all have */
    for (size_t i = 1; i <= 3; i++) {
        quick = task_for(polite, &other, run, 0);
        assert_int_equal(tn_workers_post(workers, &quick.job), WORKER_TAKEN);
        wait_for(&other, &other.ended, i);
        wait_for_spares(workers, 0);
        expect_counts(workers, 2, 2, 0);
    }
    held[4] = task_for(polite, &world, run_at_gate, 0);
    assert_int_equal(tn_workers_post(workers, &held[4].job), WORKER_TAKEN);
    wait_for(&world, &world.running, 3);
    second  = task_for(polite, &other, run, 0);
    held[5] = task_for(third, &world, run_at_gate, 0);
    assert_int_equal(tn_workers_post(workers, &second.job),
                     WORKER_TAKEN); /* it has one running: this one waits */
    assert_int_equal(tn_workers_post(workers, &held[5].job), WORKER_TAKEN); /* there is no other spare one */
    assert_int_equal(tn_workers_spare(workers), 1);
    expect_counts(workers, 3, 4, 0);
    set_gate(&world, true);
    assert_false(tn_workers_free(workers, 60000));
    assert_int_equal(world.ran, 6);
    assert_int_equal(other.ran, 4);
}

/* What waits because its owner had something running does not wait any more when that has ended. */
static void spare_workers_come_later_too(void **state)
{
    struct task     held[3], first, second;
    struct world    world, other, last;
    struct workers *workers;

    (void)state;
    world_init(&world);
    world_init(&other);
    world_init(&last);
    workers = pool_with(&world, 1, 8, 1, 1);
    first   = task_for(polite, &other, run_at_gate, 0);
    assert_int_equal(tn_workers_post(workers, &first.job), WORKER_TAKEN);
    wait_for(&other, &other.running, 1);
    for (size_t i = 0; i < 3; i++) { /* the first of them on a spare worker */
        held[i] = task_for(greedy, &world, run_at_gate, 0);
        assert_int_equal(tn_workers_post(workers, &held[i].job), WORKER_TAKEN);
    }
    wait_for(&world, &world.running, 1);
    second = task_for(polite, &last, run, 0);
    assert_int_equal(tn_workers_post(workers, &second.job), WORKER_TAKEN);
    set_gate(&other, true);
    wait_for(&last, &last.ended, 1); /* though the greedy one holds a worker, and has more in the queue */
    assert_int_equal(world.ran, 0);
    set_gate(&world, true);
    assert_false(tn_workers_free(workers, 60000));
    assert_int_equal(world.ran, 3);
}

/* A spare worker that is lost is a lost one, and its return is the end of it. */
static void spare_workers_may_be_lost(void **state)
{
    struct task     held, late, quick;
    struct world    world, other;
    struct workers *workers;

    (void)state;
    world_init(&world);
    world_init(&other);
    workers = pool_with(&world, 1, 8, 1, 1);
    held    = task_for(greedy, &world, run_at_gate, 0);
    late    = task_for(polite, &other, run_at_gate, 100);
    quick   = task_for(third, &world, run, 0);
    assert_int_equal(tn_workers_post(workers, &held.job), WORKER_TAKEN);
    assert_int_equal(tn_workers_post(workers, &late.job), WORKER_TAKEN);
    wait_for(&world, &world.running, 1);
    wait_for(&other, &other.running, 1);
    atomic_store(&world.now, 100);
    tn_workers_check(workers);
    wait_for(&other, &other.overran, 1);
    assert_int_equal(tn_workers_spare(workers), 0);
    assert_true(tn_workers_healthy(workers));
    assert_int_equal(tn_workers_post(workers, &quick.job), WORKER_TAKEN);
    wait_for(&world, &world.ended, 1);
    set_gate(&other, true);
    wait_for(&other, &other.ended, 1);
    wait_for_spares(workers, 0);
    expect_counts(workers, 1, 0, 0);
    set_gate(&world, true);
    assert_false(tn_workers_free(workers, 60000));
}

/* When the only worker is lost and a spare one was the last that could run anything, what waits is refused as it leaves. */
static void the_last_spare_leaves_nothing_waiting(void **state)
{
    struct task     late, held, waits;
    struct world    world, other;
    struct workers *workers;

    (void)state;
    world_init(&world);
    world_init(&other);
    workers = pool_with(&world, 1, 8, WORKER_NONE, 1);
    late    = task_for(greedy, &world, run_at_gate, 100);
    held    = task_for(polite, &other, run_at_gate, 0);
    waits   = task_for(greedy, &other, run, 0);
    assert_int_equal(tn_workers_post(workers, &late.job), WORKER_TAKEN);
    wait_for(&world, &world.running, 1);
    assert_int_equal(tn_workers_post(workers, &held.job), WORKER_TAKEN);
    wait_for(&other, &other.running, 1);
    assert_int_equal(tn_workers_post(workers, &waits.job), WORKER_TAKEN);
    atomic_store(&world.now, 100);
    tn_workers_check(workers);
    wait_for(&world, &world.overran, 1);
    set_gate(&other, true);
    wait_for(&other, &other.ended, 2); /* the one that ran, and the one that waited */
    assert_int_equal(other.refused, 1);
    set_gate(&world, true);
    assert_false(tn_workers_free(workers, 60000));
}

static void what_waits_of_many_owners_is_refused_at_the_end(void **state)
{
    static struct world      world; /* used by the thread that is left */
    static struct task       tasks[6];
    static const char        owners[6];
    struct tn_worker_options options = { .workers = 1, .spares = WORKER_NONE };
    struct workers          *workers = tn_workers_new(&options);

    (void)state;
    world_init(&world);
    assert_non_null(workers);
    for (size_t i = 0; i < 6; i++) {
        tasks[i] = task_for(&owners[i / 2], &world, run_at_gate, 0);
        assert_int_equal(tn_workers_post(workers, &tasks[i].job), WORKER_TAKEN);
    }
    wait_for(&world, &world.running, 1);
    assert_true(tn_workers_free(workers, 1));
    assert_int_equal(world.refused, 5);
    set_gate(&world, true);
    wait_for(&world, &world.ended, 6);
}

/* Owners of any number, with and without memory for them: every job comes to its end. */
static void every_job_of_every_owner_runs_once(void **state)
{
    static struct task       tasks[JOBS];
    static const char        owners[64];
    struct world             world;
    struct tn_fault          fault   = { 0 };
    tenon_allocator          memory  = tn_fault_allocator(&fault);
    struct tn_worker_options options = { .workers = 3, .queued = JOBS, .spares = 5, .memory = &memory };
    struct workers          *workers;

    (void)state;
    for (int refused = 0; refused < 2; refused++) {
        world_init(&world);
        fault.refuse_at = 0;
        workers         = tn_workers_new(&options);
        assert_non_null(workers);
        fault.refuse_rest = true;
        fault.refuse_at   = refused ? fault.requests + 1 : 0;
        for (size_t i = 0; i < JOBS; i++) {
            tasks[i] = task_for(&owners[i * i % 64], &world, run, 0);
            assert_int_equal(tn_workers_post(workers, &tasks[i].job), WORKER_TAKEN);
        }
        wait_for(&world, &world.ended, JOBS);
        assert_int_equal(world.ran, JOBS);
        assert_false(tn_workers_free(workers, 60000));
        assert_int_equal(fault.blocks, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_job_runs_once),
        cmocka_unit_test(an_unused_pool_has_no_threads),
        cmocka_unit_test(the_queue_is_bounded),
        cmocka_unit_test(without_a_queue_nobody_waits),
        cmocka_unit_test(a_late_job_is_told_of_and_its_worker_replaced),
        cmocka_unit_test(too_many_lost_workers_are_unhealthy_until_one_returns),
        cmocka_unit_test(what_does_not_end_is_left_behind),
        cmocka_unit_test(workers_block_signals_and_their_starter_does_not),
        cmocka_unit_test(a_deadline_at_the_end_is_no_race),
        cmocka_unit_test(a_full_queue_gives_way_to_others),
        cmocka_unit_test(an_owner_fills_its_part_while_others_wait),
        cmocka_unit_test(spare_workers_serve_those_who_have_nothing_running),
        cmocka_unit_test(spare_workers_come_later_too),
        cmocka_unit_test(spare_workers_may_be_lost),
        cmocka_unit_test(the_last_spare_leaves_nothing_waiting),
        cmocka_unit_test(what_waits_of_many_owners_is_refused_at_the_end),
        cmocka_unit_test(every_job_of_every_owner_runs_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
