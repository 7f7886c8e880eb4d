/* breaker.c - failures, counted in a window that moves. */
#include "guard/upkeep/breaker.h"

void tn_breaker_init(struct tn_breaker *breaker, int most, int within_ms, struct tn_pause pause)
{
    *breaker = (struct tn_breaker){ .most = most, .within_ms = within_ms, .pause = pause };
    if (breaker->most > (int)BREAKER_TIMES_MAX)
        breaker->most = (int)BREAKER_TIMES_MAX;
}

int tn_breaker_wait(struct tn_breaker *breaker, int64_t now_ms)
{
    if (breaker->state != BREAKER_OPEN)
        return 0;
    if (now_ms < breaker->until_ms)
        return (int)(breaker->until_ms - now_ms);
    breaker->state = BREAKER_HALF;
    return 0;
}

/* Is the failure that was `most` failures ago still within the time? */
static bool is_too_much(const struct tn_breaker *breaker, int64_t now_ms)
{
    size_t most = (size_t)breaker->most;

    return breaker->most > 0 && breaker->count >= most &&
           now_ms - breaker->times[(breaker->count - most) % BREAKER_TIMES_MAX] <= breaker->within_ms;
}

void tn_breaker_failed(struct tn_breaker *breaker, int64_t now_ms)
{
    bool half = breaker->state == BREAKER_HALF;

    breaker->times[breaker->count++ % BREAKER_TIMES_MAX] = now_ms;
    if (!half && !is_too_much(breaker, now_ms)) {
        breaker->pause_ms = 0;
        return;
    }
    breaker->pause_ms = breaker->pause_ms == 0 ? breaker->pause.first_ms : breaker->pause_ms * 2;
    if (breaker->pause_ms > breaker->pause.most_ms)
        breaker->pause_ms = breaker->pause.most_ms;
    breaker->state    = BREAKER_OPEN;
    breaker->until_ms = now_ms + (breaker->pause_ms > 0 ? breaker->pause_ms : 1);
}

void tn_breaker_tried(struct tn_breaker *breaker)
{
    breaker->state = BREAKER_CLOSED;
}

void tn_breaker_works(struct tn_breaker *breaker)
{
    breaker->state    = BREAKER_CLOSED;
    breaker->pause_ms = 0;
    breaker->count    = 0;
}

const char *tn_breaker_name(enum tn_breaker_state state)
{
    static const char *const names[] = { "closed", "open", "half-open" };

    return names[state];
}
