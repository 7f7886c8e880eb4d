/* breaker.h - when a server that fails is left alone for a while.
 *
 * So many failures within a time open it; calls are then refused at once. After a pause it is half open: one attempt, which is
 * never a call, closes it, or opens it again for twice the pause. Times are those of the caller's clock, in milliseconds.
 */
#ifndef GUARD_UPKEEP_BREAKER_H
#define GUARD_UPKEEP_BREAKER_H

#include <stddef.h>
#include <stdint.h>

#include "guard/upstream.h"

#define BREAKER_TIMES_MAX ((size_t)64) /* failures that are remembered: more cannot be asked for */

enum tn_breaker_state { BREAKER_CLOSED, BREAKER_OPEN, BREAKER_HALF };

struct tn_breaker {
    int                   most, within_ms;
    struct tn_pause       pause;
    enum tn_breaker_state state;
    int64_t               until_ms; /* of OPEN */
    int                   pause_ms; /* the last one; 0 when it was closed long enough */
    int64_t               times[BREAKER_TIMES_MAX];
    size_t                count; /* of failures, the last one at count - 1 modulo BREAKER_TIMES_MAX */
};

/* With `most` of 0 it never opens. */
void tn_breaker_init(struct tn_breaker *breaker, int most, int within_ms, struct tn_pause pause);

/* In how many milliseconds it may be tried again, at least 1; 0 when it may be now, and then it is closed, or half open. */
int tn_breaker_wait(struct tn_breaker *breaker, int64_t now_ms);

void tn_breaker_failed(struct tn_breaker *breaker, int64_t now_ms);

/* The attempt was good. What failed before is still counted, so that a server that works for a moment each time is left alone
 * longer and longer. */
void tn_breaker_tried(struct tn_breaker *breaker);

/* It works: what failed before is forgotten. */
void tn_breaker_works(struct tn_breaker *breaker);

const char *tn_breaker_name(enum tn_breaker_state state);

#endif
