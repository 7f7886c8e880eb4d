/* timetable.c - the guard's timer. */
#define _GNU_SOURCE
#include "guard/timetable.h"

#include "base/memory.h"
#include "guard/follow.h"
#include "guard/link.h"
#include "guard/lists/lists.h"
#include "guard/relay.h"
#include "guard/seat.h"

struct tn_timetable {
    uv_timer_t       timer;
    struct tn_guard *guard;
    tenon_allocator  memory;
    int64_t          due_ms; /* TRANSPORT_NEVER: nothing is */
};

static void on_due(uv_timer_t *timer)
{
    struct tn_timetable *timetable = timer->data;
    struct tn_guard     *guard     = timetable->guard;
    struct tn_seat      *seat, *next;

    timetable->due_ms = TRANSPORT_NEVER;
    tn_seats_sweep(guard);
    for (seat = guard->seats; seat; seat = next) {
        next = seat->next;
        if (!tn_ring_empty(&seat->waiting))
            tn_relays_route(seat);
    }
    tn_lists_due(guard, tn_client_now_ms());
    tn_follow_due(guard, tn_client_now_ms());
}

bool tn_timetable_begin(struct tn_guard *guard)
{
    struct tn_timetable *timetable = tn_memory_new(&guard->memory, sizeof *timetable);

    if (!timetable)
        return false;
    *timetable = (struct tn_timetable){ .guard = guard, .memory = guard->memory, .due_ms = TRANSPORT_NEVER };
    uv_timer_init(&guard->loop->uv, &timetable->timer);
    uv_unref((uv_handle_t *)&timetable->timer);
    timetable->timer.data = timetable;
    guard->timetable      = timetable;
    return true;
}

static void on_closed(uv_handle_t *handle)
{
    struct tn_timetable *timetable = handle->data;
    tenon_allocator      memory    = timetable->memory;

    tn_memory_free(&memory, timetable, sizeof *timetable);
}

void tn_timetable_end(struct tn_guard *guard)
{
    if (guard->timetable)
        uv_close((uv_handle_t *)&guard->timetable->timer, on_closed);
    guard->timetable = NULL;
}

void tn_timetable_at(struct tn_guard *guard, int64_t due_ms)
{
    struct tn_timetable *timetable = guard->timetable;
    int64_t              now       = tn_client_now_ms();

    if (!timetable || due_ms >= timetable->due_ms)
        return;
    timetable->due_ms = due_ms;
    uv_timer_start(&timetable->timer, on_due, due_ms > now ? (uint64_t)(due_ms - now) : 0, 0);
}

void tn_timetable_now(struct tn_guard *guard)
{
    tn_timetable_at(guard, 0);
}
