/* clock.h - the time, replaceable, so that code that waits is tested without waiting. */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdint.h>

struct tn_clock {
    int64_t (*now_ms)(void *user);  /* monotonic */
    int64_t (*wall_ms)(void *user); /* since 1970, UTC */
    void *user;
};

/* Microseconds of the system's monotonic clock, to tell how long something took. */
int64_t tn_clock_now_us(void);

/* The system's clock. */
struct tn_clock tn_clock_system(void);

#endif
