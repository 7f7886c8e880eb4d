/* runner.c - exchanges as jobs of the workers. */
#define _GNU_SOURCE
#include "net/runner.h"

#include <assert.h>

#include "base/memory.h"
#include "net/rate.h"

#define RUNS_KEPT ((size_t)64) /* to be used again */

struct runner_run {
    struct tn_job       job;
    struct tn_serving  *serving;
    struct tn_exchange *exchange; /* held */
    struct tn_account  *account;  /* held: who the call counts for */
    bool                counted;  /* in flight */
    bool                watched;  /* and among those of the watched session */
    struct runner_run  *next;     /* idle ones */
};

struct runner {
    tenon_allocator         memory;
    pthread_mutex_t         lock;
    pthread_cond_t          none; /* is out */
    struct runner_run      *idle;
    size_t                  idle_count, out_count;
    struct tn_loop         *loop; /* where to post when nothing is in flight */
    struct tn_loop_message *message;

    _Atomic(const struct tn_session *) session; /* that is watched */
    atomic_size_t                      watched; /* its calls */
    size_t                             more, most;
    struct tn_loop                    *room_loop; /* where to post when there is room */
    struct tn_loop_message            *room_message;
};

/* ---- In flight ------------------------------------------------------------------------------------------- */

static bool count_in(struct tn_serving *serving, struct tn_account *account)
{
    if (!tn_account_take(account, HELD_CALLS, 1))
        return false;
    atomic_fetch_add(&serving->in_flight, 1);
    return true;
}

/* The last call to finish posts the notification. A request for it that comes meanwhile sees the count, or is seen. */
static void count_out(struct tn_serving *serving, struct tn_account *account)
{
    struct runner          *runner  = serving->runner;
    struct tn_loop_message *message = NULL;
    struct tn_loop         *loop    = NULL;

    tn_account_give(account, HELD_CALLS, 1);

    if (atomic_fetch_sub(&serving->in_flight, 1) != 1 || !runner)
        return;
    pthread_mutex_lock(&runner->lock);
    if (runner->message && atomic_load(&serving->in_flight) == 0) {
        message         = runner->message;
        loop            = runner->loop;
        runner->message = NULL;
    }
    pthread_mutex_unlock(&runner->lock);
    if (message)
        tn_loop_post(loop, message);
}

void tn_runner_notify(struct tn_serving *serving, struct tn_loop *loop, struct tn_loop_message *message)
{
    struct runner *runner = serving->runner;
    bool           now    = true;

    if (runner) {
        pthread_mutex_lock(&runner->lock);
        assert(!runner->message);
        now = atomic_load(&serving->in_flight) == 0;
        if (!now) {
            runner->loop    = loop;
            runner->message = message;
        }
        pthread_mutex_unlock(&runner->lock);
    }
    if (now)
        tn_loop_post(loop, message);
}

bool tn_runner_forget(struct tn_serving *serving, struct tn_loop_message *message)
{
    struct runner *runner = serving->runner;
    bool           had    = false;

    if (!runner)
        return false;
    pthread_mutex_lock(&runner->lock);
    had = runner->message == message || runner->room_message == message;
    if (runner->message == message)
        runner->message = NULL;
    if (runner->room_message == message)
        runner->room_message = NULL;
    pthread_mutex_unlock(&runner->lock);
    return had;
}

/* ---- Of one session -------------------------------------------------------------------------------------- */

void tn_runner_watch(struct tn_serving *serving, const struct tn_session *session)
{
    if (serving->runner)
        atomic_store(&serving->runner->session, session);
}

static bool has_room(struct runner *runner, size_t more, size_t most)
{
    size_t count = atomic_load(&runner->watched);

    return count == 0 || (more <= most && count <= most - more);
}

bool tn_runner_room(struct tn_serving *serving, size_t more, size_t most, struct tn_loop *loop,
                    struct tn_loop_message *message)
{
    struct runner *runner = serving->runner;
    bool           room   = !runner || has_room(runner, more, most);

    if (room) /* as nearly always: without the lock */
        return true;
    pthread_mutex_lock(&runner->lock);
    room = has_room(runner, more, most);
    if (!room) {
        assert(!runner->room_message);
        runner->room_message = message;
        runner->room_loop    = loop;
        runner->more         = more;
        runner->most         = most;
    }
    pthread_mutex_unlock(&runner->lock);
    return room;
}

static void runner_watch(struct runner *runner, struct runner_run *one)
{
    one->watched = tn_exchange_is_of(one->exchange, atomic_load(&runner->session));
    if (one->watched)
        atomic_fetch_add(&runner->watched, 1);
}

/* Under the lock, so that who asks for room either sees it or is seen. */
static void unwatch(struct runner *runner, struct runner_run *one)
{
    struct tn_loop_message *message = NULL;
    struct tn_loop         *loop    = NULL;

    if (!one->watched)
        return;
    one->watched = false;
    pthread_mutex_lock(&runner->lock);
    atomic_fetch_sub(&runner->watched, 1);
    if (runner->room_message && has_room(runner, runner->more, runner->most)) {
        message              = runner->room_message;
        loop                 = runner->room_loop;
        runner->room_message = NULL;
    }
    pthread_mutex_unlock(&runner->lock);
    if (message)
        tn_loop_post(loop, message);
}

/* ---- Jobs ------------------------------------------------------------------------------------------------ */

static struct runner_run *run_of(struct tn_job *job)
{
    return (struct runner_run *)(void *)((char *)job - offsetof(struct runner_run, job));
}

static void runner_run(struct tn_job *job)
{
    tn_exchange_run(run_of(job)->exchange);
}

/* It is answered now. Its thread may be busy for ever, and nobody waits for it any more. */
static void overrun(struct tn_job *job)
{
    struct runner_run *one = run_of(job);

    tn_exchange_overrun(one->exchange);
    one->counted = false;
    count_out(one->serving, one->account);
    unwatch(one->serving->runner, one);
}

static void runner_refuse(struct tn_job *job, enum tn_worker_post why)
{
    tn_exchange_refuse(run_of(job)->exchange, why == WORKER_LOST);
}

static void runner_give_back(struct runner *runner, struct runner_run *one)
{
    bool kept;

    pthread_mutex_lock(&runner->lock);
    kept = runner->idle_count < RUNS_KEPT;
    if (kept) {
        one->next    = runner->idle;
        runner->idle = one;
        runner->idle_count++;
    } else {
        tn_memory_free(&runner->memory, one, sizeof *one);
    }
    if (--runner->out_count == 0)
        pthread_cond_broadcast(&runner->none);
    pthread_mutex_unlock(&runner->lock);
}

static void end(struct tn_job *job)
{
    struct runner_run *one     = run_of(job);
    struct tn_serving *serving = one->serving;

    tn_exchange_release(one->exchange);
    if (one->counted)
        count_out(serving, one->account);
    unwatch(serving->runner, one);
    tn_account_release(one->account);
    runner_give_back(serving->runner, one); /* at last: who waits for it may free everything */
}

static struct runner_run *runner_take(struct runner *runner)
{
    struct runner_run *one;

    pthread_mutex_lock(&runner->lock);
    one = runner->idle;
    if (one) {
        runner->idle = one->next;
        runner->idle_count--;
    } else {
        one = tn_memory_new(&runner->memory, sizeof *one);
    }
    runner->out_count += one != NULL;
    pthread_mutex_unlock(&runner->lock);
    return one;
}

/* The exchange is in flight, and out again unless it was taken. */
static enum tn_worker_post post(struct tn_serving *serving, struct tn_exchange *exchange)
{
    struct runner_run  *one     = runner_take(serving->runner);
    struct tn_account  *account = tn_exchange_account(exchange);
    enum tn_worker_post posted;

    if (!one) {
        count_out(serving, account);
        return WORKER_FULL;
    }
    *one = (struct runner_run){
        .job      = { .owner       = account,
                      .run         = runner_run,
                      .overrun     = overrun,
                      .refuse      = runner_refuse,
                      .end         = end,
                      .deadline_ms = tn_exchange_deadline_ms(exchange) },
        .serving  = serving,
        .exchange = exchange,
        .account  = account,
        .counted  = true,
    };
    runner_watch(serving->runner, one);
    tn_exchange_hold(exchange);
    tn_account_hold(account);
    posted = tn_workers_post(serving->workers, &one->job);
    if (posted != WORKER_TAKEN) {
        tn_exchange_release(exchange);
        count_out(serving, account);
        unwatch(serving->runner, one);
        tn_account_release(account);
        runner_give_back(serving->runner, one);
    }
    return posted;
}

static bool spawn(void *user, struct tn_exchange *exchange)
{
    struct tn_serving *serving = user;

    return count_in(serving, tn_exchange_account(exchange)) && post(serving, exchange) == WORKER_TAKEN;
}

static int64_t admit(void *user, struct tn_account *account, size_t bytes)
{
    struct tn_serving *serving = user;

    return tn_rates_take(serving->rates, account, bytes, tn_clock_now_us());
}

/* ---- The runner ------------------------------------------------------------------------------------------ */

tenon_status tn_runner_open(struct tn_serving *serving)
{
    tenon_server  *server = serving->server;
    struct runner *runner = tn_memory_new(&server->memory, sizeof *runner);

    if (!runner)
        return TENON_E_NOMEM;
    *runner = (struct runner){ .memory = server->memory };
    pthread_mutex_init(&runner->lock, NULL);
    pthread_cond_init(&runner->none, NULL);
    serving->runner   = runner;
    server->host.user = serving;
    if (serving->workers)
        server->host.spawn = spawn;
    if (serving->rates)
        server->host.admit = admit;
    return TENON_OK;
}

void tn_runner_close(struct tn_serving *serving)
{
    struct runner  *runner = serving->runner;
    tenon_allocator memory;

    if (!runner)
        return;
    memory = runner->memory;
    while (runner->idle) {
        struct runner_run *one = runner->idle;

        runner->idle = one->next;
        tn_memory_free(&memory, one, sizeof *one);
    }
    pthread_cond_destroy(&runner->none);
    pthread_mutex_destroy(&runner->lock);
    tn_memory_free(&memory, runner, sizeof *runner);
    serving->runner             = NULL;
    serving->server->host.spawn = NULL;
    serving->server->host.admit = NULL;
    serving->server->host.user  = NULL;
}

void tn_runner_wait(struct tn_serving *serving)
{
    struct runner *runner = serving->runner;

    if (!runner)
        return;
    pthread_mutex_lock(&runner->lock);
    while (runner->out_count > 0)
        pthread_cond_wait(&runner->none, &runner->lock);
    pthread_mutex_unlock(&runner->lock);
}

void tn_runner_start(struct tn_serving *serving, struct tn_exchange *exchange)
{
    enum tn_worker_post posted = WORKER_TAKEN;

    if (!count_in(serving, tn_exchange_account(exchange))) {
        tn_exchange_refuse(exchange, false);
        return;
    }
    if (serving->workers) {
        posted = post(serving, exchange);
    } else {
        tn_exchange_run(exchange);
        count_out(serving, tn_exchange_account(exchange));
    }
    if (posted != WORKER_TAKEN)
        tn_exchange_refuse(exchange, posted == WORKER_LOST);
}
