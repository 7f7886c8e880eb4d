/* breaker.c - a circuit breaker. */
#include "kit/embed/breaker.h"

#include <string.h>

#define MS INT64_C(1000)

const char *const circuit_names[3] = {
    [CIRCUIT_CLOSED]    = "closed",
    [CIRCUIT_OPEN]      = "open",
    [CIRCUIT_HALF_OPEN] = "half-open",
};

bool breaker_init(struct breaker *breaker, breaker_clock_fn now, void *user)
{
    *breaker = (struct breaker){ .now = now, .user = user };
    for (int i = 0; i < BREAKER_WINDOW; i++)
        breaker->buckets[i].second = -1;
    return pthread_mutex_init(&breaker->lock, NULL) == 0;
}

void breaker_free(struct breaker *breaker)
{
    pthread_mutex_destroy(&breaker->lock);
}

static void turn(struct breaker *breaker, enum circuit circuit, int64_t now)
{
    breaker->circuit = circuit;
    breaker->probing = false;
    breaker->generation++;
    if (circuit == CIRCUIT_OPEN)
        breaker->opened = now;
    for (int i = 0; i < BREAKER_WINDOW; i++)
        breaker->buckets[i].second = -1;
}

static void count(struct breaker *breaker, int64_t second, bool failed)
{
    int at = (int)(second % BREAKER_WINDOW);

    if (breaker->buckets[at].second != second) {
        breaker->buckets[at].second = second;
        breaker->buckets[at].passed = breaker->buckets[at].failed = 0;
    }
    if (failed)
        breaker->buckets[at].failed++;
    else
        breaker->buckets[at].passed++;
}

static bool fails_too_often(const struct breaker *breaker, int64_t second)
{
    uint64_t all = 0, failed = 0;

    for (int i = 0; i < BREAKER_WINDOW; i++) {
        if (breaker->buckets[i].second < 0 || breaker->buckets[i].second <= second - BREAKER_WINDOW)
            continue;
        all += (uint64_t)breaker->buckets[i].passed + breaker->buckets[i].failed;
        failed += breaker->buckets[i].failed;
    }
    return all >= BREAKER_LEAST && failed * 100 >= all * BREAKER_PERCENT;
}

/* Time alone makes an open circuit half-open. */
static int64_t look(struct breaker *breaker)
{
    int64_t now = breaker->now(breaker->user);

    if (breaker->circuit == CIRCUIT_OPEN && now - breaker->opened >= BREAKER_OPEN_S * MS)
        turn(breaker, CIRCUIT_HALF_OPEN, now);
    return now;
}

bool breaker_enter(struct breaker *breaker, struct breaker_pass *pass)
{
    bool may;

    pthread_mutex_lock(&breaker->lock);
    look(breaker);
    may = breaker->circuit == CIRCUIT_CLOSED || (breaker->circuit == CIRCUIT_HALF_OPEN && !breaker->probing);
    *pass = (struct breaker_pass){ breaker->generation, breaker->circuit == CIRCUIT_HALF_OPEN };
    if (may && pass->probe)
        breaker->probing = true;
    pthread_mutex_unlock(&breaker->lock);
    return may;
}

void breaker_leave(struct breaker *breaker, struct breaker_pass pass, enum breaker_outcome outcome)
{
    int64_t now;

    pthread_mutex_lock(&breaker->lock);
    now = look(breaker);
    if (pass.generation != breaker->generation) {
        pthread_mutex_unlock(&breaker->lock);
        return;
    }
    if (outcome == BREAKER_ABANDONED) {
        if (pass.probe)
            breaker->probing = false;
    } else if (pass.probe) {
        turn(breaker, outcome == BREAKER_PASSED ? CIRCUIT_CLOSED : CIRCUIT_OPEN, now);
    } else {
        count(breaker, now / MS, outcome == BREAKER_FAILED);
        if (outcome == BREAKER_FAILED && fails_too_often(breaker, now / MS))
            turn(breaker, CIRCUIT_OPEN, now);
    }
    pthread_mutex_unlock(&breaker->lock);
}

enum circuit breaker_state(struct breaker *breaker, int *retry_after)
{
    enum circuit circuit;
    int64_t      now, left;

    pthread_mutex_lock(&breaker->lock);
    now          = look(breaker);
    circuit      = breaker->circuit;
    left         = breaker->opened + BREAKER_OPEN_S * MS - now;
    *retry_after = circuit == CIRCUIT_OPEN ? (int)((left + MS - 1) / MS) : 0;
    pthread_mutex_unlock(&breaker->lock);
    return circuit;
}
