/* share.c - made and ended, and the two turns that threads take. */
#define _POSIX_C_SOURCE 200809L
#include "mcp/share/share.h"

#include <string.h>
#include <time.h>

#include "base/memory.h"
#include "base/sized.h"
#include "mcp/offer/tasks_inside.h"
#include "mcp/phrases.h"
#include "mcp/session.h"

#define SESSION_BYTES_MOST ((size_t)64 << 20) /* of all rows of sessions */
#define LEAVE_TURNS        2                  /* for what is not saved when it ends */
#define CHECK              "tenon"            /* what the row of the key file says */

void tenon_server_share(tenon_server *server, const tenon_share_store *store)
{
    if (!server || !store)
        return;
    if (!tn_sized_read(&server->store, sizeof server->store, store, store->size))
        tn_core_mistake(server, SAY_UNKNOWN_OPTION, "the store");
}

/* ---- Lifetime ------------------------------------------------------------------------------------------------ */

static tenon_share_limits limits_of(const tenon_server *server, enum tn_held rows, size_t bytes)
{
    return (tenon_share_limits){ .size  = sizeof(tenon_share_limits),
                                 .rows  = tn_ledger_most(server->ledger, rows),
                                 .bytes = bytes,
                                 .share = tn_ledger_share_of(server->ledger) };
}

struct tn_shared *tn_share_new(tenon_server *server)
{
    struct tn_shared  *share = tn_memory_new(&server->memory, sizeof *share);
    pthread_condattr_t monotonic;

    if (!share)
        return NULL;
    memset(share, 0, sizeof *share);
    share->server      = server;
    share->store       = server->store;
    share->process     = tn_slice_of(server->boot);
    share->sessions    = limits_of(server, HELD_SESSIONS, SESSION_BYTES_MOST);
    share->tasks       = limits_of(server, HELD_TASKS, tn_ledger_most(server->ledger, HELD_RESULTS));
    share->unsaved_end = &share->unsaved;
    tn_arena_init(&share->keys, &server->memory, 0);
    pthread_mutex_init(&share->lock, NULL);
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&share->more, &monotonic);
    pthread_condattr_destroy(&monotonic);
    return share;
}

void tn_share_free(struct tn_shared *share)
{
    tenon_server *server;

    if (!share)
        return;
    server = share->server;
    while (share->unsaved) {
        struct task *task = share->unsaved;

        share->unsaved = task->unsaved;
        tn_task_release(task);
    }
    if (server->share == share)
        server->share = NULL;
    pthread_cond_destroy(&share->more);
    pthread_mutex_destroy(&share->lock);
    tn_arena_free(&share->keys);
    tn_memory_free(&server->memory, share, sizeof *share);
}

/* ---- Beginning ----------------------------------------------------------------------------------------------- */

/* A row that only those can open who have the key file of the others; it is sealed anew by each that starts, so that a new
 * key takes over. */
static tenon_share_result check_key(struct tn_shared *share)
{
    tenon_share_result result = TENON_SHARE_OTHER;

    for (int i = 0; i < SHARE_TURNS && result == TENON_SHARE_OTHER; i++) {
        struct tn_share_row row = { .kind = "check", .key = CHECK };
        struct tn_arena     arena;

        tn_arena_init(&arena, &share->server->memory, 0);
        result = tn_share_get(share, &arena, &row);
        if (result == TENON_SHARE_OTHER && row.number > 0) {
            tn_arena_rest(&arena, 0);
            return TENON_SHARE_OTHER; /* there is one, and it stays closed */
        }
        if (result != TENON_SHARE_DOWN) {
            row.done   = true;
            row.ttl_ms = INT64_MAX / 4;
            row.text   = SLICE_LIT(CHECK);
            result     = tn_share_put(share, &arena, &row, NULL, NULL);
        }
        tn_arena_rest(&arena, 0);
    }
    return result == TENON_SHARE_OTHER ? TENON_SHARE_DOWN : result;
}

bool tn_share_begin(struct tn_shared *share, const char **mistake)
{
    const tenon_share_store *store = &share->store;
    tenon_share_result       result;

    *mistake = store->begin(store->user);
    if (*mistake)
        return false;
    share->begun = true;
    result       = store->renew(store->user, share->process.at, TASK_FAILED);
    if (result == TENON_SHARE_DONE)
        result = check_key(share);
    if (result == TENON_SHARE_DONE && !tn_share_read_ended(share))
        result = TENON_SHARE_DOWN;
    if (result != TENON_SHARE_DONE)
        *mistake = result == TENON_SHARE_OTHER ? SAY_SHARE_KEY : SAY_SHARE_START;
    return result == TENON_SHARE_DONE;
}

/* ---- The threads --------------------------------------------------------------------------------------------- */

/* With the lock. */
static bool has_more(const struct tn_shared *share)
{
    bool more = share->unsaved || share->news || share->everything;

    for (size_t i = 0; i < LISTS; i++)
        more = more || share->lists[i];
    return more;
}

/* For so long, or until it ends; or until there is more to do, if that is waited for. */
static void wait_a_while(struct tn_shared *share, int64_t ms, bool for_more)
{
    struct timespec until;

    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += ms / 1000;
    until.tv_nsec += ms % 1000 * 1000000;
    if (until.tv_nsec >= 1000000000) {
        until.tv_sec++;
        until.tv_nsec -= 1000000000;
    }
    pthread_mutex_lock(&share->lock);
    while (!share->stopping && !(for_more && has_more(share)))
        if (pthread_cond_timedwait(&share->more, &share->lock, &until) != 0)
            break;
    pthread_mutex_unlock(&share->lock);
}

static void take_text(void *user, const char *text)
{
    tn_share_take(user, text);
}

void tn_share_listen(struct tn_shared *share)
{
    bool               missed = false;
    tenon_share_result result = share->store.listen(share->store.user, share->process.at, take_text, share,
                                                    &missed);

    if (missed)
        tn_share_missed(share);
    if (result == TENON_SHARE_DOWN)
        wait_a_while(share, SHARE_RETRY_MS, false);
}

/* The first task that waits, off the queue; its hold is the caller's. */
static struct task *take_unsaved(struct tn_shared *share)
{
    struct task *task;

    pthread_mutex_lock(&share->lock);
    task = share->unsaved;
    if (task) {
        share->unsaved   = task->unsaved;
        task->is_unsaved = false;
        if (!share->unsaved)
            share->unsaved_end = &share->unsaved;
    }
    pthread_mutex_unlock(&share->lock);
    return task;
}

/* All tasks that wait. False when the store cannot be reached. */
static bool save_tasks(struct tn_shared *share)
{
    struct task *task;
    bool         saved = true;

    while (saved && (task = take_unsaved(share)) != NULL) {
        saved = tn_share_save_task(share, task);
        if (!saved)
            tn_share_task_save(task);
        tn_task_release(task);
    }
    return saved;
}

/* That this process lives, when it is time for it. */
static void renew(struct tn_shared *share)
{
    int64_t now_ms = tn_clock_now_us() / 1000;

    if (now_ms < share->renewed_ms + share->store.renew_ms)
        return;
    if (share->store.renew(share->store.user, share->process.at, TASK_FAILED) == TENON_SHARE_DONE)
        share->renewed_ms = now_ms;
}

void tn_share_save(struct tn_shared *share)
{
    bool reached;

    renew(share);
    reached = save_tasks(share) && tn_share_send(share);
    wait_a_while(share, reached ? SHARE_NEWS_MS : SHARE_RETRY_MS, false);
    if (reached)
        wait_a_while(share, share->store.renew_ms / 4, true);
}

void tn_share_stop(struct tn_shared *share)
{
    pthread_mutex_lock(&share->lock);
    share->stopping = true;
    pthread_cond_broadcast(&share->more);
    pthread_mutex_unlock(&share->lock);
}

bool tn_share_is_stopping(struct tn_shared *share)
{
    bool stopping;

    pthread_mutex_lock(&share->lock);
    stopping = share->stopping;
    pthread_mutex_unlock(&share->lock);
    return stopping;
}

void tn_share_leave(struct tn_shared *share)
{
    if (!share->begun)
        return;
    for (int i = 0; i < LEAVE_TURNS && !save_tasks(share); i++)
        continue;
    tn_share_send(share);
    share->store.leave(share->store.user, share->process.at, TASK_FAILED);
}
