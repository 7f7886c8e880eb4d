/* clock.c - the system's clock, in milliseconds. */
#define _GNU_SOURCE
#include "base/clock.h"

#include <stddef.h>
#include <time.h>

static int64_t read_ms(clockid_t which)
{
    struct timespec now = { 0 };

    clock_gettime(which, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static int64_t clock_now_ms(void *user)
{
    (void)user;
    return read_ms(CLOCK_MONOTONIC);
}

static int64_t wall_ms(void *user)
{
    (void)user;
    return read_ms(CLOCK_REALTIME);
}

int64_t tn_clock_now_us(void)
{
    struct timespec now = { 0 };

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

struct tn_clock tn_clock_system(void)
{
    return (struct tn_clock){ .now_ms = clock_now_ms, .wall_ms = wall_ms };
}
