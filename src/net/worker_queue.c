/* worker_queue.c - rings of owners: by turn, by number of jobs, and of those that have nothing running. */
#include "net/worker_queue.h"

#include <assert.h>
#include <string.h>

#include "base/memory.h"

#define BUCKETS_MAX ((size_t)1 << 16)

#define OWNER_OF(ring, member) ((struct tn_job_owner *)(void *)((char *)(ring)-offsetof(struct tn_job_owner, member)))

/* ---- Rings ----------------------------------------------------------------------------------------------- */

static void ring_init(struct tn_ring *ring)
{
    ring->prev = ring->next = ring;
}

static bool ring_is_empty(const struct tn_ring *ring)
{
    return ring->next == ring;
}

static void ring_remove(struct tn_ring *one)
{
    one->prev->next = one->next;
    one->next->prev = one->prev;
    ring_init(one);
}

static void ring_add_last(struct tn_ring *ring, struct tn_ring *one)
{
    one->next        = ring;
    one->prev        = ring->prev;
    ring->prev->next = one;
    ring->prev       = one;
}

/* ---- Owners ---------------------------------------------------------------------------------------------- */

/* Addresses differ in their middle bits most: a multiplication carries those to the top. */
static struct tn_job_owner **worker_queue_bucket_of(const struct tn_job_queue *queue, const void *key)
{
    uint64_t mixed = (uint64_t)(uintptr_t)key * UINT64_C(0x9E3779B97F4A7C15);

    return &queue->buckets[(size_t)(mixed >> 32) & (queue->bucket_count - 1)];
}

const struct tn_job_owner *tn_job_queue_owner(const struct tn_job_queue *queue, const struct tn_job *job)
{
    const struct tn_job_owner *owner = *worker_queue_bucket_of(queue, job->owner);

    while (owner && owner->key != job->owner)
        owner = owner->chain;
    return owner;
}

static void owner_init(struct tn_job_owner *owner, const void *key)
{
    *owner = (struct tn_job_owner){ .key = key };
    ring_init(&owner->turn);
    ring_init(&owner->starve);
    ring_init(&owner->level);
}

static struct tn_job_owner *find_or_make(struct tn_job_queue *queue, const struct tn_job *job)
{
    struct tn_job_owner  *owner  = (struct tn_job_owner *)tn_job_queue_owner(queue, job);
    struct tn_job_owner **bucket = worker_queue_bucket_of(queue, job->owner);

    if (owner)
        return owner;
    owner = tn_memory_new(&queue->memory, sizeof *owner);
    if (!owner)
        return &queue->common;
    owner_init(owner, job->owner);
    owner->chain = *bucket;
    *bucket      = owner;
    return owner;
}

/* An owner of no jobs is forgotten: its key may be another's soon. */
static void worker_queue_let_go(struct tn_job_queue *queue, struct tn_job_owner *owner)
{
    struct tn_job_owner **at = worker_queue_bucket_of(queue, owner->key);

    if (owner == &queue->common || owner->queued > 0 || owner->running > 0)
        return;
    while (*at != owner)
        at = &(*at)->chain;
    *at = owner->chain;
    tn_memory_free(&queue->memory, owner, sizeof *owner);
}

/* Its number of queued jobs has changed by one. */
static void set_level(struct tn_job_queue *queue, struct tn_job_owner *owner)
{
    ring_remove(&owner->level);
    if (owner->queued > 0)
        ring_add_last(&queue->levels[owner->queued], &owner->level);
    if (owner->queued > queue->most)
        queue->most = owner->queued;
    else if (queue->most > 0 && ring_is_empty(&queue->levels[queue->most]))
        queue->most--;
}

static void set_starving(struct tn_job_queue *queue, struct tn_job_owner *owner)
{
    bool starves = owner->queued > 0 && owner->running == 0;

    if (starves == !ring_is_empty(&owner->starve))
        return;
    if (starves)
        ring_add_last(&queue->starving, &owner->starve);
    else
        ring_remove(&owner->starve);
}

/* ---- Jobs ------------------------------------------------------------------------------------------------ */

void tn_job_queue_add(struct tn_job_queue *queue, struct tn_job *job)
{
    struct tn_job_owner *owner = find_or_make(queue, job);

    assert(queue->queued < queue->max);
    job->of   = owner;
    job->next = NULL;
    job->prev = owner->last;
    if (owner->last)
        owner->last->next = job;
    else
        owner->first = job;
    owner->last = job;
    queue->queued++;
    if (owner->queued++ == 0) {
        queue->waiting++;
        ring_add_last(&queue->turns, &owner->turn);
    }
    set_level(queue, owner);
    set_starving(queue, owner);
}

/* Out of its owner's queue, wherever in it. The owner has had its turn, unless it is only made to give way. */
static void unlink_job(struct tn_job_queue *queue, struct tn_job *job, bool had_turn)
{
    struct tn_job_owner *owner = job->of;

    if (job->prev)
        job->prev->next = job->next;
    else
        owner->first = job->next;
    if (job->next)
        job->next->prev = job->prev;
    else
        owner->last = job->prev;
    job->prev = job->next = NULL;
    queue->queued--;
    owner->queued--;
    if (had_turn || owner->queued == 0)
        ring_remove(&owner->turn);
    if (owner->queued == 0)
        queue->waiting--;
    else if (had_turn)
        ring_add_last(&queue->turns, &owner->turn);
    set_level(queue, owner);
    set_starving(queue, owner);
}

struct tn_job *tn_job_queue_take(struct tn_job_queue *queue, bool starving)
{
    const struct tn_ring *ring = starving ? &queue->starving : &queue->turns;
    struct tn_job_owner  *owner;
    struct tn_job        *job;

    if (ring_is_empty(ring))
        return NULL;
    owner = starving ? OWNER_OF(ring->next, starve) : OWNER_OF(ring->next, turn);
    job   = owner->first;
    owner->running++;
    unlink_job(queue, job, true);
    return job;
}

void tn_job_queue_ended(struct tn_job_queue *queue, struct tn_job *job)
{
    struct tn_job_owner *owner = job->of;

    assert(owner->running > 0);
    owner->running--;
    set_starving(queue, owner);
    worker_queue_let_go(queue, owner);
    job->of = NULL;
}

static struct tn_job *worker_queue_give_up(struct tn_job_queue *queue, struct tn_job *job)
{
    struct tn_job_owner *owner = job->of;

    unlink_job(queue, job, false);
    worker_queue_let_go(queue, owner);
    job->of = NULL;
    return job;
}

struct tn_job *tn_job_queue_drop(struct tn_job_queue *queue)
{
    if (ring_is_empty(&queue->turns))
        return NULL;
    return worker_queue_give_up(queue, OWNER_OF(queue->turns.next, turn)->first);
}

struct tn_job *tn_job_queue_displace(struct tn_job_queue *queue, size_t queued)
{
    if (queue->most < queued + 2)
        return NULL;
    return worker_queue_give_up(queue, OWNER_OF(queue->levels[queue->most].next, level)->last);
}

/* ---- The queue ------------------------------------------------------------------------------------------- */

bool tn_job_queue_init(struct tn_job_queue *queue, const tenon_allocator *memory, size_t max)
{
    size_t buckets = 1;

    while (buckets < max && buckets < BUCKETS_MAX)
        buckets *= 2;
    *queue         = (struct tn_job_queue){ .memory = *memory, .max = max, .bucket_count = buckets };
    queue->levels  = tn_memory_new(memory, (max + 1) * sizeof *queue->levels);
    queue->buckets = tn_memory_new(memory, buckets * sizeof(struct tn_job_owner *));
    if (!queue->levels || !queue->buckets) {
        tn_job_queue_free(queue);
        return false;
    }
    for (size_t i = 0; i <= max; i++)
        ring_init(&queue->levels[i]);
    memset(queue->buckets, 0, buckets * sizeof(struct tn_job_owner *));
    ring_init(&queue->turns);
    ring_init(&queue->starving);
    owner_init(&queue->common, NULL);
    return true;
}

void tn_job_queue_free(struct tn_job_queue *queue)
{
    assert(queue->queued == 0);
    if (queue->levels)
        tn_memory_free(&queue->memory, queue->levels, (queue->max + 1) * sizeof *queue->levels);
    if (queue->buckets)
        tn_memory_free(&queue->memory, queue->buckets, queue->bucket_count * sizeof(struct tn_job_owner *));
}
