/* breaker.h - a circuit breaker: a service that fails too often is left alone for a while, then asked once.
 *
 *   closed     requests pass; half or more of at least 5 within 30 s failing opens it
 *   open       no request passes for 30 s
 *   half-open  one request passes: its success closes the circuit, its failure opens it again
 */
#ifndef KIT_EMBED_BREAKER_H
#define KIT_EMBED_BREAKER_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#define BREAKER_LEAST   5  /* requests before anything is concluded */
#define BREAKER_PERCENT 50 /* of failures opens it */
#define BREAKER_WINDOW  30 /* seconds that are looked at */
#define BREAKER_OPEN_S  30 /* that it stays open */

enum circuit { CIRCUIT_CLOSED, CIRCUIT_OPEN, CIRCUIT_HALF_OPEN };
extern const char *const circuit_names[3];

/* Milliseconds that never run backwards. */
typedef int64_t (*breaker_clock_fn)(void *user);

struct breaker {
    pthread_mutex_t  lock;
    breaker_clock_fn now;
    void            *user;
    enum circuit     circuit;
    unsigned         generation; /* of changes: what began before one says nothing after it */
    bool             probing;
    int64_t          opened; /* ms */
    struct {
        int64_t  second;
        unsigned passed, failed;
    } buckets[BREAKER_WINDOW]; /* one for each second */
};

/* Given to each request that may pass, and handed back with how it went. */
struct breaker_pass {
    unsigned generation;
    bool     probe;
};

enum breaker_outcome {
    BREAKER_PASSED,
    BREAKER_FAILED,
    BREAKER_ABANDONED /* it was not found out */
};

bool breaker_init(struct breaker *breaker, breaker_clock_fn now, void *user);
void breaker_free(struct breaker *breaker);

/* Any thread. False when the request must not be sent. */
bool breaker_enter(struct breaker *breaker, struct breaker_pass *pass);
void breaker_leave(struct breaker *breaker, struct breaker_pass pass, enum breaker_outcome outcome);

/* What it is now, and after how many seconds it would let one pass: 0 when it does. */
enum circuit breaker_state(struct breaker *breaker, int *retry_after);

#endif
